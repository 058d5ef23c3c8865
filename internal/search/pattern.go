package search

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Pattern is what grep looks for in the lines of a text. Text and pattern are
// compared in Unicode's composed form (NFC), so that one word in two spellings
// is one word.
type Pattern struct {
	literal string // set when a plain, case-sensitive search will do
	re      *regexp.Regexp
	test    func([]byte) bool
}

// Flags say how patterns are meant.
type Flags struct {
	Fixed      bool // patterns are plain text
	IgnoreCase bool
	SmartCase  bool // ignore case unless a pattern has a capital letter
}

// Compile builds a pattern that matches where any of the given ones does.
func Compile(patterns []string, f Flags) (*Pattern, error) {
	fold := f.IgnoreCase
	if f.SmartCase {
		fold = fold || !hasUpper(patterns, f.Fixed)
	}
	var alternatives []string
	for _, p := range patterns {
		if strings.Contains(p, "\n") {
			return nil, fmt.Errorf("the pattern %q holds a line break, but lines are matched one by one; give each line with -e", p)
		}
		p = norm.NFC.String(p)
		if f.Fixed {
			alternatives = append(alternatives, regexp.QuoteMeta(p))
			continue
		}
		u, err := unicodeClasses(p)
		if err != nil {
			return nil, err
		}
		if _, err := syntax.Parse(u, syntax.Perl); err != nil {
			return nil, fmt.Errorf("the pattern %q is not a regular expression: %s", p, reasonOf(err))
		}
		alternatives = append(alternatives, "(?:"+u+")")
	}
	expr := strings.Join(alternatives, "|")
	if fold {
		expr = "(?i:" + expr + ")"
	}
	pat := &Pattern{}
	if len(patterns) == 1 {
		if lit, ok := literalOf(patterns[0], f.Fixed); ok {
			lit = norm.NFC.String(lit)
			pat.test = byteTest(lit, fold)
			if !fold {
				pat.literal = lit
			}
		}
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("the pattern is too large: %s", reasonOf(err))
	}
	pat.re = re
	return pat, nil
}

// ByteTest gives the test over raw bytes that every line with a match passes, or
// nil when there is none.
func (p *Pattern) ByteTest() func([]byte) bool { return p.test }

// Find gives the matches in one line of text as byte ranges. A line whose
// composed form differs from it is matched whole.
func (p *Pattern) Find(line string) [][]int {
	if !norm.NFC.IsNormalString(line) {
		if p.Match(line) {
			return [][]int{{0, len(line)}}
		}
		return nil
	}
	return p.re.FindAllStringIndex(line, -1)
}

// Match reports whether a line of text matches.
func (p *Pattern) Match(line string) bool {
	if !norm.NFC.IsNormalString(line) {
		line = norm.NFC.String(line)
	}
	if p.literal != "" {
		return strings.Contains(line, p.literal)
	}
	return p.re.MatchString(line)
}

// MatchText reports whether any line of a text may match: it is quick, and never
// says no to a text with a match.
func (p *Pattern) MatchText(text string) bool {
	if p.literal == "" || !ascii(text) {
		return true
	}
	return strings.Contains(text, p.literal)
}

func reasonOf(err error) string {
	if se, ok := err.(*syntax.Error); ok {
		return fmt.Sprintf("%s at %q", se.Code, se.Expr)
	}
	return err.Error()
}

// names are the parts of a pattern that are no literals: escapes, classes by
// name, and the names of groups.
var names = regexp.MustCompile(`\\[pP]\{[^}]*\}|\\[pP].|\\.|\[:\^?[a-z]+:\]|\(\?P?<[^>]*>`)

// hasUpper reports whether a pattern asks for a capital letter, as ripgrep's
// smart case sees it: in its literals.
func hasUpper(patterns []string, fixed bool) bool {
	for _, p := range patterns {
		if !fixed {
			p = names.ReplaceAllString(p, "")
		}
		if strings.ContainsFunc(p, unicode.IsUpper) {
			return true
		}
	}
	return false
}

// literalOf gives the text that a pattern without meta characters stands for.
func literalOf(p string, fixed bool) (string, bool) {
	return p, p != "" && (fixed || regexp.QuoteMeta(p) == p)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
