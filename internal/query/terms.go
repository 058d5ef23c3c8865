package query

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"time"

	"github.com/seshat-dev/seshat/internal/nfc"
)

// compile makes a node of a simple expression.
func compile(e Expr, o Options) (node, error) {
	switch e := e.(type) {
	case And:
		parts, err := compileAll(e, o)
		// What is quickly decided comes first, so that texts are seldom read.
		slices.SortStableFunc(parts, func(a, b node) int { return rank(a) - rank(b) })
		return allOf(parts), err
	case Or:
		parts, err := compileAll(e, o)
		return anyIn(parts), err
	case Const:
		if e {
			return fixed(byField), nil
		}
		return fixed(no), nil
	case Not:
		return term(e.X, true, o)
	}
	return term(e, false, o)
}

func compileAll(parts []Expr, o Options) ([]node, error) {
	var out []node
	for _, p := range parts {
		n, err := compile(p, o)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func rank(n node) int {
	if n.costly() {
		return 1
	}
	return 0
}

func term(e Expr, negated bool, o Options) (node, error) {
	switch e := e.(type) {
	case Text:
		return word{find: literal{newNeedle(e.Value)}, titled: true, title: Unknown, negated: negated}, nil
	case Regexp:
		m, err := o.regexp(e.Source)
		if err != nil {
			return fixed(no), err
		}
		return word{find: newExpression(m, compose(e.Source)), titled: true, title: Unknown, negated: negated}, nil
	case Filter:
		return filterNode(e, negated, o)
	}
	return nil, fmt.Errorf("no term: %T", e)
}

func filterNode(e Filter, negated bool, o Options) (node, error) {
	f, known := Lookup(e.Field)
	switch {
	case !known:
		return fixed(no), fmt.Errorf("there is no field %q", e.Field)
	case e.Field == "text" && e.Op == Present:
		return word{find: something{}, negated: negated}, nil
	case e.Field == "text":
		return word{find: literal{newNeedle(e.Value)}, negated: negated}, nil
	case f.Match == ByTime:
		return moment{timeTest(e, o.Now), negated}, nil
	}
	n := field{name: e.Field, test: valueTest(f, e, o), negated: negated}
	if f.Match == ByProject && isPath(o.path(e.Value)) {
		n.name = projectPath
	}
	if e.Field == "title" && e.Op == Is {
		n.needle = newNeedle(e.Value)
	}
	return n, nil
}

// regexp compiles a regular expression. It is read by itself first, so that an error
// shows what was typed and not what is put around it.
func (o Options) regexp(source string) (Matcher, error) {
	source = compose(source)
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return nil, err
	}
	if o.Regexp != nil {
		return o.Regexp(source)
	}
	re, err := regexp.Compile(foldLines + source)
	return goRegexp{re}, err
}

// foldLines makes an expression fold case, and know lines.
const foldLines = "(?im)"

// goRegexp is a Matcher of Go's own engine.
type goRegexp struct{ re *regexp.Regexp }

func (g goRegexp) Match(s string) bool { return g.re.MatchString(compose(s)) }

func (g goRegexp) Find(s string) [][]int {
	composed := compose(s)
	found := g.re.FindAllStringIndex(composed, -1)
	if composed != s {
		_, places := nfc.Compose(s)
		for _, r := range found {
			r[0], r[1] = places.Original(r[0], r[1])
		}
	}
	return found
}

// finder looks for something in a text.
type finder interface {
	match(*text) bool
	all(*text, func(Range)) // places in the text as it is
	pieces(Literals) clauses
}

// word is a term that stands in a text.
type word struct {
	find    finder
	titled  bool // it may stand in the title instead, if it is not negated
	negated bool
	title   Tri // whether it does
}

func (w word) eval(s *Subject) bounds {
	if w.negated {
		return w.evalAbsent(s)
	}
	b := bounds{no, byText}
	switch {
	case !s.read():
	case w.stands(s):
		return exactly(byText)
	default:
		b.most = no
	}
	switch w.inTitle(s) {
	case True:
		return bounds{byTitle, max(b.most, byTitle)}
	case Unknown:
		b.most = max(b.most, byTitle)
	}
	return b
}

// evalAbsent decides a negated word. It asks for the record's own text: what stands
// in the title speaks for a record and never against it.
func (w word) evalAbsent(s *Subject) bounds {
	switch {
	case !s.read():
		return bounds{no, byField}
	case w.stands(s):
		return exactly(no)
	}
	return exactly(byField)
}

// stands reports whether the word is in the subject's own text.
func (w word) stands(s *Subject) bool {
	return (w.titled || s.session == nil) && w.find.match(&s.body)
}

// inTitle tells whether the word is in the title where that counts.
func (w word) inTitle(s *Subject) Tri {
	if !w.titled || s.session != nil {
		return False
	}
	title, known := s.title()
	if w.title != Unknown || !known {
		return w.title
	}
	return triOf(w.find.match(title), true)
}

func (w word) given(s *Subject) node {
	if !w.negated {
		w.title = w.inTitle(s)
	}
	return w
}

func (w word) costly() bool { return true }

// field is a filter on values.
type field struct {
	name    string
	test    func(string) bool
	negated bool
	needle  *needle // what to mark in a title
}

func (f field) eval(s *Subject) bounds { return decided(triOf(s.each(f.name, f.test)), f.negated) }
func (f field) given(s *Subject) node  { return settle(f, f.eval(s)) }
func (f field) costly() bool           { return f.name == "file" }

// moment is a filter on times.
type moment struct {
	in      func(first, last time.Time) bool
	negated bool
}

func (m moment) eval(s *Subject) bounds {
	if !s.read() {
		return decided(Unknown, m.negated)
	}
	return decided(triOf(m.in(s.times()), true), m.negated)
}

func (m moment) given(s *Subject) node { return settle(m, m.eval(s)) }
func (m moment) costly() bool          { return false }

// decided gives the bounds of a filter.
func decided(t Tri, negated bool) bounds {
	if negated {
		t = t.not()
	}
	switch t {
	case True:
		return exactly(byField)
	case False:
		return exactly(no)
	}
	return bounds{no, byField}
}

// settle gives the constant that a filter came to, or the filter.
func settle(n node, b bounds) node {
	if b.least == b.most {
		return fixed(b.least)
	}
	return n
}

func (n allOf) costly() bool { return slices.ContainsFunc(n, node.costly) }
func (n anyIn) costly() bool { return slices.ContainsFunc(n, node.costly) }
func (f fixed) costly() bool { return false }
