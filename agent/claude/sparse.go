package claude

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// sparse reads only the lines of a transcript that pass the byte test, where
// nothing but their text, kind and place is wanted. What an outline would tell of
// them is found out for these lines alone: whether their text was written again
// or taken back. Where that needs more than a look at lines with the same ids, it
// gives up and the whole file is read.
type sparse struct {
	plan    agent.Plan
	file    agent.File
	text    *lines.Chunks
	parser  parser
	wanted  []place // lines that pass the byte test
	damaged []*agent.Damage
	related []place // lines that share an answer's id with one of them
	ids     ids
	fates   int64 // up to this offset the fates of queued prompts are known that are wanted
	unnamed bool  // they are known of all
}

// readSparse reads a transcript sparsely; ok is false when it must be read whole,
// and then nothing has been emitted.
func readSparse(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) (ok bool, err error) {
	if plan.Barren && plan.Told == nil {
		return true, nil
	}
	text := lines.NewChunks(f, f.Info().Size)
	defer text.Close()
	if any, err := holds(ctx, plan, text); err != nil || !any {
		return err == nil, err
	}
	if !plan.Bare {
		return false, nil
	}
	if plan.Count != nil || plan.Score != nil {
		if ok, err := countLines(ctx, src, f, plan, text, emit); ok || err != nil {
			return true, err
		}
	}
	s := sparse{plan: plan, file: f, text: text}
	if err := s.look(ctx); err != nil {
		return false, err
	}
	if ok, err := s.relate(); !ok || err != nil {
		return false, err
	}
	t := &transcript{src: src, plan: plan, file: f, outline: newOutline(), numbers: map[string]int{}, known: map[string]bool{}, emit: emit, sparse: &s}
	if err := s.outline(t.outline); err != nil {
		return false, err
	}
	return true, s.read(ctx, t)
}

// holds reports whether anything in a transcript passes the byte test. Where nothing
// does it may tell where the session ran.
func holds(ctx context.Context, plan agent.Plan, text *lines.Chunks) (bool, error) {
	if plan.Told == nil {
		return text.Holds(ctx, plan.Candidate.Next)
	}
	var at placeReader
	any, err := text.Holds(ctx, at.beside(plan.Candidate.Next))
	if err == nil && !any {
		plan.Told(at.told())
	}
	return any, err
}

// look finds the lines that pass the byte test and all ids, and counts damaged
// lines as far as their ends tell that they are.
func (s *sparse) look(ctx context.Context) error {
	s.text.Keep()
	no := 0
	for {
		chunk, at, err := s.text.Next()
		if err != nil || len(chunk) == 0 {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		first := no + 1
		hit := s.plan.Candidate.Next(chunk, 0)
		for from := 0; from < len(chunk); {
			no++
			to, ended := len(chunk), false
			if i := bytes.IndexByte(chunk[from:], '\n'); i >= 0 {
				to, ended = from+i, true
			}
			switch line := chunk[from:to]; {
			case hit >= 0 && hit <= to:
				s.wanted = append(s.wanted, place{no, 0, at + int64(from), len(line)})
				if hit = -1; to+1 < len(chunk) {
					hit = s.plan.Candidate.Next(chunk, to+1)
				}
			case !wholeByEnds(line):
				s.damage(lines.Line{No: no, Offset: at + int64(from), Text: line, Ended: ended})
			}
			from = to + 1
		}
		s.ids.collect(chunk, at, first)
	}
}

// wholeByEnds reports whether a line begins and ends as an object does.
func wholeByEnds(line []byte) bool {
	return len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}'
}

// damage notes a damaged line that holds nothing that is wanted.
func (s *sparse) damage(l lines.Line) {
	if l.Blank() {
		return
	}
	if p := s.parser.physical(l); p.damage != nil {
		p.damage.Cleared = true
		s.damaged = append(s.damaged, p.damage)
	}
}

