//go:build !amd64

package needle

// find finds the next places of two pairs before a limit.
func find(b []byte, at, limit int, p, q *pair) found { return findSlow(b, at, limit, p, q) }

func findSpans(b []byte, at, limit int, x *run) found { return findSpansSlow(b, at, limit, x) }
