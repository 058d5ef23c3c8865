package seshat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// maxCandidates is how many records an ambiguous handle is answered with.
const maxCandidates = 20

// hit is a record that a handle may name.
type hit struct {
	target
	exact bool // its whole id was given
}

// byRecord looks for a record whose id is the wanted one or begins with it. The id
// of a line whose text became part of an earlier record names that record.
func (l *Library) byRecord(ctx context.Context, w *world, h wanted) (target, error) {
	var srcs []search.Source
	placed := !(&record.Record{ID: h.id}).Named() // the same id stands in every file
	for _, s := range w.sources {
		if s.Store.Readable() && h.fits(s) && (h.hash != "" || !placed) {
			srcs = append(srcs, s)
		}
	}
	srcs, err := l.order(ctx, w, Selection{}, srcs, nil, &search.Tally{})
	if err != nil {
		return target{}, err
	}
	hits, err := l.named(ctx, srcs, h)
	if err != nil {
		return target{}, err
	}
	if slices.ContainsFunc(hits, func(x hit) bool { return x.exact }) {
		hits = slices.DeleteFunc(hits, func(x hit) bool { return !x.exact })
	}
	switch {
	case len(hits) == 0 && len(h.id) < minPrefix && !placed:
		return target{}, usagef("%q is no whole id, and too short for the beginning of one: give at least %d characters", h.text, minPrefix)
	case len(hits) == 0:
		return target{}, w.notFound(h)
	}
	first := hits[0].record
	if !slices.ContainsFunc(hits, func(x hit) bool { return x.record != first }) {
		return hits[0].target, nil // the first place owns the bare id; others have a hash behind theirs
	}
	e := &AmbiguousError{Handle: h.text, Total: len(hits)}
	for _, x := range hits[:min(len(hits), maxCandidates)] {
		r := record.Record{Agent: x.source.Agent, ID: x.record}
		w.nameRecord(x.source, &r, false)
		e.Candidates = append(e.Candidates, Candidate{Handle: r.Handle, Path: fmt.Sprintf("%s:%d", x.source.Path, x.line)})
	}
	return target{}, e
}

// named lists the records of sources that a handle may name, one for each id of a
// line unless the handle says which of the line's records it means.
func (l *Library) named(ctx context.Context, srcs []search.Source, h wanted) ([]hit, error) {
	var hits []hit
	seen := map[string]bool{}
	keep := func(r *record.Record) (search.Hit, bool) {
		fits := h.matches(r.ID) || slices.ContainsFunc(r.Alias, h.matches)
		return search.Hit{Record: &record.Record{ID: r.ID, Line: r.Line, Alias: r.Alias}}, fits
	}
	err := search.Each(ctx, srcs, l.opts.Workers, agent.Plan{}, &search.Tally{}, keep, func(s search.Source, found search.Hit) error {
		r := found.Record
		id := r.ID
		if !strings.Contains(h.id, "#") {
			id, _, _ = strings.Cut(id, "#")
		}
		if key := s.Path + "\x00" + id; !seen[key] {
			seen[key] = true
			hits = append(hits, hit{target{source: s, line: r.Line, record: id}, id == h.id || slices.Contains(r.Alias, h.id)})
		}
		return nil
	})
	return hits, err
}

// matches reports whether a record's id is the wanted one or begins with it.
func (h wanted) matches(id string) bool {
	base, _, _ := strings.Cut(id, "#")
	return id == h.id || base == h.id || len(h.id) >= minPrefix && strings.HasPrefix(id, h.id) && (&record.Record{ID: id}).Named()
}
