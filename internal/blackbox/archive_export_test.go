package blackbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// exported is a seshat.exported/1 object.
type exported struct {
	Machine, Agent, Source, Path, Reason string
	Version                              int
	Bytes                                int64
}

// export writes the archive out beside the home and gives where the files of an agent's
// folder lie, and what was written.
func (h *Home) export(t *testing.T, to string, code int, args ...string) (dir string, files []exported) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"archive", "export", filepath.Join(h.base, to), "--ndjson"}, args...)...).exits(t, code))
	for _, item := range a.items {
		wellFormed(t, item, "seshat.exported/1")
	}
	files = as[exported](t, a)
	if len(files) > 0 {
		dir = filepath.Join(h.base, to, files[0].Machine)
	}
	return dir, files
}

// Law 5: what the archive gives back are the bytes that were there, with their time.
func TestExportIsByteExact(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	odd := "\x00\xff{\"broken\r\nno end \\ud83d"
	for i, name := range everyStore(h) {
		h.Touch(name, h.Start.Add(time.Duration(i)*time.Hour+123456789))
	}
	h.Write(".claude/projects/-srv-app/"+S2+".jsonl", odd, 0o640)
	h.Touch(".claude/projects/-srv-app/"+S2+".jsonl", h.Start)
	h.Write(".claude/projects/-srv-app/"+S3+".jsonl", "", 0o600)
	items, _ := h.archive(t, 0)
	before := list(h.Dir)
	if err := os.RemoveAll(h.Path(".claude")); err != nil {
		t.Fatal(err)
	}
	dir, files := h.export(t, "out", 0)
	if len(files) != len(items) {
		t.Errorf("%d files of %d", len(files), len(items))
	}
	after := list(dir)
	for _, it := range items {
		path := h.Path(strings.TrimPrefix(it.Path, "~/"))
		out := filepath.Join(dir, it.Agent, path)
		was, is := before[path], after[out]
		if was.hash != is.hash || was.hash == "" || was.size != is.size || !was.mtime.Equal(is.mtime) || is.mode != 0o600 {
			t.Errorf("%s: %+v, was %+v", out, is, was)
		}
	}
	for path, e := range after {
		if e.mode.IsDir() && e.mode.Perm() != 0o700 {
			t.Errorf("%s is %v", path, e.mode)
		}
	}
	h.export(t, "out", 0) // all of it is there already
}

func TestExportOfVersions(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	const name = ".claude/projects/-srv-app/memory/MEMORY.md"
	for _, text := range []string{"one", "two", "three"} {
		h.Write(name, text, 0o600)
		h.archive(t, 0)
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	dir, files := h.export(t, "last", 0)
	if at := filepath.Join(dir, "claude", h.Path(name)); len(files) != 1 || read(at) != "three" {
		t.Errorf("%+v", files)
	}
	dir, files = h.export(t, "all", 0, "--versions")
	at := filepath.Join(dir, "claude", h.Path(name))
	if len(files) != 3 || read(at) != "three" || read(at+"~1") != "one" || read(at+"~2") != "two" {
		t.Errorf("%+v", files)
	}
}

// Nothing is written outside of the folder, over what is there, or where an agent or the
// archive lives.
func TestExportStaysInItsFolder(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Run("archive", "export", filepath.Join(h.base, "x")).exits(t, 2) // there is no archive
	path := h.Claude("/srv/app", S1, U("m1", "", "one"))
	h.archive(t, 0)
	for _, dir := range []string{h.Path(".claude/backup"), h.Path(".gemini"), filepath.Join(h.base, dataName, "archive", "x"), ""} {
		h.Run("archive", "export", dir).exits(t, 2)
	}
	dir, _ := h.export(t, "out", 0)
	at := filepath.Join(dir, "claude", path)
	if err := os.WriteFile(at, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, files := h.export(t, "out", 2); !strings.Contains(files[0].Reason, "another file of that name") {
		t.Errorf("%+v", files)
	}
	if b, _ := os.ReadFile(at); string(b) != "other" {
		t.Errorf("it holds %q", b)
	}
	// A link that was planted in the folder leads nowhere.
	elsewhere := h.Mkdir("elsewhere")
	out := filepath.Join(h.base, "linked", filepath.Base(dir))
	if err := os.MkdirAll(out, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(out, "claude")); err != nil {
		t.Skip("no links here:", err)
	}
	h.export(t, "linked", 2)
	if names, _ := os.ReadDir(elsewhere); len(names) > 0 {
		t.Errorf("written through a link: %v", names)
	}
}

// A hostile name steers no terminal, and comes back as it was.
func TestArchiveOfHostileNames(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	const hostile = ".claude/projects/-srv-app/memory/a\x1b]0;title\a\u202e b.md"
	if err := os.WriteFile(h.parent(hostile), []byte("memory"), 0o600); err != nil {
		t.Skip("this platform has no such names:", err)
	}
	for _, args := range [][]string{{"archive", "--dry-run"}, {"archive", "--dry-run", "--json"}, {"archive"}, {"archive", "export", filepath.Join(h.base, "out")}, {"archive", "verify"}} {
		if r := h.Run(args...).exits(t, 0); strings.ContainsAny(r.Stdout+r.Stderr, "\x1b\a\u202e") {
			t.Errorf("%q prints %q", args, r.Stdout+r.Stderr)
		}
	}
	found, err := filepath.Glob(filepath.Join(h.base, "out", "*", "claude", h.Path(filepath.Dir(hostile)), "*"))
	if err != nil || len(found) != 1 || filepath.Base(found[0]) != filepath.Base(hostile) {
		t.Errorf("%q, %v", found, err)
	}
}
