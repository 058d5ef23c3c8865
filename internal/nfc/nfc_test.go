package nfc

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestOriginal(t *testing.T) {
	const text = "cafe\u0301 x" // composed, the e and its accent are two bytes
	composed, p := Compose(text)
	if composed != "café x" {
		t.Fatalf("%q", composed)
	}
	for r, want := range map[[2]int]string{
		{0, 3}: "caf", {3, 5}: "e\u0301", {3, 4}: "e\u0301", {4, 5}: "e\u0301", {5, 7}: " x", {2, 6}: "fe\u0301 ", {0, 7}: text, {7, 7}: "",
	} {
		if from, to := p.Original(r[0], r[1]); text[from:to] != want {
			t.Errorf("%v comes from %q, want %q", r, text[from:to], want)
		}
	}
}

// A range of the composed form is made of the range of the text that it comes from.
func FuzzOriginal(f *testing.F) {
	f.Add("cafe\u0301 \u1100\u1161\u11a8 \u212b", 2, 7)
	f.Add("\xff a\u0301\u0323", 0, 3)
	f.Fuzz(func(t *testing.T, s string, from, to int) {
		composed, p := Compose(s)
		if composed != norm.NFC.String(s) {
			t.Fatalf("%q is composed as %q", s, composed)
		}
		if from < 0 || to <= from || to > len(composed) {
			return
		}
		a, b := p.Original(from, to)
		if a < 0 || a >= b || b > len(s) {
			t.Fatalf("%d-%d of %q comes from %d-%d", from, to, s, a, b)
		}
		if part := norm.NFC.String(s[a:b]); len(part) < to-from {
			t.Fatalf("%q is too little for %d-%d of %q", part, from, to, composed)
		}
	})
}
