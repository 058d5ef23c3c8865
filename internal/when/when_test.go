package when

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	loc := time.FixedZone("x", 2*3600)
	now := time.Date(2026, 5, 22, 13, 0, 0, 0, loc)
	at := func(y int, m time.Month, d, h, mi int) time.Time { return time.Date(y, m, d, h, mi, 0, 0, loc) }
	for in, want := range map[string]Span{
		"2026":       {at(2026, 1, 1, 0, 0), at(2027, 1, 1, 0, 0)},
		"2026-05":    {at(2026, 5, 1, 0, 0), at(2026, 6, 1, 0, 0)},
		"2026-05-22": {at(2026, 5, 22, 0, 0), at(2026, 5, 23, 0, 0)},
		"today":      {at(2026, 5, 22, 0, 0), at(2026, 5, 23, 0, 0)},
		"yesterday":  {at(2026, 5, 21, 0, 0), at(2026, 5, 22, 0, 0)},
		"3d":         {at(2026, 5, 19, 13, 0), now},
		"2w":         {at(2026, 5, 8, 13, 0), now},
		"6m":         {at(2025, 11, 22, 13, 0), now},
		"1y":         {at(2025, 5, 22, 13, 0), now},
		"90min":      {at(2026, 5, 22, 11, 30), now},
	} {
		got, err := Parse(in, now)
		if err != nil || !got.From.Equal(want.From) || !got.To.Equal(want.To) {
			t.Errorf("Parse(%q) = %v, %v, want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "3", "3x", "2026-13", "tomorrow", "26-05-22", "-3d"} {
		if _, err := Parse(in, now); err == nil {
			t.Errorf("%q is no time", in)
		}
	}
}

// Lengths of time by hand from 22 May 2026, 10:30.
func TestAhead(t *testing.T) {
	now := time.Date(2026, 5, 22, 10, 30, 0, 0, time.UTC)
	for s, want := range map[string]time.Time{
		"0d": now, "12h": time.Date(2026, 5, 22, 22, 30, 0, 0, time.UTC), "7d": time.Date(2026, 5, 29, 10, 30, 0, 0, time.UTC),
		"2w": time.Date(2026, 6, 5, 10, 30, 0, 0, time.UTC), "6m": time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC),
		"90min": time.Date(2026, 5, 22, 12, 0, 0, 0, time.UTC), "1y": time.Date(2027, 5, 22, 10, 30, 0, 0, time.UTC),
	} {
		if got, err := Ahead(s, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "7", "7 d", "-7d", "today", "2026", "1M", "7dd"} {
		if got, err := Ahead(s, now); err == nil {
			t.Errorf("%q is taken for %v", s, got)
		}
	}
}
