package rootfs_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// small is a catalogue with one row of each sort.
func small(t *testing.T) *catalog.Catalog {
	t.Helper()
	return rows(t,
		catalog.Store{ID: "log", Paths: []string{"logs/<project>/<id>.log"}, Format: catalog.JSONL, Coverage: catalog.Search},
		catalog.Store{ID: "side", Paths: []string{"logs/<project>/<id>/**/<name>.side"}, Format: catalog.JSON, Coverage: catalog.Catalogue},
		catalog.Store{ID: "result", Paths: []string{"logs/<project>/<id>/tool-results/<name>.txt"}, Format: catalog.Text, Coverage: catalog.Inspect},
		catalog.Store{ID: "state", Paths: []string{"state.json", "~/.state.json"}, Format: catalog.JSON, Coverage: catalog.Catalogue},
		catalog.Store{ID: "secret", Paths: []string{"secret.json", "keys-<name>.json", "~/.secret"}, Format: catalog.JSON, Coverage: catalog.Private},
		catalog.Store{ID: "vault", Paths: []string{"vault/"}, Format: catalog.Directory, Coverage: catalog.Private},
		catalog.Store{ID: "bulk", Paths: []string{"bulk/"}, Format: catalog.Directory, Coverage: catalog.Catalogue},
		catalog.Store{ID: "locks", Paths: []string{"locks/"}, Format: catalog.Opaque, Coverage: catalog.Catalogue},
		catalog.Store{ID: "home", Paths: []string{"~/code/notes.md"}, Format: catalog.Markdown, Coverage: catalog.Inspect},
	)
}

func rows(t *testing.T, stores ...catalog.Store) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.New(stores)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func guarded(t *testing.T, m *rootfs.Memory) agent.Root {
	return rootfs.Guard(m, small(t), catalog.Data, nil)
}

func TestGuardShutsPrivateStores(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	for _, name := range []string{"secret.json", "keys-a.json", "vault/a", "vault/deep/b.log", "state.json", "logs/p/s.log"} {
		m.File(name, "text", noon)
	}
	root := guarded(t, m)
	for _, name := range []string{"secret.json", "keys-a.json", "vault/a", "vault/deep/b.log", "vault/none"} {
		if f, err := root.Open(name); !errors.Is(err, agent.ErrPrivate) {
			t.Errorf("opening %s gives %v, %v", name, f, err)
		} else if !strings.Contains(err.Error(), name) {
			t.Errorf("the error %q does not name %s", err, name)
		}
	}
	for _, name := range []string{"vault", "vault/deep", "vault/none"} {
		if infos, err := root.List(name); !errors.Is(err, agent.ErrPrivate) {
			t.Errorf("listing %s gives %q, %v", name, names(infos), err)
		}
	}
	for _, name := range []string{"state.json", "logs/p/s.log"} {
		if got, err := content(root, name); got != "text" || err != nil {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "logs", "logs/p"} {
		if _, err := root.List(name); err != nil {
			t.Errorf("listing %q gives %v", name, err)
		}
	}
	// A private file is counted by name.
	if info, err := root.Lstat("secret.json"); err != nil || info.Size != 4 {
		t.Errorf("Lstat of a private file gives %+v, %v", info, err)
	}
}

// The same name is private below one head and open below another.
func TestGuardKnowsItsHead(t *testing.T) {
	m := &rootfs.Memory{Folder: "/home/sam"}
	m.File(".secret", "text", noon)
	m.File("secret.json", "text", noon)
	root := rootfs.Guard(m, small(t), catalog.Home, nil)
	if _, err := root.Open(".secret"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("opening ~/.secret gives %v", err)
	}
	if got, err := content(root, "secret.json"); got != "text" {
		t.Errorf("~/secret.json, which no row knows there, holds %q, %v", got, err)
	}
}

func TestGuardRefusesLinksInToolResults(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("logs/p/s/tool-results/a.txt", "text", noon)
	m.File("outside", "other", noon)
	m.Link("logs/p/s/tool-results/b.txt", "outside")
	m.Link("logs/p/s/c.txt", "outside")
	m.Link("logs/p/s/tool-results/gone.txt", "nowhere")
	root := guarded(t, m)
	if got, err := content(root, "logs/p/s/tool-results/a.txt"); got != "text" || err != nil {
		t.Errorf("a spilled file holds %q, %v", got, err)
	}
	for _, name := range []string{"b.txt", "gone.txt"} {
		if _, err := root.Open("logs/p/s/tool-results/" + name); !errors.Is(err, agent.ErrLink) {
			t.Errorf("opening the link %s gives %v", name, err)
		}
	}
	if _, err := root.Open("logs/p/s/tool-results/none.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening a missing name gives %v", err)
	}
	if got, err := content(root, "logs/p/s/c.txt"); got != "other" || err != nil {
		t.Errorf("a link beside tool-results holds %q, %v", got, err)
	}
}