// relate finds the lines that share an answer with a wanted one. ok is false where
// one of them is written twice, or a line takes others back: that needs the whole
// file.
func (s *sparse) relate() (ok bool, err error) {
	if s.ids.retracts {
		return false, nil
	}
	if err := s.relatives(); err != nil {
		return false, err
	}
	for _, places := range s.ids.again {
		if slices.ContainsFunc(places, s.visited) {
			if again, err := s.rewritten(places); again || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// visited reports whether a place is inside a line that is wanted or related to one.
func (s *sparse) visited(offset int64) bool {
	return inside(s.wanted, offset) || inside(s.related, offset)
}

// inside reports whether a place is inside one of some lines, which are in the order
// of the file.
func inside(in []place, offset int64) bool {
	i, found := slices.BinarySearchFunc(in, offset, func(p place, o int64) int { return cmp.Compare(p.offset, o) })
	if !found {
		i--
	}
	return i >= 0 && offset < in[i].offset+int64(in[i].length)
}

// rewritten reports whether two lines have one uuid as their own, of those on which it
// stands.
func (s *sparse) rewritten(places []int64) (bool, error) {
	own := map[string]int64{} // by uuid, the line that has it
	for _, offset := range places {
		line, at, err := s.lineAround(offset)
		if err != nil {
			return false, err
		}
		objects, _ := jsonscan.Objects(line, recordStarts...)
		if len(objects) != 1 {
			return true, nil // reading the whole file tells
		}
		uuid := objects[0].Get("uuid").Text()
		if other, known := own[uuid]; known && other != at && uuid != "" {
			return true, nil
		}
		own[uuid] = at
	}
	return false, nil
}

// outline tells of the wanted lines and those that share an answer with them.
func (s *sparse) outline(o *outline) error {
	for _, at := range s.visits() {
		if !s.ids.shares(at) {
			continue
		}
		err := s.objects(at, func(l line, at place) {
			if l.typ == "assistant" {
				o.rewrites.grow(l, at)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// follow learns the fate of the prompt that was queued on a wanted line. It is asked for
// seldom, and in the order of the file. Of prompts whose text passes the byte test queue
// operations and lines that pass tell, since what such a prompt became has its text and is
// no usual line: they are read from that line on until all that was queued there has become
// a record. Only an operation that takes back the oldest prompt, whichever that is, needs
// all lines.
func (s *sparse) follow(ctx context.Context, o *outline, at place) error {
	if s.unnamed || at.offset < s.fates {
		return nil
	}
	if err := s.followWanted(ctx, o, at); err != nil || !o.queue.unnamed {
		return err
	}
	s.unnamed = true
	o.queue = newQueue()
	return s.followQueue(ctx, place{no: 1}, func(l lines.Line) bool { return true }, func(l line, at place) bool {
		o.queueing(l, at)
		return true
	}, o)
}

// followWanted follows what was queued on a wanted line and on those behind it.
func (s *sparse) followWanted(ctx context.Context, o *outline, at place) error {
	next, _ := slices.BinarySearchFunc(s.wanted, at, byOffset)
	wanted := false
	concerns := func(l lines.Line) bool {
		for next < len(s.wanted) && s.wanted[next].offset < l.Offset {
			next++
		}
		wanted = next < len(s.wanted) && s.wanted[next].offset == l.Offset
		return wanted || says(l.Text)
	}
	return s.followQueue(ctx, at, concerns, func(l line, at place) bool {
		if wanted || l.typ != "queue-operation" || l.raw.Get("operation").Text() != "enqueue" {
			o.queueing(l, at)
		}
		s.fates = at.offset + int64(at.length)
		return len(o.queue.waiting) > 0 && !o.queue.unnamed
	}, o)
}

// followQueue visits the objects of lines from a place on that concern the queue, until
// visit returns false behind a line. At the end of the file it closes the queue.
func (s *sparse) followQueue(ctx context.Context, from place, concerns func(lines.Line) bool, visit func(line, place) bool, o *outline) error {
	var r parser // the line at hand still needs its own
	var u usual
	size := s.file.Info().Size - from.offset
	for l, err := range lines.Scan(io.NewSectionReader(s.file, from.offset, size), size) {
		if err != nil {
			return err
		}
		if l.No%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l.Offset += from.offset
		l.No += from.no - 1
		if !concerns(l) || u.read(l.Text) {
			continue // nothing was typed on a usual line
		}
		p := r.physical(l)
		more := true
		for i, obj := range p.each() {
			if p.damage == nil || plausible(obj) {
				more = visit(obj, place{p.No, i, p.Offset, len(p.Text)})
			}
		}
		if !more {
			return nil
		}
	}
	s.fates = s.file.Info().Size
	o.queue.close()
	return nil
}

// objects visits the objects of a line.
func (s *sparse) objects(at place, visit func(line, place)) error {
	p, err := s.line(at)
	for i, l := range p.each() {
		at.nth = i
		visit(l, at)
	}
	return err
}

// visits lists the lines to read in the order of the file.
func (s *sparse) visits() []place {
	if len(s.related) == 0 {
		return s.wanted
	}
	all := append(slices.Clone(s.wanted), s.related...)
	slices.SortFunc(all, byOffset)
	return all
}

func byOffset(a, b place) int { return cmp.Compare(a.offset, b.offset) }

// read emits the records of the wanted lines, and the damage between them.
func (s *sparse) read(ctx context.Context, t *transcript) error {
	damage := s.damaged
	for i, at := range s.visits() {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for len(damage) > 0 && damage[0].Line < at.no {
			if err := t.emit(agent.Item{Damage: damage[0]}); err != nil {
				return err
			}
			damage = damage[1:]
		}
		if len(damage) > 0 && damage[0].Line == at.no {
			damage = damage[1:] // reading the line tells of it
		}
		p, err := s.line(at)
		if err != nil {
			return err
		}
		t.last = time.Time{}
		if err := t.line(ctx, p); err != nil {
			return err
		}
	}
	for _, d := range damage {
		if err := t.emit(agent.Item{Damage: d}); err != nil {
			return err
		}
	}
	return nil
}

// line reads a line again. It is valid until the next one is read.
func (s *sparse) line(at place) (physical, error) {
	text, err := s.text.Bytes(at.offset, at.length)
	if err != nil {
		return physical{}, fmt.Errorf("line %d: %w", at.no, err)
	}
	ended := at.offset+int64(at.length) < s.file.Info().Size
	return s.parser.physical(lines.Line{No: at.no, Offset: at.offset, Text: text, Ended: ended}), nil
}

// timeNear gives the nearest earlier time of a line that has none of its own, else
// the nearest later one, else the file's. It is asked for seldom.
func (s *sparse) timeNear(ctx context.Context, no int) (t time.Time, err error) {
	err = scanFile(ctx, s.file, func(p physical) error {
		if p.No >= no && !t.IsZero() {
			return errStop
		}
		for _, l := range p.each() {
			if !l.time.IsZero() && (p.No < no || t.IsZero()) {
				t = l.time
			}
		}
		return nil
	})
	if t.IsZero() {
		t = s.file.Info().MTime
	}
	return t, err
}
