package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// installHere is the change that the tests make.
func installHere(b []byte) ([]byte, error) { return Install(b, here, []string{SessionEnd}) }

func removeHere(b []byte) ([]byte, error) { return Remove(b, here) }

func editor(t *testing.T) Editor {
	t.Helper()
	return Editor{Backups: filepath.Join(t.TempDir(), "data", "backups"), Now: func() time.Time { return time.Date(2026, 12, 1, 10, 20, 30, 0, time.UTC) }}
}

func write(t *testing.T, path, data string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o600), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
}

// holdsFile checks the bytes and the mode of a file, and what stands beside it.
func holdsFile(t *testing.T, path, data string, mode fs.FileMode, beside ...string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || string(b) != data {
		t.Errorf("%s holds %q, %v; want %q", path, b, err, data)
	}
	if fi, err := os.Lstat(path); err != nil || filepath.Separator == '/' && fi.Mode() != mode {
		t.Errorf("%s has the mode %v, %v", path, fi.Mode(), err)
	}
	names, _ := os.ReadDir(filepath.Dir(path))
	var got []string
	for _, n := range names {
		got = append(got, n.Name())
	}
	if want := append([]string{filepath.Base(path)}, beside...); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("in the folder are %q, want %q", got, want)
	}
}

func TestEdit(t *testing.T) {
	e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
	write(t, path, `{"a":1}`, 0o640)
	done, err := e.Edit(path, installHere)
	backup := filepath.Join(e.Backups, filepath.Base(done.Backup))
	if err != nil || !done.Changed || done.Made || done.Backup != backup || !strings.HasPrefix(filepath.Base(backup), "settings-20261201T102030Z-") {
		t.Fatalf("%+v, %v", done, err)
	}
	holdsFile(t, path, `{"a":1,"hooks":{"SessionEnd":[`+entry+`]}}`, 0o640)
	holdsFile(t, backup, `{"a":1}`, 0o600)
	if done, err := e.Edit(path, installHere); err != nil || done != (Edited{}) {
		t.Errorf("a second time: %+v, %v", done, err)
	}
	if done, err := e.Edit(path, removeHere); err != nil || !done.Changed {
		t.Errorf("taken out: %+v, %v", done, err)
	}
	holdsFile(t, path, `{"a":1}`, 0o640)
}

func TestEditMakesSettings(t *testing.T) {
	e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
	if done, err := e.Edit(path, removeHere); err != nil || done.Changed {
		t.Errorf("taken out of nothing: %+v, %v", done, err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("taking out makes a file")
	}
	if done, err := e.Plan(path, installHere); err != nil || !done.Made {
		t.Errorf("planned: %+v, %v", done, err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("a plan makes a file")
	}
	done, err := e.Edit(path, installHere)
	if err != nil || done != (Edited{Changed: true, Made: true}) {
		t.Errorf("%+v, %v", done, err)
	}
	holdsFile(t, path, here.Snippet([]string{SessionEnd}), 0o600)
}

// A chain of links stays, and the file at its end is replaced.
func TestEditThroughLinks(t *testing.T) {
	e, dir := editor(t), t.TempDir()
	real := filepath.Join(dir, "dotfiles", "claude.json")
	write(t, real, `{"a":1}`, 0o644)
	path := filepath.Join(dir, "data", "settings.json")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.Symlink("../dotfiles/second", path), os.Symlink("claude.json", filepath.Join(dir, "dotfiles", "second"))); err != nil {
		t.Skip("no links here:", err)
	}
	if done, err := e.Edit(path, installHere); err != nil || !done.Changed {
		t.Fatalf("%+v, %v", done, err)
	}
	holdsFile(t, real, `{"a":1,"hooks":{"SessionEnd":[`+entry+`]}}`, 0o644, "second")
	if to, err := os.Readlink(path); err != nil || to != "../dotfiles/second" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Edit(path, installHere); err == nil || !strings.Contains(err.Error(), "leads to no file") {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}

// What cannot be put back as it was is left alone, without a backup of it.
func TestEditRefuses(t *testing.T) {
	for what, c := range map[string]struct {
		prepare func(path string) error
		says    string
	}{
		"read-only": {func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("{}"), 0o600), os.Chmod(path, 0o444))
		}, "is read-only"},
		"a folder": {func(path string) error { return os.Mkdir(path, 0o700) }, "is not a regular file"},
		"two names": {func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("{}"), 0o600), os.Link(path, path+".2"))
		}, "hard link"},
		"not JSON":         {func(path string) error { return os.WriteFile(path, []byte("{,}"), 0o600) }, "line 1"},
		"a link to itself": {func(path string) error { return os.Symlink(filepath.Base(path), path) }, "leads to no file"},
		"too much": {func(path string) error {
			return os.WriteFile(path, []byte(`{"a":"`+strings.Repeat("x", maxSettings)+`"}`), 0o600)
		}, "too large"},
	} {
		e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
		if err := c.prepare(path); err != nil {
			t.Skip(what, err)
		}
		for name, edit := range map[string]func() (Edited, error){
			"edit": func() (Edited, error) { return e.Edit(path, installHere) },
			"plan": func() (Edited, error) { return e.Plan(path, installHere) },
		} {
			if _, err := edit(); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), path) {
				t.Errorf("%s of %s: %v; want %q", name, what, err, c.says)
			}
		}
		if _, err := os.Stat(e.Backups); err == nil {
			t.Errorf("%s: there is a backup", what)
		}
	}
}

