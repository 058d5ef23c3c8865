package claude

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
)

// linesPass is one pass over a transcript of which only the numbers of matching lines are
// wanted, or how a term stands in its records. Usual lines that pass the byte test are
// counted where they stand; of all others that pass records are made. That is sound as
// long as every line stands for itself: where one may rewrite another or take it back, the
// pass gives up, nothing was emitted, and the transcript is read in another way.
type linesPass struct {
	sparse
	line    usual
	counter counter
	uuids   idSet
	answers []answerLine // usual lines of answers that pass
	passed  idSet        // the ids of these answers
	known   int          // how many of them it has
	seen    int          // how many members called id were looked at for one of them
	odd     ids          // of the other lines that pass
}

// answerLine is what a line of an answer adds to it, as far as it tells whether another
// line may say the same.
type answerLine struct {
	answer        uint64 // hash of its id
	text, thought bool
	call          uint64 // hash of the id of its first call
	more          bool   // it has several calls
	at            place
}

// countLines counts the matching lines of a transcript, or scores its records; ok is false
// when it must be read in another way, and then nothing has been emitted.
func countLines(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, text *lines.Chunks, emit func(agent.Item) error) (ok bool, err error) {
	c := passes.Get().(*linesPass)
	defer c.end()
	c.begin(plan, f, text)
	if plan.Score != nil {
		c.counter.scores(src, f, plan)
	}
	if ok, err := c.look(ctx); !ok || err != nil {
		return false, err
	}
	if ok, err := c.alone(); !ok || err != nil {
		return false, err
	}
	t := &transcript{src: src, plan: plan, file: f, outline: newOutline(), numbers: map[string]int{}, known: map[string]bool{}, emit: emit, sparse: &c.sparse}
	if err := c.read(ctx, t); err != nil {
		return true, err
	}
	c.counter.score.tell(plan)
	return true, c.counter.give(emit)
}

// passes are passes that are over, whose memory serves others.
var passes = sync.Pool{New: func() any { return &linesPass{} }}

// begin begins a pass in the memory of another one. What was handed out of that stays.
func (c *linesPass) begin(plan agent.Plan, f agent.File, text *lines.Chunks) {
	*c = linesPass{
		sparse: sparse{
			plan: plan, file: f, text: text, parser: c.parser, wanted: c.wanted[:0],
			ids: ids{members: c.ids.members[:0], chunks: c.ids.chunks[:0], keys: c.ids.keys},
		},
		line:    c.line,
		counter: counter{lines: plan.Count, marker: c.counter.marker, prefix: c.counter.prefix, texts: c.counter.texts, hows: c.counter.hows, parts: c.counter.parts},
		uuids:   c.uuids, passed: c.passed,
		answers: c.answers[:0],
		odd:     ids{members: c.odd.members[:0], chunks: c.odd.chunks[:0], keys: c.odd.keys},
	}
	if c.line.moulds == nil {
		c.line.moulds = &moulds{}
	}
	c.ids.set, c.odd.set, c.odd.count = &c.uuids, &c.uuids, true
	c.uuids.expect(int(min(f.Info().Size, manyBytes) / bytesPerID))
	c.passed.expect(0)
}

// end leaves the memory of a pass to others, unless that is much.
func (c *linesPass) end() {
	if cap(c.uuids.slots) <= muchRoom {
		c.file, c.text, c.plan, c.counter.lines = nil, nil, agent.Plan{}, nil
		c.counter.score = nil
		passes.Put(c)
	}
}

// muchRoom is how many ids a set has room for that is not kept.
const muchRoom = 1 << 16

