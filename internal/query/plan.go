package query

// Tri is an answer that may have to wait for more facts.
type Tri int8

// The answers.
const (
	False Tri = iota
	Unknown
	True
)

func (t Tri) String() string { return [...]string{"false", "unknown", "true"}[t] }

// not turns an answer round.
func (t Tri) not() Tri { return True - t }

func triOf(passed, known bool) Tri {
	switch {
	case !known:
		return Unknown
	case passed:
		return True
	}
	return False
}

// degree says how an expression holds for a record. A word may stand in the title
// of the session instead of the record, but a record of which nothing but words in
// its title speak is no hit. So And takes the best degree of its parts, except
// that what holds by title spoils what asks for no words; Or takes the best.
type degree int8

const (
	no      degree = iota
	byTitle        // only with words of the title
	byField        // no word was needed
	byText         // with a word of the record's text
)

// bounds are the least and the most that a degree may be when all is known. And
// and Or never fall when a part rises, so bounds of the parts give theirs.
type bounds struct{ least, most degree }

func exactly(d degree) bounds { return bounds{d, d} }

func (b bounds) tri() Tri {
	switch {
	case b.most < byField:
		return False
	case b.least >= byField:
		return True
	}
	return Unknown
}

// Plan is a compiled query. It may be used from many goroutines.
type Plan struct{ root node }

// Compile makes a plan. The only error it gives is that of a wrong Regexp, which
// Parse has refused before.
func Compile(e Expr, o Options) (*Plan, error) {
	root, err := compile(Simplify(e), o)
	return &Plan{root}, err
}

// Eval decides a subject as far as it is known. For a record, True means that it
// is a hit; for a session that it is one by its title and its fields alone.
func (p *Plan) Eval(s *Subject) Tri { return p.root.eval(s).tri() }

// Match reports whether the plan matches a subject of which all is known.
func (p *Plan) Match(s *Subject) bool { return p.Eval(s) == True }

// Given gives a plan for the subjects of which what is known of s holds: the same
// answers, less work, and Required may name more.
func (p *Plan) Given(s *Subject) *Plan { return &Plan{p.root.given(s)} }

// node is a part of a plan.
type node interface {
	eval(*Subject) bounds
	given(*Subject) node
	needs(Literals) needs
	mark(t *text, title bool, found func(Range))
	costly() bool
}

type (
	allOf []node
	anyIn []node
	fixed degree // constants hold byField or not at all
)

func (n allOf) eval(s *Subject) bounds {
	out := exactly(byField)
	for _, part := range n {
		b := part.eval(s)
		if b.most == no {
			return b
		}
		out = bounds{both(out.least, b.least), both(out.most, b.most)}
	}
	return out
}

// both gives the degree of an And of two parts.
func both(a, b degree) degree {
	if lower := min(a, b); lower == no || max(a, b) < byText {
		return lower
	}
	return byText
}

func (n anyIn) eval(s *Subject) bounds {
	out := exactly(no)
	for _, part := range n {
		b := part.eval(s)
		out = bounds{max(out.least, b.least), max(out.most, b.most)}
		if out.least == byText {
			break
		}
	}
	return out
}

func (f fixed) eval(*Subject) bounds { return exactly(degree(f)) }

func (n allOf) given(s *Subject) node {
	var out allOf
	for _, part := range n {
		switch part = part.given(s); part {
		case fixed(no):
			return part
		case fixed(byField):
		default:
			out = append(out, part)
		}
	}
	return left(out, out, byField)
}

func (n anyIn) given(s *Subject) node {
	var out anyIn
	for _, part := range n {
		if part = part.given(s); part != fixed(no) {
			out = append(out, part)
		}
	}
	return left(out, out, no)
}

// left gives what is left of an And or an Or: the whole of it, its only part, or
// what it comes to without any.
func left(whole node, parts []node, none degree) node {
	switch len(parts) {
	case 0:
		return fixed(none)
	case 1:
		return parts[0]
	}
	return whole
}

func (f fixed) given(*Subject) node { return f }
