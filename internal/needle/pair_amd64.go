package needle

import "golang.org/x/sys/cpu"

// find2 looks at the bytes from p on in blocks of 32 for places of two pairs. It
// gives the first block that holds one, and where in it each pair stands; blocks
// when none does. All bytes up to the last block and the offsets of the pairs are
// read.
//
//go:noescape
func find2(p *byte, blocks int, a, b *pair) (block int, ma, mb uint32)

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
