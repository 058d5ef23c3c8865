package search

import (
	"context"
	"errors"

	"github.com/seshat-dev/seshat/agent"
)

// Told is a source with what was found out about its session.
type Told struct {
	Source
	Brief *agent.Brief
	Marks []agent.Marked // of its records; nil where it shares none with another source
	Err   error          // why it could not be read, wholly or from some point on
}

// Briefs reads briefs of sources on several cores, in order. done is told of each
// that was read. A source that cannot be read has an error and costs only itself.
func Briefs(ctx context.Context, srcs []Source, workers int, read func(context.Context, Source) (agent.Brief, error), done func()) ([]Told, error) {
	var all []Told
	work := func(ctx context.Context, s Source, emit func(Told) error) error {
		t := Told{Source: s, Brief: &agent.Brief{}}
		if s.Problem != "" {
			t.Err = errors.New(s.Problem)
		} else {
			b, err := read(ctx, s)
			t.Brief, t.Err = &b, err
		}
		return emit(t)
	}
	err := Ordered(ctx, srcs, workers, work, func(_ Source, t Told) error {
		all = append(all, t)
		done()
		return nil
	})
	return all, err
}
