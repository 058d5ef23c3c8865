package gemini

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

func TestDamage(t *testing.T) {
	bom := "\ufeff"
	tests := []struct {
		name, file string
		want       []string
		damage     string // line, p for pending, c for cleared, then words of the reason
	}{
		{"accepted lines", gm("S1") + "\r\n\n  \nnull\n\x00\x00\x00\n" + gu("a", "one") + "\r\n", []string{"prompt a:6 one"}, ""},
		{"a torn line", gm("S1") + "\n" + `{"id":"a","type":"us` + "\n" + gu("b", "two") + "\n", []string{"prompt b:3 two"}, "2 not one JSON object"},
		{"a torn last line", gm("S1") + "\n" + gu("b", "two") + "\n" + `{"id":"a","type":"us`, []string{"prompt b:2 two"}, "3p not finished"},
		{"a last line without its end", gm("S1") + "\n" + gu("b", "two"), []string{"prompt b:2 two"}, ""},
		{"not an object", gm("S1") + "\n[1,2]\n" + gu("b", "two") + "\n", []string{"prompt b:3 two"}, "2 not one JSON object"},
		{"NUL before a record", gm("S1") + "\n\x00\x00" + gu("b", "two") + "\n", []string{"prompt b:2 two"}, "2 one whole record"},
		{"a cut record that runs into another", gm("S1") + "\n" + `{"id":"a","type":"user","cont` + gu("b", "two") + "\n", []string{"prompt b:2 two"}, "2 one whole record"},
		{"two records on a line", gm("S1") + "\n" + gu("a", "one") + gu("b", "two") + "\n", []string{"prompt a:2 one", "prompt b:2 two"}, "2 several records"},
		{"what drops others is not believed on a damaged line", gm("S1") + "\n" + gu("a", "one") + "\n\x00" + `{"$rewindTo":"a"}` + "\n", []string{"prompt a:2 one"}, "3 one whole record"},
		{"a byte order mark", bom + gm("S1") + "\n" + gu("a", "one") + "\n", []string{"prompt a:2 one"}, "1c byte order mark"},
		{"no metadata", gu("a", "one") + "\n", []string{"prompt a:1 one"}, "1c Gemini CLI cannot read"},
		{"no projectHash", `{"sessionId":"S1"}` + "\n" + gu("a", "one") + "\n", []string{"prompt a:2 one"}, "1c Gemini CLI cannot read"},
		{"late metadata", gu("a", "one") + "\n" + gm("S1") + "\n", []string{"prompt a:1 one"}, ""},
		{"metadata set piece by piece", gu("a", "one") + "\n" + `{"$set":{"sessionId":"S1"}}` + "\n" + `{"$set":{"projectHash":"p"}}` + "\n", []string{"prompt a:1 one"}, ""},
		{"empty", "", nil, ""},
		{"only metadata", gm("S1") + "\n", nil, ""},
		{"an object over several lines", "{\n\"sessionId\":\"S1\",\n\"messages\":[\n" + gu("a", "one") + ",\n" + gu("a", "two") + ",\n" + gu("b", "three") + "\n]\n}\n",
			[]string{"prompt a:1 two", "prompt+superseded a#1:1 one", "prompt b:1 three"}, ""},
		{"an object over several lines, then more", "{\n\"sessionId\":\"S1\",\n\"messages\":[\n" + gu("a", "one") + "\n]\n}\n" + gu("b", "two") + "\n",
			[]string{"prompt a:1 one", "prompt b:7 two"}, "1c more stands behind"},
		{"a cut object", "{\n\"sessionId\":\"S1\",\n\"messages\":[\n" + gu("a", "one") + ",\n" + gu("b", "two") + ",\n{\"id\":\"c",
			[]string{"prompt a:1 one", "prompt b:1 two"}, "1 cut or damaged; 2 messages"},
		{"messages without ids in an object", `{"sessionId":"S1","messages":[{"type":"user","content":"one"},{"type":"user","content":"two"}]}`,
			[]string{"prompt L1:1 one", "prompt L1#1:1 two"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newWorld(t).file(mainChat, tt.file).read(mainChat, agent.Plan{})
			got.expect(t, tt.want...)
			var all []string
			for _, d := range got.damage {
				mark := string(rune('0' + d.Line))
				if d.Pending {
					mark += "p"
				}
				if d.Cleared {
					mark += "c"
				}
				all = append(all, mark+" "+d.Reason)
			}
			mark, words, _ := strings.Cut(tt.damage, " ")
			switch {
			case tt.damage == "" && len(all) > 0, tt.damage != "" && len(all) != 1:
				t.Errorf("damage: %q", all)
			case tt.damage != "" && (!strings.HasPrefix(all[0], mark+" ") || !strings.Contains(all[0], words)):
				t.Errorf("damage %q, want %q", all[0], tt.damage)
			}
		})
	}
}

