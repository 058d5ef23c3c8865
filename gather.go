package seshat

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/rank"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// gatherer puts what a search finds together by session, and scores it when all of
// it is there.
type gatherer struct {
	s       *scan
	q       SearchQuery
	weights rank.Weights
	corpus  rank.Corpus
	groups  map[string]*group
	order   []*group // as they were met first
	here    func(*group) bool
	short   *shortNames
	lost    map[string]record.Session // of which only prompts are left, once they are asked for
	titles  []*group                  // sessions whose title holds a part of what was asked for
}

// group is a session with what was found of it.
type group struct {
	family  string        // of its transcripts; empty where none is there
	lead    search.Source // stands for the session, or is the source of its records
	first   *record.Record
	full    []*located
	partial map[int]*located // by part, the best record that holds it
	held    uint64           // parts that some record holds
	lost    bool             // nothing but prompts is left of the session
	session *listed
}

// located is a finding with its source and its score.
type located struct {
	*finding
	src   search.Source
	score rank.Score
}

func newGatherer(s *scan, q SearchQuery) *gatherer {
	s.facts.whole = s.facts.whole || q.Whole // all briefs are read anyway
	return &gatherer{s: s, q: q, weights: rank.Default(), groups: map[string]*group{}, short: newShortNames(s.w, s.facts.lead)}
}

// take notes a finding.
func (g *gatherer) take(src search.Source, f *finding) error {
	g.corpus.See(f.Rank)
	to := g.groupOf(src, f.Record)
	at := &located{finding: f, src: src}
	if f.Parts == 0 {
		g.s.tally.Match(1)
		to.full = append(to.full, at)
		return nil
	}
	if to.partial == nil {
		to.partial = map[int]*located{}
	}
	to.held |= f.Parts
	for left := f.Parts; left != 0; left &= left - 1 {
		part := bits.TrailingZeros64(left)
		if old := to.partial[part]; old == nil || better(g.weights, at, old) {
			to.partial[part] = at
		}
	}
	return nil
}

// better reports whether a record shows a part better than another: it holds more
// parts, or it would score higher, were all words equally rare.
func better(w rank.Weights, a, b *located) bool {
	x, y := bits.OnesCount64(a.Parts), bits.OnesCount64(b.Parts)
	if x != y {
		return x > y
	}
	var none rank.Corpus
	return w.Record(a.Rank, none).Value > w.Record(b.Rank, none).Value
}

// groupOf gives the session that a record belongs to. What stands outside of
// transcripts belongs to the session whose id it names, else to its source.
func (g *gatherer) groupOf(src search.Source, r *record.Record) *group {
	key, family, lead := src.Family, src.Family, src
	if !inSession(src) {
		key, family = src.Path, ""
		if r.Session != "" {
			if key = r.Agent + ":" + r.Session; g.s.facts.home[key] != "" {
				family = g.s.facts.home[key]
				key = family
			}
		}
	}
	to := g.groups[key]
	if to == nil {
		if family != "" {
			lead = g.s.facts.lead[family]
		}
		to = &group{family: family, lead: lead, first: r}
		g.groups[key] = to
		g.order = append(g.order, to)
	}
	to.lost = to.lost || family == "" && r.Session != "" && src.Store.Role == promptHistory
	return to
}

// finish gives the sessions that match, in order, and their number. Where few are shown,
// those that cannot be among them are only counted.
func (g *gatherer) finish(ctx context.Context) ([]*Found, int, error) {
	asked := g.maybeTitled()
	all := asked
	if !g.few() {
		// All briefs before any project: a transcript that has one is not read for its place.
		all = append(slices.DeleteFunc(slices.Clone(g.order), func(x *group) bool { return len(x.full) == 0 }), asked...)
	}
	if err := g.load(ctx, all); err != nil {
		return nil, 0, err
	}
	if err := g.byTitle(ctx, asked); err != nil {
		return nil, 0, err
	}
	var matching []*group
	for _, x := range g.order {
		if len(x.full) > 0 || x.session != nil {
			matching = append(matching, x)
		}
	}
	if g.few() {
		out, err := g.best(ctx, matching)
		return out, len(matching), err
	}
	out, err := g.scored(ctx, matching)
	return out, len(matching), err
}

