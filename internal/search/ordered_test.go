package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seshat-dev/seshat/internal/crash"
)

// These tests run in bubbles of testing/synctest: time is faked, a deadlock fails
// the test at once, and so does a goroutine that is left over.

// emission is what a job of a test emits.
type emission struct{ job, n int }

// numbered emits n results, sometimes after a while.
func numbered(rng *rand.Rand, sizes []int) func(context.Context, int, func(emission) error) error {
	pauses := make([][]time.Duration, len(sizes))
	for i, n := range sizes {
		for range n + 1 {
			pause := time.Duration(0)
			if rng.IntN(8) == 0 {
				pause = time.Duration(rng.IntN(1000)) * time.Millisecond
			}
			pauses[i] = append(pauses[i], pause)
		}
	}
	return func(_ context.Context, job int, emit func(emission) error) error {
		for n, pause := range pauses[job] {
			time.Sleep(pause)
			if n == sizes[job] {
				break
			}
			if err := emit(emission{job, n}); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestOrderedKeepsOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		sizes := make([]int, rng.IntN(30))
		var jobs []int
		var want []emission
		for i := range sizes {
			jobs = append(jobs, i)
			switch rng.IntN(4) {
			case 0: // nothing
			case 1:
				sizes[i] = rng.IntN(3*batch) + 1
			default:
				sizes[i] = rng.IntN(5)
			}
			for n := range sizes[i] {
				want = append(want, emission{i, n})
			}
		}
		workers := rng.IntN(9) - 1 // none and fewer than none too
		synctest.Test(t, func(t *testing.T) {
			var got []emission
			err := Ordered(t.Context(), jobs, workers, numbered(rng, sizes), func(job int, e emission) error {
				if job != e.job {
					t.Errorf("a result of job %d came as one of %d", e.job, job)
				}
				if len(got)%97 == 0 {
					time.Sleep(300 * time.Millisecond)
				}
				got = append(got, e)
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("round %d, %d jobs on %d workers: %d results in order %v, %v", round, len(jobs), workers, len(got), slices.Equal(got, want), err)
			}
		})
	}
}

// Results are handed over as soon as all earlier jobs are done, not at the end.
func TestOrderedDoesNotWaitForLaterJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := Ordered(t.Context(), []int{0, 1, 2}, 3, func(_ context.Context, job int, emit func(int) error) error {
			time.Sleep([]time.Duration{time.Second, time.Hour, time.Minute}[job])
			return emit(job)
		}, func(job, _ int) error {
			want := []time.Duration{time.Second, time.Hour, time.Hour}[job]
			if got := time.Since(start); got != want {
				t.Errorf("job %d was handed over after %v, want %v", job, got, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestOrderedRunsAtMostWorkersJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		err := Ordered(t.Context(), make([]int, 40), 3, func(_ context.Context, _ int, emit func(int) error) error {
			n := running.Add(1)
			most.Store(max(most.Load(), n))
			time.Sleep(time.Second)
			running.Add(-1)
			return emit(1)
		}, func(int, int) error { return nil })
		if err != nil || most.Load() != 3 {
			t.Errorf("%d jobs ran at once, want 3; %v", most.Load(), err)
		}
	})
}

// endless emits until it is told that nobody listens.
func endless(_ context.Context, job int, emit func(int) error) error {
	for n := 0; ; n++ {
		if err := emit(n); err != nil {
			return err
		}
	}
}

func TestOrderedStopsEarly(t *testing.T) {
	enough := errors.New("enough")
	for _, workers := range []int{1, 2, 7} {
		for _, after := range []int{0, 1, batch - 1, batch, 3*batch + 5} {
			synctest.Test(t, func(t *testing.T) {
				seen := 0
				err := Ordered(t.Context(), make([]int, 50), workers, endless, func(int, int) error {
					if seen == after {
						return enough
					}
					seen++
					return nil
				})
				if !errors.Is(err, enough) || seen != after {
					t.Errorf("%d workers: stopped after %d results with %v, want %d", workers, seen, err, after)
				}
			})
		}
	}
}

func TestOrderedCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := Ordered(ctx, make([]int, 50), 4, func(ctx context.Context, job int, emit func(int) error) error {
			for {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(time.Second):
				}
				if err := emit(0); err != nil {
					return err
				}
			}
		}, func(int, int) error { return nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ends with %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := Ordered(ctx, make([]int, 50), 4, endless, func(int, int) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("one that is cancelled before it begins ends with %v", err)
		}
	})
}

// The error of a job is told, and the other jobs lose nothing by it.
func TestOrderedJobFails(t *testing.T) {
	fault := errors.New("fault")
	for _, bad := range []int{0, 4, 9} {
		synctest.Test(t, func(t *testing.T) {
			jobs := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
			var got []int
			err := Ordered(t.Context(), jobs, 3, func(_ context.Context, job int, emit func(int) error) error {
				if job == bad {
					return fmt.Errorf("job %d: %w", job, fault)
				}
				return emit(job)
			}, func(_, n int) error {
				got = append(got, n)
				return nil
			})
			if !errors.Is(err, fault) {
				t.Errorf("the error is %v", err)
			}
			if want := slices.DeleteFunc(jobs, func(n int) bool { return n == bad }); !slices.Equal(got, want) {
				t.Errorf("results %v, want %v", got, want)
			}
		})
	}
}

// heavy is a result of a megabyte.
type heavy struct{}

func (heavy) Weight() int { return batchBytes }

// A worker waits when nobody takes its results: memory is bounded by a few
// batches, and heavy results make small batches.
func TestOrderedBoundsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var emitted atomic.Int32
		release := make(chan bool)
		done := make(chan error)
		go func() {
			done <- Ordered(t.Context(), []int{0}, 1, func(_ context.Context, _ int, emit func(heavy) error) error {
				for range 100 {
					emitted.Add(1)
					if err := emit(heavy{}); err != nil {
						return err
					}
				}
				return nil
			}, func(int, heavy) error {
				<-release
				return nil
			})
		}()
		synctest.Wait()
		// One is being visited, one waits to be sent, the others are held.
		if n := emitted.Load(); n > heldBytes/batchBytes+3 {
			t.Errorf("%d heavy results were made before the first was taken", n)
		}
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := emitted.Load(); n != 100 {
			t.Errorf("%d results, want 100", n)
		}
	})
}

// A panic of a worker, which could print what it was reading, is an error.
func TestPanicOfAWorkerIsAnError(t *testing.T) {
	work := func(_ context.Context, n int, emit func(int) error) error {
		if n == 3 {
			panic("what was read")
		}
		return emit(n)
	}
	err := Ordered(context.Background(), []int{1, 2, 3, 4}, 2, work, func(int, int) error { return nil })
	var e *crash.Error
	if !errors.As(err, &e) || e.What != "what was read" {
		t.Errorf("%v", err)
	}
}
