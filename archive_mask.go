package seshat

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
)

// masking blots the prompts of some sessions out of archived prompt logs.
type masking struct {
	adapters map[string]agent.Adapter
	sessions map[string]map[string]bool // ids by agent
}

func (l *Library) masking(sessions []sessionKey) *masking {
	m := &masking{adapters: map[string]agent.Adapter{}, sessions: map[string]map[string]bool{}}
	for _, a := range l.all {
		m.adapters[a.Name()] = a
		m.sessions[a.Name()] = map[string]bool{}
	}
	for _, s := range sessions {
		if m.sessions[s.agent] != nil {
			m.sessions[s.agent][s.id] = true
		}
	}
	return m
}

// sessionKey names a session in the archive.
type sessionKey struct{ agent, id string }

// store gives the row of the catalogue that a source was kept by, or nil.
func (m *masking) store(s *archive.Source) *catalog.Store {
	if a := m.adapters[s.Agent]; a != nil {
		return a.Catalog().Store(s.Store)
	}
	return nil
}

// log reports whether a source is a log of the prompts of many sessions.
func (m *masking) log(s *archive.Source) bool {
	store := m.store(s)
	return store != nil && store.Role == promptHistory && s.Session == ""
}

// of finds what a version of a log tells of the sessions.
func (m *masking) of(ctx context.Context, s *archive.Source, v archive.Version, content io.ReaderAt) ([]agent.Stretch, error) {
	if !m.log(s) || len(m.sessions[s.Agent]) == 0 {
		return nil, nil
	}
	return m.adapters[s.Agent].Prompts(ctx, m.store(s), archivedBytes{content, archive.Info(s, v)}, m.sessions[s.Agent])
}

// archivedBytes are bytes of the archive as an open file.
type archivedBytes struct {
	io.ReaderAt
	info agent.Info
}

func (f archivedBytes) Info() agent.Info { return f.info }
func (archivedBytes) Close() error       { return nil }

// blank shows bytes with stretches of them blank.
type blank struct {
	io.ReaderAt
	out []agent.Stretch
}

func (b blank) ReadAt(p []byte, off int64) (int, error) {
	n, err := b.ReaderAt.ReadAt(p, off)
	for _, s := range b.out {
		from, to := max(s.From-off, 0), min(s.To-off, int64(n))
		for i := from; i < to; i++ {
			p[i] = ' '
		}
	}
	return n, err
}

// mask blots the sessions out of logs in the archive. A log that is damaged is left to
// the caller, who is told of it.
func (m *masking) mask(ctx context.Context, w *archive.Writer, ids []int64, damaged func(*archive.Source)) (archive.Masked, error) {
	return w.Mask(ctx, ids, func(s *archive.Source, v archive.Version, content io.ReaderAt) (io.ReaderAt, error) {
		out, err := m.of(ctx, s, v, content)
		var hurt *archive.DamageError
		switch {
		case errors.As(err, &hurt):
			damaged(s)
			return nil, nil
		case err != nil || len(out) == 0:
			return nil, err
		}
		return blank{content, out}, nil
	})
}

// forgotten is what the archive was made to forget.
type forgotten struct {
	sessions []sessionKey
	a        *archive.Archive
}

func readForgotten(ctx context.Context, a *archive.Archive) (*forgotten, error) {
	f := &forgotten{a: a}
	if a == nil {
		return f, nil
	}
	list, err := a.Tombstones(ctx)
	for _, t := range list {
		f.sessions = append(f.sessions, sessionKey{t.Agent, t.Session})
	}
	return f, err
}

// holds reports whether a file is not to be kept again.
func (f *forgotten) holds(key archive.Key, label archive.Label) bool {
	return len(f.sessions) > 0 && (slices.Contains(f.sessions, sessionKey{key.Agent, label.Session}) || f.a.ForgottenKey(key))
}
