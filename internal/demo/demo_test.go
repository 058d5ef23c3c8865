package demo

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

const (
	fileCount = 20
	maxBytes  = 80_000
)

func unpackTemp(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home")
	if err := Unpack(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func walk(t *testing.T, dir string, visit func(name string, info fs.FileInfo)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(name), info)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnpackWritesTheTree(t *testing.T) {
	dir := unpackTemp(t)
	var files int
	var size int64
	walk(t, dir, func(name string, info fs.FileInfo) {
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = fs.ModeDir | 0o700
		} else {
			files++
			size += info.Size()
		}
		if runtime.GOOS != "windows" && info.Mode() != want {
			t.Errorf("%s: mode %v, want %v", name, info.Mode(), want)
		}
	})
	if files != fileCount {
		t.Errorf("%d files, want %d", files, fileCount)
	}
	if size > maxBytes {
		t.Errorf("the tree has %d bytes, want at most %d", size, maxBytes)
	}
}

func TestUnpackKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, ".claude.json")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(dir); err == nil {
		t.Error("no error although a file was there")
	}
	if got, err := os.ReadFile(mine); err != nil || string(got) != "mine" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

func TestOneDamagedLine(t *testing.T) {
	dir := unpackTemp(t)
	var transcripts int
	var damaged []string
	walk(t, dir, func(name string, info fs.FileInfo) {
		if info.IsDir() {
			return
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(data, "\r\x1b\x00") {
			t.Errorf("%s has a raw control byte", name)
		}
		switch filepath.Ext(name) {
		case ".json":
			if !json.Valid(data) {
				t.Errorf("%s is not JSON", name)
			}
		case ".jsonl":
			transcripts++
			text, ok := strings.CutSuffix(string(data), "\n")
			if !ok {
				t.Errorf("%s does not end with a line end", name)
			}
			lines := strings.Split(text, "\n")
			for i, line := range lines {
				var record map[string]any
				if json.Unmarshal([]byte(line), &record) == nil {
					continue
				}
				damaged = append(damaged, name)
				if i == 0 || i == len(lines)-1 {
					t.Errorf("%s:%d: damage at an end of the file", name, i+1)
				}
			}
		}
	})
	if transcripts != 8 {
		t.Errorf("%d JSON Lines files, want 8", transcripts)
	}
	if len(damaged) != 1 {
		t.Errorf("damaged lines in %q, want one", damaged)
	}
}

func TestTimesComeFromTheFiles(t *testing.T) {
	dir := unpackTemp(t)
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	newest := time.Date(2026, 2, 3, 9, 17, 40, 3_000_000, time.UTC)
	want := map[string]time.Time{
		".claude/history.jsonl":            time.UnixMilli(1769962820100),
		".gemini/tmp/lighthouse/logs.json": newest,
		".claude/settings.json":            newest,
	}
	walk(t, dir, func(name string, info fs.FileInfo) {
		if info.IsDir() {
			return
		}
		got := info.ModTime()
		if got.Before(first) || got.After(newest) {
			t.Errorf("%s: time %v is outside the story", name, got.UTC())
		}
		if w, ok := want[name]; ok && !got.Equal(w) {
			t.Errorf("%s: time %v, want %v", name, got.UTC(), w.UTC())
		}
	})
}

func TestNamesAreLegalOnWindows(t *testing.T) {
	bad := regexp.MustCompile(`(?i)[<>:"\\|?*\x00-\x1f]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)
	err := fs.WalkDir(home, "home", func(name string, d fs.DirEntry, err error) error {
		if bad.MatchString(d.Name()) {
			t.Errorf("%s is no name on Windows", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
