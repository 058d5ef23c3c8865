package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// First reads the value at the start of b, behind white space. ok is false when
// no whole value stands there. strict is false when the value is whole but not
// valid JSON: it holds raw control characters, unknown escapes or a number that
// is none.
func First(b []byte) (v Value, rest []byte, strict, ok bool) {
	i := space(b, 0)
	s := scan{b: b, strict: true}
	end := s.value(i)
	if end < 0 {
		return nil, b, false, false
	}
	return b[i:end], b[end:], s.strict, true
}

// space gives the index of the first byte from i on that is not white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skip gives the end of the value at i, which is known to be whole.
func skip(b []byte, i int) (end int, ok bool) {
	s := scan{b: b, strict: true}
	end = s.value(i)
	return end, end >= 0
}

type scan struct {
	b      []byte
	strict bool
	open   nest
	tree   *Tree // told of values, when set
}

// nest is the brackets that wait to be closed, a bit for each: set for an object.
// Only what is deeper than 64 needs the heap.
type nest struct {
	depth int
	bits  uint64
	below []uint64
}

func (n *nest) push(object bool) {
	if n.depth&63 == 0 && n.depth > 0 {
		n.below = append(n.below, n.bits)
	}
	n.depth++
	if n.bits <<= 1; object {
		n.bits |= 1
	}
}

func (n *nest) pop() {
	n.depth--
	n.bits >>= 1
	if n.depth&63 == 0 && n.depth > 0 {
		last := len(n.below) - 1
		n.bits, n.below = n.below[last], n.below[:last]
	}
}

// closes gives the bracket that closes what was opened last.
func (n *nest) closes() byte {
	if n.bits&1 == 1 {
		return '}'
	}
	return ']'
}

// value gives the end of the value at i, or -1. It is a loop with a stack of its
// own, since nesting in a file has no bound.
func (s *scan) value(i int) int {
	s.open = nest{}
	for {
		if i = s.opening(i); i < 0 {
			return -1
		}
		// A value has ended at i: close what closes behind it.
		for {
			if s.open.depth == 0 {
				return i
			}
			i = space(s.b, i)
			if i >= len(s.b) {
				return -1
			}
			top := s.open.closes()
			if s.b[i] == top {
				s.open.pop()
				i++
				if s.tree != nil {
					s.tree.closed(s.open.depth, i)
				}
				continue
			}
			if s.b[i] != ',' {
				return -1
			}
			i = space(s.b, i+1)
			if top == '}' {
				if !s.key(&i) {
					return -1
				}
			}
			break
		}
	}
}

// opening walks into the value at i until a value without members has ended, and
// gives the end of that, or -1.
func (s *scan) opening(i int) int {
	for i < len(s.b) {
		start, end := i, -1
		switch c := s.b[i]; c {
		case '{':
			i = space(s.b, i+1)
			if i < len(s.b) && s.b[i] == '}' {
				end = i + 1
				break
			}
			if s.opened(true, start); s.key(&i) {
				continue
			}
			return -1
		case '[':
			i = space(s.b, i+1)
			if i < len(s.b) && s.b[i] == ']' {
				end = i + 1
				break
			}
			s.opened(false, start)
			continue
		case '"':
			var strict bool
			end, strict = skipString(s.b, i)
			s.strict = s.strict && strict
		default:
			end = s.scalar(i)
		}
		if s.tree != nil && end >= 0 {
			s.tree.plain(s.open.depth, start, end)
		}
		return end
	}
	return -1
}

// opened notes a bracket and where it stands.
func (s *scan) opened(object bool, start int) {
	if s.tree != nil {
		s.tree.opened(s.open.depth, start)
	}
	s.open.push(object)
}

