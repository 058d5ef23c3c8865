package search

import (
	"regexp"
	"testing"
)

// On ASCII text the machine must find what Go's own engine finds, boundaries
// included.
func FuzzMachine(f *testing.F) {
	for _, p := range []string{`\bfoo\b`, `a|ab`, `(a*)*b`, `\B.`, `x{2,5}?`, `^\w+$`, `(?:a|b|)\b`, `[^a-c]\b`, `.*\bx`} {
		f.Add(p, "foo bar, foobar aab xxxx")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if !ascii(pattern) || !ascii(text) || len(pattern) > 200 || len(text) > 500 {
			return
		}
		std, err := regexp.Compile(`\b|` + pattern)
		if err != nil || std.NumSubexp() > 20 {
			return
		}
		p, err := Compile([]string{`\b|` + pattern}, Flags{})
		if err != nil || p.words == nil {
			return
		}
		if regexp.MustCompile(`\\[wWsSdDpP]|\(\?|\[:`).MatchString(pattern) {
			return // these mean more than in Go's engine
		}
		want, got := std.FindStringIndex(text), []int(nil)
		if from, to, ok := p.words.find(text, 0); ok {
			got = []int{from, to}
		}
		if len(want) != len(got) || len(want) > 0 && (want[0] != got[0] || want[1] != got[1]) {
			t.Fatalf("%q in %q: %v, want %v", pattern, text, got, want)
		}
	})
}

func TestWords(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		f             Flags
		want          [][2]int
	}{
		{"foo", "foo foobar foo", Flags{Word: true}, [][2]int{{0, 3}, {11, 14}}},
		{"foo|foobar", "foobar", Flags{Word: true}, [][2]int{{0, 6}}}, // as ripgrep: another alternative fits
		{"größe", "größe Größe größen", Flags{Word: true, IgnoreCase: true}, [][2]int{{0, 7}, {8, 15}}},
		{`\bé`, "é caé", Flags{}, [][2]int{{0, 2}}},
		{`e\b`, "été e", Flags{}, [][2]int{{6, 7}}},
		{`\Bя`, "яя", Flags{}, [][2]int{{2, 4}}},
		{"-rf", "rm -rf /", Flags{Word: true, Fixed: true}, [][2]int{{3, 6}}},
		{"a+", "aa a", Flags{Word: true}, [][2]int{{0, 2}, {3, 4}}},
		{"x", "日x本 x", Flags{Word: true}, [][2]int{{8, 9}}},
	} {
		p, err := Compile([]string{tc.pattern}, tc.f)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Find(tc.text)
		ok := len(got) == len(tc.want)
		for i := range min(len(got), len(tc.want)) {
			ok = ok && got[i][0] == tc.want[i][0] && got[i][1] == tc.want[i][1]
		}
		if !ok || p.Match(tc.text) != (len(tc.want) > 0) {
			t.Errorf("%q with %+v in %q: %v, want %v", tc.pattern, tc.f, tc.text, got, tc.want)
		}
	}
}
