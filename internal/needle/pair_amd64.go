package needle

import "golang.org/x/sys/cpu"

// find2 looks at the bytes from p on in blocks of 32 for places of two pairs. It
// gives the first block that holds one, and where in it each pair stands; blocks
// when none does. All bytes up to the last block and the offsets of the pairs are
// read.
//
//go:noescape
func find2(p *byte, blocks int, a, b *pair) (block int, ma, mb uint32)

// hitRoom is how many hits findAll2 gives at once.
const hitRoom = 64

// hit is where two pairs stand in a block of 32 bytes: a bit for each place.
type hit struct{ block, p, q uint32 }

// findAll2 does what find2 does, and notes every block in which a pair stands, until
// there is no room for more. It gives the block to go on with.
//
//go:noescape
func findAll2(p *byte, blocks int, a, b *pair, hits *[hitRoom]hit) (block, n int)

// findAll tells all places of two pairs that are found in blocks, and gives the place
// to go on at.
func findAll(b []byte, p, q *pair, visit func(found)) (at int) {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	var hits [hitRoom]hit
	reach := max(p.reach(), q.reach())
	for {
		blocks := (len(b) - reach + 1 - at) / 32
		if blocks <= 0 {
			return at
		}
		block, n := findAll2(&b[at], blocks, p, q, &hits)
		for _, h := range hits[:n] {
			visit(found{at: at + 32*int(h.block), p: h.p, q: h.q})
		}
		at += 32 * block
	}
}

// find finds the next places of two pairs before a limit.
func find(b []byte, at, limit int, p, q *pair) found {
	if cpu.X86.HasAVX2 {
		reach := max(p.reach(), q.reach())
		room := min(limit-at+31, len(b)-reach+1-at) // a block may go beyond the limit
		if blocks := room / 32; blocks > 0 {
			block, mp, mq := find2(&b[at], blocks, p, q)
			if at += block * 32; mp|mq != 0 {
				return found{at, at + 32, mp, mq}
			}
		}
	}
	return findSlow(b, at, limit, p, q)
}
