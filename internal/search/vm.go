package search

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// machine runs a compiled expression whose word boundaries are Unicode's, which
// Go's own engine does not have. It steps through all threads at once, so its
// time is linear in the text; it is used only where a boundary is asked for.
type machine struct {
	prog *syntax.Prog
}

// Two assertions of our own, for whole words as ripgrep's -w means them: nothing
// of a word before, nothing of a word behind.
const (
	wordStartHalf syntax.EmptyOp = 1 << 6
	wordEndHalf   syntax.EmptyOp = 1 << 7
)

// newMachine compiles a parsed expression. whole asks for whole words only.
func newMachine(re *syntax.Regexp, whole bool) (*machine, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	if whole {
		for i := range prog.Inst {
			if prog.Inst[i].Op == syntax.InstMatch {
				prog.Inst = append(prog.Inst, syntax.Inst{Op: syntax.InstMatch})
				prog.Inst[i] = syntax.Inst{Op: syntax.InstEmptyWidth, Arg: uint32(wordEndHalf), Out: uint32(len(prog.Inst) - 1)}
				break // there is one
			}
		}
		prog.Inst = append(prog.Inst, syntax.Inst{Op: syntax.InstEmptyWidth, Arg: uint32(wordStartHalf), Out: uint32(prog.Start)})
		prog.Start = len(prog.Inst) - 1
	}
	return &machine{prog}, nil
}

// wordRune reports whether ripgrep counts a character as part of a word.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

// conditions gives the assertions that hold between two characters; -1 stands for
// none.
func conditions(before, after rune) syntax.EmptyOp {
	var c syntax.EmptyOp
	if before < 0 {
		c |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	}
	if before == '\n' {
		c |= syntax.EmptyBeginLine
	}
	if after < 0 {
		c |= syntax.EmptyEndText | syntax.EmptyEndLine
	}
	if after == '\n' {
		c |= syntax.EmptyEndLine
	}
	word, next := before >= 0 && wordRune(before), after >= 0 && wordRune(after)
	if word != next {
		c |= syntax.EmptyWordBoundary
	} else {
		c |= syntax.EmptyNoWordBoundary
	}
	if !word {
		c |= wordStartHalf
	}
	if !next {
		c |= wordEndHalf
	}
	return c
}

// thread is a place in the program and where its match began.
type thread struct{ pc, from int }

// queue is a list of threads in the order of their priority, each place once.
type queue struct {
	list []thread
	in   []uint32 // generation in which a place was added
	gen  uint32
}

func (q *queue) clear() { q.list = q.list[:0]; q.gen++ }

// find gives the leftmost match at or behind a place, first alternatives first.
func (m *machine) find(s string, at int) (from, to int, ok bool) {
	n := len(m.prog.Inst)
	now, next := &queue{in: make([]uint32, n)}, &queue{in: make([]uint32, n)}
	now.clear()
	next.clear()
	before := rune(-1)
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:at])
	}
	for pos := at; ; {
		after, width := rune(-1), 0
		if pos < len(s) {
			after, width = utf8.DecodeRuneInString(s[pos:])
		}
		cond := conditions(before, after)
		if !ok {
			m.add(now, thread{m.prog.Start, pos}, cond)
		}
		if len(now.list) == 0 && ok {
			return from, to, true
		}
		next.clear()
		for _, t := range now.list {
			inst := &m.prog.Inst[t.pc]
			if inst.Op == syntax.InstMatch {
				from, to, ok = t.from, pos, true
				break // threads behind have a lower priority
			}
			if width > 0 && inst.MatchRune(after) {
				next.list = append(next.list, thread{int(inst.Out), t.from})
			}
		}
		if width == 0 {
			return from, to, ok
		}
		before, pos = after, pos+width
		m.advance(next, now, s, before, pos)
	}
}

// advance follows, for threads that have just taken a character, all that takes
// none.
func (m *machine) advance(taken, into *queue, s string, before rune, pos int) {
	after := rune(-1)
	if pos < len(s) {
		after, _ = utf8.DecodeRuneInString(s[pos:])
	}
	cond := conditions(before, after)
	into.clear()
	for _, t := range taken.list {
		m.add(into, t, cond)
	}
}

// add puts a thread on a queue, following what takes no character.
func (m *machine) add(q *queue, t thread, cond syntax.EmptyOp) {
	if q.in[t.pc] == q.gen {
		return
	}
	q.in[t.pc] = q.gen
	inst := &m.prog.Inst[t.pc]
	switch inst.Op {
	case syntax.InstFail:
	case syntax.InstAlt, syntax.InstAltMatch:
		m.add(q, thread{int(inst.Out), t.from}, cond)
		m.add(q, thread{int(inst.Arg), t.from}, cond)
	case syntax.InstCapture, syntax.InstNop:
		m.add(q, thread{int(inst.Out), t.from}, cond)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^cond == 0 {
			m.add(q, thread{int(inst.Out), t.from}, cond)
		}
	default:
		q.list = append(q.list, t)
	}
}
