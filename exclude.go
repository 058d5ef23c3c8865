package seshat

import (
	"path"
	"strings"

	"github.com/seshat-dev/seshat/internal/project"
)

// excluded reports whether the config leaves out a project, or the working folder
// that it was found for: a glob of its exclude list matches the folder, its
// repository, or a folder above.
func (l *Library) excluded(p project.Found, cwd string) bool {
	for _, glob := range l.exclude {
		for _, dir := range []string{p.Root, p.Worktree, cwd} {
			if dir != "" && globAbove(glob, slashed(dir)) {
				return true
			}
		}
	}
	return false
}

func slashed(p string) string { return strings.TrimSuffix(strings.ReplaceAll(p, `\`, "/"), "/") }

// globAbove reports whether a glob matches a path or a folder above it. A star
// stays inside one component.
func globAbove(glob, dir string) bool {
	for dir != "" && dir != "." {
		if ok, err := path.Match(glob, dir); ok && err == nil {
			return true
		}
		up := path.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return false
}
