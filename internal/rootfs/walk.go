package rootfs

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Found is one thing a walk came upon that belongs to a store.
type Found struct {
	Name    string // slash-separated, below the root
	Info    agent.Info
	Store   *catalog.Store
	Problem string // why it cannot be read
}

// Walker walks roots against a catalogue. One walker serves all roots of an
// agent, so that a folder reached twice is walked once.
type Walker struct {
	Found func(root agent.Root, f Found)
	// Problem is told of a folder that could not be looked into, with the most
	// open coverage of what it may hold.
	Problem func(path, reason string, reach catalog.Coverage)

	seen   map[identity]bool
	visits []visit             // walked by their own names; identified only when a link turns up
	linked bool                // below a link, where anything may have been walked before
	aside  bool                // in a side place, where a file may be known from a data folder
	listed map[string]contents // folders of the root at hand that were listed ahead
}

type identity struct{ dev, ino uint64 }

type visit struct {
	root agent.Root
	name string
}

type link struct {
	name  string
	place catalog.Place // of the folder that holds the link
	info  agent.Info
}

// gitFolder is where git keeps a repository.
const gitFolder = ".git"

// maxDepth bounds a walk where a platform gives no identities.
const maxDepth = 64

// Walk walks a root from the top. Links are taken last, so that a file that can
// be reached by its own name is found under it.
func (w *Walker) Walk(ctx context.Context, root agent.Root, place catalog.Place) error {
	var links []link
	clear(w.listed)
	if info, err := root.Stat(""); err == nil && place.Whole() {
		w.Found(root, Found{Info: info, Store: place.Under()})
	}
	if err := w.folder(ctx, root, "", place, 0, &links); err != nil {
		return err
	}
	for len(links) > 0 {
		l := links[0]
		links = links[1:]
		if err := w.link(ctx, root, l, &links); err != nil {
			return err
		}
	}
	return nil
}

// Visited reports whether the folder of a root was already walked under
// another name.
func (w *Walker) Visited(root agent.Root) bool {
	info, err := root.Stat("")
	return err == nil && w.known(info)
}

func (w *Walker) folder(ctx context.Context, root agent.Root, name string, place catalog.Place, depth int, links *[]link) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		w.Problem(Path(root, name), "too many folders inside each other", place.Reach())
		return nil
	}
	w.visits = append(w.visits, visit{root, name})
	entries, err := w.entries(root, name, place)
	if err != nil && !errors.Is(err, agent.ErrPrivate) { // a link may lead to a private folder
		w.Problem(Path(root, name), agent.Reason(err), place.Reach())
	}
	w.ahead(ctx, root, folder{name, place}, entries, depth)
	walked := 0
	for _, e := range entries {
		child := join(name, e.Name)
		switch {
		case e.Mode&fs.ModeSymlink != 0:
			*links = append(*links, link{child, place, e})
		case e.Mode.IsDir():
			if err := w.subfolder(ctx, root, child, place, e, depth, links); err != nil {
				return err
			}
		default:
			w.file(root, child, place, e)
		}
		walked++
	}
	if u := place.Under(); walked == 0 && err == nil && u != nil && !place.Whole() && name != "" {
		// A lock can be an empty folder: it counts all the same.
		if info, err := root.Lstat(name); err == nil {
			w.Found(root, Found{Name: name + "/", Info: info, Store: u})
		}
	}
	return nil
}

// entries lists what can matter in a folder: by name where patterns write the
// names out, so that nothing else is looked at, else all of it.
func (w *Walker) entries(root agent.Root, name string, place catalog.Place) ([]agent.Info, error) {
	names, ok := place.Names()
	if !ok {
		return w.list(root, name)
	}
	var infos []agent.Info
	for _, n := range names {
		info, err := root.Lstat(join(name, n))
		if err == nil {
			info.Name = n
			infos = append(infos, info)
		} else if !errors.Is(err, fs.ErrNotExist) {
			w.Problem(Path(root, join(name, n)), agent.Reason(err), place.Reach())
		}
	}
	return infos, nil
}

func (w *Walker) subfolder(ctx context.Context, root agent.Root, child string, place catalog.Place, e agent.Info, depth int, links *[]link) error {
	if e.Name == gitFolder {
		return nil // a repository's own data belongs to no store
	}
	next := place.Folder(e.Name)
	if s := place.File(e.Name); s != nil && s != place.Under() {
		f := Found{Name: child + "/", Info: e, Store: s}
		if s.Readable() {
			f.Problem = "is a folder, not a file"
		}
		w.Found(root, f)
	}
	if next.Whole() && next.Under() != place.Under() {
		w.Found(root, Found{Name: child + "/", Info: e, Store: next.Under()})
	}
	if next.Dead() || w.linked && w.again(root, child) {
		return nil
	}
	return w.folder(ctx, root, child, next, depth+1, links)
}