// look goes over the file. ok is false where a line may not stand for itself.
func (c *linesPass) look(ctx context.Context) (ok bool, err error) {
	c.text.Again()
	no := 0
	for {
		chunk, at, err := c.text.Next()
		if err != nil || len(chunk) == 0 {
			return err == nil, err
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		c.counter.score.pass(chunk)
		for from := 0; from < len(chunk); {
			start, end := c.next(chunk, from)
			no += c.passOver(chunk[:start], from, at, no+1)
			if start < len(chunk) {
				no++
				c.passing(chunk[start:end], place{no, 0, at + int64(start), end - start})
			}
			if c.ids.retracts || c.odd.retracts || c.uuids.clash {
				return false, nil
			}
			from = end + 1
		}
		if ok, err := c.relate(func(offset int64) ([]byte, int64, error) {
			from, to := lines.LineAt(chunk, int(offset-at))
			return chunk[from:to], at + int64(from), nil
		}); !ok || err != nil {
			return false, err
		}
	}
}

// next gives the next line that passes, and notes the keys before it; the end of the chunk
// where none passes.
func (c *linesPass) next(chunk []byte, from int) (start, end int) {
	keys := &c.ids.keys
	test, keyed := c.plan.Candidate.(needle.KeyedTest)
	if !keyed {
		if start, end = len(chunk), len(chunk); from < len(chunk) {
			if hit := c.plan.Candidate.Next(chunk, from); hit >= 0 {
				start, end = lines.LineAt(chunk[from:], min(hit, len(chunk)-1)-from)
				start, end = start+from, end+from
			}
		}
		keys.FindFrom(chunk[:start], from)
		return start, end
	}
	hit := test.NextKeyed(chunk, from, keys)
	if hit < 0 {
		return len(chunk), len(chunk)
	}
	start, end = from, len(chunk)
	if n := len(keys.Newlines); n > 0 {
		start = keys.Newlines[n-1] + 1
	}
	if i := bytes.IndexByte(chunk[hit:], '\n'); i >= 0 {
		end = hit + i
	}
	keys.CutIDs(start)
	return start, end
}

// passOver looks at lines that do not pass, from a place on, for ids and for damage, and
// gives their number. Their keys were found; at is where the text begins in the file.
func (c *linesPass) passOver(text []byte, from int, at int64, no int) int {
	if from == len(text) {
		return 0
	}
	c.ids.gather(text, at, chunkStart{at + int64(from), no})
	first := no
	for _, to := range c.ids.keys.Newlines {
		if line := text[from:to]; !wholeByEnds(line) {
			c.damage(lines.Line{No: no, Offset: at + int64(from), Text: line, Ended: true})
		}
		from = to + 1
		no++
	}
	if from == len(text) {
		return no - first
	}
	if line := text[from:]; !wholeByEnds(line) {
		c.damage(lines.Line{No: no, Offset: at + int64(from), Text: line})
	}
	return no - first + 1
}

// passing looks at a line that passes.
func (c *linesPass) passing(text []byte, at place) {
	u := &c.line
	usual := u.read(text)
	c.counter.at = at
	switch {
	case usual && u.typ == silentForm:
		c.counter.score.beside(text)
	case usual && c.counter.line(u):
		c.uuids.add(maphash.Bytes(seed, u.uuid), true)
		if u.typ == answerForm && len(u.answer) > 0 {
			c.answers = append(c.answers, u.adds(at))
		}
	default:
		c.counter.score.beside(text)
		c.wanted = append(c.wanted, at)
		c.odd.collect(text, at.offset, at.no)
	}
}

// adds tells what a usual line adds to its answer.
func (u *usual) adds(at place) answerLine {
	a := answerLine{answer: maphash.Bytes(seed, u.answer), text: !wordless(u.text), at: at}
	for i := range u.blocks {
		switch b := &u.blocks[i]; b.is {
		case textBlock:
			a.text = a.text || !wordless(b.text)
		case thinkingBlock:
			a.thought = a.thought || !wordless(b.text)
		case callBlock:
			if len(b.id) > 0 {
				a.more = a.call != 0
				a.call = maphash.Bytes(seed, b.id) | 1
			}
		}
	}
	return a
}

// relate reads the lines that share an answer with one that passes, as far as both are
// known by now. ok is false where such a line is not usual.
func (c *linesPass) relate(lineAround func(offset int64) ([]byte, int64, error)) (ok bool, err error) {
	for ; c.known < len(c.answers); c.known++ {
		c.passed.add(c.answers[c.known].answer, true)
	}
	var last int64 // the end of the last line that was read
	fresh := c.ids.members[c.seen:]
	c.ids.members = c.ids.members[:c.seen]
	for _, m := range fresh {
		if !c.passed.has(m.hash) {
			c.ids.members = append(c.ids.members, m)
			continue
		}
		if m.offset < last {
			continue
		}
		line, at, err := lineAround(m.offset)
		if err != nil {
			return false, err
		}
		last = at + int64(len(line))
		if !c.line.read(line) {
			return false, nil
		}
		if c.line.typ == answerForm && len(c.line.answer) > 0 {
			c.answers = append(c.answers, c.line.adds(place{0, 0, at, len(line)}))
			c.known++
		}
	}
	c.seen = len(c.ids.members)
	return true, nil
}

// alone reports whether no answer that a line belongs to says something twice.
func (c *linesPass) alone() (bool, error) {
	for _, m := range c.odd.members {
		c.passed.add(m.hash, true)
	}
	c.seen = 0 // some may share an answer with a line far behind them
	if ok, err := c.relate(c.lineAround); !ok || err != nil {
		return false, err
	}
	if c.oddly() {
		return false, nil
	}
	slices.SortFunc(c.answers, func(a, b answerLine) int {
		if a.answer != b.answer {
			return cmp.Compare(a.answer, b.answer)
		}
		return cmp.Compare(a.at.offset, b.at.offset)
	})
	for i := range c.answers {
		for j := i + 1; j < len(c.answers) && c.answers[j].answer == c.answers[i].answer; j++ {
			if c.answers[i].says(&c.answers[j]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// oddly reports whether a line that is not usual may add to the answer of another one.
func (c *linesPass) oddly() bool {
	if len(c.odd.members) == 0 {
		return false
	}
	all := idSet{}
	for _, a := range c.answers {
		all.add(a.answer, true)
	}
	line := -1 // that the last member stands on
	mine := idSet{}
	for _, m := range c.odd.members {
		i, found := slices.BinarySearchFunc(c.wanted, m.offset, func(p place, o int64) int { return cmp.Compare(p.offset, o) })
		if !found {
			i--
		}
		if i != line {
			line, mine = i, idSet{}
		}
		if all.has(m.hash) && !mine.has(m.hash) {
			return true
		}
		mine.add(m.hash, true)
		all.add(m.hash, true)
	}
	return false
}

// says reports whether two lines of an answer may say the same.
func (a *answerLine) says(b *answerLine) bool {
	if a.at.offset == b.at.offset {
		return false
	}
	again := a.call != 0 && b.call != 0 && (a.more || b.more || a.call == b.call)
	return again || a.text && b.text || a.thought && b.thought
}

// idSet is a set of hashes. It notes where one comes again that counts.
type idSet struct {
	slots []uint64
	used  int
	clash bool
}

// add puts a hash into the set. Those that count may stand in it once.
func (s *idSet) add(hash uint64, counts bool) {
	if 4*(s.used+1) > 3*len(s.slots) {
		s.grow()
	}
	flag := uint64(0)
	if counts {
		flag = 1
	}
	hash = hash&^1 | 2
	mask := uint64(len(s.slots) - 1)
	for i := hash >> 8 & mask; ; i = (i + 1) & mask {
		switch slot := s.slots[i]; {
		case slot == 0:
			s.slots[i] = hash | flag
			s.used++
			return
		case slot&^1 == hash:
			s.clash = s.clash || counts || slot&1 != 0
			s.slots[i] |= flag
			return
		}
	}
}

func (s *idSet) has(hash uint64) bool {
	if s.used == 0 {
		return false
	}
	hash = hash&^1 | 2
	mask := uint64(len(s.slots) - 1)
	for i := hash >> 8 & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i]&^1 == hash {
			return true
		}
	}
	return false
}

// About so many bytes of a transcript have an id, and of so many room is made for the
// ids of all at once.
const (
	bytesPerID = 2 << 10
	manyBytes  = 64 << 20
)

// expect empties the set and makes room for a number of hashes.
func (s *idSet) expect(n int) {
	slots := 64
	for 3*slots < 4*n {
		slots *= 2
	}
	room := s.slots[:0]
	if cap(room) < slots {
		room = make([]uint64, slots)
	}
	*s = idSet{slots: room[:slots]}
	clear(s.slots)
}

func (s *idSet) grow() { s.resize(max(64, 2*len(s.slots))) }

// resize takes a power of two.
func (s *idSet) resize(slots int) {
	old := s.slots
	s.slots = make([]uint64, slots)
	mask := uint64(len(s.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := slot >> 8 & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = slot
	}
}
