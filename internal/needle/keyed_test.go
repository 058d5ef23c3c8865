package needle

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A set and keys that are found in one pass are those that are found in two, wherever they
// stand.
func TestNextKeyedFindsWhatNextFinds(t *testing.T) { narrowly(func() { nextKeyed(t) }) }

func nextKeyed(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	pieces := []string{`"uuid":"`, `"id":`, "\n", "id", "ids", `ids"`, "i", "d", `"`, `\u0070`, `\u001b`, "parser", "Parser", "p", "pars", "検索", "the", `\`, "K", "\u212a", strings.Repeat("x", 31), strings.Repeat("y", 70)}
	sets := []*Set{
		New([]Literal{{Text: "parser"}}), New([]Literal{{Text: "parser", Fold: true}}), New([]Literal{{Text: "the"}}), New([]Literal{{Text: "検索"}}), New([]Literal{{Text: "pa"}}),
		New([]Literal{{Text: "the"}, {Text: "parser"}}), New([]Literal{{Text: "K"}, {Text: "xx"}}), New([]Literal{{Text: strings.Repeat("y", 69)}}), New([]Literal{{Text: strings.Repeat("y", 70) + "the"}}),
	}
	hits := 0
	for range 20000 {
		s := sets[rng.IntN(len(sets))]
		if s == nil {
			continue
		}
		var text strings.Builder
		room := 12
		if rng.IntN(50) == 0 {
			text.WriteString(strings.Repeat("\n"+strings.Repeat(".", rng.IntN(60)), 150)) // more blocks with keys than are told at once
			room = 60
		}
		for range rng.IntN(room) {
			piece := pieces[rng.IntN(len(pieces))]
			if text.WriteString(piece); rng.IntN(3) == 0 {
				text.WriteString(strings.Repeat(".", rng.IntN(130)))
			}
		}
		b := []byte(text.String())
		from := rng.IntN(len(b) + 1)
		var got, all Keys
		hit := s.NextKeyed(b, from, &got)
		if want := s.Next(b, from); hit != want {
			t.Fatalf("%q from %d stands at %d, want %d", b, from, hit, want)
		}
		end := len(b)
		if hit >= 0 {
			end = hit
			hits++
		}
		all.Find(b)
		outside := func(at int) bool { return at < from || at >= end }
		newlines, ids := slices.DeleteFunc(all.Newlines, outside), slices.DeleteFunc(all.IDs, outside)
		if !slices.Equal(got.Newlines, newlines) || !slices.Equal(got.IDs, ids) {
			t.Fatalf("in %q from %d to %d stand newlines %v and ids %v, want %v and %v", b, from, end, got.Newlines, got.IDs, newlines, ids)
		}
	}
	if hits < 2000 {
		t.Errorf("only %d times something was found", hits)
	}
}
