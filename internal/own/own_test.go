package own

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What is written is whole and private, and a file that Create finds stays.
func TestWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "file")
	if err := errors.Join(MakeFolder(dir), MakeFolder(dir), Create(path, []byte("first"))); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, []byte("second")); !errors.Is(err, fs.ErrExist) || read(t, path) != "first" {
		t.Errorf("a second run gets %v and leaves %q", err, read(t, path))
	}
	if err := Replace(path, []byte("third")); err != nil || read(t, path) != "third" {
		t.Errorf("%v, %q", err, read(t, path))
	}
	for path, mode := range map[string]fs.FileMode{path: 0o600, dir: 0o700 | fs.ModeDir, filepath.Dir(dir): 0o700 | fs.ModeDir} {
		if fi, err := os.Stat(path); err != nil || filepath.Separator == '/' && fi.Mode() != mode {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("beside the file: %v, %v", names, err)
	}
}

// What cannot be written leaves nothing behind.
func TestWhatFails(t *testing.T) {
	dir := t.TempDir()
	file, full := filepath.Join(dir, "file"), filepath.Join(dir, "full")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.MkdirAll(filepath.Join(full, "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"a folder at a file":       MakeFolder(file),
		"a folder below a file":    MakeFolder(filepath.Join(file, "x")),
		"a file below a file":      Replace(filepath.Join(file, "x"), nil),
		"a file over a folder":     Replace(full, nil),
		"a new file at a folder's": Create(full, nil),
		"a new file below a file":  Create(filepath.Join(file, "x"), nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	var left []string
	names, _ := os.ReadDir(dir)
	for _, e := range names {
		left = append(left, e.Name())
	}
	if !slices.Equal(left, []string{"file", "full"}) {
		t.Errorf("left behind: %q", left)
	}
}

func TestTemporary(t *testing.T) {
	path, err := write(t.TempDir(), nil)
	if err != nil || !Temporary(filepath.Base(path)) {
		t.Errorf("%s: %v", path, err)
	}
	for _, name := range []string{"new-idea.jsonl", "new-", "new-4.txt", "a-new-4", "secrets.key"} {
		if Temporary(name) {
			t.Errorf("%s is nobody's temporary file", name)
		}
	}
}

func TestOutside(t *testing.T) {
	dir := t.TempDir()
	agentDir := filepath.Join(dir, "agent")
	if err := errors.Join(os.Mkdir(agentDir, 0o700), os.Symlink(agentDir, filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "other"), 0o700)); err != nil {
		t.Skip("Windows lets only some people make links:", err)
	}
	for name, want := range map[string]bool{
		"agent": false, "agent/x/y": false, "link": false, "link/x": false, "other": true, "other/x": true, "agents": true, "": true, "agent/../other": true,
		"missing/x": false,
	} {
		if got := Outside(filepath.Join(dir, name), []string{agentDir, filepath.Join(dir, "missing")}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if Outside(filepath.Join(dir, "agent", "x"), []string{filepath.Join(dir, "link")}) {
		t.Error("a data folder named by a link")
	}
}
