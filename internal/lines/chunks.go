package lines

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"
)

// step is how many bytes are read at once into Chunks: few enough to stay in the
// processor's cache while they are looked at.
const step = 128 << 10

// keep is how large a file may be to be kept whole in memory.
const keep = 4 << 20

// spares are buffers that are not in use, so that not every file needs a new one: to
// touch new memory takes longer than to read a file into it.
var spares struct {
	sync.Mutex
	buffers [][]byte
}

// maxSpares bounds how many there are.
const maxSpares = 10

// buffer gives an empty buffer for so many bytes, the smallest that is there.
func buffer(size int) []byte {
	spares.Lock()
	defer spares.Unlock()
	best := -1
	for i, b := range spares.buffers {
		if cap(b) >= size && (best < 0 || cap(b) < cap(spares.buffers[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]byte, 0, max(size, 2*step))
	}
	b := spares.buffers[best]
	spares.buffers = slices.Delete(spares.buffers, best, best+1)
	return b[:0]
}

func release(b []byte) {
	if cap(b) == 0 || cap(b) > keep {
		return
	}
	spares.Lock()
	defer spares.Unlock()
	if len(spares.buffers) < maxSpares {
		spares.buffers = append(spares.buffers, b)
	}
}

// Chunks reads a file in pieces of whole lines, of which it holds a window or, once
// it was told to keep the file, all of them where the file is of moderate size.
type Chunks struct {
	r     io.ReaderAt
	size  int64
	base  int64 // of buf
	pos   int64 // of the next chunk
	buf   []byte
	kept  bool
	more  []byte // bytes outside of buf
	apart int64  // where they stand
}

// NewChunks begins at the start of the first size bytes of r. Close gives its memory
// back.
func NewChunks(r io.ReaderAt, size int64) *Chunks {
	return &Chunks{r: r, size: size, buf: buffer(int(min(2*step, size)))}
}

// Close gives the memory back for other files: what was handed out is not valid any
// more.
func (c *Chunks) Close() {
	release(c.buf)
	c.buf, c.more = nil, nil
}

// Again goes back to the start.
func (c *Chunks) Again() {
	if c.pos = 0; c.base > 0 {
		c.base, c.buf = 0, c.buf[:0]
	}
}

// Keep goes back to the start and keeps in memory what is read, unless the file is
// too large for that.
func (c *Chunks) Keep() {
	c.Again()
	c.kept = c.size <= keep
}

// Next gives the next lines, with their newlines, and where they begin; only the
// last of a file may lack its newline. They are valid until the next call. At the
// end it gives no bytes; a file that became shorter gives ErrShrank.
func (c *Chunks) Next() (chunk []byte, at int64, err error) {
	at = c.pos
	for want := step; ; want *= 2 {
		if int64(len(c.buf))-(at-c.base) < int64(want) && c.base+int64(len(c.buf)) < c.size {
			if err := c.fill(want); err != nil {
				return nil, at, err
			}
		}
		have := c.buf[at-c.base:]
		if len(have) <= want && c.base+int64(len(c.buf)) == c.size {
			c.pos = c.size
			return have, at, nil
		}
		have = have[:min(want, len(have))]
		if end := lastNewline(have) + 1; end > 0 {
			c.pos += int64(end)
			return have[:end], at, nil
		}
	}
}

// fill reads on until so many bytes from pos on are there, or the file ends.
func (c *Chunks) fill(want int) error {
	end := min(c.size-c.base, c.pos-c.base+int64(want))
	if !c.kept && c.pos > c.base && int64(cap(c.buf)) < end { // not for every chunk: lines are long
		c.buf = c.buf[:copy(c.buf, c.buf[c.pos-c.base:])]
		end, c.base = end-(c.pos-c.base), c.pos
	}
	if int64(cap(c.buf)) < end {
		c.grow(end)
	}
	n := len(c.buf)
	got, err := readFull(c.r, c.buf[n:end], c.base+int64(n))
	c.buf = c.buf[:n+got]
	return err
}

// grow makes room for so many bytes, and for the whole file where it is kept.
func (c *Chunks) grow(room int64) {
	if c.kept {
		room = min(max(c.size, 1<<20), keep)
	}
	old := c.buf
	c.buf = append(buffer(int(room)), old...)
	release(old)
}

// Holds reports whether next, which looks for the first place of something in whole
// lines, finds one in what is still to come.
func (c *Chunks) Holds(ctx context.Context, next func(b []byte, from int) int) (bool, error) {
	for {
		chunk, _, err := c.Next()
		if err != nil || len(chunk) == 0 {
			return false, err
		}
		if next(chunk, 0) >= 0 {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
}

// Bytes gives bytes of the file. They are valid until the next call of any method.
func (c *Chunks) Bytes(at int64, n int) ([]byte, error) {
	if at >= c.base && at+int64(n) <= c.base+int64(len(c.buf)) {
		return c.buf[at-c.base:][:n:n], nil
	}
	if at < c.apart || at+int64(n) > c.apart+int64(len(c.more)) {
		if cap(c.more) < n {
			c.more = make([]byte, n)
		}
		got, err := readFull(c.r, c.more[:n], at)
		if c.more, c.apart = c.more[:got], at; err != nil {
			return nil, err
		}
	}
	return c.more[at-c.apart:][:n:n], nil
}

// lastNewline gives the place of the last newline in b, or -1. bytes.LastIndexByte
// goes byte by byte; a forward search in ever longer stretches from the end is many
// times as quick.
func lastNewline(b []byte) int {
	for to, block := len(b), 256; to > 0; block *= 2 {
		from := max(0, to-block)
		at := -1
		for i := from; i < to; {
			n := bytes.IndexByte(b[i:to], '\n')
			if n < 0 {
				break
			}
			at = i + n
			i = at + 1
		}
		if at >= 0 {
			return at
		}
		to = from
	}
	return -1
}

// LineAt gives the bounds of the line around a place in b: from its first byte to
// its newline, or to the end of b.
func LineAt(b []byte, at int) (from, to int) {
	from = lastNewline(b[:at]) + 1
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		return from, at + i
	}
	return from, len(b)
}
