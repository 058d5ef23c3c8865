package own

import (
	"errors"
	"os"
)

// ErrBusy says that another run holds a lock.
var ErrBusy = errors.New("is in use by another run of seshat")

// Lock is held by one run at a time. The system gives it back when the run ends, in
// whatever way.
type Lock struct{ file *os.File }

// TakeLock takes the lock of a file, which it makes, for nobody else to read, where
// there is none. It does not wait: the error is ErrBusy where another run holds it.
func TakeLock(path string) (*Lock, error) {
	for {
		l, err := takeLock(path)
		if err != nil {
			return nil, err
		}
		// Whoever had it before may have removed the file in the meantime: then others lock
		// another.
		mine, err := l.file.Stat()
		if now, nerr := os.Stat(path); err == nil && nerr == nil && os.SameFile(mine, now) {
			return l, nil
		}
		if err := l.Release(); err != nil {
			return nil, err
		}
	}
}

func takeLock(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if fi, err := f.Stat(); err == nil && fi.Mode().Perm() != 0o600 {
		_ = f.Chmod(0o600) // whatever the umask; another's file stays as it is
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return &Lock{f}, nil
}

// Release gives the lock back. The file stays. There may be none.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}
