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

// termOf finds a term in the simplest way: every place counts, and is a whole word where
// blanks or nothing stand beside it.
type termOf string

func (w termOf) Wants(record.Kind) bool { return true }

func (w termOf) Names(title string) bool { return strings.Contains(title, string(w)) }

func (w termOf) Stands(prefix, raw []byte) agent.Standing {
	return w.in(string(prefix) + jsonscan.Unquote(raw))
}

func (w termOf) in(text string) (how agent.Standing) {
	how.Count = strings.Count(text, string(w))
	how.Whole = slices.Contains(strings.Fields(text), string(w))
	return how
}

// checkScored holds what is scored in a transcript against its records, and what is told
// beside against its brief. It gives the number of records that were scored without being
// made.
func checkScored(t testing.TB, src *agent.Source, word string, test agent.ByteTest) (scored, unnamed int) {
	t.Helper()
	w := termOf(word)
	show := func(r *record.Record, mark agent.Mark, how agent.Standing) string {
		return fmt.Sprintf("%s %s %s %s %v %d %d %v %x %v", r.ID, r.Kind, r.Role, r.Session, r.Time, r.Line, r.Offset, r.Flags&record.Subagent, mark, how)
	}
	var got, want []string
	of := func(to *[]string, r *record.Record) {
		if how := w.in(r.Text); how.Count > 0 && r.Flags&record.Superseded == 0 {
			*to = append(*to, show(r, agent.MarkOf(r), how))
		}
	}
	for _, r := range readFrom(t, src, agent.Plan{}).records {
		of(&want, r)
	}
	brief, err := adapter(t).Brief(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	plan := agent.Plan{Bare: true, Candidate: test, Score: w}
	plan.Told = func(told agent.Told) {
		if place := adapter(t).Place(context.Background(), src); fmt.Sprint(told) != fmt.Sprint(place) {
			t.Errorf("the place is said to be\n\t%+v\nwant\n\t%+v", told, place)
		}
	}
	plan.Unnamed = func(byPrompt bool) {
		unnamed++
		if s := brief.Session; w.Names(s.Title) && !(byPrompt && s.TitleSource == record.TitlePrompt) {
			t.Errorf("%q is said not to be in the title %q of %s (%v)", word, s.Title, s.TitleSource, byPrompt)
		}
	}
	var lines []agent.Scored
	for it, err := range adapter(t).Read(context.Background(), src, plan) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Record != nil {
			of(&got, it.Record)
		}
		for _, s := range it.Scored {
			got = append(got, show(s.Record, s.Mark, s.Standing))
		}
		lines = append(lines, it.Scored...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q is scored as\n\t%q\nwant\n\t%q", word, got, want)
	}
	checkOnly(t, src, w, test, lines, want)
	return len(lines), unnamed
}

// checkOnly reads the lines of scored records again.
func checkOnly(t testing.TB, src *agent.Source, w termOf, test agent.ByteTest, lines []agent.Scored, all []string) {
	t.Helper()
	if len(lines) == 0 {
		return
	}
	again := map[agent.Mark]string{}
	for it, err := range adapter(t).Read(context.Background(), src, agent.Plan{Bare: true, Candidate: test, Only: lines}) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Record != nil {
			again[agent.MarkOf(it.Record)] = fmt.Sprint(it.Record.ID, it.Record.Line, w.in(it.Record.Text))
		}
	}
	for _, s := range lines {
		if want := fmt.Sprint(s.Record.ID, s.Record.Line, s.Standing); again[s.Mark] != want {
			t.Errorf("read again it is %q, want %q", again[s.Mark], want)
		}
	}
}

// Whatever stands in a transcript, what is scored is what its records hold, and most of it
// is scored without making them.
func TestScoredRecordsAreThoseOfTheReader(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 19))
	scored, unnamed := 0, 0
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
		word := "o"
		if words := strings.FieldsFunc(data, func(r rune) bool { return r < ' ' || strings.ContainsRune(` "\{}[],:`, r) }); len(words) > 0 && i%2 == 0 {
			word = words[rng.IntN(len(words))]
		}
		test := agent.ByteTest(everyLine)
		if set := needle.All([][]needle.Literal{{{Text: word}}}); set != nil && i%4 == 0 {
			test = set
		}
		n, told := checkScored(t, src, word, test)
		scored, unnamed = scored+n, unnamed+told
		if t.Failed() {
			t.Fatalf("in\n%s", data)
		}
	}
	if t.Logf("%d records were scored, and of %d transcripts it was told that they are not named", scored, unnamed); scored < 1000 || unnamed < 500 {
		t.Error("that is too few")
	}
}

