package blackbox

import (
	"strings"
	"testing"
)

func TestExitCodesOfAnEmptyHome(t *testing.T) {
	h := New(t)
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"sessions"}, 1}, {[]string{"sessions", "--all"}, 1}, {[]string{"sessions", "--json"}, 1}, {[]string{"expiring"}, 1}, {[]string{"expiring", "--within", "100y", "--json"}, 1},
		{[]string{"grep", "x"}, 1}, {[]string{"grep", "--scope", "all", "x"}, 1}, {[]string{"records"}, 1}, {[]string{"find"}, 1},
		{[]string{"find", "--json"}, 1}, {[]string{"show", S1}, 2}, {[]string{"search", "x"}, 1}, {[]string{"search", "x", "--json"}, 1}, {[]string{"stores"}, 0}, {[]string{"stores", "claude.history"}, 0},
		{[]string{"stores", "claude.history", "--summary"}, 1}, {[]string{}, 0}, {[]string{"--version"}, 0}, {[]string{"--help"}, 0},
	} {
		r := h.Run(c.args...)
		if r.Code != c.code {
			t.Errorf("seshat %q exits with %d, want %d (stderr %q)", c.args, r.Code, c.code, r.Stderr)
		}
		if r.Code == 2 && (r.Stdout != "" || !strings.HasPrefix(r.Stderr, "seshat: ")) {
			t.Errorf("seshat %q says %q and %q", c.args, r.Stdout, r.Stderr)
		}
	}
	// An answer without items has the shape of any other.
	a := oneObject(t, h.Run("sessions", "--json"))
	if len(a.items) != 0 || !a.summary.Complete || a.summary.Matches != 0 {
		t.Errorf("the empty answer: %s", a.raw)
	}
}

func TestExitCodesWithSessions(t *testing.T) {
	h := New(t)
	path := h.Claude("/srv/app", S1, U("m1", "", "hello there"))
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"sessions"}, 0}, {[]string{"sessions", "--since", "2026-01-03"}, 1}, {[]string{"sessions", "--since", "2026-01-01"}, 0},
		{[]string{"grep", "hello"}, 0}, {[]string{"grep", "goodbye"}, 1}, {[]string{"grep", "-c", "goodbye"}, 1}, {[]string{"grep", "-l", "goodbye"}, 1},
		{[]string{"grep", "--ndjson", "goodbye"}, 1},
		{[]string{"search", "hello"}, 0}, {[]string{"search", "goodbye"}, 1}, {[]string{"search", "goodbye", "--ndjson"}, 1}, {[]string{"search", "hello goodbye"}, 1},
		{[]string{"sessions", "hello"}, 0}, {[]string{"sessions", "goodbye"}, 1}, {[]string{"grep", "--query", "hello"}, 0}, {[]string{"grep", "--query", "goodbye"}, 1}, {[]string{"records", "--kind", "reply"}, 1}, {[]string{"records", "--kind", "prompt"}, 0},
		{[]string{"find", "jsonl"}, 0}, {[]string{"find", "nothing-like-it"}, 1}, {[]string{"show", S1}, 0}, {[]string{"show", path}, 0},
		{[]string{"show", S1, "--kind", "reply"}, 1}, {[]string{"show", S1 + ":99"}, 1}, {[]string{"show", "1111"}, 0}, {[]string{"show", "111"}, 2},
		{[]string{"show", "claude:" + S1}, 0}, {[]string{"show", "gemini:" + S1}, 2}, {[]string{"show", S2}, 2}, {[]string{"show", h.Path("no.jsonl")}, 2},
		{[]string{"stores", "claude.history", "--summary"}, 1}, {[]string{"stores", "claude.projects.session", "--summary"}, 0},
		{[]string{"sessions", "--agent", "gemini"}, 1}, {[]string{"sessions", "--agent", "claude,gemini"}, 0},
	} {
		if r := h.Run(c.args...); r.Code != c.code {
			t.Errorf("seshat %q exits with %d, want %d (stderr %q)", c.args, r.Code, c.code, r.Stderr)
		}
	}
}

