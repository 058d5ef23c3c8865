package rank

import (
	"math"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// plain are weights whose scores can be computed by hand.
var plain = Weights{
	Title: 3, Prompt: 2, Reply: 1, Dispatch: 0.9, Document: 0.8, Thinking: 0.5, ToolCall: 0.4, ToolResult: 0.25, Notice: 0.1,
	FirstPrompt: 0.5, Inside: 0.5, Repeat: 1, Phrase: 4, Recency: 1, HalfLife: 10, More: 1, Here: 2, Print: 0.5, Subagent: 0.25,
}

var newest = time.Date(2026, 5, 22, 12, 0, 0, 0, time.UTC)

func daysBefore(n int) time.Time { return newest.AddDate(0, 0, -n) }

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Of four records one holds the first term and all hold the second:
// rarity is ln 5 = 1.609437912 and ln 2 = 0.693147181.
var corpus = Corpus{Records: 4, Terms: []int{1, 4}, Newest: newest}

func TestRecord(t *testing.T) {
	whole, inside := Occurrence{1, true}, Occurrence{1, false}
	for name, c := range map[string]struct {
		r    Record
		want float64
	}{
		"a rare word in the newest prompt":      {Record{Kind: record.Prompt, Time: newest, Terms: []Occurrence{whole, {}}}, 1.609437912434 * 2 * 2},
		"a common one":                          {Record{Kind: record.Prompt, Time: newest, Terms: []Occurrence{{}, whole}}, 0.693147180560 * 2 * 2},
		"inside a word":                         {Record{Kind: record.Prompt, Time: newest, Terms: []Occurrence{{}, inside}}, 0.693147180560 * 0.5 * 2 * 2},
		"twice: one and a half":                 {Record{Kind: record.Reply, Time: newest, Terms: []Occurrence{{}, {2, true}}}, 0.693147180560 * 1.5 * 2},
		"ten days old: half of the gain":        {Record{Kind: record.Reply, Time: daysBefore(10), Terms: []Occurrence{{}, whole}}, 0.693147180560 * 1.5},
		"twenty days old: a quarter of it":      {Record{Kind: record.Reply, Time: daysBefore(20), Terms: []Occurrence{{}, whole}}, 0.693147180560 * 1.25},
		"without a time nothing is gained":      {Record{Kind: record.Reply, Terms: []Occurrence{{}, whole}}, 0.693147180560},
		"both words together, as they were put": {Record{Kind: record.Reply, Terms: []Occurrence{whole, whole}, Phrase: true}, 2.302585092994 * 4},
		"of a subagent's tool":                  {Record{Kind: record.ToolResult, Terms: []Occurrence{{}, whole}, Subagent: true}, 0.693147180560 * 0.25 * 0.25},
		"no term at all":                        {Record{Kind: record.Prompt, Time: newest}, 0},
	} {
		if got := plain.Record(c.r, corpus).Value; !near(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range map[record.Kind]float64{
		record.Prompt: 2, record.Command: 2, record.Reply: 1, record.Summary: 1, record.Dispatch: 0.9, record.Document: 0.8,
		record.Thinking: 0.5, record.ToolCall: 0.4, record.ToolResult: 0.25, record.Notice: 0.1,
	} {
		if got := plain.Record(Record{Kind: kind, Terms: []Occurrence{{}, {1, true}}}, corpus).Value; !near(got, want*0.693147180560) {
			t.Errorf("%s: %v", kind, got/0.693147180560)
		}
	}
}

func TestSession(t *testing.T) {
	title := []Occurrence{{}, {1, true}} // 3 * 0.693147181 = 2.079441542, twice that when new
	for name, c := range map[string]struct {
		best float64
		s    Session
		want float64
	}{
		"one record":                  {10, Session{Records: 1, Time: newest}, 10},
		"three: 1 + ln 3":             {10, Session{Records: 3, Time: newest}, 10 * 2.098612288668},
		"here":                        {10, Session{Records: 1, Here: true}, 20},
		"print":                       {10, Session{Records: 1, Print: true}, 5},
		"with the word in the title":  {10, Session{Records: 1, Time: newest, Title: title}, 14.158883083360},
		"in a title that is a prompt": {10, Session{Records: 1, Time: newest, Title: title, Prompt: true}, 12.079441541680},
		"only in the title, and here": {0, Session{Time: daysBefore(10), Title: title, Here: true}, 2.079441541680 * 1.5 * 2},
	} {
		if got := plain.Session(c.best, c.s, corpus).Value; !near(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The parts say what the value was made of.
func TestParts(t *testing.T) {
	s := plain.Record(Record{Kind: record.Prompt, Time: newest, Terms: []Occurrence{{1, true}}, Phrase: true, Subagent: true}, corpus)
	product, names := 1.0, ""
	for _, p := range s.Parts {
		product *= p.Value
		names += p.Name + " "
	}
	if !near(product, s.Value) || names != "terms prompt phrase recency subagent " {
		t.Errorf("%v of %q for %v", product, names, s.Value)
	}
}

// What people say outranks what tools say, and a title outranks both.
func TestDefaultOrder(t *testing.T) {
	w := Default()
	order := []float64{w.Title, w.Prompt, w.Reply, w.Thinking, w.ToolCall, w.ToolResult}
	for i := 1; i < len(order); i++ {
		if order[i] >= order[i-1] {
			t.Errorf("weights %v are not in order", order)
		}
	}
	if w.Print >= 1 || w.Subagent >= 1 || w.Here <= 1 || w.Phrase <= 1 || w.Inside >= 1 {
		t.Error("a bonus takes, or a malus gives")
	}
}

func TestCorpusSees(t *testing.T) {
	var c Corpus
	c.See(Record{Time: daysBefore(3), Terms: []Occurrence{{1, true}, {}}})
	c.See(Record{Time: daysBefore(1), Terms: []Occurrence{{2, true}, {1, false}}})
	c.See(Record{Time: daysBefore(2), Terms: []Occurrence{{}, {}}})
	if c.Records != 2 || c.Terms[0] != 2 || c.Terms[1] != 1 || !c.Newest.Equal(daysBefore(1)) {
		t.Errorf("%+v", c)
	}
}
