// Package demo carries a small invented home folder with sessions of Claude Code
// and Gemini CLI in it, for trying seshat on something that is nobody's.
package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"
)

//go:embed all:home
var home embed.FS

// Unpack writes the demo home below dir, folders 0700 and files 0600, and gives
// every file the newest time that stands in it as its modification time; a file
// without a time gets the newest of all. Files that exist already are never
// written over: Unpack fails on the first one.
func Unpack(dir string) error {
	if err := unpack(dir); err != nil {
		return fmt.Errorf("unpack the demo home: %w", err)
	}
	return nil
}

func unpack(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()

	tree, err := fs.Sub(home, "home")
	if err != nil {
		return err
	}
	times := make(map[string]time.Time)
	var newest time.Time
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		local := filepath.FromSlash(name)
		if d.IsDir() {
			return root.MkdirAll(local, 0o700)
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		t := newestIn(data)
		times[local] = t
		if t.After(newest) {
			newest = t
		}
		return write(root, local, data)
	})
	if err != nil {
		return err
	}
	for name, t := range times {
		if t.IsZero() {
			t = newest
		}
		if err := root.Chtimes(name, t, t); err != nil {
			return err
		}
	}
	return nil
}

func write(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// How times are written; compiled for the demo alone, so that no other run pays.
var (
	isoTime   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"`) })
	epochTime = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"timestamp":\s*(\d{13})\b`) })
)

// newestIn finds the newest time in a JSON text: ISO strings anywhere, and the
// milliseconds that history.jsonl has. It gives the zero time when there is none.
func newestIn(data []byte) time.Time {
	var newest time.Time
	keep := func(t time.Time, err error) {
		if err == nil && t.After(newest) {
			newest = t
		}
	}
	for _, m := range isoTime().FindAllSubmatch(data, -1) {
		keep(time.Parse(time.RFC3339, string(m[1])))
	}
	for _, m := range epochTime().FindAllSubmatch(data, -1) {
		ms, err := strconv.ParseInt(string(m[1]), 10, 64)
		keep(time.UnixMilli(ms), err)
	}
	return newest
}
