package seshat

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// facts knows of sources and sessions what fields ask about them, as far as the
// question at hand needs it. What costs a look into a file is found out when it is
// asked for, once. It may be used from many goroutines.
type facts struct {
	l       *Library
	w       *world
	titles  bool // titles are known before a source is read
	project bool
	prs     bool
	lead    map[string]search.Source // the transcript that stands for each family
	home    map[string]string        // the family of each session of which there is one, by agent and id
	briefs  once[*agent.Source, told]
}

// told is the brief of a source, or why there is none.
type told struct {
	agent.Brief
	err error
}

func (l *Library) newFacts(ctx context.Context, w *world, x *question) (*facts, error) {
	f := &facts{l: l, w: w, titles: x.uses("title"), project: x.uses("project"), prs: x.uses("pr"), lead: map[string]search.Source{}, home: map[string]string{}}
	for _, s := range w.sources {
		if s.Family == "" || !inSession(s) {
			continue
		}
		if old, known := f.lead[s.Family]; !known || s.Transcript() && (!old.Transcript() || s.Rank < old.Rank) || !old.Transcript() && !s.Transcript() && s.Path < old.Path {
			f.lead[s.Family] = s
		}
		key := s.Agent + ":" + s.Session
		if w.shared[key] <= 1 {
			f.home[key] = s.Family
		}
	}
	if f.project && w.places.families == nil {
		w.places.begun(ctx)
	}
	if f.titles || f.prs {
		return f, f.readAhead(ctx, f.titles)
	}
	return f, ctx.Err()
}

// readAhead reads briefs on all cores: of every transcript, or of those that stand
// for a session.
func (f *facts) readAhead(ctx context.Context, all bool) error {
	var srcs []search.Source
	for _, s := range f.w.sources {
		if inSession(s) && (all || f.lead[s.Family].Source == s.Source) {
			srcs = append(srcs, s)
		}
	}
	return f.load(ctx, srcs)
}

// load reads the briefs of some sources on all cores.
func (f *facts) load(ctx context.Context, srcs []search.Source) error {
	work := func(ctx context.Context, s search.Source, emit func(struct{}) error) error {
		f.brief(ctx, s)
		return emit(struct{}{})
	}
	return search.Ordered(ctx, srcs, f.l.opts.Workers, work, func(search.Source, struct{}) error { return nil })
}

// brief gives what the transcript of a session or of a subagent tells about it.
func (f *facts) brief(ctx context.Context, s search.Source) told {
	return f.briefs.get(s.Source, func() told {
		if e := f.w.memory.believed(s); e != nil && e.Brief != nil {
			return told{Brief: *e.Brief}
		}
		if s.Problem != "" {
			return told{}
		}
		b, err := s.Adapter.Brief(ctx, s.Source)
		f.w.memory.note(search.Told{Source: s, Brief: &b, Err: cmp.Or(err, f.w.kept.hurtBy(s.Source))})
		return told{b, err}
	})
}

// ids gives what stands for the ids of a transcript's records.
func (f *facts) ids(ctx context.Context, s search.Source) iter.Seq[uint64] {
	if !inSession(s) {
		return func(func(uint64) bool) {}
	}
	if e := f.w.memory.believed(s); e != nil && e.Brief != nil {
		return e.IDs
	}
	return slices.Values(f.brief(ctx, s).IDs)
}

// title gives the title of a transcript.
func (f *facts) title(ctx context.Context, s search.Source) string {
	if !inSession(s) {
		return ""
	}
	return f.brief(ctx, s).Session.Title
}

// source gives what is known of all records of a source.
func (f *facts) source(s search.Source) *query.Subject {
	out := &query.Subject{Known: query.KnowsSource, Agent: s.Agent, Store: s.Store.ID, Path: s.Path}
	if !inSession(s) {
		return out
	}
	out.Known |= query.KnowsSession | query.KnowsState
	out.SessionID, out.State = s.Session, f.w.state(s.Family, record.StateLive)
	f.aboutSession(out, s.Family)
	if f.titles {
		out.Known |= query.KnowsTitle
		out.Title = f.title(context.Background(), s)
	}
	return out
}

// aboutSession fills in what a question asks of a session.
func (f *facts) aboutSession(out *query.Subject, family string) {
	if f.project {
		out.Known |= query.KnowsProject
		out.Project = f.w.places.families[family].Project
	}
	if f.prs {
		out.Known |= query.KnowsPRs
		out.PRs = nil
		if lead, ok := f.lead[family]; ok {
			out.PRs = f.brief(context.Background(), lead).Session.PRs
		}
	}
}

// ofRecord fills in what is known of a record when it is there. titled says that it
// brings its title.
func (f *facts) ofRecord(out *query.Subject, s search.Source, r *record.Record, titled bool) {
	if titled {
		out.Known |= query.KnowsTitle
		out.Title = r.Title
	}
	if inSession(s) {
		return
	}
	out.Known |= query.KnowsState | query.KnowsSession
	key := r.Agent + ":" + r.Session
	out.State = f.w.state(f.home[key], record.StateLive)
	if s.Store.Role == promptHistory && r.Session != "" && !f.w.present(key) {
		out.State = record.StatePromptsOnly
	}
	f.aboutSession(out, f.home[key])
	if f.project {
		out.Project = f.w.places.around(s, r.Origin).Project
	}
}
