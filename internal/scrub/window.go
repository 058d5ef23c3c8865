package scrub

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/internal/secret"
)

// How much of a file is looked at together.
const (
	target  = 1 << 20   // bytes, up to the end of a line
	longest = 16 << 20  // when the line is longer
	overlap = 128 << 10 // bytes that two windows share: no value is spelt by more
)

// window is a part of a file.
type window struct {
	base        int64
	spelt       []spelling
	first, last bool
}

// each gives the windows of a file, one after the other.
func each(ctx context.Context, content io.ReaderAt, size int64, visit func(*window) error) error {
	for from := int64(0); from < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := readWindow(content, from, size)
		if err != nil {
			return err
		}
		end := from + int64(len(raw))
		w := &window{base: from, spelt: spellings(string(raw)), first: from == 0, last: end == size}
		if err := visit(w); err != nil || w.last {
			return err
		}
		from = end - int64(min(overlap, len(raw)-1))
		shared := raw[len(raw)-int(end-from):]
		if i := bytes.IndexByte(shared[:len(shared)-1], '\n'); i >= 0 {
			from += int64(i) + 1
		}
	}
	return nil
}

func readWindow(content io.ReaderAt, from, size int64) ([]byte, error) {
	var raw []byte
	for want := int64(target); ; want *= 2 {
		have := int64(len(raw))
		end := min(from+want, size)
		raw = append(raw, make([]byte, end-from-have)...)
		if n, err := content.ReadAt(raw[have:], from+have); int64(n) < end-from-have {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if end == size || want >= longest {
			return raw, nil
		}
		if i := bytes.LastIndexByte(raw, '\n'); i > 2*overlap {
			return raw[:i+1], nil
		}
	}
}

// Found is a credential that stands in a file.
type Found struct {
	Rule      *secret.Rule
	Canonical string   // what its fingerprint is made of
	Pieces    []string // what is to be looked for
	Cut       bool
	Inner     bool // a part of another one, by another way to read the bytes

	from, to int
}

// Search gives what the search for credentials finds in a file: in its bytes, with
// escapes undone, and in each string of it by itself.
func Search(ctx context.Context, content io.ReaderAt, size int64, visit func(*Found)) error {
	return each(ctx, content, size, func(w *window) error {
		for _, f := range w.search() {
			visit(f)
		}
		return nil
	})
}

func (w *window) search() []*Found {
	var all []*Found
	for i := range w.spelt {
		s := &w.spelt[i]
		all = w.look(all, s, func(f secret.Finding) bool {
			return (f.From > 0 || w.first) && (f.To < len(s.text) || w.last)
		})
	}
	all = w.strings(all, &w.spelt[0], 1)
	slices.SortStableFunc(all, func(a, b *Found) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	from, end := 0, -1 // of the one that goes farthest
	for _, f := range all {
		f.Inner = f.to < end || f.to == end && f.from > from
		if f.to > end {
			from, end = f.from, f.to
		}
	}
	return all
}

// strings looks into each string of a text, and into the strings of that.
func (w *window) strings(all []*Found, s *spelling, depth int) []*Found {
	eachString(s.text, func(from, to int) {
		p := s.part(from, to)
		if u, changed := p.undone(); changed {
			p = u
		}
		all = w.look(all, &p, nil)
		if title := strings.TrimSuffix(p.text, "…"); title != p.text {
			cut := p.part(0, len(title))
			all = w.look(all, &cut, nil)
		}
		if depth < maxDepth && strings.IndexByte(p.text, '"') >= 0 {
			all = w.strings(all, &p, depth+1)
		}
	})
	return all
}

func (w *window) look(all []*Found, s *spelling, keep func(secret.Finding) bool) []*Found {
	for _, f := range secret.Find(s.text) {
		if keep != nil && !keep(f) {
			continue
		}
		from, to := s.raw(f.From, f.To)
		all = append(all, &Found{Rule: f.Rule, Canonical: secret.Canonical(s.text, f), Pieces: secret.Pieces(s.text, f), Cut: f.Cut, from: from, to: to})
	}
	return all
}

// Stretch is a part of a file, in bytes.
type Stretch struct {
	From, To int64
	Digits   bool // the value is a number
}

// Places gives what of a file is to be blotted out, in order.
func (m *Marks) Places(ctx context.Context, content io.ReaderAt, size int64) ([]Stretch, error) {
	if m.Len() == 0 {
		return nil, nil
	}
	var all []Stretch
	err := each(ctx, content, size, func(w *window) error {
		for i := range w.spelt {
			s := &w.spelt[i]
			m.find(s.text, func(from, to int) {
				digits := strings.Trim(s.text[from:to], "0123456789") == ""
				from, to = s.raw(from, to)
				if i == 0 && len(w.spelt) > 1 {
					from, to = whole(&w.spelt[1], from, to)
				}
				all = append(all, Stretch{w.base + int64(from), w.base + int64(to), digits})
			})
		}
		return nil
	})
	return merged(all), err
}

// whole widens a stretch of the raw bytes to where no escape is parted. s has the escapes
// undone.
func whole(s *spelling, from, to int) (int, int) {
	i, exact := slices.BinarySearch(s.at, int32(from))
	if !exact {
		i--
	}
	j, _ := slices.BinarySearch(s.at, int32(to))
	return int(s.at[max(i, 0)]), int(s.at[j])
}

func merged(all []Stretch) []Stretch {
	slices.SortFunc(all, func(a, b Stretch) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	out := all[:0]
	for _, s := range all {
		if last := len(out) - 1; last >= 0 && s.From < out[last].To {
			out[last].Digits = out[last].Digits && (s.Digits || s.To <= out[last].To)
			out[last].To = max(out[last].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Filler stands in the place of each byte that is blotted out, and Number where the
// value was a number, which may stand in JSON without quotes.
const (
	Filler = 'x'
	Number = '1'
)

// Blotted shows bytes with stretches of them blotted out.
type Blotted struct {
	io.ReaderAt
	Out []Stretch // in order
}

// ReadAt reads bytes.
func (b Blotted) ReadAt(p []byte, off int64) (int, error) {
	n, err := b.ReaderAt.ReadAt(p, off)
	i, _ := slices.BinarySearchFunc(b.Out, off, func(s Stretch, off int64) int { return cmp.Compare(s.To, off+1) })
	for _, s := range b.Out[i:] {
		if s.From >= off+int64(n) {
			break
		}
		fill := byte(Filler)
		if s.Digits {
			fill = Number
		}
		for at := max(s.From-off, 0); at < min(s.To-off, int64(n)); at++ {
			p[at] = fill
		}
	}
	return n, err
}

// Blotted tells the archive that these are not the bytes of the file.
func (b Blotted) Blotted() bool { return len(b.Out) > 0 }
