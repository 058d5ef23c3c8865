package seshat

import (
	"context"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// Records gives every record of a selection to visit, in the order of all
// answers, until visit fails.
func (l *Library) Records(ctx context.Context, q Selection, visit func(*record.Record) error) (*record.Answer, error) {
	w, srcs, tally, err := l.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	err = search.Each(ctx, srcs, l.opts.Workers, agent.Plan{Titles: true}, tally, keepKinds(q),
		func(s search.Source, r search.Record) error {
			w.nameRecord(s, r.Record)
			tally.Match(1)
			return visit(r.Record)
		})
	return tally.Answer(), err
}

func keepKinds(q Selection) func(search.Source) func(*record.Record) (search.Record, bool) {
	return func(search.Source) func(*record.Record) (search.Record, bool) {
		return func(r *record.Record) (search.Record, bool) { return search.Record{Record: r}, q.wants(r.Kind) }
	}
}

// Pattern is what Grep looks for.
type Pattern = search.Pattern

// PatternFlags say how patterns are meant.
type PatternFlags = search.Flags

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
	Titles    bool // records come with their titles and handles
}

// Match is a record with the lines of its text that match.
type Match struct {
	Record *record.Record // without its text unless Titles was asked for
	Lines  []Line
}

// Line is one line of a record's text that matches.
type Line struct {
	Text   string
	Ranges [][]int // byte ranges of the matches
}

// Grep gives every record with a matching line to visit, in the order of all
// answers, until visit fails.
func (l *Library) Grep(ctx context.Context, q GrepQuery, visit func(*Match) error) (*record.Answer, error) {
	w, srcs, tally, err := l.selected(ctx, q.Selection)
	if err != nil {
		return nil, err
	}
	plan := agent.Plan{Titles: q.Titles}
	if !q.Titles {
		plan.Candidate = q.Pattern.ByteTest()
	}
	g := grep{q: q}
	err = search.Each(ctx, srcs, l.opts.Workers, plan, tally, g.keep, func(s search.Source, m matched) error {
		g.cut(s, m.Match)
		if len(m.Lines) == 0 {
			return nil
		}
		if q.Titles {
			w.nameRecord(s, m.Record)
		}
		tally.Match(len(m.Lines))
		if err := visit(m.Match); err != nil {
			return err
		}
		if q.Limit > 0 && g.total >= q.Limit {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return tally.Answer(), err
}

type errEnoughType struct{}

func (errEnoughType) Error() string { return "enough" }

// errEnough ends a search that has what it was asked for; it never leaves the
// package.
var errEnough error = errEnoughType{}

type grep struct {
	q     GrepQuery
	total int
	inSrc int
	src   *agent.Source
}

type matched struct{ *Match }

// Weight is about how many bytes a match holds while it waits its turn.
func (m matched) Weight() int {
	n := len(m.Record.Text)
	for _, l := range m.Lines {
		n += len(l.Text)
	}
	return n
}

// keep gives what is wanted of a record of one source: its matching lines.
func (g *grep) keep(search.Source) func(*record.Record) (matched, bool) {
	return func(r *record.Record) (matched, bool) {
		if !g.q.wants(r.Kind) || !g.q.Pattern.MatchText(r.Text) {
			return matched{}, false
		}
		m := &Match{Record: r}
		for line := range strings.SplitSeq(r.Text, "\n") {
			if g.q.Pattern.Match(line) {
				m.Lines = append(m.Lines, Line{strings.Clone(line), g.q.Pattern.Find(line)})
			}
		}
		if !g.q.Titles {
			r.Text = "" // only its lines are wanted, and it may be large
		}
		return matched{m}, len(m.Lines) > 0
	}
}

// cut leaves of a match what the limits still allow.
func (g *grep) cut(s search.Source, m *Match) {
	if g.src != s.Source {
		g.src, g.inSrc = s.Source, 0
	}
	if n := g.q.PerSource; n > 0 {
		m.Lines = m.Lines[:min(len(m.Lines), n-g.inSrc)]
	}
	if n := g.q.Limit; n > 0 {
		m.Lines = m.Lines[:min(len(m.Lines), n-g.total)]
	}
	g.inSrc += len(m.Lines)
	g.total += len(m.Lines)
}
