package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/seshat-dev/seshat/agent"
)

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// clock gives times that differ.
func clock() func() time.Time {
	at := time.Unix(1_700_000_000, 0)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func newWriter(t *testing.T, dir string) *Writer {
	t.Helper()
	return newWriterOn(t, dir, "WAL")
}

func newWriterOn(t *testing.T, dir, journal string) *Writer {
	t.Helper()
	w := must(write(dir, "here", clock(), osDisk{}, journal, usual))(t)
	t.Cleanup(func() { w.Close() })
	return w
}

func keyOf(name string) Key { return Key{Agent: "claude", Dir: "/home/me/.claude", Name: name} }

func put(t *testing.T, w *Writer, name, content string) Put {
	t.Helper()
	live := agent.Info{Name: lastName(name), Mode: 0o600, Size: int64(len(content)), MTime: time.Unix(1_600_000_000, 5)}
	return must(w.Put(context.Background(), keyOf(name), Label{Store: "claude.session", Session: "s1"}, bytes.NewReader([]byte(content)), int64(len(content)), live))(t)
}

func commit(t *testing.T, w *Writer) {
	t.Helper()
	if err := w.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// contents gives all versions of all sources of an archive, by name.
func contents(t *testing.T, a *Archive) map[string][]string {
	t.Helper()
	got := map[string][]string{}
	for _, s := range must(a.Sources(context.Background()))(t) {
		for _, v := range s.Versions {
			f := a.File(&s, v)
			b := must(io.ReadAll(io.NewSectionReader(f, 0, v.Size)))(t)
			if sha256.Sum256(b) != v.SHA256 {
				t.Errorf("%s: version %d does not have the hash it is said to have", s.Name, v.Number)
			}
			got[s.Name] = append(got[s.Name], string(b))
		}
	}
	return got
}

// A file that grows is one version that grows, one that is rewritten or cut has a new
// one, and all of them come back.
func TestVersions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	w := newWriter(t, dir)
	type step struct {
		content string
		want    Put
	}
	for _, s := range []step{
		{"one\n", Put{ID: 1, Added: 4, Version: 1, New: true}},
		{"one\n", Put{ID: 1, Version: 1, Same: true}},
		{"one\ntwo\n", Put{ID: 1, Added: 4, Version: 1}},
		{"one\nTWO\nthree\n", Put{ID: 1, Added: 10, Version: 2}}, // shares the first piece
		{"one\n", Put{ID: 1, Version: 3}},
		{"", Put{ID: 1, Version: 4}},
		{"x", Put{ID: 1, Added: 1, Version: 4}},
	} {
		if got := put(t, w, "a/b.jsonl", s.content); got != s.want {
			t.Errorf("%q: %+v, want %+v", s.content, got, s.want)
		}
	}
	commit(t, w)
	want := []string{"one\ntwo\n", "one\nTWO\nthree\n", "one\n", "x"}
	check := func(a *Archive) {
		t.Helper()
		if got := contents(t, a)["a/b.jsonl"]; !equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(w.Archive())
	a := must(Open(dir))(t)
	defer a.Close()
	check(a)
	s := must(a.Sources(context.Background()))(t)[0]
	if s.Machine != "here" || s.Session != "s1" || s.Live.Size != 1 || s.Live.Name != "b.jsonl" || !s.Live.MTime.Equal(time.Unix(1_600_000_000, 5)) {
		t.Errorf("%+v", s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = newWriter(t, dir)
	if got := put(t, w, "a/b.jsonl", "xy"); got != (Put{ID: 1, Added: 1, Version: 4}) {
		t.Errorf("after opening again: %+v", got)
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// A large file lies in several frames, and any part of it can be read.
func TestFrames(t *testing.T) {
	dir := t.TempDir()
	w := newWriter(t, dir)
	var b bytes.Buffer
	for b.Len() < 3<<20 {
		b.WriteString("a line that is told apart from others by its place ")
		b.WriteString(time.Unix(int64(b.Len()), 0).String())
		b.WriteByte('\n')
	}
	content := b.String()
	put(t, w, "big", content)
	commit(t, w)
	a := w.Archive()
	s := must(a.Sources(context.Background()))(t)[0]
	f := a.File(&s, s.Versions[0])
	if st := must(a.Stats(context.Background()))(t); st.Frames < 3 || st.Raw != int64(len(content)) || st.Garbage > 1000 {
		t.Errorf("%+v", st)
	}
	for _, r := range [][2]int{{0, 10}, {1<<20 - 100, 200}, {len(content) - 5, 5}, {1000, 2 << 20}} {
		got := make([]byte, r[1])
		if n, err := f.ReadAt(got, int64(r[0])); n != r[1] || err != nil || string(got) != content[r[0]:r[0]+r[1]] {
			t.Errorf("%v: %d, %v", r, n, err)
		}
	}
	got := make([]byte, 10)
	if n, err := f.ReadAt(got, int64(len(content)-3)); n != 3 || err != io.EOF {
		t.Errorf("over the end: %d, %v", n, err)
	}
	if n, err := f.ReadAt(got, int64(len(content))); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
}

func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	w := newWriter(t, dir)
	if _, err := Write(dir, "here", clock()); !errors.Is(err, ErrBusy) {
		t.Errorf("a second writer gets %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no archive: %v", err)
	}
	put(t, w, "x", "text")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	newWriter(t, dir)
}

func live(size int64) agent.Info { return agent.Info{Size: size, MTime: time.Unix(1_600_000_000, 0)} }

// A pack goes through a decompressor that knows nothing of archives.
func TestPackDecompresses(t *testing.T) {
	dir := t.TempDir()
	w := newWriter(t, dir)
	put(t, w, "a", "one\n")
	commit(t, w)
	put(t, w, "a", "one\ntwo\n")
	put(t, w, "b", "three\n")
	commit(t, w)
	pack := must(os.ReadFile(filepath.Join(dir, packFolder, packName(1))))(t)
	r := must(zstd.NewReader(bytes.NewReader(pack)))(t)
	defer r.Close()
	if got := must(io.ReadAll(r))(t); string(got) != "one\ntwo\nthree\n" {
		t.Errorf("%q", got)
	}
}
