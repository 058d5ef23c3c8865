// Package search runs over the sources of all agents: it selects them, puts them
// in the one order that every answer has, reads them on all cores, and tells how
// complete the answer is.
//
// A reader may rely on this. Results come in the order of the sources, whatever
// the number of cores, and each as soon as all earlier sources are done. Memory
// is bounded by a few batches of results per core, not by the size of a source.
// A source that fails costs only itself.
package search

import (
	"context"
	"errors"
	"sync"
)

// A worker hands its results over in batches: so many at a time, or fewer when
// they are big.
const (
	batch      = 256
	batchBytes = 1 << 20
)

// ahead is how many jobs for each worker may be done, or wait to hand over their first
// batch, before the job whose turn it is: a long one keeps no core idle.
const ahead = 8

// Weighed is a result that knows about how many bytes it holds.
type Weighed interface{ Weight() int }

// errAbandoned tells a worker that nobody wants its results any more.
var errAbandoned = errors.New("abandoned")

// Ordered calls work for every job on up to workers goroutines and hands what
// each emits to visit, in the order of the jobs. It ends early, with visit's
// error, when visit fails.
func Ordered[J, R any](ctx context.Context, jobs []J, workers int, work func(context.Context, J, func(R) error) error, visit func(J, R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()

	queues := make(chan chan []R, ahead*max(1, workers))
	failed := make(chan error, 1)
	fail := func(err error) {
		select {
		case failed <- err:
		default:
		}
	}
	slots := make(chan struct{}, max(1, workers))
	running.Go(func() {
		defer close(queues)
		for _, job := range jobs {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			queue := make(chan []R, 1)
			select {
			case queues <- queue:
			case <-ctx.Done():
				return
			}
			running.Go(func() {
				defer func() { <-slots }()
				defer close(queue)
				if err := send(ctx, queue, job, work); err != nil && !errors.Is(err, errAbandoned) {
					fail(err)
				}
			})
		}
	})
	next := 0
	for queue := range queues {
		for results := range queue {
			for _, r := range results {
				if err := visit(jobs[next], r); err != nil {
					return err
				}
			}
		}
		next++
	}
	select {
	case err := <-failed:
		return err
	default:
		return ctx.Err()
	}
}

// send runs one job and sends what it emits in batches.
func send[J, R any](ctx context.Context, queue chan<- []R, job J, work func(context.Context, J, func(R) error) error) error {
	var pending []R
	bytes := 0
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		select {
		case queue <- pending:
			pending, bytes = nil, 0
			return nil
		case <-ctx.Done():
			return errAbandoned
		}
	}
	err := work(ctx, job, func(r R) error {
		if w, ok := any(r).(Weighed); ok {
			bytes += w.Weight()
		}
		if pending = append(pending, r); len(pending) < batch && bytes < batchBytes {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}
