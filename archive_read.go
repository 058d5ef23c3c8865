package seshat

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Why not all of a file is kept yet.
const (
	pendingTail    = "its last line is still being written"
	pendingChanged = "it changed while it was read"
)

// settled is how long a tail without an end of line must have been left alone before it
// is kept as it is: whoever wrote it has stopped.
const settled = time.Hour

// restless is how long after its last change a file may change again without a sign, on
// a file system with coarse times.
const restless = 2 * time.Second

// errChangedMeanwhile says that a file is not what it was when reading it began.
var errChangedMeanwhile = errors.New(pendingChanged)

// liveFile reads a file of an agent while it is kept, and tells what went wrong on this
// side of the archive.
type liveFile struct {
	agent.File
	size  int64            // how much of it is kept
	still func() error     // asked when its end was read; nil for a log, which may grow
	told  func(upTo int64) // told how far it was read; may be nil

	mu  sync.Mutex
	err error
	far int64
}

func (f *liveFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(b, off)
	end := off + int64(n)
	switch {
	case n < len(b) && end < f.size:
		if err == nil || err == io.EOF {
			err = errChangedMeanwhile // it is shorter now
		}
	case end >= f.size && f.still != nil:
		if serr := f.still(); serr != nil {
			n, err = 0, serr
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && err != io.EOF && f.err == nil {
		f.err = err
	}
	if f.far < end && f.told != nil {
		f.told(end)
	}
	f.far = max(f.far, end)
	return n, err
}

// failed gives the error that reading the file met, or nil.
func (f *liveFile) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// isLog reports whether a source is only appended to, line by line.
func isLog(s *catalog.Store) bool { return s.Format == catalog.JSONL }

// wholeLines gives how much of a log is kept now: to the end of its last line, or all of
// it when nobody has written to it for long.
func wholeLines(f io.ReaderAt, info agent.Info, now time.Time) (size int64, pending string, err error) {
	if info.Size == 0 || now.Sub(info.MTime) >= settled {
		return info.Size, "", nil
	}
	buf := make([]byte, 64<<10)
	for end := info.Size; end > 0; {
		from := max(0, end-int64(len(buf)))
		b := buf[:end-from]
		if n, err := f.ReadAt(b, from); n < len(b) {
			if err == nil || err == io.EOF {
				err = errChangedMeanwhile
			}
			return 0, "", err
		}
		for i := len(b) - 1; i >= 0; i-- {
			if b[i] == '\n' {
				if at := from + int64(i) + 1; at < info.Size {
					return at, pendingTail, nil
				}
				return info.Size, "", nil
			}
		}
		end = from
	}
	return 0, pendingTail, nil
}

// unsure stands in the place of a change time that tells nothing: no file has it.
var unsure = time.Unix(0, 1)

// noted is what the archive notes of a file that was read: where it may have changed
// since without a sign, no look will find it the same, so that it is read once more.
func noted(info agent.Info, log bool, now time.Time) agent.Info {
	last := info.CTime
	if last.IsZero() {
		last = info.MTime
	}
	if !log && now.Sub(last) < restless {
		info.CTime = unsure
	}
	return info
}

// sameBytes reports whether two files begin with the same bytes.
func sameBytes(ctx context.Context, a, b io.ReaderAt, size int64) bool {
	x, y := make([]byte, 256<<10), make([]byte, 256<<10)
	for at := int64(0); at < size; {
		n := min(int64(len(x)), size-at)
		if got, _ := a.ReadAt(x[:n], at); int64(got) < n {
			return false
		}
		if got, _ := b.ReadAt(y[:n], at); int64(got) < n || !bytes.Equal(x[:n], y[:n]) || ctx.Err() != nil {
			return false
		}
		at += n
	}
	return true
}
