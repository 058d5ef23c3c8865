package seshat

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/needle"
)

// refCount finds what only sessions that go refer to: archived plans, pastes and tool
// outputs that nobody else needs.
type refCount struct {
	a              *archive.Archive
	m              *masking
	how            keeping
	going, staying []*archive.Source
}

func newRefCount(l *Library, a *archive.Archive, m *masking) *refCount {
	return &refCount{a: a, m: m, how: l.keeping()}
}

// maskedLog is a prompt log with how many bytes of it become blank.
type maskedLog struct {
	source *archive.Source
	bytes  int64
}

// count gives what nobody needs any more, and the prompt logs that tell of the sessions.
func (r *refCount) count(ctx context.Context) (dropped []*archive.Source, logs []maskedLog, err error) {
	blots, logs, err := r.blots(ctx)
	if err != nil {
		return nil, nil, err
	}
	all := map[*archive.Source][]string{} // by file that is referred to, the names for it
	for _, s := range r.staying {
		store := r.m.store(s)
		if store == nil || r.how.of(store, nil) != referred {
			continue
		}
		if names := r.how[s.Agent].Refs[s.Store].Names(path.Base(s.Name)); len(names) > 0 {
			all[s] = names
		}
	}
	candidates, err := r.named(ctx, r.going, all, r.whole)
	if err != nil {
		return nil, nil, err
	}
	typed, err := r.named(ctx, r.staying, all, func(s *archive.Source, v archive.Version) (out []passage) {
		for _, b := range blots[versionKey{s.ID, v.Number}] {
			out = append(out, passage{io.NewSectionReader(r.a.File(s, v), b.From, b.To-b.From), b.To - b.From})
		}
		return out
	})
	if err != nil {
		return nil, nil, err
	}
	for s := range all {
		if !candidates[s] && !typed[s] {
			delete(all, s) // these sessions do not refer to it either
		}
	}
	if len(all) == 0 {
		return nil, logs, nil
	}
	needed, err := r.named(ctx, r.staying, all, func(s *archive.Source, v archive.Version) []passage {
		return []passage{{blank{r.a.File(s, v), blots[versionKey{s.ID, v.Number}]}, v.Size}}
	})
	if err != nil {
		return nil, nil, err
	}
	for _, s := range r.staying {
		if all[s] != nil && !needed[s] {
			dropped = append(dropped, s)
		}
	}
	return dropped, logs, nil
}

// versionKey names a version of a source.
type versionKey struct {
	id     int64
	number int
}

// passage is some bytes in which references are looked for.
type passage struct {
	io.ReaderAt
	size int64
}

// whole gives all of a version.
func (r *refCount) whole(s *archive.Source, v archive.Version) []passage {
	return []passage{{r.a.File(s, v), v.Size}}
}

// blots finds in all versions of prompt logs what they tell of the sessions.
func (r *refCount) blots(ctx context.Context) (map[versionKey][]agent.Stretch, []maskedLog, error) {
	found := map[versionKey][]agent.Stretch{}
	var logs []maskedLog
	for _, s := range r.staying {
		log := maskedLog{source: s}
		for _, v := range s.Versions {
			f := r.a.File(s, v)
			out, err := r.m.of(ctx, s, v, f)
			f.Close()
			var hurt *archive.DamageError
			if err != nil && !errors.As(err, &hurt) { // one that is damaged is told of when it is masked
				return nil, nil, err
			}
			if hurt != nil {
				log.bytes++
			}
			if len(out) > 0 {
				found[versionKey{s.ID, v.Number}] = out
			}
			for _, stretch := range out {
				log.bytes += stretch.To - stretch.From
			}
		}
		if log.bytes > 0 {
			logs = append(logs, log)
		}
	}
	return found, logs, nil
}

// named tells which files are referred to in passages of some sources. One that is
// damaged counts as if it referred to all.
func (r *refCount) named(ctx context.Context, from []*archive.Source, files map[*archive.Source][]string, read func(*archive.Source, archive.Version) []passage) (map[*archive.Source]bool, error) {
	looks := map[string]*look{} // by the store of what may refer
	for s, names := range files {
		ref := r.how[s.Agent].Refs[s.Store]
		for _, store := range ref.In {
			if looks[store] == nil {
				looks[store] = &look{names: map[string]bool{}}
			}
			looks[store].add(ref.After, names, true)
		}
	}
	for _, k := range looks {
		k.words = needle.NewWords(k.after...)
	}
	out := map[*archive.Source]bool{}
	for _, s := range from {
		k := looks[s.Store]
		if k == nil {
			continue
		}
		found, everything := map[string]bool{}, false
		for _, v := range s.Versions {
			for _, p := range read(s, v) {
				err := k.scanBytes(ctx, p, p.size, func(name string) { found[name] = true })
				var hurt *archive.DamageError
				if everything = everything || errors.As(err, &hurt); err != nil && hurt == nil {
					return nil, err
				}
			}
		}
		for file, names := range files {
			refers := slices.Contains(r.how[file.Agent].Refs[file.Store].In, s.Store)
			if refers && (everything || slices.ContainsFunc(names, func(n string) bool { return found[n] })) {
				out[file] = true
			}
		}
	}
	return out, nil
}
