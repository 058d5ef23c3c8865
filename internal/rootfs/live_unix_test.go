//go:build unix

package rootfs_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

func liveRoot(t *testing.T, dir string) agent.Root {
	t.Helper()
	root, err := rootfs.Live(dir)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// refused checks that a name is refused as not regular, at once.
func refused(t *testing.T, root agent.Root, name string) {
	t.Helper()
	soon(t, "opening "+name, func() {
		f, err := root.Open(name)
		if err == nil {
			f.Close()
			t.Errorf("%s was opened", name)
			return
		}
		if !errors.Is(err, agent.ErrNotRegular) {
			t.Errorf("%s: error %v, want %v", name, err, agent.ErrNotRegular)
		}
	})
}

func TestLiveOpensRegularFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "a\xff b")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("0123456789"), 0o640); err != nil {
		t.Skip("this file system refuses the name, as that of macOS refuses what is not UTF-8:", err)
	}
	stamp := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(path, stamp, stamp); err != nil {
		t.Fatal(err)
	}
	root := liveRoot(t, dir+"/")
	if root.Dir() != dir {
		t.Errorf("Dir is %q, want %q", root.Dir(), dir)
	}
	f, err := root.Open("sub/a\xff b")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info := f.Info()
	if info.Name != "a\xff b" || info.Size != 10 || !info.Mode.IsRegular() || !info.MTime.Equal(stamp) {
		t.Errorf("Info is %+v", info)
	}
	part := make([]byte, 4)
	if n, err := f.ReadAt(part, 3); n != 4 || err != nil || string(part) != "3456" {
		t.Errorf("ReadAt gives %q, %v", part[:n], err)
	}
	if n, err := f.ReadAt(part, 8); n != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("ReadAt across the end gives %d, %v", n, err)
	}
	stat, err := root.Stat("sub/a\xff b")
	if err != nil || stat.Ino != info.Ino || stat.Dev != info.Dev {
		t.Errorf("Stat gives %+v, %v, not the identity of the open file %+v", stat, err, info)
	}
}

func TestLiveRefusesFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip("not every file system has FIFOs:", err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root := liveRoot(t, dir)
	refused(t, root, "pipe")
	refused(t, root, "link")
}

func TestLiveRefusesDevices(t *testing.T) {
	refused(t, liveRoot(t, "/dev"), "null")
}

func TestLiveRefusesSockets(t *testing.T) {
	// A short path: the name of a socket has little room.
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		t.Skip("a sandbox may forbid sockets:", err)
	}
	defer l.Close()
	refused(t, liveRoot(t, dir), "sock")
}

func TestLiveRefusesFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	root := liveRoot(t, dir)
	refused(t, root, "sub")
	refused(t, root, "")
}

func TestLiveMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := rootfs.Live(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rootfs.Live(file); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file in the place of a folder gives %v", err)
	}
	root := liveRoot(t, dir)
	if err := os.Symlink("gone", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"none", "none/none", "dangling"} {
		if _, err := root.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opening %s gives %v", name, err)
		}
		if _, err := root.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Stat of %s gives %v", name, err)
		}
	}
	if info, err := root.Lstat("dangling"); err != nil || info.Mode&fs.ModeSymlink == 0 {
		t.Errorf("Lstat of a dangling link gives %+v, %v", info, err)
	}
	if _, err := root.List("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("listing a missing folder gives %v", err)
	}
}

func TestLiveList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a", "B", "é"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	infos, err := liveRoot(t, dir).List("")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, info := range infos {
		names = append(names, info.Name)
		if isLink := info.Mode&fs.ModeSymlink != 0; isLink != (info.Name == "link") {
			t.Errorf("%s has mode %v", info.Name, info.Mode)
		}
	}
	if !slices.IsSorted(names) || len(names) < 4 {
		t.Errorf("the names are %q", names)
	}
}

