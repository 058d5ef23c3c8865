package seshat

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// ResumeQuery says which session is to be opened in its agent, and how.
type ResumeQuery struct {
	Handle string
	Here   bool   // in the current folder
	Ask    string // a question that the agent answers and ends
	Print  bool   // only the command is wanted: nothing is archived or put back
}

// Resumption is a session that can be opened in its agent.
type Resumption struct {
	Session record.Session
	Launch  agent.Launch
	Dir     string   // where the agent has to start, absolute
	Notes   []string // what a person should know before

	source search.Source
	before []string // the names in the transcript's folder
}

// Resume tells how the session that a handle names is opened in its own agent, and
// starts nothing. First the session is archived as it is, and put back where only the
// archive has it. A subagent's session is its parent's. An error says why the session
// cannot be opened, and what else can be done.
func (l *Library) Resume(ctx context.Context, q ResumeQuery) (*Resumption, error) {
	out := &Resumption{}
	x, err := l.redaction(), l.resume(ctx, q, out)
	if err != nil {
		return nil, x.ambiguous(err)
	}
	return x.resumption(out), nil
}

// resume does what Resume says.
func (l *Library) resume(ctx context.Context, q ResumeQuery, out *Resumption) error {
	w, err := l.found(ctx, q, out)
	if err != nil {
		return err
	}
	if err := l.notRunning(ctx, out.source); err != nil {
		return err
	}
	if out.source.Info.Archived {
		if w, err = l.back(ctx, w, q, out); err != nil {
			return err
		}
	} else if !q.Print {
		l.KeepResumed(ctx, out)
	}
	src := out.source
	if out.Session, err = l.describe(ctx, w, src, &search.Tally{}); err != nil {
		return fmt.Errorf("%s cannot be read, so its session cannot be opened: %w", src.Path, err)
	}
	if out.Session.State == record.StateDamaged {
		return fmt.Errorf("no record of %s can be read, so %s could not go on from it", src.Path, src.Agent)
	}
	if out.Session.Kind == record.KindPrint {
		out.note("this was a run without a person; %s opens it by its id, but lists it nowhere", src.Agent)
	}
	if err := l.launch(w, q, out); err != nil {
		return err
	}
	out.before, err = names(src)
	return err
}

// found finds the session to be opened.
func (l *Library) found(ctx context.Context, q ResumeQuery, out *Resumption) (*world, error) {
	w, err := l.everything(ctx, true)
	if err != nil {
		return nil, err
	}
	t, err := l.resolve(ctx, w, q.Handle)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return nil, l.onlyRemembered(ctx, w, q.Handle, err, "opened")
	}
	if err != nil {
		return nil, err
	}
	if out.source, err = w.resumable(t.source, q.Handle); err != nil {
		return nil, err
	}
	if out.source.Source != t.source.Source {
		out.note("%s is a subagent; its session %s is opened", t.source.Subagent, out.source.Session)
	}
	return w, nil
}

