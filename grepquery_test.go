package seshat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seshat-dev/seshat"
)

// grepped gives the matching lines of a grep with their places.
func grepped(t *testing.T, l *seshat.Library, q seshat.GrepQuery) []string {
	t.Helper()
	var out []string
	sums := map[string]int{} // what is only counted may be told of several records at once
	if _, err := l.Grep(context.Background(), q, func(m *seshat.Match) error {
		if q.Count {
			sums[m.Record.Path] += m.Count
			return nil
		}
		for _, x := range m.Lines {
			out = append(out, fmt.Sprintf("%s:%d:%d %q %v %v", m.Record.Path, x.No, x.Index, x.Text, x.Ranges, x.Context))
		}
		out = append(out, fmt.Sprintf("%d lines", m.Count))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for path, n := range sums {
		out = append(out, fmt.Sprintf("%s: %d lines", path, n))
	}
	if q.Count {
		slices.Sort(out)
	}
	return out
}

// A query of one word finds the lines that a pattern finds which ignores case, and
// prints them the same.
func TestGrepByQueryEqualsGrepByPattern(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 25 {
		l := library(t, newWorld(claudeRoot(randomWorld(rng))), "", nil)
		for _, w := range dictionary {
			asked, err := l.ParseQuery(w)
			if err != nil {
				t.Fatal(err)
			}
			p := pattern(t, w, seshat.PatternFlags{Fixed: true, IgnoreCase: true})
			for _, q := range []seshat.GrepQuery{{}, {Whole: true}, {Limit: 2}, {PerSource: 1}, {Before: 1, After: 1}, {Count: true}} {
				byPattern, byQuery := q, q
				byPattern.Pattern, byQuery.Query = p, asked
				if got, want := grepped(t, l, byQuery), grepped(t, l, byPattern); !slices.Equal(got, want) {
					t.Fatalf("%+v of %s: a query gives\n\t%q\nand a pattern\n\t%q", q, w, got, want)
				}
			}
		}
	}
}

// A query without a text prints all lines of the records that it chooses.
func TestGrepByFields(t *testing.T) {
	l := library(t, newWorld(threeChats()), "", nil)
	asked, err := l.ParseQuery("kind:prompt project:app")
	if err != nil {
		t.Fatal(err)
	}
	if got := grepped(t, l, seshat.GrepQuery{Query: asked}); len(got) != 6 {
		t.Errorf("%q", got)
	}
}
