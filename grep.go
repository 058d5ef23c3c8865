package seshat

import (
	"context"
	"errors"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// Pattern is what Grep looks for.
type Pattern = search.Pattern

// PatternFlags say how patterns are meant.
type PatternFlags = search.Flags

// Line is one line of a record's text: one that matches, or one beside it.
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
	Query     *Query // instead of a pattern: records that match, and what of them does
	Invert    bool   // lines that do not match
	Before    int    // lines of the same record before each match
	After     int    // and behind it
	PerSource int    // stop after so many matching lines of a source; 0 is no limit, -1 none at all
	Limit     int    // stop after so many matching lines overall, likewise
	Whole     bool   // matches come with the whole record, its title and its handle
	Count     bool   // only the number of lines is wanted: matches come without them, and may be of many records
	Only      bool   // the parts of lines that match are wanted, and what is counted are these
}

// Match is a record with the lines of its text that match, and their neighbours.
type Match struct {
	Record *record.Record // without its text unless Whole was asked for; of many records only what they have in common
	Lines  []Line         // none where only their number is wanted
	Count  int            // how many lines match
	Of     int            // in how many records
	Bytes  int64          // size of the source
}

// errEnough ends a search that has what it was asked for; it never leaves the
// package.
var errEnough = errors.New("enough")