// back puts a session back that only the archive has, and looks at the disk again.
func (l *Library) back(ctx context.Context, w *world, q ResumeQuery, out *Resumption) (*world, error) {
	if q.Print {
		out.note("only the archive has the session; seshat restore %s puts it back", out.source.Session)
		return w, nil
	}
	done := &Restored{}
	if err := l.recoverRestores(ctx, done); err != nil {
		return nil, err
	}
	if err := l.restore(ctx, w, out.source, RestoreQuery{Handle: q.Handle}, done); err != nil {
		return nil, err
	}
	out.Notes = append(out.Notes, done.Notes...)
	out.note("%s of the session put back from the archive", agent.Count(int64(done.Changed()), "file"))
	name := out.source.Path
	out.source = search.Source{}
	w, err := l.disk().discover(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, s := range w.sources {
		if s.Path == name {
			out.source = s
			return w, nil
		}
	}
	return nil, fmt.Errorf("%s was put back and is not found there", name)
}

// KeepResumed archives a session as it is now. What cannot be archived is noted.
func (l *Library) KeepResumed(ctx context.Context, r *Resumption) {
	of := r.source
	run, _, err := l.Archive(ctx, ArchiveQuery{of: func(s search.Source) bool {
		return s.Agent == of.Agent && s.Root.Dir() == of.Root.Dir() && s.Adapter.Belongs(s.Source) == of.Session && projectPart(s.Name) == projectPart(of.Name)
	}})
	switch {
	case err != nil:
		r.note("the session could not be archived: %s", l.Redact(err.Error()))
	case run.Stopped != "":
		r.note("the session could not be archived: %s", run.Stopped)
	}
}

func (r *Resumption) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// resumable gives the transcript that an agent would go on from.
func (w *world) resumable(s search.Source, handle string) (search.Source, error) {
	if s.Transcript() {
		return s, nil
	}
	if s.Subagent == "" {
		return s, usagef("%q is %s, which is no session that could be opened", handle, s.Path)
	}
	var best search.Source
	for _, x := range w.sources {
		if x.Family == s.Family && x.Transcript() && (best.Source == nil || x.Rank < best.Rank) {
			best = x
		}
	}
	if best.Source == nil {
		return s, fmt.Errorf("%s is a subagent whose session's transcript is gone, so nothing can be opened; seshat show %s shows what is left", s.Subagent, s.Subagent)
	}
	return best, nil
}

// onlyRemembered says of a session that only a prompt log names what cannot be done
// with it. Any other handle names nothing.
func (l *Library) onlyRemembered(ctx context.Context, w *world, handle string, missing error, done string) error {
	shown, _, err := l.showRemembered(ctx, w, ShowQuery{Handle: handle}, nil, missing)
	if err != nil {
		return err
	}
	return fmt.Errorf("the transcript of %s is gone, so it cannot be %s: only its prompts are left, and seshat show %s shows them", shown.Session.Handle, done, shown.Session.ID)
}

// notRunning refuses a session that a running process has open: two that write one
// transcript spoil it.
func (l *Library) notRunning(ctx context.Context, src search.Source) error {
	return l.notRunningIn(ctx, src, src.Root)
}

// notRunningIn does so for a session in another data folder.
func (l *Library) notRunningIn(ctx context.Context, src search.Source, root agent.Root) error {
	there := *src.Source
	there.Root = root
	src.Source = &there
	all, err := src.Adapter.Running(ctx, src.Source)
	if err != nil {
		return fmt.Errorf("whether the session is open already cannot be seen: %w", err)
	}
	for _, r := range all {
		if l.opts.Alive(r.PID) {
			how, err := src.Adapter.Launch(l.env(src.Agent), src.Source, agent.Start{})
			if err != nil {
				return err
			}
			return &OpenError{Session: src.Session, PID: r.PID, Path: r.Path, Program: how.Program, Fork: how.Fork}
		}
	}
	return nil
}

// OpenError says that a session is open in a running process.
type OpenError struct {
	Session string
	PID     int
	Path    string   // the file that says so
	Program string   // the agent's
	Fork    []string // the arguments by which it opens a copy
}

func (e *OpenError) Error() string {
	copied := strings.Join(append([]string{e.Program}, e.Fork...), " ")
	return fmt.Sprintf("the session %s is open in the process %d, as %s says; close it there first, or open a copy: %s", e.Session, e.PID, e.Path, copied)
}

// launch finds out how and where the agent is to be started.
func (l *Library) launch(w *world, q ResumeQuery, out *Resumption) error {
	src, s := out.source, &out.Session
	how := agent.Start{Ask: q.Ask}
	var err error
	if out.Launch, err = src.Adapter.Launch(l.env(src.Agent), src.Source, how); err != nil {
		return err
	}
	ran := s.Origin.CWD
	if q.Here {
		if l.opts.WorkDir == "" {
			return usagef("--here needs a current folder, and that is not known")
		}
		out.Dir = l.opts.WorkDir
	} else if out.Dir = l.firstThere(ran, s.Project.Root); out.Dir == "" {
		if ran == "" {
			return fmt.Errorf("%s does not tell in which folder its session ran; --here opens it in the current one", src.Path)
		}
		return fmt.Errorf("the folder %s, in which the session ran, is gone; make it again, or open the session in the current folder with --here", ran)
	}
	if out.Dir == ran {
		return nil
	}
	if !q.Here {
		out.note("the folder %s, in which the session ran, is gone; it is opened in its repository, %s", ran, out.Dir)
	}
	if out.Launch.Anywhere {
		return nil
	}
	out.note("%s finds a session by its id only where it ran, so a copy of it is opened", src.Agent)
	how.File = true
	out.Launch, err = src.Adapter.Launch(l.env(src.Agent), src.Source, how)
	return err
}

// firstThere gives the first of some folders that is there.
func (l *Library) firstThere(dirs ...string) string {
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if _, err := l.opts.Open(dir); err == nil {
			return dir
		}
	}
	return ""
}

// names lists what lies in the folder of a transcript.
func names(src search.Source) ([]string, error) {
	entries, err := src.Root.List(path.Dir(src.Name))
	if err != nil {
		return nil, fmt.Errorf("the folder of %s cannot be listed: %w", src.Path, err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name)
	}
	return out, nil
}

// Leftovers lists the files that the agent has left beside the transcript since Resume
// and that harm the session, by their absolute paths.
func (l *Library) Leftovers(r *Resumption) ([]string, error) {
	if r.Launch.Leftover == nil {
		return nil, nil
	}
	now, err := names(r.source)
	var left []string
	for _, name := range now {
		if r.Launch.Leftover(name) && !slices.Contains(r.before, name) {
			left = append(left, path.Join(path.Dir(r.source.Path), name))
		}
	}
	return l.redaction().each(left), err
}
