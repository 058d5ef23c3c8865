package seshat

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// everyPlace lists where an agent may keep its data: the usual places, those that the
// environment or the config names, and those that flags name. What stands instead of
// others today makes these no less the agent's.
func (l *Library) everyPlace(a agent.Adapter) []agent.Place {
	given := l.env(a.Name())
	added := given
	added.Roots, added.Replace = l.addedRoots(a.Name()), false
	usual := added
	usual.Vars = nil
	var places []agent.Place
	for _, env := range []agent.Env{given, added, usual} {
		for _, p := range a.Places(env) {
			if p.Dir != "" && !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	return places
}

// privacy gives the test whether an absolute path, links followed, is of a private
// store of any agent that seshat knows, chosen or not. The places of all agents are
// looked up once, here.
func (l *Library) privacy() func(path string, folder bool) bool {
	type place struct {
		dir  string
		head catalog.Head
		cat  *catalog.Catalog
	}
	var places []place
	for _, a := range l.all {
		for _, p := range l.everyPlace(a) {
			places = append(places, place{followed(p.Dir), p.Head, a.Catalog()})
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
