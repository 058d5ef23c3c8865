package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// What the config excludes is left out of every list and search, wherever it
// stands, and counted.
func TestExclude(t *testing.T) {
	h := New(t)
	h.Claude("/srv/secret", S1, U("m1", "", "needle in the transcript"))
	h.Write(".claude/projects/-srv-secret/"+S1+"/subagents/agent-a.jsonl", h.Fill("/srv/secret", S1, U("s1", "", "needle of a subagent")), 0o600)
	h.Claude("/srv/secret/.claude/worktrees/blue", S2, U("m2", "", "needle in a worktree"))
	h.Claude("/srv/secret/deep/er", S3, U("m3", "", "needle below"))
	h.Claude("/srv/secretary", S4, U("m4", "", "needle to keep"))
	log := strings.ReplaceAll(historyLine("needle in the prompt log", `{}`, S5), "/srv/app", "/srv/secret")
	h.Write(".claude/history.jsonl", log+"\n"+historyLine("logged needle to keep", `{}`, S5)+"\n", 0o600)
	for _, glob := range []string{"/srv/secret", "/srv/secre[t]", "/s*/secret", "/srv/secret/"} {
		h.Write(".config/seshat/config.toml", "exclude = ["+Quote(glob)+"]\n", 0o600)
		recs, sum := h.records(t, "--scope", "conversation")
		if got := texts(recs); !slices.Equal(got, []string{"needle to keep", "logged needle to keep"}) {
			t.Errorf("exclude %s: records %q", glob, got)
		}
		if sum.Hidden.Excluded == 0 || !sum.Complete {
			t.Errorf("exclude %s: what is left out is not counted: %+v", glob, sum)
		}
		if got := h.hits("needle"); len(got) != 2 {
			t.Errorf("exclude %s: grep finds %q", glob, got)
		}
		list, _ := h.sessions(t, "--all")
		for _, s := range list {
			if strings.HasPrefix(s.Project.Root+"/", "/srv/secret/") {
				t.Errorf("exclude %s: sessions lists %+v", glob, s)
			}
		}
	}
}

// A folder in the place of the config is an error that names it.
func TestConfigIsAFolder(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "hello there"))
	h.Mkdir(".config/seshat/config.toml")
	if r := h.Run("sessions").exits(t, 2); !strings.Contains(r.Stderr, "config.toml") {
		t.Errorf("stderr %q", r.Stderr)
	}
}
