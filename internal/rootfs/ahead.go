package rootfs

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/crash"
)

// several is from how many folders on it pays to list them on several cores.
const several = 4

// contents is what listing a folder gave.
type contents struct {
	infos []agent.Info
	err   error
}

// folder is a folder to list.
type folder struct {
	name  string
	place catalog.Place
}

// ahead lists the folders that a walk comes to next, and all below them, on all cores: a
// system call for each name in them waits for nothing else. Where anything may have been
// walked under another name it lists nothing.
func (w *Walker) ahead(ctx context.Context, root agent.Root, in folder, entries []agent.Info, depth int) {
	if w.linked || w.aside {
		return
	}
	next := next(in, entries)
	if len(next) < several {
		return
	}
	workers := min(runtime.GOMAXPROCS(0), len(next)/2, 8)
	got, crashes := make([]map[string]contents, workers), make([]error, workers)
	var turn atomic.Int64
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			crashes[i] = crash.Caught(func() error {
				l := lister{ctx: ctx, root: root, got: map[string]contents{}}
				for n := int(turn.Add(1)) - 1; n < len(next); n = int(turn.Add(1)) - 1 {
					l.list(next[n], depth+1)
				}
				got[i] = l.got
				return nil
			})
		})
	}
	all.Wait()
	if errors.Join(crashes...) != nil || ctx.Err() != nil {
		return // it happens again where it can be told
	}
	if w.listed == nil {
		w.listed = map[string]contents{}
	}
	for _, g := range got {
		maps.Copy(w.listed, g)
	}
}

// next gives the folders among some entries that are listed whole.
func next(in folder, entries []agent.Info) []folder {
	var next []folder
	for _, e := range entries {
		if e.Mode.IsDir() && e.Mode&fs.ModeSymlink == 0 && e.Name != gitFolder {
			at := in.place.Folder(e.Name)
			if _, named := at.Names(); !named && !at.Dead() {
				next = append(next, folder{join(in.name, e.Name), at})
			}
		}
	}
	return next
}

// lister lists folders with all below them.
type lister struct {
	ctx  context.Context
	root agent.Root
	got  map[string]contents
}

func (l *lister) list(f folder, depth int) {
	if depth > maxDepth || l.ctx.Err() != nil {
		return
	}
	infos, err := l.root.List(f.name)
	l.got[f.name] = contents{infos, err}
	for _, n := range next(f, infos) {
		l.list(n, depth+1)
	}
}

// list gives what is in a folder, which may have been listed ahead.
func (w *Walker) list(root agent.Root, name string) ([]agent.Info, error) {
	if c, ok := w.listed[name]; ok {
		delete(w.listed, name)
		return c.infos, c.err
	}
	return root.List(name)
}
