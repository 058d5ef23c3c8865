package search

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The quick engine and Go's agree on every line, and a text with a matching line is
// never refused as a whole.
func FuzzQuick(f *testing.F) {
	for _, p := range []string{`[A-Z]{3}[0-9]{6}`, `^a|b$`, `(?i)k.ſ`, `\Aa`, `a\z`, `\d+\s?`, `[^\w]x`, `\p{L}\pN`, `(a|ab)(c|bcd)*`, `x*`, `.`, `[^a]`, `(?s)a.b`, `(?-m)^a`} {
		f.Add(p, "first ABC123456\nsecond a\nab \u212a1\u017f\n\n漢字 b", uint8(0))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint8) {
		p, err := Compile([]string{pattern}, Flags{IgnoreCase: flags&1 != 0})
		if err != nil || p.quick == nil || len(pattern) > 200 {
			return
		}
		text = strings.ToValidUTF8(text, "\ufffd")
		any := false
		for line := range strings.SplitSeq(text, "\n") {
			want := p.re.MatchString(line)
			if got := p.quick.MatchString(line); got != want {
				t.Fatalf("%q on %q: %v, Go's engine says %v", pattern, line, got, want)
			}
			any = any || want && p.Match(line)
		}
		if any && !p.MatchText(text) {
			t.Fatalf("%q: a text with a match is refused: %q", pattern, text)
		}
	})
}

// Both engines on the same text: doc/dependencies.md says how many times as fast the
// quick one is.
func BenchmarkMatch(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var lines strings.Builder
	for range 2000 {
		lines.WriteString(strings.Repeat("func (p *Parser) next() ", rnd.IntN(5)) + "ABC12 done\n")
	}
	text := lines.String()
	for _, pattern := range []string{`[A-Z]{3}[0-9]{6}`, `\w+@\w+`} {
		p, err := Compile([]string{pattern}, Flags{})
		if err != nil {
			b.Fatal(err)
		}
		if p.MatchText(text) || p.re.MatchString(text) {
			b.Fatalf("%s matches, so that no engine has to read all", pattern)
		}
		for _, engine := range []struct {
			name  string
			match func(string) bool
		}{{"re2", p.MatchText}, {"regexp", p.re.MatchString}} {
			b.Run(pattern+"/"+engine.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					engine.match(text)
				}
			})
		}
	}
}
