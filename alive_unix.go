//go:build unix

package seshat

import (
	"errors"
	"syscall"
)

// alive reports whether a process runs, whoever's it is.
func alive(pid int) bool {
	if pid <= 0 {
		return false // these name groups
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
