package rootfs_test

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// soon fails the test when what it runs blocks.
func soon(t *testing.T, what string, run func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
		t.Fatalf("%s blocks", what)
	}
}

// content reads a whole file of a root.
func content(root agent.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, 0, f.Info().Size))
	return string(b), err
}

func names(infos []agent.Info) []string {
	var out []string
	for _, info := range infos {
		out = append(out, info.Name)
	}
	return out
}

func TestMemoryFiles(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("a/b/c.txt", "hello", noon)
	m.File("a/z", "", noon)
	m.Special("a/pipe", fs.ModeNamedPipe)
	if got, err := content(m, "a/b/c.txt"); got != "hello" || err != nil {
		t.Errorf("the file holds %q, %v", got, err)
	}
	for name, want := range map[string][]string{"": {"a"}, "a": {"b", "pipe", "z"}, "a/b": {"c.txt"}} {
		if infos, err := m.List(name); err != nil || !slices.Equal(names(infos), want) {
			t.Errorf("%q lists %q, %v; want %q", name, names(infos), err, want)
		}
	}
	if _, err := m.Open("a/pipe"); !errors.Is(err, agent.ErrNotRegular) {
		t.Errorf("opening a FIFO gives %v", err)
	}
	if _, err := m.Open("a/b"); !errors.Is(err, agent.ErrNotRegular) {
		t.Errorf("opening a folder gives %v", err)
	}
	for _, name := range []string{"x", "a/x", "a/b/c.txt/d"} {
		if _, err := m.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opening %s gives %v", name, err)
		}
	}
	if info, err := m.Stat("a/b/c.txt"); err != nil || info.Name != "c.txt" || info.Size != 5 || !info.MTime.Equal(noon) {
		t.Errorf("Stat gives %+v, %v", info, err)
	}
}

func TestMemoryLinks(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("real/file", "text", noon)
	m.Link("file", "real/file")
	m.Link("folder", "real")
	m.Link("chain", "folder")
	m.Link("dangling", "nowhere")
	for _, name := range []string{"file", "folder/file", "chain/file"} {
		if got, err := content(m, name); got != "text" || err != nil {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	real, err := m.Stat("real/file")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Stat("chain/file"); err != nil || got.Dev != real.Dev || got.Ino != real.Ino {
		t.Errorf("a file reached by links has the identity %+v, not %+v", got, real)
	}
	if info, err := m.Lstat("chain"); err != nil || info.Mode&fs.ModeSymlink == 0 || info.Name != "chain" {
		t.Errorf("Lstat gives %+v, %v", info, err)
	}
	if info, err := m.Lstat("chain/file"); err != nil || !info.Mode.IsRegular() {
		t.Errorf("Lstat behind a link gives %+v, %v", info, err)
	}
	if infos, err := m.List("chain"); err != nil || !slices.Equal(names(infos), []string{"file"}) {
		t.Errorf("a linked folder lists %q, %v", names(infos), err)
	}
	if _, err := m.Open("dangling"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening a dangling link gives %v", err)
	}
}

func TestMemoryLinkLoopsEnd(t *testing.T) {
	m := &rootfs.Memory{}
	m.Link("self", "self")
	m.Link("a", "b")
	m.Link("b", "a")
	for _, name := range []string{"self", "a", "b", "a/x"} {
		if _, err := m.Open(name); err == nil {
			t.Errorf("%s was opened", name)
		}
		if _, err := m.Stat(name); err == nil {
			t.Errorf("%s leads somewhere", name)
		}
	}
	// A folder that holds a link to itself ends too, however deep it is entered.
	m.File("dir/file", "text", noon)
	m.Link("dir/up", "dir")
	if got, err := content(m, "dir/up/up/up/file"); got != "text" || err != nil {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func TestMemoryFaults(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("folder/file", "text", noon)
	m.File("other", "fine", noon)
	fault := errors.New("fault")
	m.Fail("folder", fault)
	m.Fail("folder/file", fault)
	if _, err := m.Open("folder/file"); !errors.Is(err, fault) {
		t.Errorf("opening gives %v", err)
	}
	if _, err := m.List("folder"); !errors.Is(err, fault) {
		t.Errorf("listing gives %v", err)
	}
	if got, err := content(m, "other"); got != "fine" || err != nil {
		t.Errorf("the other file holds %q, %v", got, err)
	}
}

func TestMemoryZeroValueIsAnEmptyFolder(t *testing.T) {
	var m rootfs.Memory
	if infos, err := m.List(""); err != nil || len(infos) != 0 {
		t.Errorf("the zero Memory lists %q, %v; want an empty folder", names(infos), err)
	}
}

// Info.Name is the last component, for an open file as for any other.
func TestMemoryOpenFileNamesItsLastComponent(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("a/b.txt", "", noon)
	f, err := m.Open("a/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Info().Name; got != "b.txt" {
		t.Errorf("the open file is called %q, want b.txt", got)
	}
}

// What stands in one root is never taken for what stands in another.
func TestMemoryRootsHaveIdentitiesOfTheirOwn(t *testing.T) {
	one, two := &rootfs.Memory{Folder: "/one"}, &rootfs.Memory{Folder: "/two"}
	one.File("file", "1", noon)
	two.File("file", "2", noon)
	a, errA := one.Stat("file")
	b, errB := two.Stat("file")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if a.Dev == b.Dev && a.Ino == b.Ino {
		t.Errorf("two files in two roots share the identity %d:%d", a.Dev, a.Ino)
	}
}

func TestMemoryRewrittenFileSharesNoIdentity(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("a", "", noon)
	m.File("b", "", noon)
	m.File("a", "again", noon)
	m.File("c", "", noon)
	seen := map[uint64]string{}
	for _, name := range []string{"", "a", "b", "c"} {
		info, err := m.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[info.Ino]; ok {
			t.Errorf("%q and %q share the inode %d", other, name, info.Ino)
		}
		seen[info.Ino] = name
	}
}
