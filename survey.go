package seshat

import (
	"context"

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
		path := f.Path
		if h != nil {
			path = h(path)
		}
		files[i] = file{path, f.Bytes, f.Lines}
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
	}{"seshat.store_summary/1", s.Store.ID, files, s.Bytes, s.Lines, keys, s.Data}
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
		return emit(surveyed{f, err})
	}
	err = search.Ordered(ctx, srcs, l.opts.Workers, work, func(s search.Source, f surveyed) error {
		tally.End(s.Source, f.err)
		out.Files = append(out.Files, FileSummary{s.Path, s.Info.Size, f.file.Lines})
		out.Bytes += s.Info.Size
		out.Lines += f.file.Lines
		keys.Merge(&f.file.Keys)
		return nil
	})
	out.Keys, out.Data = keys.List(), keys.Others
	tally.Match(len(out.Files))
	return out, tally.Answer(), err
}

type surveyed struct {
	file survey.File
	err  error
}
