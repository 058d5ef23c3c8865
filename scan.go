package seshat

import (
	"context"
	"strconv"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/rank"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/snippet"
	"github.com/seshat-dev/seshat/record"
)

// scan reads the records that a question is about. It decides most of them where
// they are read, on all cores; where a record's place counts, when its turn comes.
type scan struct {
	*question
	l      *Library
	w      *world
	sel    Selection
	whole  bool                      // records are wanted as they are, with their titles
	lines  func(*finding)            // what else is wanted of a record that matches, if anything
	hidden bool                      // nothing of what a record says is given
	wants  func(*record.Record) bool // its kind
	test   agent.ByteTest
	term   *search.Term // by which agents score records; nil where they do not
	facts  *facts
	tally  *search.Tally
	srcs   []search.Source

	seen   map[*agent.Source]*looked // of every source, what reading it told
	inline once[*agent.Source, map[string]string]
	folder search.Folder
	aside  record.Hidden           // what was left out of records that only hold parts
	also   map[agent.Mark][]string // handles of copies
}

// finding is a record that a question is about, or that holds a part of it.
type finding struct {
	search.Hit
	Parts   uint64 // which of the question's parts it holds; 0 when it holds all of it
	Rank    rank.Record
	Snippet snippet.Snippet

	spot   spot          // where it stands
	judged bool          // or its place is waited for
	scored *agent.Scored // where no more than this is known of it yet
}

// Weight is about how many bytes it holds while it waits.
func (f *finding) Weight() int { return f.Hit.Weight() + len(f.Snippet.Text) + 32*len(f.Rank.Terms) }

// looked is what reading a source told beside its records.
type looked struct {
	mentions bool // the byte test lets something of it pass
	unnamed  bool // and that is nothing that names its session
	byPrompt bool // but may be a prompt that its title is made of
}

func (l *looked) unname(byPrompt bool) { l.unnamed, l.byPrompt = true, byPrompt }

// newScan chooses the sources of a question.
func (l *Library) newScan(ctx context.Context, sel Selection, q *query.Query) (*scan, error) {
	x, err := newQuestion(q, l.queryOptions())
	if err != nil {
		return nil, err
	}
	s := &scan{question: x, l: l, sel: sel, seen: map[*agent.Source]*looked{}, also: map[agent.Mark][]string{}}
	s.wants = l.widen(&s.sel, q)
	s.test = x.byteTest()
	if s.w, s.srcs, s.tally, err = l.selected(ctx, s.sel, s.test); err != nil {
		return nil, err
	}
	if s.facts, err = l.newFacts(ctx, s.w, x); err != nil {
		return nil, err
	}
	s.facts.whole = s.facts.whole || len(s.sel.Branches) > 0
	var kept []search.Source
	for _, src := range s.srcs {
		if src.Problem != "" || s.plan.Eval(s.facts.source(src)) != query.False || s.anyPart(s.facts.source(src)) {
			kept = append(kept, src)
			s.seen[src.Source] = &looked{}
		}
	}
	s.srcs = kept
	l.watch(s.tally, len(kept))
	s.folder = search.Folder{Superseded: s.sel.Superseded, Copies: s.sel.Copies, Hidden: s.tally.Hidden(), Project: s.w.places.key}
	return s, nil
}

func (s *scan) anyPart(subject *query.Subject) bool {
	for _, p := range s.parts {
		if p.Eval(subject) != query.False {
			return true
		}
	}
	return false
}

// run reads the sources and hands what is found to take, in the order of all
// answers.
func (s *scan) run(ctx context.Context, take func(search.Source, *finding) error) error {
	wanted := s.w.places.wanted(s.sel)
	return search.EachAs(ctx, s.srcs, s.l.opts.Workers, s.tally, s.reading, func(src search.Source, f *finding) error {
		if src.Store.Role == promptHistory && len(s.l.config.Exclude) > 0 && s.l.excluded(s.w.places.Of(f.Record.Origin), f.Record.Origin.CWD) {
			s.tally.Hidden().Excluded++
			return nil
		}
		if s.sel.byProject() && src.Family == "" && !wanted(s.w.places.around(src, f.Record.Origin)) {
			return nil
		}
		if !s.place(ctx, src, f) {
			return nil
		}
		return take(src, f)
	})
}

