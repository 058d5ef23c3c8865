package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// library is a home with two sessions, the older one in the file that comes
// second by path.
func library(t *testing.T) (h *Home, older, newer string) {
	h = New(t)
	older = h.Claude("/srv/zeta", S2,
		U("z1", "", "Error: first\nsecond line\nerror: third\n"),
		A("z2", "z1", "x", T("no problem here"), ""),
		A("z3", "z2", "x", ToolUse("t1", "Bash", `{"command":"make test","description":"run the error tests"}`), ""),
		UB("z4", "z3", ToolResult("t1", "ERROR 1\nok\nERROR 2")),
	)
	h.Start = h.Start.AddDate(0, 0, 1)
	newer = h.Claude("/srv/alpha", S1, U("a1", "", "an error.* literal"), A("a2", "a1", "x", T("déjà vu naïve"), ""), U("a3", "a2", "de\u0301ja\u0300 decomposed"))
	return h, h.Tilde(older), h.Tilde(newer)
}

func TestGrep(t *testing.T) {
	h, older, newer := library(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"error"}, []string{older + ":error: third", older + ":description: run the error tests", newer + ":an error.* literal"}},
		{[]string{"Error"}, []string{older + ":Error: first"}},
		{[]string{"-i", "ERROR"}, []string{older + ":Error: first", older + ":error: third", older + ":description: run the error tests",
			older + ":ERROR 1", older + ":ERROR 2", newer + ":an error.* literal"}},
		{[]string{"-S", "error: "}, []string{older + ":Error: first", older + ":error: third"}},
		{[]string{"-S", "Error: "}, []string{older + ":Error: first"}},
		{[]string{"-s", "Error: "}, []string{older + ":Error: first"}},
		{[]string{"-n", "second"}, []string{older + ":1:second line"}},
		{[]string{"-n", "ERROR 2"}, []string{older + ":4:ERROR 2"}},
		{[]string{"-c", "-i", "error"}, []string{older + ":5", newer + ":1"}},
		{[]string{"-c", "error"}, []string{older + ":2", newer + ":1"}},
		{[]string{"-c", "-m", "1", "-i", "error"}, []string{older + ":1", newer + ":1"}},
		{[]string{"-m", "1", "-i", "error"}, []string{older + ":Error: first", newer + ":an error.* literal"}},
		{[]string{"-m", "2", "-i", "error"}, []string{older + ":Error: first", older + ":error: third", newer + ":an error.* literal"}},
		{[]string{"--limit", "2", "-i", "error"}, []string{older + ":Error: first", older + ":error: third"}},
		{[]string{"--limit", "6", "-m", "1", "-i", "error"}, []string{older + ":Error: first", newer + ":an error.* literal"}},
		{[]string{"-l", "error"}, []string{h.Path(strings.TrimPrefix(older, "~/")), h.Path(strings.TrimPrefix(newer, "~/"))}},
		{[]string{"-l", "literal"}, []string{h.Path(strings.TrimPrefix(newer, "~/"))}},
		{[]string{"-F", "error.*"}, []string{newer + ":an error.* literal"}},
		{[]string{"-F", "-i", "ERROR.*"}, []string{newer + ":an error.* literal"}},
		{[]string{"-e", "second", "-e", "literal"}, []string{older + ":second line", newer + ":an error.* literal"}},
		{[]string{"-F", "-e", "1", "-e", ".*"}, []string{older + ":ERROR 1", newer + ":an error.* literal"}},
		{[]string{"-e", "-nothing"}, nil},
		{[]string{"--", "-nothing"}, nil},
		{[]string{"^second"}, []string{older + ":second line"}},
		{[]string{"line$"}, []string{older + ":second line"}},
		{[]string{"first\\s*second"}, nil}, // lines are matched one by one
		{[]string{"déjà"}, []string{newer + ":déjà vu naïve", newer + ":de\u0301ja\u0300 decomposed"}},
		{[]string{"de\u0301ja\u0300"}, []string{newer + ":déjà vu naïve", newer + ":de\u0301ja\u0300 decomposed"}},
		{[]string{"-F", "-i", "DÉJÀ"}, []string{newer + ":déjà vu naïve", newer + ":de\u0301ja\u0300 decomposed"}},
		{[]string{`^\w+ \w+ \w+$`}, []string{older + ":no problem here", newer + ":déjà vu naïve"}},
		{[]string{"--kind", "prompt", "-i", "error"}, []string{older + ":Error: first", older + ":error: third", newer + ":an error.* literal"}},
		{[]string{"--kind", "tool_result,reply", "-i", "error|problem"}, []string{older + ":no problem here", older + ":ERROR 1", older + ":ERROR 2"}},
		{[]string{"--scope", "prompts", "-i", "error"}, []string{older + ":Error: first", older + ":error: third", newer + ":an error.* literal"}},
		{[]string{"--store", "claude.projects.subagent", "error"}, nil},
		{[]string{"--agent", "gemini", "error"}, nil},
		{[]string{"make test"}, []string{older + ":make test"}},
		{[]string{"run the error tests"}, []string{older + ":description: run the error tests"}},
	} {
		r := h.Run(append([]string{"grep"}, c.args...)...)
		if got := lines(r.Stdout); !slices.Equal(got, c.want) {
			t.Errorf("grep %q\n gives %q\n want  %q", c.args, got, c.want)
		}
		if want := map[bool]int{true: 0, false: 1}[len(c.want) > 0]; r.Code != want {
			t.Errorf("grep %q exits with %d, want %d (stderr %q)", c.args, r.Code, want, r.Stderr)
		}
	}
}

