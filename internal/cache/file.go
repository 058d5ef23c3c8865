package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// folder is where the shelves lie below the cache's folder, suffix how their files
// end.
const (
	folder = "sessions"
	suffix = ".cache"
)

// Folder gives the folder that the shelves lie in, in that of the cache: the one that
// is written to.
func Folder(dir string) string { return filepath.Join(dir, folder) }

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
	if fi, err := os.Lstat(Folder(dir)); err == nil && !fi.IsDir() {
		return s // a link: whatever it leads to is not seshat's
	}
	s.file = filepath.Join(Folder(dir), agentName+"-"+hex.EncodeToString(sum[:8])+suffix)
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
	if err := own.MakeFolder(dir); err != nil {
		return err
	}
	if err := own.Replace(s.file, encode(s.build, s.entries)); err != nil {
		return err
	}
	s.changed = false
	sweep(dir, time.Now())
	return nil
}

// How long a file of a run that broke off, and a shelf that no run has written, are
// left alone.
const (
	staleTemporary = time.Hour
	staleShelf     = 90 * 24 * time.Hour
)

// shelfName is how the files of Open are called.
var shelfName = regexp.MustCompile(`^[a-z0-9]+-[0-9a-f]{16}\` + suffix + `$`)

// sweep removes what nobody will use: files of runs that broke off, and shelves of
// folders that were looked at long ago. Only what seshat wrote goes: the folder may
// have been chosen badly, and hold the files of others.
func sweep(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !fi.Mode().IsRegular() {
			continue
		}
		age := now.Sub(fi.ModTime())
		stale := own.Temporary(e.Name()) && age > staleTemporary || shelfName.MatchString(e.Name()) && age > staleShelf
		if path := filepath.Join(dir, e.Name()); stale && ours(path) {
			_ = os.Remove(path)
		}
	}
}

// ours reports whether a regular file begins as a shelf's does.
func ours(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// Drop deletes all shelves.
func Drop(dir string) error {
	names, err := os.ReadDir(Folder(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range names {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), suffix) {
			if rerr := os.Remove(filepath.Join(Folder(dir), e.Name())); err == nil && !errors.Is(rerr, fs.ErrNotExist) {
				err = rerr
			}
		}
	}
	return err
}
