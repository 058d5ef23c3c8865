// Package needle finds, in the raw bytes of JSON, the places where a text may
// stand, at the speed of memory.
//
// A reader may rely on this. A line of JSON one of whose strings, once decoded and
// composed (NFC), contains one of the literals holds a place that Next gives,
// however the text is spelt: raw or as \uXXXX, composed or decomposed, in either
// case where the literal asks for it. So it is, too, for what adapters make of
// strings: they join strings, cut them and drop markup, and so change a text only
// at a quote, an escape, an angle or square bracket, or at its ends. Next may give
// places where nothing stands; it never misses one. Words that an adapter makes up
// itself stand in no file, and their literals have no Set. White space of another
// kind or length stands for a space, so that copies of a text whose white space
// was folded have the same places.
//
// So it is for a literal of which is told what stands beside it in every match, and for
// runs of characters of which each is of a class: places where that cannot stand are left
// out. Letters, digits, _ and - that stand in a row in a text do so in the file, unless
// one is spelt as an escape: no adapter takes anything out of a word or joins two.
package needle

import (
	"bytes"
	"math/bits"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Literal is a text that is looked for, in either case where Fold is set, and what is
// known of its neighbours in every match. It may be a run of classes instead.
type Literal struct {
	Text   string
	Fold   bool
	Beside *Beside
	Run    *Run
}

var manySpaces = regexp.MustCompile(" +")

// maxNeedles bounds how many raw spellings are looked for.
const maxNeedles = 16

// Set finds places where one of some literals may stand.
type Set struct {
	needles []needle
	units   [1 << 16 / 64]uint64 // bit set: what a \uXXXX may spell that hides a part of a literal
	passes  [][2]*pair
	runs    []*run
	probe   *probe // of the only needle, where there is one and nothing else
}

// New gives a set for any of some literals, or nil when there is one that cannot be
// found by its bytes.
func New(literals []Literal) *Set {
	s := &Set{}
	for _, l := range literals {
		l.Text = norm.NFC.String(l.Text)
		if !s.add(l) || len(s.needles) > maxNeedles {
			return nil
		}
	}
	if len(s.needles)+len(s.runs) == 0 {
		return nil
	}
	s.plan()
	return s
}

// plan puts the needles into passes of two pairs, the escapes among them.
func (s *Set) plan() {
	pairs := []*pair{s.escape()}
	for i := range s.needles {
		pairs = append(pairs, &s.needles[i].pair)
	}
	if len(pairs)%2 != 0 {
		pairs = append(pairs, pairs[len(pairs)-1])
	}
	for i := 0; i < len(pairs); i += 2 {
		s.passes = append(s.passes, [2]*pair{pairs[i], pairs[i+1]})
	}
	if len(s.needles) == 1 && len(s.runs) == 0 {
		s.probe = probeOf(&s.needles[0], pairs[0])
	}
}

// add chooses what of a literal is looked for.
func (s *Set) add(l Literal) bool {
	if l.Run != nil {
		return s.addClasses(l.Run)
	}
	if strings.ContainsAny(l.Text, "\n\r") {
		return false
	}
	l.Text = manySpaces.ReplaceAllString(l.Text, " ")
	from, to := plainRun(l)
	if to-from >= minRun {
		return s.addRun(l, from, to)
	}
	if s.addForeign(l) {
		return true
	}
	return to-from >= 2 && s.addRun(l, from, to)
}

// Weight tells how much a literal narrows a search: the length of what is looked
// for, 0 when it cannot be found by its bytes.
func Weight(l Literal) int {
	if l.Run != nil {
		return runWeight(l.Run)
	}
	s := New([]Literal{l})
	if s == nil {
		return 0
	}
	n := len(s.needles[0].raw)
	for _, x := range s.needles {
		n = min(n, len(x.raw))
	}
	return n
}

// Next gives the first place from an index on where a literal may stand, or -1.
func (s *Set) Next(b []byte, from int) int {
	best := len(b)
	for _, x := range s.runs {
		best = x.next(b, from, best)
	}
	for i := range s.passes {
		best = s.pass(i, b, from, best)
	}
	if best == len(b) {
		return -1
	}
	return best
}

// pass gives the first place of two needles before a limit, else the limit.
func (s *Set) pass(i int, b []byte, from, limit int) int {
	p, q := s.passes[i][0], s.passes[i][1]
	for from < limit {
		f := find(b, from, limit, p, q)
		for m := f.p | f.q; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros32(m)
			at := f.at + bit
			if at >= limit {
				return limit
			}
			if f.p>>bit&1 != 0 && s.stands(2*i, b, at) || f.q>>bit&1 != 0 && s.stands(2*i+1, b, at) {
				return at
			}
		}
		from = f.next
	}
	return limit
}

