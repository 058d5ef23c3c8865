package claude

import (
	"bytes"
	"context"
	"fmt"
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
	wanted  []place // lines that pass the byte test
	damaged []*agent.Damage
	related []place // lines that share an id with one of them
	uuids   map[string]bool
	answers map[string]bool // message.id of assistant lines
}

// readSparse reads a transcript sparsely; ok is false when it must be read whole,
// and then nothing has been emitted.
func readSparse(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) (ok bool, err error) {
	s := sparse{plan: plan, file: f, uuids: map[string]bool{}, answers: map[string]bool{}}
	if err := s.look(ctx); err != nil {
		return false, err
	}
	if len(s.wanted) == 0 {
		return true, s.emitDamage(emit)
	}
	if ok, err := s.identify(); !ok || err != nil {
		return false, err
	}
	if ok, err := s.relate(ctx); !ok || err != nil {
		return false, err
	}
	t := &transcript{src: src, plan: plan, file: f, outline: s.outline(), numbers: map[string]int{}, known: map[string]bool{}, emit: emit}
	return true, s.read(ctx, t)
}

// look finds the lines that pass the byte test, and the damaged ones among the
// others, which count although nothing that is wanted can stand on them.
func (s *sparse) look(ctx context.Context) error {
	for l, err := range lines.Scan(s.file, s.file.Info().Size) {
		if err != nil {
			return err
		}
		if l.No%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if s.plan.Candidate(l.Text) {
			s.wanted = append(s.wanted, place{l.No, 0, l.Offset, len(l.Text)})
			continue
		}
		if _, whole := jsonscan.Objects(l.Text, recordStarts...); whole || l.Blank() {
			continue
		}
		p := parsePhysical(l)
		p.damage.Cleared = true
		s.damaged = append(s.damaged, p.damage)
	}
	return nil
}

func (s *sparse) emitDamage(emit func(agent.Item) error) error {
	for _, d := range s.damaged {
		if err := emit(agent.Item{Damage: d}); err != nil {
			return err
		}
	}
	return nil
}

// identify collects the ids of the wanted lines. A queued prompt's fate stands
// anywhere in the file.
func (s *sparse) identify() (ok bool, err error) {
	for _, at := range s.wanted {
		p, err := s.line(at)
		if err != nil {
			return false, err
		}
		for _, obj := range p.objects {
			l := parseLine(obj)
			if l.typ == "queue-operation" {
				return false, nil
			}
			if l.uuid != "" {
				s.uuids[l.uuid] = true
			}
			if id := l.message.Get("id").Text(); l.typ == "assistant" && id != "" {
				s.answers[id] = true
			}
		}
	}
	return true, nil
}

// relate finds the other lines of the same answers. A uuid that stands in two
// lines, or a line that takes something back, needs the whole file.
func (s *sparse) relate(ctx context.Context) (ok bool, err error) {
	next, seen := 0, map[string]bool{}
	for l, err := range lines.Scan(s.file, s.file.Info().Size) {
		if err != nil {
			return false, err
		}
		if l.No%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if bytes.Contains(l.Text, []byte("Uuids")) {
			return false, nil
		}
		if next < len(s.wanted) && s.wanted[next].no == l.No {
			if next++; met(seen, l.Text) {
				return false, nil
			}
			continue
		}
		if jsonscan.Mentions(l.Text, "uuid", s.uuids) {
			return false, nil
		}
		if len(s.answers) > 0 && jsonscan.Mentions(l.Text, "id", s.answers) {
			s.related = append(s.related, place{l.No, 0, l.Offset, len(l.Text)})
		}
	}
	return true, nil
}

// met collects the uuids of wanted lines, and reports whether one comes twice.
func met(seen map[string]bool, line []byte) (twice bool) {
	objects, _ := jsonscan.Objects(line, recordStarts...)
	for _, obj := range objects {
		id := obj.Get("uuid").Text()
		twice = twice || seen[id]
		if id != "" {
			seen[id] = true
		}
	}
	return twice
}

// outline tells of the wanted lines and those that share an answer with them.
func (s *sparse) outline() *outline {
	o := newOutline()
	for _, at := range s.visits() {
		p, err := s.line(at)
		if err != nil {
			continue // reading the line again will say so
		}
		for i, obj := range p.objects {
			if l := parseLine(obj); l.typ == "assistant" {
				at.nth = i
				o.rewrites.repeat(l, at)
				o.rewrites.grow(l, at)
			}
		}
	}
	return o
}

// visits lists the lines to read in the order of the file.
func (s *sparse) visits() []place {
	all := append(slices.Clone(s.wanted), s.related...)
	slices.SortFunc(all, func(a, b place) int { return a.no - b.no })
	return all
}

// read emits the records of the wanted lines, and the damage between them.
func (s *sparse) read(ctx context.Context, t *transcript) error {
	damage := s.damaged
	for _, at := range s.visits() {
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
		if t.last, err = s.timeBefore(ctx, p); err != nil {
			return err
		}
		if err := t.line(ctx, p); err != nil {
			return err
		}
	}
	s.damaged = damage
	return s.emitDamage(t.emit)
}

// line reads a line again.
func (s *sparse) line(at place) (physical, error) {
	buf := make([]byte, at.length)
	if n, err := s.file.ReadAt(buf, at.offset); n < len(buf) {
		return physical{}, fmt.Errorf("line %d: %w", at.no, firstErr(err, lines.ErrShrank))
	}
	ended := at.offset+int64(at.length) < s.file.Info().Size
	return parsePhysical(lines.Line{No: at.no, Offset: at.offset, Text: buf, Ended: ended}), nil
}

// timeBefore gives the nearest earlier time where a line has none of its own,
// which is seldom.
func (s *sparse) timeBefore(ctx context.Context, p physical) (t time.Time, err error) {
	for _, obj := range p.objects {
		if l := parseLine(obj); l.time.IsZero() && !silentTypes[l.typ] {
			err = scanFile(ctx, s.file, func(before physical) error {
				if before.No >= p.No && !t.IsZero() {
					return errStop
				}
				for _, obj := range before.objects {
					if at := parseLine(obj).time; !at.IsZero() && (before.No < p.No || t.IsZero()) {
						t = at
					}
				}
				return nil
			})
			break
		}
	}
	return t, err
}