// Wrong usage is one line on stderr, nothing on stdout, and code 2.
func TestWrongUsage(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "hello there"))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"sesions"}, "seshat sessions"},
		{[]string{"gerp", "x"}, "seshat grep"},
		{[]string{"store"}, "seshat stores"},
		{[]string{"rec"}, "seshat records"},
		{[]string{"sesions", "--all"}, "seshat sessions"},
		{[]string{"--color", "never", "sesions", "--since", "2w"}, "seshat sessions"},
		{[]string{"xyzzy"}, `there is no command "xyzzy"`},
		{[]string{"help", "sesions"}, "did you mean seshat sessions?"},
		{[]string{"help", "xyzzy"}, `there is no command "xyzzy"`},
		{[]string{"completion", "xyzzy"}, "no argument"},
		{[]string{"search"}, "search needs a query"},
		{[]string{"search", "/[/"}, "column 1"},
		{[]string{"search", "--only-here", "x", "--sort", "best"}, "--sort takes score, newest, oldest"},
		{[]string{"search", "x", "--here", "--only-here"}, "cannot be given together"},
		{[]string{"search", "x", "--limit", "-1"}, "not negative"},
		{[]string{"search", "x", "-f", "no-such-file"}, "twice"},
		{[]string{"search", "-f", "no-such-file"}, "the query file no-such-file cannot be read"},
		{[]string{"search", "-x"}, "put -- before a query that begins with a dash"},
		{[]string{"search", "x kind:prompt", "--kind", "reply"}, "--kind and kind:"},
		{[]string{"search", "x project:app", "--project", "app"}, "--project and project:"},
		{[]string{"search", "x agent:claude", "--agent", "claude"}, "--agent and agent:"},
		{[]string{"grep", "--query", "x store:claude.*", "--store", "claude.history"}, "--store and store:"},
		{[]string{"grep", "--query", "/[/"}, "column 1"},
		{[]string{"grep", "--query", "-F", "x"}, "--query and --fixed-strings cannot be given together"},
		{[]string{"grep", "--query"}, "grep --query needs a query"},
		{[]string{"sessions", "x since:2w", "--since", "2w"}, "--since and since:"},
		{[]string{"sessions", "/[/"}, "column 1"},
		{[]string{"sessions", "--since", "whenever"}, `"whenever" is no time`},
		{[]string{"sessions", "--since"}, "needs an argument"},
		{[]string{"sessions", "--limit", "many"}, `invalid argument "many"`},
		{[]string{"sessions", "--json", "--ndjson"}, "--json and --ndjson cannot be given together"},
		{[]string{"sessions", "--nope"}, "unknown flag: --nope"},
		{[]string{"sessions", "--agent", "clod"}, "seshat knows claude, gemini"},
		{[]string{"sessions", "--color", "sometimes"}, "auto, always or never"},
		{[]string{"sessions", "--root", "claude"}, "AGENT=DIR"},
		{[]string{"sessions", "--root", "claude="}, "AGENT=DIR"},
		{[]string{"sessions", "--root", "clod=/x"}, "it knows claude, gemini"},
		{[]string{"sessions", "--config", "no-such.toml"}, "the config no-such.toml cannot be read"},
		{[]string{"grep"}, "grep needs a pattern"},
		{[]string{"grep", "one", "two"}, "one pattern"},
		{[]string{"grep", "["}, "is not a regular expression"},
		{[]string{"grep", "a(b"}, "missing closing )"},
		{[]string{"grep", "-e", "fine", "-e", "(?<"}, `the pattern "(?<" is not a regular expression`},
		{[]string{"grep", "x", "--scope", "some"}, "prompts, conversation or all"},
		{[]string{"grep", "x", "--kind", "replies"}, `there is no kind "replies"; they are prompt, `},
		{[]string{"grep", "x", "--store", "claude.histry"}, "claude.history"},
		{[]string{"grep", "x", "--store", "claude.credentials"}, "is private only"},
		{[]string{"grep", "-c", "-l", "x"}, "cannot be given together"},
		{[]string{"grep", "-i", "-s", "x"}, "cannot be given together"},
		{[]string{"records", "x"}, "no argument"},
		{[]string{"find", "a", "b"}, "1 argument, not 2"},
		{[]string{"find", "["}, "is not a regular expression"},
		{[]string{"find", "-g", "["}, "a [ without its ]"},
		{[]string{"find", "-t", "x"}, "they are f, d, l, s and p"},
		{[]string{"find", "--changed-within", "soon"}, `"soon" is no time`},
		{[]string{"find", "--coverage", "all"}, `there is no coverage "all"; they are search, inspect, catalogue, private`},
		{[]string{"find", "--store", "nope"}, `no store is called "nope"`},
		{[]string{"find", "-0", "-l"}, "cannot be given together"},
		{[]string{"show"}, "1 argument, not 0"},
		{[]string{"show", "a", "b"}, "1 argument, not 2"},
		{[]string{"show", ""}, "names nothing"},
		{[]string{"show", S1, "--kind", "x"}, `there is no kind "x"`},
		{[]string{"show", S1 + ":1", "-C", "-1"}, "not negative"},
		{[]string{"stores", "--summary"}, "needs the ID of a store"},
		{[]string{"stores", "claude.histori"}, "claude.history"},
		{[]string{"stores", "history"}, "claude.history"},
		{[]string{"stores", "--coverage", "x"}, `there is no coverage "x"`},
		{[]string{"projects", "x"}, "no argument"}, {[]string{"expiring", "x"}, "no argument"}, {[]string{"secrets", "x"}, "no argument"},
		{[]string{"expiring", "--within", "soon"}, `"soon" is no length of time`}, {[]string{"secrets", "--guide", "--json"}, "cannot be given together"},
		{[]string{"demo", "x"}, "no argument"},
	} {
		r := h.Run(c.args...)
		if r.Code != 2 {
			t.Errorf("seshat %q exits with %d, want 2\nstdout: %s\nstderr: %s", c.args, r.Code, tail(r.Stdout), tail(r.Stderr))
			continue
		}
		if r.Stdout != "" || strings.Count(r.Stderr, "\n") != 1 || !strings.HasPrefix(r.Stderr, "seshat: ") || !strings.Contains(r.Stderr, c.says) {
			t.Errorf("seshat %q says %q and %q, want one line that names %q", c.args, tail(r.Stdout), tail(r.Stderr), c.says)
		}
	}
}

