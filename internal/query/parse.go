package query

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"time"
	"unicode/utf8"
)

// Matcher is a compiled regular expression. It compares texts in their composed
// form, and gives ranges of bytes of the text as it is.
type Matcher interface {
	Match(text string) bool
	Find(text string) [][]int
}

// Options are what a query needs to know of the world.
type Options struct {
	Now  time.Time // what ages such as 3d count from; its location makes days
	Home string    // what ~ stands for in paths
	// Regexp compiles what stands between slashes. What it makes folds case, and ^
	// and $ match at lines. Without it Go's own engine serves.
	Regexp func(source string) (Matcher, error)
}

// Query is what was typed, read.
type Query struct {
	Expr  Expr
	Hints []Hint
}

// Error is a regular expression that is none.
type Error struct {
	Line, Column int // from 1; columns in characters
	Source       string
	Err          error
}

func (e *Error) Error() string {
	place := fmt.Sprintf("column %d", e.Column)
	if e.Line > 1 {
		place = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	}
	reason := e.Err.Error()
	var wrong *syntax.Error
	if errors.As(e.Err, &wrong) {
		reason = fmt.Sprintf("%s: %s", wrong.Code, wrong.Expr)
	}
	return fmt.Sprintf("/%s/ at %s of the query is no regular expression (%s); to look for it as text, put it in double quotes", e.Source, place, reason)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a query. The only error it gives is an *Error.
func Parse(src string, o Options) (*Query, error) {
	src = valid(src)
	p := &parser{}
	p.tokens, p.hints = lex(src, true)
	e := p.all()
	if p.minus && p.positive == 0 {
		// Nothing would be left to search among, so what looks negated is text.
		p = &parser{}
		p.tokens, p.hints = lex(src, false)
		e = p.all()
	}
	for _, t := range p.tokens {
		if re, ok := t.term.(Regexp); ok {
			if _, err := o.regexp(re.Source); err != nil {
				line, column := position(src, t.at)
				return nil, &Error{line, column, re.Source, err}
			}
		}
	}
	return &Query{e, p.hints}, nil
}

// position gives the line and the column of a place.
func position(src string, at int) (line, column int) {
	before := src[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// parser makes an expression of tokens. An operator that lacks an operand is a
// word.
type parser struct {
	tokens []token
	hints  []Hint
	at     int

	negated  int // how many negations stand around
	positive int // terms that none stands around
	minus    bool
}

func (p *parser) all() Expr {
	if len(p.tokens) == 0 {
		return Const(true)
	}
	return p.or()
}

// operand reports whether something that can be an operand stands n tokens
// further.
func (p *parser) operand(n int) bool {
	return p.at+n < len(p.tokens) && p.tokens[p.at+n].kind != tokClose
}

// operator reports whether the next token is that operator, with an operand
// behind it.
func (p *parser) operator(word string) bool {
	return p.operand(1) && p.tokens[p.at].kind == tokOperator && p.tokens[p.at].word == word
}

func (p *parser) or() Expr {
	parts := Or{p.and()}
	for p.operator("OR") {
		p.at++
		parts = append(parts, p.and())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return parts
}

func (p *parser) and() Expr {
	parts := And{p.unary()}
	for p.operand(0) && !p.operator("OR") {
		if p.operator("AND") {
			p.at++
		}
		parts = append(parts, p.unary())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return parts
}

func (p *parser) unary() Expr {
	depth := p.negated
	negate := false
	for p.operator("NOT") || p.tokens[p.at].kind == tokMinus {
		p.minus = p.minus || p.tokens[p.at].kind == tokMinus
		negate = !negate
		p.negated++
		p.at++
	}
	e := p.primary()
	p.negated = depth
	if negate {
		return not(e)
	}
	return e
}

func (p *parser) primary() Expr {
	t := p.tokens[p.at]
	p.at++
	switch t.kind {
	case tokOpen:
		e := p.or()
		p.at++ // the lexer saw that it is closed
		return e
	case tokOperator:
		t.term = Text{t.word}
	}
	if p.negated == 0 {
		p.positive++
	}
	return t.term
}
