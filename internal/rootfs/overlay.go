package rootfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/agent"
)

// Overlay shows a folder of the disk with further files that are not there any more,
// in folders that are made up where they are gone too.
type Overlay struct {
	Dir  string     // absolute path of the folder
	Live agent.Root // what is on the disk of it; nil where nothing is
	// Extra are the further files, and Open opens one by its index.
	Extra []Extra
	Open  func(i int) (agent.File, error)
	// Only shows of what is on the disk no more than the names in Extra.
	Only bool
}

// Root gives the folder. Whatever is on the disk wins over a further file or folder
// of that name, also where the one is a file and the other a folder. Where the disk
// takes two spellings of a name for one, so does the Root. It still has to pass
// through Guard.
func (o Overlay) Root() agent.Root {
	fold, folds := func(name string) string { return name }, o.Live != nil && foldsCase(o.Live, o.Extra)
	if folds {
		fold = lower
	}
	return &overlay{o.Live, o.Dir, newTree(o.Dir, o.Extra, o.Open, fold), o.Only, folds}
}

type overlay struct {
	live agent.Root // may be nil
	dir  string
	tree *tree
	only bool
	fold bool // the disk takes small letters and capitals for the same
}

func (o *overlay) Dir() string { return o.dir }

// shows reports whether a name on the disk is shown.
func (o *overlay) shows(name string) bool {
	if o.live == nil || !o.only {
		return o.live != nil
	}
	_, known := o.tree.at(name)
	return known
}

func (o *overlay) Lstat(name string) (agent.Info, error) {
	return o.look(name, func() (agent.Info, error) { return o.live.Lstat(name) })
}

// Stat tells of a link of the disk that leads nowhere just that: it may hide more than
// the further files.
func (o *overlay) Stat(name string) (agent.Info, error) {
	return o.look(name, func() (agent.Info, error) { return o.live.Stat(name) })
}

func (o *overlay) look(name string, live func() (agent.Info, error)) (agent.Info, error) {
	err := absent(name)
	if o.shows(name) {
		var info agent.Info
		if info, err = live(); !o.gone(name, err) {
			return info, err
		}
	}
	if e, ok := o.tree.at(name); ok {
		return e.info, nil
	}
	return agent.Info{}, err
}

// gone reports whether a look failed because nothing is there on the disk, not even a
// link.
func (o *overlay) gone(name string, err error) bool {
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return false
	}
	_, err = o.live.Lstat(name)
	return err != nil
}

func absent(name string) error { return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist} }

func (o *overlay) Open(name string) (agent.File, error) {
	err := absent(name)
	if o.shows(name) {
		var f agent.File
		if f, err = o.live.Open(name); !o.gone(name, err) {
			return f, err
		}
	}
	e, ok := o.tree.at(name)
	switch {
	case !ok:
		return nil, err
	case e.file < 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: agent.ErrNotRegular}
	}
	return o.tree.file(e)
}

// List gives what is on the disk, and what only the tree has.
func (o *overlay) List(name string) ([]agent.Info, error) {
	e, ok := o.tree.at(name)
	ok = ok && e.file < 0
	var infos []agent.Info
	err := absent(name)
	if o.shows(name) {
		infos, err = o.live.List(name)
		if o.only {
			infos = slices.DeleteFunc(infos, func(i agent.Info) bool { return !o.shows(join(name, i.Name)) })
		}
	}
	if !ok {
		return infos, err
	}
	there := make(map[string]bool, len(infos))
	for _, i := range infos {
		there[o.tree.fold(i.Name)] = true
	}
	for _, i := range o.tree.list(name) {
		if !there[o.tree.fold(i.Name)] && !o.spelt(join(name, i.Name)) {
			infos = append(infos, i)
		}
	}
	slices.SortFunc(infos, byName)
	if o.live == nil || o.gone(name, err) {
		err = nil
	}
	return infos, err
}

// spelt reports whether a name that was not listed is on the disk all the same, spelt
// in another way.
func (o *overlay) spelt(name string) bool {
	if o.live == nil || !o.fold && !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	_, err := o.live.Lstat(name)
	return !o.gone(name, err)
}

// Resolve follows links on the disk, and below them names of the tree.
func (o *overlay) Resolve(name string) (real string, inside bool, err error) {
	if o.live == nil {
		if _, ok := o.tree.at(name); !ok {
			return "", false, absent(name)
		}
		return name, true, nil
	}
	real, inside, err = o.live.Resolve(name)
	if !o.gone(name, err) {
		return real, inside, err
	}
	if _, ok := o.tree.at(name); !ok {
		return "", false, err
	}
	up := above(name)
	if real, inside, err = o.Resolve(up); err != nil {
		return "", false, err
	}
	rest := strings.TrimPrefix(name[len(up):], "/")
	if inside {
		return join(real, rest), true, nil
	}
	return filepath.Join(real, filepath.FromSlash(rest)), false, nil
}

// foldsCase reports whether the disk takes names for one that differ in case alone. It
// tries the names at the top of the further files.
func foldsCase(root agent.Root, extra []Extra) bool {
	tried := map[string]bool{}
	for _, f := range extra {
		name, _, _ := strings.Cut(f.Name, "/")
		other := otherCase(name)
		if tried[name] || other == name || !proper(name) {
			continue
		}
		tried[name] = true
		if _, err := root.Lstat(name); err != nil {
			continue
		}
		if _, err := root.Lstat(other); err != nil {
			return false
		}
		entries, _ := root.List("")
		return !slices.ContainsFunc(entries, func(i agent.Info) bool { return i.Name == other })
	}
	return false
}

// otherCase makes small letters of a name capitals, or where there are none capitals
// small.
func otherCase(name string) string {
	switch upper := strings.ToUpper(name); {
	case !utf8.ValidString(name):
		return name
	case upper != name:
		return upper
	}
	return strings.ToLower(name)
}

// lower makes the capitals of a name small, whatever bytes it holds.
func lower(name string) string {
	if !utf8.ValidString(name) {
		return name
	}
	return strings.ToLower(name)
}
