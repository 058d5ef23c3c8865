package seshat

import (
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// private reports whether an absolute path, links followed, is of a private store
// of any agent that seshat knows, chosen or not.
func (l *Library) private(path string, folder bool) bool {
	for _, a := range l.all {
		for _, p := range a.Places(l.env(a.Name())) {
			if p.Dir != "" && below(p, path, folder, a.Catalog()) {
				return true
			}
		}
	}
	return false
}

// below reports whether a path is below a place, in a private store.
func below(p agent.Place, path string, folder bool, cat *catalog.Catalog) bool {
	rel, err := filepath.Rel(followed(p.Dir), path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	pl := cat.At(p.Head)
	if rel == "." {
		return shut(pl)
	}
	names := strings.Split(filepath.ToSlash(rel), "/")
	last := names[len(names)-1]
	for _, name := range names[:len(names)-1] {
		if pl = pl.Folder(name); shut(pl) {
			return true
		}
	}
	if folder {
		return shut(pl.Folder(last))
	}
	s := pl.File(last)
	return s != nil && s.Coverage == catalog.Private
}

// followed gives the folder that a path leads to.
func followed(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// shut reports whether a folder is private and no row names a path in it.
func shut(pl catalog.Place) bool {
	s := pl.Under()
	return s != nil && s.Coverage == catalog.Private && pl.Dead()
}
