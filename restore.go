package seshat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/restore"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// RestoreQuery says what is to be put back.
type RestoreQuery struct {
	Handle  string
	Target  string // this data folder instead of the one that the session was last seen in
	DryRun  bool   // nothing is written
	Force   bool   // a transcript that stands there with other content gives way
	Touch   bool   // what stands there already gets the date of now
	Partial bool   // also where the transcript itself is gone
}

// What Restore does with a file.
const (
	RestoreWrites   = "restored" // it is put back
	RestoreReplaces = "replaced" // likewise, over another, which the archive keeps
	RestoreAdds     = "added"    // its agent needs it, and it was not there
	RestoreTouches  = "touched"  // it is there already, and got the date of now
	RestoreSame     = "same"     // it is there already
	RestoreGrown    = "grown"    // it is there, and more behind it
	RestoreLeaves   = "left"     // something newer is there, and stays
)

// RestoreItem is what becomes of one file.
type RestoreItem struct {
	Path string // absolute
	Did  string
	Size int64 // of what is put back
}

// Restored is what Restore did, or in a dry run would do.
type Restored struct {
	Session record.Session
	Items   []RestoreItem
	Notes   []string // what a person should know, a sentence each
	Expires time.Time
}

// Changed tells of how many files something became.
func (r *Restored) Changed() (n int) {
	for _, it := range r.Items {
		switch it.Did {
		case RestoreWrites, RestoreReplaces, RestoreAdds, RestoreTouches:
			n++
		}
	}
	return n
}

func (r *Restored) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Restore puts the family of an archived session back where its agent looks for it:
// byte for byte, with the date of now, all of it or nothing. It refuses what would do
// harm, in a sentence that says why; what stands there is replaced only when that is
// asked for, and archived before. A restore that was killed is finished or undone first.
func (l *Library) Restore(ctx context.Context, q RestoreQuery) (*Restored, error) {
	out := &Restored{}
	x, err := l.redaction(), l.restoreNamed(ctx, q, out)
	return x.restored(out), x.ambiguous(err)
}

// restoreNamed puts the session that a handle names back.
func (l *Library) restoreNamed(ctx context.Context, q RestoreQuery, out *Restored) error {
	if err := l.recoverRestores(ctx, out); err != nil {
		return err
	}
	w, err := l.everything(ctx, true)
	if err != nil {
		return err
	}
	t, err := l.resolve(ctx, w, q.Handle)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return l.onlyRemembered(ctx, w, q.Handle, err, "put back")
	}
	if err != nil {
		return err
	}
	return l.restore(ctx, w, t.source, q, out)
}

// restore puts the session of a source back.
func (l *Library) restore(ctx context.Context, w *world, src search.Source, q RestoreQuery, out *Restored) error {
	b, err := l.bringBack(w, src, q)
	if err != nil {
		return err
	}
	if err := b.plan(ctx, out); err != nil {
		return err
	}
	out.Session = b.session(ctx)
	if q.DryRun || out.Changed() == 0 {
		return b.dates(ctx, out)
	}
	if err := b.run(ctx); err != nil {
		return err
	}
	return b.dates(ctx, out)
}

// recoverRestores finishes or undoes what a killed run left, and says so.
func (l *Library) recoverRestores(ctx context.Context, out *Restored) error {
	js, err := l.journals()
	if err != nil {
		return err
	}
	all, err := js.Recover(ctx)
	for _, r := range all {
		did := "undone: everything in %s is as it was before"
		if r.Finished {
			did = "finished: what it was to put into %s is there"
		}
		out.note("a restore that broke off was "+did, r.Target)
	}
	if err != nil {
		out.note("%v", err)
	}
	return ctx.Err()
}

// journals gives the folder in which restores note what they do.
func (l *Library) journals() (restore.Journals, error) {
	dir, err := l.dataDir("a restore needs")
	return restore.Journals{Dir: filepath.Join(dir, "restore")}, err
}

// bringing is one session on its way back.
type bringing struct {
	l       *Library
	w       *world
	q       RestoreQuery
	lead    search.Source // by which the session was found
	kept    []*archive.Source
	script  *archive.Source // its transcript; nil where that was not kept
	target  string          // the data folder that it goes to
	own     bool            // its agent looks there
	root    agent.Root      // that folder as it is
	needs   agent.Return    // what its agent needs
	order   restore.Order
	sources []*archive.Source // of the order's files; nil for what is added
	states  []restore.State
	touch   []string // names of files
}

// bringBack finds what was kept of a session.
func (l *Library) bringBack(w *world, src search.Source, q RestoreQuery) (*bringing, error) {
	if src.Session == "" || src.Family == "" && !src.Transcript() {
		return nil, usagef("%q is %s, which is no session; seshat archive export writes single files", q.Handle, src.Path)
	}
	b := &bringing{l: l, w: w, q: q, lead: src}
	dir, foreign := b.find()
	switch {
	case len(b.kept) == 0 && l.env(src.Agent).Replaced():
		return nil, usagef("nothing of the session %s was kept from the folders that --root names; leave --root away, and say with --target DIR where it goes", src.Session)
	case len(b.kept) == 0:
		return nil, fmt.Errorf("nothing of the session %s is in the archive; seshat archive keeps what is there now", src.Session)
	case q.Target != "":
		b.target = l.env("").Abs(q.Target)
		if err := l.mayTake(b.target, src.Agent); err != nil {
			return nil, err
		}
	case foreign:
		return nil, usagef("the session %s was kept from another machine; say into which data folder it goes with --target DIR", src.Session)
	default:
		b.target = dir
	}
	b.own = slices.ContainsFunc(l.looksIn(src.Agent), func(dir string) bool { return dir == filepath.Clean(b.target) })
	return b, nil
}

