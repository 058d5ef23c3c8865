package seshat

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/scrub"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/secret"
)

// scrubber finds out what of the archive is to be masked.
type scrubber struct {
	l        *Library
	a        *archive.Archive
	sources  []archive.Source
	sessions map[sessionKey]bool
	prints   map[string]bool

	mu      sync.Mutex
	values  map[string]*scrubValue // by fingerprint
	chosen  []*scrubValue
	now     *scrub.Marks // of the chosen ones
	all     *scrub.Marks // and of those that were masked earlier
	places  map[versionOf][]scrub.Stretch
	left    []ScrubItem
	hurt    map[versionOf]bool
	damaged int
	keyless error // why values cannot be told apart
}

// versionOf names a version of a source.
type versionOf struct {
	id     int64
	number int
}

// scrubValue is a credential of the archive.
type scrubValue struct {
	rule  *secret.Rule
	print string
	text  string          // what it is told apart by
	cut   map[string]bool // its pieces, and whether more of them may follow
	in    map[int64]bool  // sources
	inner bool            // a part of another one wherever it stands
	begun bool            // only its beginning is known
}

// scrubber looks through an archive.
func (l *Library) scrubber(ctx context.Context, a *archive.Archive, q ScrubQuery) (*scrubber, error) {
	s := &scrubber{l: l, a: a, sessions: map[sessionKey]bool{}, prints: map[string]bool{}, values: map[string]*scrubValue{},
		places: map[versionOf][]scrub.Stretch{}}
	var err error
	if s.sources, err = a.Sources(ctx); err != nil {
		return nil, err
	}
	if err := s.meant(q); err != nil {
		return nil, err
	}
	if err := s.search(ctx); err != nil {
		return nil, err
	}
	s.choose(q.All)
	if len(s.chosen) == 0 {
		return s, nil
	}
	key, err := l.key()
	if err != nil {
		return nil, err
	}
	s.now = scrub.NewMarks(key)
	for _, v := range s.chosen {
		for piece, cut := range v.cut {
			s.now.Add(v.rule.ID, piece, cut)
		}
	}
	earlier, err := l.marks()
	if err != nil {
		return nil, err
	}
	if s.all = s.now; earlier != nil {
		s.all = earlier.With(s.now)
	}
	s.names()
	return s, s.find(ctx)
}

// search finds all credentials of the archive.
func (s *scrubber) search(ctx context.Context) error {
	err := s.each(ctx, func(src *archive.Source, v archive.Version, content io.ReaderAt) error {
		return scrub.Search(ctx, content, v.Size, func(f *scrub.Found) { s.note(src, f) })
	})
	return cmp.Or(err, s.keyless)
}

// note notes a credential.
func (s *scrubber) note(src *archive.Source, f *scrub.Found) {
	key, err := s.l.key()
	if err != nil {
		s.mu.Lock()
		s.keyless = err
		s.mu.Unlock()
		return
	}
	print := key.Fingerprint(f.Canonical)
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.values[print]
	if v == nil {
		v = &scrubValue{rule: f.Rule, print: print, text: strings.Clone(f.Canonical), cut: map[string]bool{}, in: map[int64]bool{}, inner: true, begun: true}
		s.values[print] = v
	}
	for _, piece := range f.Pieces {
		cut, known := v.cut[piece]
		v.cut[piece] = f.Cut && (cut || !known)
	}
	v.in[src.ID] = true
	v.inner = v.inner && f.Inner
	v.begun = v.begun && f.Cut
}

// find finds where what is masked stands in the archive.
func (s *scrubber) find(ctx context.Context) error {
	return s.each(ctx, func(src *archive.Source, v archive.Version, content io.ReaderAt) error {
		places, err := s.all.Places(ctx, content, v.Size)
		if err == nil && len(places) > 0 {
			s.mu.Lock()
			s.places[versionOf{src.ID, v.Number}] = places
			s.mu.Unlock()
		}
		return err
	})
}

// choose picks what is meant. What elsewhere is cut inside a value that is meant is that value.
func (s *scrubber) choose(all bool) {
	own := map[int64]bool{}
	for i := range s.sources {
		src := &s.sources[i]
		own[src.ID] = s.sessions[sessionKey{src.Agent, src.Session}]
	}
	picked := map[string]bool{}
	var whole []*scrubValue
	for print, v := range s.values {
		picked[print] = all || s.prints[print]
		for id := range v.in {
			picked[print] = picked[print] || own[id]
		}
		if picked[print] {
			whole = append(whole, v)
		}
	}
	for print, v := range s.values {
		begins := func(w *scrubValue) bool { return strings.HasPrefix(w.text, v.text) }
		if picked[print] || v.begun && slices.ContainsFunc(whole, begins) {
			s.chosen = append(s.chosen, v)
		}
	}
	slices.SortFunc(s.chosen, func(a, b *scrubValue) int {
		return cmp.Or(strings.Compare(a.rule.ID, b.rule.ID), strings.Compare(a.print, b.print))
	})
}

