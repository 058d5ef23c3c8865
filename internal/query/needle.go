package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needle finds a text in others whatever the case of either.
//
// The needle and the text are in composed form. Of the characters in that form,
// only the long s folds to an ASCII letter without being one, so an ASCII needle
// is looked for byte by byte wherever no long s stands.
type needle struct {
	text  string
	kind  needleKind
	lower string   // the needle in lower case, when it is ASCII
	at    int      // the byte of it whose places are tried
	runes [][]rune // the characters of the needle, each in all its forms
	pivot int      // the character whose places are tried
	forms []string // its forms
}

type needleKind int

const (
	caseless needleKind = iota // no character of it has another case
	asciiOnly
	foldRunes
)

func newNeedle(s string) *needle {
	n := &needle{text: compose(valid(s))}
	for _, r := range n.text {
		if unicode.SimpleFold(r) != r {
			n.kind = foldRunes
		}
		n.runes = append(n.runes, formsOf(r))
	}
	if n.kind == foldRunes {
		n.pivot = pivotOf(n.runes)
		for _, r := range n.runes[n.pivot] {
			n.forms = append(n.forms, string(r))
		}
		if isASCII(n.text) {
			n.kind = asciiOnly
			n.lower = strings.ToLower(n.text)
			n.at = rarest(n.lower)
		}
	}
	return n
}

// find gives the first place of the needle in a text in composed form.
func (n *needle) find(s string, ascii bool) (Range, bool) {
	switch {
	case n.kind == caseless:
		i := strings.Index(s, n.text)
		return Range{i, i + len(n.text)}, i >= 0
	case n.kind == asciiOnly && (ascii || !n.longS(s)):
		i := n.findASCII(s)
		return Range{i, i + len(n.text)}, i >= 0
	}
	return n.findRunes(s)
}

// longS reports whether a long s of the text could be an s of the needle.
func (n *needle) longS(s string) bool {
	return strings.IndexByte(n.lower, 's') >= 0 && strings.Contains(s, "ſ")
}

// findASCII tries the places of one byte of the needle.
func (n *needle) findASCII(s string) int {
	c := n.lower[n.at]
	low := places{form: n.lower[n.at : n.at+1]}
	up := low
	if 'a' <= c && c <= 'z' {
		up.form = string(rune(c - 'a' + 'A'))
	}
	for from := n.at; ; {
		i := min(low.next(s, from), up.next(s, from))
		if i+len(n.lower)-n.at > len(s) {
			return -1
		}
		if equalASCII(s[i-n.at:], n.lower) {
			return i - n.at
		}
		from = i + 1
	}
}

// equalASCII reports whether s, which is long enough, begins with a text in either
// case.
func equalASCII(s, lower string) bool {
	s = s[:len(lower)]
	for i := range len(lower) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// findRunes tries the places of all forms of one character of the needle.
func (n *needle) findRunes(s string) (Range, bool) {
	var tries [4]places // no character has more forms
	for i, f := range n.forms {
		tries[i].form = f
	}
	for from := 0; ; {
		at := len(s)
		for i := range n.forms {
			at = min(at, tries[i].next(s, from))
		}
		if at == len(s) {
			return Range{}, false
		}
		if r, ok := n.around(s, at); ok {
			return r, true
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		from = at + size
	}
}

// around reports whether the needle stands in a text with its pivot at a place.
func (n *needle) around(s string, at int) (Range, bool) {
	r := Range{at, at}
	for i := n.pivot - 1; i >= 0; i-- {
		c, size := utf8.DecodeLastRuneInString(s[:r.From])
		if !isForm(c, size, n.runes[i]) {
			return r, false
		}
		r.From -= size
	}
	for _, want := range n.runes[n.pivot:] {
		c, size := utf8.DecodeRuneInString(s[r.To:])
		if !isForm(c, size, want) {
			return r, false
		}
		r.To += size
	}
	return r, true
}

// isForm reports whether a decoded character is one of some. A byte that is no
// text, which decodes as U+FFFD, is none.
func isForm(c rune, size int, forms []rune) bool {
	return (c != utf8.RuneError || size == 3) && slices.Contains(forms, c)
}

// formsOf gives the characters that differ from one in case only, itself first.
func formsOf(r rune) []rune {
	forms := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		forms = append(forms, f)
	}
	return forms
}

// foldRune gives the smallest of the characters that differ only in case.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// pivotOf chooses the character of a needle that is tried first: the first that is
// not ASCII, if there is one.
func pivotOf(runes [][]rune) int {
	for i, forms := range runes {
		if forms[0] >= utf8.RuneSelf {
			return i
		}
	}
	return 0
}

// common lists bytes from the most to the least frequent in prose and code; those
// that it lacks are rare.
const common = " etaoinsrlhdcum\"pf.g,_/ywb\n-v:0()1kx2=3"

// rarest gives the place of the byte that is likely to be met least.
func rarest(lower string) int {
	best, rank := 0, -1
	for i := range len(lower) {
		r := strings.IndexByte(common, lower[i])
		if r < 0 {
			return i
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// places walks over the places of a form and looks at each byte of a text once.
type places struct {
	form string
	at   int
	seen bool
}

// next gives the first place at or behind from, or the length of the text.
func (p *places) next(s string, from int) int {
	if p.seen && p.at >= from {
		return p.at
	}
	p.seen, p.at = true, len(s)
	if from <= len(s) {
		if i := strings.Index(s[from:], p.form); i >= 0 {
			p.at = from + i
		}
	}
	return p.at
}
