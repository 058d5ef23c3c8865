package secret

import "strings"

// words finds many words in one pass, whatever the case of their letters: by the three
// bytes of each that are rarest, in a small table that says which three these are.
//
// internal/needle is quicker for a word or two, but takes a pass over the text for each
// two words, and there are more than a hundred here; nor does it look through a string.
type words struct {
	words []string // in lower case
	rare  []int    // where in each word its rarest three bytes begin
	flags [1 << hashBits]uint8
	heads [1 << hashBits][]uint16 // by the hash of the rarest three bytes: the words
}

// hashBits keeps the table of flags within the nearest cache.
const hashBits = 13

// newWords takes words in lower case, none shorter than three bytes.
func newWords(list []string) *words {
	w := &words{words: list}
	for n, word := range list {
		at := rarest(word)
		w.rare = append(w.rare, at)
		h := hash3(load3(word, at) | fold)
		w.flags[h] = 1
		w.heads[h] = append(w.heads[h], uint16(n))
	}
	return w
}

// common are characters by how often they stand in prose and its markup, the most
// frequent first.
const common = "etaoins-rhldcumfpgwybvkxjqz"

// rarest gives where the three bytes of a word begin that are likely to be the rarest
// in a text.
func rarest(word string) (at int) {
	most := -1
	for i := range len(word) - 2 {
		sum := 0
		for _, c := range []byte(word[i : i+3]) {
			if rank := strings.IndexByte(common, c); rank >= 0 {
				sum += rank
			} else {
				sum += len(common)
			}
		}
		if sum > most {
			at, most = i, sum
		}
	}
	return at
}

// fold sets the bit by which small letters differ from capitals, in eight bytes.
const fold = 0x2020202020202020

// hash3 puts the lowest three bytes into as many bits as the table has.
func hash3(x uint64) uint32 { return uint32(x) << 8 * 0x9e3779b1 >> (32 - hashBits) }

func load3[T string | []byte](s T, i int) uint64 {
	_ = s[i+2]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16
}

func load8[T string | []byte](s T, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// next gives the first word whose rarest bytes stand at a place from an index on, and
// that place; it is -1 behind the last. Of words at one place the first in the list comes,
// and those with a number up to after are passed over at the place from.
func next[T string | []byte](w *words, s T, from, after int) (place, nth int) {
	const step = 6 // places that eight bytes tell of
	flags := &w.flags
	for i := from; i+3 <= len(s); {
		if i+8 <= len(s) {
			x := load8(s, i) | fold
			if flags[hash3(x)]|flags[hash3(x>>8)]|flags[hash3(x>>16)]|flags[hash3(x>>24)]|flags[hash3(x>>32)]|flags[hash3(x>>40)] == 0 {
				i += step
				continue
			}
		}
		for end := min(i+step, len(s)-2); i < end; i++ {
			h := hash3(load3(s, i) | fold)
			if flags[h] == 0 {
				continue
			}
			for _, n := range w.heads[h] {
				if (i > from || int(n) > after) && i >= w.rare[n] && stands(w.words[n], s, i-w.rare[n]) {
					return i, int(n)
				}
			}
		}
	}
	return -1, 0
}

// stands reports whether a word in lower case stands at a place.
func stands[T string | []byte](word string, s T, at int) bool {
	if len(s)-at < len(word) {
		return false
	}
	for i := range len(word) {
		c := s[at+i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
