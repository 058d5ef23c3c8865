//go:build !windows

package archive

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

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
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err != unix.EINTR {
			break
		}
	}
	if err == nil {
		return &lock{f}, nil
	}
	f.Close()
	if err == unix.EWOULDBLOCK {
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