// scored gives the sessions of some groups, in order.
func (g *gatherer) scored(ctx context.Context, all []*group) ([]*Found, error) {
	if err := g.describe(ctx, all); err != nil {
		return nil, err
	}
	if err := g.date(ctx, slices.DeleteFunc(slices.Clone(all), func(x *group) bool { return dated(slices.Values(x.full)) })); err != nil {
		return nil, err
	}
	var out []*Found
	for _, x := range all {
		out = append(out, g.found(x, x.full))
	}
	sortFound(out, g.q.Sort)
	return out, nil
}

// load looks at the transcripts of the sessions of some groups.
func (g *gatherer) load(ctx context.Context, all []*group) error {
	var leads []search.Source
	for _, x := range all {
		if x.family != "" && x.session == nil {
			leads = append(leads, x.lead)
		}
	}
	return g.s.facts.all(ctx, leads, func(s search.Source) { g.s.facts.session(ctx, s) })
}

// dated reports whether records tell by which time their session is put in order.
func dated(records iter.Seq[*located]) bool {
	for at := range records {
		if !at.Record.Time.IsZero() && slices.ContainsFunc(at.Rank.Terms, func(t rank.Occurrence) bool { return t.Count > 0 }) {
			return true
		}
	}
	return false
}

// date finds out when the sessions of some groups were last active.
func (g *gatherer) date(ctx context.Context, all []*group) error {
	byLead := map[*agent.Source][]*group{}
	var leads []search.Source
	for _, x := range all {
		if x.lead.Source == nil || x.family == "" || !x.session.LastActive.IsZero() {
			continue
		}
		if byLead[x.lead.Source] == nil {
			leads = append(leads, x.lead)
		}
		byLead[x.lead.Source] = append(byLead[x.lead.Source], x)
	}
	return g.s.facts.all(ctx, leads, func(s search.Source) {
		t := g.s.facts.active(ctx, s)
		for _, x := range byLead[s.Source] {
			x.session.LastActive = t
		}
	})
}

// describe finds out what is known of the sessions of some groups.
func (g *gatherer) describe(ctx context.Context, all []*group) error {
	if err := g.load(ctx, all); err != nil {
		return err
	}
	for _, x := range all {
		if x.session == nil {
			x.session = g.sessionOf(ctx, x)
		}
	}
	if g.q.Here && g.here == nil {
		g.here = g.hereTest(ctx)
	}
	return ctx.Err()
}

// sessionOf tells about the session of a group.
func (g *gatherer) sessionOf(ctx context.Context, x *group) *listed {
	w := g.s.w
	if x.family == "" {
		if out := g.lostSession(ctx, x); out != nil {
			return out
		}
		r, src := x.first, x.lead
		out := w.places.listed(record.Session{
			Agent: r.Agent, ID: path.Base(src.Name), Path: src.Path, Title: src.Store.ID, State: fileState(src.Source), Kind: record.KindInteractive,
			Started: src.Info.MTime, LastActive: src.Info.MTime, Bytes: src.Info.Size, Origin: r.Origin,
		})
		return &out
	}
	b := g.s.facts.session(ctx, x.lead)
	sess := b.Session
	sess.Agent, sess.ID, sess.Path = x.lead.Agent, x.lead.Session, x.lead.Path
	sess.Handle, sess.State = w.sessionHandle(x.lead.Source), w.state(x.family, sess.State)
	w.places.begin(ctx, x.lead, &sess.Origin)
	out := w.places.listed(sess)
	if f, known := w.places.families[x.family]; known {
		out.project, out.Project = f, f.Project
	}
	out.branches = append(out.branches, b.Branches...)
	return &out
}

// lostSession tells about a session of which only prompts are left, or gives nil
// where a group is none.
func (g *gatherer) lostSession(ctx context.Context, x *group) *listed {
	if !x.lost {
		return nil
	}
	if g.lost == nil {
		g.lost = map[string]record.Session{}
		list, err := g.s.l.remembered(ctx, g.s.w, g.s.w.sources, &search.Tally{})
		for _, s := range list {
			if err == nil {
				g.lost[s.Agent+":"+s.ID] = s
			}
		}
	}
	s, known := g.lost[x.first.Agent+":"+x.first.Session]
	if !known {
		s = promptsOnly(x.first)
	}
	out := g.s.w.places.listed(s)
	return &out
}

