package project_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/record"
)

// disk is a file system in memory. A name that ends with a slash is a folder, one
// whose content begins with -> a link, with | a FIFO; any other is a file. Folders
// above are there without being named. What is looked at is counted.
type disk struct {
	files map[string]string
	asked map[string]int
	read  []string
}

func newDisk(files map[string]string) *disk {
	d := &disk{files: map[string]string{"/": ""}, asked: map[string]int{}}
	for name, content := range files {
		for dir := path.Dir(strings.TrimSuffix(name, "/")); dir != "/" && dir != "."; dir = path.Dir(dir) {
			d.files[dir+"/"] = ""
		}
		d.files[name] = content
	}
	return d
}

// name gives the key of a path, which Windows spells with a drive and backslashes.
func (d *disk) name(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if strings.HasPrefix(p, "C:/") {
		p = p[2:]
	}
	return p
}

func (d *disk) Lstat(p string) (fs.FileMode, error) {
	p = d.name(p)
	d.asked[p]++
	if _, ok := d.files[strings.TrimSuffix(p, "/")+"/"]; ok {
		return fs.ModeDir, nil
	}
	content, ok := d.files[p]
	switch {
	case !ok:
		return 0, fs.ErrNotExist
	case strings.HasPrefix(content, "->"):
		return fs.ModeSymlink, nil
	case strings.HasPrefix(content, "|"):
		return fs.ModeNamedPipe, nil
	}
	return 0, nil
}

func (d *disk) Real(p string) (string, error) {
	for range 10 {
		target, ok := strings.CutPrefix(d.files[d.name(p)], "->")
		if !ok {
			return p, nil
		}
		p = target
	}
	return "", fs.ErrInvalid
}

func (d *disk) Read(p string, limit int64) ([]byte, error) {
	content, ok := d.files[d.name(p)]
	if !ok || strings.HasPrefix(content, "->") || strings.HasPrefix(content, "|") || int64(len(content)) > limit {
		return nil, fs.ErrInvalid
	}
	d.read = append(d.read, d.name(p))
	return []byte(content), nil
}

func (d *disk) List(p string, limit int) ([]string, error) {
	var out []string
	for name := range d.files {
		rest, ok := strings.CutPrefix(name, d.name(p)+"/")
		if child := strings.TrimSuffix(rest, "/"); ok && child != "" && !strings.Contains(child, "/") && len(out) < limit {
			out = append(out, child)
		}
	}
	return out, nil
}

// repository adds a repository with a main checkout to some files.
func repository(files map[string]string, root string) map[string]string {
	files[root+"/.git/HEAD"] = "ref: refs/heads/main\n"
	return files
}

// linked adds a worktree of a repository.
func linked(files map[string]string, root, tree, branch string) map[string]string {
	entry := root + "/.git/worktrees/" + path.Base(tree)
	files[tree+"/.git"] = "gitdir: " + entry + "\n"
	files[entry+"/gitdir"] = tree + "/.git\n"
	files[entry+"/commondir"] = "../..\n"
	files[entry+"/HEAD"] = "ref: refs/heads/" + branch + "\n"
	return repository(files, root)
}

// resolver is one over files, of a user whose home is /home/sam.
func resolver(files map[string]string, change func(*project.Config)) (*project.Resolver, *disk) {
	d := newDisk(files)
	c := project.Config{FS: d, Home: "/home/sam", GOOS: "linux"}
	if change != nil {
		change(&c)
	}
	return project.New(c), d
}

// tell writes an answer as one line.
func tell(f project.Found) string {
	out := string(f.By) + " " + f.Name + " root=" + f.Root
	if f.Worktree != "" {
		out += " worktree=" + f.Worktree
	}
	if f.Branch != "" {
		out += " branch=" + f.Branch
	}
	if !f.Repo {
		out += " no repository"
	}
	return out
}

// check compares the project of each folder with what is written beside it.
func check(t *testing.T, r *project.Resolver, want map[string]string) {
	t.Helper()
	for cwd, want := range want {
		if got := tell(r.Of(record.Origin{CWD: cwd})); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", cwd, got, want)
		}
	}
}