// place folds copies, and judges what was waiting for its place. It reports whether
// the record is one to give.
func (s *scan) place(ctx context.Context, src search.Source, f *finding) bool {
	located := false
	if !f.judged && !f.Silent() {
		s.w.places.locate(ctx, src, f.Record)
		if located = true; !s.judgeLate(ctx, src, f) {
			f.Hit = f.Hush()
		}
	}
	s.folder.Hidden = s.tally.Hidden()
	if f.Parts != 0 {
		s.folder.Hidden = &s.aside
	}
	show, shared := s.folder.Show(src, f.Hit)
	if !show {
		if f.Record.Flags&record.Copy != 0 && !f.Silent() {
			s.w.nameRecord(src, f.Record, true)
			s.also[f.Mark()] = append(s.also[f.Mark()], f.Record.Handle)
		}
		return false
	}
	if !located && (s.whole || len(s.sel.Branches) > 0) { // else nobody asks where it ran
		s.w.places.locate(ctx, src, f.Record)
	}
	if !s.sel.ranOn(f.Record) {
		return false
	}
	s.w.nameRecord(src, f.Record, shared)
	return true
}

// reading says how a source is read.
func (s *scan) reading(ctx context.Context, src search.Source) search.Reading[*finding] {
	plan := agent.Plan{Titles: s.whole, Every: s.whole, Bare: s.bare && !s.whole && !s.late}
	if !inSession(src) {
		plan.Titles, plan.Bare = true, false
	}
	plan.Candidate = note(s.test, s.seen[src.Source])
	if s.lines == nil && src.Transcript() && s.w.memory.current(src) == nil { // the project of what is found will be asked for
		plan.Told = func(t agent.Told) { s.w.places.hear(src.Source, t) }
	}
	j := &judge{scan: s, src: src, subject: s.facts.source(src), bare: plan.Bare, titled: plan.Titles}
	if s.term != nil && plan.Bare {
		plan.Score, plan.Unnamed = s.scorer(src), s.seen[src.Source].unname
	}
	return search.Reading[*finding]{Plan: plan, Keep: func(r *record.Record) (*finding, bool) { return j.keep(ctx, r) }, Score: scored}
}

// inSession reports whether a source is a transcript, of a session or of a
// subagent.
func inSession(s search.Source) bool { return s.Transcript() || s.Subagent != "" }

// noting is a byte test that notes whether anything passed.
type noting struct {
	agent.ByteTest
	looked *looked
}

// notingKeyed is one that notes the keys of ids as well.
type notingKeyed struct {
	noting
	keyed needle.KeyedTest
}

func (n notingKeyed) NextKeyed(b []byte, from int, keys *needle.Keys) int {
	at := n.keyed.NextKeyed(b, from, keys)
	if at >= 0 {
		n.looked.mentions = true
	}
	return at
}

// note makes of a byte test one that notes whether anything passed; of none one that
// everything passes.
func note(test agent.ByteTest, to *looked) agent.ByteTest {
	if test == nil {
		return everything{to}
	}
	if keyed, ok := test.(needle.KeyedTest); ok {
		return notingKeyed{noting{test, to}, keyed}
	}
	return noting{test, to}
}

func (n noting) Next(b []byte, from int) int {
	at := n.ByteTest.Next(b, from)
	if at >= 0 {
		n.looked.mentions = true
	}
	return at
}

// everything is the byte test of a question that says nothing of texts.
type everything struct{ looked *looked }

func (e everything) Next(b []byte, from int) int {
	e.looked.mentions = true
	return agent.LineTest(func([]byte) bool { return true }).Next(b, from)
}

// judge decides the records of one source.
type judge struct {
	*scan
	src     search.Source
	subject *query.Subject
	bare    bool
	titled  bool // records bring their titles
}

// keep says what is wanted of a record.
func (j *judge) keep(ctx context.Context, r *record.Record) (*finding, bool) {
	if j.bare && r.Kind == record.ToolResult {
		r.Tool = "" // known of some only
	}
	if !j.wants(r) {
		h, ok := search.Silent(r, j.whole || j.varied)
		return &finding{Hit: h, judged: true}, ok
	}
	if j.late {
		return &finding{Hit: search.NewHit(r)}, true
	}
	full, parts := j.decide(ctx, r)
	if !full && parts == 0 {
		h, ok := search.Silent(r, j.whole || j.varied)
		return &finding{Hit: h, judged: true}, ok
	}
	f := &finding{Hit: search.NewHit(r), Parts: parts, judged: true}
	j.finish(f)
	return f, true
}

