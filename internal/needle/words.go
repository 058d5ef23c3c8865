package needle

import (
	"bytes"
	"math/bits"
)

// Words finds several words in raw bytes, exactly as they are.
type Words struct {
	words [][]byte
	pairs []*pair
}

// NewWords takes the words; none may be empty.
func NewWords(words ...string) *Words {
	w := &Words{}
	for _, word := range words {
		b := []byte(word)
		i, j := rarest(b)
		w.words = append(w.words, b)
		w.pairs = append(w.pairs, &pair{o1: i, o2: j, v1: b[i], v2: b[j]})
	}
	if len(w.pairs)%2 != 0 {
		w.pairs = append(w.pairs, w.pairs[len(w.pairs)-1])
	}
	return w
}

// Holds reports whether one of the words stands in b.
func (w *Words) Holds(b []byte) bool {
	for i := 0; i < len(w.pairs); i += 2 {
		for from := 0; from < len(b); {
			f := find(b, from, len(b), w.pairs[i], w.pairs[i+1])
			for m := f.p | f.q; m != 0; m &= m - 1 {
				at := f.at + bits.TrailingZeros32(m)
				if w.stands(b, i, at) || w.stands(b, i+1, at) {
					return true
				}
			}
			from = f.next
		}
	}
	return false
}

func (w *Words) stands(b []byte, word, at int) bool {
	return word < len(w.words) && at < len(b) && bytes.HasPrefix(b[at:], w.words[word])
}

// Each tells every place of each word, by the word's number. The places of two
// words come in no order.
func (w *Words) Each(b []byte, visit func(word, at int)) {
	for i := 0; i < len(w.pairs); i += 2 {
		for from := 0; from < len(b); {
			f := find(b, from, len(b), w.pairs[i], w.pairs[i+1])
			w.tell(b, i, f.at, f.p, visit)
			w.tell(b, i+1, f.at, f.q, visit)
			from = f.next
		}
	}
}

// tell tells the places of one word in a block, which has a bit for each that may be one.
func (w *Words) tell(b []byte, word, at int, places uint32, visit func(word, at int)) {
	for ; places != 0; places &= places - 1 {
		if i := at + bits.TrailingZeros32(places); w.stands(b, word, i) {
			visit(word, i)
		}
	}
}
