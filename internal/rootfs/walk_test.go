package rootfs_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// walked is what a walk reported: "store name" with ": problem" where there is
// one, and paths.
type walked struct{ found, problems []string }

func walk(t *testing.T, cat *catalog.Catalog, roots ...agent.Root) walked {
	t.Helper()
	var got walked
	w := rootfs.Walker{
		Found: func(_ agent.Root, f rootfs.Found) {
			line := f.Store.ID + " " + f.Name
			if f.Problem != "" {
				line += ": " + f.Problem
			}
			got.found = append(got.found, line)
		},
		Problem: func(path, reason string, _ catalog.Coverage) { got.problems = append(got.problems, path+": "+reason) },
	}
	for _, root := range roots {
		soon(t, "the walk", func() {
			if err := w.Walk(context.Background(), root, cat.At(catalog.Data)); err != nil {
				t.Errorf("the walk ends with %v", err)
			}
		})
	}
	slices.Sort(got.found)
	return got
}

// check compares what was found, whatever its order, and that nothing was wrong.
func (got walked) check(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got.found, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got.found, "\n\t"), strings.Join(want, "\n\t"))
	}
	if len(got.problems) > 0 {
		t.Errorf("problems: %q", got.problems)
	}
}

func TestWalkFindsFilesOfRows(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	for _, name := range []string{
		"logs/p/s.log", "logs/p/other.txt", "logs/p/s/deep/er/x.side", "logs/p/s/tool-results/r.txt",
		"state.json", "secret.json", "keys-a.json", "stray.json",
	} {
		m.File(name, "", noon)
	}
	got := walk(t, small(t), m)
	got.check(t, "log logs/p/s.log", "side logs/p/s/deep/er/x.side", "result logs/p/s/tool-results/r.txt",
		"state state.json", "secret secret.json", "secret keys-a.json")
}

func TestWalkRealNameWinsOverLink(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/z/real.log", "", noon)
	m.Link("logs/a", "logs/z")                    // a folder, sorted before the real one
	m.Link("logs/z/again.log", "logs/z/real.log") // a file
	walk(t, small(t), m).check(t, "log logs/z/real.log")
}

func TestWalkFollowsLinkToFileOnce(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("elsewhere/file", "", noon)
	m.Link("logs/p/one.log", "elsewhere/file")
	m.Link("logs/p/two.log", "elsewhere/file")
	walk(t, small(t), m).check(t, "log logs/p/one.log")
}

func TestWalkFollowsLinkToFolderOnce(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("elsewhere/a.log", "", noon)
	m.File("elsewhere/b.log", "", noon)
	m.Link("logs/one", "elsewhere")
	m.Link("logs/two", "elsewhere")
	m.Link("logs/three", "logs/one")
	walk(t, small(t), m).check(t, "log logs/one/a.log", "log logs/one/b.log")
}

func TestWalkEndsLinkLoops(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s.log", "", noon)
	m.Link("logs/up", "")
	m.Link("logs/logs", "logs")
	m.Link("logs/p/self", "logs/p")
	m.Link("logs/p/s/deep", "logs/p/s")
	walk(t, small(t), m).check(t, "log logs/p/s.log")
}

// A link to a project folder that leads nowhere could have led to sessions, so the
// walk says so. One that leads round in a circle hides nothing.
func TestWalkReportsLinkedFolderThatLeadsNowhere(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s.log", "", noon)
	m.Link("logs/x", "logs/y")
	m.Link("logs/y", "logs/x")
	m.Link("logs/z", "unmounted")
	got := walk(t, small(t), m)
	if want := []string{"log logs/p/s.log"}; !slices.Equal(got.found, want) {
		t.Errorf("found %q, want %q", got.found, want)
	}
	if want := []string{"/data/logs/z: is a link that leads nowhere"}; !slices.Equal(got.problems, want) {
		t.Errorf("problems: %q, want %q", got.problems, want)
	}
}

// nameless hides identities, as a platform without them does.
type nameless struct{ agent.Root }

func (n nameless) Stat(name string) (agent.Info, error) {
	info, err := n.Root.Stat(name)
	info.Dev, info.Ino = 0, 0
	return info, err
}

func TestWalkEndsLoopsWithoutIdentities(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s.log", "", noon)
	m.Link("logs/p/self", "logs/p")
	got := walk(t, small(t), nameless{m})
	if !slices.Contains(got.found, "log logs/p/s.log") {
		t.Errorf("found %q", got.found)
	}
}

