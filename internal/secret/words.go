package secret

// words finds several words in one pass, whatever the case of their letters. It looks
// at two bytes and from them knows how far the next word can be at the nearest (the
// method of Wu and Manber).
type words struct {
	words []string // in lower case
	least int      // length of the shortest
	shift [1 << 12]uint8
	heads [1 << 12][]uint16 // by the two bytes that end the first least ones: the words
}

// newWords takes words in lower case, none shorter than three bytes.
func newWords(list []string) *words {
	w := &words{words: list, least: len(list[0])}
	for _, word := range list {
		w.least = min(w.least, len(word))
	}
	for i := range w.shift {
		w.shift[i] = uint8(w.least - 1)
	}
	for n, word := range list {
		for i := 1; i < w.least; i++ {
			h := pairHash(word[i-1], word[i])
			w.shift[h] = min(w.shift[h], uint8(w.least-1-i))
			if i == w.least-1 {
				w.heads[h] = append(w.heads[h], uint16(n))
			}
		}
	}
	return w
}

// pairHash puts two bytes, letters in either case, into twelve bits.
func pairHash(a, b byte) uint16 { return (uint16(a|0x20)*37 ^ uint16(b|0x20)*5) & (1<<12 - 1) }

// next gives the first word that begins at a place from an index on, and the place; it
// is -1 behind the last. Of words at one place the first in the list comes, and those
// with a number up to after are passed over at the place from.
func next[T string | []byte](w *words, s T, from, after int) (at, nth int) {
	for end := from + w.least - 1; end < len(s); {
		h := pairHash(s[end-1], s[end])
		if skip := w.shift[h]; skip > 0 {
			end += int(skip)
			continue
		}
		at := end - w.least + 1
		for _, n := range w.heads[h] {
			if (at > from || int(n) > after) && stands(w.words[n], s, at) {
				return at, int(n)
			}
		}
		end++
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
