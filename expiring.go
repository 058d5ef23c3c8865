package seshat

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/retention"
	"github.com/seshat-dev/seshat/record"
)

// ExpiringQuery says which losses are asked for.
type ExpiringQuery struct {
	Until    time.Time // what may go until then; all that may ever go when zero
	Here     bool      // of the project of the current folder
	Projects []string  // of one of these projects: names or paths, globs allowed
}

// Loss is what one session loses, or what is lost together of no session.
type Loss = retention.Loss

// LossTotal is what one project loses.
type LossTotal = retention.Total

// SettingsEdit is a change of an agent's settings that keeps more. seshat makes
// none itself.
type SettingsEdit = agent.Edit

// Expiring is what the clean-ups of agents will delete.
type Expiring struct {
	Losses []*Loss        // the first to go first
	Totals []*LossTotal   // by project
	Edits  []SettingsEdit // that keep more of the agents which delete something
	Unseen []string       // what can move the dates and is on no disk

	holdings *holdings
}

// Held tells how far what a loss takes is archived.
func (e *Expiring) Held(loss *Loss) Held { return e.holdings.ofLoss(loss) }

// Expiring tells what the agents' own clean-ups will delete until a moment, when
// and why. An answer that lacks the settings of some folder is not complete. What
// only bears on how to read it is among its warnings.
func (l *Library) Expiring(ctx context.Context, q ExpiringQuery) (*Expiring, *record.Answer, error) {
	sq := SessionQuery{All: true, Here: q.Here, Projects: q.Projects, wide: true}
	w, list, tally, err := l.list(ctx, sq)
	if err != nil {
		return nil, nil, err
	}
	told, err := l.retentions(ctx, w, nil)
	if err != nil {
		return nil, nil, err
	}
	out := &Expiring{}
	var notes []agent.Problem
	if out.holdings, err = l.holdings(ctx); err != nil {
		// The dates are what is asked for; what is archived only stands beside them.
		notes = append(notes, agent.Problem{Reason: "it is not known what is archived: " + agent.Reason(err)})
		out.holdings = &holdings{}
	}
	var fates []agent.Fate
	for _, r := range told {
		for _, p := range r.Problems {
			tally.Problem(p)
		}
		notes = append(notes, r.Notes...)
		fates = append(fates, r.Fates...)
		out.Unseen = append(out.Unseen, r.Unseen...)
	}
	if !q.Until.IsZero() {
		fates = retention.Within(fates, q.Until)
	}
	out.Losses = l.losses(w, sq.selection(), list, retention.Group(fates))
	hurt := map[string]bool{}
	for _, loss := range out.Losses {
		tally.Match(len(loss.Fates))
		hurt[loss.Agent] = true
	}
	for i, r := range told {
		if hurt[l.adapters[i].Name()] {
			out.Edits = append(out.Edits, r.Edits...)
		}
	}
	ans := tally.Answer()
	ans.Complete = ans.Sources.Failed == 0 // what a damaged line says moves no date
	ans.Warnings = slices.DeleteFunc(ans.Warnings, func(w record.Warning) bool { return w.Line > 0 })
	for _, p := range notes {
		ans.Warnings = append(ans.Warnings, record.Warning{Path: p.Path, Reason: p.Reason})
	}
	for _, what := range out.Unseen {
		ans.Warnings = append(ans.Warnings, record.Warning{Reason: what + " cannot be seen here; they can make a date earlier or later"})
	}
	x := l.redaction()
	x.expiring(out)
	out.Totals = retention.Totals(out.Losses)
	return out, x.answer(ans), nil
}

// losses gives losses their sessions and projects, and leaves out those of sessions
// that are not asked for.
func (l *Library) losses(w *world, sel Selection, list []*listed, all []*Loss) []*Loss {
	byFamily := make(map[retention.Key]*listed, len(list))
	for _, s := range list {
		if s.family != "" {
			byFamily[retention.Key{Agent: s.Agent, Family: s.family}] = s
		}
	}
	wanted := w.places.wanted(sel)
	chosen := sel.byProject() || len(l.config.Exclude) > 0
	var out []*Loss
	for _, loss := range all {
		s := byFamily[retention.Key{Agent: loss.Agent, Family: loss.Family}]
		switch {
		case loss.Family != "" && s != nil:
			loss.Session, loss.Project = &s.Session, s.Project
		case loss.Family != "" && chosen:
			continue
		default:
			f := w.places.Of(record.Origin{CWD: loss.Fates[0].Where})
			if sel.byProject() && (f.Key == "" || !wanted(f)) || f.Key != "" && l.excluded(f, loss.Fates[0].Where) {
				continue
			}
			loss.Project = f.Project
		}
		out = append(out, loss)
	}
	return out
}

