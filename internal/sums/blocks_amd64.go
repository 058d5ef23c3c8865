package sums

import "golang.org/x/sys/cpu"

// able is set where the processor has instructions for SHA-256.
var able = cpu.X86.HasSSSE3 && cpu.X86.HasSSE41 && hasSHA()

func hasSHA() bool {
	const sha = 1 << 29
	return features()&sha != 0
}

// features gives what the processor says in EBX of its leaf 7, or 0 where it has none.
//
//go:noescape
func features() uint32

// blocks hashes n blocks from p on into a, and as many from q on into b.
//
//go:noescape
func blocks(a, b *lanes, p, q *byte, n int)
