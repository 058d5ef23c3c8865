package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// decodedCount counts in a text the simplest way.
func decodedCount(p *Pattern, text string) (n int, blank bool) {
	for line := range strings.SplitSeq(text, "\n") {
		if p.Match(line) {
			n++
			blank = blank || strings.TrimSpace(line) == ""
		}
	}
	return n, blank
}

func checkWritten(t *testing.T, p *Pattern, prefix, raw string) {
	t.Helper()
	want, blank := decodedCount(p, prefix+jsonscan.Unquote([]byte(raw)))
	if got := p.CountWritten([]byte(prefix), []byte(raw)); got != want && !(got < 0 && blank) {
		t.Errorf("%q behind %q has %d matching lines, want %d", raw, prefix, got, want)
	}
}

func TestCountWritten(t *testing.T) {
	for _, x := range []struct {
		pattern     string
		fold        bool
		prefix, raw string
		want        int
	}{
		{"the", false, "", "the", 1},
		{"the", false, "", `the the\nthen\nThe`, 2},
		{"the", true, "", `the the\nthen\nThe`, 3},
		{"the", false, "", `\the`, 0},               // a tab and he
		{"the", false, "", `\\the`, 1},              // a backslash and the
		{"nine", false, "", `one\nine`, 0},          // two lines
		{"nine", false, "", `one\\nine`, 1},         // a backslash
		{"nine", false, "", `nine\\\nine\\nine`, 2}, // the first line, and the second behind its backslash
		{"the", false, "", `\u0074he`, 1},
		{"the", false, "", `the\u000athe\u000Athe`, 3},
		{"the", false, "", "thé the\u0301", 0},
		{"the", false, "", `the\u0301 the`, 1},
		{"dad", false, "", `\u0dad`, 0},
		{"key: the", false, "key: ", `the\nthe`, 1},
		{"key: ", false, "key: ", "", 1},
		{"the$", false, "", `the\n the `, 1},
		{"KEY", true, "", "\u212aey", 1},
		{"ab/cd", false, "", `ab\/cd\nab/cd`, 2},
	} {
		p, err := Compile([]string{x.pattern}, Flags{IgnoreCase: x.fold})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.CountWritten([]byte(x.prefix), []byte(x.raw)); got != x.want {
			t.Errorf("%s in %q behind %q: %d lines, want %d", x.pattern, x.raw, x.prefix, got, x.want)
		}
	}
}

var writtenPatterns = []struct {
	pattern string
	flags   Flags
}{
	{"the", Flags{}}, {"the", Flags{IgnoreCase: true}}, {"the", Flags{Word: true}}, {"nine", Flags{}}, {"dad", Flags{}}, {"the nine", Flags{}}, {`the\w`, Flags{}},
	{"^the", Flags{}}, {"the$", Flags{}}, {"the.*nine", Flags{}}, {"caf\u00e9", Flags{}}, {"検索", Flags{}}, {"kitshe", Flags{IgnoreCase: true}}, {"the|nine", Flags{}},
}

// Whatever stands in a string, what is counted in it is what its text holds.
func TestCountWrittenIsWhatTheTextHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	pieces := []string{
		"the", "The", "nine", "dad", "he", "t", "n", " ", "  ", `\n`, `\n`, `\\`, `\\n`, `\t`, `\"`, `\/`, `\u0074`, `\u000a`, `\u000A`, `\u0301`, "\u0301", "cafe", `\u00e9`, "é",
		"検索", `\u691c`, "\u212a", "ſ", "kit", "s", "\xff", `\ud83d`, `\ude00`, "\u2028", `\u0020`, "\u3000", `\u`, `\x`,
	}
	var patterns []*Pattern
	for _, x := range writtenPatterns {
		p, err := Compile([]string{x.pattern}, x.flags)
		if err != nil || p.ByteTest() == nil {
			t.Fatalf("%s: %v, or it has no byte test", x.pattern, err)
		}
		patterns = append(patterns, p)
	}
	for range 60000 {
		p := patterns[rng.IntN(len(patterns))]
		var raw strings.Builder
		for range rng.IntN(12) {
			raw.WriteString(pieces[rng.IntN(len(pieces))])
		}
		checkWritten(t, p, []string{"", "", "key: ", "the", "the: "}[rng.IntN(5)], raw.String())
	}
}

func FuzzCountWritten(f *testing.F) {
	f.Add("the", "", `the\nthe`, false)
	f.Add("nine", "a: ", `\nine\\nine`, true)
	f.Add("a+b", "a: ", `\u0061b`, true)
	f.Fuzz(func(t *testing.T, pattern, prefix, raw string, fold bool) {
		if strings.Contains(prefix, "\n") || strings.Contains(raw, "\n") || strings.Contains(raw, `"`) {
			return
		}
		p, err := Compile([]string{pattern}, Flags{IgnoreCase: fold})
		if err != nil || p.ByteTest() == nil || strings.ToValidUTF8(prefix, "") != prefix {
			return
		}
		checkWritten(t, p, prefix, raw)
	})
}

// Code with a word on every second line, as a transcript holds it.
func BenchmarkCountWritten(b *testing.B) {
	p, err := Compile([]string{"err"}, Flags{})
	if err != nil {
		b.Fatal(err)
	}
	raw := []byte(strings.Repeat(`\tif err := p.next(); err != nil {\n\t\treturn nil\n\t}\n\treturn fmt.Errorf(\"%w\", err)\n`, 200))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if p.CountWritten(nil, raw) != 400 {
			b.Fatal("not every second line")
		}
	}
}
