package rootfs

import (
	"cmp"
	"hash/fnv"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// Extra is a file beside those of the disk. Its Info is what is told of it, but for the
// name, which is filled in; the identity has to be stable.
type Extra struct {
	Name string // slash-separated, below the folder
	Info agent.Info
}

// tree is a read-only set of files, by name, with the folders that lead to them.
type tree struct {
	files   []Extra
	open    func(i int) (agent.File, error)
	fold    func(string) string
	entries map[string]entry    // by folded name
	inside  map[string][]string // by folder's folded name, the folded names in it, sorted
}

// entry is a file or a folder of a tree.
type entry struct {
	name string // as it is shown
	file int    // index of the file; -1 of a folder
	info agent.Info
}

// newTree puts files into folders. Of two files with one name the one that was
// changed last is shown, and of a file and a folder the folder. Names that do not
// stay below the folder are left out.
func newTree(dir string, files []Extra, open func(i int) (agent.File, error), fold func(string) string) *tree {
	t := &tree{files: files, open: open, fold: fold, entries: make(map[string]entry, len(files)+len(files)/4), inside: map[string][]string{}}
	t.folder(dir, "", time.Time{})
	for i, f := range files {
		if !proper(f.Name) {
			continue
		}
		key := fold(f.Name)
		if old, there := t.entries[key]; there && (old.file < 0 || !f.Info.MTime.After(old.info.MTime)) {
			continue
		}
		f.Info.Name = path.Base(f.Name)
		t.put(key, entry{f.Name, i, f.Info})
		t.folder(dir, above(f.Name), f.Info.MTime)
	}
	for _, names := range t.inside {
		slices.Sort(names)
	}
	return t
}

// proper reports whether a name stays below the folder that it is in, on this
// platform.
func proper(name string) bool {
	return name != "" && name != "." && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name))
}

// put notes an entry and where it lies.
func (t *tree) put(key string, e entry) {
	if _, there := t.entries[key]; !there && key != "" {
		t.inside[above(key)] = append(t.inside[above(key)], key)
	}
	t.entries[key] = e
}

// folder notes a folder and those above it. It is as old as the newest file in it.
func (t *tree) folder(dir, name string, mtime time.Time) {
	for {
		key := t.fold(name)
		old, there := t.entries[key]
		switch {
		case !there || old.file >= 0:
			t.put(key, entry{name, -1, madeUp(dir, key, path.Base("/"+name), mtime)})
		case mtime.After(old.info.MTime):
			old.info.MTime, old.info.CTime = mtime, mtime
			t.entries[key] = old
		default:
			return
		}
		if name == "" {
			return
		}
		name = above(name)
	}
}

// madeUp tells about a folder that is only there for what is in it.
func madeUp(dir, key, base string, mtime time.Time) agent.Info {
	if base == "/" {
		base = filepath.Base(dir)
	}
	h := fnv.New64a()
	h.Write([]byte(dir + "\x00" + key))
	return agent.Info{Name: base, Mode: fs.ModeDir | 0o700, MTime: mtime, CTime: mtime, Dev: madeUpDev, Ino: h.Sum64(), Archived: true}
}

// madeUpDev is the device of folders that are on none.
const madeUpDev = 0x7365736861740001

// at gives what the tree has under a name.
func (t *tree) at(name string) (entry, bool) {
	e, ok := t.entries[t.fold(name)]
	return e, ok
}

// list gives what the tree has in a folder, sorted.
func (t *tree) list(name string) []agent.Info {
	var infos []agent.Info
	for _, key := range t.inside[t.fold(name)] {
		infos = append(infos, t.entries[key].info)
	}
	slices.SortFunc(infos, byName)
	return infos
}

func byName(a, b agent.Info) int { return cmp.Compare(a.Name, b.Name) }

// file opens a file of the tree.
func (t *tree) file(e entry) (agent.File, error) {
	f, err := t.open(e.file)
	if err != nil {
		return nil, err
	}
	return extraFile{f, e.info}, nil
}

// extraFile is an open file of a tree. It is what the tree says that it is.
type extraFile struct {
	agent.File
	info agent.Info
}

func (f extraFile) Info() agent.Info { return f.info }

// Hurt says which bytes cannot be had.
func (f extraFile) Hurt() error {
	if h, ok := f.File.(agent.Hurt); ok {
		return h.Hurt()
	}
	return nil
}

// above gives the folder that a name lies in.
func above(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return ""
}
