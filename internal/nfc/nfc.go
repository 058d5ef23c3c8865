// Package nfc tells where in a text the parts of its composed form (NFC) come from.
//
// A reader may rely on this. A text composes in segments, each by itself; a range of
// the composed form stands for the narrowest range of the text as it is that holds
// it, in whole segments.
package nfc

import (
	"sort"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Places maps places of a composed form to those of the text it was made of.
type Places struct{ composed, original []int } // where each segment begins, and the end

// Compose gives a text in its composed form, and where each piece of it came from.
func Compose(s string) (string, Places) {
	var out strings.Builder
	var p Places
	var it norm.Iter
	for it.InitString(norm.NFC, s); !it.Done(); {
		p.composed, p.original = append(p.composed, out.Len()), append(p.original, it.Pos())
		out.Write(it.Next())
	}
	p.composed, p.original = append(p.composed, out.Len()), append(p.original, len(s))
	return out.String(), p
}

// Original gives the range of the text that a range of the composed form is made of:
// from where the segment of its first place begins to where that of its last ends.
func (p Places) Original(from, to int) (int, int) {
	first := sort.SearchInts(p.composed, from+1) - 1
	last := sort.SearchInts(p.composed, to)
	return p.original[max(0, first)], p.original[min(last, len(p.original)-1)]
}
