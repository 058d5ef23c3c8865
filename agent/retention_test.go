package agent

import (
	"fmt"
	"testing"
	"time"
)

// fateOn is a fate between two days of a month, 0 being none.
func fateOn(first, last int) Fate {
	day := func(n int) time.Time {
		if n == 0 {
			return time.Time{}
		}
		return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC)
	}
	return Fate{Span: Span{day(first), day(last)}, Reason: fmt.Sprint(first)}
}

// Of two clocks the first deletes; of two rules either may hold.
func TestFatesTogether(t *testing.T) {
	type pair struct{ first, last int }
	for _, c := range []struct{ a, b, both, either pair }{
		{pair{1, 1}, pair{5, 5}, pair{1, 1}, pair{1, 5}},
		{pair{1, 0}, pair{5, 5}, pair{1, 5}, pair{1, 0}}, // from day 5 on the second is certain
		{pair{1, 9}, pair{5, 7}, pair{1, 7}, pair{1, 9}},
		{pair{1, 0}, pair{5, 0}, pair{1, 0}, pair{1, 0}},
		{pair{3, 3}, pair{0, 0}, pair{3, 3}, pair{3, 0}}, // the second never deletes
		{pair{0, 0}, pair{0, 0}, pair{0, 0}, pair{0, 0}},
	} {
		for _, turned := range []bool{false, true} {
			a, b := fateOn(c.a.first, c.a.last), fateOn(c.b.first, c.b.last)
			if turned {
				a, b = b, a
			}
			if got, want := a.Both(b), fateOn(c.both.first, c.both.last); got != want {
				t.Errorf("both %v and %v: %v to %v for %s", c.a, c.b, got.Earliest, got.Latest, got.Reason)
			}
			if got, want := a.Either(b), fateOn(c.either.first, c.either.last); got != want {
				t.Errorf("either %v or %v: %v to %v for %s", c.a, c.b, got.Earliest, got.Latest, got.Reason)
			}
		}
	}
}
