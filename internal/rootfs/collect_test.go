package rootfs_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// below shows a folder of a root as a root of its own: the same files under
// another name.
type below struct {
	agent.Root
	dir, folder string
}

func (b below) Dir() string { return b.dir }

func (b below) name(name string) string {
	switch {
	case b.folder == "":
		return name
	case name == "":
		return b.folder
	}
	return b.folder + "/" + name
}

func (b below) List(name string) ([]agent.Info, error) { return b.Root.List(b.name(name)) }
func (b below) Lstat(name string) (agent.Info, error)  { return b.Root.Lstat(b.name(name)) }
func (b below) Stat(name string) (agent.Info, error)   { return b.Root.Stat(b.name(name)) }
func (b below) Open(name string) (agent.File, error)   { return b.Root.Open(b.name(name)) }

// disk opens folders of one tree by their absolute paths, as a disk does.
func disk(m *rootfs.Memory) func(string) (agent.Root, error) {
	return func(dir string) (agent.Root, error) {
		name := strings.TrimPrefix(dir, "/")
		info, err := m.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.Mode.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("is not a folder")}
		}
		return below{m, dir, name}, nil
	}
}

func collector(t *testing.T, m *rootfs.Memory) *rootfs.Collector {
	env := agent.Env{Home: "/home/sam", GOOS: "linux", WorkDir: "/home/sam", Open: disk(m)}
	return rootfs.NewCollector("test", env, small(t), func(src *agent.Source) { src.Session = "of " + src.Name })
}

// paths gives the paths of an inventory's sources, in its order.
func paths(inv *agent.Inventory) []string {
	var out []string
	for _, src := range inv.Sources {
		out = append(out, src.Path)
	}
	return out
}

func addRoot(t *testing.T, c *rootfs.Collector, dir, named string) {
	t.Helper()
	if err := c.Root(context.Background(), agent.Location{Dir: dir, Named: named}); err != nil {
		t.Fatal(err)
	}
}

func TestCollectorFillsSources(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("data/logs/p/s.log", "text", noon)
	m.File("data/secret.json", "", noon)
	m.File("data/logs/p/stray", "", noon)
	c := collector(t, m)
	addRoot(t, c, "/data", "")
	inv := c.Done()
	if want := []string{"/data/logs/p/s.log", "/data/secret.json"}; !slices.Equal(paths(inv), want) {
		t.Fatalf("sources: %q, want %q", paths(inv), want)
	}
	src := inv.Sources[0]
	if src.Agent != "test" || src.Store.ID != "log" || src.Name != "logs/p/s.log" || src.Info.Size != 4 || src.Session != "of logs/p/s.log" {
		t.Errorf("the source is %+v", src)
	}
	if got, err := content(src.Root, src.Name); got != "text" || err != nil {
		t.Errorf("the source holds %q, %v", got, err)
	}
	if _, err := inv.Sources[1].Open(); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("opening a private source gives %v", err)
	}
	if inv.Agent != "test" || len(inv.Problems) != 0 || len(inv.Roots) != 1 {
		t.Errorf("the inventory is %+v", inv)
	}
}

func TestCollectorWalksTheSameRootOnce(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("real/logs/p/s.log", "", noon)
	m.Link("other", "real")
	for _, order := range [][]string{{"/real", "/other"}, {"/other", "/real"}, {"/real", "/real"}} {
		c := collector(t, m)
		for _, dir := range order {
			addRoot(t, c, dir, "a flag")
		}
		inv := c.Done()
		if want := []string{order[0] + "/logs/p/s.log"}; !slices.Equal(paths(inv), want) {
			t.Errorf("%q: sources %q, want %q", order, paths(inv), want)
		}
		if len(inv.Roots) != 1 || inv.Roots[0].Dir != order[0] || len(inv.Problems) != 0 {
			t.Errorf("%q: roots %v, problems %v", order, inv.Roots, inv.Problems)
		}
	}
}

// Two roots can share a folder through a link: its files are found once.
func TestCollectorSharesLinksBetweenRoots(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("one/logs/p/s.log", "", noon)
	m.File("two/logs/q/t.log", "", noon)
	m.Link("two/logs/p", "one/logs/p")
	c := collector(t, m)
	addRoot(t, c, "/one", "")
	addRoot(t, c, "/two", "")
	if got, want := paths(c.Done()), []string{"/one/logs/p/s.log", "/two/logs/q/t.log"}; !slices.Equal(got, want) {
		t.Errorf("sources %q, want %q", got, want)
	}
}

// A default folder that is missing is not missed; one that somebody named is.
func TestCollectorMissingRoots(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("file", "", noon)
	for _, c := range []struct{ dir, named, want string }{
		{"/none", "", ""},
		{"/none", "--root", "named by --root, cannot be opened as a data folder: is not there"},
		{"/file", "", "cannot be opened as a data folder: is not a folder"},
		{"/file", "the config", "named by the config, cannot be opened as a data folder: is not a folder"},
	} {
		col := collector(t, m)
		addRoot(t, col, c.dir, c.named)
		inv := col.Done()
		switch {
		case c.want == "" && len(inv.Problems) > 0:
			t.Errorf("%+v: problems %v", c, inv.Problems)
		case c.want != "" && (len(inv.Problems) != 1 || inv.Problems[0] != agent.Problem{Path: c.dir, Reason: c.want, Reach: catalog.Search}):
			t.Errorf("%+v: problems %v", c, inv.Problems)
		}
		if len(inv.Roots) != 0 {
			t.Errorf("%+v: roots %v", c, inv.Roots)
		}
	}
}