// Every command takes the flags that the contract gives to all, and what prints data
// prints it as JSON.
func TestEveryCommandTakesTheSameFlags(t *testing.T) {
	h := New(t)
	for _, command := range []string{"search", "grep", "find", "records", "sessions", "projects", "expiring", "show", "stores", "secrets", "demo"} {
		help := h.Run(command, "--help").exits(t, 0).Stdout
		for _, flag := range []string{"--agent strings", "--root stringArray", "--config string", "--color string", "--absolute-path", "--no-progress", "-q, --quiet", "--json", "--ndjson"} {
			if !strings.Contains(help, flag+" ") && (command != "demo" || !strings.Contains(flag, "json")) {
				t.Errorf("seshat %s does not take %s", command, flag)
			}
		}
		if !strings.Contains(help, "Exit codes: ") {
			t.Errorf("seshat %s does not say its exit codes", command)
		}
	}
}

// A number that is too large to add to is a number like any other.
func TestShowWithAHugeContext(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "one"), U("m2", "m1", "two"), U("m3", "m2", "three"))
	out := h.Run("show", S1+":2", "-C", "9223372036854775807").exits(t, 0).Stdout
	if strings.Count(out, "── prompt") != 3 {
		t.Errorf("show prints\n%s", out)
	}
}

// What seshat does not give yet must not be called certain to be missing.
func TestUnreadRecordsAreNotDenied(t *testing.T) {
	for what, line := range map[string]string{
		"queued prompt":     `{"type":"queue-operation","operation":"enqueue","timestamp":` + Time + `,"sessionId":` + Session + `,"content":"odd-needle"}`,
		"queued attachment": `{"type":"attachment","attachment":{"type":"queued_command","prompt":"odd-needle"},"uuid":"x1","timestamp":` + Time + `}`,
		"system notice":     `{"type":"system","subtype":"informational","content":"odd-needle","uuid":"x1","timestamp":` + Time + `}`,
		"hook output":       `{"type":"attachment","attachment":{"type":"hook_success","content":"odd-needle"},"uuid":"x1","timestamp":` + Time + `}`,
	} {
		t.Run(what, func(t *testing.T) { notDenied(t, line) })
	}
}

// Nor must what no reader knows.
func TestUnknownTypesAreNotDenied(t *testing.T) {
	for what, line := range map[string]string{
		"record": `{"type":"brand-new","message":{"content":"odd-needle"},"uuid":"x1","timestamp":` + Time + `}`,
		"block":  A("x1", "m1", "msg_1", `{"type":"brand_new","payload":{"words":"odd-needle"}}`, ""),
	} {
		t.Run(what, func(t *testing.T) { notDenied(t, line) })
	}
}

// notDenied asks for a text that stands in a line that may not be read.
func notDenied(t *testing.T, line string) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "good before"), line)
	if r := h.Run("grep", "--scope", "all", "-F", "odd-needle"); r.Code == 1 {
		t.Errorf("grep says that there certainly is no such text: %q", r.Stderr)
	}
	h.Run("grep", "-F", "good before").exits(t, 0)
}

// The demo looks at a sample home of its own and leaves nothing behind, unless
// it is asked to.
func TestDemo(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "my own words"))
	r := h.Run("demo").exits(t, 0)
	if !strings.Contains(r.Stdout, "$ seshat sessions\n") || strings.Contains(r.Stdout, "my own words") {
		t.Errorf("the demo prints\n%s", r.Stdout)
	}
	if strings.Contains(r.Stderr, "exit") {
		t.Errorf("the demo complains: %q", r.Stderr)
	}
	r = h.Do(Run{Args: []string{"demo", "--keep"}, Keeps: true}).exits(t, 0)
	if !strings.Contains(r.Stdout, "stays in "+h.Tmp) {
		t.Errorf("the demo does not say where it stays:\n%s", tail(r.Stdout))
	}
	if got := len(list(h.Tmp)); got < 10 {
		t.Errorf("the demo left %d names", got)
	}
}
