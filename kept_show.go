package seshat

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/search"
)

// open gives a folder of an agent with what was kept from it; only shows no more than
// that. A data folder that is not there, or cannot be opened, is what was kept.
func (k *keptView) open(name, dir string, only bool) (agent.Root, error) {
	of := k.at(name, dir)
	var live agent.Root
	var err error
	foreign := len(of) > 0 && of[0].foreign
	if !foreign {
		live, err = k.l.opts.Open(dir)
	}
	if len(of) == 0 || err != nil && !errors.Is(err, fs.ErrNotExist) && !of[0].data {
		return live, err
	}
	var srcs []*archive.Source
	k.mu.Lock()
	if err != nil {
		k.gone[dir] = err
	}
	for _, f := range of {
		k.shown[f] = dir
		srcs = append(srcs, f.sources...)
	}
	k.mu.Unlock()
	o := rootfs.Overlay{Dir: dir, Live: live, Only: only, Extra: make([]rootfs.Extra, len(srcs))}
	for i, s := range srcs {
		o.Extra[i] = rootfs.Extra{Name: s.Name, Info: keptInfo(s)}
	}
	o.Open = func(i int) (agent.File, error) { return k.file(srcs[i], dir), nil }
	return o.Root(), nil
}

// keptInfo tells about a file that is not on the disk any more.
func keptInfo(s *archive.Source) agent.Info {
	info := archive.Info(s, current(s))
	info.Mode, info.Archived = info.Mode.Perm(), true
	return info
}

// everything looks at the roots of every chosen agent as discover does, and at what the
// archive has of them that is not on the disk any more.
func (l *Library) everything(ctx context.Context, wide bool) (*world, error) {
	k, unread := l.kept(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, err := l.look(ctx, wide, k)
	if err == nil && unread != nil {
		w.unread = unread
		reason := "the archive cannot be read, and what only it has is not in this answer: " + agent.Reason(unread)
		w.problems = append(w.problems, agent.Problem{Path: l.archiveFolder(), Reason: reason, Reach: catalog.Search})
	}
	return w, err
}

// discover finds the sources of an agent, also in folders of which nothing but the
// archive knows today.
func (k *keptView) discover(ctx context.Context, a agent.Adapter, env agent.Env, w *world) error {
	env.Open = func(dir string) (agent.Root, error) { return k.open(a.Name(), dir, false) }
	inv, err := a.Discover(ctx, env)
	if err != nil {
		return err
	}
	walked := map[*keptFolder]bool{}
	for _, loc := range inv.Roots {
		if err := k.gone[loc.Dir]; err != nil {
			inv.Missing(loc, err)
		}
		for _, f := range k.at(a.Name(), loc.Dir) {
			walked[f] = true
		}
	}
	w.add(a, inv)
	if env.Replaced() {
		return nil
	}
	env.Wide, env.Replace, env.Roots = false, true, nil
	for _, f := range k.folders {
		if f.agent == a.Name() && f.data && !walked[f] {
			env.Roots = append(env.Roots, agent.Location{Dir: f.dir, Named: "the archive"})
		}
	}
	if len(env.Roots) == 0 {
		return nil
	}
	env.Open = func(dir string) (agent.Root, error) { return k.open(a.Name(), dir, true) }
	if inv, err = a.Discover(ctx, env); err != nil {
		return err
	}
	for _, src := range inv.Sources {
		w.apart[src] = true
	}
	w.add(a, inv)
	return nil
}

// hidden gives a problem for each source of the archive that is not among those of a
// world because something else on the disk is in its place.
func (k *keptView) hidden(w *world, wide bool) (out []agent.Problem) {
	found := make(map[string]bool, len(w.sources))
	roots := map[string]agent.Root{} // by agent and folder
	for _, s := range w.sources {
		found[s.Agent+" "+s.Path] = true
		roots[s.Agent+" "+s.Root.Dir()] = s.Root
	}
	for _, f := range k.folders {
		root := roots[f.agent+" "+k.shown[f]]
		if root == nil {
			continue
		}
		for _, s := range f.sources {
			at := rootfs.Path(root, s.Name)
			if store := k.l.adapter(f.agent).Catalog().Store(s.Store); found[f.agent+" "+at] || store == nil || store.Coverage != catalog.Search && (!wide || store.Coverage != catalog.Inspect) {
				continue
			}
			if info, err := root.Stat(s.Name); err == nil && !info.Archived && info.Mode.IsRegular() {
				continue // on the disk it was found by another name
			}
			out = append(out, agent.Problem{Path: at, Reason: "the archive has this file, and something else on the disk is in its place; seshat archive export writes it to a folder", Reach: catalog.Search})
		}
	}
	return out
}

// moved drops sources that were moved to another place after the archive kept them: the
// very same file lies there under its old name. A file system gives the number of a file
// that is gone to a new one, so that only what begins with the kept bytes is the same.
func (k *keptView) moved(w *world) {
	type inode struct {
		dev, ino uint64
		name     string
	}
	live, archived := map[inode]*agent.Source{}, map[string]bool{}
	for _, s := range w.sources {
		switch {
		case s.Info.Archived:
			archived[s.Agent+" "+s.Path] = true
		case s.Info.Ino != 0:
			live[inode{s.Info.Dev, s.Info.Ino, s.Info.Name}] = s.Source
		}
	}
	if len(archived) == 0 {
		return
	}
	gone := map[string]bool{}
	for f, dir := range k.shown {
		for _, s := range f.sources {
			at := f.agent + " " + rootfs.PathIn(dir, s.Name)
			there := live[inode{s.Live.Dev, s.Live.Ino, path.Base(s.Name)}]
			if archived[at] && s.Live.Ino != 0 && there != nil && beginsWith(there, current(s)) {
				gone[at] = true
			}
		}
	}
	if len(gone) > 0 {
		w.sources = slices.DeleteFunc(w.sources, func(s search.Source) bool { return s.Info.Archived && gone[s.Agent+" "+s.Path] })
	}
}

// beginsWith reports whether a file begins with all the bytes of a version.
func beginsWith(src *agent.Source, v archive.Version) bool {
	f, err := src.Open()
	if err != nil || v.Masked {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(f, 0, v.Size))
	return err == nil && n == v.Size && [sha256.Size]byte(sum.Sum(nil)) == v.SHA256
}