// again reports whether a name was walked before under another name.
func (w *Walker) again(root agent.Root, name string) bool {
	info, err := root.Stat(name)
	return err == nil && w.known(info)
}

func (w *Walker) file(root agent.Root, name string, place catalog.Place, e agent.Info) {
	s := place.File(e.Name)
	if s == nil || place.Whole() && s == place.Under() {
		return // unknown, or part of a folder that is one row
	}
	if (w.linked || w.aside) && w.again(root, name) {
		return
	}
	w.visits = append(w.visits, visit{root, name})
	f := Found{Name: name, Info: e, Store: s}
	if !e.Mode.IsRegular() && s.Coverage != catalog.Private {
		f.Problem = "is " + typeName(e.Mode) + ", not a file"
	}
	w.Found(root, f)
}

// link follows a link once, unless its store forbids it.
func (w *Walker) link(ctx context.Context, root agent.Root, l link, links *[]link) error {
	s := l.place.File(l.info.Name)
	f := Found{Name: l.name, Info: l.info, Store: s}
	switch {
	case s != nil && !s.Readable():
		w.Found(root, f) // counted by name; a private or catalogued link leads nowhere
		return nil
	case inToolResults(l.name):
		if s != nil {
			f.Problem = agent.ErrLink.Error()
			w.Found(root, f)
		}
		return nil
	}
	next := l.place.Folder(l.info.Name)
	if u := next.Under(); s == nil && u != nil && next.Whole() {
		if !l.place.Whole() {
			w.Found(root, Found{Name: l.name + "/", Info: l.info, Store: u})
		}
		return nil
	}
	info, err := root.Stat(l.name)
	if err != nil {
		w.deadLink(root, f, next, err)
		return nil
	}
	info.Name = l.info.Name
	if w.known(info) {
		return nil
	}
	if !info.Mode.IsDir() {
		w.linkedFile(root, l, f, info)
		return nil
	}
	if next.Dead() {
		return nil
	}
	defer func(was bool) { w.linked = was }(w.linked)
	w.linked = true
	return w.folder(ctx, root, l.name, next, 0, links)
}

// linkedFile takes a file that a link leads to, unless the guard refuses it.
func (w *Walker) linkedFile(root agent.Root, l link, f Found, info agent.Info) {
	if g, ok := root.(*guard); ok && f.Store != nil && info.Mode.IsRegular() {
		if _, _, err := g.check(l.name); err != nil {
			f.Problem = agent.Reason(err)
			w.Found(root, f)
			return
		}
	}
	w.file(root, l.name, l.place, info)
}

// deadLink reports a link that cannot be followed, where it could have led to
// something.
func (w *Walker) deadLink(root agent.Root, f Found, next catalog.Place, err error) {
	f.Problem = agent.Reason(err)
	if leadsNowhere(err) {
		f.Problem = "is a link that leads nowhere"
	}
	switch {
	case f.Store != nil:
		w.Found(root, f)
	case !next.Dead() && !errors.Is(err, syscall.ELOOP): // a link to itself hides nothing
		w.Problem(Path(root, f.Name), f.Problem, next.Reach())
	}
}

// known reports whether what info tells about was already walked.
func (w *Walker) known(info agent.Info) bool {
	if w.seen == nil {
		w.seen = map[identity]bool{}
	}
	for _, v := range w.visits {
		if got, err := v.root.Stat(v.name); err == nil {
			w.seen[identity{got.Dev, got.Ino}] = true
		}
	}
	w.visits = w.visits[:0]
	none := identity{}
	id := identity{info.Dev, info.Ino}
	return id != none && w.seen[id]
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// Path gives the absolute path of a name in a root, as the platform writes it.
func Path(root agent.Root, name string) string { return PathIn(root.Dir(), name) }

// PathIn gives the absolute path of a name in a folder, likewise.
func PathIn(dir, name string) string {
	if name == "" {
		return dir
	}
	return strings.TrimSuffix(dir, sep) + sep + filepath.FromSlash(name)
}

const sep = string(filepath.Separator)

func typeName(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}
