package seshat

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// ShowQuery says what is wanted of a session.
type ShowQuery struct {
	Handle  string
	Kinds   []record.Kind // only these; all when empty
	Context int           // records before and after, where the handle names a line or a record
}

// Shown is a session, or a part of one.
type Shown struct {
	Session   record.Session
	Subagents []record.SubagentRef // started by the session, in order
	Records   []*record.Record
	Part      bool // only the records around the one that was named
}

// Show gives the session that a handle names, or the records around a line or
// record of it.
func (l *Library) Show(ctx context.Context, q ShowQuery) (*Shown, *record.Answer, error) {
	w, err := l.discover(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	t, err := l.resolve(ctx, w, q.Handle)
	if err != nil {
		return nil, nil, err
	}
	tally := &search.Tally{}
	out := &Shown{Part: t.line > 0}
	sum, err := t.source.Adapter.Summarize(ctx, t.source.Source)
	if err != nil {
		tally.Failed(t.source.Source, err)
		return out, tally.Answer(), nil
	}
	out.Session = sum.Session
	out.Session.Handle = w.sessionHandle(t.source.Source)
	out.Session.Project = project.Of(sum.Session.Origin.CWD)
	all, err := l.readAll(ctx, w, t.source, q.Kinds, tally)
	if err != nil {
		return nil, nil, err
	}
	if out.Records = all; out.Part {
		out.Records = around(all, t.line, q.Context)
	}
	if t.source.Transcript() {
		if out.Subagents, err = l.subagents(ctx, w, t.source); err != nil {
			return nil, nil, err
		}
		out.Session.Subagents = len(out.Subagents)
	}
	tally.Match(len(out.Records))
	return out, tally.Answer(), nil
}

func (l *Library) readAll(ctx context.Context, w *world, s search.Source, kinds []record.Kind, tally *search.Tally) ([]*record.Record, error) {
	var all []*record.Record
	q := Selection{Scope: record.ScopeAll, Kinds: kinds}
	err := search.Each(ctx, []search.Source{s}, 1, agent.Plan{Titles: true}, tally, keepKinds(q),
		func(s search.Source, r search.Record) error {
			w.nameRecord(s, r.Record)
			all = append(all, r.Record)
			return nil
		})
	return all, err
}

// around gives the records of a line, or where it has none of the next line that
// has, with n records before and after.
func around(all []*record.Record, line, n int) []*record.Record {
	from := 0
	for from < len(all) && all[from].Line < line {
		from++
	}
	if from == len(all) {
		return nil
	}
	to := from + 1
	for to < len(all) && all[to].Line == all[from].Line {
		to++
	}
	return all[max(0, from-n):min(len(all), to+n)]
}

// subagents lists the subagents whose transcripts belong to a session's.
func (l *Library) subagents(ctx context.Context, w *world, of search.Source) ([]record.SubagentRef, error) {
	var srcs []search.Source
	for _, s := range w.sources {
		if s.Family == of.Family && s.Subagent != "" {
			srcs = append(srcs, s)
		}
	}
	srcs, err := l.order(ctx, srcs, &search.Tally{})
	if err != nil {
		return nil, err
	}
	var refs []record.SubagentRef
	for _, s := range srcs {
		ref := record.SubagentRef{ID: s.Subagent}
		for item, err := range s.Adapter.Read(ctx, s.Source, agent.Plan{}) {
			if err != nil {
				break
			}
			if item.Record != nil {
				if item.Record.Subagent != nil {
					ref = *item.Record.Subagent
				}
				break
			}
		}
		refs = append(refs, ref)
	}
	return refs, nil
}
