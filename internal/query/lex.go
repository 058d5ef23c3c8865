package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a token is.
type tokenKind int

const (
	tokTerm tokenKind = iota
	tokOperator
	tokMinus
	tokOpen
	tokClose
)

// token is a piece of a query: a term, an operator that may yet turn out to be a
// word, a minus that negates, or a parenthesis of a group.
type token struct {
	kind tokenKind
	term Expr
	word string // the operator
	at   int    // in bytes
}

// Bounds of what is read as a group. Beyond them parentheses are text.
const (
	maxDepth  = 200
	maxPasses = 8
)

// lexer cuts a query into tokens. Whether a parenthesis makes a group is known only
// at the end, so it may take several passes, each with more of them known to be
// text.
type lexer struct {
	src    string
	minus  bool         // a minus may negate
	groups bool         // parentheses may make groups
	plain  map[int]bool // places of opening parentheses that are text

	at     int
	fresh  bool // a word may start here
	bare   bool // a minus stands before, so no operator follows
	open   []int
	tokens []token
	hints  []Hint
}

// lex gives the tokens of a query and what could be said about them.
func lex(src string, minus bool) ([]token, []Hint) {
	plain := map[int]bool{}
	for pass := 1; ; pass++ {
		l := &lexer{src: src, minus: minus, groups: pass <= maxPasses, plain: plain, fresh: true}
		if l.pass() {
			return l.tokens, l.hints
		}
	}
}

// pass reads the whole query once. It reports whether every group is one: closed
// and not empty.
func (l *lexer) pass() bool {
	known := len(l.plain)
	for l.space(); l.at < len(l.src); l.space() {
		l.next()
	}
	for _, at := range l.open {
		l.plain[at] = true
	}
	return len(l.plain) == known
}

func (l *lexer) space() {
	for l.at < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.at:])
		if !unicode.IsSpace(r) {
			return
		}
		l.at += n
		l.fresh, l.bare = true, false
	}
}

func (l *lexer) next() {
	c := l.src[l.at]
	switch {
	case c == ')' && len(l.open) > 0:
		l.close()
		return
	case !l.fresh:
		l.word() // glued to a quote or a parenthesis: nothing in it is special
	case l.opens(l.at):
		l.open = append(l.open, l.at)
		l.emit(token{kind: tokOpen}, 1)
		l.bare = false
		return
	case c == '-' && l.negates():
		l.emit(token{kind: tokMinus}, 1)
		l.bare = true
		return
	case !l.phrase() && !l.regexp() && !l.filter():
		l.word()
	}
	l.fresh, l.bare = false, false
}

func (l *lexer) emit(t token, size int) {
	t.at = l.at
	l.tokens = append(l.tokens, t)
	l.at += size
}

func (l *lexer) close() {
	last := len(l.open) - 1
	if l.tokens[len(l.tokens)-1].kind == tokOpen {
		l.plain[l.open[last]] = true // nothing stands in it
	}
	l.open = l.open[:last]
	l.emit(token{kind: tokClose}, 1)
	l.fresh = false
}

// opens reports whether a parenthesis that makes a group stands at a place.
func (l *lexer) opens(at int) bool {
	return l.groups && len(l.open) < maxDepth && strings.HasPrefix(l.src[at:], "(") && !l.plain[at]
}

// negates reports whether the minus here negates: it does before a letter, a
// phrase or a group.
func (l *lexer) negates() bool {
	after := l.at + 1
	if !l.minus || l.bare {
		return false
	}
	if _, _, ok := quoted(l.src[after:]); ok || l.opens(after) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(l.src[after:])
	return unicode.IsLetter(r)
}

// wordEnd gives where the word from a place on ends: at white space, or at the
// parenthesis that closes a group, which is one that the word itself did not open.
func (l *lexer) wordEnd(from int) int {
	depth := 0
	for i, r := range l.src[from:] {
		switch {
		case unicode.IsSpace(r):
			return from + i
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case r == ')' && len(l.open) > 0:
			return from + i
		}
	}
	return len(l.src)
}

// ends reports whether a word ends at a place whatever stands before it.
func (l *lexer) ends(at int) bool {
	if at == len(l.src) || l.src[at] == ')' && len(l.open) > 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(l.src[at:])
	return unicode.IsSpace(r)
}

// word reads a word: an operator, or text.
func (l *lexer) word() {
	word := l.src[l.at:l.wordEnd(l.at)]
	if l.fresh && !l.bare && (word == "OR" || word == "AND" || word == "NOT") {
		l.emit(token{kind: tokOperator, word: word}, len(word))
		return
	}
	l.hint(word)
	l.emit(token{term: Text{word}}, len(word))
}

func (l *lexer) phrase() bool {
	value, size, ok := quoted(l.src[l.at:])
	if ok {
		l.emit(token{term: Text{value}}, size)
	}
	return ok
}

// quoted reads a text in double quotes, in which \" and \\ are escapes and any
// other backslash is itself. An empty one is no phrase.
func quoted(s string) (value string, size int, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", 0, false
	}
	var out strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return out.String(), i + 1, out.Len() > 0
		case c == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			out.WriteByte(s[i])
		default:
			out.WriteByte(c)
		}
	}
	return "", 0, false
}

// regexp reads /.../: the first slash that no backslash escapes ends it, and has
// to end a word. A slash beside white space is no delimiter but a slash.
func (l *lexer) regexp() bool {
	s := l.src[l.at:]
	if s[0] != '/' {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return false
		case '\\':
			i++
		case '/':
			source := s[1:i]
			if source == "" || strings.TrimSpace(source) != source || !l.ends(l.at+i+1) {
				return false
			}
			l.emit(token{term: Regexp{source}}, i+1)
			return true
		}
	}
	return false
}
