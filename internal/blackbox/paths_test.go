package blackbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// People read ~/, other programs get paths that they can open.
func TestPaths(t *testing.T) {
	h := New(t)
	cwd := h.Path("code/app")
	path := h.Claude(cwd, S1, U("m1", "", "hello there"), "damaged hello line")
	tilde := h.Tilde(path)
	for _, c := range []struct {
		args   []string
		stdout string
	}{
		{[]string{"grep", "hello there"}, tilde + ":hello there\n"},
		{[]string{"grep", "-c", "hello"}, tilde + ":1\n"},
		{[]string{"grep", "-l", "hello"}, path + "\n"},
		{[]string{"grep", "--heading", "-n", "hello"}, tilde + "\n1:hello there\n"},
		{[]string{"grep", "--absolute-path", "hello"}, path + ":hello there\n"},
		{[]string{"grep", "--absolute-path", "-c", "hello"}, path + ":1\n"},
		{[]string{"find"}, path + "\n"},
		{[]string{"find", "--absolute-path"}, path + "\n"},
		{[]string{"find", "-0"}, path + "\x00"},
	} {
		if r := h.Run(c.args...).exits(t, 0); r.Stdout != c.stdout {
			t.Errorf("%q prints %q, want %q", c.args, r.Stdout, c.stdout)
		}
	}
	if r := h.Run("find", "-l"); !strings.HasSuffix(r.Stdout, "  "+path+"\n") {
		t.Errorf("find -l prints %q", r.Stdout)
	}
	if shown := h.Run("show", S1).Stdout; !strings.Contains(shown, "  "+tilde+"\n") || !strings.Contains(shown, "~/code/app") {
		t.Errorf("show prints\n%s", shown)
	}
	if out := h.Run("stores", "claude.projects.session", "--summary").Stdout; !strings.Contains(out, tilde) || strings.Contains(out, h.Dir) {
		t.Errorf("stores --summary prints\n%s", out)
	}
	if r := h.Run("grep", "hello"); !strings.Contains(r.Stderr, tilde+":2: ") || strings.Contains(r.Stderr, h.Dir) {
		t.Errorf("the warning reads %q", r.Stderr)
	}
	if r := h.Run("grep", "--absolute-path", "hello"); !strings.Contains(r.Stderr, path+":2: ") {
		t.Errorf("the warning reads %q", r.Stderr)
	}
	// What was named may be printed as it was typed, or with ~/.
	gone := h.Path("no/such.jsonl")
	if r := h.Run("show", gone).exits(t, 2); !strings.Contains(r.Stderr, "no/such.jsonl") {
		t.Errorf("the error reads %q", r.Stderr)
	}

	// seshat's own JSON has ~/ in every path, or in none.
	for _, args := range [][]string{{"records"}, {"sessions", "--json"}, {"find", "--json"}, {"show", S1, "--json"}, {"grep", "--ndjson", "hello"},
		{"stores", "claude.projects.session", "--summary", "--json"}} {
		if r := h.Run(args...); strings.Contains(r.Stdout, h.Dir) || !strings.Contains(r.Stdout, `"`+tilde+`"`) {
			t.Errorf("%q prints %s", args, r.Stdout)
		}
		if r := h.Run(append(args, "--absolute-path")...); strings.Contains(r.Stdout, `"~/`) || !strings.Contains(r.Stdout, `"`+path+`"`) {
			t.Errorf("%q --absolute-path prints %s", args, r.Stdout)
		}
	}
}

// Complaints about the config are for people too.
func TestPathsOfTheConfig(t *testing.T) {
	for what, text := range map[string]string{"unknown key": "colour = 1\n", "broken": "exclude = [\n", "wrong type": "exclude = 5\n"} {
		h := New(t)
		h.Claude("/srv/app", S1, U("m1", "", "hello there"))
		h.Write(".config/seshat/config.toml", text, 0o600)
		r := h.Run("sessions")
		if !strings.Contains(r.Stderr, "~/.config/seshat/config.toml") || strings.Contains(r.Stderr, h.Dir) {
			t.Errorf("%s: the complaint reads %q", what, r.Stderr)
		}
		if want := map[string]int{"unknown key": 0}[what]; what == "unknown key" && r.Code != want || what != "unknown key" && r.Code != 2 {
			t.Errorf("%s: exit code %d", what, r.Code)
		}
	}
}

