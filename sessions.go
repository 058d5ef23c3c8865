package seshat

import (
	"context"
	"sort"
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
	Limit int       // at most so many; 0 is no limit
}

// Sessions lists the sessions, newest first.
func (l *Library) Sessions(ctx context.Context, q SessionQuery) ([]record.Session, *record.Answer, error) {
	w, srcs, tally, err := l.selected(ctx, Selection{})
	if err != nil {
		return nil, nil, err
	}
	heads, subagents := representatives(srcs)
	var all []record.Session
	err = search.Summaries(ctx, heads, l.opts.Workers, tally, func(s search.Source, sum agent.Summary) {
		sess := sum.Session
		sess.Handle = w.sessionHandle(s.Source)
		sess.Project = project.Of(sess.Origin.CWD)
		sess.Subagents = subagents[s.Family]
		all = append(all, sess)
	})
	if err != nil {
		return nil, nil, err
	}
	picked := q.pick(all, tally.Hidden())
	tally.Match(len(picked))
	return picked, tally.Answer(), nil
}

// representatives gives one source for each session: its transcript, or the first
// subagent where that is gone. It also counts the subagents of each family.
// Sources that have no reader yet stand for themselves, so that they are counted.
func representatives(srcs []search.Source) ([]search.Source, map[string]int) {
	subagents := map[string]int{}
	seen := map[string]bool{}
	var heads []search.Source
	for _, s := range srcs {
		if s.Store.Coverage != catalog.Search || s.Store.Role == "prompt_history" {
			continue
		}
		if s.Subagent != "" {
			subagents[s.Family]++
		}
		if s.Family == "" || !seen[s.Family] {
			seen[s.Family] = true
			heads = append(heads, s)
		}
	}
	return heads, subagents
}

// pick gives the wanted sessions, newest first, and counts what a default leaves
// out.
func (q SessionQuery) pick(all []record.Session, hidden *record.Hidden) []record.Session {
	var out []record.Session
	for _, s := range all {
		switch {
		case s.LastActive.Before(q.Since):
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
