package own

import (
	"math"

	"golang.org/x/sys/windows"
)

// Free gives how many bytes may still be written to the file system of a folder, and
// whether that is known.
func Free(dir string) (int64, bool) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(free, math.MaxInt64)), true
}
