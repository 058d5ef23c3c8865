package search

import (
	"context"
	"errors"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// event is one thing that came out of a source: what was kept of a record, what
// is wrong with a line, or the end of the source.
type event[R Weighed] struct {
	kept    R
	damage  *agent.Damage
	unknown *agent.Unknown
	end     bool
	err     error // of the end
}

func (e event[R]) Weight() int {
	if e.end || e.damage != nil || e.unknown != nil {
		return 0
	}
	return e.kept.Weight()
}

// Reading is how one source is read: what is wanted of it, and what is kept of each
// of its records.
type Reading[R Weighed] struct {
	Plan  agent.Plan
	Keep  func(*record.Record) (R, bool)
	Count func([]agent.Counted) R // where the plan counts
	Score func(*agent.Scored) R   // where it scores
}

// Each reads sources in order on several cores. keep is called on a worker for
// every record and says what is wanted of it, if anything; take is called in
// order for what was wanted. The tally hears of everything else.
func Each[R Weighed](ctx context.Context, srcs []Source, workers int, plan agent.Plan, tally *Tally,
	keep func(*record.Record) (R, bool), take func(Source, R) error) error {
	reading := func(context.Context, Source) Reading[R] { return Reading[R]{Plan: plan, Keep: keep} }
	return EachAs(ctx, srcs, workers, tally, reading, take)
}

// EachAs reads sources as Each does, every one in a way of its own.
func EachAs[R Weighed](ctx context.Context, srcs []Source, workers int, tally *Tally,
	reading func(context.Context, Source) Reading[R], take func(Source, R) error) error {
	work := func(ctx context.Context, s Source, emit func(event[R]) error) error {
		return readSource(ctx, s, reading(ctx, s), emit)
	}
	return Ordered(ctx, srcs, workers, work, func(s Source, e event[R]) error {
		switch {
		case e.end:
			tally.End(s.Source, e.err)
		case e.damage != nil:
			tally.Damage(s.Source, e.damage)
		case e.unknown != nil:
			tally.Unknown(s.Source, e.unknown)
		default:
			return take(s, e.kept)
		}
		return nil
	})
}

func readSource[R Weighed](ctx context.Context, s Source, r Reading[R], emit func(event[R]) error) error {
	if s.Problem != "" {
		return emit(event[R]{end: true, err: errors.New(s.Problem)})
	}
	r.Plan.Barren = s.Barren && r.Plan.Candidate != nil
	for item, err := range s.Adapter.Read(ctx, s.Source, r.Plan) {
		if ctx.Err() != nil {
			return errAbandoned
		}
		if err != nil {
			return emit(event[R]{end: true, err: err})
		}
		for i := range item.Scored {
			if err := emit(event[R]{kept: r.Score(&item.Scored[i])}); err != nil {
				return err
			}
		}
		if item.Scored != nil {
			continue
		}
		e := event[R]{damage: item.Damage, unknown: item.Unknown}
		if item.Counted != nil {
			e.kept = r.Count(item.Counted)
		}
		if item.Record != nil {
			var ok bool
			if e.kept, ok = r.Keep(item.Record); !ok {
				continue
			}
		}
		if err := emit(e); err != nil {
			return err
		}
	}
	return emit(event[R]{end: true})
}
