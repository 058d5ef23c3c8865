package restore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// file makes a file of an order from its bytes.
func file(name, data string) File {
	return File{Name: name, Size: int64(len(data)), Sum: sha256.Sum256([]byte(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(data)), nil
	}}
}

// tree reads all files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q holds %q, want %q", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, known := want[name]; !known {
			t.Errorf("%s: %q is left", what, name)
		}
	}
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(data), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// both runs a test with the names of this system and with those of systems that can do
// less.
func both(t *testing.T, test func(t *testing.T, js Journals)) {
	for _, plain := range []bool{false, true} {
		t.Run(fmt.Sprintf("plain=%v", plain), func(t *testing.T) {
			test(t, Journals{Dir: filepath.Join(t.TempDir(), "journals"), plain: plain})
		})
	}
}

// A whole family comes back: bytes, modes, and the date of now. Hostile names are names.
func TestPutsBackAll(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		when := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
		js.Now = func() time.Time { return when }
		target := filepath.Join(t.TempDir(), "not", "there", "yet")
		want := map[string]string{
			"projects/-srv-app/s/subagents/agent-1.jsonl": "sub\n",
			"projects/-srv-app/s/tool-results/a b.txt":    strings.Repeat("x", 3<<20),
			"projects/-srv-app/-rf.jsonl":                 "",
			"projects/-srv-app/s.jsonl":                   "one\ntwo\n",
		}
		if runtime.GOOS != "windows" {
			want["projects/$(id);\"'\n/\xff.jsonl"] = "hostile\n"
		}
		var o Order
		o.Target = target
		for name, data := range want {
			o.Files = append(o.Files, file(name, data))
		}
		if err := js.Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		same(t, "target", tree(t, target), want)
		same(t, "journals", tree(t, js.Dir), nil)
		states, err := Look(target, o.Files)
		if err != nil || slices.ContainsFunc(states, func(s State) bool { return s != Same }) {
			t.Errorf("%v, %v", states, err)
		}
		if runtime.GOOS == "windows" {
			return
		}
		for name, mode := range map[string]fs.FileMode{"": 0o700 | fs.ModeDir, "projects/-srv-app/s/subagents": 0o700 | fs.ModeDir, "projects/-srv-app/s.jsonl": 0o600} {
			fi, err := os.Stat(filepath.Join(target, name))
			if err != nil || fi.Mode() != mode || mode.IsRegular() && !fi.ModTime().Equal(when) {
				t.Errorf("%s: %v, %v, %v", name, fi.Mode(), fi.ModTime(), err)
			}
		}
	})
}

func TestLook(t *testing.T) {
	target := t.TempDir()
	for name, data := range map[string]string{"same": "abc", "grown": "abcd", "short": "ab", "other": "abd", "folder/x": ""} {
		write(t, filepath.Join(target, name), data)
	}
	want := map[string]State{"same": Same, "grown": Grown, "short": Other, "other": Other, "folder": Other, "free": Free, "no/such": Free}
	if os.Symlink("nowhere", filepath.Join(target, "broken")) == nil {
		want["broken"] = Other
	}
	for name, state := range want {
		got, err := Look(target, []File{file(name, "abc")})
		if err != nil || got[0] != state {
			t.Errorf("%s: %v, %v, want %v", name, got, err, state)
		}
	}
	if got, err := Look(filepath.Join(target, "missing"), []File{file("x", "")}); err != nil || got[0] != Free {
		t.Errorf("below a folder that is not there: %v, %v", got, err)
	}
}

// Nothing is written elsewhere, whatever the name, and wherever a link leads.
func TestStaysBelowTheTarget(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		dir := t.TempDir()
		target, elsewhere := filepath.Join(dir, "target"), filepath.Join(dir, "elsewhere")
		if err := errors.Join(os.Mkdir(target, 0o700), os.Mkdir(elsewhere, 0o700)); err != nil {
			t.Fatal(err)
		}
		bad := []string{"", ".", "..", "../x", "/etc/x", "a/../b", "a//b", "a/", "./a", "a\x00b"}
		if os.Symlink(elsewhere, filepath.Join(target, "link")) == nil {
			bad = append(bad, "link/x", "link/y/x")
		}
		for _, name := range bad {
			err := js.Run(context.Background(), Order{Target: target, Files: []File{file("good", "g"), file(name, "x")}})
			if err == nil {
				t.Errorf("%q was written", name)
			}
		}
		if _, err := Look(target, []File{file("link/y/x", "x")}); len(bad) > 10 && (!errors.Is(err, ErrOutside) || !strings.HasSuffix(err.Error(), filepath.Join(target, "link"))) {
			t.Errorf("a look behind the link: %v", err)
		}
		_ = os.Remove(filepath.Join(target, "link")) // it may not be there
		same(t, "target", tree(t, target), nil)
		same(t, "elsewhere", tree(t, elsewhere), nil)
		same(t, "journals", tree(t, js.Dir), nil)
	})
}

// A target that is a link is the folder that it leads to.
func TestTargetIsALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(real, 0o700), os.Symlink(real, link)); err != nil {
		t.Skip("Windows lets only some people make links:", err)
	}
	js := Journals{Dir: filepath.Join(dir, "journals")}
	if err := js.Run(context.Background(), Order{Target: link, Files: []File{file("a", "x")}}); err != nil {
		t.Fatal(err)
	}
	same(t, "target", tree(t, real), map[string]string{"a": "x"})
}

