package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestIdentity(t *testing.T) {
	info := agent.Info{Name: "n", Size: 3, MTime: noon, CTime: noon.Add(time.Second), Dev: 4, Ino: 5}
	want := Identity{Size: 3, MTime: noon.UnixNano(), CTime: noon.UnixNano() + 1e9, Dev: 4, Ino: 5}
	if got := IdentityOf(info); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// Without a change time a link and what it leads to have no number in common.
	info.CTime = time.Time{}
	if got := IdentityOf(info); got != (Identity{Size: 3, MTime: noon.UnixNano()}) {
		t.Errorf("got %+v", got)
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		mtime, ctime time.Duration // before noon
		want         bool
	}{
		{time.Hour, 2 * time.Second, true}, {time.Hour, 2*time.Second - 1, false}, {time.Hour, 0, false}, {time.Hour, -time.Hour, false},
		{0, time.Hour, true}, // the time of the content was set, and long ago
	} {
		id := IdentityOf(agent.Info{MTime: noon.Add(-c.mtime), CTime: noon.Add(-c.ctime)})
		if got := id.settled(noon); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if id := IdentityOf(agent.Info{MTime: noon.Add(-time.Second)}); id.settled(noon) {
		t.Error("without a change time that of the content counts")
	}
	if !(Identity{}).settled(noon) {
		t.Error("what is not there has not changed")
	}
}

// source is one of a root in memory.
func source(m *rootfs.Memory, name string) *agent.Source {
	info, err := m.Stat(name)
	if err != nil {
		panic(err)
	}
	return &agent.Source{Agent: "a", Store: &catalog.Store{ID: "a.s"}, Root: m, Name: name, Path: rootfs.Path(m, name), Info: info, Session: "s"}
}

func TestOnlyTheVerySameSourceIsKnown(t *testing.T) {
	m := &rootfs.Memory{Folder: "/r"}
	m.File("f", "bytes", noon)
	src := source(m, "f")
	s := Open("", "b", "a", nil)
	s.Put(src, Entry{Elsewhere: "cwd", File: IdentityOf(src.Info)}, noon.Add(time.Minute))
	if s.Current(src, "cwd") == nil {
		t.Fatal("it is not known")
	}
	for what, change := range map[string]func(*agent.Source){
		"path": func(s *agent.Source) { s.Path += "x" }, "store": func(s *agent.Source) { s.Store = &catalog.Store{ID: "a.t"} },
		"session": func(s *agent.Source) { s.Session = "t" }, "subagent": func(s *agent.Source) { s.Subagent = "t" },
		"size": func(s *agent.Source) { s.Info.Size++ }, "time": func(s *agent.Source) { s.Info.MTime = noon.Add(1) },
		"change time": func(s *agent.Source) { s.Info.CTime = noon.Add(1) }, "device": func(s *agent.Source) { s.Info.Dev++ }, "inode": func(s *agent.Source) { s.Info.Ino++ },
	} {
		other := *src
		if change(&other); s.Current(&other, "cwd") != nil {
			t.Errorf("known with another %s", what)
		}
	}
	if s.Current(src, "other") != nil {
		t.Error("known with another folder")
	}
	s.Put(src, Entry{File: IdentityOf(src.Info)}, noon.Add(time.Second))
	if len(s.entries) > 0 {
		t.Error("kept although it had just changed")
	}
}

func TestWhatStandsBesideCounts(t *testing.T) {
	m := &rootfs.Memory{Folder: "/r"}
	m.File("f", "bytes", noon)
	m.File("title", "one", noon)
	src := source(m, "f")
	names := []string{"title", "gone"}
	beside, ok := LookBeside(src, names)
	if !ok || beside[0] == (Identity{}) || beside[1] != (Identity{}) {
		t.Fatalf("beside: %+v, %v", beside, ok)
	}
	s := Open("", "b", "a", nil)
	e := Entry{File: IdentityOf(src.Info), Beside: beside}
	e.SetBrief(agent.Brief{})
	s.Put(src, e, noon.Add(time.Minute))
	got := s.Current(src, "")
	if !got.Fits(src, names) {
		t.Error("it does not fit")
	}
	if got.Fits(src, names[:1]) {
		t.Error("it fits fewer names")
	}
	m.File("gone", "come", noon)
	if got.Fits(src, names) {
		t.Error("it fits although a file came")
	}
	if (&Entry{}).Fits(src, nil) {
		t.Error("what has no brief fits")
	}
	// A file beside that has just changed may change again.
	m.File("title", "two", noon.Add(59*time.Second))
	e.Beside, _ = LookBeside(src, names)
	if s.Put(src, e, noon.Add(time.Minute)); len(s.entries) > 0 {
		t.Error("kept although what stands beside had just changed")
	}
	bad := *src
	bad.Root = shutRoot{m}
	if _, ok := LookBeside(&bad, names); ok || got.Fits(&bad, names) {
		t.Error("what cannot be looked at is not missing")
	}
}

// shutRoot lets nothing be looked at.
type shutRoot struct{ agent.Root }

func (shutRoot) Stat(string) (agent.Info, error) { return agent.Info{}, fs.ErrPermission }

func TestKeepDropsWhatIsGone(t *testing.T) {
	m := &rootfs.Memory{Folder: "/r"}
	var srcs []*agent.Source
	s := Open("", "b", "a", nil)
	for _, name := range []string{"f", "g", "h"} {
		m.File(name, name, noon)
		src := source(m, name)
		srcs = append(srcs, src)
		s.Put(src, Entry{File: IdentityOf(src.Info)}, noon.Add(time.Minute))
	}
	s.changed = false
	elsewhere := func(*agent.Source) string { return "" }
	if s.Keep(srcs, elsewhere); s.changed || len(s.entries) != 3 {
		t.Error("nothing was to change")
	}
	srcs[1].Info.Size++
	if s.Keep(srcs[:2], elsewhere); !s.changed || len(s.entries) != 1 || s.entries["/r/f"] == nil {
		t.Errorf("kept: %v", s.entries)
	}
}

// A shelf is settled where every entry was asked for and every brief counted.
func TestShelfIsSettled(t *testing.T) {
	dir, m := t.TempDir(), &rootfs.Memory{Folder: "/r"}
	s := Open(dir, "b", "a", nil)
	for _, name := range []string{"f", "g"} {
		m.File(name, name, noon)
		e := Entry{File: IdentityOf(source(m, name).Info)}
		if name == "f" {
			e.SetBrief(agent.Brief{})
		}
		s.Put(source(m, name), e, noon.Add(time.Minute))
	}
	s.Current(source(m, "f"), "")
	s.Current(source(m, "g"), "")
	if s.Settled(1) {
		t.Error("settled before it was written")
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	s = Open(dir, "b", "a", nil)
	s.Current(source(m, "f"), "")
	if s.Settled(1) {
		t.Error("settled with a source that nobody asked for")
	}
	s.Current(source(m, "g"), "another")
	if s.Settled(1) {
		t.Error("settled with a source that is another now")
	}
	if s.Current(source(m, "g"), ""); !s.Settled(1) || s.Settled(0) || s.Settled(2) {
		t.Error("one brief is there")
	}
}

func TestHeadsOnly(t *testing.T) {
	m := &rootfs.Memory{Folder: "/r"}
	s := Open("", "b", "a", nil)
	for _, name := range []string{"f", "g"} {
		m.File(name, name, noon)
		e := Entry{File: IdentityOf(source(m, name).Info), Marks: []agent.Marked{{}}}
		e.SetBrief(agent.Brief{Head: agent.Head{CWD: name}, IDs: []uint64{1}})
		s.Put(source(m, name), e, noon.Add(time.Minute))
	}
	s.HeadsOnly(func(path string) bool { return path == "/r/f" })
	f, g := s.entries["/r/f"], s.entries["/r/g"]
	if f.Brief != nil || f.Marks != nil || f.count() > 0 || f.Head.CWD != "f" || g.Brief == nil || g.Marks == nil || g.count() != 1 {
		t.Errorf("kept %+v and %+v", f, g)
	}
}

func TestShelvesAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	m := &rootfs.Memory{Folder: "/r"}
	m.File("f", "bytes", noon)
	src := source(m, "f")
	s := Open(dir, "b", "agent", []string{"/r"})
	if err := s.Save(); err != nil || len(files(t, dir)) > 0 {
		t.Fatalf("nothing was to be written: %v", err)
	}
	s.Put(src, Entry{File: IdentityOf(src.Info)}, noon.Add(time.Minute))
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	if len(files(t, dir)) != 1 {
		t.Errorf("files: %q", files(t, dir))
	}
	for what, other := range map[string]*Shelf{
		"build": Open(dir, "c", "agent", []string{"/r"}), "agent": Open(dir, "b", "other", []string{"/r"}), "roots": Open(dir, "b", "agent", []string{"/r", "/q"}),
	} {
		if len(other.entries) > 0 {
			t.Errorf("another %s has the same shelf", what)
		}
	}
	if Open(dir, "b", "agent", []string{"/r"}).Current(src, "") == nil {
		t.Error("it was not kept")
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestWhatCannotBeWrittenLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Open(filepath.Join(dir, "file"), "b", "a", nil)
	s.changed = true
	if s.Save() == nil {
		t.Error("written below a file")
	}
	s = Open(dir, "b", "a", nil)
	if err := os.MkdirAll(filepath.Join(s.file, "x"), 0o700); err != nil { // a folder that holds something is not replaced
		t.Fatal(err)
	}
	s.changed = true
	if s.Save() == nil {
		t.Error("written over a folder")
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("left behind: %q", got)
	}
}

// What seshat wrote and nobody will use goes; what anybody else may have written
// stays, however old it is.
func TestSweepRemovesOnlyWhatSeshatWrote(t *testing.T) {
	dir, shelf := t.TempDir(), "a-0123456789abcdef.cache"
	write := func(name, data string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(data), 0o600), os.Chtimes(path, noon.Add(-age), noon.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	const day = 24 * time.Hour
	write("new-1", magic+"x", 2*time.Hour)
	write("new-2", magic+"x", time.Minute)
	write("new-3", "another program's", 2*time.Hour)
	write("new-idea.jsonl", magic, 2*time.Hour)
	write("new-4.txt", magic, 2*time.Hour)
	write(shelf, magic, 100*day)
	write("b-0123456789abcdef.cache", magic, 80*day)
	write("c-0123456789abcdef.cache", "another program's", 100*day)
	write("d-0123456789abcde.cache", magic, 100*day)
	write("talk.cache", magic, 100*day)
	write("other", magic, 1000*day)
	sweep(dir, noon)
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := "[b-0123456789abcdef.cache c-0123456789abcdef.cache d-0123456789abcde.cache new-2 new-3 new-4.txt new-idea.jsonl other talk.cache]"
	if fmt.Sprint(left) != want {
		t.Errorf("left: %v, want %s", left, want)
	}
}

// A folder for the shelves that is a link is not followed, wherever it leads.
func TestShelvesBehindALinkAreNotUsed(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	if err := os.Symlink(other, Folder(dir)); err != nil {
		t.Skip("Windows lets only some people make links:", err)
	}
	s := Open(dir, "b", "a", nil)
	s.changed = true
	if err := s.Save(); err != nil || s.file != "" {
		t.Errorf("%q: %v", s.file, err)
	}
	if entries, _ := os.ReadDir(other); len(entries) > 0 {
		t.Errorf("written: %v", entries)
	}
}
