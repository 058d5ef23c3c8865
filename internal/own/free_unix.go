//go:build !windows

package own

import (
	"math"

	"golang.org/x/sys/unix"
)

// Free gives how many bytes may still be written to the file system of a folder, and
// whether that is known.
func Free(dir string) (int64, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	blocks, size := uint64(st.Bavail), uint64(st.Bsize)
	if size != 0 && blocks > math.MaxInt64/size {
		return math.MaxInt64, true
	}
	return int64(blocks * size), true
}