func TestLegacyFiles(t *testing.T) {
	name := strings.TrimSuffix(mainChat, "l")
	pretty := "{\n  \"sessionId\": \"S1\",\n  \"projectHash\": \"app\",\n  \"messages\": [\n    {\n      \"id\": \"a\",\n      \"type\": \"user\",\n      \"content\": \"one\"\n    }\n  ],\n  \"summary\": \"T\"\n}"
	w := newWorld(t).file(name, pretty)
	w.read(name, agent.Plan{}).expect(t, "prompt a:1 one")
	if s := w.summary(name).Session; s.Title != "T" || s.ID != "S1" || s.State != record.StateLive {
		t.Errorf("%+v", s)
	}
	for what, data := range map[string]string{"an array": "[]", "garbage": "hello\nworld\n", "a string": `"x"`} {
		got := newWorld(t).file(name, data).read(name, agent.Plan{})
		if len(got.records) > 0 || len(got.damage) != 1 || got.damage[0].Cleared {
			t.Errorf("%s: %+v", what, got)
		}
	}
	if s := newWorld(t).file(name, "hello").summary(name).Session; s.State != record.StateDamaged {
		t.Errorf("state %s", s.State)
	}
}

// Of a file in which no line passes the byte test nothing is told. One line that
// passes is enough to fold the file whole, but only messages of which a line passes
// are told.
func TestByteTest(t *testing.T) {
	w := newWorld(t).chat(gu("a", "one needle"), `{"torn`, ga("b", "two", ""), `{"$rewindTo":"b"}`)
	test := func(word string) agent.Plan {
		return agent.Plan{Candidate: agent.LineTest(func(line []byte) bool { return strings.Contains(string(line), word) })}
	}
	got := w.read(mainChat, test("absent"))
	got.expect(t)
	got = w.read(mainChat, test("needle"))
	got.expect(t, "prompt a:2 one needle")
	if len(got.damage) != 1 || !got.damage[0].Cleared {
		t.Errorf("damage: %+v", got.damage)
	}
	got = w.read(mainChat, test("rewind"))
	got.expect(t)
	w = newWorld(t).chat(ga("b", "a needle", ""), ga("b", "rewritten", ""), gu("a", "other"))
	w.read(mainChat, test("needle")).expect(t, "reply b:3 rewritten", "reply+superseded b#1:2 a needle")
	w = newWorld(t).chat(gu("a", "one"), gu("c", "other"), `{"$patch":{"id":"a","content":"a needle"}}`)
	w.read(mainChat, test("needle")).expect(t, "prompt a:4 a needle", "prompt+replaced a#1:2 one")
	w = newWorld(t).chat(gu("a", "one needle"), `{"torn`)
	if got = w.read(mainChat, test("torn")); len(got.damage) != 1 || got.damage[0].Cleared {
		t.Errorf("a damaged line that passes may hold what is wanted: %+v", got.damage)
	}
}

func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat(`[`, 200_000) + strings.Repeat(`]`, 200_000)
	nested := strings.Repeat(`{"k":`, 50_000) + `"v"` + strings.Repeat(`}`, 50_000)
	got := newWorld(t).chat(
		msg("a", "user", `"content":`+deep), msg("b", "gemini", `"content":"r","toolCalls":[{"id":"c","name":"x","args":`+nested+`}]`),
		`{"$set":`+deep+`}`, gu("d", "end")).read(mainChat, agent.Plan{})
	if n := len(got.records); n != 3 || got.records[n-1].Text != "end" {
		t.Errorf("%d records", n)
	}
}
