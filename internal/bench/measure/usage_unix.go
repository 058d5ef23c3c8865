//go:build unix

package measure

import (
	"os"
	"runtime"
	"syscall"
)

// usage gives the most memory that a process held, its resident set, and the
// bytes that were read from a disk for it. Linux counts memory in kilobytes; it
// also counts the process that started this one, up to that moment, so the caller
// has to be small itself.
func usage(state *os.ProcessState) (peak, disk int64) {
	used, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, 0
	}
	if peak = int64(used.Maxrss); runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak <<= 10
	}
	return peak, int64(used.Inblock) << 9
}
