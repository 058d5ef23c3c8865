package query

// Simplify gives an expression that holds where e does, in one shape: Not stands
// at terms only, no And is part of an And and no Or of an Or, no part stands
// twice, and a Const stands only for the whole.
func Simplify(e Expr) Expr { return simplify(e, false) }

// simplify gives the simple form of e, or of its opposite.
func simplify(e Expr, negated bool) Expr {
	switch e := e.(type) {
	case Not:
		return simplify(e.X, !negated)
	case Const:
		return Const(bool(e) != negated)
	case And:
		return join(!negated, e, negated)
	case Or:
		return join(negated, e, negated)
	}
	if negated {
		return Not{e}
	}
	return e
}

// join simplifies parts and joins them, by And where all is set, else by Or.
func join(all bool, parts []Expr, negated bool) Expr {
	var out []Expr
	seen := map[Expr]bool{}
	for _, p := range parts {
		p = simplify(p, negated)
		if c, ok := p.(Const); ok {
			if bool(c) != all {
				return c
			}
			continue
		}
		for _, x := range siblings(all, p) {
			if comparable := isTerm(x); !comparable || !seen[x] {
				out = append(out, x)
				if comparable {
					seen[x] = true
				}
			}
		}
	}
	switch {
	case len(out) == 0:
		return Const(all)
	case len(out) == 1:
		return out[0]
	case all:
		return And(out)
	}
	return Or(out)
}

// siblings gives the parts of an expression of the same kind, else itself.
func siblings(all bool, e Expr) []Expr {
	if and, ok := e.(And); ok && all {
		return and
	}
	if or, ok := e.(Or); ok && !all {
		return or
	}
	return []Expr{e}
}

// isTerm reports whether a simple expression is a term or a negated one.
func isTerm(e Expr) bool {
	switch e.(type) {
	case And, Or:
		return false
	}
	return true
}
