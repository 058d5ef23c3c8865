package seshat

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
)

// ForgetQuery says which sessions the archive is to forget.
type ForgetQuery struct {
	Sessions  []string  // handles: ids or beginnings of ids, with or without the agent
	Projects  []string  // all sessions of these projects: names, or paths, globs allowed
	OlderThan time.Time // of these, or of all, those that were not active since then

	DryRun bool
	Ask    func(*Forgetting) (bool, error) // asked before anything is deleted; nil goes on
}

// What becomes of a file when sessions are forgotten.
const (
	ForgetFile = "forgotten" // it is deleted from the archive
	ForgetRef  = "dropped"   // likewise: nothing else that is kept refers to it
	ForgetMask = "masked"    // what the sessions' person typed is blank in it now
	ForgetLeft = "left"      // it is out of reach
)

// ForgetItem is what becomes of one file.
type ForgetItem struct {
	Agent, Store, Session string
	Path                  string
	Did                   string
	Bytes                 int64  // of all its versions; of a masked one, those that are blank
	Reason                string // why it is out of reach
}

// Forgetting is what it means to forget some sessions.
type Forgetting struct {
	Sessions int
	Items    []ForgetItem
	Freed    int64 // bytes of the archive, once it is done
	Done     bool

	ids, logs []int64 // of the archive
}

// Bytes sums what is deleted.
func (f *Forgetting) Bytes() (n int64) {
	for _, it := range f.Items {
		if it.Did == ForgetFile || it.Did == ForgetRef {
			n += it.Bytes
		}
	}
	return n
}

// Count tells of how many files something becomes.
func (f *Forgetting) Count(did string) (n int) {
	for _, it := range f.Items {
		if it.Did == did {
			n++
		}
	}
	return n
}

// Forget deletes sessions from the archive, with all that belongs to them and what
// nothing else refers to, and blots out what was typed in them from archived prompt
// logs. They are not archived again. The disk is not changed: what lies there is told.
func (l *Library) Forget(ctx context.Context, q ForgetQuery) (*Forgetting, error) {
	if len(q.Sessions) == 0 && len(q.Projects) == 0 && q.OlderThan.IsZero() {
		return nil, usagef("forget needs a session, --project or --older-than")
	}
	a, err := l.openArchive()
	if err != nil {
		return nil, err
	}
	defer a.Close()
	sources, err := a.Sources(ctx)
	if err != nil {
		return nil, err
	}
	x := l.redaction()
	sessions, err := l.toForget(ctx, q, sources)
	if err != nil {
		return nil, x.ambiguous(err)
	}
	f, err := l.forgetting(ctx, a, sources, sessions)
	f = x.forgetting(f)
	if err != nil || len(f.ids) == 0 || q.DryRun {
		return f, err
	}
	if q.Ask != nil {
		if yes, err := q.Ask(f); err != nil || !yes {
			return f, err
		}
	}
	f, err = l.forget(ctx, sessions)
	return x.forgetting(f), err
}

// forget does it, by what the archive holds now.
func (l *Library) forget(ctx context.Context, sessions []sessionKey) (*Forgetting, error) {
	w, _, err := l.writeArchive()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	sources, err := w.Archive().Sources(ctx)
	if err != nil {
		return nil, err
	}
	f, err := l.forgetting(ctx, w.Archive(), sources, sessions)
	if err != nil {
		return nil, err
	}
	damaged := func(s *archive.Source) {
		f.Items = append(f.Items, ForgetItem{Agent: s.Agent, Store: s.Store, Path: keyPath(s.Key), Did: ForgetLeft, Reason: "it is damaged in the archive, so that nothing could be masked in it"})
	}
	masked, err := l.masking(sessions).mask(ctx, w, f.logs, damaged)
	if err != nil {
		return nil, err
	}
	gone, err := w.Forget(ctx, f.ids, "forgotten")
	if err != nil {
		return nil, err
	}
	f.Freed, f.Done = masked.Freed+gone.Freed, true
	return f, w.Close()
}

// toForget finds the sessions that are meant, among those of the archive.
func (l *Library) toForget(ctx context.Context, q ForgetQuery, sources []archive.Source) ([]sessionKey, error) {
	last := map[sessionKey]time.Time{} // when it was changed last
	for i := range sources {
		s := &sources[i]
		key := sessionKey{s.Agent, s.Session}
		if s.Session == "" || !l.chosenAgent(s.Agent) {
			continue
		}
		for _, v := range s.Versions {
			if v.MTime.After(last[key]) {
				last[key] = v.MTime
			}
		}
	}
	chosen := map[sessionKey]bool{}
	for _, text := range q.Sessions {
		key, err := l.archivedSession(text, sources)
		if err != nil {
			return nil, err
		}
		chosen[key] = true
	}
	if len(q.Projects) > 0 || !q.OlderThan.IsZero() {
		_, list, _, err := l.list(ctx, SessionQuery{All: true, Projects: q.Projects})
		if err != nil {
			return nil, err
		}
		listed := map[sessionKey]bool{}
		for _, s := range list {
			key := sessionKey{s.Agent, s.ID}
			if listed[key] = true; !last[key].IsZero() && (q.OlderThan.IsZero() || s.LastActive.Before(q.OlderThan)) {
				chosen[key] = true
			}
		}
		for key, at := range last {
			if len(q.Projects) == 0 && !listed[key] && at.Before(q.OlderThan) {
				chosen[key] = true
			}
		}
	}
	var out []sessionKey
	for key := range chosen {
		out = append(out, key)
	}
	slices.SortFunc(out, func(a, b sessionKey) int {
		return cmp.Or(strings.Compare(a.agent, b.agent), strings.Compare(a.id, b.id))
	})
	return out, nil
}

