package rootfs_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// held is a file of further ones with its text.
type held struct{ name, text string }

type heldFile struct{ io.ReaderAt }

func (heldFile) Close() error     { return nil }
func (heldFile) Info() agent.Info { return agent.Info{} }

// over shows a folder with further files, each changed a minute after the one before.
func over(dir string, live agent.Root, only bool, files ...held) agent.Root {
	o := rootfs.Overlay{Dir: dir, Live: live, Only: only}
	for i, f := range files {
		info := agent.Info{Mode: 0o600, Size: int64(len(f.text)), MTime: noon.Add(time.Duration(i) * time.Minute), Dev: 7, Ino: uint64(i) + 1, Archived: true}
		o.Extra = append(o.Extra, rootfs.Extra{Name: f.name, Info: info})
	}
	o.Open = func(i int) (agent.File, error) { return heldFile{strings.NewReader(files[i].text)}, nil }
	return o.Root()
}

// tree lists everything below a folder: folders with a slash, further files and made-up
// folders with a star, files with their text.
func tree(t *testing.T, root agent.Root, dir string) []string {
	t.Helper()
	infos, err := root.List(dir)
	if err != nil {
		t.Errorf("listing %q: %v", dir, err)
	}
	var out []string
	for _, i := range infos {
		name, mark := strings.TrimPrefix(dir+"/"+i.Name, "/"), ""
		if i.Archived {
			mark = "*"
		}
		if got, err := root.Lstat(name); err != nil || got != i {
			t.Errorf("%s is listed as %+v and looked at as %+v, %v", name, i, got, err)
		}
		if i.Mode.IsDir() {
			out = append(append(out, name+"/"+mark), tree(t, root, name)...)
			continue
		}
		text, err := content(root, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		out = append(out, name+mark+"="+text)
	}
	return out
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%q, want\n%q", what, got, want)
	}
}

