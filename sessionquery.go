package seshat

import (
	"context"
	"slices"

	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/search"
)

// matching leaves of some sessions those that a query is about: one of whose records
// matches, or that match by their titles and their fields alone.
func (l *Library) matching(ctx context.Context, w *world, q SessionQuery, tally *search.Tally, all []listed) ([]listed, error) {
	if q.Query == nil || q.Query.Empty() {
		return all, nil
	}
	sel := q.selection()
	sel.listing, sel.Scope = false, ""
	s, err := l.newScan(ctx, sel, q.Query)
	if err != nil {
		return nil, err
	}
	holds := map[string]bool{}
	s.hidden = true
	names := map[string]string{} // handles of sessions, by family
	for family, lead := range s.facts.lead {
		names[family] = s.w.sessionHandle(lead.Source)
	}
	err = s.run(ctx, func(src search.Source, f *finding) error {
		if f.Parts != 0 {
			return nil
		}
		key := f.Record.Agent + ":" + f.Record.Session
		family := src.Family
		if !inSession(src) {
			family = s.facts.home[key]
		}
		if name, known := names[family]; known {
			key = name
		}
		holds[key] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	tally.Join(s.tally)
	stores := make(map[string]string, len(s.w.sources)) // of transcripts, by path
	for _, src := range s.w.sources {
		if _, known := stores[src.Path]; !known {
			stores[src.Path] = src.Store.ID
		}
	}
	return slices.DeleteFunc(all, func(x listed) bool {
		return !holds[x.Handle] && s.plan.Eval(query.OfSession(&x.Session, stores[x.Path])) != query.True
	}), nil
}
