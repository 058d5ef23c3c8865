package gemini

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

func entry1(session, message string) string {
	return `{"sessionId":"` + session + `","messageId":0,"type":"user","message":` + quote(message) + `,"timestamp":"2026-01-02T03:04:05.000Z"}`
}

func TestLogs(t *testing.T) {
	name := "tmp/app/logs.json"
	good := "[\n" + entry1("S1", "ask") + ",\n" + entry1("S2", "/help") + "," + entry1("S2", "!ls") + "\n]"
	got := newWorld(t).file(name, good).read(name, agent.Plan{})
	got.expect(t, "prompt L2:2 ask", "command L3:3 /help", "command L3#1:3 ! ls")
	if r := got.records[1]; r.Session != "S2" || r.Time.Format("15:04:05") != "03:04:05" || r.Store != "gemini.tmp.logs" || len(got.damage) > 0 {
		t.Errorf("%+v %v", r, got.damage)
	}
	for what, data := range map[string]string{
		"cut":            "[\n" + entry1("S1", "ask") + ",\n" + entry1("S2", "/help") + ",\n{\"sess",
		"written by two": "[\n" + entry1("S1", "ask") + "\n]" + `"}` + "\n," + entry1("S2", "/help") + "]",
		"in an object":   `{"x":` + entry1("S1", "ask") + "}\n" + entry1("S2", "/help"),
	} {
		got := newWorld(t).file(name, data).read(name, agent.Plan{})
		if len(got.records) != 2 || got.records[0].Text != "ask" || got.records[1].Text != "/help" || len(got.damage) != 1 || got.damage[0].Line != 1 {
			t.Errorf("%s: %q %+v", what, got.lines(), got.damage)
		}
	}
	for what, data := range map[string]string{"empty": "", "empty array": "[]", "odd entries": `[1,null,{"message":5},{"sessionId":"S","type":"user"}]`} {
		got := newWorld(t).file(name, data).read(name, agent.Plan{})
		if len(got.records) > 0 || len(got.damage) > 0 {
			t.Errorf("%s: %q %+v", what, got.lines(), got.damage)
		}
	}
	none := agent.Plan{Candidate: agent.LineTest(func([]byte) bool { return false })}
	if got := newWorld(t).file(name, "[{").read(name, none); len(got.damage) != 1 || !got.damage[0].Cleared {
		t.Errorf("%+v", got)
	}
}

func TestCheckpoints(t *testing.T) {
	name := "tmp/app/checkpoint-na%C3%AFve%20tag%2F1.json"
	turns := `[{"role":"user","parts":[{"text":"<session_context>x"}]},
{"role":"user","parts":[{"text":"ask"}]},
{"role":"model","parts":[{"text":"t","thought":true},{"text":"answer"},{"functionCall":{"id":"c","name":"glob","args":{"pattern":"p"}}}]},
{"role":"user","parts":[{"functionResponse":{"id":"c","name":"glob","response":{"output":"found"}}}]}]`
	want := []string{"notice L1:1 <session_context>x", "prompt L2:2 ask", "thinking L3:3 t", "reply L3#1:3 answer", "tool_call L3#2:3 p", "tool_result L4:4 found"}
	for _, data := range []string{turns, `{"history":` + turns + `,"authType":"x"}`, turns + "\n{"} {
		got := newWorld(t).file(name, data).read(name, agent.Plan{})
		got.expect(t, want...)
		if r := got.records[0]; r.Title != "naïve tag/1" || r.Session != "" || !r.Time.Equal(mtime) || r.Named() {
			t.Errorf("%+v", r)
		}
	}
	cut := newWorld(t).file(name, strings.TrimSuffix(turns, `"found"}}}]}]`)).read(name, agent.Plan{})
	cut.expect(t, want[:5]...)
	if len(cut.damage) != 1 {
		t.Errorf("%+v", cut.damage)
	}
	newWorld(t).file(name, `[{"role":"user","parts":[{"text":"/x"}]},{"role":"user","parts":[{"text":"<state_snapshot>s"}]}]`).read(name, agent.Plan{}).
		expect(t, "prompt L1:1 /x", "notice L1#1:1 <state_snapshot>s")
	for encoded, tag := range map[string]string{"a": "a", "a%20b": "a b", "%E0%A4%A": "%E0%A4%A", "100%": "100%", "na%C3%AFve": "naïve"} {
		if got := decodeTag(encoded); got != tag {
			t.Errorf("%s: %q", encoded, got)
		}
	}
}

func TestToolCheckpoints(t *testing.T) {
	name := "tmp/app/checkpoints/2026-01-02T03-04-05_006Z-f.go-write_file.json"
	data := `{"history":[{"type":"user","text":"q","id":1}],"clientHistory":[{"role":"user","parts":[{"text":"q"}]}],
"toolCall":{"name":"write_file","args":{"content":"x","file_path":"f.go"}},"commitHash":"0","messageId":"p"}`
	got := newWorld(t).file(name, data).read(name, agent.Plan{})
	got.expect(t, "prompt L1:1 q", "tool_call L2:2 f.go\ncontent: x")
	got = newWorld(t).file(name, `{"history":[{"type":"user","text":"q"},{"type":"gemini","text":"a"}]}`).read(name, agent.Plan{})
	got.expect(t, "prompt L1:1 q", "reply L1#1:1 a")
}

