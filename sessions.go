package seshat

import (
	"context"
	"slices"
	"sort"
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
	All     bool      // print-mode runs and lone subagents too
	Since   time.Time // active at or after this time
	PR      string    // linked to this pull request: its URL, or its number
	Limit   int       // at most so many; 0 is no limit
	Here    bool      // of the project of the current folder
	Project string    // of this project: a name or a path, globs allowed
	Branch  string    // that ran on this branch, globs allowed
}

// selection says which sources may hold the sessions.
func (q SessionQuery) selection() Selection {
	sel := Selection{Here: q.Here}
	if q.Project != "" {
		sel.Projects = []string{q.Project}
	}
	return sel
}

// listed is a session with what only lists ask about it.
type listed struct {
	record.Session
	project  project.Found
	branches []string
}

// Sessions lists the sessions, newest first.
func (l *Library) Sessions(ctx context.Context, q SessionQuery) ([]record.Session, *record.Answer, error) {
	_, list, tally, err := l.list(ctx, q)
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
func (l *Library) list(ctx context.Context, q SessionQuery) (*world, []listed, *search.Tally, error) {
	w, srcs, tally, err := l.selected(ctx, q.selection())
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := l.onDisk(ctx, w, srcs, tally)
	if err != nil {
		return nil, nil, nil, err
	}
	remembered, err := l.remembered(ctx, w, srcs, tally)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, s := range remembered {
		all = append(all, w.places.listed(s))
	}
	return w, q.pick(w.places.among(q.selection(), all), tally.Hidden()), tally, nil
}

// onDisk lists the sessions of which a transcript, or a subagent's, is there.
func (l *Library) onDisk(ctx context.Context, w *world, srcs []search.Source, tally *search.Tally) ([]listed, error) {
	heads, subagents := representatives(srcs)
	owners := map[agent.Mark]*record.Session{} // by mark, the session that owns the record
	byFamily := map[string]*listed{}
	var all []*listed
	err := search.Summaries(ctx, heads, l.opts.Workers, tally, func(s search.Source, sum agent.Summary) {
		sess := byFamily[s.Family]
		if sess != nil && s.Family != "" {
			mergeSession(&sess.Session, &sum.Session)
		} else {
			sess = &listed{Session: sum.Session}
			sess.Handle, sess.Subagents, sess.Counts = w.sessionHandle(s.Source), subagents[s.Family], record.Counts{}
			byFamily[s.Family] = sess
			all = append(all, sess)
			w.places.begin(ctx, s, &sess.Origin)
		}
		sess.branches = append(sess.branches, sum.Branches...)
		w.places.link(sum.Worktrees)
		sess.Subagents += sum.Inline
		claim(owners, &sess.Session, sum.Records)
	})
	out := make([]listed, len(all))
	for i, s := range all {
		out[i] = w.places.listed(s.Session) // when all have said what they know of worktrees
		out[i].branches = append(out[i].branches, s.branches...)
	}
	return out, err
}

// claim counts the records of a session. One that stands in an earlier session
// too is a copy; one that the session has already, in another file, counts once.
func claim(owners map[agent.Mark]*record.Session, sess *record.Session, records []agent.Marked) {
	for _, m := range records {
		owner := owners[m.Mark]
		switch {
		case m.Mark == 0:
		case owner == nil:
			owners[m.Mark] = sess
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
	seen := map[string]bool{}
	var heads []search.Source
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
func (q SessionQuery) pick(all []listed, hidden *record.Hidden) []listed {
	var out []listed
	for _, s := range all {
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
		out = append(out, s)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if a, b := out[i].LastActive, out[j].LastActive; !a.Equal(b) {
			return a.After(b)
		}
		return out[i].Path < out[j].Path
	})
	if q.Limit > 0 && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out
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

// ranOn reports whether the wanted branch is one of a session's.
func (q SessionQuery) ranOn(branches []string) bool {
	return q.Branch == "" || slices.ContainsFunc(branches, func(b string) bool { return project.Matches(q.Branch, b) })
}
