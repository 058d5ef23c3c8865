package search

import "bytes"

// byteTest gives a test that the raw JSON of every line with a match of a literal
// passes. It looks for the longest piece of letters and digits in the literal.
//
// Such a piece stands in the raw line as it is: it cannot cross a place where an
// adapter joins texts, which takes white space or punctuation, nor a JSON escape.
// Three things could hide it, and lines with them pass untested: a letter spelt
// as \uXXXX, a letter that another character composes or folds to (the Kelvin
// sign and the long s, which is why K and S are left out of pieces), and the
// words that an adapter makes up for media.
func byteTest(literal string, fold bool) func([]byte) bool {
	piece := longestPiece(literal)
	if len(piece) < 3 {
		return nil
	}
	needle := []byte(piece)
	find := func(line []byte) bool { return bytes.Contains(line, needle) }
	if fold {
		lower := bytes.ToLower(needle)
		find = func(line []byte) bool { return containsFold(line, lower) }
	}
	return func(line []byte) bool {
		return find(line) || bytes.Contains(line, []byte(`\u`)) || holdsMedia(line)
	}
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
