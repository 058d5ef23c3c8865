package query

import (
	"fmt"
	"slices"
	"strings"
)

// Empty reports whether nothing was asked for.
func (q *Query) Empty() bool { return q.Expr == Const(true) }

// Uses reports whether a field stands in the query.
func (q *Query) Uses(field string) bool {
	used := false
	Terms(q.Expr, func(term Expr, _ bool) {
		f, ok := term.(Filter)
		used = used || ok && f.Field == field
	})
	return used
}

// AsksFor reports whether the query asks somewhere, not negated, for a value of a
// field, as is:superseded does.
func (q *Query) AsksFor(field, value string) bool {
	asked := false
	Terms(q.Expr, func(term Expr, negated bool) {
		f, ok := term.(Filter)
		if !ok || negated || f.Field != field || f.Op != Is && f.Op != Glob {
			return
		}
		row, _ := Lookup(field)
		asked = asked || valueTest(row, f, Options{})(value)
	})
	return asked
}

// Clash refuses a flag and a field that say the same thing. flags are the names of
// the flags that were given, with or without their dashes.
func (q *Query) Clash(flags []string) error {
	for _, f := range fields {
		given := slices.ContainsFunc(flags, func(flag string) bool { return strings.TrimLeft(flag, "-") == f.Name })
		if given && q.Uses(f.Name) {
			return fmt.Errorf("--%s and %s: say the same thing twice; give one of them", f.Name, f.Name)
		}
	}
	return nil
}

// Complete gives what a word that is being typed may become: names of fields, or
// the values of one where all of them are known. values gives those of fields such
// as agent and store, and may be nil.
func Complete(word string, values func(field string) []string) []string {
	minus := ""
	if strings.HasPrefix(word, "-") {
		minus, word = "-", word[1:]
	}
	var out []string
	name, begun, isValue := strings.Cut(word, ":")
	if !isValue {
		for _, f := range fields {
			if strings.HasPrefix(f.Name, word) {
				out = append(out, minus+f.Name+":")
			}
		}
		return out
	}
	f, ok := Lookup(name)
	if !ok {
		return nil
	}
	all := f.Values
	if all == nil && values != nil {
		all = values(name)
	}
	for _, v := range all {
		if strings.HasPrefix(v, begun) {
			out = append(out, minus+name+":"+spellValue(v))
		}
	}
	return out
}