// Grep gives every record with a matching line to visit, in the order of all
// answers, until visit fails.
func (l *Library) Grep(ctx context.Context, q GrepQuery, visit func(*Match) error) (*record.Answer, error) {
	if q.Query != nil {
		return l.grepQuery(ctx, q, visit)
	}
	plan := agent.Plan{Titles: q.Whole, Bare: !q.Whole, Every: q.Whole, Candidate: q.Pattern.ByteTest()}
	if plan.Candidate == nil || q.Invert {
		plan.Candidate = agent.LineTest(func([]byte) bool { return true })
	}
	g, x := grep{q: q, l: l}, l.redaction()
	if g.summing() {
		plan.Count = &g
	}
	ans, err := l.run(ctx, q.Selection, plan, g.keep, func(tally *search.Tally, s search.Source, h search.Hit) error {
		n := g.allowed(h.Record.Path, h.Count)
		if !g.counts() {
			h.Lines, n = g.cut(h.Record.Path, h.Lines)
		}
		if n == 0 {
			return nil
		}
		tally.Match(n)
		if _, left := h.Note.(unfinished); left {
			h.Note = g.finish(h.Record, h.Lines)
		}
		x.record(h.Record, h.Note)
		x.matched(h.Lines)
		if err := visit(&Match{h.Record, h.Lines, n, max(1, h.Records), s.Info.Size}); err != nil {
			return err
		}
		if q.Limit > 0 && g.total >= q.Limit {
			tally.Stop()
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return x.answer(ans), err
}

// grep is one run of Grep.
type grep struct {
	q     GrepQuery
	l     *Library
	total int
	path  string // of the source that lines were counted of
	inSrc int
}

// keep gives what is wanted of a record: its matching lines with their
// neighbours.
func (g *grep) keep(r *record.Record) (search.Hit, bool) {
	var lines []Line
	n := 0
	if g.q.Invert || g.q.Pattern.MatchText(r.Text) {
		if g.counts() {
			n = g.count(r.Text)
		} else {
			lines = g.lines(r)
			n = len(lines)
		}
	}
	if n == 0 || !g.q.wants(r.Kind) {
		return search.Silent(r, g.q.Whole)
	}
	h := search.NewHit(r)
	h.Lines, h.Count = lines, n
	if g.q.Limit > 0 && len(r.Text) < soon {
		h.Note = unfinished{} // far more are read than are shown
		return h, true
	}
	h.Note = g.finish(r, lines)
	return h, true
}

// unfinished is the note of a record that is redacted when its turn comes.
type unfinished struct{}

// soon is how many bytes of a text are kept until it is known whether it is shown.
const soon = 64 << 10

// finish redacts what is shown of a record, lets the rest go, and gives a note of the
// credentials in it.
func (g *grep) finish(r *record.Record, lines []Line) (note any) {
	if len(lines) > 0 || g.q.Whole { // else nothing of the text is shown
		edits, values := g.l.credentialsIn(r.Text)
		redactLines(edits, lines)
		r.Text, note = edits.Apply(r.Text), noteOf(values)
	}
	if r.Shorten(); !g.q.Whole {
		r.Text = "" // only its lines are wanted
	}
	return note
}

// summing reports whether it does not matter which records the lines are of that are
// counted.
func (g *grep) summing() bool {
	return g.counts() && g.pointed() && g.q.Limit == 0 && !g.q.Whole && !g.q.Also && len(g.q.Branches) == 0
}

// Wants reports whether records of a kind are counted.
func (g *grep) Wants(k record.Kind) bool { return g.q.wants(k) }

// Count gives the number of matching lines of a text that was not decoded.
func (g *grep) Count(prefix, raw []byte) int { return g.q.Pattern.CountWritten(prefix, raw) }

// pointed reports whether only lines need be looked at that the byte test points at.
func (g *grep) pointed() bool { return g.q.Pattern.ByteTest() != nil && !g.q.Invert }

// count gives the number of a text's lines that are wanted.
func (g *grep) count(text string) (n int) {
	if g.pointed() {
		for range g.q.Pattern.Lines(text) {
			n++
		}
		return n
	}
	for line := range strings.SplitSeq(text, "\n") {
		if g.q.Pattern.Match(line) != g.q.Invert {
			n++
		}
	}
	return n
}

// lines gives the lines of a record that are wanted, with their neighbours.
func (g *grep) lines(r *record.Record) []Line {
	if !g.pointed() || g.q.Before > 0 || g.q.After > 0 {
		return g.everyLine(r)
	}
	var out []Line
	at, past := Line{No: r.Line, Offset: r.Offset}, 0
	for start, end := range g.q.Pattern.Lines(r.Text) {
		pass(&at, r.Text[past:start], r.Verbatim)
		at.Text, at.From, past = r.Text[start:end], start, start
		out = append(out, at)
	}
	return g.found(out)
}

// pass moves a line's place behind some text of its record.
func pass(at *Line, text string, verbatim bool) {
	n := strings.Count(text, "\n")
	if at.Index += n; verbatim {
		at.No += n
		at.Offset += int64(len(text))
	}
}

// everyLine looks at one line after the other.
func (g *grep) everyLine(r *record.Record) []Line {
	w := window{before: g.q.Before, after: g.q.After}
	at := Line{No: r.Line, Offset: r.Offset}
	for text := range strings.SplitSeq(r.Text, "\n") {
		at.Text = text
		w.add(at, g.q.Pattern.Match(text) != g.q.Invert)
		at.Index++
		at.From += len(text) + 1
		if r.Verbatim {
			at.No++
			at.Offset += int64(len(text)) + 1
		}
	}
	return g.found(w.out)
}

// found adds to lines what is to be printed of them.
func (g *grep) found(out []Line) []Line {
	for i := range out {
		l := &out[i]
		if !g.q.Invert && !l.Context {
			l.Ranges = g.q.Pattern.Find(l.Text)
		}
		l.Text = strings.Clone(record.CutText(l.Text))
	}
	return out
}

// window collects matching lines and so many lines before and behind each.
type window struct {
	before, after int
	out           []Line
	past          []Line // the last lines that were not taken
	due           int    // how many lines are still to be taken behind a match
}

func (w *window) add(l Line, match bool) {
	switch {
	case match:
		for _, p := range w.past {
			p.Context = true
			w.out = append(w.out, p)
		}
		w.past, w.due = w.past[:0], w.after
		w.out = append(w.out, l)
	case w.due > 0:
		w.due--
		l.Context = true
		w.out = append(w.out, l)
	case w.before > 0:
		if len(w.past) == w.before {
			w.past = append(w.past[:0], w.past[1:]...)
		}
		w.past = append(w.past, l)
	}
}

// counts reports whether lines are only counted.
func (g *grep) counts() bool { return g.q.Count && !g.q.Only }

// allowed counts n more matching lines of a source, as far as the limits allow.
func (g *grep) allowed(path string, n int) int {
	if !g.counts() {
		return 0
	}
	if g.path != path {
		g.path, g.inSrc = path, 0
	}
	for _, limit := range [][2]int{{g.q.PerSource, g.inSrc}, {g.q.Limit, g.total}} {
		if limit[0] != 0 {
			n = min(n, max(0, limit[0]-limit[1]))
		}
	}
	g.inSrc += n
	g.total += n
	return n
}

// cut leaves of a record's lines what the limits still allow, and counts the
// matching ones among them. Behind the last match its neighbours are kept.
func (g *grep) cut(path string, lines []Line) ([]Line, int) {
	if g.path != path {
		g.path, g.inSrc = path, 0
	}
	n := 0
	for i, l := range lines {
		if l.Context {
			continue
		}
		if g.full(g.q.PerSource, g.inSrc) || g.full(g.q.Limit, g.total) {
			for i > 0 && lines[i-1].Context && lines[i-1].Index >= l.Index-g.q.Before && !behind(lines[:i], g.q.After) {
				i-- // it stands there for the match that is not shown
			}
			return lines[:i], n
		}
		n++
		g.inSrc++
		g.total++
	}
	return lines, n
}

// full reports whether a limit is reached.
func (g *grep) full(limit, have int) bool { return limit < 0 || limit > 0 && have >= limit }

// behind reports whether the last of some lines is within reach of the match
// before it.
func behind(lines []Line, after int) bool {
	last := lines[len(lines)-1]
	for i := len(lines) - 1; i >= 0; i-- {
		if !lines[i].Context {
			return last.Index-lines[i].Index <= after
		}
	}
	return false
}
