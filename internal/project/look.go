package project

import (
	"io/fs"
	"strings"
)

// maxPath bounds the paths that are asked for on the disk: no file system that an
// agent runs on has longer ones, and a transcript may hold anything.
const maxPath = 4096

// folder is what the disk tells about a path.
type folder struct {
	real   string // the path with links followed as far as there is something
	live   string // the deepest folder on the way that is there; empty when none is
	exists bool
}

// touchable reports whether the disk of this machine may be asked for a path: it is
// written as the platform writes paths, and no other machine would be called. A
// transcript names any path, and to ask Windows for one of a share logs on there.
func (r *Resolver) touchable(p string) bool {
	if r.fs == nil || len(p) > maxPath || strings.ContainsRune(p, 0) {
		return false
	}
	if r.goos == "windows" {
		return drive(p)
	}
	return strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "/net/") // where an automounter listens
}

// look follows a clean path from the top, as far as there are folders.
func (r *Resolver) look(p string) folder {
	if f, known := r.folders[p]; known {
		return f
	}
	dir, name := parent(p)
	var f folder
	switch {
	case !r.touchable(p):
		return folder{real: p}
	case name == "":
		f = folder{p, p, true}
	default:
		up := r.look(dir)
		f = folder{real: join(up.real, name), live: up.live}
		if !up.exists {
			return f // cheap to find out again, and there is no end of such paths
		}
		f = r.enter(f)
	}
	r.folders[p] = f
	return f
}

// enter looks at the last name of a path whose folder is there.
func (r *Resolver) enter(f folder) folder {
	mode, err := r.fs.Lstat(f.real)
	if err == nil && mode&fs.ModeSymlink != 0 {
		real, rerr := r.fs.Real(f.real)
		if real = clean(real); rerr != nil || !r.touchable(real) {
			return f
		}
		if mode, err = r.fs.Lstat(real); err == nil && mode.IsDir() {
			f.real = real
		}
	}
	if f.exists = err == nil && mode.IsDir(); f.exists {
		f.live = f.real
	}
	return f
}
