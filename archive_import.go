package seshat

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// ImportQuery says what ImportArchive takes in.
type ImportQuery struct {
	Dir      string // a backup, a data folder, what archive export wrote, or a folder of transcripts
	Machine  string // a name for the machine that it comes from; of this one when empty
	DryRun   bool
	Progress func(ArchiveProgress) // told now and then how far it is; may be nil
}

// ArchiveSkipped is an item's Did of a file that import leaves alone.
const ArchiveSkipped = "skipped"

// ImportArchive puts sessions into the archive that do not lie where their agent keeps
// them now: a backup, a copy from another machine, or a flat folder of transcripts, which
// are placed by the folder that stands in them. Nothing outside of the archive is
// written. What the archive has is never replaced by what is older. The answer's matches
// are files of which something was kept.
func (l *Library) ImportArchive(ctx context.Context, q ImportQuery) (*ArchiveRun, *record.Answer, error) {
	im := &importer{l: l.disk(), q: q, out: &ArchiveRun{}, tally: &search.Tally{}}
	if err := im.find(ctx); err != nil {
		return nil, nil, err
	}
	if len(im.files) == 0 {
		return nil, nil, usagef("%s holds no sessions that seshat can place: it wants a data folder such as .claude, a folder above one, or *.jsonl files that name the folder they ran in", im.dir)
	}
	k, err := l.newKeeper(ArchiveQuery{DryRun: q.DryRun, Progress: q.Progress})
	if err != nil {
		return nil, nil, err
	}
	k.set, k.out = &keepSet{tally: im.tally}, im.out
	err = k.learnAll(ctx)
	if err == nil {
		err = im.keep(ctx, k)
	}
	if cerr := k.close(ctx); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, nil, err
	}
	return l.redaction().ranAndAnswer(k.out, k.answer())
}

// importer finds what is to be imported.
type importer struct {
	l     *Library
	q     ImportQuery
	dir   string // absolute
	files []keepFile
	out   *ArchiveRun
	tally *search.Tally
}

// importDepth is how deep data folders are looked for.
const importDepth = 12

// exportedFrom is the shape of a machine's folder in what archive export writes.
var exportedFrom = regexp.MustCompile(`^[0-9a-f]{32}$`)

// find finds the data folders below the folder, or the transcripts in it.
func (im *importer) find(ctx context.Context) error {
	im.dir = im.l.env("").Abs(im.q.Dir)
	root, err := im.l.opts.Open(im.dir)
	if err != nil {
		return err
	}
	if err := im.below(ctx, root, "", 0); err != nil || len(im.files) > 0 {
		return err
	}
	return im.lone(ctx, root)
}

