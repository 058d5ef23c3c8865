package gemini

import (
	"context"
	"fmt"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/record"
)

// transcript gives the records of a folded chat.
type transcript struct {
	*chat
	plan     agent.Plan
	origin   record.Origin
	title    string
	source   record.TitleSource
	subagent *record.SubagentRef
	numbers  map[string]int // next number of an id that several messages share
	emit     func(agent.Item) error
}

// passChat gives everything that stands in a chat to emit: first what is wrong
// with it, then its records in the order of the history. Of a chat in which no line
// passes the byte test it gives nothing.
func passChat(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	if plan.Candidate != nil && !plan.Every {
		if plan.Barren {
			return nil
		}
		text := lines.NewChunks(f, f.Info().Size)
		any, err := text.Holds(ctx, plan.Candidate.Next)
		if text.Close(); err != nil || !any {
			return err
		}
	}
	c, err := readChat(ctx, src, f, plan.Candidate)
	if err != nil {
		return err
	}
	return newTranscript(c, plan, emit).run(ctx)
}

func newTranscript(c *chat, plan agent.Plan, emit func(agent.Item) error) *transcript {
	t := &transcript{chat: c, plan: plan, numbers: map[string]int{}, emit: emit}
	t.origin = t.ran()
	if c.src.Subagent != "" {
		t.subagent = &record.SubagentRef{ID: c.src.Subagent}
	}
	return t
}

// ran tells where the session ran. Where the project's folder does not say, a
// folder that the session names does, if the project's hash is of it.
func (t *transcript) ran() record.Origin {
	o := originOf(t.src, t.meta.hash)
	if o.CWD != "" {
		return o
	}
	if dir := placeOf(append(append([]string(nil), t.meta.dirs...), t.dirs...), t.meta.hash); dir != "" {
		return record.Origin{CWD: dir}
	}
	return o
}

func (t *transcript) run(ctx context.Context) error {
	for i := range t.damage {
		if err := t.emit(agent.Item{Damage: &t.damage[i]}); err != nil {
			return err
		}
	}
	for i := range t.unknown {
		if err := t.emit(agent.Item{Unknown: &t.unknown[i]}); err != nil {
			return err
		}
	}
	if !t.wanted && !t.plan.Every {
		return nil
	}
	if t.plan.Titles {
		if err := t.entitle(ctx); err != nil {
			return err
		}
	}
	for i, e := range t.fold.messages() {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !t.plan.Every && !e.wanted() {
			continue
		}
		if err := t.message(e); err != nil {
			return err
		}
	}
	return nil
}

// entitle finds the session's title: its summary, else the first prompt, for want
// of one the first command or answer.
func (t *transcript) entitle(ctx context.Context) error {
	if t.meta.summary != "" {
		t.title, t.source = record.FirstWords(t.meta.summary), record.TitleSummary
		return nil
	}
	spare := ""
	for i, e := range t.fold.messages() {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if e.gone == record.Superseded {
			continue
		}
		pieces, err := t.pieces(e.last(), func(string) {})
		if err != nil {
			return err
		}
		for _, p := range pieces {
			switch p.rec.Kind {
			case record.Prompt, record.Dispatch:
				t.title, t.source = record.FirstWords(p.seen()), record.TitlePrompt
				return nil
			case record.Command, record.Reply:
				if spare == "" {
					spare = p.seen()
				}
			}
		}
	}
	if spare != "" {
		t.title, t.source = record.FirstWords(spare), record.TitlePrompt
	}
	return nil
}

// message gives the records of one message: those of its last writing, then what
// earlier writings said that the last does not.
func (t *transcript) message(e *entry) error {
	latest, err := t.told(e.last())
	if err != nil {
		return err
	}
	for _, p := range latest {
		p.rec.Flags |= e.gone
	}
	old, err := t.outdated(e, latest)
	if err != nil {
		return err
	}
	return t.settle(e, append(latest[:len(latest):len(latest)], old...))
}

// outdated gives the pieces of earlier writings that the last one lacks, each
// once, flagged by what the writing that first lacks it made of it.
func (t *transcript) outdated(e *entry, latest []piece) (old []piece, err error) {
	var next []piece
	for i := len(e.versions) - 1; i >= 0; i-- {
		pieces := latest
		if i < len(e.versions)-1 {
			if pieces, err = t.told(&e.versions[i]); err != nil {
				return nil, err
			}
			old = append(t.lacking(e, i, pieces, next, latest, old), old...)
		}
		next = pieces
	}
	return old, nil
}