// On real sessions too.
func TestScoredRecordsOfTheCorpus(t *testing.T) {
	scored := 0
	for _, home := range corpora(t) {
		sources, _ := collected(t, home)
		for _, src := range sources {
			if src.Store.ID != storeSession && src.Store.ID != storeSubagent {
				continue
			}
			for _, word := range []string{"the", "error", "a"} {
				n, _ := checkScored(t, src, word, everyLine)
				scored += n
			}
		}
	}
	if t.Logf("%d records were scored", scored); scored < 500 {
		t.Errorf("only %d records were scored", scored)
	}
}

// A line as people know them, with what is scored of it computed by hand.
func TestScoredLine(t *testing.T) {
	data := usr("u0", 1, "go on") + "\n" +
		ans("m1", "a1", 2, list(txt("an oak"), think("oaks"), use("t1", "Bash", obj{"command": "ls oak", "note": "oak oak"}))) + "\n" +
		usr("u1", 3, list(res("t1", "no"), res("t2", "oak")), "isSidechain", true)
	src := like(t, disk(map[string]string{script: data}), script)
	var got []string
	plan := agent.Plan{Bare: true, Candidate: agent.LineTest(func(line []byte) bool { return strings.Contains(string(line), "oak") }), Score: termOf("oak")}
	for it, err := range adapter(t).Read(context.Background(), src, plan) {
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range it.Scored {
			got = append(got, fmt.Sprintf("%d %s %s %d %v %v %s", s.Record.Line, s.Record.ID, s.Record.Kind, s.Count, s.Whole, s.Record.Flags&record.Subagent != 0, data[s.At.From:s.At.To][:8]))
		}
	}
	want := []string{
		"2 a1 reply 1 true false " + data[strings.Index(data, "\n")+1:][:8],
		"2 a1#1 thinking 1 false false " + data[strings.Index(data, "\n")+1:][:8],
		"2 a1#2 tool_call 3 true false " + data[strings.Index(data, "\n")+1:][:8],
		"3 u1#1 tool_result 1 true true " + data[strings.LastIndex(data, "\n")+1:][:8],
	}
	if !slices.Equal(got, want) {
		t.Errorf("scored are\n\t%q\nwant\n\t%q", got, want)
	}
}

// What a line lacks, or says elsewhere, is left to the reader; and a prompt that is far from
// the start names no session for sure.
func TestScoredWhereLinesLackSomething(t *testing.T) {
	silent := func(typ string, members ...any) string {
		return ln(typ, "", 1, append([]any{"uuid", drop{}, "gitBranch", drop{}}, members...)...)
	}
	var far []string
	for range 2 * headLines {
		far = append(far, silent("mode"))
	}
	for name, data := range map[string]string{
		"no time":          text(usr("u1", 1, "go on"), ans("m1", "a1", 5, list(txt("oak")), "timestamp", drop{})),
		"no time at all":   text(usr("u1", 1, "go on", "timestamp", drop{}), ans("m1", "a1", 5, list(txt("oak")), "timestamp", drop{})),
		"a bad time":       text(usr("u1", 1, "go on"), ans("m1", "a1", 5, list(txt("oak")), "timestamp", "soon")),
		"far":              text(append(far, usr("u1", 2, "oak", "gitBranch", drop{}), usr("u2", 3, "no", "gitBranch", "main"), ans("m1", "a1", 5, list(txt("oak"))))...),
		"a queued opening": text(silent("queue-operation", "operation", "enqueue", "content", "elm"), silent("queue-operation", "operation", "remove", "content", "elm"), usr("u1", 2, "oak"), ans("m1", "a1", 5, list(txt("oak")))),
		"no prompt":        text(ans("m1", "a1", 5, list(txt("oak")))),
		"a summary":        text(silent("summary", "summary", "oak", "leafUuid", "u1"), usr("u1", 1, "elm"), ans("m1", "a1", 5, list(txt("oak")))),
		"a title":          text(silent("ai-title", "aiTitle", "oak"), usr("u1", 1, "elm"), ans("m1", "a1", 5, list(txt("oak")))),
	} {
		checkScored(t, like(t, disk(map[string]string{script: data}), script), "oak", agent.LineTest(func(line []byte) bool { return strings.Contains(string(line), "oak") }))
		if t.Failed() {
			t.Fatal(name)
		}
	}
}
