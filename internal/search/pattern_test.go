package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func compile(t *testing.T, pattern string, f Flags) *Pattern {
	t.Helper()
	p, err := Compile([]string{pattern}, f)
	if err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	return p
}

// matching is one line that a pattern must or must not match.
type matching struct {
	pattern string
	flags   Flags
	line    string
	want    bool
}

func checkAll(t *testing.T, list []matching) {
	t.Helper()
	for _, c := range list {
		p := compile(t, c.pattern, c.flags)
		if got := p.Match(c.line); got != c.want {
			t.Errorf("%q with %+v on %q: %v, want %v", c.pattern, c.flags, c.line, got, c.want)
		}
		if got := len(p.Find(c.line)) > 0; got != c.want {
			t.Errorf("%q with %+v on %q: Find finds %v, want %v", c.pattern, c.flags, c.line, got, c.want)
		}
		if c.want && !p.MatchText("before\n"+c.line+"\nafter") {
			t.Errorf("%q with %+v: MatchText refuses a text with the line %q", c.pattern, c.flags, c.line)
		}
	}
}

var (
	none  = Flags{}
	fold  = Flags{IgnoreCase: true}
	smart = Flags{SmartCase: true}
	fixed = Flags{Fixed: true}
	both  = Flags{Fixed: true, IgnoreCase: true}
)

func TestPatternLiteral(t *testing.T) {
	checkAll(t, []matching{
		{"needle", none, "a needle here", true},
		{"needle", none, "a Needle here", false},
		{"", none, "anything", true},
		{"", none, "", true},
		{"", fixed, "anything", true},
		{"a.c", none, "abc", true},
		{"a.c", fixed, "abc", false},
		{"a.c", fixed, "a.c", true},
		{"(x|y)*$", fixed, "f (x|y)*$ g", true},
		{`C:\Users`, fixed, `in C:\Users\sam`, true},
		{"a.c", both, "A.C", true},
		{"a.c", both, "ABC", false},
		{"^b", none, "ab", false},
		{"b$", none, "ab", true},
	})
}

func TestPatternNormalForms(t *testing.T) {
	composed, decomposed := "Ärger im Café", norm.NFD.String("Ärger im Café")
	if composed == decomposed {
		t.Fatal("the two spellings are one")
	}
	for _, flags := range []Flags{none, fold, fixed, both} {
		checkAll(t, []matching{
			{composed, flags, "a " + decomposed + " b", true},
			{decomposed, flags, "a " + composed + " b", true},
			{decomposed, flags, decomposed, true},
			{composed, flags, composed, true},
			{"Caf\u00e9", flags, decomposed, true},
			{"Cafe\u0301", flags, composed, true},
			{"Cafe", flags, composed, false}, // é is not e
			{"Cafe", flags, decomposed, false},
			{"\u212b", flags, "5 \u00c5", true}, // the angstrom sign is Å in NFC
			{"\u00c5", flags, "5 \u212b", true},
			{"A\u030a", flags, "5 \u212b", true},
			{"\u2126", flags, "5 \u03a9", true},      // the ohm sign is omega
			{"\u1e69", flags, "s\u0307\u0323", true}, // marks in another order
			{"한글", flags, norm.NFD.String("한글"), true},
			{norm.NFD.String("한글"), flags, "한글", true},
		})
	}
	checkAll(t, []matching{
		{"[é]", none, "e\u0301", true},
		{"[e\u0301]", none, "é", true},
		{"^.$", none, "e\u0301", true}, // one character after composing
		{"ÄRGER", fold, decomposed, true},
		{"K", none, "\u212a", true}, // the Kelvin sign is K in NFC
		{"\u212a", none, "K", true},
	})
}

func TestPatternIgnoreCase(t *testing.T) {
	checkAll(t, []matching{
		{"needle", fold, "NeeDLe", true},
		{"NEEDLE", fold, "needle", true},
		{"k", fold, "\u212a", true}, // Kelvin sign
		{"\u212a", fold, "k", true},
		{"kilo", fold, "\u212aILO", true},
		{"strasse", fold, "\u017ftra\u017fse", true}, // long s
		{"\u017f", fold, "S", true},
		{"s", none, "\u017f", false},
		{"straße", fold, "STRAẞE", true},
		{"STRAẞE", fold, "straße", true},
		{"strasse", fold, "straße", false}, // simple folding, as in rg
		{"ÜBER", fold, "über", true},
		{"привет", fold, "ПРИВЕТ", true},
		{"ПРИВЕТ", fold, "Привет мир", true},
		{"привет", none, "ПРИВЕТ", false},
		{"σ", fold, "ς", true}, // three sigmas are one letter
		{"Σ", fold, "ς", true},
		{"ǆ", fold, "ǅ", true},
		{"[а-я]+", fold, "ЖУК", true},
		{"[k]", fold, "\u212a", true},
		{"µ", fold, "μ", true}, // micro sign and mu
		{"(?-i)a", fold, "A", false},
		{"(?i)a", none, "A", true},
	})
}

