package rootfs

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Guard gives root with its private stores shut: whatever the catalogue calls
// private can be neither opened nor listed, also not by way of a link. It is the
// one place where law 2 is kept, so every root an adapter gets must pass through
// it.
//
// A link that leads out of the root is followed where what it leads to has a name
// that the catalogue would read in its place, and where private, which knows the
// places of all agents and may be nil, has nothing against it.
func Guard(root agent.Root, cat *catalog.Catalog, head catalog.Head, private func(path string, folder bool) bool) agent.Root {
	return &guard{
		Root: root, cat: cat, head: head, outside: private,
		links: map[string]bool{}, places: map[string]catalog.Place{}, listed: map[string]map[string]bool{},
	}
}

type guard struct {
	agent.Root
	cat     *catalog.Catalog
	head    catalog.Head
	outside func(path string, folder bool) bool

	mu     sync.Mutex
	links  map[string]bool            // by folder: it is a link, or below one
	places map[string]catalog.Place   // by folder
	listed map[string]map[string]bool // by folder that was listed, what may be a folder in it, in lower case
}

func (g *guard) Open(name string) (agent.File, error) {
	if err := g.check(name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return g.Root.Open(name)
}

// check says why a file may not be opened, or nil.
func (g *guard) check(name string) error {
	if g.private(name) {
		return agent.ErrPrivate
	}
	linked, err := g.linked(name)
	if err != nil || !linked {
		return err
	}
	if inToolResults(name) {
		return agent.ErrLink // the agent's own rule, since a planted link could lead anywhere
	}
	real, inside, err := g.Resolve(name)
	switch {
	case err != nil:
		return err
	case inside && g.private(real):
		return agent.ErrPrivate
	case inside:
		return nil
	case g.outside != nil && g.outside(real, false):
		return agent.ErrPrivate
	}
	if s := g.cat.Match(g.head, path.Join(path.Dir(name), filepath.Base(real))); s == nil || s.Coverage == catalog.Private {
		return errOddLink
	}
	return nil
}

// errOddLink says that a link leads to a file of another sort.
var errOddLink = errors.New("is a link to a file of another sort")

func (g *guard) List(name string) ([]agent.Info, error) {
	shut := &fs.PathError{Op: "list", Path: name, Err: agent.ErrPrivate}
	if g.shut(name) {
		return nil, shut
	}
	linked, err := g.linked(name)
	if err != nil {
		return nil, err
	}
	if linked {
		real, inside, err := g.Resolve(name)
		switch {
		case err != nil:
			return nil, err
		case inside && g.shut(real), !inside && g.outside != nil && g.outside(real, true):
			return nil, shut
		}
	}
	entries, err := g.Root.List(name)
	if err == nil {
		g.note(name, entries)
	}
	return entries, err
}

// note remembers what in a folder can lead further.
func (g *guard) note(name string, entries []agent.Info) {
	leads := map[string]bool{}
	for _, e := range entries {
		if !e.Mode.IsRegular() {
			leads[strings.ToLower(e.Name)] = true
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.listed[name] = leads
}

// Absent reports whether nothing can be there under a name, since a folder above
// it was listed and the next one on the way was not in it. It looks at no disk, and
// false means that only a look can tell.
func Absent(root agent.Root, name string) bool {
	g, ok := root.(*guard)
	if !ok {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		up := strings.TrimPrefix(path.Dir(dir), ".")
		if leads, ok := g.listed[up]; ok && !leads[strings.ToLower(path.Base(dir))] {
			return true
		}
	}
	return false
}

// private reports whether a file of that name is private.
func (g *guard) private(name string) bool {
	dir, base := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir, base = name[:i], name[i+1:]
	}
	s := g.place(dir).File(base)
	return s != nil && s.Coverage == catalog.Private
}

// place gives the place of a folder, which is remembered.
func (g *guard) place(dir string) catalog.Place {
	g.mu.Lock()
	pl, known := g.places[dir]
	g.mu.Unlock()
	if known {
		return pl
	}
	pl = g.cat.At(g.head)
	for part := range strings.SplitSeq(dir, "/") {
		if dir != "" {
			pl = pl.Folder(part)
		}
	}
	g.mu.Lock()
	g.places[dir] = pl
	g.mu.Unlock()
	return pl
}

// shut reports whether a folder of that name may not be listed.
func (g *guard) shut(name string) bool {
	pl := g.cat.At(g.head)
	for part := range strings.SplitSeq(name, "/") {
		if part != "" {
			pl = pl.Folder(part)
		}
	}
	s := pl.Under()
	return s != nil && s.Coverage == catalog.Private && pl.Dead()
}

// linked reports whether a component of a name is a link. Folders are remembered,
// so that a file costs one look.
func (g *guard) linked(name string) (bool, error) {
	if name == "" {
		return false, nil
	}
	dir := ""
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir = name[:i]
	}
	above, err := g.folder(dir)
	if err != nil || above {
		return above, err
	}
	info, err := g.Root.Lstat(name)
	return err == nil && info.Mode&fs.ModeSymlink != 0, err
}

func (g *guard) folder(dir string) (bool, error) {
	g.mu.Lock()
	known, ok := g.links[dir]
	g.mu.Unlock()
	if ok {
		return known, nil
	}
	linked, err := g.linked(dir)
	if err == nil {
		g.mu.Lock()
		g.links[dir] = linked
		g.mu.Unlock()
	}
	return linked, err
}

func inToolResults(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "tool-results" {
			return true
		}
	}
	return false
}
