package seshat

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// SlowSessions lists the sessions by decoding every record of every transcript and
// comparing all of them, without any cache: what Sessions must give.
func (l *Library) SlowSessions(ctx context.Context, q SessionQuery) ([]record.Session, *record.Answer, error) {
	w, srcs, tally, err := l.selected(ctx, Selection{}, nil)
	if err != nil {
		return nil, nil, err
	}
	heads, subagents := representatives(srcs)
	owners := map[agent.Stamp]*record.Session{}
	byFamily := map[string]*record.Session{}
	var all []*record.Session
	work := func(ctx context.Context, s search.Source, emit func(search.Told) error) error {
		sum, err := s.Adapter.Summarize(ctx, s.Source)
		return emit(search.Told{Brief: &agent.Brief{Session: sum.Session, Damage: sum.Damage, Inline: sum.Inline}, Marks: sum.Records, Err: err})
	}
	err = search.Ordered(ctx, heads, 1, work, func(s search.Source, t search.Told) error {
		for d := range t.Brief.Damage {
			tally.Damage(s.Source, &t.Brief.Damage[d])
		}
		tally.End(s.Source, t.Err)
		sess := &t.Brief.Session
		if known := byFamily[s.Family]; known != nil {
			mergeSession(known, sess)
			sess = known
		} else {
			sess.Handle, sess.Project = w.sessionHandle(s.Source), project.Of(sess.Origin.CWD)
			sess.Subagents, sess.Counts = subagents[s.Family], record.Counts{}
			byFamily[s.Family] = sess
			all = append(all, sess)
		}
		sess.Subagents += t.Brief.Inline
		claim(owners, sess, t.Marks)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	remembered, err := l.remembered(ctx, w, srcs, tally)
	var out []record.Session
	for _, s := range all {
		out = append(out, *s)
	}
	picked := q.pick(append(out, remembered...), tally.Hidden())
	tally.Match(len(picked))
	return picked, tally.Answer(), err
}