// What ripgrep documents: a pattern is case-insensitive when it has a literal
// and none of its literals is upper case. A class such as \pL is no literal, and
// neither is the name of a group.
func TestPatternSmartCase(t *testing.T) {
	checkAll(t, []matching{
		{"needle", smart, "NEEDLE", true},
		{"Needle", smart, "needle", false},
		{"Needle", smart, "Needle", true},
		{"привет", smart, "ПРИВЕТ", true},
		{"Привет", smart, "привет", false},
		{"Éa", smart, "éa", false},
		{`foo\W`, smart, "FOO!", true},
		{`foo\S`, smart, "FOOx", true},
		{`foo\\S`, smart, `FOO\S`, false}, // a backslash and a capital letter
		{`foo\\s`, smart, `FOO\S`, true},
		{`[A-Z]x`, smart, "ax", false},
		{`[a-z]x`, smart, "AX", true},
		{"a.c", Flags{Fixed: true, SmartCase: true}, "A.C", true},
		{`\Sx`, Flags{Fixed: true, SmartCase: true}, `\sx`, false},
		{"Needle", Flags{SmartCase: true, IgnoreCase: true}, "needle", true},
	})
	p, err := Compile([]string{"abc", "Def"}, smart)
	if err != nil {
		t.Fatal(err)
	}
	if p.Match("ABC") {
		t.Error("a capital letter in one pattern makes all of them case-sensitive, as in rg")
	}
}

func TestPatternSmartCaseClassesAreNoLiterals(t *testing.T) {
	checkAll(t, []matching{
		{`foo\pL`, smart, "FOOx", true},
		{`foo\p{Greek}`, smart, "FOOλ", true},
		{`Foo\pL`, smart, "foox", false},
	})
}

func TestPatternSmartCaseGroupNamesAreNoLiterals(t *testing.T) {
	checkAll(t, []matching{
		{`(?P<name>foo)`, smart, "FOO", true},
		{`(?<Name>foo)`, smart, "FOO", true},
	})
}

func TestPatternClasses(t *testing.T) {
	checkAll(t, []matching{
		{`^\w+$`, none, "Größe_привет_漢字_1", true},
		{`^\w+$`, none, "हिन्दी", true}, // marks are part of words
		{`^\w+$`, none, "a-b", false},
		{`^\W$`, none, "é", false},
		{`^\W+$`, none, "—…!", true},
		{`^\d+$`, none, "42٣४", true},
		{`^\d$`, none, "²", false},
		{`^\D$`, none, "٣", false},
		{`^\s$`, none, "\u00a0", true},
		{`^\s$`, none, "\u3000", true},
		{`^\s$`, none, "\u200b", false}, // a zero width space is none
		{`^\S$`, none, "\u2028", false},
		{`^[\w.]+$`, none, "naïve.go", true},
		{`^[^\w]+$`, none, "é", false},
		{`^[\s\d]+$`, none, "\u00a0٣", true},
		{`^[\D]$`, none, "٣", false},
		{`^[]\w]+$`, none, "a]é", true},
		{`^[^]\w]+$`, none, "!", true},
		{`^[^]\w]+$`, none, "]", false},
		{`^[[:alpha:]\d]+$`, none, "a٣", true},
		{`\\w`, none, `\w`, true},
		{`\\w`, none, "a", false},
		{`\Q\w\E`, none, `\w`, true},
		{`\Q\w\E\w`, none, `\wé`, true},
		{`\w{3}`, none, "éöü", true},
		{`\pL\d`, none, "é1", true},
	})
}

