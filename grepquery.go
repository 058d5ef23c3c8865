package seshat

import (
	"context"
	"errors"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// grepQuery gives the lines of the records that a query matches: those that hold what
// it looks for in texts, or all of them where it looks for none.
func (l *Library) grepQuery(ctx context.Context, q GrepQuery, visit func(*Match) error) (*record.Answer, error) {
	s, err := l.newScan(ctx, q.Selection, q.Query)
	if err != nil {
		return nil, err
	}
	s.whole = q.Whole
	also, err := l.copiesOf(ctx, q)
	if err != nil {
		return nil, err
	}
	g, x := grep{q: q}, l.redaction()
	s.hidden = g.counts() && !q.Whole
	s.lines = func(f *finding) { f.Lines = queryLines(s.words, f.Record, q) }
	err = s.run(ctx, func(src search.Source, f *finding) error {
		if f.Parts != 0 {
			return nil
		}
		lines, n := []Line(nil), g.allowed(f.Record.Path, len(f.Lines))
		if !g.counts() {
			lines, n = g.cut(f.Record.Path, f.Lines)
		}
		if n == 0 && len(f.Lines) > 0 {
			return nil
		}
		if f.Record.Flags&record.Copy == 0 {
			f.Record.Also = also[f.Mark()]
		}
		s.tally.Match(max(n, 1)) // its words may stand in the title, which has no line
		x.record(f.Record, f.Note)
		x.matched(lines)
		if err := visit(&Match{f.Record, lines, n, 1, src.Info.Size}); err != nil {
			return err
		}
		if q.Limit > 0 && g.total >= q.Limit {
			s.tally.Stop()
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return x.answer(s.tally.Answer()), err
}

// copiesOf gives the handles of the copies of what a query matches, if they are asked
// for. They stand behind it, so everything is read for them first.
func (l *Library) copiesOf(ctx context.Context, q GrepQuery) (map[agent.Mark][]string, error) {
	if !q.Also {
		return nil, nil
	}
	sel := q.Selection
	sel.Copies = false
	s, err := l.newScan(ctx, sel, q.Query)
	if err != nil {
		return nil, err
	}
	s.whole, s.hidden = q.Whole, true
	return s.also, s.run(ctx, func(search.Source, *finding) error { return nil })
}

// queryLines gives the lines of a record with what is looked for in them.
func queryLines(words *query.Plan, r *record.Record, q GrepQuery) []Line {
	w := window{before: q.Before, after: q.After}
	var found []query.Range
	if words != nil {
		found = words.Highlights(r.Text)
	}
	at, start := Line{No: r.Line, Offset: r.Offset}, 0
	for text := range strings.SplitSeq(r.Text, "\n") {
		end := start + len(text)
		for len(found) > 0 && found[0].To <= start {
			found = found[1:]
		}
		at.Text, at.From, at.Ranges = text, start, nil
		for _, f := range found {
			if f.From >= end && f.From > start {
				break
			}
			at.Ranges = append(at.Ranges, []int{max(f.From-start, 0), min(f.To-start, len(text))})
		}
		w.add(at, words == nil || len(at.Ranges) > 0)
		at.Index++
		if r.Verbatim {
			at.No++
			at.Offset += int64(len(text)) + 1
		}
		start = end + 1
	}
	for i := range w.out {
		l := &w.out[i]
		if l.Text = strings.Clone(record.CutText(l.Text)); l.Context {
			l.Ranges = nil
		}
	}
	return w.out
}
