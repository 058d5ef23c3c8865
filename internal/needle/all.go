package needle

import (
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
)

// Best gives the list that narrows a search most, or nil when none does. What a list
// is worth is what its weakest literal is.
func Best(lists [][]Literal) []Literal {
	var best []Literal
	most := 0
	for _, list := range lists {
		weights := make([]int, len(list))
		for i, l := range list {
			weights[i] = Weight(l)
		}
		if len(list) > 0 && slices.Min(weights) > most {
			best, most = list, slices.Min(weights)
		}
	}
	return best
}

// All finds the lines in which, for each of some lists, one of its literals may stand.
// It is nil when no list can be found by its bytes.
func All(lists [][]Literal) agent.ByteTest {
	best := Best(lists)
	if best == nil {
		return nil
	}
	a := all{first: New(best)}
	if a.first == nil {
		return nil
	}
	for _, list := range lists {
		if set := New(list); set != nil && !slices.Equal(list, best) && len(a.others) < maxOthers {
			a.others = append(a.others, set)
		}
	}
	if len(a.others) == 0 {
		return a.first
	}
	return a
}

// maxOthers bounds how many more lists a line is held against.
const maxOthers = 4

// all is several sets that must all find something in a line.
type all struct {
	first  *Set
	others []*Set
}

// Loose gives the test for texts of which a record may take from several lines.
func (a all) Loose() agent.ByteTest { return a.first }

// Next gives the first place of the first set in a line where all find something.
func (a all) Next(b []byte, from int) int {
	for from <= len(b) {
		at := a.first.Next(b, from)
		if at < 0 {
			return -1
		}
		start, end := lines.LineAt(b, at)
		if a.hold(b[start:end]) {
			return at
		}
		from = end + 1
	}
	return -1
}

func (a all) hold(line []byte) bool {
	for _, s := range a.others {
		if s.Next(line, 0) < 0 {
			return false
		}
	}
	return true
}
