package search

import (
	"regexp/syntax"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/internal/needle"
)

// runs gives what stands in every match of some parts in a row: runs of characters that
// each are of a class, where one of them is no single character.
func runs(parts []*syntax.Regexp) [][]needle.Literal {
	var r runFinder
	r.parts(parts)
	r.end()
	return r.found
}

type runFinder struct {
	now    needle.Run
	varied bool // a class of now has several characters
	found  [][]needle.Literal
}

// end closes the run that is being gathered.
func (r *runFinder) end() {
	if r.varied && len(r.now.Classes) > 1 {
		run := r.now
		r.found = append(r.found, []needle.Literal{{Run: &run}})
	}
	r.now, r.varied = needle.Run{}, false
}

func (r *runFinder) parts(parts []*syntax.Regexp) {
	for _, re := range parts {
		r.part(re)
	}
}

func (r *runFinder) part(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary: // they take no character
	case syntax.OpCapture, syntax.OpConcat:
		r.parts(re.Sub)
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			r.class(literalClass(c, re.Flags&syntax.FoldCase != 0), 1)
		}
	case syntax.OpCharClass:
		r.class(re.Rune, 1)
	case syntax.OpPlus:
		r.repeated(re.Sub[0], 1, -1)
	case syntax.OpRepeat:
		r.repeated(re.Sub[0], re.Min, re.Max)
	default:
		r.end()
	}
}

// repeated takes a class that comes several times: as often as it must at the end of one
// run, and at the beginning of the next.
func (r *runFinder) repeated(re *syntax.Regexp, least, most int) {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	class := re.Rune
	switch {
	case re.Op == syntax.OpLiteral && len(re.Rune) == 1:
		class = literalClass(re.Rune[0], re.Flags&syntax.FoldCase != 0)
	case re.Op != syntax.OpCharClass:
		r.end()
		return
	}
	if r.class(class, least); least != most {
		r.end()
		r.class(class, least)
	}
}

// class adds a class that is written as ranges so many times, or ends the run where it
// has characters that are not found by their bytes.
func (r *runFinder) class(ranges []rune, times int) {
	class, beyond, ok := plainClass(ranges)
	if !ok {
		r.end()
		return
	}
	for range min(times, maxRun-len(r.now.Classes)) {
		r.now.Classes = append(r.now.Classes, class)
		r.varied = r.varied || len(ranges) > 2 || ranges[0] != ranges[1]
	}
	if times > 0 {
		r.now.Beyond = append(r.now.Beyond, beyond...)
	}
}

// maxRun bounds how long a run is that is looked for.
const maxRun = 32

// plainClass gives a class of letters, digits, _ and -, and what beyond ASCII folds to
// one of them.
func plainClass(ranges []rune) (c needle.Class, beyond []rune, ok bool) {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > utf8.RuneSelf {
			return c, nil, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			switch {
			case r == 'ſ' || r == '\u212a':
				beyond = append(beyond, r)
			case r < utf8.RuneSelf && wordRune(r), r == '-':
				c.Add(byte(r))
			default:
				return c, nil, false
			}
		}
	}
	return c, beyond, len(ranges) > 0
}
