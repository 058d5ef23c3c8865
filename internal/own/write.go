// Package own writes the files that seshat keeps of its own, such as caches and keys, and
// locks them.
//
// A reader may rely on this. What it makes is for nobody else to read, whatever the
// umask: folders 0700, files 0600; folders that are there stay as they are. No reader
// ever sees a part of a file, and a write that fails leaves nothing behind. Outside
// tells whether a folder may be written to at all: what belongs to an agent never may.
package own

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

// MakeFolder makes a folder and those above it, for nobody else to read. Folders that
// are there stay as they are.
func MakeFolder(dir string) error {
	if fi, err := os.Stat(dir); err == nil {
		if !fi.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrExist}
		}
		return nil
	}
	if up := filepath.Dir(dir); up != dir {
		if err := MakeFolder(up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// Replace puts a file in the place of another in one step.
func Replace(path string, data []byte) error {
	written, err := write(filepath.Dir(path), data)
	if err == nil {
		err = os.Rename(written, path)
	}
	if err != nil && written != "" {
		_ = os.Remove(written)
	}
	return err
}

// ReplaceDurably is Replace, and the file is on the disk when it returns.
func ReplaceDurably(path string, data []byte) error {
	dir := filepath.Dir(path)
	written, err := write(dir, data)
	if err == nil {
		err = syncFile(written)
	}
	if err == nil {
		err = os.Rename(written, path)
	}
	if err != nil {
		if written != "" {
			_ = os.Remove(written)
		}
		return err
	}
	return SyncFolder(dir)
}

// syncFile waits until what a file holds is on the disk.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncFolder waits until the names in a folder are on the disk, where the system can
// be told to.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened for that; names are written through
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Create makes a file in one step, where there is none yet: of two runs that do so at
// once the first wins, and the other gets fs.ErrExist.
func Create(path string, data []byte) error {
	written, err := write(filepath.Dir(path), data)
	if written != "" {
		defer os.Remove(written)
	}
	if err != nil {
		return err
	}
	if err = os.Link(written, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(written, path) // a file system without links
	}
	return err
}

// temporary begins the names of files that are being written.
const temporary = "new-"

// write writes a file of another name into a folder. It gives its path, also where it
// fails, as soon as there is one.
func write(dir string, data []byte) (path string, err error) {
	f, err := os.CreateTemp(dir, temporary+"*")
	if err != nil {
		return "", err
	}
	if err = f.Chmod(0o600); err == nil {
		_, err = f.Write(data)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return f.Name(), err
}

var temporaryName = regexp.MustCompile(`^` + temporary + `[0-9]+$`)

// Temporary reports whether a file of that name is being written, or was when a run
// broke off.
func Temporary(name string) bool { return temporaryName.MatchString(name) }
