package seshat

import (
	"context"
	"errors"
	"sort"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// SourceState says what became of a source.
type SourceState string

// The source states. Nothing is opened to list sources, so those that look
// readable are unread.
const (
	SourceFailed  SourceState = "failed"
	SourcePrivate SourceState = "private"
	SourceUnread  SourceState = "unread"
)

// Source is one real file, or a folder that is one row of the catalogue.
type Source struct {
	Agent   string
	Store   *catalog.Store
	Path    string // absolute
	Info    agent.Info
	State   SourceState
	Problem string
}

// JSON gives the value that encoding/json writes as a seshat.source/1 object.
func (s *Source) JSON(h record.Home) any {
	return struct {
		Schema string       `json:"schema"`
		Agent  string       `json:"agent"`
		Store  string       `json:"store"`
		Path   string       `json:"path"`
		Bytes  int64        `json:"bytes"`
		MTime  record.Stamp `json:"mtime,omitzero"`
		State  SourceState  `json:"state"`
	}{record.SourceSchema, s.Agent, s.Store.ID, h.Short(s.Path), s.Info.Size, record.Stamp(s.Info.MTime), s.State}
}

// Sources lists what lies on the disk, in the order of paths, private stores by
// name. Those that wanted refuses are left out.
func (l *Library) Sources(ctx context.Context, wanted func(*Source) bool) ([]*Source, *record.Answer, error) {
	w, err := l.discover(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	tally := &search.Tally{}
	for _, p := range w.problems {
		tally.Problem(p)
	}
	var out []*Source
	for _, s := range w.sources {
		src := &Source{Agent: s.Agent, Store: s.Store, Path: s.Path, Info: s.Info, State: SourceUnread, Problem: s.Problem}
		switch {
		case s.Store.Coverage == catalog.Private:
			src.State = SourcePrivate
		case s.Problem != "":
			src.State = SourceFailed
		}
		if wanted != nil && !wanted(src) {
			continue
		}
		if s.Problem != "" {
			tally.Failed(s.Source, errors.New(s.Problem))
		}
		out = append(out, src)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	tally.Match(len(out))
	x := l.redaction()
	for _, s := range out {
		s.Path, s.Problem = x.id(s.Path), x.line(s.Problem)
	}
	return out, x.answer(tally.Answer()), nil
}

// Stores lists the rows of the catalogues of the chosen agents.
func (l *Library) Stores() []*catalog.Store {
	var out []*catalog.Store
	for _, a := range l.adapters {
		out = append(out, a.Catalog().Stores...)
	}
	return out
}

// Store gives the row with that id. The error of an unknown one names the
// nearest.
func (l *Library) Store(id string) (*catalog.Store, error) {
	s, near := l.findStore(id)
	switch {
	case s != nil:
		return s, nil
	case near != "":
		return nil, usagef("no store is called %q; did you mean %s?", id, near)
	}
	return nil, usagef("no store is called %q; seshat stores lists them", id)
}
