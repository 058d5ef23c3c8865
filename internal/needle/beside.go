package needle

import "bytes"

// Class is a set of ASCII characters.
type Class [2]uint64

// Add puts a character into a class.
func (c *Class) Add(b byte) { c[b/64] |= 1 << (b % 64) }

// Has reports whether a character is in a class.
func (c *Class) Has(b byte) bool { return c[b/64]>>(b%64)&1 != 0 }

// Step is a number of characters in a row that are each of a class, or beyond ASCII.
// There is no upper bound where Max is negative.
type Step struct {
	Class    Class
	Min, Max int
}

// Beside tells what stands next to a literal in every match, step by step, the nearest
// first. What is not known ends the steps.
type Beside struct{ Before, After []Step }

// track is steps as a machine whose states are bits: bit i is set while the character
// of place i may come next.
type track struct {
	masks    [128]uint64 // by character, the places that take it
	loop     uint64      // places that may come again
	optional uint64      // and that may be left out
	plain    uint64      // that take nothing but letters, digits, _ and -
	start    uint64
	end      uint64 // the bit behind the last place
}

// maxTrack bounds the places of a track, and farthest how far one is followed.
const (
	maxTrack = 60
	farthest = 256
)

// newTrack gives the track of steps, or nil where they tell nothing.
func newTrack(steps []Step) *track {
	t := &track{}
	n := 0
	add := func(c *Class, optional, loop bool) bool {
		if n == maxTrack {
			return false
		}
		t.plain |= 1 << n
		for b := range byte(128) {
			if c.Has(b) {
				t.masks[b] |= 1 << n
				if !wordByte(b) {
					t.plain &^= 1 << n
				}
			}
		}
		if optional {
			t.optional |= 1 << n
		}
		if loop {
			t.loop |= 1 << n
		}
		n++
		return true
	}
steps:
	for _, s := range steps {
		least := max(s.Min, 1)
		for i := range max(s.Max, least) {
			last := i == least-1 && s.Max < 0
			if !add(&s.Class, i >= s.Min, last) {
				break steps
			}
		}
	}
	t.end = 1 << n
	if t.start = t.close(1); t.start&t.end != 0 {
		return nil
	}
	return t
}

// close adds the places behind those that may be left out.
func (t *track) close(s uint64) uint64 {
	for more := s; more != 0; {
		more = (more & t.optional << 1) &^ s
		s |= more
	}
	return s
}

// take follows one character.
func (t *track) take(s uint64, c byte) uint64 {
	s &= t.masks[c]
	return t.close(s<<1 | s&t.loop)
}

// wordByte reports whether a character is an ASCII letter or digit, _ or -. Adapters
// change nothing between two of them.
func wordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '-'
}

// uncertain reports whether a raw byte may stand for other characters or for none: an
// escape, a place where an adapter changes a text, the end of a line, or a part of a
// character beyond ASCII. last is the byte before it, and s what may come next.
func (t *track) uncertain(c, last byte, s uint64) bool {
	switch c {
	case '"', '<', '>', '[', ']':
		return !wordByte(last) || s&^t.plain != 0
	}
	return c == '\\' || c < ' ' || c >= 0x7f
}

// ahead reports whether the steps may stand at the start of b, behind a byte.
func (t *track) ahead(last byte, b []byte) bool {
	if t == nil {
		return true
	}
	s := t.start
	for i, c := range b[:min(len(b), farthest)] {
		if t.uncertain(c, last, s) {
			return true
		}
		if s = t.take(s, c); s&t.end != 0 {
			return true
		}
		if s == 0 { // unless a mark behind it makes another character of it
			return i+1 < len(b) && (b[i+1] == '\\' || b[i+1] >= 0x80)
		}
		last = c
	}
	return true
}

// behind reports whether the steps may stand, in reverse, at the end of b, before a byte.
func (t *track) behind(b []byte, last byte) bool {
	if t == nil {
		return true
	}
	s := t.start
	for i := len(b) - 1; i >= max(0, len(b)-farthest); i-- {
		if t.uncertain(b[i], last, s) {
			return true
		}
		if s = t.take(s, b[i]); s&t.end != 0 {
			return true
		}
		if s == 0 { // unless it is the end of an escape
			return bytes.IndexByte(b[max(0, i-5):i], '\\') >= 0
		}
		last = b[i]
	}
	return true
}
