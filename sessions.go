package seshat

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// SessionQuery says which sessions are wanted.
type SessionQuery struct {
	All      bool      // print-mode runs and lone subagents too
	Since    time.Time // active at or after this time
	PR       string    // linked to this pull request: its URL, or its number
	Limit    int       // at most so many; 0 is no limit
	Here     bool      // of the project of the current folder
	Projects []string  // of one of these projects: names or paths, globs allowed
	Branches []string  // that ran on one of these branches, globs allowed
	Query    *Query    // with a record that matches, or a title

	wide bool // look at side places too
}

// selection says which sources may hold the sessions.
func (q SessionQuery) selection() Selection {
	return Selection{Here: q.Here, Projects: q.Projects, listing: true, wide: q.wide}
}

// listed is a session with what only lists ask about it.
type listed struct {
	record.Session
	family   string // of its sources; empty where it has none
	project  project.Found
	branches []string
}

// Sessions lists the sessions, newest first.
func (l *Library) Sessions(ctx context.Context, q SessionQuery) ([]record.Session, *record.Answer, error) {
	list, ans, err := l.sessions(ctx, q)
	x := l.redaction()
	x.sessions(list)
	return list, x.answer(ans), err
}

// sessions lists them as they are.
func (l *Library) sessions(ctx context.Context, q SessionQuery) ([]record.Session, *record.Answer, error) {
	w, list, tally, err := l.list(ctx, q)
	if err == nil {
		err = l.date(ctx, w, list)
	}
	if err != nil {
		return nil, nil, err
	}
	out := make([]record.Session, len(list))
	for i, s := range list {
		out[i] = s.Session
	}
	tally.Match(len(out))
	return out, tally.Answer(), nil
}

// list gives the wanted sessions, newest first.
func (l *Library) list(ctx context.Context, q SessionQuery) (*world, []*listed, *search.Tally, error) {
	if err := l.checkPlace(Selection{Branches: q.Branches}); err != nil {
		return nil, nil, nil, err
	}
	w, srcs, tally, err := l.selected(ctx, q.selection(), nil)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := l.onDisk(ctx, w, srcs, tally)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(q.Branches) > 0 {
		if err := l.branches(ctx, w, srcs, all); err != nil {
			return nil, nil, nil, err
		}
	}
	remembered, err := l.remembered(ctx, w, srcs, tally)
	if err != nil {
		return nil, nil, nil, err
	}
	w.memory.save(w)
	for _, s := range remembered {
		all = append(all, w.places.listed(s))
	}
	ids := w.sessionIDs(all)
	if all, err = l.matching(ctx, w, q, tally, w.places.among(q.selection(), all)); err != nil {
		return nil, nil, nil, err
	}
	wanted := q.pick(all, tally.Hidden())
	for _, s := range wanted {
		s.Short = ids.handle(&s.Session)
	}
	return w, wanted, tally, nil
}

// onDisk lists the sessions of which a transcript, or a subagent's, is there.
func (l *Library) onDisk(ctx context.Context, w *world, srcs []search.Source, tally *search.Tally) ([]listed, error) {
	heads, subagents := representatives(srcs)
	told, err := w.memory.briefs(ctx, heads)
	if err != nil {
		return nil, err
	}
	c := collector{w: w, tally: tally, subagents: subagents, owners: map[agent.Stamp]*record.Session{}, byFamily: make(map[string]*listed, len(heads)), all: make([]listed, 0, len(told))}
	for i := range told {
		c.add(ctx, &told[i])
	}
	return c.finish(), nil
}

// branches adds to sessions the branches that their subagents ran on. What cannot be
// read is not told again.
func (l *Library) branches(ctx context.Context, w *world, srcs []search.Source, all []listed) error {
	byFamily := make(map[string]*listed, len(all))
	for i := range all {
		byFamily[all[i].family] = &all[i]
	}
	var subs []search.Source
	for _, s := range srcs {
		if s.Subagent != "" && s.Problem == "" && w.led[s.Family] && byFamily[s.Family] != nil {
			subs = append(subs, s)
		}
	}
	read := func(ctx context.Context, s search.Source) (agent.Brief, error) { return s.Adapter.Brief(ctx, s.Source) }
	told, err := search.Briefs(ctx, subs, l.opts.Workers, read, func() {})
	for i := range told {
		t := &told[i]
		w.places.complete(&t.Brief.Session.Origin)
		s := byFamily[t.Family]
		if s.branches = append(s.branches, t.Brief.Branches...); t.Brief.Session.Origin.Branch != "" {
			s.branches = append(s.branches, t.Brief.Session.Origin.Branch)
		}
	}
	return err
}

// collector puts together what the transcripts of each session tell.
type collector struct {
	w         *world
	tally     *search.Tally
	subagents map[string]int                  // by family
	owners    map[agent.Stamp]*record.Session // the session that owns the record
	byFamily  map[string]*listed
	all       []listed // with room for all, so that pointers into it stay
}

