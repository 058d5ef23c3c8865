package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// profiles is case O11: a second profile beside the usual one.
func profiles(t *testing.T) (h *Home, work, usual string) {
	h = New(t)
	work = h.ClaudeIn(".claude-work", "/srv/app", S1, U("w1", "", "work-profile-needle"))
	usual = h.Claude("/srv/app", S2, U("u1", "", "usual-profile-needle"))
	return h, work, usual
}

// paths lists the transcripts that sessions names.
func (h *Home) paths(t *testing.T, args ...string) []string {
	t.Helper()
	list, _ := h.sessions(t, append([]string{"--absolute-path"}, args...)...)
	out := []string{}
	for _, s := range list {
		out = append(out, s.Path)
	}
	slices.Sort(out)
	return out
}

func TestO11Roots(t *testing.T) {
	h, work, usual := profiles(t)
	both := []string{usual, work}
	slices.Sort(both)
	config := func(text string) func(h *Home) {
		return func(h *Home) { h.Write(".config/seshat/config.toml", text, 0o600) }
	}
	for _, c := range []struct {
		what   string
		vars   map[string]string
		config string
		args   []string
		want   []string
	}{
		{"unset", nil, "", nil, []string{usual}},
		{"variable", map[string]string{"CLAUDE_CONFIG_DIR": h.Path(".claude-work")}, "", nil, []string{work}},
		{"variable with ~", map[string]string{"CLAUDE_CONFIG_DIR": "~/.claude-work"}, "", nil, []string{work}},
		{"empty variable", map[string]string{"CLAUDE_CONFIG_DIR": ""}, "", nil, []string{usual}},
		{"config adds", nil, "[agents.claude]\nroots = [\"~/.claude-work\"]\n", nil, both},
		{"config names both", nil, "[agents.claude]\nroots = [\"~/.claude-work\", \"~/.claude\"]\n", nil, both},
		{"config beside the variable", map[string]string{"CLAUDE_CONFIG_DIR": h.Path(".claude-work")},
			"[agents.claude]\nroots = [\"" + h.Path(".claude") + "\"]\n", nil, both},
		{"flag", nil, "", []string{"--root", "claude=" + h.Path(".claude-work")}, []string{work}},
		{"flag beats variable", map[string]string{"CLAUDE_CONFIG_DIR": h.Path(".claude")}, "", []string{"--root", "claude=.claude-work"}, []string{work}},
		{"flag beats config", nil, "[agents.claude]\nroots = [\"~/.claude\"]\n", []string{"--root", "claude=~/.claude-work"}, []string{work}},
		{"flags", nil, "", []string{"--root", "claude=.claude-work", "--root", "claude=.claude"}, both},
		{"one folder twice", nil, "", []string{"--root", "claude=.claude", "--root", "claude=" + h.Path(".claude") + "/"}, []string{usual}},
		{"another agent's root", nil, "", []string{"--root", "gemini=.claude-work"}, []string{usual}},
	} {
		t.Run(c.what, func(t *testing.T) {
			h.t = t
			h.Vars = c.vars
			config(c.config)(h)
			if got := h.paths(t, c.args...); !slices.Equal(got, c.want) {
				t.Errorf("sessions of %q, want %q", got, c.want)
			}
		})
	}
}

// A root that somebody named and that is not there is missed; one of the usual
// places is not.
func TestO11MissingRoot(t *testing.T) {
	missing := func(h *Home) string { return h.Path(".claude-gone") }
	for what, set := range map[string]func(h *Home) []string{
		"--root":   func(h *Home) []string { return []string{"--root", "claude=" + missing(h)} },
		"variable": func(h *Home) []string { h.Vars["CLAUDE_CONFIG_DIR"] = missing(h); return nil },
		"config": func(h *Home) []string {
			h.Write(".config/seshat/config.toml", "[agents.claude]\nroots = [\"~/.claude-gone\"]\n", 0o600)
			return nil
		},
	} {
		t.Run(what, func(t *testing.T) {
			h := New(t)
			args := set(h)
			for _, command := range [][]string{{"sessions"}, {"records"}, {"grep", "x"}, {"find"}} {
				r := h.Run(append(command, args...)...).exits(t, 2)
				if command[0] != "records" && !strings.Contains(r.Stderr, "~/.claude-gone") {
					t.Errorf("%s does not name the root: %q", command, r.Stderr)
				}
			}
			_, sum := h.records(t, args...)
			if sum.Sources.Failed != 1 || sum.Complete || !sum.warned("~/.claude-gone", 0) {
				t.Errorf("the missing root is no failed source: %+v", sum)
			}
		})
	}
	h := New(t)
	h.Run("sessions").exits(t, 1)
	h.Run("grep", "x").exits(t, 1)

	// With something found the answer is incomplete, but it is one.
	h = New(t)
	h.Claude("/srv/app", S1, U("m1", "", "here"))
	r := h.Run("grep", "here", "--root", "claude=.claude", "--root", "claude="+missing(h)).exits(t, 0)
	if !strings.Contains(r.Stderr, "~/.claude-gone") {
		t.Errorf("the missing root is not named: %q", r.Stderr)
	}
}
