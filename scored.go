package seshat

import (
	"cmp"
	"context"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/rank"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// Most records that hold a common word are counted and never shown. Where a search looks
// for one word, and shows few sessions, agents are asked to score records where they stand
// in their files; of what is shown the lines are read again.

// fewShown is up to how many sessions, or records, are few.
const fewShown = 100

// scoreFew lets agents score records, if the search is for one word and shows few.
func (s *scan) scoreFew(q SearchQuery) {
	if one, ok := query.Simplify(q.Query.Expr).(query.Text); ok && 0 < q.Limit && q.Limit <= fewShown {
		s.term = search.NewTerm(one.Value, s.test, func(text string) agent.Standing {
			found, _ := s.occurrences(text)
			return agent.Standing(found[0])
		})
	}
}

// scorer is the term of a search in the records of one source.
type scorer struct {
	*search.Term
	kinds map[record.Kind]bool // that are wanted
}

func (s *scan) scorer(src search.Source) scorer {
	out := scorer{s.term, map[record.Kind]bool{}}
	r := record.Record{Store: src.Store.ID}
	for _, r.Kind = range record.Kinds() {
		out.kinds[r.Kind] = s.wants(&r)
	}
	return out
}

// Wants reports whether records of a kind are wanted.
func (s scorer) Wants(k record.Kind) bool { return s.kinds[k] }

// scored makes a finding of a record that its agent scored.
func scored(s *agent.Scored) *finding {
	r := s.Record
	return &finding{
		Hit: search.NewScored(s), judged: true, scored: s,
		Rank: rank.Record{Kind: r.Kind, Time: r.Time, Subagent: r.Flags&record.Subagent != 0, Terms: []rank.Occurrence{rank.Occurrence(s.Standing)}},
	}
}

// again reads the lines of records that were scored and are shown. What cannot be read
// again is left out.
func (g *gatherer) again(ctx context.Context, all []*Found) error {
	waiting := map[*agent.Source][]*located{}
	var srcs []search.Source
	for _, f := range all {
		for i := range f.Hits {
			at := f.Hits[i].at
			if at.scored == nil {
				continue
			}
			if waiting[at.src.Source] == nil {
				srcs = append(srcs, at.src)
			}
			waiting[at.src.Source] = append(waiting[at.src.Source], at)
		}
	}
	read := func(ctx context.Context, src search.Source, emit func(struct{}) error) error {
		g.s.readAgain(ctx, src, waiting[src.Source])
		return emit(struct{}{})
	}
	err := search.Ordered(ctx, srcs, g.s.l.opts.Workers, read, func(src search.Source, _ struct{}) error {
		if slices.ContainsFunc(waiting[src.Source], func(at *located) bool { return at.scored != nil }) {
			g.s.tally.Failed(src.Source, errChanged)
		}
		return nil
	})
	for _, f := range all {
		f.Hits = slices.DeleteFunc(f.Hits, func(h Hit) bool { return h.at.scored != nil })
		for i := range f.Hits {
			h := &f.Hits[i]
			h.Record, h.Snippet = h.at.Record, h.at.Snippet
		}
	}
	return err
}

// readAgain completes the findings of one source, as far as they are still there.
func (s *scan) readAgain(ctx context.Context, src search.Source, all []*located) {
	byMark := make(map[agent.Mark]*located, len(all))
	lines := make([]agent.Scored, 0, len(all))
	for _, at := range all {
		byMark[at.Mark()] = at
		lines = append(lines, *at.scored)
	}
	slices.SortFunc(lines, func(a, b agent.Scored) int { return cmp.Compare(a.At.From, b.At.From) })
	reading := s.reading(ctx, src)
	reading.Plan.Only, reading.Plan.Score, reading.Plan.Told = lines, nil, nil
	for item, err := range src.Adapter.Read(ctx, src.Source, reading.Plan) {
		if err != nil {
			return
		}
		if item.Record == nil {
			continue
		}
		f, ok := reading.Keep(item.Record)
		if !ok || f.Silent() || byMark[f.Mark()] == nil {
			continue
		}
		at := byMark[f.Mark()]
		f.Record.Handle, f.Record.Also = at.Record.Handle, at.Record.Also
		f.Record.Flags |= at.Record.Flags & record.Copy
		*at.finding = *f
	}
}
