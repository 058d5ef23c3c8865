package claude

import (
	"context"
	"strconv"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/record"
)

// scoring makes a counter count the places of a term instead of lines, and keeps of each
// record that has it how it stands there.
type scoring struct {
	agent.TermScorer
	src   *agent.Source
	time  time.Time // of the line at hand
	whole bool      // the term is a word of its own in the record at hand
	found []agent.Scored
	room  []record.Record // for records to come
	head  *captioner      // sees the lines that tell of the session's place, and the first prompt; may be nil
	named bool            // a line names the session by the term, or may
}

// scores makes a counter score.
func (c *counter) scores(src *agent.Source, f agent.File, plan agent.Plan) {
	c.score = &scoring{TermScorer: plan.Score, src: src}
	if c.lines = c.score; plan.Told != nil && src.Subagent == "" {
		c.score.head = newCaptioner(src, f)
		c.score.head.brief = true
	}
}

// roomFor is for how many records room is made at once.
const roomFor = 16

// Count gives the number of places of the term in a text.
func (s *scoring) Count(prefix, raw []byte) int {
	how := s.Stands(prefix, raw)
	s.whole = s.whole || how.Whole
	return how.Count
}

// line goes through the records of a line. A line without a time has that of another one,
// which only reading it tells.
func (s *scoring) line(u *usual, records func(*usual) bool) bool {
	before := len(s.found)
	s.whole = false
	if s.time = u.time.Time(); s.time.IsZero() || !records(u) {
		s.found = s.found[:before]
		return false
	}
	return true
}

// keep keeps a record of the line that stands at a place.
func (s *scoring) keep(u *usual, at place, kind record.Kind, nth int, mark agent.Mark, count int) {
	if len(s.room) == 0 {
		s.room = make([]record.Record, roomFor)
	}
	r := &s.room[0]
	s.room = s.room[1:]
	*r = record.Record{
		Agent: Name, Store: s.src.Store.ID, Session: s.src.Session, ID: string(u.uuid), Kind: kind, Role: record.RoleOf(kind),
		Time: s.time, Path: s.src.Path, Line: at.no, Offset: at.offset,
	}
	if nth > 0 {
		r.ID += "#" + strconv.Itoa(nth)
	}
	if u.side || s.src.Subagent != "" {
		r.Flags |= record.Subagent
	}
	s.found = append(s.found, agent.Scored{Record: r, Mark: mark, Standing: agent.Standing{Count: count, Whole: s.whole}, At: agent.Stretch{From: at.offset, To: at.offset + int64(at.length)}})
	s.whole = false
}

// beside looks at a line that passes and has no record that is scored.
func (s *scoring) beside(text []byte) {
	if s != nil {
		s.named = s.named || captionLines.Holds(text) || summaryLines.Holds(text)
	}
}

// pass sees all lines of the transcript.
func (s *scoring) pass(chunk []byte) {
	if s != nil && s.head != nil {
		s.head.look(chunk, 0)
	}
}

// tell tells what the lines of a session's transcript told. Each stands for itself, so that
// a first prompt that was typed names the session where no line does; one that was written
// again and got the term then would have been seen.
func (s *scoring) tell(plan agent.Plan) {
	if s == nil || s.head == nil {
		return
	}
	plan.Told(s.head.told())
	if s.named || plan.Unnamed == nil {
		return
	}
	title, _ := s.head.o.titles.choose("", s.head.o.rewrites)
	first := s.head.o.openings
	sure := title != "" || len(first) > 0 && s.head.opens.typ == "user" && !s.Names(record.FirstWords(first[0].text))
	plan.Unnamed(!sure)
}

// readOnly reads lines of which all records were scored: each stands for itself.
func readOnly(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	s := sparse{plan: plan, file: f, text: lines.NewChunks(f, f.Info().Size)}
	defer s.text.Close()
	for _, one := range plan.Only {
		if n := len(s.wanted); n == 0 || s.wanted[n-1].offset != one.At.From {
			s.wanted = append(s.wanted, place{one.Record.Line, 0, one.At.From, int(one.At.To - one.At.From)})
		}
	}
	t := &transcript{src: src, plan: plan, file: f, outline: newOutline(), numbers: map[string]int{}, known: map[string]bool{}, emit: emit, sparse: &s}
	return s.read(ctx, t)
}
