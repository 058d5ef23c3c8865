package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// folder is where the shelves lie below the cache's folder, suffix how their files
// end.
const (
	folder = "sessions"
	suffix = ".cache"
)

// maxFile bounds the size of a file that is read.
const maxFile = 1 << 30

// Open gives the shelf of an agent whose data lies in those folders, as the same
// build of the program left it. dir is the cache's folder; with an empty one
// nothing is kept. It never fails: what cannot be read is empty.
func Open(dir, build, agentName string, roots []string) *Shelf {
	s := &Shelf{build: build}
	if dir == "" {
		return s
	}
	sum := sha256.Sum256([]byte(agentName + "\x00" + strings.Join(roots, "\x00")))
	s.file = filepath.Join(dir, folder, agentName+"-"+hex.EncodeToString(sum[:8])+suffix)
	if file, err := read(s.file); err == nil {
		s.entries, _ = decode(file, build)
	}
	return s
}

// read reads a regular file, and waits for no writer of a FIFO.
func read(path string) ([]byte, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxFile {
		return nil, os.ErrInvalid
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, fi.Size())
	_, err = io.ReadFull(f, b)
	return b, err
}

// Save writes a shelf that has changed. The error is for tests: an answer does not
// depend on it.
func (s *Shelf) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.changed {
		return nil
	}
	dir := filepath.Dir(s.file)
	if err := makeFolder(dir); err != nil {
		return err
	}
	if err := replace(s.file, encode(s.build, s.entries)); err != nil {
		return err
	}
	s.changed = false
	sweep(dir, time.Now())
	return nil
}

// makeFolder makes a folder and those above it, for nobody else to read, whatever
// the umask. Folders that are there stay as they are.
func makeFolder(dir string) error {
	if fi, err := os.Stat(dir); err == nil {
		if !fi.IsDir() {
			return &os.PathError{Op: "mkdir", Path: dir, Err: os.ErrExist}
		}
		return nil
	}
	if up := filepath.Dir(dir); up != dir {
		if err := makeFolder(up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// replace puts a file in the place of another in one step, so that no reader sees
// a part of it.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), temporary+"*")
	if err != nil {
		return err
	}
	if err = f.Chmod(0o600); err == nil {
		_, err = f.Write(data)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// temporary begins the names of files that are being written.
const temporary = "new-"

// How long a file of a run that broke off, and a shelf that no run has written, are
// left alone.
const (
	staleTemporary = time.Hour
	staleShelf     = 90 * 24 * time.Hour
)

// sweep removes what nobody will use: files of runs that broke off, and shelves of
// folders that were looked at long ago.
func sweep(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !fi.Mode().IsRegular() {
			continue
		}
		age := now.Sub(fi.ModTime())
		if strings.HasPrefix(e.Name(), temporary) && age > staleTemporary || strings.HasSuffix(e.Name(), suffix) && age > staleShelf {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Outside reports whether a folder, made or not, lies in none of some others,
// links followed.
func Outside(dir string, of []string) bool {
	inside := map[string]bool{}
	var there []os.FileInfo
	for _, other := range of {
		inside[filepath.Clean(other)], inside[followed(other)] = true, true
		if fi, err := os.Stat(other); err == nil {
			there = append(there, fi)
		}
	}
	for _, at := range []string{filepath.Clean(dir), followed(dir)} {
		for {
			// A name may be spelt in another way and lead to the same folder.
			fi, err := os.Stat(at)
			if inside[at] || err == nil && slices.ContainsFunc(there, func(other os.FileInfo) bool { return os.SameFile(fi, other) }) {
				return false
			}
			up := filepath.Dir(at)
			if up == at {
				break
			}
			at = up
		}
	}
	return true
}

// followed gives the path that a path leads to, as far as that is there.
func followed(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(followed(up), filepath.Base(path))
	}
	return path
}
