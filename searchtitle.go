package seshat

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// titled reports whether titles alone can match.
func (g *gatherer) titled() bool {
	sel := g.s.sel
	return g.s.words != nil && len(sel.Kinds) == 0 && sel.Scope != record.ScopePrompts
}

// maybeTitled gives the sessions that may match by their titles alone. A title that only
// repeats the first prompt does not count: that prompt matches itself, unless it is a
// copy of one that does. Any other comes from the transcript or from a file beside it,
// so that only transcripts are asked in which the byte test saw something, or that have
// such a file.
func (g *gatherer) maybeTitled() []*group {
	if !g.titled() {
		return nil
	}
	var asked []*group
	for _, s := range g.s.srcs {
		if !inSession(s) || g.s.facts.lead[s.Family].Source != s.Source {
			continue
		}
		x := g.groups[s.Family]
		if x != nil && len(x.full) > 0 || !g.s.seen[s.Source].mentions && !besides(s) {
			continue
		}
		if x == nil {
			x = &group{family: s.Family, lead: s}
		}
		asked = append(asked, x)
	}
	return asked
}

// byTitle adds the sessions that match by their titles alone.
func (g *gatherer) byTitle(ctx context.Context, asked []*group) error {
	if !g.titled() {
		return nil
	}
	for _, x := range asked {
		if b := g.s.facts.session(ctx, x.lead); b.err == nil {
			g.entitled(x, g.sessionOf(ctx, x))
		}
	}
	return g.rememberedByTitle(ctx)
}

// besides reports whether there is a file beside a transcript that may give it its
// title.
func besides(s search.Source) bool {
	return slices.ContainsFunc(s.Adapter.Beside(s.Source), func(name string) bool {
		_, err := s.Root.Stat(name)
		return err == nil
	})
}

// entitled adds a session if its title matches.
func (g *gatherer) entitled(x *group, sess *listed) {
	sel := g.s.sel
	ran := len(sel.Branches) == 0 || slices.ContainsFunc(sel.Branches, func(want string) bool {
		return slices.ContainsFunc(sess.branches, func(b string) bool { return project.Matches(want, b) })
	})
	store := ""
	if x.lead.Source != nil {
		store = x.lead.Store.ID
	}
	if !ran || sess.TitleSource == record.TitlePrompt || g.s.plan.Eval(query.OfSession(&sess.Session, store)) != query.True {
		if g.inTitle(sess.Title) != 0 {
			g.titles = append(g.titles, &group{family: x.family, lead: x.lead, session: sess})
		}
		return
	}
	x.session = sess
	key := x.family
	if key == "" {
		key = sess.Handle
	}
	if g.groups[key] == nil {
		g.groups[key] = x
		g.order = append(g.order, x)
	}
	g.s.tally.Match(1)
}

// rememberedByTitle adds sessions of which only a prompt log or an inventory is left.
func (g *gatherer) rememberedByTitle(ctx context.Context) error {
	if len(g.s.sel.Stores) > 0 {
		return nil
	}
	var logs []search.Source
	for _, s := range g.s.srcs {
		if s.Store.Role == promptHistory && g.s.seen[s.Source].mentions {
			logs = append(logs, s)
		}
	}
	list, err := g.s.l.remembered(ctx, g.s.w, logs, &search.Tally{})
	if err != nil {
		return err
	}
	var all []listed
	for _, s := range list {
		all = append(all, g.s.w.places.listed(s))
	}
	if g.s.sel.byProject() {
		all = g.s.w.places.among(g.s.sel, all)
	}
	for i := range all {
		x := g.groups[all[i].Handle]
		if x != nil && len(x.full) > 0 {
			continue
		}
		if x == nil {
			x = &group{}
		}
		g.entitled(x, &all[i])
	}
	return nil
}

// maxTitles is how many titles are offered where nothing matches.
const maxTitles = 3

// partlyTitled gives the sessions whose titles hold most of what was asked for.
func (g *gatherer) partlyTitled(ctx context.Context) ([]record.Session, error) {
	if err := g.date(ctx, g.titles); err != nil {
		return nil, err
	}
	slices.SortStableFunc(g.titles, func(a, b *group) int {
		return cmp.Or(bits.OnesCount64(g.inTitle(b.session.Title))-bits.OnesCount64(g.inTitle(a.session.Title)),
			b.session.LastActive.Compare(a.session.LastActive), cmp.Compare(a.session.Handle, b.session.Handle))
	})
	var out []record.Session
	for _, x := range g.titles[:min(maxTitles, len(g.titles))] {
		out = append(out, x.session.Session)
	}
	return out, nil
}
