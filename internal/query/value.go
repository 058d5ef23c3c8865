package query

import (
	"regexp"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/when"
)

// filter reads field:value. What has no known name, no value, or a value that the
// field cannot read is left to be a word.
func (l *lexer) filter() bool {
	name := fieldName(l.src[l.at:])
	f, known := Lookup(name)
	if !known {
		return false
	}
	from := l.at + len(name) + 1
	rest := l.src[from:]
	if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "//") {
		return false // time::Duration, file:///srv
	}
	term, end := l.value(f, from)
	if term.Op != Present && term.Value == "" {
		return false
	}
	if !readable(f, term) {
		l.unreadable(f, l.src[l.at:l.wordEnd(l.at)])
		return false
	}
	l.doubt(f, term)
	l.emit(token{term: term}, end-l.at)
	return true
}

// fieldName gives the letters before the colon of a word, or nothing.
func fieldName(s string) string {
	for i := range len(s) {
		if s[i] == ':' {
			return s[:i]
		}
		if s[i] < 'a' || s[i] > 'z' {
			break
		}
	}
	return ""
}

// value reads what stands behind a field's colon, and gives where it ends.
func (l *lexer) value(f Field, from int) (Filter, int) {
	rest := l.src[from:]
	if f.Ordered() {
		if m := between.FindStringSubmatch(rest); m != nil && l.ends(from+len(m[0])) {
			return Filter{f.Name, InBetween, m[1], m[2]}, from + len(m[0])
		}
		for _, s := range signs {
			if strings.HasPrefix(rest, s.sign) {
				value, end, _ := l.plainValue(from + len(s.sign))
				return Filter{Field: f.Name, Op: s.op, Value: value}, end
			}
		}
	}
	value, end, literal := l.plainValue(from)
	term := Filter{Field: f.Name, Value: value}
	switch {
	case literal:
	case value == "*":
		term.Op, term.Value = Present, ""
	case f.Globs() && strings.ContainsAny(value, "*?"):
		term.Op = Glob
	}
	return term, end
}

// between is the shape of a range. Its ends have no white space.
var between = regexp.MustCompile(`^\[\s*([^\s\]]+)\s+TO\s+([^\s\]]+)\s*\]`)

// plainValue reads a value in quotes, which is meant literally, or a word. A word
// that begins with a quotation mark is literal too: it could not be written again.
func (l *lexer) plainValue(from int) (value string, end int, literal bool) {
	if value, size, ok := quoted(l.src[from:]); ok {
		return value, from + size, true
	}
	end = l.wordEnd(from)
	if value = l.src[from:end]; value == `""` {
		value = ""
	}
	return value, end, strings.HasPrefix(value, `"`)
}

// readable reports whether the values of a filter mean something to its field.
func readable(f Field, term Filter) bool {
	if f.Match != ByTime || term.Op == Present {
		return true
	}
	for _, v := range []string{term.Value, term.To} {
		open := v == "" || v == "*" && term.Op == InBetween
		if _, err := when.Parse(v, time.Time{}); err != nil && !open {
			return false
		}
	}
	return true
}
