package query

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/record"
)

const prose = "The deploy of the gateway failed again: connection reset by peer while reading the answer of the upstream, see run.py line 42.\n"

func benchText(b *testing.B, src, text string) {
	p := compiled(b, src)
	s := &Subject{Known: KnowsAll, Title: "A session"}
	r := &record.Record{Text: text, Kind: record.Reply}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if p.Match(s.Of(r)) {
			b.Fatal("it matches")
		}
	}
}

func BenchmarkASCII(b *testing.B)    { benchText(b, "websocket", strings.Repeat(prose, 8000)) }
func BenchmarkTwoWords(b *testing.B) { benchText(b, "gateway websocket", strings.Repeat(prose, 8000)) }
func BenchmarkShort(b *testing.B)    { benchText(b, "websocket", prose) }
func BenchmarkLatin(b *testing.B) {
	benchText(b, "zürich", strings.Repeat(prose, 8000)+"é")
}
func BenchmarkCyrillic(b *testing.B) {
	benchText(b, "вебсокет", strings.Repeat("Развёртывание шлюза снова не удалось: соединение сброшено.\n", 8000))
}
func BenchmarkHan(b *testing.B) {
	benchText(b, "套接字", strings.Repeat("网关部署再次失败,读取上游响应时连接被对端重置。\n", 8000))
}
func BenchmarkDecomposed(b *testing.B) {
	benchText(b, "zürich", strings.Repeat("visite au cafe\u0301 avec des amis\n", 8000))
}
func BenchmarkRegexp(b *testing.B) { benchText(b, "/web ?socket/", strings.Repeat(prose, 800)) }
func BenchmarkFieldsFirst(b *testing.B) {
	benchText(b, "websocket kind:prompt", strings.Repeat(prose, 8000))
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(`deploy "connection reset" (agent:claude OR agent:gemini) -kind:notice since:3d`, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Text of ASCII is looked through without a new byte.
func TestMatchingAllocatesNothing(t *testing.T) {
	p := compiled(t, `websocket OR (gateway "other thing" -kind:reply)`)
	s := &Subject{Known: KnowsAll, Title: "A session"}
	r := &record.Record{Text: strings.Repeat(prose, 100), Kind: record.Prompt, Agent: "claude"}
	if n := testing.AllocsPerRun(100, func() { p.Match(s.Of(r)) }); n > 0 {
		t.Errorf("%v allocations for a record", n)
	}
}
