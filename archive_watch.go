package seshat

import (
	"context"
	"errors"
	"hash/maphash"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
)

// ErrArchiveBusy is what writing to the archive gives while another run does.
var ErrArchiveBusy = archive.ErrBusy

// WatchArchive archives whenever something has changed, at most once a tick, until the
// context ends. Between two runs it opens nothing to be kept: it looks at sizes and times.
// report is told of every run; an error of one ends nothing.
func (l *Library) WatchArchive(ctx context.Context, q ArchiveQuery, tick <-chan time.Time, report func(*ArchiveRun, error)) error {
	w := watch{l: l, q: q}
	for {
		run, err := w.once(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case run != nil || err != nil && !errors.Is(err, ErrArchiveBusy):
			report(run, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
		}
	}
}

// watch knows what the last run has seen.
type watch struct {
	l     *Library
	q     ArchiveQuery
	seen  uint64    // what the disk looked like before it
	again time.Time // when to run although nothing has changed; zero when that is no use
}

// once archives if something has changed since the last run.
func (w *watch) once(ctx context.Context) (*ArchiveRun, error) {
	now, err := w.look(ctx)
	if err != nil || now == w.seen && (w.again.IsZero() || time.Now().Before(w.again)) {
		return nil, err
	}
	run, _, err := w.l.Archive(ctx, w.q)
	if err != nil {
		return nil, err
	}
	w.seen, w.again = now, time.Time{}
	switch {
	case run.Stopped != "":
		w.again = time.Now().Add(settled)
	case run.Count(ArchivePending) > 0:
		w.again = time.Now().Add(restless + settled) // by then an unfinished line is kept as it is
	}
	return run, nil
}

// look sums up the names, sizes and times of all that may be kept.
func (w *watch) look(ctx context.Context) (uint64, error) {
	found, err := w.l.disk().discover(ctx, false)
	if err != nil {
		return 0, err
	}
	how := w.l.keeping()
	var h maphash.Hash
	h.SetSeed(watchSeed)
	for _, s := range found.sources {
		if how.of(s.Store, w.q.Include) == notKept {
			continue
		}
		h.WriteString(s.Path)
		writeInfo(&h, s.Info)
	}
	return h.Sum64() | 1, nil // 0 is of a watch that has seen nothing
}

// watchSeed makes sums of one process comparable.
var watchSeed = maphash.MakeSeed()

func writeInfo(h *maphash.Hash, info agent.Info) {
	maphash.WriteComparable(h, [5]int64{info.Size, info.MTime.UnixNano(), info.CTime.UnixNano(), int64(info.Dev), int64(info.Ino)})
}
