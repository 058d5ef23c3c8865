package rootfs

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
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
		links: map[string]bool{}, places: map[string]catalog.Place{}, listed: map[string]listing{},
	}
}

type guard struct {
	agent.Root
	cat     *catalog.Catalog
	head    catalog.Head
	outside func(path string, folder bool) bool

	mu     sync.Mutex
	links  map[string]bool          // by folder: it is a link, or below one
	places map[string]catalog.Place // by folder
	listed map[string]listing
}

// listing is what a folder held when it was listed.
type listing struct {
	leads   map[string]bool // what may be a folder, in lower case
	files   []string        // regular files, in the order of their names
	folders []string        // folders, likewise
}

func (g *guard) Open(name string) (agent.File, error) {
	root, seen := g.Root.(seenOpener)
	if seen && g.wasFile(name) {
		if f, err, ok := root.openListed(name); ok {
			return f, err
		}
	}
	linked, info, err := g.check(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if seen && !linked && info.Mode.IsRegular() {
		return root.openSeen(name, 0)
	}
	return g.Root.Open(name)
}

// seenOpener is a root that opens what was a regular file or a folder a moment ago, and
// looks at it only once it is open.
type seenOpener interface {
	openSeen(name string, flags int) (agent.File, error)
	openListed(name string) (f agent.File, err error, ok bool)
	listListed(name string) (infos []agent.Info, err error, ok bool)
}

// wasFile reports whether a name is not private, no link stands before it, and it was a
// regular file when its folder was listed.
func (g *guard) wasFile(name string) bool {
	dir, base := split(name)
	g.mu.Lock()
	linked, known := g.links[dir]
	files := g.listed[dir].files
	g.mu.Unlock()
	_, found := slices.BinarySearch(files, base)
	return known && !linked && found && !g.private(name)
}

// wasFolder reports whether no link stands before a name, and it was a folder when the one
// that it is in was listed.
func (g *guard) wasFolder(name string) bool {
	dir, base := split(name)
	g.mu.Lock()
	defer g.mu.Unlock()
	linked, known := g.links[dir]
	_, found := slices.BinarySearch(g.listed[dir].folders, base)
	return known && !linked && found
}

// check says why a file may not be opened, or nil; and whether a link leads to it, else
// what it is.
func (g *guard) check(name string) (linked bool, info agent.Info, err error) {
	if g.private(name) {
		return false, info, agent.ErrPrivate
	}
	if linked, info, err = g.linked(name); err == nil && linked {
		err = g.follow(name)
	}
	return linked, info, err
}

// follow says why a name with a link in it may not be opened, or nil.
func (g *guard) follow(name string) error {
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
	if root, ok := g.Root.(seenOpener); ok && g.wasFolder(name) {
		if entries, err, ok := root.listListed(name); ok {
			if err == nil {
				g.note(name, entries)
				g.straight(name)
			}
			return entries, err
		}
	}
	linked, _, err := g.linked(name)
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
	l := listing{leads: map[string]bool{}, files: make([]string, 0, len(entries))}
	for _, e := range entries {
		switch {
		case e.Mode.IsRegular():
			l.files = append(l.files, e.Name)
			continue
		case e.Mode.IsDir() && e.Mode&fs.ModeSymlink == 0:
			l.folders = append(l.folders, e.Name)
		}
		l.leads[strings.ToLower(e.Name)] = true
	}
	slices.Sort(l.files) // as they mostly are
	slices.Sort(l.folders)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.listed[name] = l
}

// straight remembers of a folder that no link leads to it.
func (g *guard) straight(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.links[name] = false
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
		if l, ok := g.listed[up]; ok && !l.leads[strings.ToLower(path.Base(dir))] {
			return true
		}
	}
	return false
}

// private reports whether a file of that name is private.
func (g *guard) private(name string) bool {
	dir, base := split(name)
	s := g.place(dir).File(base)
	return s != nil && s.Coverage == catalog.Private
}

// split gives the folder of a name and what it is called there.
func split(name string) (dir, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}

// place gives the place of a folder, which is remembered.
func (g *guard) place(dir string) catalog.Place {
	g.mu.Lock()
	pl, known := g.places[dir]
	g.mu.Unlock()
	if known {
		return pl
	}
	if dir == "" {
		pl = g.cat.At(g.head)
	} else {
		above, name := split(dir)
		if pl = g.place(above); name != "" {
			pl = pl.Folder(name)
		}
	}
	g.mu.Lock()
	g.places[dir] = pl
	g.mu.Unlock()
	return pl
}

// shut reports whether a folder of that name may not be listed.
func (g *guard) shut(name string) bool {
	pl := g.place(name)
	s := pl.Under()
	return s != nil && s.Coverage == catalog.Private && pl.Dead()
}

// linked reports whether a component of a name is a link, and what the last one is
// where no link stands before it. Folders are remembered, so that a file costs one look.
func (g *guard) linked(name string) (linked bool, info agent.Info, err error) {
	if name == "" {
		return false, info, nil
	}
	dir, _ := split(name)
	if linked, err = g.folder(dir); err != nil || linked {
		return linked, info, err
	}
	info, err = g.Root.Lstat(name)
	return err == nil && info.Mode&fs.ModeSymlink != 0, info, err
}

func (g *guard) folder(dir string) (bool, error) {
	g.mu.Lock()
	known, ok := g.links[dir]
	g.mu.Unlock()
	if ok {
		return known, nil
	}
	linked, _, err := g.linked(dir)
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
