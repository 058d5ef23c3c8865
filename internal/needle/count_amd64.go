package needle

// markBlocks looks at blocks of 64 bytes of the inside of a JSON string and marks, for
// each, where the bytes of the walk stand that are not part of an escape, and where lines
// break. It reads up to four bytes behind the last block, and as far as the offsets go.
//
//go:noescape
func markBlocks(p *byte, blocks int, w *walk, marks *[walkBlocks]places64)

// countsLines is set where the processor compares 64 bytes at once.
func countsLines() bool { return wide }
