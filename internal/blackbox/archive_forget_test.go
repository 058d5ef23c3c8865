package blackbox

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// forgottenFile is a seshat.forgotten/1 object.
type forgottenFile struct {
	Agent, Store, Session, Path, Did, Reason string
	Bytes                                    int64
}

// forget runs archive forget and gives "what path" of each file.
func (h *Home) forget(t *testing.T, code int, args ...string) []string {
	t.Helper()
	a := oneObject(t, h.Run(append([]string{"archive", "forget", "--json"}, args...)...).exits(t, code))
	var out []string
	for _, item := range a.items {
		wellFormed(t, item, "seshat.forgotten/1")
	}
	for _, f := range as[forgottenFile](t, a) {
		out = append(out, f.Did+" "+strings.TrimPrefix(f.Path, "~/"))
	}
	slices.Sort(out)
	return out
}

const (
	pasteOfOne  = "1111111111111111"
	pasteOfTwo  = "2222222222222222"
	pasteOfBoth = "3333333333333333"
)

// secretive is a home with two sessions of each agent that say needles, in transcripts,
// subagents, prompt logs, pastes and plans.
func secretive(t *testing.T) *Home {
	h := withArchive(t)
	slug := func(name string) string {
		return `{"type":"user","slug":"` + name + `","uuid":"m1","sessionId":%SESSION%,"cwd":%CWD%,"timestamp":%TIME%,"message":{"role":"user","content":"needle-` + name + `"}}`
	}
	h.Claude("/srv/app", S1, slug("plan-one"))
	h.Write(app+S1+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S1, U("s1", "", "needle-sub")), 0o600)
	h.Claude("/srv/other", S2, slug("plan-two"), U("m2", "m1", "see plans/plan-both.md"))
	h.Append(app+S1+".jsonl", h.Fill("/srv/app", S1, U("m2", "m1", "see plans/plan-both.md")))
	for _, name := range []string{"plan-one", "plan-two", "plan-both"} {
		h.Write(".claude/plans/"+name+".md", "needle-of-"+name, 0o600)
	}
	paste := func(hash string) string {
		return `{"1":{"id":1,"type":"text","contentHash":"` + hash + `"}}`
	}
	for hash, text := range map[string]string{pasteOfOne: "needle-paste-one", pasteOfTwo: "needle-paste-two", pasteOfBoth: "needle-paste-both"} {
		h.Write(".claude/paste-cache/"+hash+".txt", text, 0o600)
	}
	h.Write(".claude/history.jsonl", strings.Join([]string{
		historyLine("needle-typed-one", paste(pasteOfOne), S1), historyLine("needle-typed-two", paste(pasteOfTwo), S2),
		historyLine("again one", paste(pasteOfBoth), S1), historyLine("again two", paste(pasteOfBoth), S2),
	}, "\n")+"\n", 0o600)
	h.Gemini("eeeeeeee", GM("eeeeeeee-1"), GU("m1", "needle-gemini"))
	h.Write(".gemini/tmp/app/logs.json", `[{"sessionId":"eeeeeeee-1","messageId":0,"type":"user","message":"needle-logged \" one","timestamp":"2026-01-02T03:04:05.000Z"},`+
		`{"sessionId":"other-1","messageId":0,"type":"user","message":"needle-logged-other","timestamp":"2026-01-02T03:05:05.000Z"}]`, 0o600)
	return h
}

// inArchive tells which words stand in the plain files of the archive.
func (h *Home) inArchive(t *testing.T, words ...string) (found []string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	h.exportTo(t, dir)
	for _, word := range words {
		hit := false
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			hit = hit || bytes.Contains(b, []byte(word))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if hit {
			found = append(found, word)
		}
	}
	return found
}

func (h *Home) exportTo(t *testing.T, dir string) {
	t.Helper()
	h.Run("archive", "export", dir, "--versions").exits(t, 0)
}

