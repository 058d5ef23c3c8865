package archive

import (
	"errors"

	"github.com/seshat-dev/seshat/internal/own"
)

// takeLock takes the lock of the one writer.
func takeLock(path string) (*own.Lock, error) {
	l, err := own.TakeLock(path)
	if errors.Is(err, own.ErrBusy) {
		err = ErrBusy
	}
	return l, err
}
