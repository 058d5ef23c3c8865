package search

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/needle"
)

// standing looks for a term in a text the simplest way.
func standing(term, text string) (how agent.Standing) {
	text = norm.NFC.String(text)
	found := regexp.MustCompile("(?i)"+regexp.QuoteMeta(term)).FindAllStringIndex(text, -1)
	for i := 0; i < len(found); {
		from, to := found[i][0], found[i][1]
		for i++; i < len(found) && found[i][0] == to; i++ {
			to = found[i][1]
		}
		how.Count++
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		first, _ := utf8.DecodeRuneInString(text[from:])
		last, _ := utf8.DecodeLastRuneInString(text[:to])
		goesOn := from > 0 && letter(before) && letter(first) || to < len(text) && letter(last) && letter(after)
		how.Whole = how.Whole || !goesOn
	}
	return how
}

func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func newTerm(t testing.TB, term string) *Term {
	t.Helper()
	test := needle.New([]needle.Literal{{Text: term, Fold: true}})
	if test == nil {
		t.Fatalf("%q cannot be found by its bytes", term)
	}
	out := NewTerm(term, test, func(text string) agent.Standing { return standing(term, text) })
	if out == nil {
		t.Fatalf("%q is no term", term)
	}
	return out
}

func TestStands(t *testing.T) {
	for _, x := range []struct {
		term, prefix, raw string
		count             int
		whole             bool
	}{
		{"the", "", "the", 1, true},
		{"the", "", "The THE then", 3, true},
		{"the", "", "then", 1, false},
		{"the", "", "other", 1, false},
		{"the", "", "_the the1", 2, false},
		{"the", "", "thethe", 1, true},              // together they are one place
		{"the", "", "thethen", 1, false},            //
		{"the", "", `a\nthe`, 1, true},              // a line of its own
		{"the", "", `a\\nthe`, 1, false},            // a backslash and nthe
		{"the", "", `a\tthe`, 1, true},              // a tab before it
		{"the", "", `a\\tthe`, 1, false},            // a backslash and tthe
		{"the", "", `\the`, 0, false},               // a tab and he
		{"the", "", `\"the\"`, 1, true},             //
		{"the", "", `\u0074he`, 1, true},            // t in another way
		{"the", "", `o\u0074her the`, 2, true},      //
		{"the", "", `th\u00e9 the\u0301`, 0, false}, // thé and thé
		{"the", "", "éthe", 1, false},               // inside of a word
		{"the", "", "—the", 1, true},                // behind a dash
		{"the", "key: ", "the", 1, true},            //
		{"the", "the: ", "x", 1, true},              // in the key
		{"the", "other the: ", "the", 3, true},      // in both
		{"key:", "key: ", "", 1, true},              //
		{"ab/cd", "", `ab\/cd AB/CD`, 2, true},      //
		{"key", "", "\u212aey", 1, true},            // K, the unit
		{"thus", "", "thu\u017f", 1, true},          // a long s
		{"-x", "", "a-x", 1, true},                  // a dash begins no word
		{"the", "", "", 0, false},                   //
	} {
		got := newTerm(t, x.term).Stands([]byte(x.prefix), []byte(x.raw))
		if want := (agent.Standing{Count: x.count, Whole: x.whole}); got != want {
			t.Errorf("%q stands in %q behind %q: %+v, want %+v", x.term, x.raw, x.prefix, got, want)
		}
	}
}

// What may go over from one string to the next is no term, nor what JSON writes otherwise.
func TestNoTerms(t *testing.T) {
	for _, text := range []string{"", " ", "a b", "é", `"`, `\`, "a\tb"} {
		if NewTerm(text, needle.New([]needle.Literal{{Text: "a"}}), nil) != nil {
			t.Errorf("%q is a term", text)
		}
	}
	if NewTerm("a", nil, nil) != nil {
		t.Error("there is a term without a byte test")
	}
}

// A term stands in what is written as it does in what that stands for.
func TestStandsAsInTheDecodedText(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	words := []string{"the", "The", "t", "he", "e", " ", `\n`, `\\`, `\"`, `\t`, `\u0074`, `\u000a`, `\u00e9`, "é", "e\u0301", "\u0301", "—", "_", "1", "\u212a", "k", "ſ", "s", "sk", "th", `\u0301`, "\xff"}
	for range 60000 {
		var raw strings.Builder
		for range rng.IntN(8) {
			raw.WriteString(words[rng.IntN(len(words))])
		}
		term := []string{"the", "thes", "the_", "ethe", "he1"}[rng.IntN(5)]
		prefix := []string{"", "", "key: ", "the: ", "é the the: "}[rng.IntN(5)]
		got := newTerm(t, term).Stands([]byte(prefix), []byte(raw.String()))
		if want := standing(term, prefix+jsonscan.Unquote([]byte(raw.String()))); got != want {
			t.Fatalf("%q stands in %q behind %q: %+v, want %+v", term, raw.String(), prefix, got, want)
		}
	}
}
