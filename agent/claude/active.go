package claude

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
)

// LastActive looks for the latest time that stands in a transcript and at its line
// alone. Where that does not settle it, the transcript is read for its brief.
func (a *Adapter) LastActive(ctx context.Context, src *agent.Source) (time.Time, error) {
	f, err := src.Open()
	if err != nil {
		return time.Time{}, err
	}
	defer f.Close()
	if t, ok := quickLast(ctx, src, f); ok {
		return t, nil
	}
	b, err := brief(ctx, src, f)
	return b.Session.LastActive, err
}

// quickLast gives the time of the last record; ok is false where that cannot be told
// from the lines with the latest times.
func quickLast(ctx context.Context, src *agent.Source, f agent.File) (last time.Time, ok bool) {
	m := moments{sparse: sparse{file: f, text: lines.NewChunks(f, f.Info().Size)}}
	defer m.text.Close()
	m.t = &transcript{src: src, file: f, outline: newOutline(), known: map[string]bool{}, emit: func(agent.Item) error { return nil }}
	if !m.collect(ctx) || !m.silent(0) { // a record before the first time has that of the file
		return last, false
	}
	slices.SortFunc(m.all, func(a, b stamped) int { return cmp.Or(b.time.Compare(a.time), cmp.Compare(b.offset, a.offset)) })
	for _, at := range m.all[:min(mostMoments, len(m.all))] {
		switch m.look(at) {
		case isLast:
			return at.time, true
		case isUnclear:
			return last, false
		}
	}
	return last, false
}

// mostMoments is how many times are looked at before the file is read.
const mostMoments = 32

// stamped is a time that stands somewhere in a transcript.
type stamped struct {
	time   time.Time
	offset int64
}

// moments are the times in a transcript.
type moments struct {
	sparse
	t   *transcript // makes the records of single lines
	all []stamped
}

// stampMembers find what tells times.
var stampMembers = needle.NewWords(`"timestamp"`)

// collect finds all times, and the ids; ok is false where one cannot be read here.
func (m *moments) collect(ctx context.Context) (ok bool) {
	m.text.Keep()
	ok = true
	for {
		chunk, at, err := m.text.Next()
		if err != nil || ctx.Err() != nil {
			return false
		}
		if len(chunk) == 0 {
			return ok && !m.ids.retracts
		}
		m.ids.collect(chunk, at, 0)
		stampMembers.Each(chunk, func(_, i int) {
			value, read := stringBehind(chunk, i+len(`"timestamp"`))
			ok = ok && read
			if t := value.Time(); !t.IsZero() {
				m.all = append(m.all, stamped{t, at + int64(i)})
			}
		})
	}
}

// stringBehind gives the string that is the value behind a key, or nil; read is
// false where it cannot be told here.
func stringBehind(b []byte, i int) (_ jsonscan.Value, read bool) {
	rest := behindKey(b[i:])
	if len(rest) == 0 || rest[0] != '"' {
		return nil, rest != nil
	}
	end := bytes.IndexByte(rest[1:], '"') + 1
	switch {
	case end == 0:
		return nil, len(b)-i < near // cut off by the end of the file
	case bytes.IndexByte(rest[:end], '\\') >= 0:
		return nil, false
	}
	return jsonscan.Value(rest[:end+1]), true
}

// verdict is what a line tells of the time that stands on it.
type verdict int

const (
	isNothing verdict = iota // no record has that time
	isLast                   // a record has it
	isUnclear
)

func (m *moments) look(at stamped) verdict {
	text, offset, err := m.lineAround(at.offset)
	if err != nil {
		return isUnclear
	}
	p := m.parser.physical(lines.Line{Text: text, Ended: true})
	if !p.apart {
		return isUnclear
	}
	l := m.parser.parsed(p.objects[0])
	switch {
	case !l.time.Equal(at.time):
		return isNothing // it stands deeper, or a later member counts
	case !recordTypes[l.typ] || len(m.t.pieces(l, place{})) == 0:
		if m.silent(offset + int64(len(text)) + 1) {
			return isNothing
		}
		return isUnclear // a record without a time has that of the line before it
	case l.typ == "queue-operation" || l.typ == "attachment" || l.uuid != "" && !m.ids.once(l.uuid):
		return isUnclear
	case l.typ == "assistant" && !m.first(l, offset):
		return isUnclear
	}
	return isLast
}

// silent reports whether no line from a place on up to the next one with a time
// makes a record.
func (m *moments) silent(from int64) bool {
	for from < m.file.Info().Size {
		text, offset, err := m.lineAround(from)
		if err != nil {
			return false
		}
		from = offset + int64(len(text)) + 1
		line := lines.Line{Text: text, Ended: true}
		if line.Blank() {
			continue
		}
		p := m.parser.physical(line)
		if !p.apart {
			return false
		}
		l := m.parser.parsed(p.objects[0])
		if !l.time.IsZero() {
			return true
		}
		if recordTypes[l.typ] && len(m.t.pieces(l, place{})) > 0 {
			return false
		}
	}
	return true
}

// first reports whether some part of an answer stands on the line that begins at an
// offset, and on none before it.
func (m *moments) first(l line, offset int64) bool {
	id := l.message.Get("id").Text()
	if id == "" {
		return true
	}
	r, h, last := newRewrites(), maphash.String(seed, id), int64(-1)
	var mine place
	var parts []answerText
	for i, member := range m.ids.members {
		if member.hash != h {
			continue
		}
		text, at, err := m.lineAround(member.offset)
		if err != nil {
			return false
		}
		if at == last {
			continue
		}
		last = at
		p := m.parser.physical(lines.Line{Text: text, Ended: true})
		if !p.apart {
			return false
		}
		l, here := m.parser.parsed(p.objects[0]), place{no: i + 1}
		if l.typ != "assistant" {
			continue
		}
		if l.uuid != "" && !m.ids.once(l.uuid) {
			return false
		}
		if at == offset {
			mine, parts = here, answerTexts(l.message.Get("content"))
		}
		r.grow(l, here)
	}
	return slices.ContainsFunc(parts, func(p answerText) bool { return !r.elsewhere(mine.spot(), p.what) })
}
