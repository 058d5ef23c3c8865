package seshat

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/crash"
	"github.com/seshat-dev/seshat/internal/scrub"
	"github.com/seshat-dev/seshat/record"
)

// keeper is one run of Archive.
type keeper struct {
	l       *Library
	q       ArchiveQuery
	w       *archive.Writer  // nil in a dry run
	a       *archive.Archive // what is there already; nil when there is nothing
	machine string
	room    *room
	known   map[archive.Key]*archive.Source
	moved   map[archive.Key][]*archive.Source // of this machine, by what stays the same when a file moves
	roots   map[string]agent.Root             // folders of the disk, for looks at what was not found
	buried  *forgotten
	logs    []int64 // prompt logs of which something was kept
	marks   *scrub.Marks
	set     *keepSet
	out     *ArchiveRun
	looked  int // files that were looked at
	total   int64
	done    int64
}

func (l *Library) newKeeper(q ArchiveQuery) (*keeper, error) {
	k := &keeper{l: l.disk(), q: q, out: &ArchiveRun{}, roots: map[string]agent.Root{}}
	dir, err := l.ArchiveDir()
	if err != nil {
		return nil, err
	}
	limit, err := l.config.Archive.Limit()
	if err != nil {
		return nil, usagef("the config %s: archive.%v", l.config.Path, err)
	}
	k.room = newRoom(dir, limit, q.free)
	if q.DryRun {
		k.a, err = l.openArchive()
		if errors.Is(err, ErrNoArchive) {
			return k, nil
		}
		if err == nil {
			k.machine, err = l.machine()
		}
		return k, err
	}
	if k.w, k.machine, err = l.writeArchive(); err != nil {
		return nil, err
	}
	k.a = k.w.Archive()
	if k.marks, err = l.marks(); err != nil {
		return nil, errors.Join(err, k.w.Close())
	}
	return k, nil
}

func (k *keeper) close(ctx context.Context) error {
	switch {
	case k.w != nil:
		return errors.Join(k.w.Commit(context.WithoutCancel(ctx)), k.w.Close()) // what was kept before Ctrl-C stays
	case k.a != nil:
		return k.a.Close()
	}
	return nil
}

func (k *keeper) run(ctx context.Context) error {
	look := k.l.newReferences(k.l.keeping())
	first, err := k.choose(ctx, look)
	if err != nil || k.out.Unchanged > 0 {
		return err
	}
	refs := newSplit(k.set.files)
	in, unreferred, err := look.split(ctx, refs.referred, refs.others, k.changed, func(f keepFile) bool { return k.known[f.key] != nil || k.buried.holds(f.key, f.label) })
	if err != nil {
		return err
	}
	todo := k.todo(append(refs.others, in...))
	for i := range todo {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := k.keep(ctx, &todo[i]); err != nil {
			return err
		}
		if k.out.Stopped != "" {
			break
		}
	}
	if err := k.maskAgain(ctx); err != nil {
		return err
	}
	k.gone()
	if k.w != nil && k.out.Stopped == "" && !k.q.narrow() { // a narrow run has not looked everywhere
		look.save(unreferred)
	}
	k.leave(first)
	return nil
}

// maskAgain blots out of prompt logs what was forgotten and still stands in the logs on
// the disk.
func (k *keeper) maskAgain(ctx context.Context) error {
	if len(k.logs) == 0 || len(k.buried.sessions) == 0 {
		return nil
	}
	_, err := k.l.masking(k.buried.sessions).mask(ctx, k.w, k.logs, func(*archive.Source) {})
	return err
}

// newSplit parts files that are kept only when something refers to them from the others.
func newSplit(files []keepFile) (s struct{ referred, others []keepFile }) {
	for _, f := range files {
		if f.manner == referred {
			s.referred = append(s.referred, f)
		} else {
			s.others = append(s.others, f)
		}
	}
	return s
}

// learnAll reads what the archive holds, of all machines.
func (k *keeper) learnAll(ctx context.Context) error {
	if err := k.learn(ctx); err != nil || k.a == nil {
		return err
	}
	all, err := k.a.Sources(ctx)
	for i := range all {
		if s := &all[i]; s.Machine != k.machine {
			k.known[s.Key] = s
		}
	}
	return err
}

// learn reads what the archive holds of this machine.
func (k *keeper) learn(ctx context.Context) error {
	k.known, k.moved = map[archive.Key]*archive.Source{}, map[archive.Key][]*archive.Source{}
	if k.a == nil {
		k.buried = &forgotten{}
		return nil
	}
	list := k.a.Sources
	if k.w != nil {
		list = k.w.Sources
	}
	all, err := list(ctx)
	if err == nil {
		k.buried, err = readForgotten(ctx, k.a)
	}
	if err != nil {
		return err
	}
	for i := range all {
		if s := &all[i]; s.Machine == k.machine {
			k.known[s.Key] = s
			if s.Session != "" {
				at := movable(s.Key)
				k.moved[at] = append(k.moved[at], s)
			}
		}
	}
	return nil
}

