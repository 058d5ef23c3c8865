package archive

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"

	"github.com/seshat-dev/seshat/internal/own"
)

// lock is a lock of the operating system on a file. It ends with the process.
type lock struct{ f *os.File }

func takeLock(path string) (*lock, error) {
	if err := own.Create(path, nil); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if err == nil {
		return &lock{f}, nil
	}
	f.Close()
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return nil, ErrBusy
	}
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

func (l *lock) release() error {
	if l == nil {
		return nil
	}
	return l.f.Close()
}
