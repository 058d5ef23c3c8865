package seshat

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/cache"
	"github.com/seshat-dev/seshat/internal/scrub"
)

// ScrubQuery says which credentials are masked in the archive.
type ScrubQuery struct {
	Names []string // sessions, whose credentials are meant, or fingerprints
	All   bool     // every credential of the archive

	DryRun bool
	Ask    func(*Scrub) (bool, error) // asked before anything is masked; nil goes on
}

// What becomes of a file when credentials are masked.
const (
	ScrubMasked = "masked" // in the archive filler stands in their place
	ScrubLeft   = "left"   // they still stand there, and are out of reach
)

// ScrubItem is what becomes of one file.
type ScrubItem struct {
	Agent, Store, Session string
	Path                  string // absolute
	Did                   string
	Versions, Places      int
	Bytes                 int64    // that are filler now
	Secrets               []string // RULE:FINGERPRINT of those that are told by what stands around them there
	Reason                string   // why they are out of reach
}

// ScrubbedSecret is a credential that is masked.
type ScrubbedSecret struct{ Rule, Provider, Fingerprint string }

// Scrub is what it means to mask some credentials.
type Scrub struct {
	Secrets []ScrubbedSecret
	Items   []ScrubItem
	Damaged int   // versions that cannot be looked through
	Freed   int64 // bytes of the archive, once it is done
	Done    bool
}

// Count tells of how many files something becomes.
func (s *Scrub) Count(did string) (n int) {
	for i := range s.Items {
		if s.Items[i].Did == did {
			n++
		}
	}
	return n
}

// Places is how many places are masked.
func (s *Scrub) Places() (n int) {
	for i := range s.Items {
		if s.Items[i].Did == ScrubMasked {
			n += s.Items[i].Places
		}
	}
	return n
}

// Scrub puts filler into the place of credentials in the archive, in every version of
// every file that holds them, and remembers keyed hashes of them, so that later runs of
// Archive do so too. The disk is not changed: what holds them there is told.
func (l *Library) Scrub(ctx context.Context, q ScrubQuery) (*Scrub, error) {
	if len(q.Names) == 0 && !q.All {
		return nil, usagef("scrub needs a session or a fingerprint, or --all")
	}
	a, err := l.openArchive()
	if err != nil {
		return nil, err
	}
	defer a.Close()
	s, err := l.scrubber(ctx, a, q)
	if err != nil {
		return nil, err
	}
	if err := s.live(ctx); err != nil {
		return nil, err
	}
	out := s.told()
	if len(s.chosen) == 0 || q.DryRun {
		return out, nil
	}
	if q.Ask != nil {
		if yes, err := q.Ask(out); err != nil || !yes {
			return out, err
		}
	}
	return l.scrub(ctx, q, s)
}

// scrub does it, by what the archive holds now.
func (l *Library) scrub(ctx context.Context, q ScrubQuery, asked *scrubber) (*Scrub, error) {
	w, _, err := l.writeArchive()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	s, err := l.scrubber(ctx, w.Archive(), q)
	if err != nil {
		return nil, err
	}
	s.left = append(s.left, asked.left...)
	dir, err := l.dataDir("fingerprints need")
	if err != nil {
		return nil, err
	}
	if err := s.all.Save(dir); err != nil { // first: what is masked stays so, whatever happens then
		return nil, fmt.Errorf("what is to be masked cannot be remembered, and nothing was masked: %w", err)
	}
	freed, err := s.mask(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := s.verify(ctx, w.Archive()); err != nil {
		return nil, err
	}
	if dir := l.cacheDir(); dir != "" {
		if err := cache.Drop(dir); err != nil {
			return nil, fmt.Errorf("the credentials are masked in the archive, but what seshat keeps about sessions in %s could not be deleted: %w; delete it", dir, err)
		}
	}
	out := s.told()
	out.Freed, out.Done = freed, true
	return out, w.Close()
}

var fingerprint = regexp.MustCompile(`^[0-9a-f]{16}$`)

// meant finds out which sessions and fingerprints are named.
func (s *scrubber) meant(q ScrubQuery) error {
	for _, name := range q.Names {
		key, err := s.l.archivedSession(name, s.sources)
		var unknown *NotArchivedError
		switch {
		case err == nil:
			s.sessions[key] = true
		case errors.As(err, &unknown) && fingerprint.MatchString(name):
			s.prints[name] = true
		default:
			return err
		}
	}
	return nil
}

// told sums up what it means.
func (s *scrubber) told() *Scrub {
	x := s.l.redaction()
	out := &Scrub{Damaged: s.damaged}
	for _, v := range s.chosen {
		if !v.inner {
			out.Secrets = append(out.Secrets, ScrubbedSecret{v.rule.ID, v.rule.Provider, v.print})
		}
	}
	for i := range s.sources {
		src := &s.sources[i]
		item := ScrubItem{Agent: src.Agent, Store: src.Store, Session: src.Session, Path: keyPath(src.Key), Did: ScrubMasked}
		for _, v := range src.Versions {
			places := s.places[versionOf{src.ID, v.Number}]
			if len(places) > 0 {
				item.Versions++
				item.Places += len(places)
			}
			for _, p := range places {
				item.Bytes += p.To - p.From
			}
		}
		if item.Versions == 0 {
			continue
		}
		for _, v := range s.chosen {
			if v.in[src.ID] && !v.inner {
				item.Secrets = append(item.Secrets, v.rule.ID+":"+v.print)
			}
		}
		out.Items = append(out.Items, item)
	}
	out.Items = append(out.Items, s.left...)
	for i := range out.Items {
		it := &out.Items[i]
		it.Path, it.Session = x.line(it.Path), x.line(it.Session)
	}
	return out
}

// mask changes the archive.
func (s *scrubber) mask(ctx context.Context, w *archive.Writer) (int64, error) {
	var ids []int64
	for of := range s.places {
		if !slices.Contains(ids, of.id) {
			ids = append(ids, of.id)
		}
	}
	slices.Sort(ids)
	masked, err := w.Blot(ctx, ids, s.blotted)
	return masked.Freed, err
}

// verify looks through the archive once more: nothing may be left.
func (s *scrubber) verify(ctx context.Context, a *archive.Archive) error {
	sources, err := a.Sources(ctx)
	if err != nil {
		return err
	}
	again := &scrubber{l: s.l, a: a, sources: sources, values: map[string]*scrubValue{}, places: map[versionOf][]scrub.Stretch{}, all: s.all}
	if err := again.search(ctx); err != nil {
		return err
	}
	if err := again.find(ctx); err != nil {
		return err
	}
	var still []string
	for i := range sources {
		src := &sources[i]
		held := slices.ContainsFunc(s.chosen, func(v *scrubValue) bool { found := again.values[v.print]; return found != nil && found.in[src.ID] })
		for _, v := range src.Versions {
			held = held || len(again.places[versionOf{src.ID, v.Number}]) > 0
		}
		if held {
			still = append(still, keyPath(src.Key))
		}
	}
	if len(still) > 0 {
		return fmt.Errorf("after masking, a credential still stands in the archive's copy of %s; seshat archive verify says whether the archive is damaged, archive forget deletes the session", s.l.redaction().line(strings.Join(still, ", ")))
	}
	return nil
}

// marks reads which credentials are never archived.
func (l *Library) marks() (*scrub.Marks, error) {
	dir, err := l.ArchiveDir()
	if err != nil {
		return nil, err
	}
	return scrub.Read(filepath.Dir(dir), l.fingerprintKey)
}