// A link inside tool-results is refused wherever it stands in the name, and so
// is a tool-results that is a link itself: the agent's own rule is that nothing
// there leads outside the session's folder.
func TestGuardRefusesLinkedFoldersInToolResults(t *testing.T) {
	for name, link := range map[string]string{
		"logs/p/s/tool-results/sub/a.txt": "logs/p/s/tool-results/sub",
		"logs/p/s/tool-results/a.txt":     "logs/p/s/tool-results",
	} {
		m := &rootfs.Memory{Folder: "/data"}
		m.File("elsewhere/a.txt", "planted", noon)
		m.Link(link, "elsewhere")
		if got, err := content(guarded(t, m), name); !errors.Is(err, agent.ErrLink) {
			t.Errorf("with the link %s, %s holds %q, %v; want %v", link, name, got, err, agent.ErrLink)
		}
	}
}

// Law 2: what the catalogue calls private is not opened by any name, a link from
// a store that is read included.
func TestGuardShutsPrivateFilesBehindLinks(t *testing.T) {
	for _, target := range []string{"secret.json", "keys-a.json", "vault/key"} {
		m := &rootfs.Memory{Folder: "/data"}
		m.File(target, "credential", noon)
		m.Link("logs/p/s.log", target)
		if got, err := content(guarded(t, m), "logs/p/s.log"); !errors.Is(err, agent.ErrPrivate) {
			t.Errorf("the link logs/p/s.log to %s holds %q, %v; want %v", target, got, err, agent.ErrPrivate)
		}
	}
}

func TestGuardShutsPrivateFoldersBehindLinks(t *testing.T) {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("vault/key.log", "credential", noon)
	m.Link("logs/p", "vault")
	root := guarded(t, m)
	if infos, err := root.List("logs/p"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("listing a link to a private folder gives %q, %v", names(infos), err)
	}
	if got, err := content(root, "logs/p/key.log"); !errors.Is(err, agent.ErrPrivate) {
		t.Errorf("a file below a link to a private folder holds %q, %v", got, err)
	}
}

// What a listing did not show is known to be absent; anything else needs a look.
func TestAbsent(t *testing.T) {
	m := &rootfs.Memory{Folder: "/home/sam/.a"}
	for _, name := range []string{"p/one/s1.jsonl", "p/one/S2/x.json", "p/two/s3.jsonl"} {
		m.File(name, "", time.Time{})
	}
	m.Link("p/one/s4", "p/two")
	root := rootfs.Guard(m, small(t), catalog.Data, nil)
	if rootfs.Absent(root, "p/one/s1/title.json") {
		t.Error("absent before anything was listed")
	}
	if _, err := root.List("p/one"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"p/one/s1/title.json": true, "p/one/s1/deep/title.json": true, "p/one/S2/title.json": false, "p/one/s2/title.json": false, // some systems know no case
		"p/one/s4/title.json": false, "p/two/s3/title.json": false, "p/one/title.json": false, "title.json": false, "q/x/title.json": false,
	} {
		if got := rootfs.Absent(root, name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if _, err := root.List("p"); err != nil {
		t.Fatal(err)
	}
	if !rootfs.Absent(root, "p/three/s/title.json") || rootfs.Absent(m, "p/one/s1/title.json") {
		t.Error("a folder further up was not in the listing, or a bare root claims to know")
	}
}
