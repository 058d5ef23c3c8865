package query

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// text is a text that is looked through. Its composed form is made once, when it
// is first asked for.
type text struct {
	raw      string
	composed string
	ascii    bool
	ready    bool
}

// form gives the text in its composed form, and whether it is ASCII.
func (t *text) form() (composed string, ascii bool) {
	if !t.ready {
		t.ascii = isASCII(t.raw)
		t.composed = t.raw
		if !t.ascii {
			t.composed = compose(t.raw)
		}
		t.ready = true
	}
	return t.composed, t.ascii
}

// compose gives the composed form of a text, which is the text itself where it is
// in that form.
func compose(s string) string {
	if norm.NFC.IsNormalString(s) {
		return s
	}
	return norm.NFC.String(s)
}

// isASCII looks at eight bytes at a time.
func isASCII(s string) bool {
	const high = 0x8080808080808080
	for len(s) >= 8 {
		eight := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if eight&high != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// segment is a stretch of a text that composes by itself: where it begins in the
// composed form, and in the text as it is.
type segment struct{ composed, raw int }

// segments gives the composed form of a text with the places of its parts; the
// last one is the end.
func segments(raw string) (string, []segment) {
	var out strings.Builder
	var parts []segment
	var it norm.Iter
	for it.InitString(norm.NFC, raw); !it.Done(); {
		parts = append(parts, segment{out.Len(), it.Pos()})
		out.Write(it.Next())
	}
	return out.String(), append(parts, segment{out.Len(), len(raw)})
}

// Range is a stretch of a text, in bytes.
type Range struct{ From, To int }

// uncompose turns a range of the composed form into the narrowest one of the text
// as it is that holds it.
func uncompose(parts []segment, r Range) Range {
	first := sort.Search(len(parts), func(i int) bool { return parts[i].composed > r.From }) - 1
	last := sort.Search(len(parts), func(i int) bool { return parts[i].composed >= r.To })
	return Range{parts[max(first, 0)].raw, parts[min(last, len(parts)-1)].raw}
}

// withMarks widens a range so that no mark which combines with its last character
// is cut off.
func withMarks(s string, r Range) Range {
	for r.To < len(s) && r.To > r.From && s[r.To] >= utf8.RuneSelf {
		c, n := utf8.DecodeRuneInString(s[r.To:])
		if !unicode.Is(unicode.M, c) {
			break
		}
		r.To += n
	}
	return r
}
