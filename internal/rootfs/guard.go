package rootfs

import (
	"io/fs"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Guard gives root with its private stores shut: whatever the catalogue calls
// private can be neither opened nor listed. It is the one place where law 2 is
// kept, so every root an adapter gets must pass through it.
func Guard(root agent.Root, cat *catalog.Catalog, head catalog.Head) agent.Root {
	return guard{root, cat, head}
}

type guard struct {
	agent.Root
	cat  *catalog.Catalog
	head catalog.Head
}

func (g guard) Open(name string) (agent.File, error) {
	if s := g.cat.Match(g.head, name); s != nil && s.Coverage == catalog.Private {
		return nil, &fs.PathError{Op: "open", Path: name, Err: agent.ErrPrivate}
	}
	if inToolResults(name) {
		// The agent's own rule, since a planted link could lead anywhere.
		info, err := g.Root.Lstat(name)
		if err != nil {
			return nil, err
		}
		if info.Mode&fs.ModeSymlink != 0 {
			return nil, &fs.PathError{Op: "open", Path: name, Err: agent.ErrLink}
		}
	}
	return g.Root.Open(name)
}

func (g guard) List(name string) ([]agent.Info, error) {
	pl := g.cat.At(g.head)
	for part := range strings.SplitSeq(name, "/") {
		if part != "" {
			pl = pl.Folder(part)
		}
	}
	if s := pl.Under(); s != nil && s.Coverage == catalog.Private && pl.Dead() {
		return nil, &fs.PathError{Op: "list", Path: name, Err: agent.ErrPrivate}
	}
	return g.Root.List(name)
}

func inToolResults(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "tool-results" {
			return true
		}
	}
	return false
}
