package needle

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxRunes bounds how many characters of a foreign run are looked for at once.
const maxRunes = 4

// addForeign looks for the first characters of a literal beyond ASCII that can be
// found by their bytes.
func (s *Set) addForeign(l Literal) bool {
	from, to := simpleRun(l)
	if to > from {
		return s.addRun(l, from, to)
	}
	for at, r := range l.Text {
		if r >= utf8.RuneSelf && s.addSpellings(l, at) {
			return true
		}
	}
	return false
}

// simpleRun gives the first run of characters beyond ASCII that Unicode spells in
// one way only.
func simpleRun(l Literal) (from, to int) {
	n := 0
	for i, r := range l.Text {
		if r < utf8.RuneSelf || !simple(r, l.Fold) || n == maxRunes {
			if n > 0 {
				return from, i
			}
			continue
		}
		if n++; n == 1 {
			from = i
		}
	}
	if n > 0 {
		to = len(l.Text)
	}
	return from, to
}

func simple(r rune, fold bool) bool {
	return r != utf8.RuneError && !unicode.IsSpace(r) && stable(r) && len(sources(r)) == 0 && len(orbit(r, fold)) == 1
}

// addSpellings looks for every way to spell the character at a place, in either
// case with fold. A mark on its own has too many: it may be part of any letter, and
// another mark may stand between the two.
func (s *Set) addSpellings(l Literal, at int) bool {
	r, size := utf8.DecodeRuneInString(l.Text[at:])
	all := orbit(r, l.Fold)
	if slices.ContainsFunc(all, func(r rune) bool { return r < utf8.RuneSelf || r == utf8.RuneError || mark(r) }) {
		return false
	}
	s.escapes(string(r), l.Fold)
	for _, r := range all {
		for _, x := range carriers(r) {
			if len(carriers(r)) == 1 {
				s.addAt(l, string(x), at, at+size)
			} else {
				s.addRaw(string(x))
			}
		}
	}
	return true
}

// mark reports whether a character changes the one before it.
func mark(r rune) bool { return norm.NFC.PropertiesString(string(r)).CCC() != 0 }

// carriers gives characters of which every text contains one that contains r once
// it is composed: r itself, what it is made of as far as that is composed, and what
// stands for one of these.
func carriers(r rune) []rune {
	parts := []rune(norm.NFD.String(string(r)))
	out := []rune{r}
	base, marks := parts[0], parts[1:]
	if base >= utf8.RuneSelf {
		out = append(out, base)
	} else {
		out = append(out, marks...)
	}
	for set := 1; set < 1<<len(marks); set++ {
		some := []rune{base}
		for i, m := range marks {
			if set>>i&1 != 0 {
				some = append(some, m)
			}
		}
		if x := []rune(norm.NFC.String(string(some))); len(x) == 1 {
			out = append(out, x[0])
		}
	}
	for _, x := range slices.Clone(out) {
		out = append(out, sources(x)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// decomposing are the ranges of characters that Unicode never composes: their
// canonical form is always other characters (singletons and composition
// exclusions of the Unicode Character Database).
var decomposing = [][2]rune{
	{0x0340, 0x0344}, {0x0374, 0x0374}, {0x037e, 0x037e}, {0x0387, 0x0387}, {0x0958, 0x095f}, {0x09dc, 0x09df},
	{0x0a33, 0x0a36}, {0x0a59, 0x0a5e}, {0x0b5c, 0x0b5d}, {0x0f43, 0x0fb9}, {0x1f71, 0x1ffd}, {0x2000, 0x2001},
	{0x2126, 0x212b}, {0x2329, 0x232a}, {0x2adc, 0x2adc}, {0xf900, 0xfad9}, {0xfb1d, 0xfb4e}, {0x1d15e, 0x1d164},
	{0x1d1bb, 0x1d1c0}, {0x2f800, 0x2fa1d},
}

// asciiSources are the characters whose composed form is an ASCII one.
var asciiSources = map[rune]rune{'K': '\u212a', ';': '\u037e', '`': '\u1fef'}

// bySource lists, by a character, those that decompose to a text with it.
var bySource = sync.OnceValue(func() map[rune][]rune {
	m := map[rune][]rune{}
	for _, span := range decomposing {
		for x := span[0]; x <= span[1]; x++ {
			for _, r := range norm.NFC.String(string(x)) {
				if r != x {
					m[r] = append(m[r], x)
				}
			}
		}
	}
	return m
})

// sources gives the characters whose composed form is another text with r in it.
func sources(r rune) []rune { return bySource()[r] }