// key reads "key": at i and moves i to the start of the value behind it.
func (s *scan) key(at *int) bool {
	i := *at
	if i >= len(s.b) || s.b[i] != '"' {
		return false
	}
	end, strict := skipString(s.b, i)
	if end < 0 {
		return false
	}
	if s.tree != nil {
		s.tree.keyFrom, s.tree.keyTo = i+1, end-1
	}
	s.strict = s.strict && strict
	end = space(s.b, end)
	if end >= len(s.b) || s.b[end] != ':' {
		return false
	}
	*at = space(s.b, end+1)
	return true
}

func (s *scan) scalar(i int) int {
	word := ""
	switch s.b[i] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	case 'n':
		word = "null"
	}
	if word != "" {
		if bytes.HasPrefix(s.b[i:], []byte(word)) {
			return i + len(word)
		}
		return -1
	}
	end, strict := number(s.b, i)
	s.strict = s.strict && strict
	return end
}

// number gives the end of the number at i, or -1. strict is false when it is none.
func number(b []byte, i int) (end int, strict bool) {
	end = i
	for end < len(b) && numeric(b[end]) {
		end++
	}
	if end == i {
		return -1, false
	}
	return end, validNumber(b[i:end])
}

func numeric(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// validNumber follows the grammar of RFC 8259.
func validNumber(b []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	if len(b) > 1 && b[0] == '0' && '0' <= b[1] && b[1] <= '9' || !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		b = b[1:]
		if !digits() {
			return false
		}
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		b = b[1:]
		if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
}

// Words of eight bytes are looked at in one step: a byte of the mask is set where
// the byte of the word ends a run of plain text. The lowest set byte is exact.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special gives a mask of the quotes, backslashes and control characters in w.
func special(w uint64) uint64 {
	quote, slash := w^(ones*'"'), w^(ones*'\\')
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
}

// backslash reports whether there is one among eight bytes.
func backslash(w uint64) bool {
	w ^= ones * '\\'
	return (w-ones)&^w&highs != 0
}

// shortSteps is how many words of a string are looked at before long steps are taken: ids
// are that short.
const shortSteps = 5

// skipString gives the end of the string that opens at i, behind its closing
// quote, or -1. strict is false when it is not valid JSON.
func skipString(b []byte, i int) (end int, strict bool) {
	end, strict, _ = spellString(b, i)
	return end, strict
}

// spellString gives the end of a string as skipString does, and tells how it is written.
func spellString(b []byte, i int) (end int, strict bool, how Spelling) {
	i++
	for n := 0; n < shortSteps && i+8 <= len(b); n++ { // most strings are short
		w := binary.LittleEndian.Uint64(b[i:])
		if w&highs != 0 {
			how |= Wide
		}
		m := special(w)
		if m == 0 {
			i += 8
			continue
		}
		if at := i + bits.TrailingZeros64(m)/8; b[at] == '"' {
			return at + 1, true, how
		}
		break
	}
	next, closed, strict, ok, rest := skipBlocks(b, i)
	switch {
	case ok && closed:
		return next + 1, strict, how | rest
	case ok:
		end, plain := skipBytes(b, next)
		return end, strict && plain, Unsure
	}
	end, strict = skipBytes(b, i)
	return end, strict, Unsure
}

// skipBytes gives the end of the string that i is inside of, in steps of a word.
func skipBytes(b []byte, i int) (end int, strict bool) {
	strict = true
	for i < len(b) {
		if i+8 <= len(b) {
			m := special(binary.LittleEndian.Uint64(b[i:]))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) / 8
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, strict
		case c == '\\' && i+1 < len(b) && plainEscapes[b[i+1]] != 0:
			i += 2
		case c == '\\':
			n := escapeLength(b[i:])
			if n == 0 {
				strict, n = false, 2
			}
			i += n
		default:
			strict = strict && c >= 0x20
			i++
		}
	}
	return -1, false
}

// escapeLength gives the length of the escape at the start of b, or 0 when JSON
// knows none such.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if plainEscapes[b[1]] != 0 {
		return 2
	}
	if _, ok := hex4(b); ok {
		return 6
	}
	return 0
}
