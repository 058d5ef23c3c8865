package gemini

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

// fuzzed reads a file twice, once behind a byte test that passes all, and holds
// what comes out against what every reader may rely on.
func fuzzed(t *testing.T, name string, data []byte) {
	w := newWorld(t).file(name, string(data))
	src := w.discover()[name]
	got, err := readSource(src, agent.Plan{Titles: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(string(data), "\n") + 1
	ids := map[string]bool{}
	for _, r := range got.records {
		if r.ID == "" || r.Line < 1 || r.Line > lines || r.Time.IsZero() || r.Path == "" || r.Role == "" || r.Kind == "" {
			t.Errorf("%+v", r)
		}
		if key := r.ID; ids[key] && !strings.Contains(key, "#") && r.Named() {
			t.Errorf("the id %q stands twice", key)
		} else {
			ids[key] = true
		}
	}
	for _, d := range got.damage {
		if d.Line < 1 || d.Line > lines || d.Reason == "" {
			t.Errorf("%+v", d)
		}
	}
	again, err := readSource(src, agent.Plan{Titles: true, Candidate: agent.LineTest(func([]byte) bool { return true })})
	if err != nil || !reflect.DeepEqual(got, again) {
		t.Errorf("read again: %v\n%q\n%q", err, got.lines(), again.lines())
	}
	none, err := readSource(src, agent.Plan{Candidate: agent.LineTest(func([]byte) bool { return false })})
	if err != nil || len(none.records) > 0 {
		t.Errorf("nothing passes: %v\n%q\n%+v", err, none.lines(), none.damage)
	}
	if !isChat(src) {
		return
	}
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	sum, err := a.Summarize(context.Background(), src)
	if err != nil || len(sum.Records) != len(got.records) || src.Session == "" || src.Family == "" {
		t.Errorf("summary: %v %+v", err, sum)
	}
	if _, err := a.Head(context.Background(), src); err != nil {
		t.Error(err)
	}
}

func FuzzChat(f *testing.F) {
	for _, lines := range [][]string{
		{gm("S1"), gu("a", "one"), ga("b", "two", `,"toolCalls":[`+call("c", "glob", `{"pattern":"p"}`, "x")+`]`), `{"$rewindTo":"b"}`},
		{gm("S1"), setMessages(gu("a", "one")), `{"$patch":{"id":"a","content":"x","removeIds":["a"],"orderIds":["a"]}}`, "null", "\x00"},
		{"\ufeff" + gm("S1"), gu("a", "one") + gu("b", "two"), `{"id":"c","ty`},
		{"{", `"sessionId":"S1",`, `"messages":[`, gu("a", "one") + ",", `{"type":"user","content":"x"}]`, "}", gu("b", "x")},
		{`{"sessionId":"S1","messages":[{"id":"a","content":["`},
	} {
		f.Add([]byte(strings.Join(lines, "\n")), true)
		f.Add([]byte(strings.Join(lines, "\n")), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, legacy bool) {
		name := mainChat
		if legacy {
			name = strings.TrimSuffix(name, "l")
		}
		fuzzed(t, name, data)
	})
}

func FuzzLogs(f *testing.F) {
	f.Add([]byte("[" + entry1("S1", "ask") + ",\n" + entry1("S2", "/help") + "]"))
	f.Add([]byte("\ufeff[" + entry1("S1", "ask") + `,{"sess`))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "tmp/app/logs.json", data) })
}

func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(`{"history":[{"role":"user","parts":[{"text":"x"}]}],"toolCall":{"name":"glob","args":{"pattern":"p"}}}`))
	f.Add([]byte(`[{"role":"model","parts":[{"functionCall":{"name":"x"}},{"text":"t","thought":true}]},`))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "tmp/app/checkpoint-x.json", data) })
}

func FuzzTexts(f *testing.F) {
	f.Add([]byte("ls \\\n-la\n"), true)
	f.Add([]byte("---\nname: x\n---\nbody"), false)
	f.Fuzz(func(t *testing.T, data []byte, shell bool) {
		if shell {
			fuzzed(t, "tmp/app/shell_history", data)
			return
		}
		fuzzed(t, "tmp/app/memory/MEMORY.md", data)
	})
}
