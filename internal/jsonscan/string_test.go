package jsonscan

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Long steps and short ones give the same end of a string, and the same verdict.
func TestLongStepsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	parts := []string{"plain text of some length ", `\n`, `\\`, `\"`, `\u001b`, `\uABCD`, `\u12`, `\u12g4`, `\u`, `\x`, `"`, "\x01", "é", `\`, `\\\`, "ab", `\\\\`, `\/\b\f\r\t`, "\x7f", "\xff"}
	for range 200000 {
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
		end, strict := skipString(in, 0)
		wantEnd, wantStrict := skipBytes(in, 1)
		if end != wantEnd || end >= 0 && strict != wantStrict {
			t.Fatalf("%q ends at %d, strict %v; byte by byte at %d, strict %v", in, end, strict, wantEnd, wantStrict)
		}
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