// A forgotten session leaves nothing that is its own, and nothing of others is lost.
func TestForgetSession(t *testing.T) {
	t.Parallel()
	h := secretive(t)
	h.archive(t, 0)
	claude := []string{
		"forgotten " + app + S1 + ".jsonl", "forgotten " + app + S1 + "/subagents/agent-a1.jsonl",
		"dropped .claude/plans/plan-one.md", "dropped .claude/paste-cache/" + pasteOfOne + ".txt", "masked .claude/history.jsonl",
		"left " + app + S1 + ".jsonl", "left " + app + S1 + "/subagents/agent-a1.jsonl", "left .claude/history.jsonl",
	}
	slices.Sort(claude)
	if got := h.forget(t, 0, S1[:8], "--dry-run"); !slices.Equal(got, claude) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(claude, "\n"))
	}
	if r := h.Run("archive", "forget", S1).exits(t, 2); !strings.Contains(r.Stderr, "--yes") {
		t.Errorf("without a terminal it says %q", r.Stderr)
	}
	own := []string{"needle-plan-one", "needle-sub", "needle-of-plan-one", "needle-paste-one", "needle-typed-one", "again one"}
	others := []string{"needle-plan-two", "needle-of-plan-two", "needle-of-plan-both", "needle-paste-two", "needle-paste-both", "needle-typed-two", "again two", "needle-gemini", "needle-logged"}
	if got := h.inArchive(t, append(slices.Clone(own), others...)...); len(got) != len(own)+len(others) {
		t.Errorf("a dry run and a refusal changed something: %q", got)
	}
	if got := h.forget(t, 0, S1, "--yes"); !slices.Equal(got, claude) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(claude, "\n"))
	}
	if got := h.inArchive(t, append(slices.Clone(own), others...)...); !slices.Equal(got, others) {
		t.Errorf("the archive holds %q, want %q", got, others)
	}
	h.Run("archive", "verify").exits(t, 0)
	// It is not kept again, and neither are prompts of it that come later or again.
	forgotten := []string{"forgotten " + app + S1 + ".jsonl", "forgotten " + app + S1 + "/subagents/agent-a1.jsonl", "forgotten .claude/plans/plan-one.md", "forgotten .claude/paste-cache/" + pasteOfOne + ".txt"}
	items, _ := h.archive(t, 1)
	wantDid(t, items, forgotten...)
	h.Append(".claude/history.jsonl", historyLine("needle-typed-one", "{}", S1)+"\n"+historyLine("three", "{}", S2)+"\n")
	items, _ = h.archive(t, 0)
	wantDid(t, items, append(slices.Clone(forgotten), "grown .claude/history.jsonl")...)
	h.Write(".claude/history.jsonl", historyLine("needle-typed-one", "{}", S1)+"\n"+historyLine("four", "{}", S2)+"\n", 0o600)
	items, _ = h.archive(t, 0)
	wantDid(t, items, append(slices.Clone(forgotten), "rewritten .claude/history.jsonl")...)
	if got := h.inArchive(t, append(slices.Clone(own), "three", "four")...); !slices.Equal(got, []string{"three", "four"}) {
		t.Errorf("the archive holds %q", got)
	}
	h.Touch(app+S1+".jsonl", time.Now().AddDate(0, 0, -29))
	h.Touch(app+S1+"/subagents/agent-a1.jsonl", time.Now().AddDate(0, 0, -29))
	if st := h.status(t, 0); st.Forgotten != 1 || st.Risk.Files != 0 {
		t.Errorf("%+v", st)
	}
}

func TestForgetPromptsOfGemini(t *testing.T) {
	t.Parallel()
	h := secretive(t)
	h.archive(t, 0)
	h.forget(t, 0, "gemini:eeeeeeee-1", "--yes")
	if got := h.inArchive(t, "needle-gemini", "needle-logged \\\" one", "eeeeeeee-1", "needle-logged-other"); !slices.Equal(got, []string{"needle-logged-other"}) {
		t.Errorf("the archive holds %q", got)
	}
}

// Sessions are chosen by project and by age, and a handle is never guessed.
func TestForgetChooses(t *testing.T) {
	t.Parallel()
	h := secretive(t)
	old := time.Now().AddDate(0, 0, -100)
	h.Touch(".claude/projects/-srv-other/"+S2+".jsonl", old)
	h.archive(t, 0)
	sessions := func(args ...string) string {
		var ids []string
		a := oneObject(t, h.Run(append([]string{"archive", "forget", "--json", "--dry-run"}, args...)...))
		for _, f := range as[forgottenFile](t, a) {
			if f.Did == "forgotten" && !slices.Contains(ids, f.Session) {
				ids = append(ids, f.Session)
			}
		}
		slices.Sort(ids)
		return strings.Join(ids, " ")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--project", "other"}, S2}, {[]string{"--project", "none"}, ""}, {[]string{"--older-than", "2025-12-31"}, ""},
		{[]string{"--older-than", "2026-02-01"}, S1 + " " + S2 + " eeeeeeee-1"}, {[]string{"--older-than", "2026-02-01", "--project", "other"}, S2},
		{[]string{"--older-than", "2026-02-01", "--agent", "gemini"}, "eeeeeeee-1"}, {[]string{S1, S2}, S1 + " " + S2},
	} {
		if got := sessions(c.args...); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
	h.Claude("/srv/app", "11111111-2222-4111-8111-111111111111", U("z1", "", "x"))
	h.archive(t, 0)
	for _, args := range [][]string{{"11111111"}, {"none-such"}, {}, {S1, "--project", "app"}, {"--older-than", "never"}, {"--project="}} {
		h.Run(append([]string{"archive", "forget", "--yes"}, args...)...).exits(t, 2)
	}
	h.Run("archive", "forget", "--project", "none", "--yes").exits(t, 1)
	if st := h.status(t, 0); st.Forgotten != 0 {
		t.Errorf("%+v", st)
	}
}
