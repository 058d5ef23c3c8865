package seshat

import (
	"context"
	"errors"
	"sort"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// promptHistory is the role of the stores that log prompts.
const promptHistory = "prompt_history"

// remembered lists the sessions of which only a prompt log or an inventory is
// left.
func (l *Library) remembered(ctx context.Context, w *world, srcs []search.Source, tally *search.Tally) ([]record.Session, error) {
	byID := map[string]*record.Session{}
	err := l.logged(ctx, srcs, tally, func(r *record.Record) {
		if key := r.Agent + ":" + r.Session; r.Session != "" && !w.present(key) {
			if byID[key] == nil {
				byID[key] = &record.Session{
					Agent: r.Agent, ID: r.Session, Kind: record.KindInteractive, State: record.StatePromptsOnly,
					Started: r.Time, Origin: record.Origin{CWD: r.Origin.CWD}, Path: r.Path,
				}
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
		s.Project = project.Of(s.Origin.CWD)
		if l.excluded(s.Origin.CWD) {
			tally.Hidden().Excluded++
			continue
		}
		out = append(out, *s)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Handle < out[j].Handle })
	return out, nil
}

// present reports whether anything of a session's transcripts is on disk.
func (w *world) present(key string) bool { return w.shared[key] > 0 || w.alive[key] }

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

// logged gives the records of the prompt logs among srcs to visit.
func (l *Library) logged(ctx context.Context, srcs []search.Source, tally *search.Tally, visit func(*record.Record)) error {
	var logs []search.Source
	for _, s := range srcs {
		if s.Store.Role == promptHistory {
			logs = append(logs, s)
		}
	}
	keep := func(r *record.Record) (search.Hit, bool) { return search.Hit{Record: r}, true }
	return search.Each(ctx, logs, l.opts.Workers, agent.Plan{}, tally, keep, func(_ search.Source, h search.Hit) error {
		visit(h.Record)
		return nil
	})
}

// showRemembered shows the prompts of a session of which nothing else is left.
// notFound is given back where no prompt log has one either.
func (l *Library) showRemembered(ctx context.Context, w *world, q ShowQuery, notFound error) (*Shown, *record.Answer, error) {
	h, err := l.parseHandle(q.Handle)
	if err != nil || h.path != "" {
		return nil, nil, errors.Join(err, notFound)
	}
	tally := &search.Tally{}
	bySession := map[string][]*record.Record{}
	err = l.logged(ctx, w.sources, tally, func(r *record.Record) {
		fits := r.Session == h.id || len(h.id) >= minPrefix && strings.HasPrefix(r.Session, h.id)
		if fits && (h.agent == "" || h.agent == r.Agent) {
			bySession[r.Session] = append(bySession[r.Session], r)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if len(bySession) > 1 {
		e := &AmbiguousError{Handle: h.text}
		for id, recs := range bySession {
			e.Candidates = append(e.Candidates, Candidate{Handle: recs[0].Agent + ":" + id, Path: recs[0].Path})
		}
		sort.Slice(e.Candidates, func(i, j int) bool { return e.Candidates[i].Handle < e.Candidates[j].Handle })
		return nil, nil, e
	}
	if len(bySession) == 0 {
		return l.showIndexed(ctx, w, h, notFound)
	}
	for id, recs := range bySession {
		s := record.Session{Agent: recs[0].Agent, ID: id, Handle: recs[0].Agent + ":" + id, Kind: record.KindInteractive, State: record.StatePromptsOnly, Started: recs[0].Time, Path: recs[0].Path}
		s.Origin.CWD = recs[0].Origin.CWD
		s.Project = project.Of(s.Origin.CWD)
		for _, r := range recs {
			addPrompt(&s, r)
			for _, src := range w.sources {
				if src.Path == r.Path {
					w.nameRecord(src, r, false)
				}
			}
		}
		tally.Match(len(recs))
		return &Shown{Session: s, Records: recs}, tally.Answer(), nil
	}
	return nil, nil, notFound
}

// showIndexed shows a session that only an inventory remembers: it has no records.
func (l *Library) showIndexed(ctx context.Context, w *world, h wanted, notFound error) (*Shown, *record.Answer, error) {
	tally := &search.Tally{}
	known, err := l.remembered(ctx, w, nil, tally)
	if err != nil {
		return nil, nil, err
	}
	var found []record.Session
	for _, s := range known {
		fits := s.ID == h.id || len(h.id) >= minPrefix && strings.HasPrefix(s.ID, h.id)
		if fits && (h.agent == "" || h.agent == s.Agent) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil, notFound
	case 1:
		tally.Match(1)
		return &Shown{Session: found[0]}, tally.Answer(), nil
	}
	e := &AmbiguousError{Handle: h.text}
	for _, s := range found {
		e.Candidates = append(e.Candidates, Candidate{Handle: s.Handle, Path: s.Path})
	}
	return nil, nil, e
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
