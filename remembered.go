package seshat

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// promptHistory is the role of the stores that log prompts.
const promptHistory = "prompt_history"

// remembered lists the sessions of which only a prompt log or an inventory is
// left.
func (l *Library) remembered(ctx context.Context, w *world, srcs []search.Source, tally *search.Tally) ([]record.Session, error) {
	byID := map[string]*record.Session{}
	err := l.logged(ctx, srcs, tally, w.present, func(_ search.Source, r *record.Record) {
		if key := r.Agent + ":" + r.Session; r.Session != "" && !w.present(key) {
			if byID[key] == nil {
				s := promptsOnly(r)
				byID[key] = &s
			}
			addPrompt(byID[key], r)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, s := range w.sources {
		if s.Problem != "" || s.Store.Coverage == catalog.Private {
			continue
		}
		known, err := s.Adapter.Remember(ctx, s.Source)
		if err != nil {
			tally.Failed(s.Source, err)
		}
		for i := range known {
			if key := known[i].Agent + ":" + known[i].ID; !w.present(key) {
				complete(byID, key, &known[i])
			}
		}
	}
	var out []record.Session
	for _, s := range byID {
		s.Handle = s.Agent + ":" + s.ID
		if l.excluded(w.places.Of(s.Origin), s.Origin.CWD) {
			tally.Hidden().Excluded++
			continue
		}
		out = append(out, *s)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Handle < out[j].Handle })
	return out, nil
}

// present reports whether anything of a session's transcripts is on disk.
func (w *world) present(key string) bool { return w.shared[key] > 0 }

// complete puts what an inventory tells of a session beside what is known.
func complete(byID map[string]*record.Session, key string, s *record.Session) {
	old := byID[key]
	if old == nil {
		byID[key] = s
		return
	}
	if s.TitleSource == record.TitleSummary || s.TitleSource == record.TitleAI {
		old.Title, old.TitleSource = s.Title, s.TitleSource
	}
	if old.Origin.CWD == "" {
		old.Origin = s.Origin
	}
	if s.LastActive.After(old.LastActive) {
		old.LastActive = s.LastActive
	}
}

// logged gives the records of the prompt logs among srcs to visit. Those of sessions
// that skip reports, by agent and id, may be left out; it may be nil.
func (l *Library) logged(ctx context.Context, srcs []search.Source, tally *search.Tally, skip func(key string) bool, visit func(search.Source, *record.Record)) error {
	var logs []search.Source
	for _, s := range srcs {
		if s.Store.Role == promptHistory {
			logs = append(logs, s)
		}
	}
	keep := func(r *record.Record) (search.Hit, bool) { return search.Hit{Record: r}, true }
	for len(logs) > 0 {
		n := 1
		for n < len(logs) && logs[n].Store == logs[0].Store {
			n++
		}
		var plan agent.Plan
		if name := logs[0].Agent; skip != nil && logs[0].Store.Format == catalog.JSONL { // where an entry is a line
			plan.Candidate = agent.LineTest(search.Unwanted("sessionId", func(id string) bool { return skip(name + ":" + id) }))
		}
		err := search.Each(ctx, logs[:n], l.opts.Workers, plan, tally, keep, func(s search.Source, h search.Hit) error {
			visit(s, h.Record)
			return nil
		})
		if err != nil {
			return err
		}
		logs = logs[n:]
	}
	return nil
}

// showRemembered shows the prompts of a session of which nothing else is left.
// notFound is given back where no prompt log has one either.
func (l *Library) showRemembered(ctx context.Context, w *world, q ShowQuery, x *redaction, notFound error) (*Shown, *record.Answer, error) {
	h, err := l.parseHandle(q.Handle)
	if err != nil || h.path != "" {
		return nil, nil, errors.Join(err, notFound)
	}
	tally := &search.Tally{}
	logs := map[string]*Shown{} // by agent and session
	wanted := Selection{Scope: record.ScopeAll, Kinds: q.Kinds}
	err = l.logged(ctx, w.sources, tally, nil, func(s search.Source, r *record.Record) {
		if !h.names(r.Agent, r.Session) {
			return
		}
		key := r.Agent + ":" + r.Session
		if logs[key] == nil {
			logs[key] = &Shown{Session: promptsOnly(r)}
		}
		addPrompt(&logs[key].Session, r)
		if wanted.wants(r.Kind) {
			w.nameRecord(s, r, false)
			x.learn(l.redactText(r))
			logs[key].Records = append(logs[key].Records, r)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	var found []record.Session
	for _, shown := range logs {
		found = append(found, shown.Session)
	}
	if len(found) == 0 { // an inventory may remember it, without any record
		if found, err = l.remembered(ctx, w, nil, tally); err != nil {
			return nil, nil, err
		}
	}
	s, err := h.among(found)
	switch {
	case err != nil:
		return nil, nil, err
	case s == nil:
		return nil, nil, notFound
	}
	shown := logs[s.Handle]
	if shown == nil {
		shown = &Shown{Session: *s}
		tally.Match(1)
	}
	shown.Session = w.places.listed(shown.Session).Session
	for _, r := range shown.Records {
		w.places.complete(&r.Origin)
	}
	tally.Match(len(shown.Records))
	return shown, tally.Answer(), nil
}

// names reports whether a session is the wanted one, or one whose id begins like it.
func (h wanted) names(agent, id string) bool {
	return (h.agent == "" || h.agent == agent) && (id == h.id || len(h.id) >= minPrefix && strings.HasPrefix(id, h.id))
}

// among gives the wanted one of some sessions, or nil. A whole id goes before the
// beginning of others.
func (h wanted) among(list []record.Session) (*record.Session, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(s record.Session) bool { return !h.names(s.Agent, s.ID) })
	if whole := slices.DeleteFunc(slices.Clone(list), func(s record.Session) bool { return s.ID != h.id }); len(whole) > 0 {
		list = whole
	}
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return &list[0], nil
	}
	e := &AmbiguousError{Handle: h.text}
	for _, s := range list {
		e.Candidates = append(e.Candidates, Candidate{Handle: s.Handle, Path: s.Path})
	}
	sort.Slice(e.Candidates, func(i, j int) bool { return e.Candidates[i].Handle < e.Candidates[j].Handle })
	return nil, e
}

// promptsOnly is the session of a prompt log's record.
func promptsOnly(r *record.Record) record.Session {
	return record.Session{
		Agent: r.Agent, ID: r.Session, Handle: r.Agent + ":" + r.Session, Kind: record.KindInteractive, State: record.StatePromptsOnly,
		Started: r.Time, Origin: r.Origin, Path: r.Path,
	}
}

// addPrompt counts a prompt of a log towards its session.
func addPrompt(s *record.Session, r *record.Record) {
	s.Counts.Add(r.Kind)
	if r.Time.After(s.LastActive) {
		s.LastActive = r.Time
	}
	if r.Time.Before(s.Started) {
		s.Started = r.Time
	}
	if s.Title == "" && r.Kind == record.Prompt {
		s.Title, s.TitleSource = record.FirstWords(r.Text), record.TitlePrompt
	}
}
