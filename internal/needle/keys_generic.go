//go:build !amd64

package needle

// findBlocks needs vectors; without them there are no blocks.
func (k *Keys) findBlocks([]byte) (at int) { return 0 }
