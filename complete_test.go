package seshat_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
)

// brokenBeside is a chat, in the middle of which stands a line that is cut.
func brokenBeside(cut string) *world {
	const id = "11111111-1111-4111-8111-111111111111"
	log := lines(user(id, "/srv/app", "u1", 1, "needle one")) + cut + "\n" + lines(user(id, "/srv/app", "u2", 2, "needle two"))
	return newWorld(claudeRoot(map[string]string{"projects/-srv-app/" + id + ".jsonl": log}))
}

// How much of a match is wanted changes nothing about how complete the answer is.
func TestGrepIsAsCompleteWhateverIsPrinted(t *testing.T) {
	for cut, complete := range map[string]bool{`{"type":"user","message":{"content":"nee`: true, `{"type":"user","message":{"content":"needle th`: false} {
		l := library(t, brokenBeside(cut), "", nil)
		for _, whole := range []bool{false, true} {
			q := seshat.GrepQuery{Pattern: pattern(t, "needle", seshat.PatternFlags{}), Whole: whole}
			got, ans := grep(t, l, q)
			if len(got) != 2 || ans.DamagedLines != 1 || ans.Complete != complete {
				t.Errorf("after %q, whole %v: %q and %+v, want complete %v", cut, whole, got, ans, complete)
			}
		}
	}
}

// A damaged line is told of once, though it lies among the lines that are read.
func TestGrepTellsOfDamageOnce(t *testing.T) {
	const id = "22222222-2222-4222-8222-222222222222"
	first := assistant(id, "/srv/app", "a1", 1, text("needle"))
	first["message"].(object)["id"] = "msg_1"
	second := assistant(id, "/srv/app", "a2", 2, text("other"))
	second["message"].(object)["id"] = "msg_1"
	whole := strings.TrimSuffix(lines(second), "\n")
	log := lines(first) + whole + `{"type":"us` + "\n" + lines(user(id, "/srv/app", "u3", 3, "end"))
	l := library(t, newWorld(claudeRoot(map[string]string{"projects/-srv-app/" + id + ".jsonl": log})), "", nil)
	got, ans := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, "needle", seshat.PatternFlags{})})
	if len(got) != 1 || ans.DamagedLines != 1 || len(ans.Warnings) != 1 {
		t.Errorf("%q and %+v, want one match and one damaged line", got, ans)
	}
}

func TestSummaryTellsOfDamage(t *testing.T) {
	l := library(t, brokenBeside(`{"type":"us`), "", nil)
	s, ans, err := l.Summary(context.Background(), "claude.projects.session")
	if err != nil || s.Lines != 3 || ans.DamagedLines != 1 || ans.Complete || len(ans.Warnings) != 1 {
		t.Errorf("%+v %+v %v, want 3 lines of which one is damaged", s, ans, err)
	}
}

// A record of a type that no reader knows may hold text: no question about records
// is then answered completely, with a byte test that it passes or without any.
func TestUnknownTypesLeaveNoAnswerComplete(t *testing.T) {
	l := library(t, brokenBeside(`{"type":"novel-thing","text":"needle three"}`), "", nil)
	if got, ans := records(t, l, seshat.Selection{Scope: "all"}); len(got) != 2 || ans.Complete || len(ans.Warnings) != 1 {
		t.Errorf("records: %q %+v", got, ans)
	}
	for word, complete := range map[string]bool{"needle": false, "haystack": true} {
		if _, ans := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, word, seshat.PatternFlags{})}); ans.Complete != complete {
			t.Errorf("%s: %+v, want complete %v", word, ans, complete)
		}
	}
}
