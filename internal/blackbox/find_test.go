package blackbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shelf is a home with files of several stores, of known ages.
func shelf(t *testing.T) *Home {
	h := New(t)
	now := time.Now()
	for name, age := range map[string]time.Duration{
		app + S1 + ".jsonl":                             time.Hour,
		app + S2 + ".jsonl":                             3 * 24 * time.Hour,
		app + S1 + "/subagents/agent-abc.jsonl":         time.Hour,
		app + S1 + "/subagents/agent-abc.meta.json":     30 * 24 * time.Hour,
		".claude/history.jsonl":                         10 * 24 * time.Hour,
		".claude/plans/quiet-Heron.md":                  3 * 24 * time.Hour,
		".claude/settings.json":                         400 * 24 * time.Hour,
		".claude/.credentials.json":                     time.Hour,
		".gemini/oauth_creds.json":                      time.Hour,
		".gemini/tmp/app/chats/session-2026-01-ab.json": time.Hour,
	} {
		h.Write(name, "{}\n", 0o600)
		h.Touch(name, now.Add(-age))
	}
	h.Mkdir(".claude/security")
	h.Write("notes.txt", "no agent's", 0o600)
	h.Write(".claude/unknown.thing", "of no store", 0o600)
	return h
}

// found lists what find prints, below the home.
func (h *Home) found(t *testing.T, args ...string) []string {
	t.Helper()
	r := h.Run(append([]string{"find", "-0"}, args...)...)
	out := []string{}
	for path := range strings.SplitSeq(strings.TrimSuffix(r.Stdout, "\x00"), "\x00") {
		if path == "" {
			continue
		}
		rel, err := filepath.Rel(h.Dir, path)
		if err != nil || !filepath.IsAbs(path) {
			t.Errorf("find prints %q, which is not absolute", path)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	if want := map[bool]int{true: 0, false: 1}[len(out) > 0]; r.Code != want {
		t.Errorf("find %q exits with %d, want %d (stderr %q)", args, r.Code, want, r.Stderr)
	}
	return out
}

func TestFind(t *testing.T) {
	h := shelf(t)
	const (
		one, two, sub, meta    = app + S1 + ".jsonl", app + S2 + ".jsonl", app + S1 + "/subagents/agent-abc.jsonl", app + S1 + "/subagents/agent-abc.meta.json"
		history, plan, setting = ".claude/history.jsonl", ".claude/plans/quiet-Heron.md", ".claude/settings.json"
		cred, security         = ".claude/.credentials.json", ".claude/security"
		oauth, chat            = ".gemini/oauth_creds.json", ".gemini/tmp/app/chats/session-2026-01-ab.json"
	)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{one, two, sub, meta, history, plan, setting, cred, security, oauth, chat}},
		{[]string{"--agent", "gemini"}, []string{oauth, chat}},
		{[]string{"abc"}, []string{sub, meta}},
		{[]string{"^agent-.*l$"}, []string{sub}},
		{[]string{"heron"}, []string{plan}},
		{[]string{"Heron"}, []string{plan}},
		{[]string{"HERON"}, nil},
		{[]string{"-i", "HERON"}, []string{plan}},
		{[]string{"-s", "heron"}, nil},
		{[]string{"-g", "agent-*.jsonl"}, []string{sub}},
		{[]string{"-g", "agent"}, nil},
		{[]string{"-g", "*.{md,json}"}, []string{plan, meta, setting, cred, oauth, chat}},
		{[]string{"-g", "[!a]uiet-*.md"}, []string{plan}},
		{[]string{`^\Suiet-heron`}, []string{plan}}, // an escape is no capital letter
		{[]string{"-g", "[sh]*.jsonl"}, []string{history}},
		{[]string{"-F", ".json"}, []string{one, two, sub, meta, history, setting, cred, oauth, chat}},
		{[]string{"-F", "a.c"}, nil},
		{[]string{"-p", "subagents/"}, []string{sub, meta}},
		{[]string{"subagents"}, nil},
		{[]string{"-e", "md"}, []string{plan}},
		{[]string{"-e", ".JSONL"}, []string{one, two, sub, history}},
		{[]string{"-e", "md", "-e", "jsonl", "e"}, []string{sub, plan}},
		{[]string{"-e", "meta.json"}, []string{meta}},
		{[]string{"-t", "d"}, []string{security}},
		{[]string{"-t", "f", "-e", "md"}, []string{plan}},
		{[]string{"-t", "l"}, nil},
		{[]string{"-t", "d,f", "-p", "security|plans"}, []string{plan, security}},
		{[]string{"--store", "claude.plans"}, []string{plan}},
		{[]string{"--store", "claude.plans,claude.history"}, []string{history, plan}},
		{[]string{"--coverage", "private"}, []string{cred, security, oauth}},
		{[]string{"--coverage", "search", "--agent", "claude"}, []string{one, two, sub, history}},
		{[]string{"--changed-within", "2d", "-t", "f"}, []string{one, sub, cred, oauth, chat}},
		{[]string{"--changed-within", "2h", "-e", "jsonl"}, []string{one, sub}},
		{[]string{"--changed-within", "90min", "-e", "jsonl"}, []string{one, sub}},
		{[]string{"--changed-within", "30min", "-t", "f"}, nil},
		{[]string{"--changed-within", "1w", "-e", "jsonl"}, []string{one, two, sub}},
		{[]string{"--changed-within", "2w", "-e", "jsonl"}, []string{one, two, sub, history}},
		{[]string{"--changed-within", "2m", "-e", "json", "--agent", "claude"}, []string{meta, cred}},
		{[]string{"--changed-within", "2y", "-e", "json", "--agent", "claude"}, []string{meta, setting, cred}},
		{[]string{"--changed-within", time.Now().AddDate(0, 0, -4).Format("2006-01-02"), "-e", "jsonl,md"}, []string{one, two, sub, plan}},
		{[]string{"--changed-within", time.Now().Add(-2 * time.Hour).Format(time.RFC3339), "-e", "jsonl"}, []string{one, sub}},
	} {
		want := slices.Clone(c.want)
		slices.Sort(want)
		got := h.found(t, c.args...)
		if !slices.IsSorted(got) {
			t.Errorf("find %q is not in the order of paths: %q", c.args, got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("find %q\n gives %q\n want  %q", c.args, got, want)
		}
	}
}

func TestFindPrintsNamesThatOpen(t *testing.T) {
	h := shelf(t)
	for _, path := range lines(h.Run("find", "--coverage", "search,inspect,catalogue").exits(t, 0).Stdout) {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	zero := h.Run("find", "-0").Stdout
	if got := strings.ReplaceAll(zero, "\x00", "\n"); got != h.Run("find").Stdout {
		t.Error("find and find -0 differ")
	}
	rows := lines(h.Run("find", "-l", "-e", "md").exits(t, 0).Stdout)
	if len(rows) != 1 || !strings.HasPrefix(rows[0], "3 B  ") || !strings.Contains(rows[0], "  claude.plans  ") {
		t.Errorf("find -l prints %q", rows)
	}
	list, _ := h.sources(t, "--store", "claude.plans")
	if len(list) != 1 || list[0].Bytes != 3 || list[0].MTime == "" || list[0].Agent != "claude" {
		t.Errorf("find --ndjson: %+v", list)
	}
}
