package needle

import "golang.org/x/sys/cpu"

// hitRoom is how many hits keyBlocks gives at once.
const hitRoom = 64

// hit is what was found in a block of 32 bytes: a bit for each place.
type hit struct{ block, p, q uint32 }

// keyBlocks looks at blocks of 32 bytes from p on, and at two bytes behind the last, for
// newlines (p of a hit) and for id" and ids (q). It notes every block that has one until
// there is no room for more, and gives the block to go on with.
//
//go:noescape
func keyBlocks(p *byte, blocks int, hits *[hitRoom]hit) (block, n int)

// keyBlocksWide does what keyBlocks does, in blocks of 64 bytes; those of its hits are of 32.
//
//go:noescape
func keyBlocksWide(p *byte, blocks int, hits *[hitRoom]hit) (block, n int)

// findBlocks looks through b as far as blocks go, and gives the place to go on at.
func (k *Keys) findBlocks(b []byte) (at int) {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	var hits [hitRoom]hit
	for {
		room := len(b) - 2 - at
		var block, n int
		switch {
		case wide && room >= 64:
			block, n = keyBlocksWide(&b[at], room/64, &hits)
			block *= 2
		case room >= 32:
			block, n = keyBlocks(&b[at], room/32, &hits)
		default:
			return at
		}
		for _, h := range hits[:n] {
			k.note(b, at+32*int(h.block), h.p, h.q)
		}
		at += 32 * block
	}
}
