package search

import (
	"context"
	"regexp/syntax"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/record"
)

// Reading is how one source is read: what is wanted of it, and what is kept of each
// of its records.
type Reading[R Weighed] struct {
	Plan agent.Plan
	Keep func(*record.Record) (R, bool)
}

// EachAs reads sources as Each does, every one in a way of its own.
func EachAs[R Weighed](ctx context.Context, srcs []Source, workers int, tally *Tally, reading func(context.Context, Source) Reading[R], take func(Source, R) error) error {
	work := func(ctx context.Context, s Source, emit func(event[R]) error) error {
		r := reading(ctx, s)
		return readSource(ctx, s, r.Plan, r.Keep, emit)
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

// Hush gives the hit as one that is not asked for: it only tells what folding needs
// to know of later ones.
func (h Hit) Hush() Hit {
	h.silent = true
	return h
}

// Silent reports whether the hit was not asked for.
func (h Hit) Silent() bool { return h.silent }

// Required gives lists of literals; of each list every match of an expression contains
// at least one.
func Required(re *syntax.Regexp) [][]needle.Literal { return required(re) }

// Join counts in what another reading of the same sources left unread: damage and
// sources that failed are already counted, but what may have been lost is not.
func (t *Tally) Join(other *Tally) {
	t.lost += other.lost
}
