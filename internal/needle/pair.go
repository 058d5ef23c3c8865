package needle

import "bytes"

// pair is two bytes at their offsets from a place. The bits of m are set in a byte
// before it is compared, so that 0x20 takes a letter in either case.
type pair struct {
	o1, o2         int
	v1, m1, v2, m2 byte
}

// reach is how many bytes from a place on are looked at.
func (p *pair) reach() int { return max(p.o1, p.o2) + 1 }

// stride is how far findSlow looks ahead for one pair before it looks for the
// other, so that a place that was found is seldom looked for again.
const stride = 4 << 10

// found is where two pairs stand in the 32 bytes from at on: a bit for each place.
// No pair stands between the place that the search began at and this, and next is
// where it goes on.
type found struct {
	at, next int
	p, q     uint32
}

// findSlow finds the first place of two pairs, without vectors.
func findSlow(b []byte, at, limit int, p, q *pair) found {
	for ; at < limit; at += stride {
		to := min(at+stride, limit)
		atP := p.next(b, at, to)
		atQ := q.next(b, at, atP)
		switch {
		case atQ < atP:
			return found{at: atQ, next: atQ + 1, q: 1}
		case atP < to && q.at(b, atP):
			return found{at: atP, next: atP + 1, p: 1, q: 1}
		case atP < to:
			return found{at: atP, next: atP + 1, p: 1}
		}
	}
	return found{at: limit, next: limit}
}

// at reports whether the pair stands at a place.
func (p *pair) at(b []byte, i int) bool {
	return i+p.reach() <= len(b) && b[i+p.o1]|p.m1 == p.v1 && b[i+p.o2]|p.m2 == p.v2
}

// next gives the first place of the pair between two indexes, else the second.
func (p *pair) next(b []byte, at, to int) int {
	to = min(to, len(b))
	for ; at < to; at++ {
		if at+p.reach() > len(b) {
			return to
		}
		d := p.firstByte(b[at+p.o1 : min(to+p.o1, len(b))])
		if d < 0 {
			return to
		}
		if at += d; at+p.o2 < len(b) && b[at+p.o2]|p.m2 == p.v2 {
			return at
		}
	}
	return to
}

// firstByte gives the first place of the pair's first byte, or -1.
func (p *pair) firstByte(b []byte) int {
	d := bytes.IndexByte(b, p.v1)
	if p.m1 == 0 {
		return d
	}
	if d >= 0 {
		b = b[:d]
	}
	if up := bytes.IndexByte(b, p.v1&^p.m1); up >= 0 {
		return up
	}
	return d
}
