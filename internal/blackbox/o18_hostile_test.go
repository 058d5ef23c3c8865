//go:build unix

package blackbox

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// rawName leaves out of a name what macOS does not allow in one.
func rawName(name string) string {
	if runtime.GOOS == "darwin" {
		return strings.ToValidUTF8(name, "")
	}
	return name
}

// trap is a home in which everything that a transcript or a name can hold is
// hostile.
func trap(t *testing.T) (h *Home, transcript string) {
	h = New(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data") // for the key of secrets
	cwd := "/srv/" + hostile
	token := "gh" + "p_" + drawn(rand.New(rand.NewPCG(18, 1)), 36, letters)
	transcript = h.Claude(cwd, S1,
		U("m1", "", hostile),
		A("a1", "m1", "msg_1", T("reply "+hostile), ""),
		A("a2", "a1", "msg_1", ToolUse("toolu_1", "Tool"+hostile, `{"command":`+Quote(hostile)+`,`+Quote("key"+hostile)+`:"v"}`), ""),
		UB("m2", "a2", ToolResult("toolu_1", "result "+hostile)),
		Line("user", "m3\x1b[2J", "", `"gitBranch":`+Quote(hostile)+`,`, `{"role":"user","content":"branch and uuid"}`),
		A("a3", "m3", "msg_2", `{"type":`+Quote("block"+hostile)+`,"text":"of a new kind"}`, ""),
		`{"type":`+Quote("type"+hostile)+`,"uuid":"x1"}`,
		CustomTitle("title\n"+hostile),
		`{"type":"user","message":`+Quote("cut "+hostile),
	)
	// Names on the disk that no agent chose: with escapes, and not UTF-8.
	raw := rawName("evil\x1b[2J\x9b31m\r\n\u202e\xff")
	h.Write(".claude/projects/"+raw+"/"+raw+".jsonl", h.Fill(cwd, raw, U("n1", "", "needle "+hostile),
		A("n3", "n1", "msg_3", ToolUse("toolu_2", "Tool"+hostile, `{"command":`+Quote(hostile+" "+token+" "+hostile)+`}`), "")), 0o600)
	h.Write(".claude/projects/"+raw+"/"+raw+"/subagents/agent-"+raw+".jsonl", h.Fill(cwd, S1, U("n2", "", "sub "+hostile)), 0o600)
	h.Write(".claude/projects/"+raw+"/"+raw+"/subagents/agent-"+raw+".meta.json",
		`{"agentType":`+Quote(hostile)+`,"description":`+Quote(hostile)+`,"model":`+Quote(hostile)+`}`, 0o600)
	h.FIFO(".claude/projects/" + raw + "/fifo" + raw + ".jsonl")
	h.Write(".claude/history.jsonl", historyLine(hostile, `{}`, "id"+hostile)+"\n", 0o600)
	h.Write(".claude/plans/"+raw+".md", hostile, 0o600)
	h.Write(".claude/settings.json", `{`+Quote(hostile)+`:1,"env":{}}`, 0o600)
	h.Write(".gemini/projects.json", `{"projects":{`+Quote("/srv/"+hostile)+`:"app"}}`, 0o600)
	h.Write(".config/seshat/config.toml", `"bad\u001b[2J\u202ekey" = 1`+"\n", 0o600)
	return h, transcript
}

func TestO18NothingIsObeyed(t *testing.T) {
	h, transcript := trap(t)
	for _, args := range [][]string{
		{"sessions"}, {"sessions", "--all"}, {"sessions", "--json"}, {"sessions", "--ndjson", "--all"},
		{"show", S1}, {"show", S1, "--full"}, {"show", S1, "--json"}, {"show", S1, "--ndjson"}, {"show", S1 + ":1"}, {"show", transcript},
		{"search", "probe"}, {"search", "probe", "--explain"}, {"search", "probe", "--no-group"}, {"search", "probe", "--ndjson"}, {"search", hostile}, {"search", "no such text"},
		{"sessions", "probe"}, {"grep", "--query", "probe"},
		{"grep", "probe"}, {"grep", "-F", "probe", "--heading", "-n"}, {"grep", "-c", "probe"}, {"grep", "-l", "probe"},
		{"grep", "--ndjson", "probe"}, {"grep", "--scope", "all", "."}, {"grep", "-F", hostile}, {"grep", "no such text"},
		{"find"}, {"find", "-l"}, {"find", "--json"}, {"find", "--ndjson"}, {"find", "--coverage", "private,inspect", "-l"},
		{"records"}, {"records", "--json"}, {"records", "--scope", "conversation"},
		{"projects"}, {"projects", "--json"}, {"projects", "--project", hostile}, {"search", hostile, "--project", hostile}, {"search", "/[" + hostile}, {"search", "prbe"},
		{"secrets"}, {"secrets", "--json"}, {"secrets", "--ndjson"}, {"secrets", "--project", hostile}, {"secrets", "--since", hostile}, {"secrets", "--baseline", hostile}, {"secrets", hostile},
		{"expiring", "--within", "100y"}, {"expiring", "--within", "100y", "--ndjson"}, {"expiring", "--within", hostile}, {"expiring", "--project", hostile},
		{"stores"}, {"stores", "claude.projects.session", "--summary"}, {"stores", "claude.plans", "--summary"},
		{"stores", "claude.settings", "--summary"}, {"stores", "claude.settings", "--summary", "--json"},
		{"show", "evil"}, {"show", "nothing " + hostile}, {"show", "/nowhere/" + hostile}, {hostile}, {"sessions", hostile},
		{"sessions", "--" + hostile}, {"sessions", "--since", hostile}, {"grep", "(?<" + hostile}, {"grep", "a", "--kind", hostile},
		{"grep", "a", "--scope", hostile}, {"grep", "a", "--store", hostile}, {"find", "[" + hostile}, {"find", "-g", "[" + hostile},
		{"find", "-t", hostile}, {"find", "--changed-within", hostile}, {"find", "--coverage", hostile}, {"stores", hostile},
		{"--color", hostile}, {"--agent", hostile, "sessions"}, {"--root", hostile, "sessions"}, {"--root", "claude=/x/" + hostile, "sessions"},
		{"--config", "/x/" + hostile, "sessions"}, {"show"}, {"help", hostile}, {"completion", hostile},
	} {
		for _, color := range []string{"never", "always"} {
			args := append([]string{"--color", color}, args...)
			r := h.Run(args...)
			stdout := r.Stdout
			if color == "always" {
				stdout = ours.ReplaceAllString(stdout, "$1")
			}
			if bad := obeyed(stdout); bad != "" {
				t.Errorf("seshat %q: stdout holds %s", args, bad)
			}
			if bad := obeyed(r.Stderr); bad != "" {
				t.Errorf("seshat %q: stderr holds %s", args, bad)
			}
		}
	}
}

// What a person reads is the text with its escapes made visible, not a text
// with something left out; and seshat's own colours work.
func TestO18ContentIsShownAsItIs(t *testing.T) {
	h, _ := trap(t)
	for _, args := range [][]string{{"show", S1}, {"grep", "-F", "reply probe"}} {
		r := h.Run(args...).exits(t, 0)
		if !strings.Contains(r.Stdout, "reply "+visible+"\n") {
			t.Errorf("%q does not show the text:\n%s", args, r.Stdout)
		}
	}
	colored := h.Run("grep", "--color", "always", "-F", "reply").exits(t, 0).Stdout
	if !regexp.MustCompile("\x1b\\[[0-9;]+mreply\x1b\\[0m ").MatchString(colored) {
		t.Errorf("a match is not set off: %q", colored)
	}
	// The list of credentials names the file and the tool that hold one, in one line.
	if r := h.Run("secrets").exits(t, 3); len(lines(r.Stdout)) != 2 || !strings.Contains(r.Stdout, `Toolprobe \x1b[2J`) || !strings.Contains(r.Stdout, `evil\x1b[2J`) {
		t.Errorf("secrets prints\n%s", r.Stdout)
	}
	// The list of projects: a line for each of 2 and none for what stands in a name.
	if out := h.Run("projects").exits(t, 0).Stdout; !strings.Contains(out, `/srv/probe \x1b[2J\x1b[H`) {
		t.Errorf("projects prints\n%s", out)
	}
	// A title, and what else stands in a row, is one line.
	if got := len(lines(h.Run("sessions").exits(t, 0).Stdout)); got != 3 { // the prompt log remembers one more
		t.Errorf("3 sessions take %d lines", got)
	}
}

// JSON keeps the text, written in a way that no terminal obeys.
func TestO18JSONKeepsTheText(t *testing.T) {
	h, _ := trap(t)
	r := h.Run("records", "--kind", "prompt,reply,tool_call,tool_result").exits(t, 0)
	recs := as[record](t, ndjson(t, r))
	found := map[string]bool{}
	for _, rec := range recs {
		found[rec.Text] = true
		if rec.Kind == "tool_call" && rec.Tool != "Tool"+hostile {
			t.Errorf("the tool is %q", rec.Tool)
		}
		if rec.ID == "m1" && (rec.Origin.CWD != "/srv/"+hostile || rec.Title != "title\n"+hostile) {
			t.Errorf("folder %q, title %q", rec.Origin.CWD, rec.Title)
		}
	}
	for _, text := range []string{hostile, "reply " + hostile, "result " + hostile, "needle " + hostile} {
		if !found[text] {
			t.Errorf("no record reads %q", text)
		}
	}
	for _, escape := range []string{`\u001b`, `\u009b`, `\u202e`, `\u2028`, `\u2066`, `\u007f`} {
		if !strings.Contains(r.Stdout, escape) {
			t.Errorf("the JSON has no %s", escape)
		}
	}
	var s string
	if json.Unmarshal([]byte(Quote(hostile)), &s) != nil || s != hostile {
		t.Fatal("the fixture does not hold the text")
	}
}

// find -0 is for programs: it writes the names as they are.
func TestO18FindZeroIsRaw(t *testing.T) {
	h := New(t)
	raw := h.Write(app+rawName("a\x1b[2J\n\xff.jsonl"), U("m1", "", "x"), 0o600)
	if got := h.Run("find", "-0").exits(t, 0).Stdout; got != raw+"\x00" {
		t.Errorf("find -0 prints %q, want %q", got, raw+"\x00")
	}
}

// Nothing that is archived makes a run write, open what is private or obey.
func TestO18ArchivedIsNotObeyed(t *testing.T) {
	t.Parallel()
	h, _ := trap(t)
	h.Run("archive").exits(t, 2) // the FIFO
	if err := os.RemoveAll(h.Path(".claude/projects")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"sessions", "--all"}, {"sessions", "--all", "--json"}, {"grep", "--heading", ""}, {"grep", "-l", ""}, {"grep", "--json", "needle"}, {"search", "needle"},
		{"search", "needle", "--ndjson"}, {"records", "--scope", "all"}, {"projects"}, {"show", S1}, {"secrets"},
	} {
		r := h.Run(args...)
		if silent := args[0] == "search" || args[1%len(args)] == "--json"; !silent && !strings.Contains(r.Stdout+r.Stderr, "archive") {
			t.Errorf("%q does not say that it is archived:\n%s", args, tail(r.Stdout))
		}
		for name, text := range map[string]string{"stdout": r.Stdout, "stderr": r.Stderr} {
			if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 || c == '\u202e' }); i >= 0 {
				t.Errorf("%q prints %q on %s", args, text[i:min(len(text), i+20)], name)
			}
		}
	}
}
