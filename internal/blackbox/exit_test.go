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
		{[]string{"find", "--json"}, 1}, {[]string{"show", S1}, 2}, {[]string{"stores"}, 0}, {[]string{"stores", "claude.history"}, 0},
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
		{[]string{"grep", "--ndjson", "goodbye"}, 1}, {[]string{"records", "--kind", "reply"}, 1}, {[]string{"records", "--kind", "prompt"}, 0},
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
		{[]string{"xyzzy"}, "xyzzy"},
		{[]string{"help", "sesions"}, "sesions"},
		{[]string{"help", "xyzzy"}, "xyzzy"},
		{[]string{"completion", "xyzzy"}, "xyzzy"},
		{[]string{"sessions", "one"}, ""},
		{[]string{"sessions", "--since", "whenever"}, "--since"},
		{[]string{"sessions", "--since"}, "--since"},
		{[]string{"sessions", "--limit", "many"}, "--limit"},
		{[]string{"sessions", "--json", "--ndjson"}, ""},
		{[]string{"sessions", "--nope"}, "--nope"},
		{[]string{"sessions", "--agent", "clod"}, "clod"},
		{[]string{"sessions", "--color", "sometimes"}, "--color"},
		{[]string{"sessions", "--root", "claude"}, "--root"},
		{[]string{"sessions", "--root", "claude="}, "--root"},
		{[]string{"sessions", "--root", "clod=/x"}, "--root"},
		{[]string{"sessions", "--config", "no-such.toml"}, "no-such.toml"},
		{[]string{"grep"}, "pattern"},
		{[]string{"grep", "one", "two"}, ""},
		{[]string{"grep", "["}, "["},
		{[]string{"grep", "a(b"}, "a(b"},
		{[]string{"grep", "-e", "fine", "-e", "(?<"}, "(?<"},
		{[]string{"grep", "x", "--scope", "some"}, "some"},
		{[]string{"grep", "x", "--kind", "replies"}, "replies"},
		{[]string{"grep", "x", "--store", "claude.histry"}, "claude.history"},
		{[]string{"grep", "x", "--store", "claude.credentials"}, "private"},
		{[]string{"grep", "-c", "-l", "x"}, ""},
		{[]string{"grep", "-i", "-s", "x"}, ""},
		{[]string{"records", "x"}, ""},
		{[]string{"find", "a", "b"}, ""},
		{[]string{"find", "["}, "["},
		{[]string{"find", "-g", "["}, "["},
		{[]string{"find", "-t", "x"}, "x"},
		{[]string{"find", "--changed-within", "soon"}, "soon"},
		{[]string{"find", "--coverage", "all"}, "all"},
		{[]string{"find", "--store", "nope"}, "nope"},
		{[]string{"find", "-0", "-l"}, ""},
		{[]string{"show"}, ""},
		{[]string{"show", "a", "b"}, ""},
		{[]string{"show", ""}, ""},
		{[]string{"show", S1, "--kind", "x"}, "x"},
		{[]string{"show", S1 + ":1", "-C", "-1"}, ""},
		{[]string{"stores", "--summary"}, "--summary"},
		{[]string{"stores", "claude.histori"}, "claude.history"},
		{[]string{"stores", "history"}, "claude.history"},
		{[]string{"stores", "--coverage", "x"}, "x"},
		{[]string{"demo", "x"}, ""},
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