func TestWalkLinkThatLeadsNowhere(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.Link("logs/p/s.log", "gone")
	m.Link("state.json", "gone")
	walk(t, small(t), m).check(t, "log logs/p/s.log: is a link that leads nowhere", "state state.json")
}

// stuck refuses to tell where a link leads.
type stuck struct{ agent.Root }

func (s stuck) Stat(name string) (agent.Info, error) {
	if name == "logs/p" {
		return agent.Info{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
	}
	return s.Root.Stat(name)
}

// Law 3: a link to a project folder that may not be looked at could hold
// sessions, so the walk says so.
func TestWalkReportsLinkedFolderThatCannotBeLookedAt(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("elsewhere/s.log", "", noon)
	m.Link("logs/p", "elsewhere")
	got := walk(t, small(t), stuck{m})
	if want := []string{"/data/logs/p: permission denied"}; !slices.Equal(got.problems, want) {
		t.Errorf("problems: %q, want %q", got.problems, want)
	}
}

func TestWalkDoesNotFollowLinksInToolResults(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("elsewhere/x.txt", "", noon)
	m.File("logs/p/s/tool-results/a.txt", "", noon)
	m.Link("logs/p/s/tool-results/b.txt", "elsewhere/x.txt")
	m.Link("logs/p/s/tool-results/sub", "elsewhere")
	m.Link("logs/p/r/tool-results", "elsewhere")
	m.Special("logs/p/r", fs.ModeDir)
	walk(t, small(t), m).check(t, "result logs/p/s/tool-results/a.txt",
		"result logs/p/s/tool-results/b.txt: a link is not followed here")
}

// A folder that is one row is counted and not listed; a private one no less.
func TestWalkDoesNotListWholeFolders(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("vault/inner/key.log", "", noon)
	m.File("bulk/inner/a.log", "", noon)
	m.File("ignored/inner/a.log", "", noon)
	for _, name := range []string{"vault", "vault/inner", "bulk", "bulk/inner", "ignored", "ignored/inner"} {
		m.Fail(name, errors.New("was listed"))
	}
	for _, name := range []string{"vault/inner/key.log", "bulk/inner/a.log", "ignored/inner/a.log"} {
		m.Fail(name, errors.New("was opened"))
	}
	walk(t, small(t), m).check(t, "vault vault/", "bulk bulk/")
}

// Law 2: a private folder is not listed by another name either.
func TestWalkDoesNotListPrivateFoldersThroughLinks(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("vault/key.log", "", noon)
	m.Fail("vault", errors.New("was listed"))
	m.Link("logs/p", "vault")
	walk(t, small(t), rootfs.Guard(m, small(t), catalog.Data, nil)).check(t, "vault vault/")
}

func TestWalkCountsLinksToPrivateByName(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("elsewhere/key.log", "", noon)
	m.Fail("elsewhere", errors.New("was listed"))
	m.Link("secret.json", "elsewhere/key.log")
	m.Link("vault", "elsewhere")
	m.Link("bulk", "elsewhere")
	walk(t, small(t), m).check(t, "secret secret.json", "vault vault/", "bulk bulk/")
}

// A private folder is entered along the path that a more literal row names, and
// a folder that is one row is found there.
func TestWalkEntersPrivateFolderAlongNamedRows(t *testing.T) {
	cat := rows(t,
		catalog.Store{ID: "app", Paths: []string{"app/"}, Format: catalog.Directory, Coverage: catalog.Private},
		catalog.Store{ID: "meta", Paths: []string{"app/tasks/<org>/local_<id>.json"}, Format: catalog.JSON, Coverage: catalog.Catalogue},
		catalog.Store{ID: "cowork", Paths: []string{"app/tasks/<org>/local_<id>/.data/"}, Format: catalog.Directory, Coverage: catalog.Catalogue})
	m := &rootfs.Memory{Folder: "/data"}
	m.File("app/cookies/key", "", noon)
	m.File("app/token", "", noon)
	m.File("app/tasks/o/local_1.json", "", noon)
	m.File("app/tasks/o/local_1/.data/logs/x", "", noon)
	m.File("app/tasks/o/local_1/token", "", noon)
	for _, name := range []string{"app", "app/cookies", "app/tasks/o/local_1", "app/tasks/o/local_1/.data"} {
		m.Fail(name, errors.New("was listed"))
	}
	walk(t, cat, m).check(t, "app app/", "meta app/tasks/o/local_1.json", "cowork app/tasks/o/local_1/.data/")
}

func TestWalkFolderWhereAFileIsExpected(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s.log/inner", "", noon)
	m.File("state.json/inner", "", noon)
	m.Special("logs/p/t.log", fs.ModeDir)
	walk(t, small(t), m).check(t, "log logs/p/s.log/: is a folder, not a file", "log logs/p/t.log/: is a folder, not a file",
		"state state.json/")
}

func TestWalkSpecialFiles(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.Special("logs/p/a.log", fs.ModeNamedPipe)
	m.Special("logs/p/b.log", fs.ModeSocket)
	m.Special("logs/p/c.log", fs.ModeDevice)
	m.Special("secret.json", fs.ModeNamedPipe)
	walk(t, small(t), m).check(t, "log logs/p/a.log: is a FIFO, not a file", "log logs/p/b.log: is a socket, not a file",
		"log logs/p/c.log: is a device, not a file", "secret secret.json")
}

// Some agents lock with a folder.
func TestWalkCountsEmptyFolderOfALockRow(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.Special("locks/history.lock", fs.ModeDir)
	m.File("locks/plain.lock", "", noon)
	walk(t, small(t), m).check(t, "locks locks/history.lock/", "locks locks/plain.lock")
}

func TestWalkFaultCostsOnlyItself(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/bad/s.log", "", noon)
	m.File("logs/good/s.log", "", noon)
	m.Fail("logs/bad", &fs.PathError{Op: "list", Path: "logs/bad", Err: fs.ErrPermission})
	got := walk(t, small(t), m)
	if want := []string{"log logs/good/s.log"}; !slices.Equal(got.found, want) {
		t.Errorf("found %q, want %q", got.found, want)
	}
	if want := []string{"/data/logs/bad: permission denied"}; !slices.Equal(got.problems, want) {
		t.Errorf("problems: %q, want %q", got.problems, want)
	}
}

func TestWalkTooDeep(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s/"+strings.Repeat("d/", 100)+"x.side", "", noon)
	m.File("logs/p/t/"+strings.Repeat("d/", 20)+"y.side", "", noon)
	got := walk(t, small(t), m)
	if want := []string{"side logs/p/t/" + strings.Repeat("d/", 20) + "y.side"}; !slices.Equal(got.found, want) {
		t.Errorf("found %q, want %q", got.found, want)
	}
	if len(got.problems) != 1 || !strings.Contains(got.problems[0], "too many folders") {
		t.Errorf("problems: %q", got.problems)
	}
}

func TestWalkStopsWhenCancelled(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s.log", "", noon)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := rootfs.Walker{
		Found:   func(_ agent.Root, f rootfs.Found) { t.Errorf("found %s", f.Name) },
		Problem: func(path, reason string, _ catalog.Coverage) { t.Errorf("%s: %s", path, reason) },
	}
	if err := w.Walk(ctx, m, small(t).At(catalog.Data)); !errors.Is(err, context.Canceled) {
		t.Errorf("the walk ends with %v", err)
	}
}

