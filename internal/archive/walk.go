package archive

import (
	"bytes"
	"io"
)

// walked is a record of a pack and where it lies.
type walked struct {
	record
	at int64
}

// span is a range of bytes of a pack.
type span struct{ from, to int64 }

// walk calls a function for each record of the first size bytes of a pack. Where
// something is damaged it goes on at the next record that is whole; damaged gives what
// it passed over.
func walk(f io.ReaderAt, size int64, each func(walked) error) (damaged []span, err error) {
	w := walker{f: f, size: size}
	for at := int64(0); at < size; {
		r, err := w.record(at)
		if err == errRecord {
			next, err := w.next(at + 1)
			if err != nil {
				return damaged, err
			}
			damaged = append(damaged, span{at, next})
			at = next
			continue
		}
		if err != nil {
			return damaged, err
		}
		if err := each(walked{r, at}); err != nil {
			return damaged, err
		}
		at += int64(r.Size)
		if r.Kind == frameRecord {
			if h, err := parseFrameHeader(r.Body); err == nil {
				at += int64(h.Stored)
			}
		}
	}
	return damaged, nil
}

// walker reads a pack by pieces.
type walker struct {
	f    io.ReaderAt
	size int64
	buf  []byte
	at   int64 // of buf
}

// bytes gives n bytes at an offset, or as many as there are.
func (w *walker) bytes(at int64, n int) ([]byte, error) {
	n = int(min(int64(n), w.size-at))
	if at >= w.at && at+int64(n) <= w.at+int64(len(w.buf)) {
		return w.buf[at-w.at:][:n], nil
	}
	want := int(min(max(int64(n), 4<<10), w.size-at))
	if cap(w.buf) < want {
		w.buf = make([]byte, want)
	}
	got, err := w.f.ReadAt(w.buf[:want], at)
	if err != nil && err != io.EOF {
		return nil, err
	}
	w.buf, w.at = w.buf[:got], at
	return w.buf[:min(n, got)], nil
}

// record reads the record at an offset. The error is errRecord where there is none.
func (w *walker) record(at int64) (record, error) {
	b, err := w.bytes(at, recordHead)
	if err != nil {
		return record{}, err
	}
	_, need, err := parseRecord(b)
	if err != nil || need <= len(b) || int64(need) > w.size-at {
		return record{}, errRecord
	}
	if b, err = w.bytes(at, need); err != nil {
		return record{}, err
	}
	r, need, err := parseRecord(b)
	if err != nil || need > len(b) {
		return record{}, errRecord
	}
	return r, nil
}

// next finds the next record that is whole, or the end.
func (w *walker) next(from int64) (int64, error) {
	const step = 64 << 10
	for from < w.size {
		b, err := w.bytes(from, step)
		if err != nil {
			return 0, err
		}
		if len(b) == 0 {
			break
		}
		i := bytes.Index(b, []byte(recordTag))
		if i < 0 {
			from += int64(max(len(b)-len(recordTag)+1, 1))
			continue
		}
		at := from + int64(i) - 8
		if at >= 0 {
			if _, err := w.record(at); err == nil {
				return at, nil
			} else if err != errRecord {
				return 0, err
			}
		}
		from += int64(i) + 1
	}
	return w.size, nil
}
