//go:build !linux

package rootfs

import "os"

// readCached reads nothing where the system cannot be asked for what is in memory alone.
func readCached(*os.File, []byte, int64) int { return 0 }
