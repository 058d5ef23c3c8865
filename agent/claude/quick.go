package claude

import (
	"context"
	"errors"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/record"
)

// quick is one pass over a transcript for its brief. Every line is taken apart
// once, and no text is decoded that neither names the session nor tells what kind
// of record it is. It goes as long as every line stands for itself: where one
// rewrites another, takes it back or belongs to a sidechain, or cannot be told
// from one that does, it gives up with errWhole and the file is read whole.
type quick struct {
	src    *agent.Source
	t      *transcript // makes the records of lines that are few and small
	o      *outline
	parser parser
	digest agent.Digest
	head   headSeeker

	lines   map[uint64]int          // by hash of its uuid, the number of each line that may hold records
	ids     []uint64                // of those lines that do
	answers map[answerPart][]saying // what each answer has said so far
	now     []saying                // what the line at hand says, to be reused
	queued  []queuedLine
	words   map[string]string // texts that come again and again
	untimed bool              // a record stands before the first time of the file
}

// errWhole says that a transcript must be read whole.
var errWhole = errors.New("the lines do not stand for themselves")

// queuedLine is a queue operation with the records it makes if it is kept.
type queuedLine struct {
	at    spot
	when  time.Time
	kinds []record.Kind
}

// quickBrief makes the pass. Any error says that the file must be read whole.
func quickBrief(ctx context.Context, src *agent.Source, f agent.File) (agent.Brief, error) {
	q := &quick{
		src: src, o: newOutline(), head: headSeeker{Head: agent.Head{Info: f.Info()}},
		lines: map[uint64]int{}, answers: map[answerPart][]saying{}, words: map[string]string{},
	}
	q.t = &transcript{src: src, file: f, outline: q.o, known: map[string]bool{}, emit: func(agent.Item) error { return nil }}
	for l, err := range lines.Scan(f, f.Info().Size) {
		if err != nil {
			return agent.Brief{}, err
		}
		if l.No%256 == 0 && ctx.Err() != nil {
			return agent.Brief{}, ctx.Err()
		}
		if err := q.line(l); err != nil {
			return agent.Brief{}, err
		}
	}
	return q.finish(ctx), nil
}

// line reads one line of the file.
func (q *quick) line(physical lines.Line) error {
	p := q.parser.physical(physical)
	if !p.apart {
		return q.spoiled(p)
	}
	l := q.parser.parsed(p.objects[0])
	if !q.head.done {
		q.head.see(l)
	}
	q.o.envelope(l)
	if !l.time.IsZero() {
		q.t.last = l.time
	}
	if !recordTypes[l.typ] {
		return nil
	}
	return q.records(l, q.parser.tree.Root(), place{physical.No, 0, physical.Offset, len(physical.Text)})
}

// spoiled reads a line that is not one whole object. Objects on it may be pieces
// of others.
func (q *quick) spoiled(p physical) error {
	if p.Blank() {
		return nil
	}
	if p.damage == nil || len(p.objects) > 0 {
		return errWhole
	}
	q.digest.Item(agent.Item{Damage: p.damage})
	return nil
}

// records counts the records of a line that may hold some.
func (q *quick) records(l line, top jsonscan.Node, at place) error {
	if l.sidechain && q.src.Subagent == "" || l.supersedes.Kind() == jsonscan.Array && len(l.supersedes) > len("[]") {
		return errWhole
	}
	id, err := q.identify(top, at)
	if err != nil {
		return err
	}
	n := 0
	switch l.typ {
	case "assistant":
		n, err = q.answer(l, at)
	case "user":
		n = q.user(l, at)
	case "attachment":
		n = q.attachment(l, top, at)
	case "queue-operation":
		n = q.queue(l, at)
	case "system":
		n, err = q.system(l, top, at)
	}
	if id != 0 && n > 0 {
		q.ids = append(q.ids, id)
	}
	return err
}

// identify notes the uuid of a line. One that comes twice is a rewrite; one that
// looks like a place names no record.
func (q *quick) identify(top jsonscan.Node, at place) (uint64, error) {
	uuid := top.Get("uuid").Value()
	if uuid.Kind() != jsonscan.String || len(uuid) == len(`""`) {
		return 0, nil
	}
	id := agent.IDHash([]byte(uuid[1 : len(uuid)-1]))
	if !plain(uuid) {
		id = agent.IDHash(uuid.Text())
	}
	if q.lines[id] > 0 || uuid[1] == 'L' {
		return 0, errWhole
	}
	q.lines[id] = at.no
	return id, nil
}

// count takes in one record of the line that is read.
func (q *quick) count(kind record.Kind, model string, own bool) {
	q.untimed = q.untimed || q.t.last.IsZero()
	q.digest.Count(kind, model, q.t.last, own)
}

// pieces makes the records of a line and counts them.
func (q *quick) pieces(l line, at place) int {
	pieces := q.t.pieces(l, at)
	for _, p := range pieces {
		q.count(p.rec.Kind, p.rec.Model, true)
	}
	return len(pieces)
}

// finish tells what was seen, in the same way as for a transcript that is read
// whole.
func (q *quick) finish(ctx context.Context) agent.Brief {
	q.o.settle()
	for _, l := range q.queued {
		if fate := q.o.queue.fates[l.at]; fate != fateRecord {
			q.untimed = q.untimed || l.when.IsZero()
			for _, kind := range l.kinds {
				q.digest.Count(kind, "", l.when, fate != fateTaken)
			}
		}
	}
	s := &q.digest.Summary.Session
	if q.untimed {
		first := q.o.started
		if first.IsZero() {
			first = q.t.file.Info().MTime
		}
		if first.After(s.LastActive) {
			s.LastActive = first
		}
	}
	for leaf := range q.o.titles.summaries {
		if no := q.lines[agent.IDHash(leaf)]; no > 0 {
			q.o.rewrites.lines[leaf] = &chain{[]place{{no: no}}}
		}
	}
	if q.src.Subagent != "" {
		_, q.t.title = describeSubagent(ctx, q.src)
	}
	q.digest.Finish()
	q.t.finish(&q.digest.Summary)
	sum := q.digest.Summary
	return agent.Brief{Session: sum.Session, Damage: sum.Damage, Inline: sum.Inline, Head: q.head.Head, IDs: q.ids, Places: sum.Places}
}