// retentions asks the chosen agents, in their order, what their clean-ups will do
// with the sources that are wanted; nil wants all.
func (l *Library) retentions(ctx context.Context, w *world, wanted func(*agent.Source) bool) ([]agent.Retention, error) {
	briefs := sync.OnceValue(w.memory.bySource)
	q := agent.Cleaning{Folders: w.places.known(ctx), Wanted: wanted, Brief: func(src *agent.Source) *agent.Brief { return briefs()[src] }}
	var out []agent.Retention
	for _, a := range l.adapters {
		q.Sources = w.deletable(a.Name())
		r, err := a.Retention(ctx, l.env(a.Name()), q)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// deletable gives the sources of one agent that its clean-up can reach: what lies on the
// disk in a folder that it keeps data in.
func (w *world) deletable(name string) (out []*agent.Source) {
	for _, s := range w.sources {
		if s.Agent == name && !s.Info.Archived && !w.apart[s.Source] {
			out = append(out, s.Source)
		}
	}
	return out
}

// date tells of listed sessions when their agents will delete them. Settings that
// cannot be read are said by Expiring, not here.
func (l *Library) date(ctx context.Context, w *world, list []*listed) error {
	asked := make(map[retention.Key]bool, len(list))
	for _, s := range list {
		asked[retention.Key{Agent: s.Agent, Family: s.family}] = s.family != ""
	}
	told, err := l.retentions(ctx, w, func(src *agent.Source) bool { return asked[retention.Key{Agent: src.Agent, Family: src.Family}] })
	if err != nil {
		return err
	}
	fates := make([][]agent.Fate, len(told))
	for i, r := range told {
		fates[i] = r.Fates
	}
	expires := retention.Sessions(fates...)
	for _, s := range list {
		s.Expires = expires[retention.Key{Agent: s.Agent, Family: s.family}]
	}
	return nil
}

// lossJSON is a seshat.expiring/1 object: one source that goes. Expires is the date
// to go by; Earliest and Latest are the range that it lies in, open where nothing
// bounds it. Source is the settings file that decides, and Keep what to put where.
type lossJSON struct {
	Schema   string         `json:"schema"`
	Agent    string         `json:"agent"`
	Session  string         `json:"session,omitempty"`
	Handle   string         `json:"handle,omitempty"`
	Path     string         `json:"path"`
	Store    string         `json:"store"`
	Expires  record.Stamp   `json:"expires"`
	Earliest record.Stamp   `json:"earliest"`
	Latest   record.Stamp   `json:"latest,omitzero"`
	Reason   string         `json:"reason"`
	Source   string         `json:"source,omitempty"`
	Setting  string         `json:"setting,omitempty"`
	Keep     *keepJSON      `json:"keep,omitempty"`
	StartIn  string         `json:"start_in,omitempty"`
	Event    string         `json:"event,omitempty"`
	Project  record.Project `json:"project,omitzero"`
	Title    string         `json:"title,omitempty"`
	Bytes    int64          `json:"bytes"`
	Archived Held           `json:"archived,omitempty"`
}

type keepJSON struct {
	Path string          `json:"path"`
	JSON json.RawMessage `json:"json"`
}

// LossJSON gives the values that encoding/json writes as seshat.expiring/1 objects,
// one for each source of a loss.
func (e *Expiring) LossJSON(loss *Loss, h record.Home) []any {
	var out []any
	for _, f := range loss.Fates {
		o := lossJSON{
			Schema: record.ExpiringSchema, Agent: loss.Agent, Session: f.Session, Path: h.Short(f.Source.Path), Store: f.Source.Store.ID, Bytes: f.Source.Info.Size,
			Expires: record.Stamp(f.Earliest), Earliest: record.Stamp(f.Earliest), Latest: record.Stamp(f.Latest),
			Reason: f.Reason, Setting: f.Rule.Setting, Source: h.Short(f.Rule.Path), StartIn: h.Short(f.Where), Event: f.Event, Project: loss.Project,
			Archived: e.holdings.of(f.Source),
		}
		o.Project.Root, o.Project.Worktree = h.Short(o.Project.Root), h.Short(o.Project.Worktree)
		if s := loss.Session; s != nil {
			o.Session, o.Handle, o.Title = s.ID, s.Handle, s.Title
		}
		if f.Keep != nil {
			o.Keep = &keepJSON{h.Short(f.Keep.Path), json.RawMessage(f.Keep.JSON)}
		}
		out = append(out, o)
	}
	return out
}
