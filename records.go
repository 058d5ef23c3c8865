package seshat

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// Records gives every record of a selection to visit, in the order of all
// answers, until visit fails.
func (l *Library) Records(ctx context.Context, q Selection, visit func(*record.Record) error) (*record.Answer, error) {
	keep := func(r *record.Record) (search.Hit, bool) {
		if !q.wants(r.Kind) {
			return search.Silent(r, true)
		}
		h := search.NewHit(r)
		h.Note = l.redactText(r)
		r.Shorten()
		return h, true
	}
	x := l.redaction()
	ans, err := l.run(ctx, q, agent.Plan{Titles: true}, keep, func(tally *search.Tally, _ search.Source, h search.Hit) error {
		tally.Match(1)
		x.record(h.Record, h.Note)
		return visit(h.Record)
	})
	return x.answer(ans), err
}

// run reads a selection, folds copies and twins, names what is left, and hands it
// to take in order.
func (l *Library) run(ctx context.Context, q Selection, plan agent.Plan, keep func(*record.Record) (search.Hit, bool), take func(*search.Tally, search.Source, search.Hit) error) (*record.Answer, error) {
	test := plan.Candidate
	if plan.Every || q.unscanned {
		test = nil
	}
	w, srcs, tally, err := l.selected(ctx, q, test)
	if err != nil {
		return nil, err
	}
	var also map[agent.Mark][]string
	if q.Also {
		if also, err = l.copies(ctx, w, srcs, plan, keep); err != nil {
			return nil, err
		}
	}
	f := search.Folder{Superseded: q.Superseded, Copies: q.Copies, Hidden: tally.Hidden(), Counting: plan.Count != nil, Project: w.places.key}
	if located := !plan.Bare || len(q.Branches) > 0; located {
		w.places.learn() // what is said of a place must not change in between
	}
	wanted := w.places.wanted(q)
	reading := search.Reading[search.Hit]{Plan: plan, Keep: keep, Count: func(c []agent.Counted) search.Hit { return search.Hit{Counted: c} }}
	read := func(context.Context, search.Source) search.Reading[search.Hit] { return reading }
	err = search.EachAs(ctx, srcs, l.opts.Workers, tally, read, func(s search.Source, h search.Hit) error {
		if h.Counted != nil {
			h.Record = &record.Record{Agent: s.Agent, Store: s.Store.ID, Session: s.Session, Path: s.Path}
			h.Count, h.Records = f.Count(s, h.Counted)
			return take(tally, s, h)
		}
		if s.Store.Role == promptHistory && len(l.config.Exclude) > 0 && l.excluded(w.places.Of(h.Record.Origin), h.Record.Origin.CWD) {
			tally.Hidden().Excluded++
			return nil
		}
		if q.byProject() && s.Family == "" && !wanted(w.places.around(s, h.Record.Origin)) {
			return nil
		}
		show, shared := f.Show(s, h)
		if !show {
			return nil
		}
		if !plan.Bare || len(q.Branches) > 0 {
			w.places.locate(ctx, s, h.Record)
		}
		if !q.ranOn(h.Record) {
			return nil
		}
		w.nameRecord(s, h.Record, shared)
		if h.Record.Flags&record.Copy == 0 {
			h.Record.Also = also[h.Mark()]
		}
		return take(tally, s, h)
	})
	return tally.Answer(), err
}

// copies reads a selection for the handles of the copies of each record.
func (l *Library) copies(ctx context.Context, w *world, srcs []search.Source, plan agent.Plan, keep func(*record.Record) (search.Hit, bool)) (map[agent.Mark][]string, error) {
	also := map[agent.Mark][]string{}
	f := search.Folder{Superseded: true, Copies: true, Hidden: &record.Hidden{}}
	err := search.Each(ctx, srcs, l.opts.Workers, plan, &search.Tally{}, keep, func(s search.Source, h search.Hit) error {
		if show, _ := f.Show(s, h); show && h.Record.Flags&record.Copy != 0 {
			w.nameRecord(s, h.Record, true)
			also[h.Mark()] = append(also[h.Mark()], h.Record.Handle)
		}
		return nil
	})
	return also, err
}
