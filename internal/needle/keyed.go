package needle

import (
	"math/bits"
	"slices"
)

// KeyedTest is a byte test that notes keys on its way, as Set does.
type KeyedTest interface {
	NextKeyed(b []byte, from int, keys *Keys) int
}

// probe is four bytes at their offsets from a place: three of a needle, and one of an
// escape behind its backslash. The bits of m are set in a byte before it is compared.
type probe struct {
	off  [4]int
	v, m [4]byte
}

// reach is how many bytes from the last place of a block on are looked at, those of keys
// among them.
func (p *probe) reach() int { return max(2, slices.Max(p.off[:])) + 1 }

// probeOf gives the bytes of a needle that tell it from others best, and that of an escape.
func probeOf(n *needle, escape *pair) *probe {
	p := &probe{}
	for i, at := range rarestFour(string(n.raw[:min(len(n.raw), longestLine)])) {
		p.off[i], p.v[i], p.m[i] = at, n.raw[at], 0
		if n.fold {
			p.m[i] = foldBit(n.raw[at])
		}
	}
	p.off[3], p.v[3], p.m[3] = escape.o2, escape.v2, escape.m2
	return p
}

// NextKeyed gives what Next gives, and finds the keys between there and from on its way.
// Places are counted from the start of b.
func (s *Set) NextKeyed(b []byte, from int, k *Keys) (hit int) {
	k.Newlines, k.IDs = k.Newlines[:0], k.IDs[:0]
	hit, at := s.keyed(b, from, k)
	if hit >= 0 {
		return hit
	}
	end := len(b)
	if hit = s.Next(b, at); hit >= 0 {
		end = hit
	}
	for ; at < end; at++ {
		k.at(b, at)
	}
	return hit
}

// first gives the places of a block before the first one of the set; all where there is
// none.
func (s *Set) first(b []byte, from int, escapes, raw uint64) (before uint64) {
	for m := escapes | raw; m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		if escapes>>bit&1 != 0 && s.escaped(b, from+bit) || raw>>bit&1 != 0 && s.needles[0].stands(b, from+bit) {
			return 1<<bit - 1
		}
	}
	return ^uint64(0)
}

// bitsOf gives the number of bits that are set from the lowest on.
func bitsOf(mask uint64) int { return bits.TrailingZeros64(^mask) }
