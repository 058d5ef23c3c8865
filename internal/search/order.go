package search

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
)

// Source is a source with the adapter that reads it.
type Source struct {
	*agent.Source
	Adapter agent.Adapter

	// Barren says that nothing in it passes the byte test by which it was put in order.
	Barren bool
}

// Looks is how sources are looked at to put them in order. What is nil asks the
// source's adapter.
type Looks struct {
	// Known gives the head of a source where no look is needed.
	Known func(Source) (agent.Head, bool)
	// Head and IDs look as those of an adapter do.
	Head func(context.Context, Source) (agent.Head, error)
	IDs  func(context.Context, Source) ([]agent.Identified, error)
}

// Sequence is sources in order with what their heads tell.
type Sequence struct {
	Sources []Source
	Heads   map[*agent.Source]agent.Head
}

// headed is a source with what its head tells.
type headed struct {
	Source
	head agent.Head
}

// family is the sources of one session, in order.
type family struct {
	members []headed
	ids     []agent.Identified // of the first member; read only to settle a tie
	has     map[string]bool
}

func (f *family) first() headed   { return f.members[0] }
func (f *family) time() time.Time { return f.members[0].head.Time }

// Order puts sources in the order of every answer, asking their adapters.
func Order(ctx context.Context, srcs []Source, workers int, test agent.ByteTest) (Sequence, error) {
	return Looks{}.Order(ctx, srcs, workers, test)
}

