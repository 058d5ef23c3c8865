package project

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"strings"
)

// FS is how a Resolver looks at the disk. Paths are absolute, clean and written as
// the platform writes them; of all but Real, the folders above the last name are no
// links.
type FS interface {
	// Lstat tells what a name is, a link at its end not followed.
	Lstat(path string) (fs.FileMode, error)
	// Real gives the path that a link leads to, all links followed.
	Real(path string) (string, error)
	// Read reads a regular file of up to limit bytes. It waits for nobody: anything
	// else than a regular file is refused, and so is a file that is private.
	Read(path string, limit int64) ([]byte, error)
	// List names what is in a folder, up to limit names.
	List(path string, limit int) ([]string, error)
}

// maxGitFile bounds the small files of git: each holds one path or one name.
const maxGitFile = 8 << 10

// maxWorktrees bounds how many worktrees of one repository are looked at.
const maxWorktrees = 4096

// checkout is a folder with a .git in it: the top of a working tree.
type checkout struct {
	top    string // the folder
	common string // the repository's own folder, which its worktrees share
	linked bool   // it is a worktree beside the main one
	head   string // the folder of its HEAD
}

// parseGitFile reads a .git that is a file: one line "gitdir: PATH" (see
// gitrepository-layout). A path that may lead anywhere is all that can come of it.
func parseGitFile(data []byte) (dir string, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	if !ok {
		return "", false
	}
	return parsePath(rest)
}

// parsePath reads a file of git that holds one path: commondir, or gitdir in the
// folder of a worktree. A path may hold a line's end, and git writes it as it is.
func parsePath(data []byte) (p string, ok bool) {
	data = bytes.TrimRight(data, "\r\n")
	if len(data) == 0 || len(data) > maxGitFile || bytes.IndexByte(data, 0) >= 0 {
		return "", false
	}
	return string(data), true
}

// parseHead reads a HEAD and gives its branch; one that is detached has none.
func parseHead(data []byte) (branch string, ok bool) {
	line := string(bytes.TrimRight(data, "\r\n"))
	if ref, is := strings.CutPrefix(line, "ref: "); is {
		branch, ok = strings.CutPrefix(strings.TrimLeft(ref, " \t"), "refs/heads/")
		if !ok || branch == "" || strings.ContainsAny(branch, "\x00\r\n") || branch == ".invalid" { // the reftable format's
			return "", false
		}
		return branch, true
	}
	_, err := hex.DecodeString(line)
	return "", err == nil && (len(line) == 40 || len(line) == 64)
}

// from gives a path that a file in a folder names.
func from(dir, p string) string {
	if !absolute(p) {
		p = join(dir, p)
	}
	return clean(p)
}

// checkoutOf finds the checkout that a folder lies in, or nil: the nearest folder
// above with a .git that git would take.
func (r *Resolver) checkoutOf(dir string) *checkout {
	f := r.look(dir)
	for at := f.live; at != ""; {
		if c, known := r.checkouts[at]; known {
			return r.climbed(f.live, at, c)
		}
		if c := r.dotGit(at); c != nil {
			return r.climbed(f.live, at, c)
		}
		up, name := parent(at)
		if name == "" {
			return r.climbed(f.live, at, nil)
		}
		at = up
	}
	return nil
}

// climbed notes for all folders from one up to another what was found there.
func (r *Resolver) climbed(from, to string, c *checkout) *checkout {
	for at := from; ; at, _ = parent(at) {
		r.checkouts[at] = c
		if at == to {
			return c
		}
	}
}

// dotGit looks for a .git in a folder that is there.
func (r *Resolver) dotGit(dir string) *checkout {
	git := join(dir, ".git")
	mode, err := r.fs.Lstat(git)
	if err != nil {
		return r.bare(dir)
	}
	if mode&fs.ModeSymlink != 0 {
		if git, err = r.fs.Real(git); err != nil {
			return nil
		}
		git = clean(git)
		if mode, err = r.fs.Lstat(git); err != nil {
			return nil
		}
	}
	switch {
	case mode.IsDir() && r.hasHead(git):
		c := &checkout{top: dir, common: git, head: git}
		c.linked = base(git) == ".git" && git != join(dir, ".git")
		return c
	case mode.IsRegular():
		data, err := r.fs.Read(git, maxGitFile)
		if target, ok := parseGitFile(data); err == nil && ok {
			return r.gitFile(dir, from(dir, target))
		}
		return &checkout{top: dir} // broken, and yet where git would stop
	}
	return nil
}

