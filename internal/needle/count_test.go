package needle

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// linesOf counts lines in the simplest way.
func linesOf(t *testing.T, raw, literal string, fold bool) (n int) {
	t.Helper()
	var text string
	if err := json.Unmarshal([]byte(`"`+raw+`"`), &text); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	expr := regexp.QuoteMeta(literal)
	if fold {
		expr = "(?i)" + expr
	}
	re := regexp.MustCompile(expr)
	for line := range strings.SplitSeq(norm.NFC.String(text), "\n") {
		if re.MatchString(line) {
			n++
		}
	}
	return n
}

func TestCountedLinesOfStrings(t *testing.T) {
	for raw, want := range map[string]int{
		``: 0, `the`: 1, `the the`: 1, `the\nthe\n`: 2, `\nthe\n`: 1, `th\ne`: 0, `\the`: 0, `\\the`: 1, `\\\the`: 0, `\\nthe`: 1,
		`the\\nthe`: 1, `the\u001bthe\nxthe`: 2, `The`: 0, `x\n\n\nthe\n\nthe`: 2,
	} {
		l := NewLines("the", false)
		if l == nil {
			t.Skip("needs wider vectors")
		}
		if got, ok := l.Count([]byte(raw)); got != want || !ok {
			t.Errorf("%q has %d lines, %v; want %d", raw, got, ok, want)
		}
	}
	for raw, literal := range map[string]string{
		"the\u0301": "the", `th\u0065`: "the", `a\/b`: "a/b", "\u212a": "K", `the\u000athe`: "the", "x\u037e": ";", "\u1fef": "`",
	} {
		if _, ok := NewLines(literal, false).Count([]byte(raw)); ok {
			t.Errorf("it is plain how often %q stands in %q", literal, raw)
		}
	}
	if _, ok := NewLines("ski", true).Count([]byte("\u017f\u212ai")); ok {
		t.Error("characters beyond ASCII that fold to others are plain")
	}
}

// Whatever is told of a string is what its text holds, and of most strings it is told:
// at every length, with escapes and line breaks at every place of a block.
func TestCountedLinesAreThoseOfTheText(t *testing.T) {
	if NewLines("the", false) == nil {
		t.Skip("needs wider vectors")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	parts := []string{"the", "The", "th", "e", "b0", "parser", "pars", "er", "PARSER", " ", `\n`, `\n`, `\n`, `\t`, `\\`, `\\\\`, `\"`, `\\n`, `\u001b`, `\u0000`, "n", "u001b", "é", "the é",
		"some words that stand in a row and fill a block of bytes "}
	odd := []string{`\/`, `\u0074`, `\u000a`, `\u001B`, "\u0301", "\u212a", "\u017f", ";\u037e", `\u212a`}
	literals := []string{"the", "parser", "b", "e", "001b", "he p", "k", "s", ";", "n", "some words that stand in a row", "ththe"}
	told := map[bool]int{}
	for range 100000 {
		var b strings.Builder
		for range rng.IntN(30) {
			if rng.IntN(60) == 0 {
				b.WriteString(odd[rng.IntN(len(odd))])
			}
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		literal, fold := literals[rng.IntN(len(literals))], rng.IntN(2) == 0
		raw := b.String()
		got, ok := NewLines(literal, fold).Count([]byte(raw))
		if want := linesOf(t, raw, literal, fold); ok && got != want {
			t.Fatalf("%q, with fold %v, stands on %d lines of %q, want %d", literal, fold, got, raw, want)
		}
		told[ok]++
	}
	if told[true] < 2*told[false] {
		t.Errorf("told or not: %v", told)
	}
}

func FuzzCountedLines(f *testing.F) {
	f.Add("a\nthe \\ \u001b the", "the", false)
	f.Add(strings.Repeat("the parser\n", 30), "PARSER", true)
	f.Fuzz(func(t *testing.T, text, literal string, fold bool) {
		if literal == "" || strings.ContainsFunc(literal, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
			return
		}
		if fold {
			literal = strings.ToLower(literal)
		}
		l := NewLines(literal, fold)
		if l == nil {
			return
		}
		raw, _ := json.Marshal(text)
		inside := string(raw[1 : len(raw)-1])
		if got, ok := l.Count([]byte(inside)); ok && got != linesOf(t, inside, literal, fold) {
			t.Errorf("%q, with fold %v, stands on %d lines of %q", literal, fold, got, inside)
		}
	})
}

func BenchmarkCountedLines(b *testing.B) {
	raw := []byte(strings.Repeat(`func (p *Parser) next() error {\n\treturn fmt.Errorf(\"no %q\", p.name)\n}\n`, 50))
	for _, literal := range []string{"err", "nothing"} {
		b.Run(literal, func(b *testing.B) {
			l := NewLines(literal, false)
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				l.Count(raw)
			}
		})
	}
}
