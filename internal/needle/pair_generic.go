//go:build !amd64

package needle

// findAll needs vectors; without them there are no blocks.
func findAll([]byte, *pair, *pair, func(found)) (at int) { return 0 }

// find finds the next places of two pairs before a limit.
func find(b []byte, at, limit int, p, q *pair) found { return findSlow(b, at, limit, p, q) }

func findSpans(b []byte, at, limit int, x *run) found { return findSpansSlow(b, at, limit, x) }
