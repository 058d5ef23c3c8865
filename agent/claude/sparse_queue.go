package claude

import (
	"slices"

	"github.com/seshat-dev/seshat/internal/needle"
)

var queueOperation = needle.NewWords(`"queue-operation"`)

// queueOperations finds all queue operations where a wanted line is one. ok is false
// where a prompt was taken out of the queue without being named: which one that was,
// only the whole file tells.
func (s *sparse) queueOperations() (ok bool, err error) {
	asked := false
	for _, at := range s.wanted {
		text, err := s.text.Bytes(at.offset, at.length)
		if err != nil {
			return false, err
		}
		asked = asked || queueOperation.Holds(text)
	}
	if !asked {
		return true, nil
	}
	var offsets []int64
	for _, c := range s.ids.chunks {
		_, b, err := s.stretch(c.offset)
		if err != nil {
			return false, err
		}
		queueOperation.Each(b, func(_, i int) { offsets = append(offsets, c.offset+int64(i)) })
	}
	for _, o := range offsets {
		text, at, err := s.lineAround(o)
		if err != nil {
			return false, err
		}
		if n := len(s.queue); n == 0 || s.queue[n-1].offset != at {
			s.queue = append(s.queue, place{s.number(at), 0, at, len(text)})
		}
	}
	return s.named()
}

// named reports whether every prompt that was taken out of the queue is named.
func (s *sparse) named() (ok bool, err error) {
	ok = true
	for _, at := range s.queue {
		err := s.objects(at, func(l line, _ place) {
			if l.typ == "queue-operation" && l.raw.Get("operation").Text() == "remove" && fold(l.raw.Get("content").Text()) == "" {
				ok = false
			}
		})
		if err != nil {
			return false, err
		}
	}
	return ok, nil
}

// follow tells the outline of the queue. A record that a wanted prompt of the queue
// became holds its text, and so is wanted too.
func (s *sparse) follow(o *outline) error {
	if len(s.queue) == 0 {
		return nil
	}
	all := append(slices.Clone(s.wanted), s.queue...)
	slices.SortFunc(all, byOffset)
	for _, at := range slices.CompactFunc(all, func(a, b place) bool { return a.offset == b.offset }) {
		if err := s.objects(at, o.queueing); err != nil {
			return err
		}
	}
	o.queue.close()
	return nil
}
