package jsonscan

import "bytes"

// Sketch is an object taken apart in one pass over its bytes, a few levels deep,
// for callers that look at many of its members. It can be used again and again;
// what was asked of it is valid until the next Read.
type Sketch struct {
	b      []byte
	strict bool
	parts  []part
}

// part is one value: where it stands, and the first part behind those inside it.
type part struct {
	key, keyEnd int // of the key, without quotes; both 0 where there is none
	from, to    int
	next        int
}

// Read takes apart the one object that a text holds. Members and elements are
// told of down to that many levels; deeper values are only checked. It is false
// where the text is not one valid JSON object with nothing but white space around
// it, and then the sketch tells nothing.
func (s *Sketch) Read(text []byte, levels int) bool {
	s.b, s.strict, s.parts = text, true, s.parts[:0]
	i := space(text, 0)
	if i >= len(text) || text[i] != '{' {
		return false
	}
	s.parts = append(s.parts, part{from: i})
	end := s.inside(0, levels)
	if end < 0 || !s.strict || space(text, end) != len(text) {
		s.parts = s.parts[:0]
		return false
	}
	return true
}

// inside reads the value of a part, whose start is known, and gives its end, or
// -1. It calls itself once for each level that is wanted, never deeper.
func (s *Sketch) inside(at, levels int) int {
	from := s.parts[at].from
	end := -1
	switch {
	case from >= len(s.b):
	case levels > 0 && s.b[from] == '{':
		end = s.list(from, '}', levels)
	case levels > 0 && s.b[from] == '[':
		end = s.list(from, ']', levels)
	default:
		end = s.deep(from)
	}
	s.parts[at].to, s.parts[at].next = end, len(s.parts)
	return end
}

// deep gives the end of a value that is only checked, or -1. Its scan is a local
// one, so that nothing is put on the heap.
func (s *Sketch) deep(i int) int {
	deep := scan{b: s.b, strict: s.strict}
	end := deep.value(i)
	s.strict = deep.strict
	return end
}

// key reads the key at i and gives the start of the value behind it, or -1.
func (s *Sketch) key(i int) int {
	at := scan{b: s.b, strict: s.strict}
	i = at.key(i)
	s.strict = at.strict
	return i
}

// list reads the members or elements of what opens at i.
func (s *Sketch) list(i int, closes byte, levels int) int {
	if i = space(s.b, i+1); i < len(s.b) && s.b[i] == closes {
		return i + 1
	}
	for {
		p := part{from: i}
		if closes == '}' {
			if p.from = s.key(i); p.from < 0 {
				return -1
			}
			p.key = i + 1
			p.keyEnd = p.key + s.keyLength(p.key)
		}
		s.parts = append(s.parts, p)
		if i = s.inside(len(s.parts)-1, levels-1); i < 0 {
			return -1
		}
		if i = space(s.b, i); i >= len(s.b) {
			return -1
		}
		switch s.b[i] {
		case closes:
			return i + 1
		case ',':
			i = space(s.b, i+1)
		default:
			return -1
		}
	}
}

// keyLength gives the length of a key that is known to be whole.
func (s *Sketch) keyLength(i int) int {
	if n := bytes.IndexByte(s.b[i:], '"'); n >= 0 && bytes.IndexByte(s.b[i:i+n], '\\') < 0 {
		return n
	}
	end, _ := skipString(s.b, i-1)
	return end - 1 - i
}

// Part is one value of a sketch. The zero Part is an absent one.
type Part struct {
	s  *Sketch
	at int
}

// Top gives the object itself.
func (s *Sketch) Top() Part {
	if len(s.parts) == 0 {
		return Part{}
	}
	return Part{s, 0}
}

// Value gives the value.
func (p Part) Value() Value {
	if p.s == nil {
		return nil
	}
	v := p.s.parts[p.at]
	return p.s.b[v.from:v.to]
}

// Inside yields the keys and values of an object, or the values of an array with
// no keys, in order, repeated keys included. It is empty for any other value, and
// for one that stands too deep.
func (p Part) Inside() func(yield func([]byte, Part) bool) {
	return func(yield func([]byte, Part) bool) {
		if p.s == nil {
			return
		}
		for i, end := p.at+1, p.s.parts[p.at].next; i < end; i = p.s.parts[i].next {
			v := p.s.parts[i]
			key := p.s.b[v.key:v.keyEnd]
			if bytes.IndexByte(key, '\\') >= 0 {
				key = []byte(decode(key))
			}
			if !yield(key, Part{p.s, i}) {
				return
			}
		}
	}
}

// Get gives the member of that name, the last one where it is repeated, or the
// zero Part.
func (p Part) Get(name string) Part {
	var found Part
	for key, val := range p.Inside() {
		if string(key) == name {
			found = val
		}
	}
	return found
}
