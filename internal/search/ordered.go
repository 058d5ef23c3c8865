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

// waiting is how many batches of one job may wait for its turn, and heldBytes about
// how many bytes of all jobs.
const (
	waiting   = 256
	heldBytes = 8 << 20
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

	held := newLedger(ctx)
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
		for nth, job := range jobs {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			queue := make(chan []R, waiting)
			select {
			case queues <- queue:
			case <-ctx.Done():
				return
			}
			running.Go(func() {
				defer func() { <-slots }()
				defer close(queue)
				b := batches[R]{ctx: ctx, queue: queue, held: held, job: nth}
				err := work(ctx, job, b.add)
				if err == nil {
					err = b.flush()
				}
				if err != nil && !errors.Is(err, errAbandoned) {
					fail(err)
				}
			})
		}
	})
	next := 0
	for queue := range queues {
		held.turn(next)
		for results := range queue {
			for _, r := range results {
				if err := visit(jobs[next], r); err != nil {
					return err
				}
			}
			held.give(weightOf(results))
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

// batches sends what one job emits, many at a time.
type batches[R any] struct {
	ctx     context.Context
	queue   chan<- []R
	held    *ledger
	job     int
	pending []R
	bytes   int
}

func (b *batches[R]) add(r R) error {
	b.bytes += weight(r)
	if b.pending = append(b.pending, r); len(b.pending) < batch && b.bytes < batchBytes {
		return nil
	}
	return b.flush()
}

func (b *batches[R]) flush() error {
	if len(b.pending) == 0 {
		return nil
	}
	if !b.held.take(b.job, b.bytes, func() bool { return len(b.queue) == 0 }) {
		return errAbandoned
	}
	select {
	case b.queue <- b.pending:
		b.pending, b.bytes = nil, 0
		return nil
	case <-b.ctx.Done():
		return errAbandoned
	}
}

// overhead is about how many bytes a result holds that does not weigh itself, and
// beside what it says it weighs.
const overhead = 512

func weight[R any](r R) int {
	if w, ok := any(r).(Weighed); ok {
		return overhead + w.Weight()
	}
	return overhead
}

func weightOf[R any](results []R) (n int) {
	for _, r := range results {
		n += weight(r)
	}
	return n
}

// ledger bounds how many bytes of results wait for their turn. The job whose turn it
// is may go on when nothing of it waits.
type ledger struct {
	mu      sync.Mutex
	changed *sync.Cond
	ended   bool
	held    int
	current int
}

func newLedger(ctx context.Context) *ledger {
	l := &ledger{}
	l.changed = sync.NewCond(&l.mu)
	context.AfterFunc(ctx, func() { l.change(func() { l.ended = true }) })
	return l
}

func (l *ledger) change(f func()) {
	l.mu.Lock()
	f()
	l.mu.Unlock()
	l.changed.Broadcast()
}

// take notes bytes of a job, as soon as there is room for them; ok is false when
// nobody wants them any more.
func (l *ledger) take(job, bytes int, idle func() bool) (ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.ended && l.held > heldBytes && (job > l.current || !idle()) {
		l.changed.Wait()
	}
	l.held += bytes
	return !l.ended
}

func (l *ledger) turn(job int) { l.change(func() { l.current = job }) }

func (l *ledger) give(bytes int) { l.change(func() { l.held -= bytes }) }