// lacking gives the pieces of one writing that neither the next one nor the last
// has, nor any other that is given already.
func (t *transcript) lacking(e *entry, i int, pieces, next, latest, old []piece) (out []piece) {
	for _, p := range pieces {
		if holds(next, p) || holds(latest, p) || holds(old, p) || holds(out, p) {
			continue
		}
		if p.rec.Flags |= e.versions[i+1].flag; e.gone == record.Superseded {
			p.rec.Flags = p.rec.Flags&^record.Replaced | record.Superseded // taken back with the rest
		}
		out = append(out, p)
	}
	return out
}

// told reads the records of one writing of a message, and reports what no reader
// knows of it.
func (t *transcript) told(v *version) ([]piece, error) {
	n := len(t.unknown)
	pieces, err := t.pieces(v, func(what string) { t.report(what, v.at.no, false) })
	for ; err == nil && n < len(t.unknown); n++ {
		err = t.emit(agent.Item{Unknown: &t.unknown[n]})
	}
	return pieces, err
}

func holds(pieces []piece, p piece) bool {
	for _, q := range pieces {
		if p.same(q) {
			return true
		}
	}
	return false
}

// pieces reads the records of one writing of a message.
func (t *transcript) pieces(v *version, unknown func(string)) ([]piece, error) {
	obj, err := t.object(v.at)
	if err != nil {
		return nil, err
	}
	m := parseMessage(obj)
	no := v.at.no
	for _, at := range v.patches {
		p, err := t.object(at)
		if err != nil {
			return nil, err
		}
		m.patch(p)
		no = at.no
	}
	b := builder{m: m, answered: func(id string) bool { return t.calls[id] }, dispatch: t.src.Subagent != "", unknown: unknown}
	pieces := b.build()
	when := t.timeOf(v)
	for _, p := range pieces {
		p.rec.Line, p.rec.Time = no, when
		p.rec.Kind = fitting(t.src.Store, p.rec.Kind)
		p.rec.Role = record.RoleOf(p.rec.Kind)
	}
	return pieces, nil
}

// object reads the object at a place in the file.
func (t *transcript) object(at place) (jsonscan.Value, error) {
	if t.data != nil {
		return jsonscan.Value(t.data[at.offset : at.offset+int64(at.length)]), nil
	}
	buf := make([]byte, at.length)
	if n, err := t.file.ReadAt(buf, at.offset); n < len(buf) {
		if err == nil {
			err = lines.ErrShrank
		}
		return nil, fmt.Errorf("line %d: %w", at.no, err)
	}
	v, rest, _, ok := jsonscan.First(buf)
	if !ok || len(rest) > 0 {
		return nil, fmt.Errorf("line %d: %w", at.no, lines.ErrShrank)
	}
	return v, nil
}

// timeOf is the message's own time, else the nearest earlier one in the file,
// else the nearest later one, else the file's.
func (t *transcript) timeOf(v *version) time.Time {
	switch {
	case !v.time.IsZero():
		return v.time
	case !t.first.IsZero():
		return t.first
	}
	return t.file.Info().MTime
}

// settle gives the records of one message their ids and their session, and emits
// them.
func (t *transcript) settle(e *entry, pieces []piece) error {
	id := e.id
	if id == "" {
		id = fmt.Sprintf("L%d", e.last().at.no)
	}
	first := 0
	if e.id == "" {
		first = t.numbers[id]
		t.numbers[id] = first + len(pieces)
	}
	for i, p := range pieces {
		r := p.rec
		if r.ID = id; first+i > 0 {
			r.ID = fmt.Sprintf("%s#%d", id, first+i)
		}
		r.Agent, r.Store, r.Session, r.Path = Name, t.src.Store.ID, t.session(), t.src.Path
		r.Origin, r.Title = t.origin, t.title
		if t.subagent != nil {
			r.Flags |= record.Subagent
			r.Subagent = t.subagent
		}
		if err := t.emit(agent.Item{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// session is the one that discovery told, else that of the file.
func (t *transcript) session() string {
	if t.src.Session != "" {
		return t.src.Session
	}
	if t.meta.session != "" {
		return t.meta.session
	}
	return stem(t.src.Name)
}
