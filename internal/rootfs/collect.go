package rootfs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sort"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Collector discovers the sources of one agent: it opens places, guards them,
// walks them and puts what it finds into an inventory.
type Collector struct {
	Env       agent.Env
	Inventory *agent.Inventory
	cat       *catalog.Catalog
	walker    Walker
}

// NewCollector gives a collector for the agent of that name. place is asked to
// fill in what the agent can tell from a source's name.
func NewCollector(name string, env agent.Env, cat *catalog.Catalog, place func(*agent.Source)) *Collector {
	inv := &agent.Inventory{Agent: name}
	c := &Collector{Env: env, Inventory: inv, cat: cat}
	c.walker = Walker{
		Found: func(root agent.Root, f Found) {
			src := &agent.Source{
				Agent: name, Store: f.Store, Root: root, Name: f.Name, Path: Path(root, f.Name),
				Info: f.Info, Problem: f.Problem,
			}
			place(src)
			inv.Sources = append(inv.Sources, src)
		},
		Problem: func(path, reason string, reach catalog.Coverage) {
			inv.Problems = append(inv.Problems, agent.Problem{Path: path, Reason: reason, Reach: reach})
		},
	}
	return c
}

// Root walks a data folder, unless it was walked under another name.
func (c *Collector) Root(ctx context.Context, loc agent.Location) error {
	root, err := c.Env.Open(loc.Dir)
	if err != nil {
		c.Inventory.Missing(loc, err)
		return nil
	}
	root = Guard(root, c.cat, catalog.Data, c.Env.Private)
	if c.walker.Visited(root) {
		return nil
	}
	c.Inventory.Roots = append(c.Inventory.Roots, loc)
	return c.walker.Walk(ctx, root, c.cat.At(catalog.Data))
}

// Side walks a place outside the data folders. One that is not there is not
// missed. A file of it may already be known as part of a data folder, since a
// home can be the folder of a project; it is not found twice.
func (c *Collector) Side(ctx context.Context, dir string, head catalog.Head) error {
	root, err := Aside(c.Env, c.cat, dir, head)
	if err != nil {
		c.walker.Problem(dir, agent.Reason(err), c.cat.At(head).Reach())
	}
	if root == nil {
		return nil
	}
	c.walker.aside = true
	defer func() { c.walker.aside = false }()
	return c.walker.Walk(ctx, root, c.cat.At(head))
}

// Aside opens a place outside the data folders with its private stores shut. Of
// one that is not there, is no folder or is private it gives neither a root nor an
// error.
func Aside(env agent.Env, cat *catalog.Catalog, dir string, head catalog.Head) (agent.Root, error) {
	root, err := env.Open(dir)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, err
	case err != nil || private(env, dir):
		return nil, nil
	}
	return Guard(root, cat, head, env.Private), nil
}

// Add finds a file that a setting names, as one of the given store. A name that a
// row knows already is left to that row, and so is a private one.
func (c *Collector) Add(dir string, head catalog.Head, name, store string) {
	root, err := c.Env.Open(dir)
	if err != nil || private(c.Env, dir) || c.cat.Match(head, name) != nil {
		return
	}
	guarded := Guard(root, c.cat, head, c.Env.Private)
	info, err := guarded.Lstat(name)
	if err != nil || !info.Mode.IsRegular() {
		return
	}
	c.walker.Found(guarded, Found{Name: name, Info: info, Store: c.cat.Store(store)})
}

// private reports whether a folder that a setting or a transcript names lies in a
// private store.
func private(env agent.Env, dir string) bool {
	if env.Private == nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return env.Private(dir, true)
}

// Done gives the inventory with its sources in the order of their paths.
func (c *Collector) Done() *agent.Inventory {
	inv := c.Inventory
	sort.SliceStable(inv.Sources, func(i, j int) bool { return inv.Sources[i].Path < inv.Sources[j].Path })
	return inv
}

// maxSmall bounds how much of a small file is read.
const maxSmall = 1 << 20

// ReadSmall reads the first megabyte of a file: a sidecar, a registry, a marker.
func ReadSmall(root agent.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, 0, min(f.Info().Size, maxSmall)))
}