// Order puts sources in the order of every answer: sessions by the first time in
// the transcript's head, oldest first, and inside a session the transcript, then
// its subagents by first time and path. Sessions with one time are told apart as
// copies of each other are. Sources that belong to no session follow by path.
// Where a source tells no time, its file's counts.
//
// With a byte test only sources matter in which something passes: sessions with one
// time are told apart only where that may change an answer.
func (k Looks) Order(ctx context.Context, srcs []Source, workers int, test agent.ByteTest) (Sequence, error) {
	var loose []Source
	inSession := make([]Source, 0, len(srcs))
	for _, s := range srcs {
		if s.Family == "" {
			loose = append(loose, s)
		} else {
			inSession = append(inSession, s)
		}
	}
	seq := Sequence{Sources: make([]Source, 0, len(srcs)), Heads: make(map[*agent.Source]agent.Head, len(srcs))}
	families, err := k.families(ctx, inSession, workers, test)
	if err != nil {
		return seq, err
	}
	for _, f := range families {
		for _, m := range f.members {
			seq.Sources = append(seq.Sources, m.Source)
			seq.Heads[m.Source.Source] = m.head
		}
	}
	slices.SortFunc(loose, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	seq.Sources = append(seq.Sources, loose...)
	return seq, nil
}

func (k Looks) families(ctx context.Context, srcs []Source, workers int, test agent.ByteTest) ([]*family, error) {
	heads, err := k.heads(ctx, srcs, workers)
	if err != nil {
		return nil, err
	}
	all := inOrder(heads)
	var tied []*family
	groups := ties(all)
	if groups, err = relevant(ctx, groups, workers, test); err != nil {
		return nil, err
	}
	for _, g := range groups {
		tied = append(tied, g...)
	}
	if err := Ordered(ctx, tied, workers, k.readIDs, func(*family, struct{}) error { return nil }); err != nil {
		return nil, err
	}
	for _, g := range groups {
		settleTie(g)
	}
	return all, ctx.Err()
}

// inOrder puts sources together by session, and sessions in order as far as times and
// paths tell it.
func inOrder(heads []headed) []*family {
	byName := make(map[string]*family, len(heads))
	room := make([]family, len(heads)) // one allocation for all
	all := make([]*family, 0, len(heads))
	for i, h := range heads {
		f := byName[h.Family]
		if f == nil {
			f = &room[len(all)]
			f.members = heads[i : i+1 : i+1] // most have no more
			byName[h.Family] = f
			all = append(all, f)
			continue
		}
		f.members = append(f.members, h)
	}
	for _, f := range all {
		f.arrange()
	}
	slices.SortStableFunc(all, func(f, g *family) int {
		a, b := &f.members[0], &g.members[0]
		if c := a.head.Time.Compare(b.head.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return all
}

// heads gives the sources with what their heads tell, in their order. Where that
// is known nothing is read.
func (k Looks) heads(ctx context.Context, srcs []Source, workers int) ([]headed, error) {
	all := make([]headed, len(srcs))
	var unknown []int
	for i, s := range srcs {
		all[i].Source = s
		known := false
		if k.Known != nil && s.Problem == "" {
			all[i].head, known = k.Known(s)
		}
		if !known {
			unknown = append(unknown, i)
		}
	}
	read := func(ctx context.Context, i int, emit func(agent.Head) error) error {
		return emit(k.readHead(ctx, srcs[i]))
	}
	err := Ordered(ctx, unknown, workers, read, func(i int, h agent.Head) error {
		all[i].head = h
		return nil
	})
	for i := range all {
		all[i].head.Time = began(all[i].Source, all[i].head)
	}
	return all, err
}

// readHead never fails: a source whose head cannot be read is placed by its
// file's time, and says what is wrong when it is read.
func (k Looks) readHead(ctx context.Context, s Source) (h agent.Head) {
	switch {
	case s.Problem != "":
	case k.Head != nil:
		h, _ = k.Head(ctx, s)
	default:
		h, _ = s.Adapter.Head(ctx, s.Source)
	}
	return h
}

func (f *family) arrange() {
	if len(f.members) < 2 {
		return
	}
	slices.SortStableFunc(f.members, func(a, b headed) int {
		switch {
		case Before(a.Source, a.head, b.Source, b.head):
			return -1
		case Before(b.Source, b.head, a.Source, a.head):
			return 1
		}
		return 0
	})
}

// Before reports whether one source of a session comes before another, from what
// their heads tell.
func Before(a Source, ah agent.Head, b Source, bh agent.Head) bool {
	if at, bt := a.Transcript(), b.Transcript(); at != bt {
		return at
	}
	if a.Rank != b.Rank {
		return a.Rank < b.Rank
	}
	if at, bt := began(a, ah), began(b, bh); !at.Equal(bt) {
		return at.Before(bt)
	}
	return a.Path < b.Path
}

// began is the time that a source is placed by.
func began(s Source, h agent.Head) time.Time {
	if h.Time.IsZero() {
		return s.Info.MTime
	}
	return h.Time
}

// ties gives the runs of sessions that begin at one time.
func ties(all []*family) [][]*family {
	var groups [][]*family
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && all[n].time().Equal(all[i].time()) {
			n++
		}
		if n > i+1 {
			groups = append(groups, all[i:n])
		}
		i = n
	}
	return groups
}

// relevant gives the groups of which several sessions hold something that passes a
// byte test; without one all of them.
func relevant(ctx context.Context, groups [][]*family, workers int, test agent.ByteTest) ([][]*family, error) {
	if test == nil {
		return groups, nil
	}
	var out [][]*family
	look := func(ctx context.Context, g []*family, emit func(bool) error) error {
		holding := 0
		for _, f := range g {
			if holding < 2 && f.holds(ctx, test) {
				holding++
			}
		}
		return emit(holding > 1)
	}
	err := Ordered(ctx, groups, workers, look, func(g []*family, several bool) error {
		if several {
			out = append(out, g)
		}
		return nil
	})
	return out, err
}

// holds reports whether something in a session's sources passes a byte test, and notes
// which were read in vain. What cannot be read may.
func (f *family) holds(ctx context.Context, test agent.ByteTest) bool {
	for i := range f.members {
		m := &f.members[i]
		if mayHold(ctx, m.Source, test) {
			return true
		}
		m.Barren = true
	}
	return false
}

func mayHold(ctx context.Context, s Source, test agent.ByteTest) bool {
	f, err := s.Open()
	if err != nil {
		return true
	}
	defer f.Close()
	text := lines.NewChunks(f, f.Info().Size)
	defer text.Close()
	any, err := text.Holds(ctx, agent.Loose(test).Next)
	return any || err != nil
}

// settleTie puts sessions that begin at one time in order: forks and resumed
// copies keep the times of what they copied. The families are in the order of
// their paths and are inserted one by one, since what follows is no total order.
func settleTie(tied []*family) {
	for i := 1; i < len(tied); i++ {
		for j := i; j > 0 && tied[j].precedes(tied[j-1]); j-- {
			tied[j], tied[j-1] = tied[j-1], tied[j]
		}
	}
}

// readIDs never fails: a transcript that cannot be read has no ids, and says what
// is wrong when it is read.
func (k Looks) readIDs(ctx context.Context, f *family, emit func(struct{}) error) error {
	f.has = map[string]bool{}
	s := f.first()
	if s.Problem != "" {
		return emit(struct{}{})
	}
	if k.IDs != nil {
		f.ids, _ = k.IDs(ctx, s.Source)
	} else {
		f.ids, _ = s.Adapter.IDs(ctx, s.Source.Source)
	}
	for _, r := range f.ids {
		f.has[r.ID] = true
	}
	return emit(struct{}{})
}

// precedes reports whether a session comes before another that begins at the same
// time: one that no background process stamped, then one whose records all stand
// in the other, then the one whose first record that the other lacks is earlier.
func (f *family) precedes(g *family) bool {
	if a, b := f.first().head.Background, g.first().head.Background; a != b {
		return b
	}
	mine, fOnly := f.lacking(g)
	theirs, gOnly := g.lacking(f)
	switch {
	case !fOnly || !gOnly:
		return !fOnly && gOnly && len(f.ids) > 0
	case !mine.Equal(theirs):
		return mine.Before(theirs)
	}
	return false
}

// lacking gives the time of the first record that g lacks; any is false when it
// lacks none.
func (f *family) lacking(g *family) (first time.Time, any bool) {
	for _, r := range f.ids {
		if !g.has[r.ID] {
			return r.Time, true
		}
	}
	return time.Time{}, false
}
