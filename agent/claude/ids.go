package claude

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
)

// ids are what a look at the raw bytes of a transcript tells of the ids in it, at
// any depth: uuids that stand in several places, and every member called id.
type ids struct {
	uuids    map[uint64]int64   // the first place of each, by hash
	again    map[uint64][]int64 // all places of those that stand in several
	members  []idPlace          // in the order of the file
	chunks   []chunkStart
	retracts bool           // a line takes others back, or an id cannot be read here
	shared   map[int64]bool // lines, by offset, that have an id with another one
	last     chunkStart     // the line that was numbered last
	keys     needle.Keys    // of the chunk that was looked through last
	set      *idSet         // takes the uuids instead, when set
	count    bool           // and whether they count there
}

type idPlace struct {
	hash   uint64
	offset int64
}

// chunkStart is where a stretch of whole lines begins.
type chunkStart struct {
	offset int64
	no     int // of its first line
}

// callPrefix is how the ids of tool calls begin; no answer's does.
var callPrefix = []byte("toolu_")

// collect looks through whole lines, of which the first has that number.
func (d *ids) collect(chunk []byte, at int64, no int) {
	d.keys.Find(chunk)
	d.gather(chunk, at, chunkStart{at, no})
}

// gather takes the ids behind the keys that were found in whole lines. at is where the
// chunk begins in the file, and from where these lines do.
func (d *ids) gather(chunk []byte, at int64, from chunkStart) {
	if d.uuids == nil && d.set == nil {
		d.uuids = make(map[uint64]int64, 512)
	}
	d.chunks = append(d.chunks, from)
	for _, i := range d.keys.IDs {
		switch {
		case chunk[i+2] == 's':
			if i > 1 && chunk[i-1] == 'u' && chunk[i-2] == 'U' {
				d.retracts = d.retracts || !emptyList(chunk[i+len(`ids"`):])
			}
		case i > 0 && chunk[i-1] == '"':
			if value := d.value(chunk, i+len(`id"`)); len(value) > 0 && !bytes.HasPrefix(value, callPrefix) {
				d.members = append(d.members, idPlace{maphash.Bytes(seed, value), at + int64(i)})
			}
		case i > 2 && chunk[i-1] == 'u' && chunk[i-2] == 'u' && chunk[i-3] == '"':
			if value := d.value(chunk, i+len(`id"`)); len(value) > 0 {
				d.uuid(value, at+int64(i))
			}
		}
	}
}

func (d *ids) uuid(value []byte, offset int64) {
	h := maphash.Bytes(seed, value)
	if d.set != nil {
		d.set.add(h, d.count)
		return
	}
	first, known := d.uuids[h]
	switch {
	case !known:
		d.uuids[h] = offset
	case d.again == nil:
		d.again = map[uint64][]int64{h: {first, offset}}
	case d.again[h] == nil:
		d.again[h] = []int64{first, offset}
	default:
		d.again[h] = append(d.again[h], offset)
	}
}

// value gives the raw string that is the value behind a key, or nil when it is none.
func (d *ids) value(b []byte, i int) []byte {
	start := i + len(`:"`)
	if start > len(b) || b[i] != ':' || b[i+1] != '"' {
		rest := behindKey(b[i:])
		d.retracts = d.retracts || rest == nil
		if len(rest) == 0 || rest[0] != '"' {
			return nil
		}
		start = min(i+near, len(b)) - len(rest) + 1
	}
	end := bytes.IndexByte(b[start:], '"')
	if end < 0 {
		return nil
	}
	value := b[start : start+end]
	if bytes.IndexByte(value, '\\') >= 0 {
		d.retracts = true // an escape in an id: the whole file is read
	}
	return value
}

// near is how far a value may stand behind its key to be seen here.
const near = 64

// behindKey gives what stands near behind the colon that follows a key: nothing where
// none does, and nil where that is too far away to tell.
func behindKey(b []byte) []byte {
	rest := bytes.TrimLeft(b[:min(near, len(b))], " \t\r")
	if len(rest) > 0 && rest[0] != ':' {
		return []byte{}
	}
	if len(rest) > 0 {
		rest = bytes.TrimLeft(rest[1:], " \t\r")
	}
	switch {
	case len(rest) > 0:
		return rest
	case len(b) > near:
		return nil
	}
	return []byte{}
}

// emptyList reports whether an empty list or null stands behind a key, or nothing
// that is a value.
func emptyList(b []byte) bool {
	rest := behindKey(b)
	return rest != nil && (len(rest) == 0 || bytes.HasPrefix(rest, []byte("null")) || bytes.HasPrefix(rest, []byte("[]")))
}

// relatives finds the lines that have an id with a wanted line. Whether it is their
// answer's is seen when they are read.
func (s *sparse) relatives() error {
	first := make(map[uint64]int64, len(s.wanted)) // by id, the wanted line that has it
	s.ids.shared = map[int64]bool{}
	var others []idPlace
	next := 0
	for _, m := range s.ids.members {
		for next < len(s.wanted) && s.wanted[next].offset+int64(s.wanted[next].length) <= m.offset {
			next++
		}
		if next == len(s.wanted) || m.offset < s.wanted[next].offset {
			others = append(others, m)
			continue
		}
		line := s.wanted[next].offset
		if other, known := first[m.hash]; !known {
			first[m.hash] = line
		} else if other != line {
			s.ids.shared[other], s.ids.shared[line] = true, true
		}
	}
	for _, m := range others {
		line, known := first[m.hash]
		if !known {
			continue
		}
		s.ids.shared[line] = true
		if err := s.relative(m.offset); err != nil {
			return err
		}
	}
	return nil
}

// relative notes the line around a place.
func (s *sparse) relative(offset int64) error {
	line, at, err := s.lineAround(offset)
	if err != nil {
		return err
	}
	if n := len(s.related); n == 0 || s.related[n-1].offset != at {
		s.related = append(s.related, place{s.number(at), 0, at, len(line)})
		s.ids.shared[at] = true
	}
	return nil
}

// shares reports whether a line has an id with another one.
func (d *ids) shares(at place) bool { return d.shared[at.offset] }

// stretch gives the whole lines that were looked at together around a place.
func (s *sparse) stretch(offset int64) (chunkStart, []byte, error) {
	i, found := slices.BinarySearchFunc(s.ids.chunks, offset, func(c chunkStart, o int64) int { return cmp.Compare(c.offset, o) })
	if !found {
		i = max(0, i-1)
	}
	start, end := s.ids.chunks[i], s.file.Info().Size
	if i+1 < len(s.ids.chunks) {
		end = s.ids.chunks[i+1].offset
	}
	b, err := s.text.Bytes(start.offset, int(end-start.offset))
	return start, b, err
}

// lineAround gives the line around a place and where it begins.
func (s *sparse) lineAround(offset int64) (line []byte, at int64, err error) {
	start, b, err := s.stretch(offset)
	if err != nil {
		return nil, 0, fmt.Errorf("line %d: %w", start.no, err)
	}
	from, to := lines.LineAt(b, int(offset-start.offset))
	return b[from:to], start.offset + int64(from), nil
}

// number gives the number of the line that begins at an offset. Lines are asked for
// in the order of the file.
func (s *sparse) number(at int64) int {
	start, b, err := s.stretch(at)
	if err != nil {
		return start.no
	}
	if last := s.ids.last; last.no > 0 && last.offset >= start.offset && last.offset <= at {
		b, start = b[last.offset-start.offset:], last
	}
	start.no += bytes.Count(b[:at-start.offset], []byte{'\n'})
	s.ids.last = chunkStart{at, start.no}
	return start.no
}
