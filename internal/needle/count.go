package needle

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Lines counts lines on which a literal stands in the insides of JSON strings, without
// decoding them. Where it is not plain what a string says, it says nothing.
type Lines struct {
	literal string // in small letters with fold
	fold    bool
	exact   bool // what a walk marks is the literal
	foreign bool // a character beyond ASCII may stand for one of it
	walk    walk
}

// walk is what is looked for in a string and what was seen in it so far.
type walk struct {
	off    [4]int  // bytes at these offsets,
	v, m   [4]byte // which are v once the bits of m are set in them
	carry  uint64  // 1 where the next byte is escaped
	digits uint64  // a bit for each of the next bytes that is a digit of an escape
	odd    uint64  // not 0 where an escape stands that most programs would not write
	wide   uint64  // or a byte that is not ASCII
}

// places64 is what was seen in a block of 64 bytes: a bit for each place.
type places64 struct{ hits, breaks uint64 }

// A walk marks so many blocks at a time. A literal must not be longer than it can be
// compared with at the end of a string.
const (
	walkBlocks  = 32
	longestLine = 64
)

// NewLines takes a literal of printable ASCII characters but quotes and backslashes, in
// small letters with fold. It gives nil where lines cannot be counted.
func NewLines(literal string, fold bool) *Lines {
	if !countsLines() || literal == "" || len(literal) > longestLine {
		return nil
	}
	l := &Lines{literal: literal, fold: fold, exact: len(literal) <= 4, foreign: strings.ContainsAny(literal, "K;`") || fold && strings.ContainsAny(literal, "ks")}
	for i, at := range rarestFour(literal) {
		l.walk.off[i], l.walk.v[i] = at, literal[at]
		if fold {
			l.walk.m[i] = foldBit(literal[at])
		}
	}
	return l
}

// rarestFour gives the places of the four rarest bytes; some are the same where there are
// fewer.
func rarestFour(s string) (at [4]int) {
	var taken [longestLine]bool
	for i := range at {
		best := -1
		for k := range len(s) {
			if !taken[k] && (best < 0 || ranks[s[k]] < ranks[s[best]]) {
				best = k
			}
		}
		if best >= 0 {
			at[i], taken[best] = best, true
		} else {
			at[i] = at[i-1]
		}
	}
	return at
}

// Count gives the number of lines of what the inside of a JSON string stands for, which
// is valid, on which the literal stands. ok is false where it does not tell.
func (l *Lines) Count(raw []byte) (lines int, ok bool) {
	var marks [walkBlocks]places64
	w := l.walk
	c := count{Lines: l, raw: raw}
	at := 0
	for {
		blocks := min((len(raw)-at-len(l.literal)-4)/64, walkBlocks)
		if blocks <= 0 {
			break
		}
		markBlocks(&raw[at], blocks, &w, &marks)
		for i := range blocks {
			if m := &marks[i]; m.hits|m.breaks != 0 && !c.block(at+64*i, m.hits, m.breaks) {
				return 0, false
			}
		}
		at += 64 * blocks
	}
	if at < len(raw) {
		var end [64 + longestLine + 3 + 2*64]byte
		n := copy(end[:], raw[at:])
		blocks := (n + 63) / 64
		markBlocks(&end[0], blocks, &w, &marks)
		for i := range blocks {
			if !c.block(at+64*i, marks[i].hits, marks[i].breaks) {
				return 0, false
			}
		}
	}
	whole := w.carry == 0 && w.digits == 0 // else it ends inside an escape
	return c.lines, whole && w.odd == 0 && (w.wide == 0 || !l.foreign)
}

// count counts the lines of one string.
type count struct {
	*Lines
	raw     []byte
	lines   int
	counted bool // the line at hand
}

// block takes in what was marked in a block. It reports whether that is plain.
func (c *count) block(at int, hits, breaks uint64) bool {
	for hits|breaks != 0 {
		switch {
		case hits == 0:
			c.counted = false
			return true
		case !c.counted:
			first := bits.TrailingZeros64(hits)
			breaks &= ^uint64(0) << first // lines that end before it do not have it
			hits &= hits - 1
			end := at + first + len(c.literal)
			if end > len(c.raw) || !c.exact && !c.stands(c.raw[at+first:end]) {
				continue
			}
			if end < len(c.raw) && c.raw[end] >= utf8.RuneSelf {
				return false // it may compose with the last character
			}
			c.lines++
			c.counted = true
		case breaks == 0:
			return true
		default:
			hits &= ^uint64(1) << bits.TrailingZeros64(breaks)
			breaks &= breaks - 1
			c.counted = false
		}
	}
	return true
}

// stands compares the literal with as many bytes.
func (c *count) stands(b []byte) bool {
	if !c.fold {
		return string(b) == c.literal
	}
	for i, x := range b {
		if 'A' <= x && x <= 'Z' {
			x |= 0x20
		}
		if x != c.literal[i] {
			return false
		}
	}
	return true
}
