package query

// Expr is a query as a tree of And, Or, Not and Const over the terms Text,
// Regexp and Filter.
type Expr interface{ isExpr() }

// And holds where all of its parts do, Or where one does.
type (
	And []Expr
	Or  []Expr
)

// Not holds where X does not.
type Not struct{ X Expr }

// Const holds everywhere or nowhere. Const(true) is the empty query; Const(false)
// comes only from simplifying what was not typed, and has no spelling.
type Const bool

// Text is a word or a phrase that is looked for in a record's text or, when some
// other term stands in the text, in its session's title.
type Text struct{ Value string }

// Regexp is a regular expression that is looked for as a Text is.
type Regexp struct{ Source string }

// Filter asks for a value of a field.
type Filter struct {
	Field string // a name of the registry
	Op    Op
	Value string // empty for Present; the lower end for Range
	To    string // the upper end for Range; "*" leaves an end open
}

// Op says how a field is compared with a value.
type Op int

// The comparisons.
const (
	Is        Op = iota // field:value, field:"a value"
	Glob                // field:a*
	Present             // field:*
	Above               // field:>value
	AtLeast             // field:>=value
	Below               // field:<value
	AtMost              // field:<=value
	InBetween           // field:[a TO b]
)

// signs are how comparisons are written, the longer ones first.
var signs = []struct {
	sign string
	op   Op
}{{">=", AtLeast}, {"<=", AtMost}, {">", Above}, {"<", Below}}

func (And) isExpr()    {}
func (Or) isExpr()     {}
func (Not) isExpr()    {}
func (Const) isExpr()  {}
func (Text) isExpr()   {}
func (Regexp) isExpr() {}
func (Filter) isExpr() {}

// not negates an expression without ever making a Not of a Not.
func not(e Expr) Expr {
	switch e := e.(type) {
	case Not:
		return e.X
	case Const:
		return !e
	}
	return Not{e}
}

// Terms visits every term of an expression in order, and tells whether it stands
// under an odd number of negations.
func Terms(e Expr, visit func(term Expr, negated bool)) { terms(e, false, visit) }

func terms(e Expr, negated bool, visit func(Expr, bool)) {
	switch e := e.(type) {
	case And:
		for _, x := range e {
			terms(x, negated, visit)
		}
	case Or:
		for _, x := range e {
			terms(x, negated, visit)
		}
	case Not:
		terms(e.X, !negated, visit)
	case Const:
	default:
		visit(e, negated)
	}
}
