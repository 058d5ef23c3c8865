package query

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/internal/nfc"
)

// literal finds a text.
type literal struct{ needle *needle }

func (l literal) match(t *text) bool {
	s, ascii := t.form()
	_, ok := l.needle.find(s, ascii)
	return ok
}

func (l literal) all(t *text, found func(Range)) {
	s, ascii := t.form()
	composed := s != t.raw
	var places nfc.Places
	if composed {
		s, places = nfc.Compose(t.raw)
	}
	for from := 0; from < len(s); {
		r, ok := l.needle.find(s[from:], ascii)
		if !ok || r.To == r.From {
			return
		}
		r = Range{r.From + from, r.To + from}
		from = r.To
		if composed {
			r.From, r.To = places.Original(r.From, r.To)
		}
		found(r)
	}
}

func (l literal) pieces(Literals) clauses { return clauses{{Literal{l.needle.text, true}}} }

// expression finds a regular expression.
type expression struct {
	matcher Matcher
	tree    *syntax.Regexp // nil where only the matcher understands it
	first   []*needle      // one of these stands in every match; nil when nothing is known
}

func newExpression(m Matcher, source string) expression {
	e := expression{matcher: m}
	e.tree, _ = syntax.Parse(foldLines+source, syntax.Perl)
	if c := e.pieces(literalsOf); len(c) > 0 {
		for _, l := range best(c) {
			e.first = append(e.first, newNeedle(l.Text))
		}
	}
	return e
}

// match looks for what must stand there before it asks the slower engine.
func (e expression) match(t *text) bool {
	s, ascii := t.form()
	possible := e.first == nil
	for _, n := range e.first {
		if _, ok := n.find(s, ascii); ok {
			possible = true
			break
		}
	}
	return possible && e.matcher.Match(s)
}

func (e expression) all(t *text, found func(Range)) {
	for _, r := range e.matcher.Find(t.raw) {
		if r[0] < r[1] {
			found(Range{r[0], r[1]})
		}
	}
}

// pieces leaves out what stands for U+FFFD: to an engine, bytes that are no text are
// that too.
func (e expression) pieces(of Literals) clauses {
	if e.tree == nil {
		return nil
	}
	var out clauses
	for _, c := range of(e.tree) {
		if !slices.ContainsFunc(c, func(l Literal) bool { return strings.ContainsRune(l.Text, utf8.RuneError) }) {
			out = append(out, Alternatives(c))
		}
	}
	return out
}

// something finds that there is a text at all.
type something struct{}

func (something) match(t *text) bool      { return t.raw != "" }
func (something) all(*text, func(Range))  {}
func (something) pieces(Literals) clauses { return nil }

// Highlights gives the places in a record's text that the query asks for, in order
// and apart from each other, as bytes of the text as it is.
func (p *Plan) Highlights(recordText string) []Range { return p.highlights(recordText, false) }

// TitleHighlights does so for the title of a session.
func (p *Plan) TitleHighlights(title string) []Range { return p.highlights(title, true) }

func (p *Plan) highlights(raw string, title bool) []Range {
	var all []Range
	p.root.mark(&text{raw: raw}, title, func(r Range) { all = append(all, withMarks(raw, r)) })
	return Joined(all)
}

func (w word) mark(t *text, title bool, found func(Range)) {
	if !w.negated && (w.titled || !title) {
		w.find.all(t, found)
	}
}

func (f field) mark(t *text, title bool, found func(Range)) {
	if title && f.needle != nil && !f.negated {
		literal{f.needle}.all(t, found)
	}
}

func (n allOf) mark(t *text, title bool, found func(Range)) { markAll(n, t, title, found) }
func (n anyIn) mark(t *text, title bool, found func(Range)) { markAll(n, t, title, found) }
func (moment) mark(*text, bool, func(Range))                {}
func (fixed) mark(*text, bool, func(Range))                 {}

func markAll(parts []node, t *text, title bool, found func(Range)) {
	for _, p := range parts {
		p.mark(t, title, found)
	}
}