// hereTest gives the test for the project of the current folder.
func (g *gatherer) hereTest(ctx context.Context) func(*group) bool {
	p := g.s.w.places
	if p.families == nil {
		p.begun(ctx)
	}
	keys := map[string]bool{}
	for _, f := range p.families {
		keys[f.Key] = true
	}
	here := p.Here(g.s.l.opts.WorkDir, keys)
	return func(x *group) bool {
		f, known := p.families[x.family]
		if !known {
			f = x.session.project
		}
		return here != "" && f.Key == here
	}
}

// found scores a session by some of its records.
func (g *gatherer) found(x *group, records []*located) *Found {
	f := &Found{Session: x.session.Session, group: x}
	for _, at := range records {
		at.score = g.weights.Record(at.Rank, g.corpus)
	}
	sorted := slices.Clone(records)
	slices.SortStableFunc(sorted, func(a, b *located) int {
		switch g.q.Sort {
		case Newest:
			return cmp.Or(b.Record.Time.Compare(a.Record.Time), strings.Compare(a.Record.Handle, b.Record.Handle))
		case Oldest:
			return cmp.Or(a.Record.Time.Compare(b.Record.Time), strings.Compare(a.Record.Handle, b.Record.Handle))
		}
		return cmp.Or(cmp.Compare(b.score.Value, a.score.Value), b.Record.Time.Compare(a.Record.Time), strings.Compare(a.Record.Handle, b.Record.Handle))
	})
	title, _ := g.s.occurrences(f.Session.Title)
	in := rank.Session{Title: title, Time: f.Session.LastActive, Records: len(records), Print: f.Session.Kind == record.KindPrint}
	in.Prompt = f.Session.TitleSource == record.TitlePrompt
	in.Here = g.here != nil && g.here(x)
	best := 0.0
	for _, at := range sorted {
		if f.Hits = append(f.Hits, g.hit(at)); at.score.Value > best {
			best, in.Time = at.score.Value, at.Record.Time
		}
	}
	score := g.weights.Session(best, in, g.corpus)
	f.Score = score.Value
	if g.q.Explain {
		f.Why = score.Parts
	}
	for _, r := range g.s.plan.TitleHighlights(f.Session.Title) {
		f.Title = append(f.Title, []int{r.From, r.To})
	}
	return f
}

func (g *gatherer) hit(at *located) Hit {
	r := at.Record
	if r.Flags&record.Copy == 0 {
		r.Also = g.s.also[at.Mark()]
	}
	h := Hit{Record: r, Snippet: at.Snippet, Score: at.score.Value, Name: g.short.of(at.src, r), at: at}
	if g.q.Explain {
		h.Why = at.score.Parts
	}
	return h
}

// loose gives the sessions that hold all parts of the question in several records,
// in order. Its title counts as one of them.
func (g *gatherer) loose(ctx context.Context) ([]*Found, error) {
	all := uint64(1)<<len(g.s.parts) - 1
	var near []*group
	for _, x := range g.order {
		if len(x.full) == 0 && x.session == nil && (x.family != "" || x.lost) && bits.OnesCount64(x.held) > 1 {
			near = append(near, x)
		}
	}
	if err := g.describe(ctx, near); err != nil {
		return nil, err
	}
	if err := g.date(ctx, slices.DeleteFunc(slices.Clone(near), func(x *group) bool { return dated(maps.Values(x.partial)) })); err != nil {
		return nil, err
	}
	var out []*Found
	for _, x := range near {
		if x.held|g.inTitle(x.session.Title) != all {
			continue
		}
		var records []*located
		for part := range g.s.parts {
			if at := x.partial[part]; at != nil && !slices.Contains(records, at) {
				records = append(records, at)
			}
		}
		f := g.found(x, records)
		f.Loose = true
		out = append(out, f)
	}
	sortFound(out, g.q.Sort)
	return out, nil
}

// inTitle tells which parts of the question stand in a title.
func (g *gatherer) inTitle(title string) (parts uint64) {
	sess := record.Session{Title: title}
	for i, p := range g.s.heads {
		if p.Eval(query.OfSession(&sess, "")) == query.True {
			parts |= 1 << i
		}
	}
	return parts
}

// dress completes what is shown of a session by what costs more to find out.
func (g *gatherer) dress(ctx context.Context, f *Found) {
	x, p := f.group, g.s.w.places
	f.Session.LastActive = x.session.LastActive
	if x.family == "" || x.session.project.Sure || p.families != nil {
		return
	}
	p.settle(ctx, x.lead)
	if o := p.settled[x.lead.Source]; o.CWD != "" || o.CWDHash != "" {
		f.Session.Project = p.Of(o).Project
	}
}
