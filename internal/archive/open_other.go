//go:build !windows

package archive

import "os"

// openShared opens a file for reading; it can be deleted meanwhile.
func openShared(path string) (*os.File, error) { return os.Open(path) }
