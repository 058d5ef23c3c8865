// Package search runs over the sources of all agents: it selects them, puts them
// in the one order that every answer has, reads them on all cores, and tells how
// complete the answer is.
//
// A reader may rely on this. Results come in the order of the sources, whatever
// the number of cores, and each as soon as all earlier sources are done. Memory
// is bounded by a few batches of results per core, not by the size of a source.
// A source that fails costs only itself; a panic of a worker ends the run with an error.
package search

import (
	"context"
	"errors"
	"sync"

	"github.com/seshat-dev/seshat/internal/crash"
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
	waiting   = 32
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
	waitingJobs := line[R]{ctx: ctx, jobs: len(jobs), queues: queues}
	for range max(1, min(workers, len(jobs))) {
		running.Go(func() {
			for {
				nth, queue := waitingJobs.next()
				if queue == nil {
					return
				}
				b := batches[R]{ctx: ctx, queue: queue, held: held, job: nth}
				err := crash.Caught(func() error {
					if err := work(ctx, jobs[nth], b.add); err != nil {
						return err
					}
					return b.flush()
				})
				if err != nil && !errors.Is(err, errAbandoned) {
					fail(err)
				}
				close(queue)
			}
		})
	}
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

// line is where workers get their jobs, one after the other.
type line[R any] struct {
	ctx    context.Context
	jobs   int
	queues chan<- chan []R // of the jobs that were given out, in their order

	mu    sync.Mutex
	given int
	ended bool
}

// next gives a job and the queue for its results, or none when there are no more jobs
// or nobody wants results.
func (l *line[R]) next() (job int, queue chan []R) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, nil
	}
	if l.given < l.jobs {
		queue = make(chan []R, waiting)
		select {
		case l.queues <- queue:
			l.given++
			return l.given - 1, queue
		case <-l.ctx.Done():
		}
	}
	l.ended = true
	close(l.queues)
	return 0, nil
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
