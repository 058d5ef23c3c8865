package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress is one line on a terminal that says how far a long answer is. It goes
// before anything else is printed.
type progress struct {
	w     io.Writer
	mu    sync.Mutex
	start time.Time
	last  time.Time
	shown bool
}

// An answer that is quick shows nothing; a slow one is updated calmly.
const (
	progressAfter = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func (p *progress) show(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.start.IsZero() {
		p.start = now
	}
	if now.Sub(p.start) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[Kread %d of %d files", done, total)
}

func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// before gives a writer that clears the line before it writes.
func (p *progress) before(w io.Writer) io.Writer { return clearing{p, w} }

type clearing struct {
	p *progress
	w io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.p.clear()
	return c.w.Write(b)
}
