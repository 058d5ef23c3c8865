package search

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Prompts are compared by their words, however these are parted, and without what stands
// for pasted media.
func TestFoldedPrompts(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " ": "", "a": "a", "a b": "a b", " a": "a", "a ": "a", "a  b": "a b", "a\nb\t c": "a b c", "a\u00a0b\u3000c": "a b c",
		"see\n\n[image image/png 3 B]": "see", "see\n\n[1]": "see [1]",
	} {
		if got := folded(text); got != want {
			t.Errorf("%q is folded to %q, want %q", text, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "bc", " ", "  ", "\n", "é", "\u00a0", "\x01", "\n\n[image]", "["}
	for range 20000 {
		var b strings.Builder
		for range rng.IntN(8) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := b.String()
		if got, want := folded(text), strings.Join(strings.Fields(media.ReplaceAllString(text, "")), " "); got != want {
			t.Fatalf("%q is folded to %q, want %q", text, got, want)
		}
	}
}
