package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/internal/term"
)

// Texts in ten columns, * around what was looked for.
func TestFit(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "short": "short", "ten column": "ten column", "eleven cols": "eleven co…", "a *hit* here and there": "a *hit* her…",
		"far before the *hit*": "… *hit*", "far before the *hit* and on": "… *hit* and…", "*hit* and much more text": "*hit* and m…", "ab *overlonghit* x": "… *overlon…*",
		"*a* b *c*": "*a* b *c*", "12345 *789*": "12345 *789*", "1234567*890*": "1234567*890*", "1234567*890*x": "…7*890*x", "漢字漢字 *漢*": "… *漢*",
	} {
		var pieces []piece
		for i, text := range strings.Split(in, "*") {
			if text != "" {
				pieces = append(pieces, piece{text, map[int]term.Style{0: term.Plain, 1: term.Hit}[i%2]})
			}
		}
		var got strings.Builder
		for _, x := range fit(pieces, 10) {
			if x.style == term.Hit {
				x.text = "*" + x.text + "*"
			}
			got.WriteString(x.text)
		}
		if got.String() != want {
			t.Errorf("%q reads %q, want %q", in, got.String(), want)
		}
	}
}

// Whatever the text, what is printed fits, and is safe.
func FuzzFit(f *testing.F) {
	f.Add("some text with a hit and \u202e 漢字 e\u0301", 17, 20, 12)
	f.Fuzz(func(t *testing.T, text string, from, to, columns int) {
		if from < 0 || to < from || to > len(text) || columns < 10 || columns > 1000 || !utf8.ValidString(text) {
			t.Skip() // no range of a text, or no terminal
		}
		var out strings.Builder
		pieces := fit(lit(text, [][]int{{from, to}}, term.Plain), columns)
		for _, x := range pieces {
			out.WriteString(x.text)
		}
		if n := wide(pieces); n > columns {
			t.Fatalf("%q takes %d of %d columns", out.String(), n, columns)
		}
		if s := out.String(); s != term.Line(s) {
			t.Fatalf("%q is not safe", s)
		}
	})
}
