package secret

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// transcript makes raw lines such as agents write, with invented prose, code, usage
// counts, URLs and escapes, and no credential.
func transcript(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	stems := strings.Fields("the of to and session record parse reader buffer index window error return value file path token user config server client request response handle string under over between pass key open close line offset length query match search result tool call input output branch commit merge review test build deploy release note")
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, `{"parentUuid":"%08x-1a2b-4c3d-8e4f-%012x","sessionId":"11111111-1111-4111-8111-111111111111","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"`, r.Uint32(), r.Uint64()>>16)
		for range 60 + r.IntN(400) {
			switch r.IntN(40) {
			case 0:
				b.WriteString(`if err != nil {\n\t\treturn err\n\t}\n`)
			case 1:
				fmt.Fprintf(&b, "https://pkg.example.org/%x/readme.html ", r.Uint32())
			case 2:
				fmt.Fprintf(&b, "%040x ", r.Uint64())
			case 3:
				b.WriteString(`token := lexer.next(\"x\"); `)
			default:
				b.WriteString(stems[r.IntN(len(stems))] + " ")
			}
		}
		fmt.Fprintf(&b, `"}],"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}},"uuid":"%08x","timestamp":"2026-01-02T03:04:05.000Z"}`+"\n", r.IntN(99), r.IntN(9999), r.IntN(99999), r.IntN(999), r.Uint32())
	}
	return []byte(b.String())
}

// BenchmarkCandidates is the byte test over raw lines, as a scan applies it.
func BenchmarkCandidates(b *testing.B) {
	raw := transcript(16 << 20)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		passed := 0
		for from := 0; from < len(raw); {
			at := Candidates{}.Next(raw, from)
			if at < 0 {
				break
			}
			passed++
			end := at
			for end < len(raw) && raw[end] != '\n' {
				end++
			}
			from = end + 1
		}
		b.ReportMetric(float64(passed), "lines/op")
	}
}

// BenchmarkFind is the search through decoded text.
func BenchmarkFind(b *testing.B) {
	text := string(transcript(16 << 20))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if found := Find(text); len(found) > 0 {
			b.Fatalf("found %v", found)
		}
	}
}
