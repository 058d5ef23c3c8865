package blackbox

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

func historyLine(display, pastes, session string) string {
	return `{"display":` + Quote(display) + `,"pastedContents":` + pastes + `,"timestamp":1767323045000,"project":"/srv/app","sessionId":` +
		Quote(session) + `}`
}

// ghosts is case O9: the prompt log outlives a transcript.
func ghosts(t *testing.T) (h *Home, log string) {
	h = New(t)
	log = h.Write(".claude/history.jsonl", h.Fill("", "",
		historyLine("fix the flux capacitor", `{}`, S1),
		historyLine("look at [Pasted text #1 +3 lines]", `{"1":{"id":1,"type":"text","content":"pasted-needle body"}}`, S2),
	), 0o600)
	h.Claude("/srv/app", S2, U("m1", "", "something else"))
	return h, log
}

func TestO9PromptsSurvive(t *testing.T) {
	h, log := ghosts(t)
	for needle, want := range map[string]string{
		"flux capacitor": "fix the flux capacitor",
		"pasted-needle":  "look at pasted-needle body",
	} {
		if got := h.hits(needle); !slices.Equal(got, []string{h.Tilde(log) + ":" + want}) {
			t.Errorf("grep %s gives %q", needle, got)
		}
	}
	recs, _ := h.records(t, "--store", "claude.history")
	if len(recs) != 2 {
		t.Fatalf("%d records, want 2", len(recs))
	}
	// 1767323045 seconds are 2026-01-02 03:04:05 UTC.
	for i, session := range []string{S1, S2} {
		r := recs[i]
		if r.Kind != "prompt" || r.Role != "user" || r.Session != session || r.Time != "2026-01-02T03:04:05.000Z" || r.Origin.CWD != "/srv/app" || r.Line != i+1 {
			t.Errorf("record %d: %+v", i, r)
		}
	}
}

// A large paste lies in a file of its own, named by the hash of its text.
func TestO9PasteCache(t *testing.T) {
	h := New(t)
	body := "first line\ncached-needle in the second\n"
	sum := sha256.Sum256([]byte(body))
	name := hex.EncodeToString(sum[:])[:16]
	h.Write(".claude/paste-cache/"+name+".txt", body, 0o600)
	h.Write(".claude/paste-cache/0123456789abcdef.txt", "forged-needle", 0o600)
	log := h.Write(".claude/history.jsonl", h.Fill("", "",
		historyLine("see [Pasted text #1 +2 lines]!", `{"1":{"id":1,"type":"text","contentHash":"`+name+`"}}`, S1),
		historyLine("lost [Pasted text #1 +2 lines]", `{"1":{"id":1,"type":"text","contentHash":"ffffffffffffffff"}}`, S1),
		historyLine("forged [Pasted text #1 +2 lines]", `{"1":{"id":1,"type":"text","contentHash":"0123456789abcdef"}}`, S1),
	), 0o600)
	if got, want := h.hits("cached-needle"), []string{h.Tilde(log) + ":cached-needle in the second"}; !slices.Equal(got, want) {
		t.Errorf("grep gives %q, want %q", got, want)
	}
	if got := h.hits("forged-needle"); len(got) != 0 {
		t.Errorf("a file under another text's hash is not the paste, but: %q", got)
	}
	if got := h.hits("lost [Pasted text #1 +2 lines]"); len(got) != 1 {
		t.Errorf("a prompt whose paste is lost keeps its mark: %q", got)
	}
}

func TestO9GhostIsListed(t *testing.T) {
	h, _ := ghosts(t)
	list, _ := h.sessions(t)
	i := slices.IndexFunc(list, func(s session) bool { return s.ID == S1 })
	if len(list) != 2 || i < 0 {
		t.Fatalf("S1 and S2 are two sessions: %+v", list)
	}
	if s := list[i]; s.State != "prompts-only" || s.Title != "fix the flux capacitor" || s.Project.Name != "app" || s.Counts.Prompts != 1 {
		t.Errorf("S1 is not listed as prompts only: %+v", s)
	}
	if j := 1 - i; list[j].ID != S2 || list[j].State != "live" {
		t.Errorf("S2 is there: %+v", list[j])
	}
	out := h.Run("sessions").exits(t, 0).Stdout
	if !strings.Contains(out, "prompts-only") {
		t.Errorf("the list does not say so:\n%s", out)
	}
	out = h.Run("show", S1).exits(t, 0).Stdout
	if !strings.Contains(out, "fix the flux capacitor") || !strings.Contains(out, "not on disk") {
		t.Errorf("show does not say that the transcript is gone:\n%s", out)
	}
}

func TestO9TwinIsFolded(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "twin-needle in both"))
	h.Write(".claude/history.jsonl", strings.ReplaceAll(historyLine("twin-needle in both", `{}`, S1), "1767323045000", "1767323041000")+"\n", 0o600)
	if got := h.hits("twin-needle"); len(got) != 1 || strings.Contains(got[0], "history.jsonl") {
		t.Errorf("one prompt is found %d times: %q", len(got), got)
	}
	if list, _ := h.sessions(t); len(list) != 1 {
		t.Errorf("one session is listed %d times", len(list))
	}
	// Copies are folded among the sources that are asked.
	if got := h.hits("twin-needle", "--store", "claude.history"); len(got) != 1 {
		t.Errorf("the log alone gives %q", got)
	}
}
