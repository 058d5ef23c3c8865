package archive

import (
	"io"
	"os"
	"runtime"

	"github.com/seshat-dev/seshat/internal/own"
)

// disk is what packs need of a file system. Tests put one in its place that forgets
// what was not synced, or is full.
type disk interface {
	// open opens a file for reading.
	open(path string) (file, error)
	// create makes a file that is not there, for nobody else to read.
	create(path string) (file, error)
	// extend opens a file that is there for writing.
	extend(path string) (file, error)
	remove(path string) error
	// syncFolder makes the names in a folder durable.
	syncFolder(path string) error
	// list gives the names in a folder.
	list(path string) ([]string, error)
}

type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Sync makes what was written durable: on macOS too, where it asks the drive.
	Sync() error
	Truncate(size int64) error
	Size() (int64, error)
}

type osDisk struct{}

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return fi.Size(), nil
}

func opened(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osDisk) open(path string) (file, error)   { return opened(openShared(path)) }
func (osDisk) extend(path string) (file, error) { return opened(os.OpenFile(path, os.O_RDWR, 0)) }
func (osDisk) remove(path string) error         { return os.Remove(path) }

func (d osDisk) create(path string) (file, error) {
	if err := own.Create(path, nil); err != nil {
		return nil, err
	}
	return d.extend(path)
}

func (osDisk) list(path string) (names []string, err error) {
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (osDisk) syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // NTFS keeps a journal of names, and gives no handle to ask for more
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
