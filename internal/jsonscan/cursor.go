package jsonscan

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Cursor goes once over the text of a value, from its start to its end, and builds
// nothing. It takes valid JSON only: at the first fault it stops, and everything it is
// asked for from then on is absent.
//
// An object is read so:
//
//	for more := c.Open('{'); more; more = c.More('}') {
//		switch string(c.Key()) {
//		case "id":
//			id = c.Skip()
//		default:
//			c.Skip()
//		}
//	}
type Cursor struct {
	b   []byte
	at  int
	bad bool
	how Spelling // of the string that was passed last
}

// Spelling tells how the inside of a string is written, as far as a walk over it told.
type Spelling byte

const (
	Escaped Spelling = 1 << iota // a backslash stands in it
	Odd                          // so does an escape that most programs would not write,
	Wide                         // and perhaps a byte that is not ASCII
	Unsure                       // nothing is known of it
)

// Spelling tells how the string is written that Skip gave last; nothing where that was
// no string.
func (c *Cursor) Spelling() Spelling { return c.how }

// NewCursor begins at the start of b, behind white space.
func NewCursor(b []byte) Cursor { return Cursor{b: b, at: space(b, 0)} }

// Whole reports whether the value was valid and nothing stands behind it.
func (c *Cursor) Whole() bool { return !c.bad && space(c.b, c.at) == len(c.b) }

// At gives the place at hand.
func (c *Cursor) At() int { return c.at }

// Behind tells the type of the value behind a text, and whether that text stands at hand,
// byte for byte.
func (c *Cursor) Behind(text []byte) (k Kind, stands bool) {
	end := c.at + len(text)
	if c.bad || end > len(c.b) || string(c.b[c.at:end]) != string(text) {
		return Absent, false
	}
	if end == len(c.b) {
		return Absent, true
	}
	return Value(c.b[end:]).Kind(), true
}

// Past passes over so many bytes, which are no part of a value.
func (c *Cursor) Past(n int) { c.at += n }

// Kind tells the type of the value at hand.
func (c *Cursor) Kind() Kind {
	if c.bad || c.at >= len(c.b) {
		return Absent
	}
	return Value(c.b[c.at:]).Kind()
}

// Open goes into the object or array at hand. It reports whether a member follows.
func (c *Cursor) Open(bracket byte) bool {
	if c.bad || c.at >= len(c.b) || c.b[c.at] != bracket {
		c.bad = true
		return false
	}
	c.at = space(c.b, c.at+1)
	if c.at < len(c.b) && c.b[c.at] == bracket+2 { // } is two behind {, as ] is behind [
		c.at++
		return false
	}
	return true
}

// More goes on behind a member to the next one, or out of what the bracket closes. It
// reports whether one follows.
func (c *Cursor) More(bracket byte) bool {
	if c.bad {
		return false
	}
	c.at = space(c.b, c.at)
	if c.at >= len(c.b) || c.b[c.at] != ',' && c.b[c.at] != bracket {
		c.bad = true
		return false
	}
	comma := c.b[c.at] == ','
	if c.at++; comma {
		c.at = space(c.b, c.at)
	}
	return comma
}

// Key reads the key of a member and gives it as it is written, without its quotes.
func (c *Cursor) Key() []byte {
	if c.bad || c.at >= len(c.b) || c.b[c.at] != '"' {
		c.bad = true
		return nil
	}
	from := c.at + 1
	end, strict := skipString(c.b, c.at)
	c.bad = end < 0 || !strict
	if c.bad {
		return nil
	}
	if c.at = space(c.b, end); c.at >= len(c.b) || c.b[c.at] != ':' {
		c.bad = true
		return nil
	}
	c.at = space(c.b, c.at+1)
	return c.b[from : end-1]
}

// Skip passes over the value at hand and gives it.
func (c *Cursor) Skip() Value {
	if c.bad {
		return nil
	}
	from := c.at
	var strict bool
	if from < len(c.b) && c.b[from] == '"' {
		c.at, strict, c.how = spellString(c.b, from)
	} else if c.how = Unsure; from < len(c.b) && (c.b[from] == '-' || '0' <= c.b[from] && c.b[from] <= '9') {
		c.at, strict = number(c.b, from)
	} else {
		s := scan{b: c.b, strict: true}
		c.at = s.value(from)
		strict = s.strict
	}
	if c.at < 0 || !strict {
		c.bad = true
		return nil
	}
	return c.b[from:c.at:c.at]
}

// Inside gives the text of a string between its quotes as it is written; none where the
// value is no string.
func (v Value) Inside() []byte {
	if v.Kind() != String {
		return nil
	}
	return v[1 : len(v)-1]
}

// Unquote gives the text that the inside of a string stands for.
func Unquote(inside []byte) string { return decode(inside) }

// Usual reports whether the inside of a string, valid JSON, is written as most programs
// would write its text: it is valid UTF-8, and escapes stand for a quote, a backslash
// and what is below a space alone, short where JSON has a short one.
func Usual(inside []byte) bool {
	upTo, has := usualBlocks(inside)
	text := inside
	if !has.wide {
		text = inside[upTo:] // only this may hold more
	}
	return !has.slash && (!has.number || usualNumbers(inside)) && usualEscapes(inside, upTo) && utf8.Valid(text)
}

// UsualAs reports what Usual does of a string of which is known how it is written.
func UsualAs(inside []byte, how Spelling) bool {
	if how&Unsure != 0 {
		return Usual(inside)
	}
	return how&Odd == 0 && (how&Wide == 0 || validText(inside))
}

// validText does what utf8.Valid does, and is quick where few characters are not ASCII.
func validText(b []byte) bool {
	for i := 0; ; {
		for i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&highs == 0 {
			i += 8
		}
		for i < len(b) && b[i] < utf8.RuneSelf {
			i++
		}
		if i == len(b) {
			return true
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return false
		}
		i += size
	}
}

// written tells what stands in a string: a slash that is escaped, an escape by number, a
// byte that is not ASCII.
type written struct{ slash, number, wide bool }

// usualNumbers reports whether escapes by number are those that most programs would write.
func usualNumbers(inside []byte) bool {
	for from := 0; ; {
		n := bytes.Index(inside[from:], []byte(`\u`))
		if n < 0 {
			return true
		}
		at := from + n
		first := at
		for first > 0 && inside[first-1] == '\\' {
			first--
		}
		if (at-first)%2 == 0 && !control(inside[at+2:at+6]) {
			return false
		}
		from = at + 2
	}
}

// usualEscapes reports whether the escapes from a place on are those that most programs
// would write.
func usualEscapes(inside []byte, i int) bool {
	for {
		for i+8 <= len(inside) && !backslash(binary.LittleEndian.Uint64(inside[i:])) {
			i += 8
		}
		for i < len(inside) && inside[i] != '\\' {
			i++
		}
		if i == len(inside) {
			return true
		}
		switch inside[i+1] {
		case '/':
			return false
		case 'u':
			if !control(inside[i+2 : i+6]) {
				return false
			}
			i += 4
		}
		i += 2
	}
}

// control reports whether four digits name a character that is always escaped, in
// small letters, and has no short escape.
func control(digits []byte) bool {
	if digits[0] != '0' || digits[1] != '0' || digits[2] > '1' {
		return false
	}
	switch c := digits[3]; {
	case digits[2] == '1':
		return c <= '9' || c >= 'a'
	default:
		return c <= '7' || c == 'b' || c == 'e' || c == 'f'
	}
}
