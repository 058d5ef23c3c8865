package blackbox

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Law 9 and case O3: a session that was resumed under another id repeats the old
// lines; each record is given once, by the session that had it first.
func TestO3CopiesOfAResumedSession(t *testing.T) {
	h := New(t)
	old := []string{
		U("m1", "", "shared question"), A("a1", "m1", "msg_1", Thinking("shared thought"), ""), A("a2", "a1", "msg_1", T("shared answer"), ""),
		A("a3", "a2", "msg_1", ToolUse("toolu_1", "Bash", `{"command":"shared command"}`), ""), A("a4", "a3", "msg_2", T("last of the old"), ""),
	}
	h.Claude("/srv/app", S1, old...)
	h.Claude("/srv/app", S2, append(slices.Clone(old), U("m2", "a4", "only in the new one"), A("a5", "m2", "msg_3", T("the new answer"), ""))...)
	recs, sum := h.records(t)
	if got := texts(recs); len(got) != 7 {
		t.Errorf("%d records, want 7: %q", len(got), got)
	}
	for i, r := range recs {
		if want := map[bool]string{true: S1, false: S2}[i < 5]; r.Session != want {
			t.Errorf("%q is given to %s, want %s", r.Text, r.Session, want)
		}
	}
	if sum.Hidden.Copy != 5 || !sum.Complete {
		t.Errorf("5 copies are left out: %+v", sum)
	}
	if got := h.hits("shared"); len(got) != 4 {
		t.Errorf("grep finds %q", got)
	}
	if recs, _ := h.records(t, "--copies"); len(recs) != 12 || !slices.Contains(recs[5].Flags, "copy") || slices.Contains(recs[11].Flags, "copy") {
		t.Errorf("records --copies: %d records, %+v", len(recs), recs)
	}
	handles := map[string]bool{}
	recs, _ = h.records(t, "--copies")
	for _, r := range recs {
		if handles[r.Handle] {
			t.Errorf("the handle %s stands twice", r.Handle)
		}
		handles[r.Handle] = true
	}
	// A fork is shown whole.
	if got := h.shown(t, S2); len(got) != 7 || got[0] != "shared question" || got[6] != "the new answer" {
		t.Errorf("show gives %q", got)
	}
	if list, _ := h.sessions(t); len(list) != 2 || list[0].Counts.Prompts != 2 || list[1].Counts.Prompts != 1 {
		t.Errorf("copies count in a session's own numbers: %+v", list)
	}
}

// Case O4: a subagent's transcript is no session of its own.
func TestO4SubagentsBelongToTheirSession(t *testing.T) {
	h, _, subagent := rich(t)
	for _, args := range [][]string{nil, {"--all"}} {
		if list, _ := h.sessions(t, args...); len(list) != 1 || list[0].ID != S1 || list[0].Subagents != 1 || list[0].Counts.Replies != 1 {
			t.Errorf("sessions %q: %+v", args, list)
		}
	}
	if got := h.hits("child-only-finding"); !slices.Equal(got, []string{h.Tilde(subagent) + ":child-only-finding"}) {
		t.Errorf("grep finds %q", got)
	}
	if shown := h.Run("show", S1).exits(t, 0).Stdout; !strings.Contains(shown, "abc123") || strings.Contains(shown, "child-only-finding") {
		t.Errorf("show names its subagents and keeps them apart:\n%s", shown)
	}
	// The parent's transcript can be gone.
	os.Remove(h.Path(app + S1 + ".jsonl"))
	if got := h.hits("child-only-finding"); len(got) != 1 {
		t.Errorf("without the parent grep finds %q", got)
	}
	if list, sum := h.sessions(t); len(list) != 0 || sum.Hidden.Subagent != 1 {
		t.Errorf("without the parent: %+v %+v", list, sum)
	}
	if list, _ := h.sessions(t, "--all"); len(list) != 1 || list[0].Kind != "subagent" {
		t.Errorf("without the parent: %+v", list)
	}
}

// Case O5: a transcript that was rewritten in place is read as it is now.
func TestO5RewrittenTranscript(t *testing.T) {
	h := New(t)
	path := h.Claude("/srv/app", S1, U("m1", "", "INCONE first"), A("a1", "m1", "x", T("reply one"), ""))
	h.Run("grep", "INCONE").exits(t, 0)
	h.Claude("/srv/app", S1, U("m1b", "", "INCEDIT first"), A("a1b", "m1b", "y", T("reply two"), ""), U("m3", "a1b", "third longer message padding padding"))
	h.Run("grep", "INCONE").exits(t, 1)
	h.Run("grep", "INCEDIT").exits(t, 0)
	if list, _ := h.sessions(t); len(list) != 1 || list[0].Title != "INCEDIT first" {
		t.Errorf("sessions: %+v", list)
	}
	// As long as before and as old as before.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.Write(path, strings.ReplaceAll(string(b), "INCEDIT", "INCTHRD"), 0o600)
	h.Touch(path, info.ModTime())
	h.Run("grep", "INCEDIT").exits(t, 1)
	h.Run("grep", "INCTHRD").exits(t, 0)
}

// A prompt that was typed again under the same id replaces the first text, which
// is kept but left out; records gives both.
func TestSuperseded(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "draft-needle of a prompt"), A("a1", "m1", "x", T("an answer"), ""), U("m1", "", "final-needle of a prompt"))
	if got := h.hits("draft-needle"); len(got) != 0 {
		t.Errorf("grep finds what was rewritten: %q", got)
	}
	if got := h.hits("draft-needle", "--superseded"); len(got) != 1 {
		t.Errorf("grep --superseded finds %q", got)
	}
	if got := h.hits("final-needle"); len(got) != 1 {
		t.Errorf("grep finds %q", got)
	}
	recs, _ := h.records(t)
	n := 0
	for _, r := range recs {
		if super := slices.Contains(r.Flags, "superseded"); super != strings.Contains(r.Text, "draft-needle") {
			t.Errorf("flags %q of %q", r.Flags, r.Text)
		} else if super {
			n++
		}
	}
	if n != 1 || len(recs) != 3 {
		t.Errorf("records gives %d, of which %d superseded", len(recs), n)
	}
	if shown := h.shown(t, S1); slices.ContainsFunc(shown, func(s string) bool { return strings.Contains(s, "draft-needle") }) {
		t.Errorf("show gives %q", shown)
	}
}