// Each class is compared with what ripgrep documents for it, over all of Unicode:
// \w is Alphabetic, Mark, Decimal_Number, Connector_Punctuation, Join_Control;
// \d is Decimal_Number; \s is White_Space.
func TestPatternClassesOverUnicode(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: looks at every character, which takes the race detector long; make unit does it")
	}
	for class, sets := range map[string][]*unicode.RangeTable{
		`\w`: {unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control},
		`\d`: {unicode.Nd},
		`\s`: {unicode.White_Space},
	} {
		positive, negative := compile(t, "^"+class+"$", none), compile(t, "^"+strings.ToUpper(class)+"$", none)
		wrong := 0
		var first rune
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if r == 0x32000 {
				r = 0xe0000 // nothing is assigned in between
			} else if r == 0xe0200 {
				break
			}
			if r == '\n' || r >= 0xd800 && r < 0xe000 || !norm.NFC.IsNormalString(string(r)) {
				continue
			}
			want := unicode.In(r, sets...)
			if positive.Match(string(r)) == want && negative.Match(string(r)) != want {
				continue
			}
			if wrong++; wrong == 1 {
				first = r
			}
		}
		if wrong > 0 {
			t.Errorf("%s and its opposite are wrong on %d characters, the first is %q (%U)", class, wrong, first, first)
		}
	}
}

func TestPatternSeveral(t *testing.T) {
	p, err := Compile([]string{"a|b", "^c", "d"}, none)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{"xa": true, "xb": true, "xc": false, "cx": true, "xd": true, "e": false} {
		if p.Match(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
	if p.ByteTest() != nil {
		t.Error("several patterns have the byte test of one")
	}
	if p, err = Compile([]string{"a.c", "x|y"}, fixed); err != nil || !p.Match("x|y") || !p.Match("a.c") || p.Match("abc") || p.Match("x") {
		t.Errorf("several fixed patterns: %v", err)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, pattern := range []string{"(", ")", "[a", "a**", "*", `\`, "a{2,1}", "(?P<n", `\p{Nope}`, "x(?z)", "[b-a]"} {
		for _, list := range [][]string{{pattern}, {"fine", pattern}, {pattern, ")"}} {
			_, err := Compile(list, none)
			if err == nil {
				t.Errorf("%q is accepted", list)
			} else if !strings.Contains(err.Error(), "regular expression") || strings.Contains(err.Error(), "(?:") {
				t.Errorf("%q: the error is %q", list, err)
			}
		}
		if _, err := Compile([]string{pattern}, fixed); err != nil {
			t.Errorf("%q as plain text: %v", pattern, err)
		}
	}
	for _, flags := range []Flags{none, fixed, fold} {
		for _, pattern := range []string{"a\nb", "\n", "a\n"} {
			if _, err := Compile([]string{"x", pattern}, flags); err == nil || !strings.Contains(err.Error(), "line break") {
				t.Errorf("%q with %+v: %v", pattern, flags, err)
			}
		}
	}
}

// Quoting that is not closed runs to the end of its own pattern.
func TestPatternOpenQuotation(t *testing.T) {
	p, err := Compile([]string{`a\Q.b`}, none)
	if err != nil {
		t.Fatalf(`a\Q.b is refused: %v`, err)
	}
	if !p.Match("a.b") || p.Match("axb") {
		t.Error(`a\Q.b does not mean a.b`)
	}
}

func TestPatternFind(t *testing.T) {
	for _, c := range []struct {
		pattern string
		flags   Flags
		line    string
		want    []string
	}{
		{"na", none, "banana", []string{"na", "na"}},
		{"ana", none, "banana", []string{"ana"}},
		{"é.", none, "xéyéz", []string{"éy", "éz"}},
		{`\w+`, none, "für Ännchen", []string{"für", "Ännchen"}},
		{"x", none, "banana", nil},
		{"K", fold, "k\u017f", []string{"k"}},
		{"fe\u0301", fixed, "café", []string{"fé"}},
		{"fé", fixed, "cafe\u0301", []string{"fe\u0301"}}, // the bytes of the line as it is
		{"nope", fixed, "cafe\u0301", nil},
	} {
		var got []string
		for _, r := range compile(t, c.pattern, c.flags).Find(c.line) {
			got = append(got, c.line[r[0]:r[1]])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q on %q finds %q, want %q", c.pattern, c.line, got, c.want)
		}
	}
}

// An empty match right behind another match is none, as in Go and in ripgrep.
func TestPatternFindSkipsEmptyMatchBehindAnother(t *testing.T) {
	for pattern, want := range map[string]string{
		`x*`:   "[[0 2] [3 3] [4 4] [5 5]]",
		`x*\b`: "[[0 2] [3 3] [5 5]]",
	} {
		if got := fmt.Sprint(compile(t, pattern, none).Find("xx yy")); got != want {
			t.Errorf("%q finds %s, want %s", pattern, got, want)
		}
	}
}
