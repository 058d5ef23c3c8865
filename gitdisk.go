package seshat

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/project"
)

// gitDisk shows a project.Resolver the folders that sessions worked in. It opens
// them as agents' folders are opened, so that nothing blocks and nothing is
// written; no folder is listed but git's list of worktrees, and nothing private is
// opened, wherever a .git leads.
type gitDisk struct {
	open    func(dir string) (agent.Root, error)
	private func() func(path string, folder bool) bool // asked for only where something is opened
	roots   map[string]agent.Root                      // nil for what is no folder
}

func (l *Library) gitDisk() *gitDisk {
	return &gitDisk{open: l.opts.Open, private: sync.OnceValue(l.privacy), roots: map[string]agent.Root{}}
}

var _ project.FS = (*gitDisk)(nil)

// root opens a folder, once.
func (d *gitDisk) root(dir string) (agent.Root, error) {
	root, known := d.roots[dir]
	if !known {
		root, _ = d.open(dir) // that it is not there is an answer too
		d.roots[dir] = root
	}
	if root == nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	return root, nil
}

// in opens the folder that a path lies in.
func (d *gitDisk) in(path string) (root agent.Root, name string, err error) {
	root, err = d.root(filepath.Dir(path))
	return root, filepath.Base(path), err
}

// Lstat tells what a name is.
func (d *gitDisk) Lstat(path string) (fs.FileMode, error) {
	root, name, err := d.in(path)
	if err != nil {
		return 0, err
	}
	info, err := root.Lstat(name)
	return info.Mode, err
}

// Real follows a link.
func (d *gitDisk) Real(path string) (string, error) {
	root, name, err := d.in(path)
	if err != nil {
		return "", err
	}
	real, inside, err := root.Resolve(name)
	if err == nil && inside {
		real = filepath.Join(followed(root.Dir()), filepath.FromSlash(real))
	}
	return real, err
}

// Read reads a small regular file that is no link.
func (d *gitDisk) Read(path string, limit int64) ([]byte, error) {
	root, name, err := d.in(path)
	if err != nil {
		return nil, err
	}
	switch info, err := root.Lstat(name); {
	case err != nil:
		return nil, err
	case !info.Mode.IsRegular():
		return nil, &fs.PathError{Op: "open", Path: path, Err: agent.ErrNotRegular}
	case info.Size > limit:
		return nil, &fs.PathError{Op: "open", Path: path, Err: errTooLarge}
	case d.private()(path, false):
		return nil, &fs.PathError{Op: "open", Path: path, Err: agent.ErrPrivate}
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, 0, limit))
}

// errTooLarge says that a file is no small file of git.
var errTooLarge = errors.New("is larger than git writes it")

// List names what is in a folder.
func (d *gitDisk) List(path string, limit int) ([]string, error) {
	if d.private()(path, true) {
		return nil, &fs.PathError{Op: "list", Path: path, Err: agent.ErrPrivate}
	}
	root, err := d.root(path)
	if err != nil {
		return nil, err
	}
	infos, err := root.List("")
	var names []string
	for _, info := range infos {
		if len(names) < limit && info.Mode.IsDir() {
			names = append(names, info.Name)
		}
	}
	return names, err
}
