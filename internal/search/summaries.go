package search

import (
	"context"
	"errors"

	"github.com/seshat-dev/seshat/agent"
)

type summarized struct {
	sum agent.Summary
	err error
}

// Summaries summarizes sources on several cores and hands each summary to take,
// in order. The tally hears of damage and of sources that could not be read; what
// was read of such a source before it failed is handed over all the same.
func Summaries(ctx context.Context, srcs []Source, workers int, tally *Tally, take func(Source, agent.Summary)) error {
	work := func(ctx context.Context, s Source, emit func(summarized) error) error {
		if s.Problem != "" {
			return emit(summarized{err: errors.New(s.Problem)})
		}
		sum, err := s.Adapter.Summarize(ctx, s.Source)
		return emit(summarized{sum, err})
	}
	return Ordered(ctx, srcs, workers, work, func(s Source, r summarized) error {
		for i := range r.sum.Damage {
			tally.Damage(s.Source, &r.sum.Damage[i])
		}
		tally.End(s.Source, r.err)
		if r.err == nil || r.sum.Session.ID != "" {
			take(s, r.sum)
		}
		return nil
	})
}
