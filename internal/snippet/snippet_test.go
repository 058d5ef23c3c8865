package snippet

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// of cuts a snippet around every place of some words.
func of(text string, size int, words ...string) Snippet {
	var ranges []Range
	for at := 0; at < len(text); at++ {
		for _, w := range words {
			if strings.HasPrefix(text[at:], w) {
				ranges = append(ranges, Range{at, at + len(w)})
			}
		}
	}
	return Of(text, ranges, size)
}

// marked writes a snippet with brackets around what was found.
func marked(s Snippet) string {
	var out strings.Builder
	at := 0
	if s.Before {
		out.WriteString("…")
	}
	for _, r := range s.Ranges {
		out.WriteString(s.Text[at:r[0]] + "[" + s.Text[r[0]:r[1]] + "]")
		at = r[1]
	}
	out.WriteString(s.Text[at:])
	if s.After {
		out.WriteString("…")
	}
	return out.String()
}

func TestSnippets(t *testing.T) {
	for _, c := range []struct {
		text  string
		size  int
		words []string
		want  string
	}{
		{"the gateway is down", 100, []string{"gateway"}, "the [gateway] is down"},
		{"one\n\n  two\tthree\n", 100, []string{"two"}, "one [two] three"},
		{"alpha beta gamma delta epsilon zeta eta theta", 24, []string{"epsilon"}, "…delta [epsilon] zeta eta t…"},
		{"aaa bbb ccc ddd eee fff ggg aaa bbb hhh", 20, []string{"aaa", "bbb"}, "[aaa] [bbb] ccc ddd eee…"},
		{"aaa xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx aaa bbb", 20, []string{"aaa", "bbb"}, "…[aaa] [bbb]"},
		{"nothing of it", 7, nil, "nothing…"},
		{"", 10, nil, ""},
	} {
		if got := marked(of(c.text, c.size, c.words...)); got != c.want {
			t.Errorf("%q around %q: %q, want %q", c.text, c.words, got, c.want)
		}
	}
}

// A character that several code points make is never cut.
func TestSnippetsKeepCharactersWhole(t *testing.T) {
	for _, cluster := range []string{"e\u0301", "👩\u200d💻", "각", "ก\u0e33", "🇩🇪"} {
		text := strings.Repeat(cluster, 60) + " needle " + strings.Repeat(cluster, 60)
		for size := 8; size < 60; size++ {
			s := of(text, size, "needle")
			if !utf8.ValidString(s.Text) || !strings.Contains(s.Text, "needle") {
				t.Fatalf("%q at size %d: %q", cluster, size, s.Text)
			}
			if rest := strings.ReplaceAll(strings.ReplaceAll(s.Text, "needle", ""), cluster, ""); strings.TrimSpace(rest) != "" {
				t.Fatalf("%q at size %d is cut: %q is left", cluster, size, rest)
			}
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("the gateway e\u0301 is \n down", 3, 7, 20)
	f.Add("\xff\xfe a\u0301", 1, 2, 4)
	f.Fuzz(func(t *testing.T, text string, from, to, size int) {
		if from < 0 || to < from || to > len(text) || size < 1 || size > 1<<16 {
			t.Skip() // no range of the text, which no caller gives
		}
		s := Of(text, []Range{{from, to}}, size)
		if utf8.ValidString(text) && utf8.RuneStart(append([]byte(text), ' ')[from]) && utf8.RuneStart(append([]byte(text), ' ')[to]) && !utf8.ValidString(s.Text) {
			t.Errorf("%q became %q", text, s.Text)
		}
		for _, r := range s.Ranges {
			if r[0] < 0 || r[1] > len(s.Text) || r[0] >= r[1] {
				t.Errorf("the range %v of %q", r, s.Text)
			}
		}
		if strings.ContainsAny(s.Text, "\n\t") {
			t.Errorf("%q is more than a line", s.Text)
		}
	})
}
