package seshat

import (
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/catalog"
)

// private reports whether an absolute path, links followed, is of a private store
// of any agent that seshat knows, chosen or not.
func (l *Library) private(path string, folder bool) bool { return l.privacy()(path, folder) }

// privacy gives what private answers, for many questions: the places of all agents
// are looked up once.
func (l *Library) privacy() func(path string, folder bool) bool {
	type place struct {
		dir  string
		head catalog.Head
		cat  *catalog.Catalog
	}
	var places []place
	for _, a := range l.all {
		for _, p := range a.Places(l.env(a.Name())) {
			if p.Dir != "" {
				places = append(places, place{followed(p.Dir), p.Head, a.Catalog()})
			}
		}
	}
	return func(path string, folder bool) bool {
		for _, p := range places {
			if below(p.dir, path, folder, p.cat.At(p.head)) {
				return true
			}
		}
		return false
	}
}

// below reports whether a path is below the folder of a place, in a private store.
func below(dir, path string, folder bool, pl catalog.Place) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
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
