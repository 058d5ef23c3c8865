package seshat

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
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
	c := collector{w: w, tally: tally, subagents: subagents, owners: map[agent.Stamp]*record.Session{}, byFamily: map[string]*listed{}, all: make([]listed, 0, len(heads))}
	work := func(ctx context.Context, s search.Source, emit func(search.Told) error) error {
		sum, err := s.Adapter.Summarize(ctx, s.Source)
		return emit(search.Told{Brief: &agent.Brief{Session: sum.Session, Damage: sum.Damage, Inline: sum.Inline, Places: sum.Places}, Marks: sum.Records, Err: err})
	}
	err = search.Ordered(ctx, heads, 1, work, func(s search.Source, t search.Told) error {
		t.Source = s
		c.add(ctx, &t)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	all := c.finish()
	remembered, err := l.remembered(ctx, w, srcs, tally)
	for _, s := range remembered {
		all = append(all, w.places.listed(s))
	}
	list := q.pick(all, tally.Hidden())
	if err == nil {
		err = l.date(ctx, w, list) // no brief is at hand: the clocks are read
	}
	var picked []record.Session
	for _, s := range list {
		picked = append(picked, s.Session)
	}
	tally.Match(len(picked))
	return picked, tally.Answer(), err
}
