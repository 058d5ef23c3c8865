package hook

import (
	"errors"

	"github.com/seshat-dev/seshat/internal/own"
)

// lock takes the lock of the one drain. While another has it, it gives ErrBusy.
func lock(path string) (unlock func(), err error) {
	l, err := own.TakeLock(path)
	if err != nil {
		if errors.Is(err, own.ErrBusy) {
			err = ErrBusy
		}
		return nil, err
	}
	return func() { _ = l.Release() }, nil
}
