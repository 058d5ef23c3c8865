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
func Required(re *syntax.Regexp) [][]needle.Literal {
	switch re.Op {
	case syntax.OpLiteral:
		return [][]needle.Literal{{{Text: string(re.Rune), Fold: re.Flags&syntax.FoldCase != 0}}}
	case syntax.OpCapture, syntax.OpPlus:
		return Required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return Required(re.Sub[0])
		}
	case syntax.OpConcat:
		var all [][]needle.Literal
		for _, sub := range re.Sub {
			all = append(all, Required(sub)...)
		}
		return all
	case syntax.OpAlternate:
		return alternatives(re.Sub)
	}
	return nil
}

// alternatives joins what the most telling list of each branch says.
func alternatives(branches []*syntax.Regexp) [][]needle.Literal {
	var all []needle.Literal
	for _, sub := range branches {
		best := needle.Best(Required(sub))
		if best == nil {
			return nil
		}
		all = append(all, best...)
	}
	return [][]needle.Literal{all}
}
