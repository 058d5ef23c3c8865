package query

import (
	"slices"
	"strings"
	"testing"
)

func mustParse(t *testing.T, src string) *Query {
	t.Helper()
	q, err := Parse(src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestHints(t *testing.T) {
	for src, want := range map[string]string{
		// Said whatever was found.
		"x agnet:x": `!2 agnet: is no field, so "agnet:x" is looked for as text; did you mean agent:x?`,
		"Agent:x":   `!0 Agent: is no field, so "Agent:x" is looked for as text; did you mean agent:x?`,
		"titel:x":   `!0 titel: is no field, so "titel:x" is looked for as text; did you mean title:x?`,
		"files:x":   `!0 files: is no field, so "files:x" is looked for as text; did you mean file:x?`,
		`"half`:     `!0 a quotation mark without its partner is looked for as text, and so is what follows it`,
		`"`:         `!0 a quotation mark without its partner is looked for as text, and so is what follows it`,
		// Said where nothing was found.
		"error:timeout": `?0 error: is no field, so "error:timeout" was looked for as text`,
		"a or b":        `?2 or was looked for as a word; as an operator it is written OR`,
		"*":             `?0 a * outside a field stands for itself; a part of a word is found without it`,
		"since:then":    `?0 "since:then" was looked for as text, since "then" is no time: write 2026-05-22, 2026-05, today, yesterday, or an age such as 3d, 2w, 6m, 1y`,
		"role:robot":    `?0 role: is never "robot"; it is one of user, assistant, tool, system`,
		"is:new*":       `?0 is: is never "new*"; it is one of subagent, print, archived, prompts-only, superseded, replaced, error`,
	} {
		hints := mustParse(t, src).Hints
		if len(hints) != 1 {
			t.Errorf("%s: %v", src, hints)
			continue
		}
		mark := "?"
		if hints[0].Always {
			mark = "!"
		}
		if got := mark + string(rune('0'+hints[0].At)) + " " + hints[0].Text; got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
	}
	for _, src := range []string{
		"auth", "TODO: fix", "TODO:", "http://x", "std::vector", "path::join", `C:\x`, "C:/x", "C:x", "agent:claude", "agent:anything", "is:err*", "kind:*", `"a b"`, "12:30",
		"-5", "a|b", "don't", "in:x", "as:x", "title:a*", "tool:>x", `say"x`, `""`,
	} {
		hints := mustParse(t, src).Hints
		if src == "in:x" || src == "as:x" { // too short to be a slip
			if len(hints) != 1 || hints[0].Always {
				t.Errorf("%s: %v", src, hints)
			}
		} else if len(hints) > 0 {
			t.Errorf("%s: %v", src, hints)
		}
	}
}

func TestOneEdit(t *testing.T) {
	for pair, want := range map[string]bool{
		"agnet agent": true, "agen agent": true, "agentt agent": true, "xgent agent": true, "agent agent": false, "agnte agent": false, "gaent agent": true,
		"tile title": true, "texts text": true, "tx text": false, "tetx text": true, "txte text": false,
	} {
		a, b, _ := strings.Cut(pair, " ")
		if got := oneEdit(a, b); got != want {
			t.Errorf("%s: %v", pair, got)
		}
	}
}

func TestUses(t *testing.T) {
	q := mustParse(t, "a (NOT is:superseded OR project:x) since:3d kind:tool_* NOT scope:all")
	for field, want := range map[string]bool{"is": true, "project": true, "since": true, "until": false, "text": false} {
		if q.Uses(field) != want {
			t.Errorf("%s: %v", field, !want)
		}
	}
	for pair, want := range map[string]bool{"is superseded": false, "project x": true, "kind tool_call": true, "kind reply": false, "scope all": false} {
		field, value, _ := strings.Cut(pair, " ")
		if q.AsksFor(field, value) != want {
			t.Errorf("%s: %v", pair, !want)
		}
	}
	if !mustParse(t, "NOT NOT is:superseded").AsksFor("is", "superseded") || !mustParse(t, " ").Empty() || q.Empty() {
		t.Error("negations or emptiness are miscounted")
	}
}

func TestClash(t *testing.T) {
	q := mustParse(t, "a NOT project:x since:3d kind:reply")
	for flags, want := range map[string]string{
		"":                  "",
		"--agent --until":   "",
		"--here":            "",
		"--project":         "--project and project: say the same thing twice; give one of them",
		"since":             "--since and since: say the same thing twice; give one of them",
		"--limit --kind":    "--kind and kind: say the same thing twice; give one of them",
		"--since --project": "--project and project: say the same thing twice; give one of them",
	} {
		got := ""
		if err := q.Clash(strings.Fields(flags)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", flags, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	values := func(field string) []string {
		if field == "agent" {
			return []string{"claude", "gemini"}
		}
		return nil
	}
	for word, want := range map[string]string{
		"ti": "title: time:", "t": "tool: text: title: time:", "-bra": "-branch:", "kind:tool": "kind:tool_call kind:tool_result", "is:s": "is:subagent is:superseded",
		"agent:": "agent:claude agent:gemini", "-agent:g": "-agent:gemini", "model:": "", "nothing:": "", "xy": "", "scope:all": "scope:all",
	} {
		if got := Complete(word, values); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q", word, got)
		}
	}
}

// The registry is what everything reads, so each row is whole and its example is a
// query of that field.
func TestFieldsAreWhole(t *testing.T) {
	var all []string
	for _, f := range Fields() {
		all = append(all, f.Name)
		if f.Help == "" || f.Takes == "" {
			t.Errorf("%s lacks a word of help", f.Name)
		}
		q := mustParse(t, f.Example)
		if term, ok := q.Expr.(Filter); !ok || term.Field != f.Name || len(q.Hints) > 0 {
			t.Errorf("the example of %s is read as %s", f.Name, show(q.Expr))
		}
	}
	want := "agent store path kind scope role model tool text title session project repo cwd worktree branch time since until is file pr"
	if got := strings.Join(all, " "); got != want {
		t.Errorf("the fields are\n%s, want\n%s", got, want)
	}
}