// bare takes a folder for the repository itself, where it is called like one.
func (r *Resolver) bare(dir string) *checkout {
	if !strings.HasSuffix(dir, ".git") || base(dir) == ".git" || !r.hasHead(dir) {
		return nil
	}
	return &checkout{top: dir, common: dir, head: dir}
}

// hasHead reports whether a folder may be a repository's: each has a HEAD.
func (r *Resolver) hasHead(dir string) bool {
	mode, err := r.fs.Lstat(join(dir, "HEAD"))
	return err == nil && (mode.IsRegular() || mode&fs.ModeSymlink != 0) // old versions made it a link
}

// gitFile reads what a checkout's .git file leads to. Of a repository that is gone
// the path still tells where it was.
func (r *Resolver) gitFile(top, target string) *checkout {
	at := r.look(target)
	if !at.exists {
		if list, _ := parent(at.real); base(list) == "worktrees" {
			common, _ := parent(list)
			return &checkout{top: top, common: common, linked: true}
		}
		return &checkout{top: top}
	}
	data, err := r.fs.Read(join(at.real, "commondir"), maxGitFile)
	if p, ok := parsePath(data); err == nil && ok {
		if common := r.look(from(at.real, p)); common.exists && r.hasHead(common.real) {
			return &checkout{top: top, common: common.real, linked: true, head: at.real}
		}
	}
	if !r.hasHead(at.real) {
		return &checkout{top: top}
	}
	if r.mains[at.real] == "" {
		r.mains[at.real] = top // of a submodule, or of a repository kept apart from its checkout
	}
	return &checkout{top: top, common: at.real, head: at.real}
}

// lookForMain looks where the main checkout of a submodule lies by default: in the
// superproject, at the path that its repository is named for below .git/modules.
// What is there counts only where it leads back.
func (r *Resolver) lookForMain(common string) {
	parts := names(common)
	for i := 0; i+2 < len(parts); i++ {
		if parts[i] != ".git" || parts[i+1] != "modules" {
			continue
		}
		dir := head(common, i)
		for _, name := range parts[i+2:] {
			if next := join(dir, name); name != "modules" || r.look(next).exists { // a submodule's own modules
				dir = next
			}
		}
		if at := r.look(dir); at.exists {
			r.dotGit(at.real) // notes the repository that it is of
		}
	}
}

// repository gives the folder that stands for the repository of a checkout: its
// main checkout, or where there is none the bare repository.
func (r *Resolver) repository(c *checkout) string {
	if !c.linked {
		return c.top
	}
	dir, name := parent(c.common)
	switch {
	case name == ".git":
		return dir
	case r.mains[c.common] != "":
		return r.mains[c.common]
	case strings.HasPrefix(name, "."):
		return dir // a bare one hidden among its worktrees
	}
	return c.common
}

// listed gives git's list of the worktrees of a repository: their folders, there
// or gone, with the folder of the HEAD of each.
func (r *Resolver) listed(common string) map[string]string {
	if list, known := r.lists[common]; known {
		return list
	}
	list := map[string]string{}
	r.lists[common] = list
	dir := join(common, "worktrees")
	if common == "" || !r.look(common).exists || !r.look(dir).exists {
		return list
	}
	entries, err := r.fs.List(dir, maxWorktrees)
	if err != nil {
		return list
	}
	for _, name := range entries {
		entry := join(dir, name)
		if !r.look(entry).exists || r.look(entry).real != entry {
			continue
		}
		data, err := r.fs.Read(join(entry, "gitdir"), maxGitFile)
		if p, ok := parsePath(data); err == nil && ok {
			if tree, name := parent(from(entry, p)); name == ".git" {
				list[r.look(tree).real] = entry
			}
		}
	}
	return list
}

// branchAt gives the branch that a HEAD names now.
func (r *Resolver) branchAt(dir string) string {
	if !r.look(dir).exists {
		return ""
	}
	data, err := r.fs.Read(join(dir, "HEAD"), maxGitFile)
	if err != nil {
		return ""
	}
	branch, _ := parseHead(data)
	return branch
}
