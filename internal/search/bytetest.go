package search

import (
	"regexp/syntax"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
)

// byteTest gives a test that the raw JSON of every line with a match passes, or
// nil when the pattern has nothing that every match must contain and that can be
// found by its bytes.
func byteTest(tree *syntax.Regexp) agent.ByteTest {
	return needle.All(Required(tree))
}

// Required gives lists of literals; of each list every match contains at least one.
// Nothing is known to stand in every match where there is no list.
func Required(re *syntax.Regexp) [][]needle.Literal { return required(re, nil, nil) }

// required gives the literals of a part of an expression. before and after are the parts
// that stand beside it in every match, the nearest first.
func required(re *syntax.Regexp, before, after []*syntax.Regexp) [][]needle.Literal {
	switch re.Op {
	case syntax.OpLiteral:
		return [][]needle.Literal{{{Text: string(re.Rune), Fold: re.Flags&syntax.FoldCase != 0, Beside: beside(before, after)}}}
	case syntax.OpCapture:
		return required(re.Sub[0], before, after)
	case syntax.OpPlus:
		return required(re.Sub[0], nil, nil)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return append(required(re.Sub[0], nil, nil), runs([]*syntax.Regexp{re})...)
		}
	case syntax.OpConcat:
		all := runs(re.Sub)
		for i, sub := range re.Sub {
			left, right := reversed(re.Sub[:i]), re.Sub[i+1:]
			all = append(all, required(sub, append(left, before...), append(right[:len(right):len(right)], after...))...)
		}
		return all
	case syntax.OpAlternate:
		return alternatives(re.Sub, before, after)
	}
	return nil
}

// alternatives joins what the most telling list of each branch says.
func alternatives(branches, before, after []*syntax.Regexp) [][]needle.Literal {
	var all []needle.Literal
	for _, sub := range branches {
		best := needle.Best(required(sub, before, after))
		if best == nil {
			return nil
		}
		all = append(all, best...)
	}
	return [][]needle.Literal{all}
}

func reversed(parts []*syntax.Regexp) []*syntax.Regexp {
	out := make([]*syntax.Regexp, len(parts))
	for i, p := range parts {
		out[len(parts)-1-i] = p
	}
	return out
}