func (l *Library) chosenAgent(name string) bool {
	return slices.ContainsFunc(l.adapters, func(a agent.Adapter) bool { return a.Name() == name })
}

// archivedSession finds the one session of the archive that a handle names.
func (l *Library) archivedSession(text string, sources []archive.Source) (sessionKey, error) {
	h, err := l.parseHandle(text)
	if err != nil {
		return sessionKey{}, err
	}
	whole, begins := map[sessionKey]string{}, map[sessionKey]string{}
	for i := range sources {
		s := &sources[i]
		key := sessionKey{s.Agent, s.Session}
		switch path := keyPath(s.Key); {
		case s.Session == "" || !l.chosenAgent(s.Agent):
		case h.path != "" && path == h.path, h.path == "" && h.names(s.Agent, s.Session) && s.Session == h.id:
			whole[key] = cmp.Or(whole[key], path)
		case h.path == "" && h.names(s.Agent, s.Session):
			begins[key] = cmp.Or(begins[key], path)
		}
	}
	if len(whole) == 0 {
		whole = begins
	}
	switch len(whole) {
	case 0:
		return sessionKey{}, &NotArchivedError{text}
	case 1:
		for key := range whole {
			return key, nil
		}
	}
	e := &AmbiguousError{Handle: text}
	for key, path := range whole {
		e.Candidates = append(e.Candidates, Candidate{Handle: key.agent + ":" + key.id, Path: path})
	}
	sort.Slice(e.Candidates, func(i, j int) bool { return e.Candidates[i].Handle < e.Candidates[j].Handle })
	return sessionKey{}, e
}

// NotArchivedError says that a handle names no session of the archive.
type NotArchivedError struct{ Handle string }

func (e *NotArchivedError) Error() string {
	return "no session in the archive is called " + agent.Quoted(e.Handle) + "; a session has its own id, and a subagent goes with its session"
}

// forgetting tells what it means to forget sessions.
func (l *Library) forgetting(ctx context.Context, a *archive.Archive, sources []archive.Source, sessions []sessionKey) (*Forgetting, error) {
	f := &Forgetting{Sessions: len(sessions)}
	if len(sessions) == 0 {
		return f, nil
	}
	refs := newRefCount(l, a, l.masking(sessions))
	for i := range sources {
		s := &sources[i]
		if slices.Contains(sessions, sessionKey{s.Agent, s.Session}) {
			f.ids = append(f.ids, s.ID)
			f.add(s, ForgetFile, size(s))
			refs.going = append(refs.going, s)
		} else {
			refs.staying = append(refs.staying, s)
		}
	}
	if len(f.ids) == 0 {
		return f, nil
	}
	dropped, logs, err := refs.count(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range dropped {
		f.ids = append(f.ids, s.ID)
		f.add(s, ForgetRef, size(s))
	}
	for _, log := range logs {
		f.logs = append(f.logs, log.source.ID)
		f.add(log.source, ForgetMask, log.bytes)
	}
	return f, l.outOfReach(ctx, f, sessions)
}

func (f *Forgetting) add(s *archive.Source, did string, bytes int64) {
	f.Items = append(f.Items, ForgetItem{Agent: s.Agent, Store: s.Store, Session: s.Session, Path: keyPath(s.Key), Did: did, Bytes: bytes})
}

func size(s *archive.Source) (n int64) {
	for _, v := range s.Versions {
		n += v.Size
	}
	return n
}

// outOfReach lists what lies on the disk of the sessions.
func (l *Library) outOfReach(ctx context.Context, f *Forgetting, sessions []sessionKey) error {
	w, err := l.disk().discover(ctx, false)
	if err != nil {
		return err
	}
	m := l.masking(sessions)
	for _, s := range w.sources {
		if s.Store.Coverage == catalog.Private {
			continue
		}
		item := ForgetItem{Agent: s.Agent, Store: s.Store.ID, Session: s.Adapter.Belongs(s.Source), Path: s.Path, Did: ForgetLeft, Bytes: s.Info.Size}
		switch {
		case slices.Contains(sessions, sessionKey{s.Agent, item.Session}):
			item.Reason = "it is on the disk, where its agent or you delete it"
		case s.Store.Role == promptHistory && s.Problem == "" && m.live(ctx, s.Source):
			item.Reason = "it is on the disk, with prompts of these sessions in it"
		default:
			continue
		}
		f.Items = append(f.Items, item)
	}
	return nil
}

// live reports whether a prompt log on the disk tells of the sessions.
func (m *masking) live(ctx context.Context, src *agent.Source) bool {
	file, err := src.Open()
	if err != nil {
		return false
	}
	defer file.Close()
	out, err := m.adapters[src.Agent].Prompts(ctx, src.Store, file, m.sessions[src.Agent])
	return err == nil && len(out) > 0
}