// stands looks closer at the place of a pair.
func (s *Set) stands(nth int, b []byte, at int) bool {
	if nth == 0 {
		return s.escaped(b, at)
	}
	return nth > len(s.needles) || s.needles[nth-1].stands(b, at)
}

// escaped reports whether the \uXXXX at a place spells what may hide a part of a
// literal.
func (s *Set) escaped(b []byte, at int) bool {
	unit := uint16(0)
	if at+6 > len(b) || b[at+1] != 'u' {
		return false
	}
	for _, c := range b[at+2 : at+6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return false
		}
		unit = unit<<4 | uint16(c)
	}
	return s.units[unit/64]>>(unit%64)&1 != 0
}

// escapes notes every character of what is looked for of a literal: where one is spelt
// as an escape, the rest is not found by its bytes.
func (s *Set) escapes(text string, fold bool) {
	for _, r := range text {
		for _, r := range orbit(r, fold) {
			if s.unit(r); r >= utf8.RuneSelf {
				for _, x := range carriers(r) {
					s.unit(x)
				}
			} else if x := asciiSources[r]; x != 0 {
				s.unit(x)
			}
		}
	}
}

func (s *Set) unit(r rune) {
	if units := utf16.AppendRune(nil, r); len(units) > 0 {
		s.units[units[0]/64] |= 1 << (units[0] % 64)
	}
}

// orbit gives a character and, with fold, those that it folds to.
func orbit(r rune, fold bool) []rune {
	all := []rune{r}
	for f := unicode.SimpleFold(r); fold && f != r; f = unicode.SimpleFold(f) {
		all = append(all, f)
	}
	return all
}

// needle is one raw spelling of a part of a literal. The rest of the literal is
// compared as far as its spelling is sure.
type needle struct {
	pair
	raw           []byte // in lower case where case does not matter
	fold          bool
	before, after []rune // of the literal
	left, right   *track // before and behind it
	first, last   byte   // of the literal
}

// stands compares the literal with what stands around a place.
func (n *needle) stands(b []byte, at int) bool {
	if at+len(n.raw) > len(b) {
		return false
	}
	for i, want := range n.raw {
		c := b[at+i]
		if n.fold && 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != want {
			return false
		}
	}
	return n.follows(b[at+len(n.raw):]) && n.precedes(b[:at])
}

// follows compares what stands behind the raw part.
func (n *needle) follows(b []byte) bool {
	for _, want := range n.after {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\\' || r == '"':
			return true // never the character itself, but an escape or the end of a string
		case size > 0 && want == ' ' && r == ' ':
			b = bytes.TrimLeft(b, " ")
		case size > 0 && n.equal(r, want):
			b = b[size:]
		default:
			return unsure(r, want)
		}
	}
	return n.right.ahead(n.last, b)
}

// precedes compares what stands before it, from the end.
func (n *needle) precedes(b []byte) bool {
	for i := len(n.before) - 1; i >= 0; i-- {
		r, size := utf8.DecodeLastRune(b)
		switch want := n.before[i]; {
		case r == '\\' || r == '"' && !bytes.HasSuffix(b, []byte(`\"`)):
			return true
		case size > 0 && want == ' ' && r == ' ':
			b = bytes.TrimRight(b, " ")
		case size > 0 && n.equal(r, want):
			b = b[:len(b)-size]
		default:
			return unsure(r, want) || endsInEscape(b)
		}
	}
	return n.left.behind(b, n.first)
}

// endsInEscape reports whether raw bytes may end inside an escape or behind one, which may
// stand for anything.
func endsInEscape(b []byte) bool { return bytes.IndexByte(b[max(0, len(b)-6):], '\\') >= 0 }

func (n *needle) equal(r, want rune) bool {
	if r == want {
		return r != utf8.RuneError
	}
	if !n.fold {
		return false
	}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f == want {
			return true
		}
	}
	return false
}

// unsure reports whether a character that differs from the one that is wanted may
// stand for it all the same, or for something that is left out of a text.
func unsure(r, want rune) bool {
	switch r {
	case '"', '\\', '<', '>', '[', ']', '\n', utf8.RuneError:
		return true
	}
	return want < ' ' || want == ' ' && unicode.IsSpace(r) || !stable(r) || !stable(want)
}

// stable reports whether a character is spelt in one way and composes with nothing
// before it. The long s, which folds to an ASCII letter, counts as unstable.
func stable(r rune) bool {
	if r < utf8.RuneSelf {
		return true
	}
	if r == 'ſ' {
		return false
	}
	p := norm.NFD.PropertiesString(string(r))
	return p.CCC() == 0 && p.BoundaryBefore() && norm.NFD.IsNormalString(string(r))
}
