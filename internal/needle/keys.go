package needle

import (
	"bytes"
	"math/bits"
)

// Keys are what one pass over whole lines of JSON finds of their form: where the lines
// end, and where keys end that name ids.
type Keys struct {
	Newlines []int // the place of each newline
	IDs      []int // of the i of each id" and ids"
}

// Find looks through b, and forgets what was found before.
func (k *Keys) Find(b []byte) {
	k.Newlines, k.IDs = k.Newlines[:0], k.IDs[:0]
	for at := k.findBlocks(b); at < len(b); at++ {
		k.at(b, at)
	}
}

// FindFrom looks through b from a place on. Places are counted from the start of b.
func (k *Keys) FindFrom(b []byte, from int) {
	k.Find(b[from:])
	for i := range k.Newlines {
		k.Newlines[i] += from
	}
	for i := range k.IDs {
		k.IDs[i] += from
	}
}

// CutIDs forgets the ids at a place and behind it.
func (k *Keys) CutIDs(at int) {
	n := len(k.IDs)
	for n > 0 && k.IDs[n-1] >= at {
		n--
	}
	k.IDs = k.IDs[:n]
}

// at notes what stands at a place.
func (k *Keys) at(b []byte, at int) {
	switch b[at] {
	case '\n':
		k.Newlines = append(k.Newlines, at)
	case 'i':
		k.id(b, at)
	}
}

// id notes the end of a key, if one stands there.
func (k *Keys) id(b []byte, at int) {
	if rest := b[at:]; bytes.HasPrefix(rest, []byte(`id"`)) || bytes.HasPrefix(rest, []byte(`ids"`)) {
		k.IDs = append(k.IDs, at)
	}
}

// note takes in what was found in a block of 32 bytes: a bit for each newline, and for
// each place where an id may be named.
func (k *Keys) note(b []byte, at int, newlines, ids uint32) {
	k.noteWide(b, at, uint64(newlines), uint64(ids))
}

// noteWide does what note does, in a block of 64 bytes.
func (k *Keys) noteWide(b []byte, at int, newlines, ids uint64) {
	for ; newlines != 0; newlines &= newlines - 1 {
		k.Newlines = append(k.Newlines, at+bits.TrailingZeros64(newlines))
	}
	for ; ids != 0; ids &= ids - 1 {
		k.id(b, at+bits.TrailingZeros64(ids))
	}
}
