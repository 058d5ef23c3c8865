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
	literals := required(tree)
	if len(literals) == 0 {
		return nil
	}
	set := needle.New(literals)
	if set == nil {
		return nil
	}
	return set
}

// required gives literals of which every match contains at least one, or nil when
// nothing is known to stand in every match.
func required(re *syntax.Regexp) []needle.Literal {
	switch re.Op {
	case syntax.OpLiteral:
		return []needle.Literal{{Text: string(re.Rune), Fold: re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle.Literal
		for _, sub := range re.Sub {
			if r := required(sub); shortest(r) > shortest(best) {
				best = r
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle.Literal
		for _, sub := range re.Sub {
			r := required(sub)
			if r == nil {
				return nil
			}
			all = append(all, r...)
		}
		return all
	}
	return nil
}

// shortest is the weight of the literal that narrows a search least, 0 for none.
func shortest(literals []needle.Literal) int {
	n := 0
	for i, l := range literals {
		if size := needle.Weight(l); i == 0 || size < n {
			n = size
		}
	}
	return n
}
