package search

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/internal/needle"
)

// beside writes what stands next to a literal in every match, the nearest part first, as
// far as it is single characters in a row.
func beside(before, after []*syntax.Regexp) *needle.Beside {
	b := &needle.Beside{}
	for _, re := range before {
		more, ok := steps(re)
		slices.Reverse(more)
		if b.Before = append(b.Before, more...); !ok {
			break
		}
	}
	for _, re := range after {
		more, ok := steps(re)
		if b.After = append(b.After, more...); !ok {
			break
		}
	}
	if len(b.Before)+len(b.After) == 0 {
		return nil
	}
	return b
}

// steps writes a part of an expression as steps. ok is false where it is not written
// whole; then it gives none.
func steps(re *syntax.Regexp) (out []needle.Step, ok bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nil, true // they take no character
	case syntax.OpCapture:
		return steps(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			more, ok := steps(sub)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
		}
		return out, true
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			class, ok := classOf(literalClass(r, re.Flags&syntax.FoldCase != 0))
			if !ok {
				return nil, false
			}
			out = append(out, needle.Step{Class: class, Min: 1, Max: 1})
		}
		return out, true
	case syntax.OpCharClass:
		if class, ok := classOf(re.Rune); ok {
			return []needle.Step{{Class: class, Min: 1, Max: 1}}, true
		}
	case syntax.OpStar:
		return repeated(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		return repeated(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		return repeated(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return repeated(re.Sub[0], re.Min, re.Max)
	}
	return nil, false
}

// repeated writes a single character that comes several times.
func repeated(re *syntax.Regexp, least, most int) ([]needle.Step, bool) {
	out, ok := steps(re)
	if !ok || len(out) != 1 || out[0].Min != 1 || out[0].Max != 1 {
		return nil, false
	}
	if out[0].Min, out[0].Max = least, most; most == 0 {
		return nil, true
	}
	return out, true
}

// literalClass gives a character as a class, with those that it folds to.
func literalClass(r rune, fold bool) []rune {
	out := []rune{r, r}
	for f := unicode.SimpleFold(r); fold && f != r; f = unicode.SimpleFold(f) {
		out = append(out, f, f)
	}
	return out
}

// classOf gives the ASCII characters of a class that is written as ranges. A class with
// white space has none: white space of another kind or length may stand for it.
func classOf(ranges []rune) (c needle.Class, ok bool) {
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], utf8.RuneSelf-1); r++ {
			if r <= ' ' {
				return c, false
			}
			c.Add(byte(r))
		}
		if ranges[i] <= 0x3000 && ranges[i+1] >= 0x85 && spaceIn(ranges[i], ranges[i+1]) {
			return c, false
		}
	}
	return c, true
}

// spaceIn reports whether a range beyond ASCII holds white space.
func spaceIn(from, to rune) bool {
	for _, r := range "\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000" {
		if from <= r && r <= to {
			return true
		}
	}
	return false
}
