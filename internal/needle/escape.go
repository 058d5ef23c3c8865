package needle

import "math/bits"

// colour is the escape that stands in transcripts most often: it begins the codes for
// colours in what programs print.
const colour = `\u001b`

// escape gives the pair that finds the escapes of a set's characters: the backslash,
// and the digit that tells most of them from others.
func (s *Set) escape() *pair {
	best, least := pair{v1: '\\', o2: 1, v2: 'u'}, 1<<10
	for digit := range 4 {
		value, mask, matched := s.digit(digit)
		if matched += 10 * int(passes(mask, value, colour[digit+2])); matched < least {
			least = matched
			best.o2, best.v2, best.m2 = digit+2, value, mask
		}
	}
	return &best
}

// passes is 1 where a byte passes a comparison, else 0.
func passes(mask, value, c byte) byte {
	if c|mask == value {
		return 1
	}
	return 0
}

// digit gives the comparison that the digit at a place passes in every spelling of the
// set's characters, and how many digits pass it.
func (s *Set) digit(place int) (value, mask byte, matched int) {
	all, any := byte(0xff), byte(0)
	for i, word := range s.units {
		for ; word != 0; word &= word - 1 {
			unit := 64*i + bits.TrailingZeros64(word)
			d := "0123456789abcdef"[unit>>(12-4*place)&15]
			all, any = all&d, any|d
			if d >= 'a' {
				all &= d &^ 0x20 // capitals too
			}
		}
	}
	mask = any &^ all
	value = any
	for _, c := range []byte("0123456789abcdefABCDEF") {
		matched += int(passes(mask, value, c))
	}
	return value, mask, matched
}
