// Package when reads the times that people type.
//
// A reader may rely on this. A time that names a day, a month or a year means the
// whole of it, in the given place. An age such as 3d counts back from now; m is
// months and min minutes. A length of time reaches as far ahead as the age of the
// same name reaches back.
package when

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// Span is the stretch of time that an expression means: From is in it, To is the
// first moment behind it.
type Span struct{ From, To time.Time }

// age is compiled when the first time is read: most runs read none.
var age = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,6})(s|min|h|d|w|m|y)$`) })

// Parse reads an expression: 2026, 2026-05, 2026-05-22, an RFC 3339 time, today,
// yesterday, or an age such as 90min, 3d, 2w, 6m or 1y. An age means from then
// until now.
func Parse(s string, now time.Time) (Span, error) {
	loc := now.Location()
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, loc)
	switch s {
	case "today":
		return Span{day, day.AddDate(0, 0, 1)}, nil
	case "yesterday":
		return Span{day.AddDate(0, 0, -1), day}, nil
	}
	if m := age().FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		return Span{back(now, n, m[2]), now}, nil
	}
	for _, f := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {"2006-01-02", 0, 0, 1}} {
		if len(s) != len(f.layout) {
			continue
		}
		if t, err := time.ParseInLocation(f.layout, s, loc); err == nil {
			return Span{t, t.AddDate(f.years, f.months, f.days)}, nil
		}
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return Span{t, t.Add(1)}, nil
	}
	return Span{}, fmt.Errorf("%q is no time: write 2026-05-22, 2026-05, today, yesterday, or an age such as 3d, 2w, 6m, 1y", s)
}

// Ahead reads a length of time such as 12h, 7d, 2w, 6m or 1y and gives the moment
// that it reaches to from now.
func Ahead(s string, now time.Time) (time.Time, error) {
	m := age().FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, fmt.Errorf("%q is no length of time: write 12h, 7d, 2w, 6m or 1y", s)
	}
	n, _ := strconv.Atoi(m[1])
	return back(now, -n, m[2]), nil
}

func back(now time.Time, n int, unit string) time.Time {
	switch unit {
	case "s":
		return now.Add(-time.Duration(n) * time.Second)
	case "min":
		return now.Add(-time.Duration(n) * time.Minute)
	case "h":
		return now.Add(-time.Duration(n) * time.Hour)
	case "d":
		return now.AddDate(0, 0, -n)
	case "w":
		return now.AddDate(0, 0, -7*n)
	case "m":
		return now.AddDate(0, -n, 0)
	}
	return now.AddDate(-n, 0, 0)
}
