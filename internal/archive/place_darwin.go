package archive

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// fileSystem names the kind of file system that a path lies on, made or not; empty when
// that cannot be told.
func fileSystem(path string) string {
	for {
		var st unix.Statfs_t
		if err := unix.Statfs(path, &st); err == nil {
			return unix.ByteSliceToString(st.Fstypename[:])
		}
		up := filepath.Dir(path)
		if up == path {
			return ""
		}
		path = up
	}
}