// folder makes a folder of the disk with files, each holding "live".
func folder(t *testing.T, files ...string) agent.Root {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("live"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return opened(t, dir)
}

func opened(t *testing.T, dir string) agent.Root {
	t.Helper()
	root, err := rootfs.Live(dir)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// What is on the disk wins, and the rest is there too.
func TestOverlay(t *testing.T) {
	live := folder(t, "p/a/one.log", "p/a/own.log", "top")
	root := over(live.Dir(), live, false, held{"p/a/one.log", "old"}, held{"p/a/two.log", "2"}, held{"p/b/c/three.log", "3"}, held{"four", "4"})
	same(t, "the folder", tree(t, root, ""), "four*=4", "p/", "p/a/", "p/a/one.log=live", "p/a/own.log=live", "p/a/two.log*=2", "p/b/*", "p/b/c/*", "p/b/c/three.log*=3", "top=live")
	f, err := root.Open("p/a/two.log")
	if err != nil {
		t.Fatal(err)
	}
	if i := f.Info(); !i.Archived || i.Name != "two.log" || i.Size != 1 || !i.MTime.Equal(noon.Add(time.Minute)) || i.Ino != 2 {
		t.Errorf("an open file is %+v", i)
	}
	for _, name := range []string{"none", "p/b/none", "p/none/c/three.log", "four/x"} {
		_, lstat := root.Lstat(name)
		_, open := root.Open(name)
		_, list := root.List(name)
		if !errors.Is(lstat, fs.ErrNotExist) || !errors.Is(open, fs.ErrNotExist) || !errors.Is(list, fs.ErrNotExist) {
			t.Errorf("%s: %v, %v, %v", name, lstat, open, list)
		}
	}
	for name, want := range map[string]string{"p/a/one.log": "p/a/one.log", "p/b/c/three.log": "p/b/c/three.log", "": ""} {
		if real, inside, err := root.Resolve(name); real != want || !inside || err != nil {
			t.Errorf("%s resolves to %s, %v, %v", name, real, inside, err)
		}
	}
	if _, err := root.Open("p/b"); !errors.Is(err, agent.ErrNotRegular) {
		t.Errorf("a made-up folder opens: %v", err)
	}
}

// Nothing of the folder is left.
func TestOverlayOfNothing(t *testing.T) {
	root := over("/gone", nil, false, held{"p/a.log", "a"}, held{"p/b.log", "b"})
	same(t, "the folder", tree(t, root, ""), "p/*", "p/a.log*=a", "p/b.log*=b")
	top, err := root.Stat("")
	again, _ := over("/gone", nil, false, held{"p/a.log", "a"}, held{"p/b.log", "b"}).Stat("")
	if err != nil || !top.Mode.IsDir() || top.Ino == 0 || top != again || !top.MTime.Equal(noon.Add(time.Minute)) || root.Dir() != "/gone" {
		t.Errorf("the folder itself is %+v, then %+v, %v", top, again, err)
	}
	if other, _ := over("/other", nil, false, held{"p/a.log", "a"}).Stat(""); other.Ino == top.Ino {
		t.Error("two folders that are gone are one")
	}
	if real, inside, err := root.Resolve("p/a.log"); real != "p/a.log" || !inside || err != nil {
		t.Errorf("%s, %v, %v", real, inside, err)
	}
	if _, _, err := root.Resolve("p/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// Only what has the name of a further file is shown of the disk.
func TestOverlayOnly(t *testing.T) {
	live := folder(t, "p/a.log", "p/new.log", "q/new.log", "secret.json")
	root := over(live.Dir(), live, true, held{"p/a.log", "old"}, held{"p/gone.log", "2"})
	same(t, "the folder", tree(t, root, ""), "p/", "p/a.log=live", "p/gone.log*=2")
	for _, name := range []string{"secret.json", "p/new.log", "q"} {
		if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is shown: %v", name, err)
		}
		if _, err := root.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s opens: %v", name, err)
		}
	}
}

// A file where the other side has a folder costs neither more than itself.
func TestOverlayFileAndFolder(t *testing.T) {
	live := folder(t, "a", "b/x.log", "c/own.log")
	root := over(live.Dir(), live, false, held{"a/deep/1.log", "1"}, held{"b", "2"}, held{"c/3.log", "3"}, held{"d", "older"}, held{"d/4.log", "4"}, held{"e/5.log", "5"}, held{"e", "newer"})
	same(t, "the folder", tree(t, root, ""), "a=live", "b/", "b/x.log=live", "c/", "c/3.log*=3", "c/own.log=live", "d/*", "d/4.log*=4", "e/*", "e/5.log*=5")
}

// Names are any bytes, but none leads out of the folder.
func TestOverlayNames(t *testing.T) {
	root := over("/gone", nil, false, held{"p/\xff\xfe \n.log", "1"}, held{"../out", "2"}, held{"p/../../out", "3"}, held{"/abs", "4"}, held{"", "5"}, held{"p//a", "6"}, held{"p/./a", "7"}, held{"p/\u00e9", "8"}, held{"p/e\u0301", "9"}, held{"p/.", "10"})
	same(t, "the folder", tree(t, root, ""), "p/*", "p/e\u0301*=9", "p/\u00e9*=8", "p/\xff\xfe \n.log*=1")
}

// Of two files with one name the newer one is shown, whichever comes first.
func TestOverlayTwins(t *testing.T) {
	same(t, "the folder", tree(t, over("/gone", nil, false, held{"a", "older"}, held{"a", "newer"}), ""), "a*=newer")
}

// folding is a disk that takes two spellings of a name for one.
type folding struct{ agent.Root }

// spelt gives a name as it is spelt on the disk.
func (f folding) spelt(name string) string {
	out := ""
	for part := range strings.SplitSeq(name, "/") {
		if infos, err := f.Root.List(out); err == nil {
			for _, i := range infos {
				if strings.EqualFold(i.Name, part) {
					part = i.Name
				}
			}
		}
		out = strings.TrimPrefix(out+"/"+part, "/")
	}
	return out
}

func (f folding) List(name string) ([]agent.Info, error)    { return f.Root.List(f.spelt(name)) }
func (f folding) Lstat(name string) (agent.Info, error)     { return f.Root.Lstat(f.spelt(name)) }
func (f folding) Stat(name string) (agent.Info, error)      { return f.Root.Stat(f.spelt(name)) }
func (f folding) Open(name string) (agent.File, error)      { return f.Root.Open(f.spelt(name)) }
func (f folding) Resolve(name string) (string, bool, error) { return f.Root.Resolve(f.spelt(name)) }

// Where the disk takes two spellings for one, a file is found once, under the name that
// it has there.
func TestOverlayFoldsCase(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/App/One.log", "live", noon)
	files := []held{{"logs/app/one.log", "old"}, {"logs/app/two.log", "2"}, {"LOGS/b/three.log", "3"}}
	same(t, "the folder", tree(t, over("/data", folding{m}, false, files...), ""), "logs/", "logs/App/", "logs/App/One.log=live", "logs/App/two.log*=2", "logs/b/*", "logs/b/three.log*=3")
	same(t, "a disk that tells them apart", tree(t, over("/data", m, false, files...), ""),
		"LOGS/*", "LOGS/b/*", "LOGS/b/three.log*=3", "logs/", "logs/App/", "logs/App/One.log=live", "logs/app/*", "logs/app/one.log*=old", "logs/app/two.log*=2")
	m.File("LOGS/x", "live", noon)
	same(t, "a disk with both", tree(t, over("/data", m, false, files...), "logs/app"), "logs/app/one.log*=old", "logs/app/two.log*=2")
}

// What cannot be looked at on the disk is not replaced by what the archive has of it:
// more may be there.
func TestOverlayOfWhatFails(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("p/a.log", "live", noon)
	m.File("p/b.log", "live", noon)
	m.Fail("p/a.log", fs.ErrPermission)
	m.Special("q", fs.ModeDir)
	m.Fail("q", fs.ErrPermission)
	m.Link("dead", "nowhere")
	m.Special("pipe", fs.ModeNamedPipe)
	root := over("/data", m, false, held{"p/a.log", "old"}, held{"q/c.log", "3"}, held{"dead", "4"}, held{"dead/x", "5"}, held{"pipe", "6"})
	for name, want := range map[string]error{"p/a.log": fs.ErrPermission, "dead": fs.ErrNotExist, "pipe": agent.ErrNotRegular} {
		if _, err := root.Open(name); !errors.Is(err, want) {
			t.Errorf("%s opens with %v, want %v", name, err, want)
		}
	}
	infos, err := root.List("q")
	if !errors.Is(err, fs.ErrPermission) || !slices.Equal(names(infos), []string{"c.log"}) {
		t.Errorf("a folder that cannot be listed: %q, %v", names(infos), err)
	}
	if _, err := root.Stat("dead"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}

// A link of the disk is followed, and further files lie behind it.
func TestOverlayLinks(t *testing.T) {
	live := folder(t, "real/a.log")
	outside := folder(t, "x.log")
	if err := errors.Join(os.Symlink("real", filepath.Join(live.Dir(), "link")), os.Symlink(outside.Dir(), filepath.Join(live.Dir(), "out"))); err != nil {
		t.Skip("Windows lets only some people make links:", err)
	}
	root := over(live.Dir(), live, false, held{"link/b.log", "2"}, held{"out/deep/y.log", "3"})
	infos, err := root.List("link")
	if err != nil || !slices.Equal(names(infos), []string{"a.log", "b.log"}) {
		t.Errorf("%q, %v", names(infos), err)
	}
	if real, inside, err := root.Resolve("link/b.log"); real != "real/b.log" || !inside || err != nil {
		t.Errorf("%s, %v, %v", real, inside, err)
	}
	away, err := filepath.EvalSymlinks(outside.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if real, inside, err := root.Resolve("out/deep/y.log"); real != filepath.Join(away, "deep", "y.log") || inside || err != nil {
		t.Errorf("%s, %v, %v", real, inside, err)
	}
}

// The guard shuts what is private of the further files too, and a walk finds the rest.
func TestOverlayIsGuarded(t *testing.T) {
	live := folder(t, "logs/p/one.log", "state.json")
	root := over(live.Dir(), live, false, held{"logs/p/two.log", "2"}, held{"logs/q/s/tool-results/r.txt", "3"}, held{"secret.json", "4"}, held{"vault/deep/b.log", "5"}, held{"bulk/x", "6"}, held{"logs/p/other", "7"})
	cat := small(t)
	guarded := rootfs.Guard(root, cat, catalog.Data, nil)
	for _, name := range []string{"secret.json", "vault/deep/b.log"} {
		if _, err := guarded.Open(name); !errors.Is(err, agent.ErrPrivate) {
			t.Errorf("%s opens: %v", name, err)
		}
	}
	if _, err := guarded.List("vault"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("the vault is listed: %v", err)
	}
	var found []string
	w := rootfs.Walker{
		Found: func(_ agent.Root, f rootfs.Found) {
			mark := ""
			if f.Info.Archived {
				mark = "*"
			}
			found = append(found, f.Store.ID+" "+f.Name+mark+f.Problem)
		},
		Problem: func(path, reason string, _ catalog.Coverage) { t.Errorf("%s: %s", path, reason) },
	}
	if err := w.Walk(context.Background(), guarded, cat.At(catalog.Data)); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	same(t, "the walk", found, "bulk bulk/*", "log logs/p/one.log", "log logs/p/two.log*", "result logs/q/s/tool-results/r.txt*", "secret secret.json*", "state state.json", "vault vault/*")
}