// A folder whose name only begins like the home is not below it.
func TestPathsBesideTheHome(t *testing.T) {
	h := New(t)
	beside := h.Dir + "-old"
	if err := os.MkdirAll(filepath.Join(beside, "projects", "-srv-app"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(beside, "projects", "-srv-app", S1+".jsonl")
	if err := os.WriteFile(path, []byte(h.Fill(beside+"/code", S1, U("m1", "", "hello there"))), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := h.Run("grep", "hello", "--root", "claude="+beside).exits(t, 0); r.Stdout != path+":hello there\n" {
		t.Errorf("grep prints %q", r.Stdout)
	}
	list, _ := h.sessions(t, "--root", "claude="+beside)
	if len(list) != 1 || list[0].Path != path || list[0].Project.Root != beside+"/code" {
		t.Errorf("sessions: %+v", list)
	}
	// The home itself is ~.
	h.Claude(h.Dir, S2, U("m1", "", "at home"))
	list, _ = h.sessions(t)
	if len(list) != 1 || list[0].Project.Root != "~" {
		t.Errorf("sessions: %+v", list)
	}
}

// A handle can be a path, relative or with ~, below a linked root too.
func TestPathsAsHandles(t *testing.T) {
	h := New(t)
	path := h.Claude("/srv/app", S1, U("m1", "", "one"), A("a1", "m1", "x", T("two"), ""), U("m2", "a1", "three"))
	sub := h.Write(app+S1+"/subagents/agent-abc123.jsonl", h.Fill("/srv/app", S1, U("c1", "", "child one"), A("c2", "c1", "x", T("child two"), "")), 0o600)
	for handle, want := range map[string][]string{
		path:                {"one", "two", "three"},
		h.Tilde(path):       {"one", "two", "three"},
		app + S1 + ".jsonl": {"one", "two", "three"},
		"./" + app + "../-srv-app/" + S1 + ".jsonl": {"one", "two", "three"},
		path + ":2":          {"two"},
		h.Tilde(path) + ":3": {"three"},
		sub:                  {"child one", "child two"},
		sub + ":2":           {"child two"},
		"abc123":             {"child one", "child two"},
		"abc123:1":           {"child one"},
		"agent-abc123":       {"child one", "child two"},
		S1[:8] + ":2":        {"two"},
		"claude:1111:3":      {"three"},
		"a1":                 {"two"}, // the whole id
		"claude:m2":          {"three"},
		"a":                  nil, // too short for the beginning of one
	} {
		r := h.Run("show", handle, "-C", "0", "--json")
		if want == nil {
			r.exits(t, 2)
			continue
		}
		r.exits(t, 0)
		if r.Code == 0 {
			if got := texts(as[record](t, oneObject(t, r))); !slices.Equal(got, want) {
				t.Errorf("show %s gives %q, want %q", handle, got, want)
			}
		}
	}
}

// A home that is written with a slash at its end is the same home.
func TestPathsOfAHomeWithASlash(t *testing.T) {
	h := New(t)
	path := h.Claude("/srv/app", S1, U("m1", "", "hello there"))
	h.Vars["HOME"] = h.Dir + "/"
	if r := h.Run("grep", "hello").exits(t, 0); r.Stdout != h.Tilde(path)+":hello there\n" {
		t.Errorf("grep prints %q", r.Stdout)
	}
}

// Without a home nothing was looked at, so that nothing is found is not certain.
func TestNoHome(t *testing.T) {
	h := New(t)
	r := h.Do(Run{Args: []string{"sessions"}, Each: func(cmd *exec.Cmd) {
		cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "USERPROFILE=") })
	}})
	r.exits(t, 2)
}