// wideEvery is how often it is looked where settings lead to, which takes a look into
// every transcript for where it ran.
const wideEvery = time.Hour

// choose finds what is to be kept, and what is there already. Where settings lead to is
// looked at when there is a new session, and else now and then when one has changed:
// whatever an agent writes there, it writes in the course of a session.
//
// Where everything is as the last run left it, that is noted, and the archive is not even
// asked what it holds. It gives what was found at first.
func (k *keeper) choose(ctx context.Context, look *references) (first *keepSet, err error) {
	learnt := make(chan error, 1)
	marked := k.w != nil
	if marked {
		_, marked = k.w.Mark(ctx)
	}
	learn := func() { learnt <- crash.Caught(func() error { return k.learn(ctx) }) }
	if !marked {
		go learn() // while the disk is looked at
	}
	set, err := k.l.chooseKept(ctx, k.q, k.machine, false)
	if err == nil && marked && k.still(ctx, set) {
		return set, nil
	}
	if marked {
		learn()
	}
	if lerr := <-learnt; err == nil {
		err = lerr
	}
	if err != nil {
		return nil, err
	}
	first = set
	late := time.Since(look.wide) >= wideEvery
	news := func(f keepFile) bool { return f.Session != "" && (k.known[f.key] == nil || late && k.changed(f)) }
	if !k.q.narrow() && len(k.l.config.Exclude) == 0 && slices.ContainsFunc(set.files, news) {
		if set, err = k.l.chooseKept(ctx, k.q, k.machine, true); err != nil {
			return nil, err
		}
		look.wide = time.Now()
	}
	k.set = set
	return first, nil
}

// info gives what is known of a file without opening it. Of a link, what it leads to.
func (f *keepFile) info() agent.Info {
	if f.Info.Mode&fs.ModeSymlink != 0 {
		if info, err := f.Root.Stat(f.Name); err == nil {
			return info
		}
	}
	return f.Info
}

// changed reports whether a file is not what the archive noted of it.
func (k *keeper) changed(f keepFile) bool {
	s := k.known[f.key]
	return s == nil || s.Pending != "" && s.Pending != pendingTail || !s.Gone.IsZero() || !sameFile(s.Live, f.info()) ||
		s.Pending == pendingTail && time.Since(f.Info.MTime) >= settled
}

// todo gives the files that have to be opened, those that changed longest ago first:
// they are the first to go.
func (k *keeper) todo(files []keepFile) (todo []keepFile) {
	for _, f := range files {
		k.looked++
		s := k.known[f.key]
		switch {
		case s == nil && k.buried.holds(f.key, f.label):
			k.item(&f, ArchiveForgotten)
		case f.Problem != "":
			k.fail(&f, errors.New(f.Problem))
		case k.changed(f):
			k.total += f.Info.Size
			todo = append(todo, f)
		case s.Pending != "":
			k.item(&f, ArchivePending).Pending = s.Pending
		default:
			k.out.Unchanged++
		}
	}
	slices.SortStableFunc(todo, func(a, b keepFile) int { return a.Info.MTime.Compare(b.Info.MTime) })
	return todo
}

func (k *keeper) item(f *keepFile, did string) *ArchiveItem {
	k.out.Items = append(k.out.Items, ArchiveItem{Agent: f.Agent, Store: f.Store.ID, Session: f.label.Session, Path: f.Path, Did: did, Size: f.Info.Size})
	return &k.out.Items[len(k.out.Items)-1]
}

func (k *keeper) fail(f *keepFile, err error) {
	k.item(f, ArchiveFailed).Reason = agent.Reason(err)
	k.set.tally.Failed(f.Source.Source, err)
}

// keep keeps one file. The error is of the archive; what goes wrong with the file is
// among the items.
func (k *keeper) keep(ctx context.Context, f *keepFile) error {
	s, moved, err := k.source(f)
	if err != nil {
		return err
	}
	if k.w == nil {
		k.would(f, s, moved)
		return nil
	}
	err = k.put(ctx, f, s, moved)
	k.done += f.Info.Size
	k.tell(0)
	return err
}

// would notes what a run that is no dry one would do with a file.
func (k *keeper) would(f *keepFile, s *archive.Source, moved bool) {
	did, size := ArchiveKept, f.info().Size
	added := size
	switch {
	case s != nil && len(s.Versions) > 0:
		did = ArchiveGrown
		if v := current(s); size >= v.Size {
			added = size - v.Size
		} else {
			did = ArchiveVersion
		}
		if moved {
			did = ArchiveMoved
		}
	}
	k.item(f, did).Added = added
	k.out.Added += added
}

