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
	p.line(func(time.Duration) string { return fmt.Sprintf("read %d of %d files", done, total) })
}

// bytes shows how far a run over so many bytes is: how many, how fast, and how long it
// will take.
func (p *progress) bytes(verb string, done, total int64) {
	p.line(func(took time.Duration) string { return byteProgress(verb, done, total, took) })
}

func byteProgress(verb string, done, total int64, took time.Duration) string {
	text := fmt.Sprintf("%s %s of %s", verb, bytesText(done), bytesText(total))
	rate := float64(done) / took.Seconds()
	if rate < 1 {
		return text
	}
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	return fmt.Sprintf("%s, %s/s, %s left", text, bytesText(int64(rate)), left.Round(time.Second))
}

// line shows what text gives, which is told how long the run took so far.
func (p *progress) line(text func(took time.Duration) string) {
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
	fmt.Fprintf(p.w, "\r\x1b[K%s", text(now.Sub(p.start)))
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