func side(t *testing.T, c *rootfs.Collector, dir string, head catalog.Head) {
	t.Helper()
	if err := c.Side(context.Background(), dir, head); err != nil {
		t.Fatal(err)
	}
}

func TestCollectorSide(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("home/sam/.state.json", "", noon)
	m.File("home/sam/.secret", "", noon)
	m.File("home/sam/code/notes.md", "", noon)
	m.File("home/sam/code/other.md", "", noon)
	m.File("home/sam/logs/p/s.log", "", noon) // a row of the data folder, not of the home
	for _, hidden := range []string{"home/sam", "home/sam/code", "home/sam/logs"} {
		m.Fail(hidden, errors.New("was listed"))
	}
	c := collector(t, m)
	side(t, c, "/home/sam", catalog.Home)
	side(t, c, "/home/none", catalog.Home)
	inv := c.Done()
	want := []string{"/home/sam/.secret", "/home/sam/.state.json", "/home/sam/code/notes.md"}
	if !slices.Equal(paths(inv), want) {
		t.Errorf("sources %q, want %q", paths(inv), want)
	}
	if len(inv.Problems) != 0 || len(inv.Roots) != 0 {
		t.Errorf("the inventory is %+v", inv)
	}
	for _, src := range inv.Sources {
		if _, err := src.Open(); (src.Store.ID == "secret") != errors.Is(err, agent.ErrPrivate) {
			t.Errorf("opening %s gives %v", src.Path, err)
		}
	}
}

// homeRows are of an agent whose data folder is /home/data: the home can be the
// folder of a project too, so that rows of both name files of one folder.
func homeRows(t *testing.T) *catalog.Catalog {
	return rows(t,
		catalog.Store{ID: "log", Paths: []string{"logs/<project>/<id>.log"}, Coverage: catalog.Search},
		catalog.Store{ID: "state", Paths: []string{".state.json", "~/.state.json"}, Coverage: catalog.Catalogue},
		catalog.Store{ID: "note", Paths: []string{"~/data/logs/<project>/<id>.log", "~/data/local/<name>.md", "~/notes/<name>.md"}, Coverage: catalog.Inspect})
}

// What a data folder holds is not found again from the side.
func TestCollectorSideDoesNotRepeatARoot(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("home/.state.json", "", noon)
	m.File("home/data/logs/p/s.log", "", noon)
	m.File("home/notes/n.md", "", noon)
	m.Link("home/notes/s.md", "home/data/logs/p/s.log")
	for _, dirs := range [][]string{{"/home", "/home/data"}, {"/home/data"}} {
		c := rootfs.NewCollector("test", agent.Env{Open: disk(m)}, homeRows(t), func(*agent.Source) {})
		for _, dir := range dirs {
			addRoot(t, c, dir, "")
		}
		side(t, c, "/home", catalog.Home)
		side(t, c, "/home", catalog.Home)
		inv := c.Done()
		want := []string{"/home/.state.json", "/home/data/logs/p/s.log", "/home/notes/n.md"}
		if !slices.Equal(paths(inv), want) {
			t.Errorf("%q: sources %q, want %q", dirs, paths(inv), want)
		}
		if len(inv.Sources) == 3 && inv.Sources[1].Store.ID != "log" {
			t.Errorf("%q: the file of the data folder belongs to %s", dirs, inv.Sources[1].Store.ID)
		}
	}
}

// A folder that the data folder's rows walked can hold files that only the side's
// rows know: those are found.
func TestCollectorSideFindsWhatTheRootDoesNotKnow(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("home/data/logs/p/s.log", "", noon)
	m.File("home/data/local/m.md", "", noon)
	c := rootfs.NewCollector("test", agent.Env{Open: disk(m)}, homeRows(t), func(*agent.Source) {})
	addRoot(t, c, "/home/data", "")
	side(t, c, "/home", catalog.Home)
	if got, want := paths(c.Done()), []string{"/home/data/local/m.md", "/home/data/logs/p/s.log"}; !slices.Equal(got, want) {
		t.Errorf("sources %q, want %q", got, want)
	}
}

func TestCollectorSortsByPath(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("b/logs/p/s.log", "", noon)
	m.File("a/logs/p/s.log", "", noon)
	m.File("a/state.json", "", noon)
	c := collector(t, m)
	addRoot(t, c, "/b", "")
	addRoot(t, c, "/a", "")
	if got := paths(c.Done()); !slices.IsSorted(got) || len(got) != 3 {
		t.Errorf("sources %q", got)
	}
}

func TestReadSmall(t *testing.T) {
	m := &rootfs.Memory{}
	m.File("small", "text", noon)
	m.File("big", strings.Repeat("x", 1<<20+1), noon)
	m.File("empty", "", noon)
	for name, want := range map[string]int{"small": 4, "big": 1 << 20, "empty": 0} {
		if b, err := rootfs.ReadSmall(m, name); err != nil || len(b) != want {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(b), err, want)
		}
	}
	if _, err := rootfs.ReadSmall(m, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestPath(t *testing.T) {
	for _, c := range []struct{ dir, name, want string }{
		{"/data", "", "/data"},
		{"/data", "a/b", "/data/a/b"},
		{"/", "a", "/a"},
	} {
		if got := rootfs.Path(&rootfs.Memory{Folder: c.dir}, c.name); got != c.want {
			t.Errorf("%q in %q is %q, want %q", c.name, c.dir, got, c.want)
		}
	}
}
