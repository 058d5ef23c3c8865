package blackbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"time"
)

// listing tells what lies on a disk, by path.
type listing map[string]entry

type entry struct {
	mode  fs.FileMode // type and permissions
	size  int64       // of a regular file
	mtime time.Time
	hash  string // of a regular file
	link  string // what a link holds
	err   string // why it could not be looked at
}

// list looks at a folder and everything below. Only regular files are opened.
func list(dir string) listing {
	out := listing{}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d == nil {
			out[path] = entry{err: err.Error()}
			return nil
		}
		e := entry{}
		if err != nil { // a folder that cannot be listed is visited a second time
			e.err = err.Error()
		}
		info, err := d.Info()
		if err != nil {
			out[path] = entry{err: err.Error()}
			return nil
		}
		e.mode, e.mtime = info.Mode(), info.ModTime()
		switch {
		case info.Mode().IsRegular():
			e.size = info.Size()
			if e.hash, err = hashOf(path); err != nil {
				e.err = err.Error()
			}
		case info.Mode()&fs.ModeSymlink != 0:
			e.link, _ = os.Readlink(path)
		}
		out[path] = e
		return nil
	})
	return out
}

func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// changes tells how after differs from before.
func (before listing) changes(after listing) []string {
	var out []string
	for path, b := range before {
		if a, ok := after[path]; !ok {
			out = append(out, "removed: "+path)
		} else if a != b {
			out = append(out, fmt.Sprintf("changed: %s: %+v, was %+v", path, a, b))
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			out = append(out, "created: "+path)
		}
	}
	sort.Strings(out)
	return out
}