// Whatever somebody else does between reading and replacing stays.
func TestEditSeesChanges(t *testing.T) {
	for what, change := range map[string]func(path string) error{
		"other bytes": func(path string) error { return os.WriteFile(path, []byte(`{"a":2}`), 0o600) },
		"another file": func(path string) error {
			return errors.Join(os.WriteFile(path+"~", []byte(`{"a":1}`), 0o600), os.Rename(path+"~", path))
		},
		"a link now":   func(path string) error { return errors.Join(os.Rename(path, path+"~"), os.Symlink(path+"~", path)) },
		"another mode": func(path string) error { return os.Chmod(path, 0o640) },
		"gone":         os.Remove,
	} {
		if filepath.Separator == '\\' && what != "other bytes" {
			continue
		}
		e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
		write(t, path, `{"a":1}`, 0o600)
		e.Last = func() {
			if err := change(path); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.Edit(path, installHere); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", what, err)
		}
		if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), "hooks") {
			t.Errorf("%s: written all the same: %s", what, b)
		}
		names, _ := os.ReadDir(filepath.Dir(path))
		for _, n := range names {
			if strings.Contains(n.Name(), "seshat") {
				t.Errorf("%s: %s is left behind", what, n.Name())
			}
		}
	}
	// Where there was none, one that somebody makes meanwhile stays.
	e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
	e.Last = func() { write(t, path, `{"a":2}`, 0o600) }
	if _, err := e.Edit(path, installHere); !errors.Is(err, ErrChanged) {
		t.Errorf("made meanwhile: %v", err)
	}
	holdsFile(t, path, `{"a":2}`, 0o600)
}

// What is private is not opened, also where settings lead to it.
func TestEditOfWhatIsPrivate(t *testing.T) {
	e, dir := editor(t), t.TempDir()
	secret, path := filepath.Join(dir, "secret.json"), filepath.Join(dir, "settings.json")
	write(t, secret, `{}`, 0o600)
	if err := os.Symlink(secret, path); err != nil {
		t.Skip(err)
	}
	e.Private = func(path string) bool { return filepath.Base(path) == "secret.json" }
	_, readErr := e.Read(path)
	_, editErr := e.Edit(path, installHere)
	for _, err := range []error{readErr, editErr} {
		if err == nil || !strings.Contains(err.Error(), "private") {
			t.Errorf("%v", err)
		}
	}
}

// A file that cannot be written is fine where nothing has to be.
func TestEditOfWhatIsDone(t *testing.T) {
	e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
	write(t, path, `{"hooks":{"SessionEnd":[`+entry+`]}}`, 0o400)
	if done, err := e.Edit(path, installHere); err != nil || done.Changed {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := e.Edit(path, removeHere); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("%v", err)
	}
}

// Without a backup nothing is written.
func TestEditNeedsItsBackup(t *testing.T) {
	e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
	write(t, path, `{"a":1}`, 0o600)
	write(t, filepath.Dir(e.Backups), "a file in the way", 0o600)
	if _, err := e.Edit(path, installHere); err == nil || !strings.Contains(err.Error(), "cannot be kept first") {
		t.Errorf("%v", err)
	}
	holdsFile(t, path, `{"a":1}`, 0o600)
}