// put opens a file and keeps as much of it as is sure.
func (k *keeper) put(ctx context.Context, f *keepFile, s *archive.Source, moved bool) error {
	file, err := f.Open()
	if err != nil {
		k.fail(f, err)
		return nil
	}
	defer file.Close()
	info, now := file.Info(), time.Now()
	live := &liveFile{File: file, size: info.Size, told: k.tell}
	pending := ""
	if isLog(f.Store) {
		live.size, pending, err = wholeLines(file, info, now)
	} else {
		live.still = func() error { return k.stands(f, info) }
	}
	if err != nil {
		k.unfinished(f, s, info, err)
		return nil
	}
	if live.size == 0 && info.Size > 0 {
		k.item(f, ArchivePending).Pending = pending // not one line of it is whole
		if s != nil {
			k.w.Look(s.ID, info, pending, time.Time{})
		}
		return nil
	}
	have := int64(0)
	if s != nil && len(s.Versions) > 0 {
		have = current(s).Size
	}
	if k.out.Stopped, err = k.room.stops(ctx, k.w, added(have, live.size)); err != nil || k.out.Stopped != "" {
		return err
	}
	done, err := k.scrubbed(ctx, f, live, noted(info, isLog(f.Store), now))
	if ferr := live.failed(); ferr != nil {
		k.unfinished(f, s, info, ferr)
		return nil
	}
	if err != nil {
		return err
	}
	if pending == "" && isLog(f.Store) && !k.grew(f, info) {
		pending = pendingChanged
	}
	k.room.took(done.Added)
	if done.Added > 0 && f.Store.Role == promptHistory {
		k.logs = append(k.logs, done.ID)
	}
	k.w.Look(done.ID, noted(info, isLog(f.Store), now), pending, time.Time{})
	k.note(f, s, done, moved, pending)
	return nil
}

// scrubbed keeps a file without what was scrubbed from the archive.
func (k *keeper) scrubbed(ctx context.Context, f *keepFile, live *liveFile, info agent.Info) (archive.Put, error) {
	content, err := withoutScrubbed(ctx, k.marks, live, live.size)
	if err != nil {
		return archive.Put{}, err
	}
	return k.w.Put(ctx, f.key, f.label, content, live.size, info)
}

// added gives at most how many bytes are new of a file.
func added(have, size int64) int64 {
	if size >= have {
		return size - have // were it rewritten, all of it would be; then the next look at the room tells
	}
	return size
}

// stands says that a file is what it was when it was opened, or errChangedMeanwhile.
func (k *keeper) stands(f *keepFile, info agent.Info) error {
	if now, err := f.Root.Stat(f.Name); err != nil || !sameFile(now, info) {
		return errChangedMeanwhile
	}
	return nil
}

// grew reports whether a log is what it was when it was opened, or longer.
func (k *keeper) grew(f *keepFile, info agent.Info) bool {
	now, err := f.Root.Stat(f.Name)
	return err == nil && now.Dev == info.Dev && now.Ino == info.Ino && now.Size >= info.Size
}

// unfinished notes a file of which nothing could be kept now. One that only changed will
// be read by the next run.
func (k *keeper) unfinished(f *keepFile, s *archive.Source, info agent.Info, err error) {
	if !errors.Is(err, errChangedMeanwhile) {
		k.fail(f, err)
		return
	}
	k.item(f, ArchivePending).Pending = pendingChanged
	if s != nil {
		k.w.Look(s.ID, info, pendingChanged, time.Time{})
	}
}

// note puts what was kept among the items.
func (k *keeper) note(f *keepFile, s *archive.Source, done archive.Put, moved bool, pending string) {
	did := ArchiveGrown
	switch {
	case moved:
		did = ArchiveMoved
	case s == nil:
		did = ArchiveKept
	case done.Same && pending != "":
		did = ArchivePending
	case done.Same:
		k.out.Unchanged++
		return
	case len(s.Versions) > 0 && done.Version > current(s).Number:
		did = ArchiveVersion
	}
	it := k.item(f, did)
	it.Added, it.Version, it.Pending = done.Added, done.Version, pending
	k.out.Added += done.Added
}

// tell tells how far the run is, within a file too.
func (k *keeper) tell(within int64) {
	if k.q.Progress != nil {
		k.q.Progress(ArchiveProgress{Done: min(k.done+within, k.total), Total: k.total})
	}
}

// answer sums the run up.
func (k *keeper) answer() *record.Answer {
	k.set.tally.Match(k.out.Count(ArchiveKept) + k.out.Count(ArchiveGrown) + k.out.Count(ArchiveVersion) + k.out.Count(ArchiveMoved))
	ans := k.set.tally.Answer()
	named := map[string]bool{}
	ans.Warnings = slices.DeleteFunc(ans.Warnings, func(w record.Warning) bool {
		again := w.Line == 0 && named[w.Path] // choosing could not read it either
		if again {
			ans.Sources.Failed--
		}
		named[w.Path] = named[w.Path] || w.Line == 0
		return again || w.Line > 0 // what a damaged line says does not matter: its bytes are kept
	})
	ans.DamagedLines = 0
	ans.Sources.Read = k.looked - k.out.Count(ArchiveFailed)
	ans.Pending = k.out.Count(ArchivePending)
	if k.out.Stopped != "" {
		ans.Warnings = append(ans.Warnings, record.Warning{Reason: k.out.Stopped})
	}
	ans.Complete = ans.Sources.Failed == 0 && ans.Pending == 0 && k.out.Stopped == ""
	return ans
}
