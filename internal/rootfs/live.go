// Package rootfs gives folders as agent.Root values: a folder of the disk, one with
// further files that the disk does not have any more, a tree in memory, and a guard
// that shuts private stores. It also walks them against a catalogue.
//
// A reader may rely on this. Nothing here creates, changes or locks anything.
// Opening never blocks: FIFOs, sockets and devices are refused before they are
// opened, and once more after. A link is followed at most once for each file or
// folder it leads to.
package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/crash"
)

// Live opens a folder of the disk. It fails when the folder is not there or is
// not a folder.
func Live(dir string) (agent.Root, error) {
	fi, err := os.Stat(dir)
	if err != nil {
		if _, lerr := os.Lstat(dir); lerr == nil && leadsNowhere(err) {
			err = &fs.PathError{Op: "open", Path: dir, Err: errors.New("is a link that leads nowhere")}
		}
		return nil, err
	}
	if !fi.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("is not a folder")}
	}
	return live{dir: filepath.Clean(dir)}, nil
}

type live struct{ dir string }

func (l live) Dir() string { return l.dir }

func (l live) path(name string) string { return Path(l, name) }

func (l live) List(name string) ([]agent.Info, error) { return l.list(name, 0) }

func (l live) list(name string, flags int) ([]agent.Info, error) {
	infos, err := list(l.path(name), flags)
	// A name that is gone since the folder was listed has none.
	return slices.DeleteFunc(infos, func(i agent.Info) bool { return i.Name == "" }), err
}

// listListed lists what was a folder when the folder it is in was listed. ok is false
// where it has to be looked at again.
func (l live) listListed(name string) (infos []agent.Info, err error, ok bool) {
	if noLink == 0 {
		return nil, nil, false
	}
	infos, err = l.list(name, noLink)
	return infos, err, !errors.Is(err, errIsLink) && !errors.Is(err, syscall.ENOTDIR)
}

// few is how many names are looked at one after the other. A look is a system call
// that waits for nothing else, so that many are quicker on several cores.
const few = 32

// lookAtAll looks at so many names.
func lookAtAll(n int, look func(i int) agent.Info) ([]agent.Info, error) {
	infos := make([]agent.Info, n)
	workers := min(runtime.GOMAXPROCS(0), 1+n/few, 8)
	crashes := make([]error, workers)
	part := func(w int) {
		crashes[w] = crash.Caught(func() error {
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				infos[i] = look(i)
			}
			return nil
		})
	}
	var all sync.WaitGroup
	for w := range workers - 1 {
		all.Go(func() { part(w) })
	}
	part(workers - 1)
	all.Wait()
	return infos, errors.Join(crashes...)
}

func (l live) Lstat(name string) (agent.Info, error) {
	fi, err := os.Lstat(l.path(name))
	if err != nil {
		return agent.Info{}, err
	}
	return infoOf(fi), nil
}

func (l live) Stat(name string) (agent.Info, error) {
	fi, err := os.Stat(l.path(name))
	if err != nil {
		return agent.Info{}, err
	}
	return identify(infoOf(fi), l.path(name)), nil
}

func (l live) Resolve(name string) (string, bool, error) {
	real, err := filepath.EvalSymlinks(l.path(name))
	if err != nil {
		return "", false, err
	}
	base, err := filepath.EvalSymlinks(l.dir)
	if err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(base, real)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return real, false, nil
	case rel == ".":
		return "", true, nil
	}
	return filepath.ToSlash(rel), true, nil
}

func (l live) Open(name string) (agent.File, error) {
	path := l.path(name)
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: agent.ErrNotRegular}
	}
	return l.openSeen(name, 0)
}

// openListed opens what was a regular file when its folder was listed. ok is false where
// it has to be looked at again.
func (l live) openListed(name string) (f agent.File, err error, ok bool) {
	if noLink == 0 {
		return nil, nil, false
	}
	f, err = l.openSeen(name, noLink)
	return f, err, !errors.Is(err, errIsLink)
}

// openSeen opens what was a regular file when it was looked at.
func (l live) openSeen(name string, flags int) (agent.File, error) {
	path := l.path(name)
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags|flags, 0)
	if err != nil {
		return nil, err
	}
	// The name may lead elsewhere by now.
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: agent.ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return liveFile{f, infoOf(fi)}, nil
}

type liveFile struct {
	*os.File
	info agent.Info
}

func (f liveFile) Info() agent.Info { return f.info }

// ReadAt reads as os.File does.
func (f liveFile) ReadAt(p []byte, off int64) (int, error) {
	n := readCached(f.File, p, off)
	if n == len(p) {
		return n, nil
	}
	rest, err := f.File.ReadAt(p[n:], off+int64(n))
	return n + rest, err
}

func infoOf(fi fs.FileInfo) agent.Info {
	info := agent.Info{Name: fi.Name(), Mode: fi.Mode(), Size: fi.Size(), MTime: fi.ModTime()}
	fillIdentity(&info, fi)
	return info
}

// leadsNowhere reports whether a link could not be followed because nothing is
// there, or only the link itself.
func leadsNowhere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)
}
