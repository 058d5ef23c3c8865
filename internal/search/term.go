package search

import (
	"strings"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// Term finds a text in others, in either case, where these are still JSON. It tells what
// looking through the decoded texts would tell.
type Term struct {
	pattern Pattern
	decoded func(string) agent.Standing
}

// NewTerm gives the term for a text, or nil where it may go over from one string to the
// next. test is the byte test for the text, and decoded tells how it stands in lines that
// had to be decoded.
func NewTerm(text string, test agent.ByteTest, decoded func(string) agent.Standing) *Term {
	if test == nil || !plainText(text) || strings.Contains(text, " ") {
		return nil
	}
	return &Term{Pattern{within: within(test), plain: strings.ToLower(text), fold: true}, decoded}
}

// Stands tells how the term stands in a text: a prefix that ends in white space and then
// what the inside of a JSON string stands for. Places that touch are one. Only lines in
// which it does not plainly stand or not stand are decoded.
func (t *Term) Stands(prefix, raw []byte) (how agent.Standing) {
	if len(prefix) > 0 && t.pattern.within.Next(prefix, 0) >= 0 {
		how = t.decoded(string(prefix))
	}
	at := -1
	for from := 0; from < len(raw); {
		if at < from {
			if at = t.pattern.within.Next(raw, from); at < 0 {
				return how
			}
		}
		start := lineStart(raw, from, at)
		end, next := lineEnd(raw, start)
		var line agent.Standing
		var plain bool
		if line, at, plain = t.plainLine(raw, start, end, at); !plain {
			line, at = t.decoded(jsonscan.Unquote(raw[start:end])), -1
		}
		how.Count += line.Count
		how.Whole = how.Whole || line.Whole
		if from = next; at < 0 && plain {
			return how
		}
	}
	return how
}

// Names reports whether the term stands in a title.
func (t *Term) Names(title string) bool { return t.decoded(title).Count > 0 }

// plainLine looks through one line, in which at is the first place to look at. It gives the
// first place behind the line as well, negative where there is none; plain is false where
// only the decoded line tells.
func (t *Term) plainLine(raw []byte, start, end, at int) (how agent.Standing, next int, plain bool) {
	p := places{line: raw[start:end]}
	for 0 <= at && at < end {
		to := t.pattern.plainly(raw, start, at)
		if to == 0 || !p.add(to-len(t.pattern.plain)-start, to-start) {
			return how, -1, false
		}
		at = t.pattern.within.Next(raw, to)
	}
	p.settle()
	return p.how, at, true
}

// places counts the places of a term in a line, from left to right.
type places struct {
	line     []byte
	how      agent.Standing
	from, to int // of the last one
}

// add takes in a place. It does not know what stands before it where that is not ASCII, or
// written as \uXXXX.
func (p *places) add(from, to int) (ok bool) {
	if p.to > 0 && p.to == from {
		p.to = to
		return true
	}
	p.settle()
	p.how.Count++
	p.from, p.to = from, to
	long := from >= longestEscape && p.line[from-longestEscape] == '\\' && p.line[from-longestEscape+1] == 'u'
	return from == 0 || p.line[from-1] < utf8.RuneSelf && !long
}

// settle finds out whether the last place is a whole word.
func (p *places) settle() {
	if p.to == 0 {
		return
	}
	begins := p.from == 0 || !wordly(p.line[p.from]) || !wordly(p.line[p.from-1]) || escaped(p.line, p.from-1)
	ends := p.to == len(p.line) || !wordly(p.line[p.to-1]) || !wordly(p.line[p.to])
	p.how.Whole = p.how.Whole || begins && ends
}

// wordly reports whether an ASCII character makes words longer.
func wordly(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// escaped reports whether the byte at i, in the inside of a JSON string, is the second one
// of an escape.
func escaped(raw []byte, i int) bool {
	n := 0
	for i--; i >= 0 && raw[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
