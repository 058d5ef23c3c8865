//go:build !amd64

package needle

func markBlocks(*byte, int, *walk, *[walkBlocks]places64) {}

// countsLines needs vectors.
func countsLines() bool { return false }