func TestShellHistory(t *testing.T) {
	name := "tmp/app/shell_history"
	w := newWorld(t).file("tmp/app/.project_root", "/srv/app").file(name, "ls -la\ngit status \\\n--short\r\n\nmake test \\")
	got := w.read(name, agent.Plan{})
	got.expect(t, "command L1:1 ! ls -la", "command L2:2 ! git status \n--short", "command L5:5 ! make test")
	if r := got.records[0]; r.Role != "user" || r.Origin.CWD != "/srv/app" || !r.Time.Equal(mtime) {
		t.Errorf("%+v", r)
	}
	w.read(name, agent.Plan{Candidate: agent.LineTest(func(b []byte) bool { return strings.Contains(string(b), "--short") })}).expect(t, "command L2:2 ! git status \n--short")
}

func TestDocuments(t *testing.T) {
	for name, want := range map[string]struct{ text, title, session string }{
		"GEMINI.md":                                  {"# Rules\n\nBe brief.\n", "GEMINI.md", ""},
		"tmp/app/S1/plans/sub/plan.md":               {"---\ntitle: \"The plan\"\nname: x\n---\nbody", "The plan", "S1"},
		"tmp/app/plans/plan.md":                      {"---\nname: old\n---\n", "old", ""},
		"tmp/app/memory/MEMORY.md":                   {"- likes Go", "MEMORY.md", ""},
		"tmp/app/memory/skills/s/SKILL.md":           {"---\r\nname: skill\r\n---\r\nx", "skill", ""},
		"tmp/app/tool-outputs/session-S1/glob_c.txt": {"---\nname: no\n---\nout", "glob_c.txt", "S1"},
		"tmp/app/tool-outputs/loose.txt":             {"out\n\n", "loose.txt", ""},
	} {
		w := newWorld(t).file(name, want.text)
		got := w.read(name, agent.Plan{}).records
		if len(got) != 1 {
			t.Fatalf("%s: %d records", name, len(got))
		}
		r := got[0]
		if r.ID != "L1" || r.Line != 1 || !r.Verbatim || r.Kind != "document" || r.Role != "system" || r.Title != want.title || r.Session != want.session ||
			r.Text != strings.TrimSuffix(want.text, "\n") || !r.Time.Equal(mtime) {
			t.Errorf("%s: %+v", name, r)
		}
		if got := w.read(name, agent.Plan{Candidate: agent.LineTest(func([]byte) bool { return false })}); len(got.records) > 0 {
			t.Errorf("%s: the byte test is not asked", name)
		}
	}
	newWorld(t).file("GEMINI.md", " \n").read("GEMINI.md", agent.Plan{}).expect(t)
}

// The files of a known repository are read as its own, and its plans where a
// setting puts them.
func TestRepositories(t *testing.T) {
	w := newWorld(t).file("tmp/app/.project_root", "/srv/app/.gemini/worktrees/x").file("projects.json", `{"projects":{"/srv/lib":"lib"}}`)
	w.beside("/srv/app", "GEMINI.md", "app rules").beside("/srv/app", ".gemini/GEMINI.md", "more").beside("/srv/lib", "GEMINI.md", "lib rules")
	w.beside("/srv/app", ".gemini/settings.json", "{ // mine\n/* a \" */\"general\": {\"plan\": /* here */{\"directory\": \"doc/plans\"}}}").beside("/srv/app/doc/plans", "p.md", "the plan")
	w.beside("/srv/lib", ".gemini/settings.json", `{"general":{"plan":{"directory":"../secret"}}}`).beside("/srv/secret", "p.md", "no plan")
	for name, want := range map[string][2]string{
		"/srv/app/GEMINI.md": {"app rules", "/srv/app"}, "/srv/app/.gemini/GEMINI.md": {"more", "/srv/app"},
		"/srv/lib/GEMINI.md": {"lib rules", "/srv/lib"}, "/srv/app/doc/plans/p.md": {"the plan", ""},
	} {
		got := w.read(name, agent.Plan{}).records
		if len(got) != 1 || got[0].Text != want[0] || got[0].Origin.CWD != want[1] {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if w.discover()["/srv/secret/p.md"] != nil {
		t.Error("a plan outside its project was found")
	}
}

// Every store that is searched or inspected has a pass.
func TestEveryReadableStoreIsRead(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Catalog().Stores {
		if (passOf(s) != nil) != s.Readable() {
			t.Errorf("%s: coverage %s, but its pass is there: %v", s.ID, s.Coverage, passOf(s) != nil)
		}
	}
}
