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
	All   bool      // print-mode runs and lone subagents too
	Since time.Time // active at or after this time
	PR    string    // linked to this pull request: its URL, or its number
	Limit int       // at most so many; 0 is no limit
}

// Sessions lists the sessions, newest first.
func (l *Library) Sessions(ctx context.Context, q SessionQuery) ([]record.Session, *record.Answer, error) {
	w, srcs, tally, err := l.selected(ctx, Selection{listing: true}, nil)
	if err != nil {
		return nil, nil, err
	}
	all, err := l.onDisk(ctx, w, srcs, tally)
	if err != nil {
		return nil, nil, err
	}
	remembered, err := l.remembered(ctx, w, srcs, tally)
	if err != nil {
		return nil, nil, err
	}
	w.memory.save(w)
	picked := q.pick(append(all, remembered...), tally.Hidden())
	tally.Match(len(picked))
	return picked, tally.Answer(), nil
}

// onDisk lists the sessions of which a transcript, or a subagent's, is there.
func (l *Library) onDisk(ctx context.Context, w *world, srcs []search.Source, tally *search.Tally) ([]record.Session, error) {
	heads, subagents := representatives(srcs)
	owners := map[agent.Stamp]*record.Session{} // the session that owns the record
	byFamily := make(map[string]*record.Session, len(heads))
	told, err := w.memory.briefs(ctx, heads)
	all := make([]record.Session, 0, len(told)) // never more, so that pointers into it stay
	for i := range told {
		t := &told[i]
		for d := range t.Brief.Damage {
			tally.Damage(t.Source.Source, &t.Brief.Damage[d])
		}
		tally.End(t.Source.Source, t.Err)
		if t.Err != nil && t.Brief.Session.ID == "" {
			continue
		}
		sess := byFamily[t.Family]
		if sess != nil && t.Family != "" {
			mergeSession(sess, &t.Brief.Session)
		} else {
			all = append(all, t.Brief.Session)
			sess = &all[len(all)-1]
			sess.Handle, sess.Project = w.sessionHandle(t.Source.Source), project.Of(sess.Origin.CWD)
			sess.Subagents, sess.Counts = subagents[t.Family], record.Counts{}
			byFamily[t.Family] = sess
		}
		sess.Subagents += t.Brief.Inline
		if t.Marks == nil {
			sess.Counts.Sum(t.Brief.Session.Counts)
		}
		claim(owners, sess, t.Marks)
	}
	return all, err
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
func (q SessionQuery) pick(all []record.Session, hidden *record.Hidden) []record.Session {
	var wanted []*record.Session
	for i := range all {
		s := &all[i]
		switch {
		case s.LastActive.Before(q.Since) || !q.linked(s):
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
	slices.SortStableFunc(wanted, func(a, b *record.Session) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), strings.Compare(a.Path, b.Path))
	})
	if q.Limit > 0 && len(wanted) > q.Limit {
		wanted = wanted[:q.Limit]
	}
	out := make([]record.Session, len(wanted))
	for i, s := range wanted {
		out[i] = *s
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