// names notes sources whose name holds a value: it stays.
func (s *scrubber) names() {
	for i := range s.sources {
		src := &s.sources[i]
		if path := keyPath(src.Key); s.now.Hold(path) {
			s.left = append(s.left, ScrubItem{Agent: src.Agent, Store: src.Store, Session: src.Session, Path: path, Did: ScrubLeft, Reason: "it has a credential in its name, which the archive keeps; archive forget deletes the session"})
		}
	}
}

// each visits every version of the archive, several at the same time. One that is
// damaged is noted.
func (s *scrubber) each(ctx context.Context, visit func(*archive.Source, archive.Version, io.ReaderAt) error) error {
	var jobs []func() error
	for i := range s.sources {
		src := &s.sources[i]
		for _, v := range src.Versions {
			jobs = append(jobs, func() error {
				err := visit(src, v, s.a.File(src, v))
				var hurt *archive.DamageError
				if errors.As(err, &hurt) {
					s.isDamaged(src, v)
					return nil
				}
				return err
			})
		}
	}
	return s.l.together(ctx, jobs)
}

func (s *scrubber) isDamaged(src *archive.Source, v archive.Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := versionOf{src.ID, v.Number}
	if s.hurt[of] {
		return
	}
	if s.hurt == nil {
		s.hurt = map[versionOf]bool{}
	}
	s.hurt[of] = true
	s.damaged++
	s.left = append(s.left, ScrubItem{Agent: src.Agent, Store: src.Store, Session: src.Session, Path: keyPath(src.Key), Did: ScrubLeft, Versions: 1,
		Reason: "it is damaged in the archive, so that nothing could be masked in it; archive forget deletes the session"})
}

// blotted gives a version with filler in it, or nil where it stays as it is.
func (s *scrubber) blotted(src *archive.Source, v archive.Version, content io.ReaderAt) (io.ReaderAt, error) {
	if places := s.places[versionOf{src.ID, v.Number}]; len(places) > 0 {
		return scrub.Blotted{ReaderAt: content, Out: places}, nil
	}
	return nil, nil
}

// live notes the files on the disk that hold what is masked.
func (s *scrubber) live(ctx context.Context) error {
	if len(s.chosen) == 0 {
		return nil
	}
	w, err := s.l.disk().discover(ctx, false)
	if err != nil {
		return err
	}
	var jobs []func() error
	items := make([]*ScrubItem, len(w.sources))
	for i, src := range w.sources {
		if src.Store.Coverage == catalog.Private || src.Problem != "" || !src.Info.Mode.IsRegular() {
			continue
		}
		jobs = append(jobs, func() (err error) {
			items[i], err = s.liveFile(ctx, src)
			return err
		})
	}
	err = s.l.together(ctx, jobs)
	for _, item := range items {
		if item != nil {
			s.left = append(s.left, *item)
		}
	}
	return err
}

// liveFile tells of a file on the disk, if there is something to tell.
func (s *scrubber) liveFile(ctx context.Context, src search.Source) (*ScrubItem, error) {
	item := &ScrubItem{Agent: src.Agent, Store: src.Store.ID, Session: src.Adapter.Belongs(src.Source), Path: src.Path, Did: ScrubLeft}
	file, err := src.Open()
	if err == nil {
		defer file.Close()
		var places []scrub.Stretch
		places, err = s.now.Places(ctx, file, file.Info().Size)
		item.Places, item.Reason = len(places), "it is on the disk, where its agent or you delete it"
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		item.Reason = "it may hold them and could not be read: " + agent.Reason(err)
	case item.Places == 0:
		return nil, nil
	}
	return item, nil
}

// together does several things at the same time, until one fails.
func (l *Library) together(ctx context.Context, jobs []func() error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work := func(_ context.Context, job func() error, _ func(struct{}) error) error {
		err := job()
		if err != nil {
			stop()
		}
		return err
	}
	return search.Ordered(ctx, jobs, l.opts.Workers, work, func(func() error, struct{}) error { return nil })
}

// withoutScrubbed gives a file as the archive keeps it: without what was scrubbed.
func withoutScrubbed(ctx context.Context, marks *scrub.Marks, f io.ReaderAt, size int64) (io.ReaderAt, error) {
	places, err := marks.Places(ctx, f, size)
	if err != nil || len(places) == 0 {
		return f, err
	}
	return scrub.Blotted{ReaderAt: f, Out: places}, nil
}