// below looks for data folders from a folder on.
func (im *importer) below(ctx context.Context, root agent.Root, name string, depth int) error {
	if err := ctx.Err(); err != nil || depth > importDepth {
		return err
	}
	entries, err := root.List(name)
	if err != nil {
		im.tally.Problem(agent.Problem{Path: filepath.Join(im.dir, filepath.FromSlash(name)), Reason: agent.Reason(err), Reach: catalog.Search})
		return nil
	}
	folders := map[string]bool{}
	for _, e := range entries {
		folders[e.Name] = e.Mode.IsDir() // links are not followed
	}
	bare := depth == 0 && (folders["projects"] || folders["tmp"]) && !slices.ContainsFunc(im.usual(), func(n string) bool { return folders[n] })
	if bare || slices.Contains(im.usual(), path.Base(name)) {
		found, err := im.dataFolder(ctx, name)
		if err != nil || found {
			return err
		}
	}
	for _, e := range entries {
		if folders[e.Name] && e.Name != ".git" && e.Name != "node_modules" {
			if err := im.below(ctx, root, join(name, e.Name), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// usual gives the names of agents' data folders.
func (im *importer) usual() (names []string) {
	for _, d := range im.l.dataFolders() {
		if base := filepath.Base(d); strings.HasPrefix(base, ".") {
			names = append(names, base)
		}
	}
	return names
}

// dataFolder takes what is kept of a data folder, and reports whether it is one: one
// that some agent would find a conversation or a prompt in.
func (im *importer) dataFolder(ctx context.Context, name string) (bool, error) {
	dir := filepath.Join(im.dir, filepath.FromSlash(name))
	for _, a := range im.l.adapters {
		only := *im.l
		only.adapters = []agent.Adapter{a}
		only.roots = map[string][]agent.Location{a.Name(): {{Dir: dir, Named: "import"}}}
		only.exclude, only.config.Exclude = nil, nil
		machine, target := im.origin(a, name)
		set, err := only.chooseKept(ctx, ArchiveQuery{}, machine, false)
		if err != nil {
			return false, err
		}
		if !slices.ContainsFunc(set.files, func(f keepFile) bool { return f.Store.Coverage == catalog.Search }) {
			continue
		}
		parts := newSplit(set.files)
		refs := &references{l: im.l, how: im.l.keeping(), done: map[string]bool{}}
		all, none := func(keepFile) bool { return true }, func(keepFile) bool { return false }
		in, _, err := refs.split(ctx, parts.referred, parts.others, all, none)
		if err != nil {
			return false, err
		}
		for _, f := range append(parts.others, in...) {
			f.key.Dir = target
			im.files = append(im.files, f)
		}
		return true, nil
	}
	return false, nil
}

// origin tells which machine and which folder of it a data folder comes from. One that
// archive export wrote says so itself; one of this machine is the agent's usual one.
func (im *importer) origin(a agent.Adapter, name string) (machine, dir string) {
	machine, dir = im.q.Machine, filepath.Join(im.dir, filepath.FromSlash(name))
	parts := strings.SplitN(name, "/", 3)
	switch {
	case len(parts) == 3 && exportedFrom.MatchString(parts[0]) && parts[1] == a.Name():
		if machine == "" {
			machine = parts[0]
		}
		return machine, exportedFolder(parts[2])
	case machine == "":
		return "", im.l.usualFolder(a)
	}
	return machine, dir
}

// exportedFolder gives the folder that archive export wrote as a path below its own.
func exportedFolder(name string) string {
	drive, rest, _ := strings.Cut(name, "/")
	if letter, ok := strings.CutSuffix(strings.TrimSuffix(drive, "%3A"), ":"); len(drive) > 1 && (ok || letter != drive) && len(letter) == 1 {
		return letter + `:\` + strings.ReplaceAll(rest, "/", `\`)
	}
	return "/" + name
}

// usualFolder gives the data folder that an agent has on this machine.
func (l *Library) usualFolder(a agent.Adapter) string {
	for _, p := range a.Places(l.env(a.Name())) {
		if p.Head == catalog.Data {
			return p.Dir
		}
	}
	return l.opts.Home
}

// lone takes the transcripts that lie in the folder itself.
func (im *importer) lone(ctx context.Context, root agent.Root) error {
	entries, err := root.List("")
	if err != nil {
		return err
	}
	env := im.l.env("")
	for _, e := range entries {
		full := filepath.Join(im.dir, e.Name)
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.Mode.IsRegular() || env.Private(full, false) || !strings.HasSuffix(e.Name, ".jsonl") && !strings.HasSuffix(e.Name, ".json") {
			continue
		}
		if !im.place(ctx, root, e, full) && strings.HasSuffix(e.Name, ".jsonl") {
			im.out.Items = append(im.out.Items, ArchiveItem{Path: full, Did: ArchiveSkipped, Size: e.Size, Reason: "it does not tell in which folder it ran"})
		}
	}
	return nil
}

// place finds out where in a data folder a transcript belongs.
func (im *importer) place(ctx context.Context, root agent.Root, e agent.Info, full string) bool {
	f, err := root.Open(e.Name)
	if err != nil {
		im.tally.Problem(agent.Problem{Path: full, Reason: agent.Reason(err), Reach: catalog.Search})
		return true
	}
	defer f.Close()
	for _, a := range im.l.adapters {
		name := a.Lone(ctx, e.Name, f)
		store := a.Catalog().Match(catalog.Data, name)
		if name == "" || store == nil || store.Coverage != catalog.Search {
			continue
		}
		id := strings.TrimSuffix(strings.TrimSuffix(e.Name, ".jsonl"), ".json")
		src := &agent.Source{Agent: a.Name(), Store: store, Root: root, Name: e.Name, Path: full, Info: e}
		label := archive.Label{Store: store.ID, Session: id, Family: string(store.Family)}
		if heads, err := a.Summarize(ctx, src); err == nil && heads.Session.ID != "" {
			label.Session = heads.Session.ID
		}
		im.files = append(im.files, keepFile{
			Source: search.Source{Source: src, Adapter: a}, manner: withSession, label: label,
			key: archive.Key{Machine: im.q.Machine, Agent: a.Name(), Dir: im.l.usualFolder(a), Name: name},
		})
		return true
	}
	return false
}

// keep puts the files into the archive.
func (im *importer) keep(ctx context.Context, k *keeper) error {
	for i := range im.files {
		f := &im.files[i]
		if f.key.Machine == "" {
			f.key.Machine = k.machine
		}
		k.looked++
		k.total += f.Info.Size
	}
	for i := range im.files {
		f := &im.files[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		err := im.one(ctx, k, f)
		if k.done += f.Info.Size; err != nil || k.out.Stopped != "" {
			return err
		}
		k.tell(0)
	}
	return k.maskAgain(ctx)
}

// one imports a file, unless the archive has it, or has something newer.
func (im *importer) one(ctx context.Context, k *keeper, f *keepFile) error {
	s := k.known[f.key]
	switch {
	case f.Problem != "":
		k.fail(f, errors.New(f.Problem))
		return nil
	case s == nil && k.buried.holds(f.key, f.label):
		k.item(f, ArchiveForgotten)
		return nil
	}
	file, err := f.Open()
	if err != nil {
		k.fail(f, err)
		return nil
	}
	defer file.Close()
	info := file.Info()
	if s != nil && len(s.Versions) > 0 {
		v := current(s)
		switch grows := k.begins(f, s); {
		case grows && v.Size == info.Size, !grows && k.within(ctx, file, info.Size, s, v):
			k.out.Unchanged++
			return nil
		case !grows && v.Size > 0:
			k.item(f, ArchiveSkipped).Reason = "the archive has other bytes of it; a name for the machine it comes from (--machine) keeps both"
			return nil
		}
	}
	if k.w == nil {
		k.would(f, s, false)
		return nil
	}
	live := &liveFile{File: file, size: info.Size, told: k.tell, still: func() error { return k.stands(f, info) }}
	if k.out.Stopped, err = k.room.stops(ctx, k.w, info.Size); err != nil || k.out.Stopped != "" {
		return err
	}
	seen := info
	seen.Dev, seen.Ino, seen.CTime = 0, 0, unsure // no file of the disk is this one
	done, err := k.scrubbed(ctx, f, live, seen)
	if ferr := live.failed(); ferr != nil {
		k.fail(f, ferr)
		return nil
	}
	if err != nil {
		return err
	}
	if f.key.Machine == k.machine && !k.there(f.key) {
		k.w.Look(done.ID, seen, "", time.Now())
	}
	k.room.took(done.Added)
	if done.Added > 0 && f.Store.Role == promptHistory {
		k.logs = append(k.logs, done.ID)
	}
	k.note(f, s, done, false, "")
	return nil
}

// within reports whether the archive's version begins with all of a file.
func (k *keeper) within(ctx context.Context, file agent.File, size int64, s *archive.Source, v archive.Version) bool {
	if size > v.Size || v.Masked {
		return false
	}
	a := k.a.File(s, v)
	defer a.Close()
	return sameBytes(ctx, file, a, size)
}
