package query

import (
	"cmp"
	"slices"
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
	if isComposed(s) {
		return s
	}
	return norm.NFC.String(s)
}

// isComposed reports whether a text is in composed form. Most texts hold only
// characters that are composed whatever stands beside them.
func isComposed(s string) bool {
	last := 0 // where the last character begins, from which composing could go on
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i += asciiRun(s[i:])
			last = i - 1
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !settled(r) {
			return norm.NFC.IsNormalString(s[last:])
		}
		last = i
		i += n
	}
	return true
}

// settled reports whether a character is known to begin a segment of its own and
// to stay as it is. It knows the letters and signs that are met most.
func settled(r rune) bool {
	switch {
	case r < 0x300, 0x400 <= r && r < 0x483, 0x48a <= r && r < 0x530: // Latin, Cyrillic
		return true
	case r < 0x1e00:
		return 0x388 <= r && r < 0x400 || 0x10d0 <= r && r < 0x1100 // Greek, Georgian
	case r < 0x2ad0: // Vietnamese, punctuation, arrows, boxes, symbols
		return r < 0x1f00 || 0x2002 <= r && r < 0x20d0 || 0x2190 <= r && r < 0x2329 || 0x232b <= r
	case r < 0x3041:
		return 0x3000 <= r && r < 0x302a
	case r < 0xd7a4: // Kana, Han, Hangul
		return r < 0x3099 || 0x309b <= r && r < 0xa000 || 0xac00 <= r
	}
	return 0xfe00 <= r && r < 0xfe10 || 0xff00 <= r && r < 0x10000 || 0x1f000 <= r && r < 0x20000 // selectors, wide forms, pictures
}

// valid writes every byte of a query that is no text as readers write it in
// records.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// isASCII reports whether a text is ASCII.
func isASCII(s string) bool { return asciiRun(s) == len(s) }

// asciiRun gives how many bytes of ASCII a text begins with. It looks at eight at a
// time.
func asciiRun(s string) int {
	const high = 0x8080808080808080
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		e := s[i : i+8]
		eight := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 |
			uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56
		if eight&high != 0 {
			break
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// Range is a stretch of a text, in bytes.
type Range struct{ From, To int }

// Joined puts ranges in order and joins those that touch. It reuses the slice.
func Joined(all []Range) []Range {
	slices.SortFunc(all, func(a, b Range) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	out := all[:0]
	for _, r := range all {
		if last := len(out) - 1; last >= 0 && r.From <= out[last].To {
			out[last].To = max(out[last].To, r.To)
		} else {
			out = append(out, r)
		}
	}
	return out
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
