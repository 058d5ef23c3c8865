package archive

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// fileSystem gives "remote" for a path on a drive of another machine, and else nothing.
func fileSystem(path string) string {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(path) + `\`)
	if err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return "remote"
	}
	return ""
}
