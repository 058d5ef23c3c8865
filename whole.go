package seshat

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// spot tells the records of a source apart, in whatever way it is read.
type spot struct {
	line int
	id   string
	kind record.Kind
	text uint64 // hash of the whole text
}

var spotSeed = maphash.MakeSeed()

func spotOf(r *record.Record) spot {
	return spot{r.Line, r.ID, r.Kind, maphash.String(spotSeed, r.Text)}
}

// errChanged says that a file is not any more what it was when it was searched.
var errChanged = errors.New("changed while it was searched; not all that was found in it could be read again")

// fill reads the records of what was found again, with all that is known of them.
// So a search holds the text of one session's records at a time.
func (g *gatherer) fill(ctx context.Context, all ...*Found) error {
	waiting := map[*agent.Source]map[spot]*Hit{}
	var srcs []search.Source
	for _, f := range all {
		for i := range f.Hits {
			h := &f.Hits[i]
			if waiting[h.at.src.Source] == nil {
				waiting[h.at.src.Source] = map[spot]*Hit{}
				srcs = append(srcs, h.at.src)
			}
			waiting[h.at.src.Source][h.at.spot] = h
		}
	}
	for _, src := range srcs {
		if err := g.fillFrom(ctx, src, waiting[src.Source]); err != nil {
			return err
		}
	}
	for _, f := range all {
		f.Hits = slices.DeleteFunc(f.Hits, func(h Hit) bool { return waiting[h.at.src.Source][h.at.spot] != nil })
	}
	return nil
}

// fillFrom reads the records of one source, and leaves those that are not there any
// more.
func (g *gatherer) fillFrom(ctx context.Context, src search.Source, left map[spot]*Hit) error {
	for item, err := range src.Adapter.Read(ctx, src.Source, agent.Plan{Titles: true, Candidate: g.s.test}) {
		if err != nil || len(left) == 0 {
			break
		}
		if item.Record == nil {
			continue
		}
		if at := spotOf(item.Record); left[at] != nil {
			g.complete(ctx, src, left[at], item.Record)
			delete(left, at)
		}
	}
	if ctx.Err() == nil && len(left) > 0 {
		g.s.tally.Failed(src.Source, errChanged)
	}
	return ctx.Err()
}

// complete puts a record that was read whole in the place of what was kept of it.
func (g *gatherer) complete(ctx context.Context, src search.Source, h *Hit, r *record.Record) {
	g.s.w.places.locate(ctx, src, r)
	r.Handle, r.Also = h.Record.Handle, h.Record.Also
	r.Flags |= h.Record.Flags & record.Copy
	g.s.l.redactText(r)
	r.Shorten()
	h.Record = r
}

// name gives records that will be printed whole the handles that every answer gives
// them: with a hash where an earlier source has a record of the same id. Which
// sources hold an id their briefs tell.
func (g *gatherer) name(ctx context.Context, all []*Found) error {
	named := map[string][]*located{} // by agent and id
	hashes := map[uint64]bool{}
	for _, f := range all {
		for i := range f.Hits {
			if at := f.Hits[i].at; at.Mark() != 0 && at.Record.Flags&record.Copy == 0 {
				key := at.Record.Agent + ":" + at.Record.ID
				named[key] = append(named[key], at)
				hashes[agent.IDHash(at.Record.ID)] = true
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	holders, err := g.holders(ctx, hashes)
	if err != nil {
		return err
	}
	first := map[string]string{} // the path of the first source with a record of that name
	keep := func(r *record.Record) (search.Hit, bool) {
		return search.Hit{Record: &record.Record{Agent: r.Agent, ID: r.ID}}, named[r.Agent+":"+r.ID] != nil && agent.MarkOf(r) != 0
	}
	err = search.Each(ctx, holders, g.s.l.opts.Workers, agent.Plan{}, &search.Tally{}, keep, func(s search.Source, h search.Hit) error {
		if key := h.Record.Agent + ":" + h.Record.ID; first[key] == "" {
			first[key] = s.Path
		}
		return nil
	})
	if err != nil {
		return err
	}
	for key, list := range named {
		for _, at := range list {
			g.s.w.nameRecord(at.src, at.Record, first[key] != "" && first[key] != at.src.Path)
		}
	}
	return nil
}

// holders gives the sources, in order, that hold an id which stands in another as
// well.
func (g *gatherer) holders(ctx context.Context, hashes map[uint64]bool) ([]search.Source, error) {
	var transcripts []search.Source
	for _, s := range g.s.srcs {
		if inSession(s) {
			transcripts = append(transcripts, s)
		}
	}
	if err := g.s.facts.load(ctx, transcripts); err != nil {
		return nil, err
	}
	places := map[uint64][]int{}
	for i, s := range g.s.srcs {
		for id := range g.s.facts.ids(ctx, s) {
			if at := places[id]; hashes[id] && (len(at) == 0 || at[len(at)-1] != i) {
				places[id] = append(at, i)
			}
		}
	}
	several := map[int]bool{}
	for _, at := range places {
		if len(at) > 1 {
			for _, i := range at {
				several[i] = true
			}
		}
	}
	var out []search.Source
	for i, s := range g.s.srcs {
		if several[i] || !inSession(s) && g.s.seen[s.Source].mentions && s.Store.Role != promptHistory {
			out = append(out, s)
		}
	}
	return out, nil
}

// listed puts in the place of the sessions that only their titles speak for what a
// list of sessions tells about them.
func (g *gatherer) listed(ctx context.Context, all []*Found) error {
	if !slices.ContainsFunc(all, func(f *Found) bool { return len(f.Hits) == 0 }) {
		return nil
	}
	list, _, err := g.s.l.sessions(ctx, SessionQuery{All: true})
	for i := range list {
		for _, f := range all {
			if len(f.Hits) == 0 && f.Session.Handle == list[i].Handle {
				f.Session = list[i]
			}
		}
	}
	return err
}
