// Package sums hashes a whole and each of its parts with SHA-256. Where the processor can
// do so, both hashes of a part are made in one pass and one between the other, which
// takes about two thirds of the time that one after the other takes. What comes out is
// what crypto/sha256 makes of the same bytes.
package sums

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"hash"
)

// Whole is the hash of what was written to it, and of the parts that it was made of. It is
// of no use before New.
type Whole struct {
	sum   hash.Hash
	part  hash.Hash // of a part, when its end is hashed
	state [stateSize]byte
}

// New gives a whole of nothing.
func New() *Whole { return &Whole{sum: sha256.New()} }

// Write adds bytes to the whole. It never fails.
func (w *Whole) Write(b []byte) (int, error) { return w.sum.Write(b) }

// Sum gives the hash of all that was added.
func (w *Whole) Sum() [32]byte { return [32]byte(w.sum.Sum(nil)) }

// Reset makes it a whole of nothing again.
func (w *Whole) Reset() { w.sum.Reset() }

// Part adds bytes to the whole and gives the hash of these bytes by themselves.
func (w *Whole) Part(b []byte) [32]byte {
	if !abreast || len(b) < least {
		_, _ = w.sum.Write(b)
		return sha256.Sum256(b)
	}
	return w.both(b)
}

const (
	block = 64
	// least is how long a part has to be for the one pass to be worth what it takes to
	// begin and to end it.
	least = 16 * block
)

// both is Part in one pass. The whole has to be at the beginning of a block; what is over
// at the end of the part is left to the library, for both.
func (w *Whole) both(b []byte) [32]byte {
	whole := w.take()
	head := int(-whole.length % block)
	if head > 0 {
		_, _ = w.sum.Write(b[:head])
		whole = w.take()
	}
	part := start
	n := (len(b) - head) / block
	blocks(&part.lanes, &whole.lanes, &b[0], &b[head], n)
	whole.length += uint64(n) * block
	w.give(w.sum, &whole)
	_, _ = w.sum.Write(b[head+n*block:])
	if w.part == nil {
		w.part = sha256.New()
	}
	part.length = uint64(n) * block
	w.give(w.part, &part)
	_, _ = w.part.Write(b[n*block:])
	return [32]byte(w.part.Sum(nil))
}

// progress is how far a hash is, at the beginning of a block.
type progress struct {
	lanes  lanes
	length uint64 // bytes so far
}

// lanes are the eight words of a hash, as the processor's instructions want them: those
// that are called f, e, b, a, h, g, d, c.
type lanes [8]uint32

var order = [8]int{5, 4, 1, 0, 7, 6, 3, 2}

// start is a hash of nothing.
var start = progress{lanes: lanes{0x9b05688c, 0x510e527f, 0xbb67ae85, 0x6a09e667, 0x5be0cd19, 0x1f83d9ab, 0xa54ff53a, 0x3c6ef372}}

// How the library saves a hash: a name, the eight words, the block that is not full, and
// the length.
const (
	stateName = "sha\x03"
	stateSize = len(stateName) + 8*4 + block + 8
)

// take gives the progress of the whole.
func (w *Whole) take() (p progress) {
	b, _ := w.sum.(encoding.BinaryAppender).AppendBinary(w.state[:0])
	p.length = binary.BigEndian.Uint64(b[stateSize-8:])
	for i, at := range order {
		p.lanes[i] = binary.BigEndian.Uint32(b[len(stateName)+4*at:])
	}
	return p
}

// give puts a hash where the progress says.
func (w *Whole) give(h hash.Hash, p *progress) {
	_ = h.(encoding.BinaryUnmarshaler).UnmarshalBinary(p.append(w.state[:0])) // sure to be right: see abreast
}

func (p *progress) append(b []byte) []byte {
	b = append(b, stateName...)
	var words [8]uint32
	for i, at := range order {
		words[at] = p.lanes[i]
	}
	for _, word := range words {
		b = binary.BigEndian.AppendUint32(b, word)
	}
	b = append(b, make([]byte, block)...)
	return binary.BigEndian.AppendUint64(b, p.length)
}

// abreast is set where the processor hashes two things abreast, and the library saves a
// hash as it is known to.
var abreast = able && saves()

func saves() bool {
	h, ok := sha256.New().(encoding.BinaryAppender)
	if !ok {
		return false
	}
	_, ok = h.(encoding.BinaryUnmarshaler)
	b, err := h.AppendBinary(nil)
	return ok && err == nil && string(b) == string(start.append(nil))
}
