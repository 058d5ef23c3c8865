package needle

import "golang.org/x/sys/cpu"

// find2 looks at the bytes from p on in blocks of 32 for places of two pairs. It
// gives the first block that holds one, and where in it each pair stands; blocks
// when none does. All bytes up to the last block and the offsets of the pairs are
// read.
//
//go:noescape
func find2(p *byte, blocks int, a, b *pair) (block int, ma, mb uint32)

// find2Wide does what find2 does, in blocks of 64 bytes.
//
//go:noescape
func find2Wide(p *byte, blocks int, a, b *pair) (block int, ma, mb uint64)

// wide is set where the processor compares 64 bytes at once.
var wide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

// find finds the next places of two pairs before a limit.
func find(b []byte, at, limit int, p, q *pair) found {
	if cpu.X86.HasAVX2 {
		reach := max(p.reach(), q.reach())
		room := min(limit-at+31, len(b)-reach+1-at) // a block may go beyond the limit
		if blocks := room / 64; wide && blocks > 0 {
			block, mp, mq := find2Wide(&b[at], blocks, p, q)
			at += block * 64
			if mp|mq != 0 {
				return narrow(at, mp, mq)
			}
			room -= block * 64
		}
		if blocks := room / 32; blocks > 0 {
			block, mp, mq := find2(&b[at], blocks, p, q)
			if at += block * 32; mp|mq != 0 {
				return found{at, at + 32, mp, mq}
			}
		}
	}
	return findSlow(b, at, limit, p, q)
}

// narrow gives the first half of 64 bytes in which one of two pairs stands.
func narrow(at int, p, q uint64) found {
	if uint32(p|q) == 0 {
		at, p, q = at+32, p>>32, q>>32
	}
	return found{at, at + 32, uint32(p), uint32(q)}
}

// findSpans4 looks at the bytes from p on in blocks of 32 for places that four spans
// allow. It gives the first block that holds one, and where; blocks when none does.
//
//go:noescape
func findSpans4(p *byte, blocks int, spans *[maxSpans]span) (block int, mask uint32)

// findSpans finds the next places before a limit that the spans of a run allow.
func findSpans(b []byte, at, limit int, x *run) found {
	if cpu.X86.HasAVX2 {
		if blocks := min(limit-at+31, len(b)-x.reach+1-at) / 32; blocks > 0 {
			block, mask := findSpans4(&b[at], blocks, &x.spans)
			if at += block * 32; mask != 0 {
				return found{at: at, next: at + 32, p: mask}
			}
		}
	}
	return findSpansSlow(b, at, limit, x)
}
