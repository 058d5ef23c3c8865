package blackbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Home is an invented home folder below a test's temporary folder.
type Home struct {
	Dir   string            // the home
	Tmp   string            // TMPDIR, beside the home
	Cache string            // where seshat keeps derived things, beside the home; made by the program
	Start time.Time         // line N of a file written next is N seconds later
	Vars  map[string]string // further environment variables of every run

	t    testing.TB
	base string // the test's temporary folder, which holds both
}

// cacheName and dataName are the folders, beside the home, in which the program may
// write: the second only where a test names it with SESHAT_DATA_DIR.
const (
	cacheName = "cache"
	dataName  = "data"
)

// New makes an empty home.
func New(t testing.TB) *Home {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &Home{
		Dir: filepath.Join(base, "home"), Tmp: filepath.Join(base, "tmp"), Cache: filepath.Join(base, cacheName),
		Start: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Vars: map[string]string{}, t: t, base: base,
	}
	for _, dir := range []string{h.Dir, h.Tmp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// Path gives the absolute path of a slash-separated name in the home. An
// absolute one stays as it is.
func (h *Home) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(h.Dir, filepath.FromSlash(name))
}

// Write writes a file and the folders above it, and gives its path.
func (h *Home) Write(name, data string, mode os.FileMode) string {
	h.t.Helper()
	path := h.parent(name)
	if err := os.WriteFile(path, []byte(data), mode); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		h.t.Fatal(err)
	}
	return path
}

// Append adds to the end of a file.
func (h *Home) Append(name, data string) {
	h.t.Helper()
	f, err := os.OpenFile(h.Path(name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	_, err = f.WriteString(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// Mkdir makes a folder and the ones above it, and gives its path.
func (h *Home) Mkdir(name string) string {
	h.t.Helper()
	path := h.Path(name)
	if err := os.MkdirAll(path, 0o700); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// Symlink makes a link that holds target as it is, and gives the link's path.
func (h *Home) Symlink(target, name string) string {
	h.t.Helper()
	path := h.parent(name)
	if err := os.Symlink(target, path); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// Touch sets a file's modification time.
func (h *Home) Touch(name string, at time.Time) {
	h.t.Helper()
	if err := os.Chtimes(h.Path(name), at, at); err != nil {
		h.t.Fatal(err)
	}
}

// Tilde writes a path below the home as people see it.
func (h *Home) Tilde(path string) string {
	rest, ok := strings.CutPrefix(path, h.Dir+string(filepath.Separator))
	if !ok {
		h.t.Helper()
		h.t.Fatalf("%s is not below the home", path)
	}
	return "~/" + rest
}

// parent makes the folders above a name and gives the name's path.
func (h *Home) parent(name string) string {
	h.t.Helper()
	path := h.Path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	return path
}
