package agent

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/seshat-dev/seshat/record"
)

// Pass reads an open source and hands what it holds to emit, in order, until emit
// fails.
type Pass func(ctx context.Context, src *Source, f File, plan Plan, emit func(Item) error) error

// errStop ends a pass whose items are no longer wanted.
var errStop = errors.New("stop")

// Items opens a source and yields what the pass makes of it. An error comes last,
// without an item; of no pass that is ErrNoReader, and nothing is opened.
func (p Pass) Items(ctx context.Context, src *Source, plan Plan) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if p == nil {
			yield(Item{}, ErrNoReader)
			return
		}
		stopped := false // a pass may go on after emit has failed; yield may not be called again
		f, err := src.Open()
		if err == nil {
			defer f.Close()
			archived := f.Info().Archived
			err = p(ctx, src, f, plan, func(it Item) error {
				if archived && it.Record != nil {
					it.Record.Flags |= record.Archived
				}
				stopped = stopped || !yield(it, nil)
				if stopped {
					return errStop
				}
				return nil
			})
			if hurt, ok := f.(Hurt); ok && err == nil {
				err = hurt.Hurt()
			}
		}
		if err != nil && !stopped {
			yield(Item{}, err)
		}
	}
}

// Whole reads a file to the size that it had when it was opened. A file that has
// shrunk since gives what is left of it.
func Whole(f File) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(f, 0, f.Info().Size))
}
