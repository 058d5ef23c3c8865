package search

import (
	"bytes"
	"regexp/syntax"
)

// maxPieces bounds how many pieces a line is looked through for.
const maxPieces = 8

// minPiece is how long a piece must be to be worth looking for.
const minPiece = 3

// byteTest gives a test that the raw JSON of every line with a match passes, or
// nil when the pattern has nothing that every match must contain. It looks for
// pieces of letters and digits, one of which stands in every match.
//
// Such a piece stands in the raw line as it is: it cannot cross a place where an
// adapter joins texts, which takes white space or punctuation, nor a JSON escape.
// Three things could hide it, and lines with them pass untested: a letter spelt
// as \uXXXX, a letter that another character composes or folds to (the Kelvin
// sign and the long s, which is why K and S are left out of pieces), and the
// words that an adapter makes up for media, which matter only to a piece of them.
func byteTest(tree *syntax.Regexp) func([]byte) bool {
	literals := required(tree)
	if len(literals) == 0 || len(literals) > maxPieces {
		return nil
	}
	var find []func([]byte) bool
	media := false
	for _, l := range literals {
		piece := []byte(longestPiece(l.text))
		if len(piece) < minPiece {
			return nil
		}
		lower := bytes.ToLower(piece)
		media = media || bytes.Contains([]byte("image document"), lower)
		if l.fold {
			find = append(find, func(line []byte) bool { return containsFold(line, lower) })
		} else {
			find = append(find, func(line []byte) bool { return bytes.Contains(line, piece) })
		}
	}
	return func(line []byte) bool {
		for _, found := range find {
			if found(line) {
				return true
			}
		}
		return bytes.Contains(line, []byte(`\u`)) || media && holdsMedia(line)
	}
}

// literal is a text that stands in a pattern, in either case where fold is set.
type literal struct {
	text string
	fold bool
}

// required gives literals of which every match contains at least one, or nil when
// nothing is known to stand in every match.
func required(re *syntax.Regexp) []literal {
	switch re.Op {
	case syntax.OpLiteral:
		return []literal{{string(re.Rune), re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []literal
		for _, sub := range re.Sub {
			if r := required(sub); shortest(r) > shortest(best) {
				best = r
			}
		}
		return best
	case syntax.OpAlternate:
		var all []literal
		for _, sub := range re.Sub {
			r := required(sub)
			if r == nil {
				return nil
			}
			all = append(all, r...)
		}
		return all
	}
	return nil
}

// shortest is the length of the shortest piece that some literals give, 0 for
// none.
func shortest(literals []literal) int {
	n := 0
	for i, l := range literals {
		if size := len(longestPiece(l.text)); i == 0 || size < n {
			n = size
		}
	}
	return n
}

// longestPiece gives the longest run of ASCII letters and digits with a letter in
// it, K and S left out.
func longestPiece(s string) string {
	best, from := "", 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && pieceByte(s[i]) {
			continue
		}
		if run := s[from:i]; len(run) > len(best) && hasLetter(run) {
			best = run
		}
		from = i + 1
	}
	return best
}

func pieceByte(c byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	return letter && c|0x20 != 'k' && c|0x20 != 's' || c >= '0' && c <= '9'
}

func hasLetter(s string) bool {
	for i := range len(s) {
		if s[i] > '9' {
			return true
		}
	}
	return false
}

// containsFold reports whether b contains an ASCII needle in either case. lower
// is the needle in lower case.
func containsFold(b, lower []byte) bool {
	low, up := cursor{c: lower[0]}, cursor{c: lower[0]}
	if up.c >= 'a' && up.c <= 'z' {
		up.c -= 0x20
	}
	for i := 0; ; i++ {
		i = min(low.next(b, i), up.next(b, i))
		if i+len(lower) > len(b) {
			return false
		}
		if foldEqual(b[i:i+len(lower)], lower) {
			return true
		}
	}
}

// cursor walks over the places of one byte, looking at every byte only once.
type cursor struct {
	c    byte
	at   int
	seen bool
}

// next gives the first place from i on, or the length of b.
func (c *cursor) next(b []byte, i int) int {
	if c.seen && c.at >= i {
		return c.at
	}
	c.at, c.seen = len(b), true
	if i < len(b) {
		if n := bytes.IndexByte(b[i:], c.c); n >= 0 {
			c.at = i + n
		}
	}
	return c.at
}

func foldEqual(b, lower []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

func holdsMedia(line []byte) bool {
	return bytes.Contains(line, []byte(`"image"`)) || bytes.Contains(line, []byte(`"document"`))
}
