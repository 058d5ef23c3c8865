package jsonscan

import "bytes"

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
	open   []byte // brackets that wait to be closed; the heap only where deep
}

// value gives the end of the value at i, or -1. It is a loop with a stack of its
// own, since nesting in a file has no bound.
func (s *scan) value(i int) int {
	var stack [64]byte
	s.open = stack[:0]
	for {
		if i = s.opening(i); i < 0 {
			return -1
		}
		// A value has ended at i: close what closes behind it.
		for {
			if len(s.open) == 0 {
				return i
			}
			i = space(s.b, i)
			if i >= len(s.b) {
				return -1
			}
			top := s.open[len(s.open)-1]
			if s.b[i] == top {
				s.open = s.open[:len(s.open)-1]
				i++
				continue
			}
			if s.b[i] != ',' {
				return -1
			}
			i = space(s.b, i+1)
			if top == '}' {
				if i = s.key(i); i < 0 {
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
		switch c := s.b[i]; c {
		case '{':
			i = space(s.b, i+1)
			if i < len(s.b) && s.b[i] == '}' {
				return i + 1
			}
			s.open = append(s.open, '}')
			if i = s.key(i); i < 0 {
				return -1
			}
		case '[':
			i = space(s.b, i+1)
			if i < len(s.b) && s.b[i] == ']' {
				return i + 1
			}
			s.open = append(s.open, ']')
		case '"':
			end, strict := skipString(s.b, i)
			s.strict = s.strict && strict
			return end
		default:
			return s.scalar(i)
		}
	}
	return -1
}

// key reads "key": at i and gives the start of the value behind it, or -1.
func (s *scan) key(i int) int {
	if i >= len(s.b) || s.b[i] != '"' {
		return -1
	}
	i, strict := skipString(s.b, i)
	if i < 0 {
		return -1
	}
	s.strict = s.strict && strict
	i = space(s.b, i)
	if i >= len(s.b) || s.b[i] != ':' {
		return -1
	}
	return space(s.b, i+1)
}

func (s *scan) scalar(i int) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(s.b[i:], []byte(word)) {
			return i + len(word)
		}
	}
	end := i
	for end < len(s.b) && numeric(s.b[end]) {
		end++
	}
	if end == i {
		return -1
	}
	if !validNumber(s.b[i:end]) {
		s.strict = false
	}
	return end
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

// skipString gives the end of the string that opens at i, behind its closing
// quote, or -1. strict is false when it is not valid JSON.
func skipString(b []byte, i int) (end int, strict bool) {
	strict = true
	from := i + 1
	for {
		n := bytes.IndexByte(b[from:], '"')
		if n < 0 {
			return -1, false
		}
		part := b[from : from+n]
		if strict {
			strict = plain(part)
		}
		// The quote is escaped when an odd number of backslashes stands before it.
		slashes := 0
		for j := from + n - 1; j > i && b[j] == '\\'; j-- {
			slashes++
		}
		from += n + 1
		if slashes%2 == 0 {
			if strict && bytes.IndexByte(b[i:from], '\\') >= 0 {
				strict = knownEscapes(b[i+1 : from-1])
			}
			return from, strict
		}
	}
}

// plain reports whether no raw control character stands in b.
func plain(b []byte) bool {
	for _, c := range b {
		if c < 0x20 {
			return false
		}
	}
	return true
}

func knownEscapes(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return true
		}
		if i+1 >= len(b) {
			return false
		}
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			b = b[i+2:]
		case 'u':
			if _, ok := hex4(b[i:]); !ok {
				return false
			}
			b = b[i+6:]
		default:
			return false
		}
	}
}
