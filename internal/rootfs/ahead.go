package rootfs

import (
	"io/fs"
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

// ahead lists the folders that a walk comes to next, on all cores: a system call for
// each name in them waits for nothing else. Where anything may have been walked under
// another name it lists nothing.
func (w *Walker) ahead(root agent.Root, name string, place catalog.Place, entries []agent.Info) {
	if w.linked || w.aside {
		return
	}
	var next []string
	for _, e := range entries {
		if e.Mode.IsDir() && e.Mode&fs.ModeSymlink == 0 && e.Name != gitFolder {
			at := place.Folder(e.Name)
			if _, named := at.Names(); !named && !at.Dead() {
				next = append(next, join(name, e.Name))
			}
		}
	}
	if len(next) < several {
		return
	}
	got := make([]contents, len(next))
	var turn atomic.Int64
	list := func() error {
		for i := int(turn.Add(1)) - 1; i < len(next); i = int(turn.Add(1)) - 1 {
			got[i].infos, got[i].err = root.List(next[i])
		}
		return nil
	}
	workers := min(runtime.GOMAXPROCS(0), len(next)/2, 8)
	crashes := make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() { crashes[i] = crash.Caught(list) })
	}
	all.Wait()
	for _, err := range crashes {
		if err != nil {
			return // it happens again where it can be told
		}
	}
	if w.listed == nil {
		w.listed = map[string]contents{}
	}
	for i, name := range next {
		w.listed[name] = got[i]
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