// known completes the subject by what a record tells.
func (j *judge) known(r *record.Record) *query.Subject {
	j.facts.ofRecord(j.subject, j.src, r, j.titled)
	return j.subject.Of(r)
}

// decide reports whether a record matches, and if not which parts it holds. The
// title is asked for only where it decides.
func (j *judge) decide(ctx context.Context, r *record.Record) (full bool, parts uint64) {
	subject := j.known(r)
	if inline := r.Flags&record.Subagent != 0 && j.src.Subagent == "" && !j.titled; inline {
		before := *subject
		subject.Known &^= query.KnowsTitle // it has a title of its own
		defer func() { *subject = before }()
	}
	if j.holds(ctx, j.plan, subject, r) {
		return true, 0
	}
	for i, p := range j.parts {
		if j.holds(ctx, p, subject, r) {
			parts |= 1 << i
		}
	}
	return false, parts
}

// holds evaluates a plan on a record, with its title where that decides.
func (j *judge) holds(ctx context.Context, p *query.Plan, subject *query.Subject, r *record.Record) bool {
	answer := p.Eval(subject)
	if answer == query.Unknown {
		subject.Title, subject.Known = j.titleOf(ctx, r), subject.Known|query.KnowsTitle
		answer = p.Eval(subject)
	}
	return answer == query.True
}

// titleOf gives the title that counts for a record: that of its subagent, else of
// its transcript.
func (j *judge) titleOf(ctx context.Context, r *record.Record) string {
	if r.Flags&record.Subagent != 0 && j.src.Subagent == "" {
		if title, ok := j.inlineTitles(ctx, j.src)[placeOf(r)]; ok {
			return title
		}
	}
	return j.facts.title(ctx, j.src)
}

// inlineTitles gives the titles of records whose subagent's lines stand inside a
// transcript.
func (s *scan) inlineTitles(ctx context.Context, src search.Source) map[string]string {
	return s.inline.get(src.Source, func() map[string]string {
		titles := map[string]string{}
		for item, err := range src.Adapter.Read(ctx, src.Source, agent.Plan{Titles: true}) {
			if err != nil {
				break
			}
			if r := item.Record; r != nil && r.Flags&record.Subagent != 0 && r.Title != "" {
				titles[placeOf(r)] = r.Title
			}
		}
		return titles
	})
}

func placeOf(r *record.Record) string { return r.ID + " " + strconv.Itoa(r.Line) }

// judgeLate decides a record whose place is known now.
func (s *scan) judgeLate(ctx context.Context, src search.Source, f *finding) bool {
	j := &judge{scan: s, src: src, subject: s.facts.source(src), titled: s.whole || !inSession(src)}
	full, parts := j.decide(ctx, f.Record)
	if !full && parts == 0 {
		return false
	}
	f.Parts, f.judged = parts, true
	s.finish(f)
	return true
}

// finish takes of a record what is wanted, and lets the rest go.
func (s *scan) finish(f *finding) {
	s.show(f)
	if f.Record.Shorten(); !s.whole {
		f.Record.Text = ""
	}
}

// show takes of a record what will be shown. What was looked for is found in the true
// text, and shown in the redacted one.
func (s *scan) show(f *finding) {
	r := f.Record
	if s.lines != nil {
		if s.lines(f); s.hidden {
			return
		}
		edits, values := s.l.credentialsIn(r.Text)
		redactLines(edits, f.Lines)
		r.Text, f.Note = edits.Apply(r.Text), noteOf(values)
		return
	}
	if s.hidden {
		return
	}
	f.spot = spotOf(r)
	var places []snippet.Range
	f.Rank, places = s.features(r)
	edits, values := s.l.credentialsIn(r.Text)
	r.Text, f.Note = edits.Apply(r.Text), noteOf(values)
	f.Snippet = snippet.Of(r.Text, redactPlaces(edits, places), snippetSize)
}

// once runs a function for each key a single time, and remembers what it gave.
type once[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]func() V
}

func (o *once[K, V]) get(key K, make func() V) V {
	o.mu.Lock()
	if o.made == nil {
		o.made = map[K]func() V{}
	}
	f := o.made[key]
	if f == nil {
		f = sync.OnceValue(make)
		o.made[key] = f
	}
	o.mu.Unlock()
	return f()
}