// A name that is taken at the last moment stays what it is, and nothing else is left.
func TestNeverOverwrites(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		target := t.TempDir()
		late := file("p/last.jsonl", "last")
		late.Open = func() (io.ReadCloser, error) { // all places were free until now
			write(t, filepath.Join(target, "p", "second.jsonl"), "theirs")
			return io.NopCloser(strings.NewReader("last")), nil
		}
		err := js.Run(context.Background(), Order{Target: target, Files: []File{file("p/s/first", "first"), file("p/second.jsonl", "ours"), late}})
		if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "second.jsonl") {
			t.Errorf("%v", err)
		}
		same(t, "target", tree(t, target), map[string]string{"p/second.jsonl": "theirs"})
		if _, err := os.Stat(filepath.Join(target, "p", "s")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a folder that was made is left: %v", err)
		}
		same(t, "journals", tree(t, js.Dir), nil)
	})
}

// Bytes that are not what they should be are never put back, nor those beside them.
func TestFailsAsAWhole(t *testing.T) {
	wrong := file("b", "abc")
	wrong.Sum[0]++
	short := file("b", "abc")
	short.Size++
	broken := file("b", "abc")
	broken.Open = func() (io.ReadCloser, error) { return nil, errors.New("frame 3 is damaged") }
	ctx, cancel := context.WithCancel(context.Background())
	stopped := file("b", "abc")
	stopped.Open = func() (io.ReadCloser, error) {
		cancel()
		return io.NopCloser(strings.NewReader("abc")), nil
	}
	for what, f := range map[string]File{"another hash": wrong, "another size": short, "unreadable": broken, "stopped": stopped} {
		js := Journals{Dir: filepath.Join(t.TempDir(), "journals")}
		target := t.TempDir()
		if err := js.Run(ctx, Order{Target: target, Files: []File{file("x/a", "a"), f, file("c", "c")}}); err == nil {
			t.Errorf("%s: no error", what)
		}
		same(t, what, tree(t, target), nil)
		same(t, what, tree(t, js.Dir), nil)
	}
}

// Of two runs that put the same back at once one does, and the other says so.
func TestTwoAtOnce(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		for range 20 {
			target := t.TempDir()
			var files []File
			want := map[string]string{}
			for i := range 5 {
				name, data := fmt.Sprintf("p/s/f%d", i), strings.Repeat(fmt.Sprint(i), 1000)
				files, want[name] = append(files, file(name, data)), data
			}
			var all sync.WaitGroup
			errs := make([]error, 2)
			for i := range errs {
				all.Go(func() { errs[i] = js.Run(context.Background(), Order{Target: target, Files: files}) })
			}
			all.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				// Both may meet in the middle; then neither has left anything.
				if errs[0] == nil {
					t.Fatal("both did")
				}
				want = nil
			}
			same(t, fmt.Sprint(errs), tree(t, target), want)
			same(t, "journals", tree(t, js.Dir), nil)
		}
	})
}

// replaced is an order over a file that stands there.
func replaced(t *testing.T, target, name, ours string) Order {
	t.Helper()
	fi, err := os.Stat(filepath.Join(target, name))
	if err != nil {
		t.Fatal(err)
	}
	f := file(name, ours)
	f.Over = fi
	return Order{Target: target, Files: []File{file("companion", "c"), f}}
}

// What an agent writes into a file at the last moment before it gives way is known.
func TestReplaces(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		target := t.TempDir()
		write(t, filepath.Join(target, "a.jsonl"), "old")
		o := replaced(t, target, "a.jsonl", "ours")
		agent, err := os.OpenFile(filepath.Join(target, "a.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer agent.Close()
		var seen []byte
		o.Taken = func(f File, old *os.File) error {
			_, err := agent.WriteString(" and late")
			if err == nil {
				seen, err = io.ReadAll(io.NewSectionReader(old, 0, 1<<20))
			}
			return err
		}
		if err := js.Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(seen, []byte("old and late")) {
			t.Errorf("known: %q", seen)
		}
		same(t, "target", tree(t, target), map[string]string{"companion": "c", "a.jsonl": "ours"})
		same(t, "journals", tree(t, js.Dir), nil)
	})
}

// A file that gives way gets its name back when it cannot be kept, or is not the one
// that was meant.
func TestReplacingFails(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		target := t.TempDir()
		write(t, filepath.Join(target, "a.jsonl"), "old")
		o := replaced(t, target, "a.jsonl", "ours")
		o.Taken = func(File, *os.File) error { return errors.New("no space left") }
		if err := js.Run(context.Background(), o); err == nil {
			t.Error("no error")
		}
		same(t, "target", tree(t, target), map[string]string{"a.jsonl": "old"})

		o = replaced(t, target, "a.jsonl", "ours")
		write(t, filepath.Join(target, "new"), "another")
		if err := os.Rename(filepath.Join(target, "new"), filepath.Join(target, "a.jsonl")); err != nil {
			t.Fatal(err)
		}
		if err := js.Run(context.Background(), o); !errors.Is(err, ErrTaken) {
			t.Errorf("%v", err)
		}
		same(t, "target", tree(t, target), map[string]string{"a.jsonl": "another"})
		same(t, "journals", tree(t, js.Dir), nil)
	})
}

// A run that fails leaves no folder that it made, the target and those above it neither.
func TestFailingLeavesNoTarget(t *testing.T) {
	above := t.TempDir()
	bad := file("p/b", "second")
	bad.Size++
	js := Journals{Dir: filepath.Join(t.TempDir(), "journals")}
	err := js.Run(context.Background(), Order{Target: filepath.Join(above, "new", "target"), Files: []File{file("p/a", "first"), bad}})
	if names, _ := os.ReadDir(above); err == nil || len(names) > 0 {
		t.Errorf("%v; left: %v", err, names)
	}
}
