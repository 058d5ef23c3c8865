package query

import (
	"regexp/syntax"
	"slices"
)

// Literal is a text, in composed form, that stands in another; in any case where
// Fold is set.
type Literal struct {
	Text string
	Fold bool
}

// Alternatives are literals of which one at least stands in a text.
type Alternatives []Literal

// Literals gives what every match of a regular expression holds: one literal at
// least of each list.
type Literals func(*syntax.Regexp) [][]Literal

// Required gives what the text of every record holds that the plan matches: a
// literal of each of the alternatives. An empty list says nothing, and empty
// alternatives say that no record matches. A word that may stand in the title
// instead is required only if the plan was Given a subject whose title is known
// and lacks it; of several such words one at least is required all the same.
//
// of tells the literals of regular expressions; without it a simple one serves.
func (p *Plan) Required(of Literals) []Alternatives {
	if of == nil {
		of = literalsOf
	}
	return p.root.needs(of).byField
}

// clauses are alternatives of which each is needed.
type clauses []Alternatives

// impossible is what nothing holds.
var impossible = clauses{{}}

// needs tells what is needed for a node to come to each degree or a higher one.
type needs struct{ byTitle, byField, byText clauses }

func (f fixed) needs(Literals) needs {
	if degree(f) == no {
		return needs{impossible, impossible, impossible}
	}
	return filterNeeds
}

// filterNeeds is what filters need: nothing of a text, of which they say nothing.
var filterNeeds = needs{byText: impossible}

func (field) needs(Literals) needs  { return filterNeeds }
func (moment) needs(Literals) needs { return filterNeeds }

func (w word) needs(of Literals) needs {
	if w.negated {
		return filterNeeds
	}
	own := w.find.pieces(of)
	if w.titled && w.title != False {
		return needs{byField: own, byText: own}
	}
	return needs{own, own, own}
}

func (n anyIn) needs(of Literals) needs {
	out := needs{impossible, impossible, impossible}
	for _, part := range n {
		m := part.needs(of)
		out = needs{either(out.byTitle, m.byTitle), either(out.byField, m.byField), either(out.byText, m.byText)}
	}
	return out
}

func (n allOf) needs(of Literals) needs {
	var titles, fields clauses
	some := impossible
	for _, part := range n {
		m := part.needs(of)
		titles, fields, some = all(titles, m.byTitle), all(fields, m.byField), either(some, m.byText)
	}
	return needs{titles, all(titles, either(some, fields)), all(titles, some)}
}

// all gives what is needed where both are.
func all(a, b clauses) clauses { return tidy(append(slices.Clone(a), b...)) }

// Bounds of what is kept exactly.
const (
	maxClauses      = 16
	maxAlternatives = 64
)

// either gives what is needed where one of two is. Where that would be too much it
// gives less.
func either(a, b clauses) clauses {
	if len(a)*len(b) > maxClauses {
		a, b = clauses{best(a)}, clauses{best(b)}
	}
	var out clauses
	for _, x := range a {
		for _, y := range b {
			if c := union(x, y); len(c) <= maxAlternatives {
				out = append(out, c)
			}
		}
	}
	return tidy(out)
}

func union(a, b Alternatives) Alternatives {
	out := slices.Clone(a)
	for _, l := range b {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// tidy leaves out alternatives that follow from others.
func tidy(in clauses) clauses {
	var out clauses
	for i, c := range in {
		follows := false
		for j, d := range in {
			if i != j && within(d, c) && (j < i || !within(c, d)) {
				follows = true
				break
			}
		}
		if !follows {
			out = append(out, c)
		}
	}
	return out
}

// within reports whether all of a is in b.
func within(a, b Alternatives) bool {
	for _, l := range a {
		if !slices.Contains(b, l) {
			return false
		}
	}
	return true
}

// best chooses the alternatives that say most: those whose shortest literal is the
// longest.
func best(c clauses) Alternatives {
	return slices.MaxFunc(c, func(a, b Alternatives) int { return shortest(a) - shortest(b) })
}

func shortest(a Alternatives) int {
	if len(a) == 0 {
		return 1 << 30 // nothing says more than that there is no match
	}
	n := len(a[0].Text)
	for _, l := range a {
		n = min(n, len(l.Text))
	}
	return n
}

// literalsOf takes the literals of a regular expression as they stand in it.
func literalsOf(re *syntax.Regexp) [][]Literal {
	var out [][]Literal
	for _, c := range clausesOf(re) {
		out = append(out, c)
	}
	return out
}

func clausesOf(re *syntax.Regexp) clauses {
	switch re.Op {
	case syntax.OpLiteral:
		return clauses{{Literal{string(re.Rune), re.Flags&syntax.FoldCase != 0}}}
	case syntax.OpCapture, syntax.OpPlus:
		return clausesOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return clausesOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var out clauses
		for _, sub := range re.Sub {
			out = all(out, clausesOf(sub))
		}
		return out
	case syntax.OpAlternate:
		out := impossible
		for _, sub := range re.Sub {
			out = either(out, clausesOf(sub))
		}
		return out
	case syntax.OpNoMatch:
		return impossible
	}
	return nil
}
