// Package lines reads the lines of a file by random access, whatever their
// length: one by one, or in chunks of whole lines.
//
// A reader may rely on this. Every byte up to the size the file had when it was
// opened is yielded exactly once, in order. Memory is bounded by one window, or
// by the longest line where that is longer; a file of moderate size is kept whole
// only where that is asked for. Bytes handed out are valid only until the next ones, or
// the end of the loop: their memory is used for other files then.
package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// window is how many bytes are read at a time, and first how many at the start of a
// file, where a head is often all that is wanted; in between it is four times as many
// each time.
const (
	window = 256 << 10
	first  = 4 << 10
)

// ErrShrank says that a file became shorter while it was read.
var ErrShrank = errors.New("the file became shorter while it was read")

// Line is one line of a file.
type Line struct {
	No     int    // 1-based
	Offset int64  // of its first byte
	Text   []byte // without the newline; valid until the next line
	Ended  bool   // a newline follows; false only for the last line
}

// Blank reports whether the line holds nothing but white space.
func (l Line) Blank() bool { return len(bytes.TrimSpace(l.Text)) == 0 }

// Scan yields the lines of the first size bytes of r. An error is yielded last,
// together with the line that could not be read.
func Scan(r io.ReaderAt, size int64) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		s := scanner{r: r, size: size, step: first, buf: buffer(int(min(window, size)))}
		defer func() { release(s.buf) }()
		for no := 1; s.pos < size; no++ {
			text, ended, err := s.next()
			line := Line{No: no, Offset: s.pos, Text: text, Ended: ended}
			if err != nil {
				yield(line, fmt.Errorf("line %d: %w", no, err))
				return
			}
			s.pos += int64(len(text))
			if ended {
				s.pos++
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

type scanner struct {
	r    io.ReaderAt
	size int64
	pos  int64 // of the next line
	at   int64 // of buf
	buf  []byte
	step int // how many bytes to read at once while the head is read
}

// next gives the line at pos.
func (s *scanner) next() (text []byte, ended bool, err error) {
	from := int(s.pos - s.at)
	if from < len(s.buf) {
		if i := bytes.IndexByte(s.buf[from:], '\n'); i >= 0 {
			return s.buf[from : from+i], true, nil
		}
	}
	end, ended, err := s.findEnd(s.at + int64(len(s.buf)))
	if err != nil {
		return nil, false, err
	}
	if err := s.fill(int(end - s.pos)); err != nil {
		return nil, false, err
	}
	return s.buf[:end-s.pos], ended, nil
}

// findEnd looks for the newline that ends the line at pos, from an offset before
// which none stands. A line that fits a window is found while it is filled.
func (s *scanner) findEnd(from int64) (end int64, ended bool, err error) {
	for s.step < window && from < s.size {
		n := int64(s.step)
		if s.step *= 4; from-s.pos >= n {
			continue
		}
		if err := s.fill(int(min(n, s.size-s.pos))); err != nil {
			return 0, false, err
		}
		if i := bytes.IndexByte(s.buf, '\n'); i >= 0 {
			return s.pos + int64(i), true, nil
		}
		from = s.pos + int64(len(s.buf))
	}
	if s.size-s.pos <= window || from-s.pos < window {
		if err := s.fill(int(min(window, s.size-s.pos))); err != nil {
			return 0, false, err
		}
		if i := bytes.IndexByte(s.buf, '\n'); i >= 0 {
			return s.pos + int64(i), true, nil
		}
		from = s.pos + int64(len(s.buf))
	}
	// A long line: look ahead without keeping, so that the buffer grows once.
	ahead := buffer(window)[:window]
	defer release(ahead)
	for from < s.size {
		n, err := readFull(s.r, ahead[:min(window, s.size-from)], from)
		if err != nil {
			return 0, false, err
		}
		if i := bytes.IndexByte(ahead[:n], '\n'); i >= 0 {
			return from + int64(i), true, nil
		}
		from += int64(n)
	}
	return s.size, false, nil
}

// fill makes the buffer hold at least n bytes from pos on.
func (s *scanner) fill(n int) error {
	have := 0
	if d := int(s.pos - s.at); d < len(s.buf) {
		have = copy(s.buf[:cap(s.buf)], s.buf[d:])
	}
	s.at, s.buf = s.pos, s.buf[:have]
	if have >= n {
		return nil
	}
	if cap(s.buf) < n {
		old := s.buf
		s.buf = append(buffer(n), old...)
		release(old)
	}
	got, err := readFull(s.r, s.buf[have:n], s.at+int64(have))
	s.buf = s.buf[:have+got]
	return err
}

func readFull(r io.ReaderAt, p []byte, off int64) (int, error) {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return n, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = ErrShrank
	}
	return n, err
}
