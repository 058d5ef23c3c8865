package seshat

import (
	"context"
	"errors"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// Records gives every record of a selection to visit, in the order of all
// answers, until visit fails.
func (l *Library) Records(ctx context.Context, q Selection, visit func(*record.Record) error) (*record.Answer, error) {
	keep := func(r *record.Record) (search.Hit, bool) {
		if !q.wants(r.Kind) {
			return search.Silent(r)
		}
		h := search.NewHit(r)
		r.Shorten()
		return h, true
	}
	return l.run(ctx, q, agent.Plan{Titles: true}, keep, func(tally *search.Tally, h search.Hit) error {
		tally.Match(1)
		return visit(h.Record)
	})
}

// Pattern is what Grep looks for.
type Pattern = search.Pattern

// PatternFlags say how patterns are meant.
type PatternFlags = search.Flags

// Line is one line of a record's text that matches.
type Line = search.Line

// CompilePattern builds a pattern that matches where any of the given ones does.
func CompilePattern(patterns []string, f PatternFlags) (*Pattern, error) {
	p, err := search.Compile(patterns, f)
	if err != nil {
		return nil, UsageError(err.Error())
	}
	return p, nil
}

// GrepQuery says what Grep looks for and how much of it.
type GrepQuery struct {
	Selection
	Pattern   *Pattern
	PerSource int  // stop after so many lines of a source; 0 is no limit
	Limit     int  // stop after so many lines overall; 0 is no limit
	Whole     bool // matches come with the whole record, its title and its handle
}

// Match is a record with the lines of its text that match.
type Match struct {
	Record *record.Record // without its text unless Whole was asked for
	Lines  []Line
}

// errEnough ends a search that has what it was asked for; it never leaves the
// package.
var errEnough = errors.New("enough")

// Grep gives every record with a matching line to visit, in the order of all
// answers, until visit fails.
func (l *Library) Grep(ctx context.Context, q GrepQuery, visit func(*Match) error) (*record.Answer, error) {
	plan := agent.Plan{Titles: q.Whole, Candidate: q.Pattern.ByteTest()}
	if plan.Candidate == nil {
		plan.Candidate = func([]byte) bool { return true }
	}
	g := grep{q: q}
	ans, err := l.run(ctx, q.Selection, plan, g.keep, func(tally *search.Tally, h search.Hit) error {
		h.Lines = g.cut(h.Record.Path, h.Lines)
		if len(h.Lines) == 0 {
			return nil
		}
		tally.Match(len(h.Lines))
		if err := visit(&Match{h.Record, h.Lines}); err != nil {
			return err
		}
		if q.Limit > 0 && g.total >= q.Limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return ans, err
}

// grep is one run of Grep.
type grep struct {
	q     GrepQuery
	total int
	path  string // of the source that lines were counted of
	inSrc int
}

// keep gives what is wanted of a record: its matching lines.
func (g *grep) keep(r *record.Record) (search.Hit, bool) {
	if !g.q.Pattern.MatchText(r.Text) {
		return search.Hit{}, false
	}
	var lines []Line
	no := r.Line
	for text := range strings.SplitSeq(r.Text, "\n") {
		if g.q.Pattern.Match(text) {
			lines = append(lines, Line{No: no, Text: strings.Clone(record.CutText(text)), Ranges: g.q.Pattern.Find(text)})
		}
		if r.Verbatim {
			no++
		}
	}
	if len(lines) == 0 {
		return search.Hit{}, false
	}
	if !g.q.wants(r.Kind) {
		return search.Silent(r)
	}
	h := search.NewHit(r)
	h.Lines = lines
	if r.Shorten(); !g.q.Whole {
		r.Text = "" // only its lines are wanted
	}
	return h, true
}

// cut leaves of a record's lines what the limits still allow.
func (g *grep) cut(path string, lines []Line) []Line {
	if g.path != path {
		g.path, g.inSrc = path, 0
	}
	if n := g.q.PerSource; n != 0 {
		lines = lines[:max(0, min(len(lines), n-g.inSrc))]
	}
	if n := g.q.Limit; n != 0 {
		lines = lines[:max(0, min(len(lines), n-g.total))]
	}
	g.inSrc += len(lines)
	g.total += len(lines)
	return lines
}

// run reads a selection, folds copies and twins, names what is left, and hands it
// to take in order.
func (l *Library) run(ctx context.Context, q Selection, plan agent.Plan, keep func(*record.Record) (search.Hit, bool), take func(*search.Tally, search.Hit) error) (*record.Answer, error) {
	w, srcs, tally, err := l.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	var also map[agent.Mark][]string
	if q.Also {
		if also, err = l.copies(ctx, w, srcs, plan, keep); err != nil {
			return nil, err
		}
	}
	f := search.Folder{Superseded: q.Superseded, Copies: q.Copies, Hidden: tally.Hidden()}
	err = search.Each(ctx, srcs, l.opts.Workers, plan, tally, forAll(keep), func(s search.Source, h search.Hit) error {
		show, shared := f.Show(s, h)
		if !show {
			return nil
		}
		w.nameRecord(s, h.Record, shared)
		if h.Record.Flags&record.Copy == 0 {
			h.Record.Also = also[h.Mark()]
		}
		return take(tally, h)
	})
	return tally.Answer(), err
}

func forAll(keep func(*record.Record) (search.Hit, bool)) func(search.Source) func(*record.Record) (search.Hit, bool) {
	return func(search.Source) func(*record.Record) (search.Hit, bool) { return keep }
}

// copies reads a selection for the handles of the copies of each record.
func (l *Library) copies(ctx context.Context, w *world, srcs []search.Source, plan agent.Plan, keep func(*record.Record) (search.Hit, bool)) (map[agent.Mark][]string, error) {
	also := map[agent.Mark][]string{}
	f := search.Folder{Superseded: true, Copies: true, Hidden: &record.Hidden{}}
	err := search.Each(ctx, srcs, l.opts.Workers, plan, &search.Tally{}, forAll(keep), func(s search.Source, h search.Hit) error {
		if show, _ := f.Show(s, h); show && h.Record.Flags&record.Copy != 0 {
			w.nameRecord(s, h.Record, true)
			also[h.Mark()] = append(also[h.Mark()], h.Record.Handle)
		}
		return nil
	})
	return also, err
}