func (c *collector) add(ctx context.Context, t *search.Told) {
	for d := range t.Brief.Damage {
		c.tally.Damage(t.Source.Source, &t.Brief.Damage[d])
	}
	c.tally.End(t.Source.Source, t.Err)
	if t.Err != nil && t.Brief.Session.ID == "" {
		return
	}
	sess := c.byFamily[t.Family]
	if sess != nil && t.Family != "" {
		mergeSession(&sess.Session, &t.Brief.Session)
	} else {
		c.all = append(c.all, listed{Session: t.Brief.Session, family: t.Family})
		sess = &c.all[len(c.all)-1]
		sess.Handle, sess.Subagents, sess.Counts = c.w.sessionHandle(t.Source.Source), c.subagents[t.Family], record.Counts{}
		c.byFamily[t.Family] = sess
		c.w.places.begin(ctx, t.Source, &sess.Origin)
	}
	sess.branches = append(sess.branches, t.Brief.Branches...)
	sess.Subagents += t.Brief.Inline
	if t.Marks == nil {
		sess.Counts.Sum(t.Brief.Session.Counts)
	}
	claim(c.owners, &sess.Session, t.Marks)
}

// finish gives the sessions with their projects.
func (c *collector) finish() []listed {
	for i := range c.all {
		s := &c.all[i]
		s.State = c.w.state(s.family, s.State)
		full := c.w.places.listed(s.Session)
		full.family, full.branches = s.family, append(full.branches, s.branches...)
		*s = full
	}
	return c.all
}

// claim counts the records of a session. One that stands in an earlier session
// too is a copy; one that the session has already, in another file, counts once.
func claim(owners map[agent.Stamp]*record.Session, sess *record.Session, records []agent.Marked) {
	for _, m := range records {
		owner := owners[m.Stamp]
		switch {
		case m.Stamp == 0:
		case owner == nil:
			owners[m.Stamp] = sess
		case owner == sess:
			continue
		default:
			if sess.Copied++; sess.CopiedFrom == "" {
				sess.CopiedFrom = owner.Handle
			}
		}
		if m.Count {
			sess.Counts.Add(m.Kind)
		}
	}
}

// mergeSession adds what another file of the same session tells.
func mergeSession(s, other *record.Session) {
	if other.Started.Before(s.Started) {
		s.Started = other.Started
	}
	if other.LastActive.After(s.LastActive) {
		s.LastActive = other.LastActive
	}
	if s.Title == "" || s.TitleSource == record.TitlePrompt && other.TitleSource != record.TitlePrompt && other.Title != "" {
		s.Title, s.TitleSource = other.Title, other.TitleSource
	}
	for _, m := range other.Models {
		if !slices.Contains(s.Models, m) {
			s.Models = append(s.Models, m)
		}
	}
	if s.State == record.StateDamaged {
		s.State = other.State
	}
	s.Bytes += other.Bytes
}

// representatives gives the sources that stand for each session: its transcripts,
// or the first subagent where they are gone. It also counts the subagents of each
// family. Sources that have no reader yet stand for themselves, so that they are
// counted.
func representatives(srcs []search.Source) ([]search.Source, map[string]int) {
	subagents := map[string]int{}
	seen := make(map[string]bool, len(srcs))
	heads := make([]search.Source, 0, len(srcs))
	for _, s := range srcs {
		if s.Store.Coverage != catalog.Search || s.Store.Role == promptHistory {
			continue
		}
		if s.Subagent != "" {
			subagents[s.Family]++
		}
		if s.Family == "" || s.Transcript() || !seen[s.Family] {
			seen[s.Family] = true
			heads = append(heads, s)
		}
	}
	return heads, subagents
}

// pick gives the wanted sessions, newest first, and counts what a default leaves
// out.
func (q SessionQuery) pick(all []listed, hidden *record.Hidden) []*listed {
	wanted := make([]*listed, 0, len(all))
	for i := range all {
		s := &all[i]
		switch {
		case s.LastActive.Before(q.Since) || !q.linked(&s.Session) || !q.ranOn(s.branches):
			continue
		case !q.All && s.Kind == record.KindPrint:
			hidden.Print++
			continue
		case !q.All && s.Kind == record.KindSubagent:
			hidden.Subagent++
			continue
		}
		wanted = append(wanted, s)
	}
	slices.SortStableFunc(wanted, func(a, b *listed) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), strings.Compare(a.Path, b.Path))
	})
	if q.Limit > 0 && len(wanted) > q.Limit {
		wanted = wanted[:q.Limit]
	}
	return wanted
}

// linked reports whether a session has the wanted pull request.
func (q SessionQuery) linked(s *record.Session) bool {
	if q.PR == "" {
		return true
	}
	want := strings.TrimSuffix(strings.TrimPrefix(q.PR, "#"), "/")
	for _, url := range s.PRs {
		if url == want || strings.TrimSuffix(url, "/") == want || strings.HasSuffix(url, "/"+want) && !strings.Contains(want, "/") {
			return true
		}
	}
	return false
}

// ranOn reports whether a wanted branch is one of a session's.
func (q SessionQuery) ranOn(branches []string) bool {
	return len(q.Branches) == 0 || slices.ContainsFunc(q.Branches, func(want string) bool {
		return slices.ContainsFunc(branches, func(b string) bool { return project.Matches(want, b) })
	})
}