// mayTake refuses a target that belongs to another agent or to seshat, or that lies
// somewhere inside a data folder instead of being one.
func (l *Library) mayTake(target, name string) error {
	for _, dir := range l.looksIn(name) {
		if own.Followed(dir) == own.Followed(target) {
			return nil
		}
	}
	for _, a := range l.all {
		for _, dir := range l.looksIn(a.Name()) {
			if !own.Outside(target, []string{dir}) {
				return usagef("%s lies in %s, a data folder of %s; name another folder with --target", target, dir, a.Name())
			}
		}
	}
	if kept, err := l.dataDir("a restore needs"); err == nil && !own.Outside(target, []string{kept}) {
		return usagef("%s lies in seshat's own data folder; name another folder with --target", target)
	}
	return nil
}

// looksIn lists the data folders that an agent looks into.
func (l *Library) looksIn(name string) (dirs []string) {
	a := l.adapter(name)
	for _, p := range a.Places(l.env(name)) {
		if p.Head == catalog.Data {
			dirs = append(dirs, filepath.Clean(p.Dir))
		}
	}
	return dirs
}

// find gathers what was kept of the session from the folder that it was found in: files
// of family yes, below the folder of the same project. The transcript comes last.
func (b *bringing) find() (dir string, foreign bool) {
	for _, f := range b.w.keptFrom(b.lead) {
		for _, s := range f.sources {
			if s.Session != b.lead.Session || projectPart(s.Name) != projectPart(b.lead.Name) || !b.l.returnable(s) {
				continue
			}
			dir, foreign = s.Dir, f.foreign
			b.kept = append(b.kept, s)
			if s.Subagent == "" && b.isTranscript(s) && (b.script == nil || s.Name == b.lead.Name) {
				b.script = s
			}
		}
	}
	slices.SortStableFunc(b.kept, func(x, y *archive.Source) int {
		return boolInt(b.isTranscript(x)) - boolInt(b.isTranscript(y))
	})
	return dir, foreign
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// projectPart is the folder of a project, as a name below a data folder tells it.
func projectPart(name string) string {
	parts := strings.SplitN(name, "/", 3)
	return path.Join(parts[:min(2, len(parts))]...)
}

// isTranscript reports whether a kept file is a session's own transcript.
func (b *bringing) isTranscript(s *archive.Source) bool {
	store := b.lead.Adapter.Catalog().Store(s.Store)
	return store != nil && store.Role == primaryChat && s.Subagent == ""
}

// plan decides on every file, or refuses.
func (b *bringing) plan(ctx context.Context, out *Restored) error {
	if b.script == nil && !b.q.Partial && !b.onDisk() {
		return fmt.Errorf("the transcript of %s was never archived; --partial puts back what was: %s", b.lead.Session, plainList(b.kept))
	}
	var err error
	if b.root, err = b.l.opts.Open(b.target); errors.Is(err, fs.ErrNotExist) {
		b.root, err = &rootfs.Memory{Folder: b.target}, nil
	}
	if err != nil {
		return err
	}
	b.root = rootfs.Guard(b.root, b.lead.Adapter.Catalog(), catalog.Data, b.l.env(b.lead.Agent).Private)
	if b.needs, err = b.adapt(ctx); err != nil {
		return err
	}
	out.Notes = append(out.Notes, b.needs.Notes...)
	if err := b.files(ctx); err != nil {
		return err
	}
	b.states, err = restore.Look(b.target, b.bare())
	if errors.Is(err, restore.ErrOutside) {
		return fmt.Errorf("%w; --target DIR puts the session elsewhere", err)
	}
	if err != nil {
		return err
	}
	if why := b.needs.Refused; why != "" && b.writesAny() {
		return fmt.Errorf("%s is not put back: %s", b.lead.Session, why)
	}
	return b.decide(ctx, out)
}

// onDisk reports whether the session's transcript is where it would be put.
func (b *bringing) onDisk() bool {
	for _, s := range b.w.sources {
		if s.Family == b.lead.Family && s.Transcript() && !s.Info.Archived {
			return true
		}
	}
	return false
}

// adapt asks the agent what the session needs.
func (b *bringing) adapt(ctx context.Context) (agent.Return, error) {
	r := agent.Returning{Session: b.lead.Session, Root: b.root, Own: b.own, CWD: b.session(ctx).Origin.CWD, Now: time.Now()}
	byName := map[string]*archive.Source{}
	for _, s := range b.kept {
		r.Names = append(r.Names, s.Name)
	}
	if b.script != nil {
		r.Transcript = b.script.Name
	}
	for _, f := range b.w.keptFrom(b.lead) {
		for _, s := range f.sources {
			byName[s.Name] = s
		}
	}
	r.Open = func(name string) (agent.File, error) {
		s := byName[name]
		if s == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return b.w.kept.archive.File(s, current(s)), nil
	}
	return b.lead.Adapter.Return(ctx, b.l.env(b.lead.Agent), r)
}

// session tells about the session.
func (b *bringing) session(ctx context.Context) record.Session {
	s, err := b.l.describe(ctx, b.w, b.lead, &search.Tally{})
	if err != nil {
		return record.Session{Agent: b.lead.Agent, ID: b.lead.Session, Handle: b.w.sessionHandle(b.lead.Source)}
	}
	return s
}