// Folders are listed ahead where they are many: each once, and none that a walk would
// not list.
func TestWalkOfManyFolders(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	var want []string
	for p := range 40 {
		for s := range 3 {
			name := fmt.Sprintf("logs/p%02d/s%d", p, s)
			m.File(name+".log", "", noon)
			m.File(name+"/deep/x.side", "", noon)
			want = append(want, "log "+name+".log", "side "+name+"/deep/x.side")
		}
	}
	m.File("logs/.git/config.log", "", noon)
	m.File("vault/a/key.log", "", noon)
	m.File("bulk/a/b.log", "", noon)
	for i, name := range []string{"vault", "vault/a", "bulk", "bulk/a", "ignored", "logs/.git"} {
		m.File(fmt.Sprintf("ignored/a/%d.log", i), "", noon)
		m.Fail(name, errors.New("was listed"))
	}
	m.Fail("logs/p07", fs.ErrPermission)
	want = slices.DeleteFunc(want, func(s string) bool { return strings.Contains(s, "/p07/") })
	got := walk(t, small(t), rootfs.Guard(m, small(t), catalog.Data, nil))
	if len(got.problems) != 1 || !strings.Contains(got.problems[0], "p07") {
		t.Errorf("problems: %q", got.problems)
	}
	got.problems = nil
	got.check(t, append(want, "vault vault/", "bulk bulk/")...)
}