// A link may lead out of the root to a file of the same sort, but neither to what
// another agent keeps private nor to a file of any other sort.
func TestGuardOfLinksThatLeadOutside(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"data/logs/p/fine.log":   "elsewhere/other.log",
		"data/logs/p/theirs.log": "elsewhere/theirs.log",
		"data/logs/p/odd.log":    "elsewhere/shadow",
		"data/logs/linked":       "elsewhere",
		"data/logs/closed":       "closed",
	} {
		link, target := filepath.Join(dir, name), filepath.Join(dir, to)
		for _, folder := range []string{filepath.Dir(link), filepath.Join(dir, "elsewhere"), filepath.Join(dir, "closed")} {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if filepath.Base(to) != to {
			if err := os.WriteFile(target, []byte("text"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	private := func(path string, _ bool) bool {
		return path == filepath.Join(dir, "elsewhere", "theirs.log") || path == filepath.Join(dir, "closed")
	}
	root := rootfs.Guard(liveRoot(t, filepath.Join(dir, "data")), small(t), catalog.Data, private)
	for _, name := range []string{"logs/p/fine.log", "logs/linked/other.log"} {
		if got, err := content(root, name); got != "text" || err != nil {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"logs/p/theirs.log", "logs/linked/theirs.log"} {
		if got, err := content(root, name); !errors.Is(err, agent.ErrPrivate) {
			t.Errorf("%s, which is private to another agent, holds %q, %v", name, got, err)
		}
	}
	if got, err := content(root, "logs/p/odd.log"); err == nil {
		t.Errorf("logs/p/odd.log, a link to a file called shadow, holds %q", got)
	}
	if infos, err := root.List("logs/closed"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("a linked folder that is private to another agent lists %q, %v", names(infos), err)
	}
	if infos, err := root.List("logs/linked"); err != nil || len(infos) != 3 {
		t.Errorf("a linked folder lists %q, %v", names(infos), err)
	}
}

// Reading takes what is in memory first; that must not show.
func TestLiveReadAt(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := liveRoot(t, dir).Open("f")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		off  int64
		size int
		want string
		err  error
	}{{0, 10, "0123456789", nil}, {3, 4, "3456", nil}, {8, 4, "89", io.EOF}, {10, 1, "", io.EOF}, {50, 3, "", io.EOF}, {4, 0, "", nil}} {
		b := make([]byte, c.size)
		if n, err := f.ReadAt(b, c.off); string(b[:n]) != c.want || err != c.err {
			t.Errorf("%d bytes at %d: %q, %v; want %q, %v", c.size, c.off, b[:n], err, c.want, c.err)
		}
	}
	if n, err := f.ReadAt(make([]byte, 1), -1); n != 0 || err == nil {
		t.Errorf("before the start: %d, %v", n, err)
	}
	f.Close()
	if n, err := f.ReadAt(make([]byte, 1), 0); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("a closed file: %d, %v", n, err)
	}
}

// What was a file when its folder was listed is not looked at again before it is opened.
// What has taken its place is opened under the same rules all the same.
func TestOpenOfWhatWasListed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"secret.json", "logs/p/file.log", "logs/p/link.log", "logs/p/pipe.log", "logs/p/folder.log", "logs/p/gone.log", "logs/p/inner.log"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := rootfs.Guard(liveRoot(t, dir), small(t), catalog.Data, nil)
	if _, err := root.List("logs/p"); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, "logs", "p", name) }
	for _, name := range []string{"link.log", "pipe.log", "folder.log", "gone.log", "inner.log"} {
		if err := os.Remove(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(os.Symlink(filepath.Join(dir, "secret.json"), at("link.log")), os.Symlink("file.log", at("inner.log")),
		os.Mkdir(at("folder.log"), 0o700), syscall.Mkfifo(at("pipe.log"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"file.log": nil, "inner.log": nil, "link.log": agent.ErrPrivate, "gone.log": fs.ErrNotExist, "folder.log": agent.ErrNotRegular, "pipe.log": agent.ErrNotRegular,
	} {
		soon(t, "opening "+name, func() {
			f, err := root.Open("logs/p/" + name)
			if !errors.Is(err, want) {
				t.Errorf("%s: error %v, want %v", name, err, want)
			}
			if err == nil {
				f.Close()
			}
		})
	}
}

// A listing tells of each name what looking at it tells.
func TestListTellsWhatALookTells(t *testing.T) {
	dir := t.TempDir()
	err := errors.Join(os.WriteFile(filepath.Join(dir, "file"), []byte("123"), 0o640), os.Mkdir(filepath.Join(dir, "folder"), 0o750),
		os.Symlink("file", filepath.Join(dir, "link")), os.Symlink("nowhere", filepath.Join(dir, "dead")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
		os.WriteFile(filepath.Join(dir, "odd"), nil, 0o600), os.Chmod(filepath.Join(dir, "odd"), 0o4755), os.Chmod(filepath.Join(dir, "folder"), fs.ModeSticky|fs.ModeSetgid|0o750))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100 { // more than one core looks at
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%02d", n)), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := liveRoot(t, dir)
	infos, err := root.List("")
	if err != nil || len(infos) != 106 {
		t.Fatalf("%d names, %v", len(infos), err)
	}
	for _, got := range infos {
		if want, err := root.Lstat(got.Name); err != nil || got != want {
			t.Errorf("%s is listed as %+v, a look gives %+v, %v", got.Name, got, want, err)
		}
	}
	if _, err := root.List("file"); err == nil {
		t.Error("a file is listed")
	}
}

// A folder that has become a link since the one it is in was listed is listed as a link
// is, and so is what is in it opened.
func TestListOfWhatWasAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"vault/key.log", "logs/p/a.log", "logs/q/a.log"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	root := rootfs.Guard(liveRoot(t, dir), small(t), catalog.Data, nil)
	if _, err := root.List("logs"); err != nil {
		t.Fatal(err)
	}
	if infos, err := root.List("logs/q"); err != nil || len(infos) != 1 {
		t.Fatalf("%+v, %v", infos, err)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "logs", "p")), os.Symlink(filepath.Join(dir, "vault"), filepath.Join(dir, "logs", "p"))); err != nil {
		t.Fatal(err)
	}
	if infos, err := root.List("logs/p"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("a link to a private folder is listed as %+v, %v", infos, err)
	}
	if f, err := root.Open("logs/p/key.log"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("behind a link to a private folder %v is opened, %v", f, err)
	}
}
