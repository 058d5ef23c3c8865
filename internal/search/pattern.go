package search

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	re2 "github.com/wasilibs/go-re2"
	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/internal/nfc"
)

// Pattern is what grep looks for in the lines of a text. Text and pattern are
// compared in Unicode's composed form (NFC), so that one word in two spellings
// is one word.
type Pattern struct {
	literal string         // set when a plain, case-sensitive search will do
	re      *regexp.Regexp // nil when words matter
	words   *machine       // for patterns that ask for word boundaries
	quick   *re2.Regexp    // tells whether re matches, several times as fast; nil where it cannot
	whole   bool           // quick can be asked of a text of many lines, and should
	test    agent.ByteTest
	within  agent.ByteTest // of a single string
	plain   string         // the whole pattern, where it is a literal that JSON writes as it is; in small letters with fold
	fold    bool           // and may stand in capitals too
	counter *needle.Lines  // counts its lines in strings; nil where it cannot
}

// Flags say how patterns are meant.
type Flags struct {
	Fixed      bool // patterns are plain text
	IgnoreCase bool
	SmartCase  bool // ignore case unless a pattern has a capital letter
	Word       bool // match whole words only
}

// Compile builds a pattern that matches where any of the given ones does.
func Compile(patterns []string, f Flags) (*Pattern, error) {
	fold := f.IgnoreCase
	if f.SmartCase {
		fold = fold || !hasUpper(patterns, f.Fixed)
	}
	var alternatives []string
	for _, p := range patterns {
		expr, err := expression(p, f.Fixed)
		if err != nil {
			return nil, err
		}
		alternatives = append(alternatives, expr)
	}
	expr := strings.Join(alternatives, "|")
	if fold {
		expr = "(?i:" + expr + ")"
	}
	pat := &Pattern{}
	if len(patterns) == 1 {
		if lit, ok := literalOf(patterns[0], f.Fixed); ok {
			if !fold && !f.Word {
				pat.literal = norm.NFC.String(lit)
			}
			if pat.fold = fold; !f.Word && plainText(lit) {
				pat.plain = lit
				if fold {
					pat.plain = strings.ToLower(lit)
				}
				pat.counter = needle.NewLines(pat.plain, fold)
			}
		}
	}
	return pat, pat.compile(expr, f.Word)
}

// expression writes one pattern as a group of a regular expression.
func expression(p string, fixed bool) (string, error) {
	if strings.Contains(p, "\n") {
		return "", fmt.Errorf("the pattern %q holds a line break, but lines are matched one by one; give each line with -e", p)
	}
	p = norm.NFC.String(p)
	if fixed {
		return regexp.QuoteMeta(p), nil
	}
	expr := unicodeClasses(p)
	if _, err := syntax.Parse(expr, syntax.Perl); err != nil {
		return "", fmt.Errorf("the pattern %q is not a regular expression: %s", p, reasonOf(err))
	}
	return "(?:" + expr + ")", nil
}

func (p *Pattern) compile(expr string, word bool) error {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err == nil {
		p.test = byteTest(tree)
		p.within = within(p.test)
	}
	if err == nil && (word || hasBoundary(tree)) {
		p.words, err = newMachine(tree, word)
	} else if err == nil {
		p.re, err = regexp.Compile(expr)
	}
	if err == nil && p.re != nil && p.literal == "" {
		p.quicken(expr)
	}
	if err != nil {
		return fmt.Errorf("the pattern is too large: %s", reasonOf(err))
	}
	return nil
}

// quicken compiles the expression for the quick engine, which reads whole texts: ^
// and $ match at lines. Its classes are written out, so that they are the same
// whatever version of Unicode it knows. What it refuses, Go's engine does alone.
func (p *Pattern) quicken(expr string) {
	tree, err := syntax.Parse("(?m:"+expr+")", syntax.Perl)
	if err != nil {
		return
	}
	p.quick, _ = re2.Compile(tree.String())
	p.whole = p.quick != nil && p.test == nil && !has(tree, syntax.OpBeginText, syntax.OpEndText)
}

func hasBoundary(re *syntax.Regexp) bool {
	return has(re, syntax.OpWordBoundary, syntax.OpNoWordBoundary)
}

// has reports whether an expression holds one of some operations.
func has(re *syntax.Regexp, ops ...syntax.Op) bool {
	return slices.Contains(ops, re.Op) || slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return has(sub, ops...) })
}

// ByteTest gives the test over raw bytes that every line with a match passes, or
// nil when there is none.
func (p *Pattern) ByteTest() agent.ByteTest { return p.test }

// Next gives the first place in a text where a match may stand, or -1. It needs a
// byte test.
func (p *Pattern) Next(text string) int {
	return p.test.Next(unsafe.Slice(unsafe.StringData(text), len(text)), 0)
}

// Find gives the matches in one line of text as byte ranges.
func (p *Pattern) Find(line string) [][]int {
	if norm.NFC.IsNormalString(line) {
		return p.find(line)
	}
	composed, places := nfc.Compose(line)
	ranges := p.find(composed)
	for _, r := range ranges {
		r[0], r[1] = places.Original(r[0], r[1])
	}
	return ranges
}

func (p *Pattern) find(line string) [][]int {
	if p.words == nil {
		return p.re.FindAllStringIndex(line, -1)
	}
	var out [][]int
	for at := 0; at <= len(line); {
		from, to, ok := p.words.find(line, at)
		if !ok {
			break
		}
		if len(out) == 0 || from < to || from != out[len(out)-1][1] { // as Go's engine, no empty match right behind another
			out = append(out, []int{from, to})
		}
		if at = to; from == to {
			_, n := utf8.DecodeRuneInString(line[at:])
			at += max(1, n)
		}
	}
	return out
}

// Match reports whether a line of text matches.
func (p *Pattern) Match(line string) bool {
	if !norm.NFC.IsNormalString(line) {
		line = norm.NFC.String(line)
	}
	switch {
	case p.literal != "":
		return strings.Contains(line, p.literal)
	case p.words != nil:
		_, _, ok := p.words.find(line, 0)
		return ok
	}
	return p.matches(line)
}

// matches reports whether a line in its composed form matches the expression.
func (p *Pattern) matches(line string) bool {
	if p.quick != nil {
		return p.quick.MatchString(line)
	}
	return p.re.MatchString(line)
}

// MatchText reports whether any line of a text may match: it is quick, and never
// says no to a text with a match.
func (p *Pattern) MatchText(text string) bool {
	switch {
	case !ascii(text):
		return true
	case p.literal != "":
		return strings.Contains(text, p.literal)
	case p.whole:
		return p.quick.MatchString(text)
	}
	return true
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
