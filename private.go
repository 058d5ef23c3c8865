package seshat

import (
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// private reports whether an absolute path, links followed, is of a private store
// of any agent that seshat knows, chosen or not.
func (l *Library) private(path string) bool {
	for _, a := range l.all {
		for _, p := range a.Places(l.env(a.Name())) {
			if p.Dir != "" && below(p, path, a.Catalog()) {
				return true
			}
		}
	}
	return false
}

// below reports whether a path is below a place, in a private store.
func below(p agent.Place, path string, cat *catalog.Catalog) bool {
	dir := p.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	pl := cat.At(p.Head)
	if shut(pl) {
		return true
	}
	names := strings.Split(filepath.ToSlash(rel), "/")
	for _, name := range names[:len(names)-1] {
		if pl = pl.Folder(name); shut(pl) {
			return true
		}
	}
	last := names[len(names)-1]
	s := pl.File(last)
	return s != nil && s.Coverage == catalog.Private || shut(pl.Folder(last))
}

// shut reports whether a folder is private and no row names a path in it.
func shut(pl catalog.Place) bool {
	s := pl.Under()
	return s != nil && s.Coverage == catalog.Private && pl.Dead()
}
