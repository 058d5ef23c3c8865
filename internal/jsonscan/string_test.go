package jsonscan

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// Long steps and short ones give the same end of a string, and the same verdict.
func TestLongStepsAgree(t *testing.T) { narrowly(func() { longStepsAgree(t) }) }

func longStepsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	parts := []string{"plain text of some length ", `\n`, `\\`, `\"`, `\u001b`, `\uABCD`, `\u12`, `\u12g4`, `\u`, `\u000a`, `\u0000`, `\u001F`, `\u0020`, `\u0010`, `\x`, `"`, "\x01", "é", `\`, `\\\`, "ab", `\\\\`, `\/\b\f\r\t`, "\x7f", "\xff"}
	told := 0
	for range 100000 {
		var b strings.Builder
		b.WriteByte('"')
		for range rnd.IntN(12) {
			part := parts[rnd.IntN(len(parts))]
			if part == `"` && rnd.IntN(3) > 0 {
				continue
			}
			b.WriteString(part)
		}
		if rnd.IntN(4) > 0 {
			b.WriteString(`",` + strings.Repeat(" ", rnd.IntN(70)))
		}
		in := []byte(b.String())
		end, strict, how := spellString(in, 0)
		wantEnd, wantStrict := skipBytes(in, 1)
		if end != wantEnd || end >= 0 && strict != wantStrict {
			t.Fatalf("%q ends at %d, strict %v; byte by byte at %d, strict %v", in, end, strict, wantEnd, wantStrict)
		}
		if end > 0 && strict && how&Unsure == 0 {
			checkSpelling(t, in[1:end-1], how)
			told++
		}
	}
	if wide && told < 10000 {
		t.Errorf("of %d strings only the walk told how they are written", told)
	}
}

// checkSpelling looks byte by byte at what a walk told of a string.
func checkSpelling(t *testing.T, inside []byte, how Spelling) {
	t.Helper()
	if escaped := bytes.IndexByte(inside, '\\') >= 0; escaped != (how&Escaped != 0) {
		t.Fatalf("%q is written as %b", inside, how)
	}
	if ascii := !bytes.ContainsFunc(inside, func(r rune) bool { return r >= 0x80 }); how&Wide == 0 && !ascii {
		t.Fatalf("%q is written as %b", inside, how)
	}
	if usual := UsualAs(inside, how); usual != isUsual(Value(`"`+string(inside)+`"`)) {
		t.Fatalf("%q is usual: %v, written as %b", inside, usual, how)
	}
}

// A long string is written as most programs would where encoding/json writes it so.
func TestUsualStringsOfAnyLength(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	parts := []string{"plain text of some length ", "u", `\n`, `\\`, `\"`, `\\u0041`, `\\\\u002f`, `\t`, `\u001b`, `\u0000`, "é", "\x7f", "検"}
	odd := []string{`\u001B`, `\u000a`, `\u0041`, `\/`, `\\\u00e9`, "\xff", `\u007f`}
	count := map[bool]int{}
	for range 100000 {
		var b strings.Builder
		for range rnd.IntN(14) {
			if rnd.IntN(25) == 0 {
				b.WriteString(odd[rnd.IntN(len(odd))])
			}
			b.WriteString(parts[rnd.IntN(len(parts))])
		}
		usual := Usual([]byte(b.String()))
		if want := isUsual(Value(`"` + b.String() + `"`)); usual != want {
			t.Fatalf("%q is usual: %v, want %v", b.String(), usual, want)
		}
		count[usual]++
	}
	if count[true] < 1000 || count[false] < 1000 {
		t.Errorf("usual or not: %v", count)
	}
}

func BenchmarkSkipString(b *testing.B) {
	texts := map[string]string{
		"plain": strings.Repeat("a", 1<<16),
		"code":  strings.Repeat(`func (p *Parser) next() error {\n\treturn fmt.Errorf(\"no %q\", p.name)\n}\n`, 1<<16/75),
		"base8": strings.Repeat(`\u001b[0m and some words that follow here `, 1<<16/41),
	}
	for name, text := range texts {
		in := []byte(`"` + text + `"`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				skipString(in, 0)
			}
		})
	}
}
