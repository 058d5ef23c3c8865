package when

import (
	"testing"
	"time"
)

// Whatever is typed, a span never ends before it begins.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"2026", "2026-05", "2026-05-22", "today", "3d", "999999y", "2026-05-22T01:02:03Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		span, err := Parse(s, time.Date(2026, 5, 22, 13, 0, 0, 0, time.UTC))
		if err == nil && span.To.Before(span.From) {
			t.Fatalf("%q is %v", s, span)
		}
	})
}
