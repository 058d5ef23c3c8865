package query

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/internal/when"
)

// Hint is something that a person may have meant otherwise.
type Hint struct {
	At     int    // where the word begins, in bytes
	Text   string // one sentence
	Always bool   // to be said whatever was found; others only where nothing was
}

func (l *lexer) say(always bool, format string, args ...any) {
	l.hints = append(l.hints, Hint{l.at, fmt.Sprintf(format, args...), always})
}

// fieldLike is a word that looks like a field with a value, and like no path of a
// name space, no address and no drive.
var fieldLike = regexp.MustCompile(`^([A-Za-z][A-Za-z_-]+):(?:[^:/]|/[^/])`)

// hint notes what a word may have been meant as.
func (l *lexer) hint(word string) {
	switch m := fieldLike.FindStringSubmatch(word); {
	case m != nil && nearest(m[1]) != "":
		near := nearest(m[1])
		l.say(true, "%s: is no field, so %q is looked for as text; did you mean %s:%s?", m[1], shown(word), near, shown(word[len(m[1])+1:]))
	case m != nil && fieldName(word) == "" || m != nil && !known(m[1]):
		l.say(false, "%s: is no field, so %q was looked for as text", m[1], shown(word))
	case l.fresh && strings.HasPrefix(word, `"`) && word != `""`:
		l.say(true, "a quotation mark without its partner is looked for as text, and so is what follows it")
	case word == "or" || word == "and" || word == "not":
		l.say(false, "%s was looked for as a word; as an operator it is written %s", word, strings.ToUpper(word))
	case strings.Contains(word, "*"):
		l.say(false, "a * outside a field stands for itself; a part of a word is found without it")
	}
}

// unreadable notes that a field cannot read its value.
func (l *lexer) unreadable(f Field, word string) {
	value := strings.TrimPrefix(word, f.Name+":")
	_, err := when.Parse(value, time.Time{})
	l.say(false, "%q was looked for as text, since %v", shown(word), err)
}

// doubt notes that a field never has a value.
func (l *lexer) doubt(f Field, term Filter) {
	if f.Match != ByWhole || f.Values == nil || term.Op != Is && term.Op != Glob {
		return
	}
	test := valueTest(f, term, Options{})
	for _, v := range f.Values {
		if test(v) {
			return
		}
	}
	l.say(false, "%s: is never %q; it is one of %s", f.Name, shown(term.Value), strings.Join(f.Values, ", "))
}

func known(name string) bool {
	_, ok := Lookup(name)
	return ok
}

// nearest gives the field that a name is one edit away from. Two letters are too
// few for that: too many words are near.
func nearest(name string) string {
	if known(name) {
		return ""
	}
	for _, f := range fields {
		if strings.EqualFold(name, f.Name) || len(f.Name) > 2 && oneEdit(strings.ToLower(name), f.Name) {
			return f.Name
		}
	}
	return ""
}

// oneEdit reports whether one letter put in, left out or changed, or two
// neighbours swapped, make b of a.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return i < len(a) && (a[i+1:] == b[i+1:] || swapped)
	}
	return false
}

// shown shortens a word for a sentence. Of one that is longer than most are only the
// beginning is said again: it may be a key, of which a piece could not be told.
func shown(word string) string {
	const most, kept = 40, 10
	if utf8.RuneCountInString(word) <= most {
		return word
	}
	return string([]rune(word)[:kept]) + "…"
}
