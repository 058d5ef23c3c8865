//go:build unix

package measure

import (
	"os"
	"runtime"
	"syscall"
)

// peak gives the most memory that a process held, its resident set. Linux counts
// in kilobytes; it also counts the process that started this one, up to that
// moment, so the caller has to be small itself.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
