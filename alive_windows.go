package seshat

import (
	"errors"

	"golang.org/x/sys/windows"
)

// alive reports whether a process runs, whoever's it is.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(h)
	ended, err := windows.WaitForSingleObject(h, 0)
	return err == nil && ended == uint32(windows.WAIT_TIMEOUT)
}
