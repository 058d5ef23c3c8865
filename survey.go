package seshat

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/survey"
	"github.com/seshat-dev/seshat/record"
)

// StoreSummary is the shape of the real files of a store: names, sizes, lines and
// key names, never a value.
type StoreSummary struct {
	Store *catalog.Store
	Files []FileSummary
	Bytes int64
	Lines int
	Keys  []survey.Key
	Data  int // keys that are data themselves and are not named
	New   []New
}

// New is a thing that no reader knows, with one place of it and the number of
// files that have it.
type New struct {
	What  string `json:"what"`
	Path  string `json:"path"`
	Line  int    `json:"line,omitempty"`
	Files int    `json:"files"`
}

// FileSummary is the shape of one file.
type FileSummary struct {
	Path  string
	Bytes int64
	Lines int
}

// JSON gives the value that encoding/json writes for a summary.
func (s *StoreSummary) JSON(h record.Home) any {
	type file struct {
		Path  string `json:"path"`
		Bytes int64  `json:"bytes"`
		Lines int    `json:"lines,omitempty"`
	}
	files := make([]file, len(s.Files))
	for i, f := range s.Files {
		files[i] = file{h.Short(f.Path), f.Bytes, f.Lines}
	}
	news := make([]New, len(s.New))
	for i, n := range s.New {
		n.Path = h.Short(n.Path)
		news[i] = n
	}
	keys := s.Keys
	if keys == nil {
		keys = []survey.Key{}
	}
	return struct {
		Schema string       `json:"schema"`
		ID     string       `json:"id"`
		Files  []file       `json:"files"`
		Bytes  int64        `json:"bytes"`
		Lines  int          `json:"lines"`
		Keys   []survey.Key `json:"keys"`
		Data   int          `json:"data_keys"`
		New    []New        `json:"unknown"`
	}{"seshat.store_summary/1", s.Store.ID, files, s.Bytes, s.Lines, keys, s.Data, news}
}

// Summary looks into the real files of a store. Files of a private store are
// counted by name and not opened.
func (l *Library) Summary(ctx context.Context, id string) (*StoreSummary, *record.Answer, error) {
	store, err := l.Store(id)
	if err != nil {
		return nil, nil, err
	}
	w, err := l.discover(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	tally := &search.Tally{}
	for _, p := range w.problems {
		tally.Problem(p)
	}
	var srcs []search.Source
	for _, s := range w.sources {
		if s.Store == store {
			srcs = append(srcs, s)
		}
	}
	l.watch(tally, len(srcs))
	out := &StoreSummary{Store: store}
	var keys survey.Keys
	work := func(ctx context.Context, s search.Source, emit func(surveyed) error) error {
		f, err := survey.Of(ctx, s.Source)
		return emit(surveyed{f, drift(ctx, s), err})
	}
	err = search.Ordered(ctx, srcs, l.opts.Workers, work, func(s search.Source, f surveyed) error {
		tally.End(s.Source, f.err)
		out.Files = append(out.Files, FileSummary{s.Path, s.Info.Size, f.file.Lines})
		out.Bytes += s.Info.Size
		out.Lines += f.file.Lines
		keys.Merge(&f.file.Keys)
		for _, item := range f.news {
			if item.Damage != nil {
				tally.Damage(s.Source, item.Damage)
			} else {
				out.note(item.Unknown, s.Path)
			}
		}
		return nil
	})
	out.Keys, out.Data = keys.List(), keys.Others
	tally.Match(len(out.Files))
	x := l.redaction()
	out.redact(x)
	return out, x.answer(tally.Answer()), err
}

func (s *StoreSummary) redact(x *redaction) {
	for i := range s.Files {
		s.Files[i].Path = x.id(s.Files[i].Path)
	}
	for i := range s.Keys {
		s.Keys[i].Name = x.line(s.Keys[i].Name)
	}
	for i := range s.New {
		n := &s.New[i]
		n.What, n.Path = x.line(n.What), x.line(n.Path)
	}
}

type surveyed struct {
	file survey.File
	news []agent.Item // what is new in it or damaged
	err  error
}

// drift gives what is new or damaged in a source that its adapter reads.
func drift(ctx context.Context, s search.Source) []agent.Item {
	if !s.Store.Readable() || s.Problem != "" {
		return nil
	}
	var out []agent.Item
	for item, err := range s.Adapter.Read(ctx, s.Source, agent.Plan{Drift: true}) {
		if err != nil {
			break // reading the shape has said so
		}
		if item.Unknown != nil || item.Damage != nil {
			out = append(out, item)
		}
	}
	return out
}

// note counts a new thing.
func (s *StoreSummary) note(u *agent.Unknown, path string) {
	for i := range s.New {
		if s.New[i].What == u.What {
			s.New[i].Files++
			return
		}
	}
	s.New = append(s.New, New{u.What, path, u.Line, 1})
}
