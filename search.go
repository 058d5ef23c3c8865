package seshat

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/rank"
	"github.com/seshat-dev/seshat/internal/snippet"
	"github.com/seshat-dev/seshat/record"
)

// Snippet is a piece of a record's text with what was looked for in it.
type Snippet = snippet.Snippet

// Part is a number that went into a score.
type Part = rank.Part

// Sort is an order of what a search found.
type Sort string

// The orders. Of equal scores the newer comes first, then the smaller handle.
const (
	ByScore Sort = "score"
	Newest  Sort = "newest"
	Oldest  Sort = "oldest"
)

// Sorts lists the orders.
func Sorts() []Sort { return []Sort{ByScore, Newest, Oldest} }

// SearchQuery says what Search looks for, and how much of it is wanted.
type SearchQuery struct {
	Selection
	Query    *Query
	Here     bool // sessions of the current folder's project count more
	OnlyHere bool // and no others count
	Sort     Sort // ByScore when empty
	Limit    int  // at most so many sessions, or records where Flat; 0 is no limit
	Flat     bool // every record stands for itself
	Whole    bool // records come with all that is known of them, and with their text
	Explain  bool // scores come with what they are made of
}

// enough is how many sessions a search should find before those do without that
// hold its words in several records only.
const enough = 10

// Found is a session that a search found, or in a flat answer one of its records. Of
// the session those fields are set that tell it apart and date it; unless Whole was
// asked for the others may be missing.
type Found struct {
	Session record.Session
	Hits    []Hit // best first; none where only the title speaks for the session
	Loose   bool  // no record holds all that was asked for, but all of them together do
	Score   float64
	Why     []Part
	Title   [][]int // what was looked for in the session's title

	group  *group
	newest time.Time // by which it is put in order
}

// Hit is a record that a search found.
type Hit struct {
	Record  *record.Record // without its text unless Whole was asked for
	Name    string         // a short handle, that Show takes
	Snippet Snippet
	Score   float64
	Why     []Part

	at *located
}

// SearchAnswer is how complete a search was, and what else there is to say.
type SearchAnswer struct {
	*record.Answer
	Sessions int              // that match, shown or not
	Loose    int              // sessions among the shown ones that match only with all their records
	Near     []Near           // spellings that are there, where nothing matches
	Titles   []record.Session // likewise: whose titles hold a part of what was asked for
}

// Search gives the sessions that a query asks for to visit, best first, until visit
// fails. What it counts as matches are records, and sessions that match by their
// title alone.
func (l *Library) Search(ctx context.Context, q SearchQuery, visit func(*Found) error) (*SearchAnswer, error) {
	if q.Query.Empty() {
		return nil, usagef("search needs something to look for")
	}
	q.Selection.Here = q.Selection.Here || q.OnlyHere
	if q.Here {
		if err := l.checkPlace(Selection{Here: true}); err != nil {
			return nil, err
		}
	}
	s, err := l.newScan(ctx, q.Selection, q.Query)
	if err != nil {
		return nil, err
	}
	s.scoreFew(q)
	c := newGatherer(s, q)
	if err := s.run(ctx, c.take); err != nil {
		return nil, err
	}
	all, matching, err := c.finish(ctx)
	if err != nil {
		return nil, err
	}
	ans := &SearchAnswer{Sessions: matching, Answer: &record.Answer{}}
	if q.Flat {
		all = flat(all, q.Sort)
	}
	if q.Limit > 0 && len(all) > q.Limit {
		all = all[:q.Limit]
	}
	if wanted := c.wanted(); ans.Sessions < wanted && !q.Flat {
		loose, err := c.loose(ctx)
		if err != nil {
			return nil, err
		}
		loose = loose[:min(len(loose), wanted-ans.Sessions)]
		ans.Loose = len(loose)
		all = append(all, loose...)
	}
	if s.tally.Answer().Matches == 0 {
		if ans.Titles, err = c.partlyTitled(ctx); err != nil {
			return nil, err
		}
		if ans.Near, err = s.nearSpellings(ctx); err != nil {
			return nil, err
		}
	}
	x := l.redaction()
	err = c.give(ctx, all, x, visit)
	x.sessions(ans.Titles)
	ans.Answer = x.answer(s.tally.Answer())
	return ans, err
}

// give hands what was found to visit, completed and redacted. What any record of the
// answer tells of a credential counts for all of it.
func (g *gatherer) give(ctx context.Context, all []*Found, x *redaction, visit func(*Found) error) error {
	had := make([]int, len(all))
	for i, f := range all {
		had[i] = len(f.Hits)
	}
	if err := g.again(ctx, all); err != nil {
		return err
	}
	for _, f := range all {
		for i := range f.Hits {
			x.learn(f.Hits[i].at.Note)
		}
	}
	if g.q.Whole {
		if err := errors.Join(g.name(ctx, all), g.listed(ctx, all)); err != nil {
			return err
		}
	}
	if g.q.Whole && g.q.Flat { // the records of one source do not stand together
		if err := g.fill(ctx, all...); err != nil {
			return err
		}
	}
	shown := make([]*group, len(all))
	for i, f := range all {
		shown[i] = f.group
	}
	if err := g.date(ctx, shown); err != nil {
		return err
	}
	for i, f := range all {
		all[i] = nil
		g.dress(ctx, f)
		if g.q.Whole && !g.q.Flat {
			if err := g.fill(ctx, f); err != nil {
				return err
			}
		}
		if had[i] > 0 && len(f.Hits) == 0 {
			continue // nothing of it could be read again
		}
		x.found(f)
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// wanted is how many sessions should at least be given.
func (g *gatherer) wanted() int {
	if g.q.Limit > 0 {
		return g.q.Limit
	}
	return enough
}

// flat takes sessions apart into their records.
func flat(sessions []*Found, by Sort) []*Found {
	var out []*Found
	for _, f := range sessions {
		if len(f.Hits) == 0 {
			out = append(out, f)
		}
		for _, h := range f.Hits {
			one := *f
			one.Hits, one.Score, one.Why, one.newest = []Hit{h}, h.Score, h.Why, h.Record.Time
			out = append(out, &one)
		}
	}
	sortFound(out, by)
	return out
}

// sortFound puts what was found in order.
func sortFound(all []*Found, by Sort) {
	for _, f := range all {
		if f.newest.IsZero() { // else it was sorted before, with the same records
			f.newest = newestOf(f.Hits)
		}
	}
	slices.SortStableFunc(all, func(a, b *Found) int {
		newer := b.when().Compare(a.when())
		switch by {
		case Newest:
			return cmp.Or(newer, cmp.Compare(b.Score, a.Score), strings.Compare(a.id(), b.id()))
		case Oldest:
			return cmp.Or(-newer, cmp.Compare(b.Score, a.Score), strings.Compare(a.id(), b.id()))
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), newer, strings.Compare(a.id(), b.id()))
	})
}

// newestOf gives the time of the newest of some records.
func newestOf(hits []Hit) (t time.Time) {
	for i := range hits {
		if at := hits[i].Record.Time; at.After(t) {
			t = at
		}
	}
	return t
}

// when is the time of the newest record, else when the session was last active.
func (f *Found) when() time.Time {
	if f.newest.IsZero() {
		return f.Session.LastActive
	}
	return f.newest
}

func (f *Found) id() string {
	if len(f.Hits) == 1 {
		return f.Session.Handle + " " + f.Hits[0].Record.Handle
	}
	return f.Session.Handle
}
