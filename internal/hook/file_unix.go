//go:build unix

package hook

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// replaceable refuses a file that a new one in its place would part from others.
func replaceable(fi fs.FileInfo) error {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
		return errors.New("has a second name (a hard link), which would keep the old settings")
	}
	return nil
}

// keepOwner gives a new file the owner and group of the old one.
func keepOwner(f *os.File, old fs.FileInfo) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok := fi.Sys().(*syscall.Stat_t)
	was, ok2 := old.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || is.Uid == was.Uid && is.Gid == was.Gid {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil {
		return err
	}
	return f.Chmod(old.Mode().Perm()) // which some systems take away with the owner
}