// As in ripgrep, -m 0 wants nothing.
func TestGrepMaxCountZero(t *testing.T) {
	h, _, _ := library(t)
	for _, args := range [][]string{{"-m", "0", "error"}, {"-c", "-m", "0", "error"}, {"-l", "-m", "0", "error"}} {
		if r := h.Run(append([]string{"grep"}, args...)...).exits(t, 1); r.Stdout != "" {
			t.Errorf("grep %q prints %q", args, r.Stdout)
		}
	}
}

func TestGrepHeading(t *testing.T) {
	h, older, newer := library(t)
	r := h.Run("grep", "--heading", "-n", "-i", "error: |literal").exits(t, 0)
	if want := older + "\n1:Error: first\n1:error: third\n\n" + newer + "\n1:an error.* literal\n"; r.Stdout != want {
		t.Errorf("grep --heading prints\n%s", r.Stdout)
	}
	if r := h.Run("grep", "--color", "always", "-F", "third").exits(t, 0); r.Stdout != "\x1b[35m"+older+"\x1b[0m:error: \x1b[1;31mthird\x1b[0m\n" {
		t.Errorf("in colour: %q", r.Stdout)
	}
}

// The records of --ndjson are whole, and counted by their lines in no way.
func TestGrepNDJSON(t *testing.T) {
	h, _, _ := library(t)
	a := ndjson(t, h.Run("grep", "--ndjson", "ERROR").exits(t, 0))
	recs := as[record](t, a)
	if len(recs) != 1 || recs[0].Text != "ERROR 1\nok\nERROR 2" || recs[0].Kind != "tool_result" || recs[0].Tool != "Bash" {
		t.Errorf("records: %+v", recs)
	}
}

// Answers come in the order of sessions, oldest first; inside one, the
// transcript, then its subagents by time.
func TestOrder(t *testing.T) {
	h := New(t)
	write := func(day int, name, text string) {
		h.Start = h.Start.AddDate(0, 0, day)
		h.Write(".claude/projects/"+name, h.Fill("/srv/app", S1, U(text, "", text)), 0o600)
		h.Start = h.Start.AddDate(0, 0, -day)
	}
	write(1, "-srv-b/"+S1+".jsonl", "order 3")
	write(5, "-srv-b/"+S1+"/subagents/agent-a.jsonl", "order 5")
	write(4, "-srv-b/"+S1+"/subagents/agent-z.jsonl", "order 4")
	write(0, "-srv-c/"+S2+".jsonl", "order 1")
	write(3, "-srv-a/"+S3+".jsonl", "order 6")
	write(3, "-srv-d/"+S4+".jsonl", "order 7") // of the same time: by path
	write(9, "-srv-c/"+S2+"/subagents/agent-b.jsonl", "order 2")
	recs, _ := h.records(t)
	want := []string{"order 1", "order 2", "order 3", "order 4", "order 5", "order 6", "order 7"}
	if got := texts(recs); !slices.Equal(got, want) {
		t.Errorf("the order is %q", got)
	}
	var got []string
	for _, hit := range h.hits("order") {
		got = append(got, hit[strings.LastIndex(hit, ":")+1:])
	}
	if !slices.Equal(got, want) {
		t.Errorf("grep's order is %q", got)
	}
	got = nil
	for _, hit := range h.hits("order", "--sort", "newest") {
		got = append(got, hit[strings.LastIndex(hit, ":")+1:])
	}
	if want := []string{"order 7", "order 6", "order 3", "order 4", "order 5", "order 1", "order 2"}; !slices.Equal(got, want) {
		t.Errorf("with the newest first grep's order is %q", got)
	}
	h.Run("grep", "--sort", "oldest", "order").exits(t, 0)
	h.Run("grep", "--sort", "biggest", "order").exits(t, 2)
	list, _ := h.sessions(t)
	var ids []string
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	if !slices.Equal(ids, []string{S3, S4, S1, S2}) { // the last active first
		t.Errorf("the order of sessions is %q", ids)
	}
}
