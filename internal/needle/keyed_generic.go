//go:build !amd64

package needle

// keyed needs vectors; without them it looks at nothing.
func (s *Set) keyed(_ []byte, at int, _ *Keys) (hit, next int) { return -1, at }
