package agent

import (
	"hash/maphash"
	"strconv"
	"sync"

	"github.com/seshat-dev/seshat/record"
)

// Mark tells records apart that are not the same and stands for their id, kind,
// role, tool and text. It is 0 for a record without an id of its agent,
// and for a preamble.
type Mark uint64

// markSeed makes marks of one process comparable; they are never stored.
var markSeed = maphash.MakeSeed()

// identity is what copies of a record have in common. The tool of a result is none of
// it: that stands on the line of the call, which a partial copy may lack.
func identity(r *record.Record) [6]string {
	tool := r.Tool
	if r.Kind == record.ToolResult {
		tool = ""
	}
	return [...]string{r.Agent, r.ID, string(r.Kind), string(r.Role), tool, r.Text}
}

// MarkOf gives the mark of a record.
func MarkOf(r *record.Record) Mark {
	if !r.Named() || r.Preamble {
		return 0
	}
	m := markers.Get().(*Marker)
	m.Begin()
	m.Text(r.Text)
	mark := m.Mark(r.Agent, r.ID, 0, r.Kind, identity(r)[4])
	if cap(m.text) < 1<<20 {
		markers.Put(m)
	}
	return mark
}

var markers = sync.Pool{New: func() any { return &Marker{} }}

// Marker makes marks. It takes a text in parts, and a part that is still JSON as it is:
// what counts is how the text is usually written, between quotes. So no text has to be
// decoded for its mark.
type Marker struct {
	one  []byte // the only part, as it was given
	text []byte // all parts, where there are several
	head []byte
}

// Begin begins a text.
func (m *Marker) Begin() { m.one, m.text = nil, m.text[:0] }

// Written adds the inside of a JSON string that is written in the usual way: it is
// valid UTF-8, escapes what Text escapes and as Text does it. It must not change before
// the mark is made.
func (m *Marker) Written(raw []byte) {
	if m.one == nil && len(m.text) == 0 {
		m.one = raw
		return
	}
	m.together()
	m.text = append(m.text, raw...)
}

func (m *Marker) together() {
	m.text = append(m.text, m.one...)
	m.one = nil
}

// Text adds a text, written in the usual way: an escape stands for a quote, a
// backslash and what is below a space, a short one where there is one.
func (m *Marker) Text(s string) {
	m.together()
	done := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		m.text = append(m.text, s[done:i]...)
		if short := shortEscapes[c]; short != 0 {
			m.text = append(m.text, '\\', short)
		} else {
			m.text = append(m.text, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		done = i + 1
	}
	m.text = append(m.text, s[done:]...)
}

const digits = "0123456789abcdef"

var shortEscapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// Mark gives the mark of a record with that text; nth is the number behind the # of its
// id, where that is not 0. tool is empty for all but calls.
func (m *Marker) Mark(agent, id string, nth int, kind record.Kind, tool string) Mark {
	text := m.text
	if m.one != nil {
		text = m.one
	}
	h := m.head[:0]
	h = append(append(h, agent...), 0)
	h = append(h, id...)
	if nth > 0 {
		h = strconv.AppendInt(append(h, '#'), int64(nth), 10)
	}
	h = append(append(h, 0), kind...)
	h = append(append(h, 0), record.RoleOf(kind)...)
	h = append(append(h, 0), tool...)
	h = append(h, 0)
	sum := maphash.Bytes(markSeed, text)
	for range 8 {
		h = append(h, byte(sum))
		sum >>= 8
	}
	m.head = h[:0]
	return Mark(maphash.Bytes(markSeed, h) | 1)
}
