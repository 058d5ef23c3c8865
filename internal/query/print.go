package query

import (
	"strings"
	"unicode"
)

// Print writes an expression as a query. Parsing it gives the expression back, if
// it was typed once; Simplify's forms come back too, but for Const(false).
func Print(e Expr) string {
	var p printer
	p.print(e, 0)
	return p.String()
}

// String writes the query in one canonical spelling.
func (q *Query) String() string { return Print(q.Expr) }

type printer struct{ strings.Builder }

// How tightly an expression binds, from loose to tight.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
)

// print writes e inside an expression that binds so tightly, in parentheses where
// it needs them.
func (p *printer) print(e Expr, around int) {
	switch e := e.(type) {
	case Or:
		p.join(e, " OR ", bindOr, around)
	case And:
		p.join(e, " ", bindAnd, around)
	case Not:
		p.WriteString("NOT ")
		p.print(e.X, bindNot)
	case Text:
		p.WriteString(spell(e.Value))
	case Regexp:
		p.WriteString("/" + e.Source + "/")
	case Filter:
		p.filter(e)
	}
}

func (p *printer) join(parts []Expr, between string, bind, around int) {
	if around >= bind {
		p.WriteString("(")
		defer p.WriteString(")")
	}
	for i, x := range parts {
		if i > 0 {
			p.WriteString(between)
		}
		p.print(x, bind)
	}
}

func (p *printer) filter(f Filter) {
	p.WriteString(f.Field + ":")
	switch f.Op {
	case Is:
		p.WriteString(spellValue(f.Value))
	case Glob:
		p.WriteString(f.Value)
		if strings.Contains(f.Value, "(") {
			p.WriteString(" ") // so that it takes in no parenthesis of a group
		}
	case Present:
		p.WriteString("*")
	case InBetween:
		p.WriteString("[" + f.Value + " TO " + f.To + "]")
	default:
		for _, s := range signs {
			if s.op == f.Op {
				p.WriteString(s.sign + spellValue(f.Value))
			}
		}
	}
}

// spell writes a text, in quotes where it would read as something else.
func spell(s string) string {
	switch {
	case s == "OR", s == "AND", s == "NOT", s == "TO", strings.HasPrefix(s, "-"), strings.HasPrefix(s, "/"), strings.Contains(s, ":"):
		return quote(s)
	}
	return quoteOdd(s)
}

// spellValue writes the value of a field, in quotes where it would read as a glob, a
// comparison or a range.
func spellValue(s string) string {
	if strings.ContainsAny(s, "*?<>[=") || strings.HasPrefix(s, ":") || strings.HasPrefix(s, "//") {
		return quote(s)
	}
	return quoteOdd(s)
}

func quoteOdd(s string) string {
	if strings.ContainsAny(s, `"()`) || strings.ContainsFunc(s, unicode.IsSpace) {
		return quote(s)
	}
	return s
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s string) string { return `"` + escapes.Replace(s) + `"` }
