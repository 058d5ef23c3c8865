package hook

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes a lock that ends with the process, however that ends. While another has
// it, it gives ErrBusy.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	if err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{}); err != nil {
		f.Close()
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return nil, ErrBusy
		}
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	}
	return func() { f.Close() }, nil
}
