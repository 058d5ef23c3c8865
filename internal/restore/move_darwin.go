package restore

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

func renameNew(root *os.Root, from, to string) error { return rename(root, from, to, unix.RENAME_EXCL) }

func exchange(root *os.Root, a, b string) error { return rename(root, a, b, unix.RENAME_SWAP) }

// rename renames within one folder of a root.
func rename(root *os.Root, from, to string, flag uint32) error {
	dir, err := root.Open(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer dir.Close()
	fd := int(dir.Fd())
	err = unix.RenameatxNp(fd, filepath.Base(from), fd, filepath.Base(to), flag)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return errNoWay
	}
	return err
}
