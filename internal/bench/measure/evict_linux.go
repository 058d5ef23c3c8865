//go:build linux && (amd64 || arm64)

package measure

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const dontNeed = 4 // POSIX_FADV_DONTNEED

// Evict takes the files below a folder out of the page cache, so that the next
// program reads them from the disk. Only these files: emptying the whole cache
// would take root, and slow down everything else on the machine. Names and inodes
// stay cached.
func Evict(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		// Pages that are not yet written cannot be taken out.
		if err := f.Sync(); err != nil {
			return err
		}
		if _, _, code := syscall.Syscall6(syscall.SYS_FADVISE64, f.Fd(), 0, 0, dontNeed, 0, 0); code != 0 {
			return fmt.Errorf("%s cannot be taken out of the page cache: %w", path, code)
		}
		return nil
	})
}

// CanEvict says whether Evict works here.
const CanEvict = true
