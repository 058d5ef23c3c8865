package needle

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minRun is how long a run of plain letters and digits must be to be looked for
// before anything else.
const minRun = 3

// plainRun gives the run of bytes in a literal that narrows a search most, among those
// whose raw spelling is sure: ASCII letters, digits, _ and -. What another character
// composes or folds to is none (the Kelvin sign, the long s), nor is a run without a
// letter where an adapter counts.
func plainRun(l Literal) (from, to int) {
	s := l.Text
	room := 0
	for i, start := 0, 0; i <= len(s); i++ {
		if i < len(s) && plain(s[i], l.Fold) {
			continue
		}
		if usable(s[start:i]) {
			r := around(s, start, i)
			if easier(s[start:i], r, s[from:to], room) {
				from, to, room = start, i, r
			}
		}
		start = i + 1
	}
	return from, to
}

// around gives the length of the text around a run in which nothing is spelt with a
// backslash: so much is compared where the run is found.
func around(s string, from, to int) int {
	const ends = `"\\`
	if i := strings.LastIndexAny(s[:from], ends); i >= 0 {
		s, to = s[i+1:], to-i-1
	}
	if i := strings.IndexAny(s[to:], ends); i >= 0 {
		s = s[:to+i]
	}
	return len(s)
}

// easier reports whether a run with so much text around it narrows a search more than
// another, which may be empty: one with more text, else one with rarer bytes, but none
// shorter than minRun where there is a longer one.
func easier(run string, room int, than string, thanRoom int) bool {
	switch {
	case len(run) < minRun || len(than) < minRun:
		return len(run) > len(than)
	case room != thanRoom:
		return room > thanRoom
	}
	a, b := rarity(run), rarity(than)
	return a < b || a == b && len(run) > len(than)
}

// rarity tells how often the rarest two bytes of a run stand together, the less the
// rarer.
func rarity(run string) int {
	i, j := rarest([]byte(run))
	return ranks[run[i]] * ranks[run[j]]
}

func plain(c byte, fold bool) bool {
	switch {
	case c == 'K', fold && (c == 'k' || c|0x20 == 's'):
		return false
	case '0' <= c && c <= '9', c == '_', c == '-':
		return true
	}
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}

// usable reports whether no adapter makes up the run: it holds a letter, or more
// digits than adapters number things with.
func usable(run string) bool {
	return strings.ContainsFunc(run, unicode.IsLetter) || len(run) >= 3 && !strings.ContainsAny(run, "_-")
}

// addRun looks for a run of bytes of a literal by its rarest two.
func (s *Set) addRun(l Literal, from, to int) bool {
	run := []byte(l.Text[from:to])
	s.escapes(l.Text[from:to], l.Fold)
	if l.Fold {
		run = lowerASCII(run)
	}
	s.addAt(l, string(run), from, to)
	if madeUp(run) {
		s.addMedia()
	}
	return true
}

// addAt looks for raw bytes in the place of a part of a literal.
func (s *Set) addAt(l Literal, raw string, from, to int) {
	b := []byte(raw)
	i, j := rarest(b)
	n := needle{raw: b, fold: l.Fold, pair: pair{o1: i, o2: j, v1: b[i], v2: b[j]}}
	if l.Fold {
		n.m1, n.m2 = foldBit(b[i]), foldBit(b[j])
	}
	n.before, n.after = []rune(l.Text[:from]), []rune(l.Text[to:])
	if l.Beside != nil {
		n.left, n.right = newTrack(l.Beside.Before), newTrack(l.Beside.After)
		n.first, n.last = l.Text[0], l.Text[len(l.Text)-1]
	}
	s.needles = append(s.needles, n)
}

// lowerASCII lowers ASCII letters alone: the rest of a text is never compared.
func lowerASCII(b []byte) []byte {
	b = bytes.Clone(b)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] |= 0x20
		}
	}
	return b
}

func foldBit(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return 0x20
	}
	return 0
}

// madeUp reports whether a run may stand in the words that adapters put for images
// and documents: [image image/png 12 KB].
func madeUp(run []byte) bool {
	lower := lowerASCII(run)
	digits := true
	for _, c := range run {
		digits = digits && c <= '9'
	}
	return digits || bytes.Contains([]byte("image document audio video"), lower) || len(run) <= 2 && bytes.Contains([]byte("bytes kb mb gb"), lower)
}

// mediaMarks stand in every line that holds an image or a document, in the formats
// of all agents.
var mediaMarks = []string{`"image"`, `"document"`, `"inlineData"`, `"fileData"`}

// addMedia lets lines pass that hold images or documents.
func (s *Set) addMedia() {
	for _, mark := range mediaMarks {
		s.addRaw(mark)
	}
}

// addRaw looks for bytes as they are, once.
func (s *Set) addRaw(text string) {
	if slices.ContainsFunc(s.needles, func(n needle) bool { return string(n.raw) == text && !n.fold && n.before == nil && n.after == nil }) {
		return
	}
	b := []byte(text)
	i, j := rarest(b)
	s.needles = append(s.needles, needle{raw: b, pair: pair{o1: i, o2: j, v1: b[i], v2: b[j]}})
}

// common lists bytes by how often they stand in transcripts, the most frequent
// first; others are rare.
const common = ` etaoinsr"lcdh\up,0m:f_1gb/2.y-w{}v3k45)(8679AS=[]ETxC'I;<NRDO>PL` + "`" + `FUM*jqzHBVGWK`

var ranks = func() (ranks [256]int) {
	for i := range len(common) {
		ranks[common[i]] = 1000 / (i + 3)
	}
	for c := utf8.RuneSelf; c < 256; c++ {
		switch {
		case c >= 0xc0: // the first byte of a character, which its whole script shares
			ranks[c] = 60
		case c < 0x84: // of dashes, quotes and kana
			ranks[c] = 40
		default:
			ranks[c] = 15
		}
	}
	return ranks
}()

// rarest gives the places of the two rarest bytes, apart where there are two. Beyond
// ASCII they are of different characters where that is as good.
func rarest(b []byte) (i, j int) {
	for k := range b {
		if ranks[b[k]] < ranks[b[i]] {
			i = k
		}
	}
	if j = i; len(b) > 1 {
		j = (i + 1) % len(b)
	}
	for k := range b {
		farther := ranks[b[k]] == ranks[b[j]] && b[k] >= utf8.RuneSelf && b[k] != b[i] && k > j
		if k != i && (ranks[b[k]] < ranks[b[j]] || b[j] == b[i] && b[k] != b[i] || farther) {
			j = k
		}
	}
	return i, j
}
