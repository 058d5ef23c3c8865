//go:build !amd64

package jsonscan

// skipBlocks needs vectors; without them nothing is gained.
func skipBlocks(_ []byte, i int) (next int, closed, strict, ok bool, how Spelling) {
	return i, false, true, false, Unsure
}

// usualBlocks leaves everything to a closer look.
func usualBlocks([]byte) (upTo int, has written) { return 0, written{} }

const wide = false
