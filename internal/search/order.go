package search

import (
	"context"
	"sort"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// Source is a source with the adapter that reads it.
type Source struct {
	*agent.Source
	Adapter agent.Adapter
}

// headed is a source with what its head tells.
type headed struct {
	Source
	head agent.Head
}

// family is the sources of one session.
type family struct {
	transcript *headed // nil when it is gone
	members    []headed
	time       time.Time // of the transcript's head, else the earliest
}

// Order puts sources in the order of every answer: sessions by the first time in
// the transcript's head, oldest first, and inside a session the transcript, then
// its subagents by first time; equal times by path. Sources that belong to no
// session follow by path. Where a source tells no time, its file's counts. It
// also gives the working folder that each head names.
func Order(ctx context.Context, srcs []Source, workers int) ([]Source, map[*agent.Source]string, error) {
	var loose []Source
	var inSession []Source
	for _, s := range srcs {
		if s.Family == "" {
			loose = append(loose, s)
		} else {
			inSession = append(inSession, s)
		}
	}
	families, err := families(ctx, inSession, workers)
	if err != nil {
		return nil, nil, err
	}
	sort.Slice(loose, func(i, j int) bool { return loose[i].Path < loose[j].Path })
	out := make([]Source, 0, len(srcs))
	cwds := map[*agent.Source]string{}
	for _, f := range families {
		for _, m := range f.members {
			out = append(out, m.Source)
			cwds[m.Source.Source] = m.head.CWD
		}
	}
	return append(out, loose...), cwds, nil
}

func families(ctx context.Context, srcs []Source, workers int) ([]*family, error) {
	byName := map[string]*family{}
	var all []*family
	err := Ordered(ctx, srcs, workers, readHead, func(_ Source, h headed) error {
		f := byName[h.Family]
		if f == nil {
			f = &family{}
			byName[h.Family] = f
			all = append(all, f)
		}
		f.members = append(f.members, h)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		f.arrange()
	}
	sort.SliceStable(all, func(i, j int) bool {
		if a, b := all[i].time, all[j].time; !a.Equal(b) {
			return a.Before(b)
		}
		return all[i].members[0].Path < all[j].members[0].Path
	})
	return all, nil
}

// readHead never fails: a source whose head cannot be read is placed by its
// file's time, and says what is wrong when it is read.
func readHead(ctx context.Context, s Source, emit func(headed) error) error {
	h := headed{Source: s}
	if s.Problem == "" {
		h.head, _ = s.Adapter.Head(ctx, s.Source)
	}
	if h.head.Time.IsZero() {
		h.head.Time = s.Info.MTime
	}
	return emit(h)
}

func (f *family) arrange() {
	sort.SliceStable(f.members, func(i, j int) bool {
		a, b := f.members[i], f.members[j]
		if at, bt := a.Transcript(), b.Transcript(); at != bt {
			return at
		}
		if !a.head.Time.Equal(b.head.Time) {
			return a.head.Time.Before(b.head.Time)
		}
		return a.Path < b.Path
	})
	f.time = f.members[0].head.Time
	if f.members[0].Transcript() {
		f.transcript = &f.members[0]
	}
}
