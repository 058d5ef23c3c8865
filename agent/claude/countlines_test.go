package claude

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/record"
)

// linesWith counts lines with a word in the simplest way.
type linesWith string

func (w linesWith) Wants(record.Kind) bool { return true }

func (w linesWith) Count(prefix, raw []byte) int {
	return w.in(string(prefix) + jsonscan.Unquote(raw))
}

func (w linesWith) in(text string) (n int) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, string(w)) {
			n++
		}
	}
	return n
}

// checkCountedLines holds what is counted in a transcript against its records. It gives the
// number of records that were counted without being made.
func checkCountedLines(t testing.TB, src *agent.Source, word string, test agent.ByteTest) (counted int) {
	t.Helper()
	w := linesWith(word)
	var got, want []string
	note := func(to *[]string, mark agent.Mark, n int) { *to = append(*to, fmt.Sprintf("%x %d", mark, n)) }
	of := func(to *[]string, r *record.Record) {
		if n := w.in(r.Text); n > 0 && r.Flags&record.Superseded == 0 {
			note(to, agent.MarkOf(r), n)
		}
	}
	var ids []string
	for _, r := range readFrom(t, src, agent.Plan{}).records {
		of(&want, r)
		ids = append(ids, r.ID)
	}
	for it, err := range adapter(t).Read(context.Background(), src, agent.Plan{Bare: true, Candidate: test, Count: w}) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Record != nil {
			of(&got, it.Record)
		}
		for _, c := range it.Counted {
			note(&got, c.Mark, c.Lines)
			counted++
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q is counted as\n\t%q\nwant\n\t%q\nof %q", word, got, want, ids)
	}
	return counted
}

// everyLine is the byte test that lets everything pass.
var everyLine = agent.LineTest(func([]byte) bool { return true })

// Whatever stands in a transcript, what is counted is what its records hold, and most of
// it is counted without making them.
func TestCountedLinesAreThoseOfRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	counted := 0
	for i := range 3000 {
		data := randomTranscript(rng)
		switch i % 3 {
		case 1:
			data = plainTranscript(rng)
		case 2:
			data = lonelyTranscript(rng)
		}
		name := script
		if rng.IntN(4) == 0 {
			name = folder + mine + "/subagents/agent-a1.jsonl"
		}
		src := like(t, disk(map[string]string{name: data}), name)
		counted += checkCountedLines(t, src, "o", everyLine)
		words := strings.FieldsFunc(data, func(r rune) bool { return r < ' ' || strings.ContainsRune(` "\\{}[],:`, r) })
		if len(words) > 0 {
			word := words[rng.IntN(len(words))]
			if test := needle.All([][]needle.Literal{{{Text: word}}}); test != nil {
				counted += checkCountedLines(t, src, word, test)
			}
		}
		if t.Failed() {
			t.Fatalf("in\n%s", data)
		}
	}
	if counted < 3000 {
		t.Errorf("only %d records were counted", counted)
	}
}

// lonelyTranscript makes a transcript in which few lines have to do with another.
func lonelyTranscript(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	say := func() string {
		return pick("", " ", "\n", "o\no", "no", "\\no", "\"o\"", "só", "\n\n") + pick("", phrase(rng))
	}
	var out []string
	for i := range 1 + rng.IntN(8) {
		id, answer := fmt.Sprint("u#", i), fmt.Sprint("m", i/2)
		if rng.IntN(20) == 0 {
			id, answer = "u#1", "m1"
		}
		var blocks []any
		for j := range rng.IntN(4) {
			call := fmt.Sprint("t", i, j)
			blocks = append(blocks, []any{txt(say()), think(say()), use(call, pick("Bash", "Read", "x"), obj{"command": say(), "o": list(say(), obj{"p": say(), "": say()})}), res(call, say())}[rng.IntN(4)])
		}
		line := ans(answer, id, i, blocks)
		if rng.IntN(2) == 0 {
			line = usr(id, i, list(res("t1", say()), res("t2", list(txt(say()), txt(say())))), "toolUseResult", obj{"stdout": say()})
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// On real sessions too.
func TestCountedLinesOfTheCorpus(t *testing.T) {
	counted := 0
	for _, home := range corpora(t) {
		sources, _ := collected(t, home)
		for _, src := range sources {
			if src.Store.ID != storeSession && src.Store.ID != storeSubagent {
				continue
			}
			for _, word := range []string{"the", "error", "a"} {
				counted += checkCountedLines(t, src, word, everyLine)
			}
			counted += checkCountedLines(t, src, "the", needle.All([][]needle.Literal{{{Text: "the"}}}))
		}
	}
	if t.Logf("%d records were counted", counted); counted < 500 {
		t.Errorf("only %d records were counted", counted)
	}
}

// The walk over usual lines against the reader of all lines, on anything.
func FuzzCountedLines(f *testing.F) {
	lines := realLines(f)
	for i, line := range lines {
		f.Add([]byte(line), "e")
		f.Add([]byte(line+"\n"+lines[(i+1)%len(lines)]+"\n"+line+"\n"), "o")
	}
	for _, s := range []string{
		ans("m1", "a1", 1, list(txt("A"))) + "\n" + ans("m1", "a2", 1, list(txt("AB"))),
		ans("m1", "a1", 1, list(use("t1", "Bash", obj{"command": "A", "x": list("A", obj{"y": "A"})}))) + "\n" + ans("m1", "a2", 1, list(use("t1", "Bash", obj{}))),
		usr("u1", 1, list(res("t1", "A\nA"), res("t2", list(txt("A"), txt(""), txt("A"))))), usr("u1", 1, list(res("t1", "A"))) + "\n" + usr("u1", 2, "B"),
		ans("m1", "a1", 1, list(txt(" "), think("A"), txt("A"), txt("A"), think("A"))), ans("m1", "a1", 1, "A"), ans("m1", "a1", 1, list(use("t1", "Bash", "A"))),
		usr("u1", 1, list(res("t1", "A")), "toolUseResult", obj{"answers": obj{"A": "A"}}),
	} {
		f.Add([]byte(s), "A")
	}
	f.Fuzz(func(t *testing.T, data []byte, word string) {
		if word == "" || strings.Contains(word, "\n") {
			return
		}
		src := like(t, disk(map[string]string{script: string(data)}), script)
		checkCountedLines(t, src, word, everyLine)
	})
}

// A file of answers and results of which some lines hold the word.
func BenchmarkCountLines(b *testing.B) {
	code := strings.Repeat("\tif err := p.next(); err != nil {\n\t\treturn fmt.Errorf(\"line %d: %w\", n, err)\n\t}\n", 20)
	var out []string
	for i := range 400 {
		id, text := fmt.Sprint("u", i), code
		if i%8 == 0 {
			text += "the parser\n"
		}
		out = append(out, usr(id, i%60, list(res("t1", text)), "toolUseResult", obj{"stdout": code}), ans(fmt.Sprint("m", i), "a"+id, i%60, list(txt(text))))
	}
	data := strings.Join(out, "\n")
	src := like(b, disk(map[string]string{script: data}), script)
	for _, word := range []string{"parser", "err"} {
		b.Run(word, func(b *testing.B) {
			plan := agent.Plan{Bare: true, Candidate: needle.All([][]needle.Literal{{{Text: word}}}), Count: linesWith(word)}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if got := readFrom(b, src, plan); len(got.records) > 0 {
					b.Fatal("records were made")
				}
			}
		})
	}
}
