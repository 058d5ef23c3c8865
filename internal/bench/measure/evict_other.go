//go:build !linux || !(amd64 || arm64)

package measure

import "errors"

// Evict is for Linux only.
func Evict(string) error { return errors.ErrUnsupported }

// CanEvict says whether Evict works here.
const CanEvict = false
