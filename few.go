package seshat

import (
	"cmp"
	"context"
	"slices"

	"github.com/seshat-dev/seshat/internal/rank"
)

// Before a session can be put in its place among others its transcript has to be looked
// at for its title. Where few sessions are shown, that is done only for those that may be
// among them.

// few reports whether so few sessions are shown that not all need be looked at.
func (g *gatherer) few() bool {
	byScore := g.q.Sort == ByScore || g.q.Sort == ""
	return g.s.term != nil && byScore && !g.q.Flat && !g.q.Here && !g.q.Whole
}

// best gives those of some sessions that come first, in order: at least as many as are
// shown, where there are.
func (g *gatherer) best(ctx context.Context, all []*group) ([]*Found, error) {
	type rated struct {
		*group
		most float64 // that it can score
	}
	rest := make([]rated, len(all))
	for i, x := range all {
		rest[i] = rated{x, g.mostOf(x)}
	}
	slices.SortStableFunc(rest, func(a, b rated) int { return cmp.Compare(b.most, a.most) })
	var out []*Found
	for len(rest) > 0 && (len(out) < g.q.Limit || rest[0].most >= out[g.q.Limit-1].Score) {
		var next []*group
		for _, x := range rest[:min(g.q.Limit, len(rest))] {
			next = append(next, x.group)
		}
		rest = rest[len(next):]
		more, err := g.scored(ctx, next)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
		sortFound(out, g.q.Sort)
	}
	return out, nil
}

// mostOf gives a score that a session does not exceed, whatever its title is and however
// it was run.
func (g *gatherer) mostOf(x *group) float64 {
	best := 0.0
	for _, at := range x.full {
		best = max(best, g.weights.Record(at.Rank, g.corpus).Value)
	}
	most := 0.0
	in := rank.Session{Records: len(x.full), Time: g.corpus.Newest}
	for _, in.Print = range []bool{false, true} {
		for _, named := range g.titlesOf(x) {
			in.Title, in.Prompt = []rank.Occurrence{{Count: named.times, Whole: true}}, named.byPrompt
			most = max(most, g.weights.Session(best, in, g.corpus).Value)
		}
	}
	return most * (1 + rounding)
}

// titling is how a title may have the term of the search.
type titling struct {
	times    int
	byPrompt bool // it is made of a prompt
}

// titlesOf gives how the title of a session may have the term.
func (g *gatherer) titlesOf(x *group) []titling {
	looked := g.s.seen[x.lead.Source]
	switch {
	case x.session != nil || looked == nil || besides(x.lead) || looked.mentions && !looked.unnamed:
		return []titling{{manyTimes, true}, {manyTimes, false}}
	case looked.byPrompt:
		return []titling{{0, false}, {manyTimes, true}}
	}
	return []titling{{0, false}}
}

// manyTimes is more often than a term stands in a title, and rounding more than what is
// lost where numbers are multiplied in another order.
const (
	manyTimes = 1 << 30
	rounding  = 1e-9
)
