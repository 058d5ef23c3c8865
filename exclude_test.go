package seshat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
)

// What the config excludes is not shown, and counted.
func TestExclude(t *testing.T) {
	w := newWorld(claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl":        chat(one, "/srv/app", 1, "one", "1"),
		"projects/-srv-app-deep/" + two + ".jsonl":   chat(two, "/srv/app/deep", 5, "two", "2"),
		"projects/-srv-apple/" + three + ".jsonl":    chat(three, "/srv/apple", 10, "three", "3"),
		"projects/-home-sam-x/" + four + ".jsonl":    chat(four, "/home/sam/x/.claude/worktrees/blue/src", 15, "four", "4"),
		"projects/-nowhere/55555555-no-folder.jsonl": lines(object{"type": "user", "uuid": "n", "timestamp": "2026-01-02T03:20:00.000Z", "message": object{"content": "five"}}),
	}))
	all := []string{"one", "two", "three", "four", "five"}
	for globs, gone := range map[string][]string{
		``:                                  nil,
		`"/none"`:                           nil,
		`"/srv/app"`:                        {"one", "two"}, // and folders below, but not /srv/apple
		`"/srv/app/"`:                       {"one", "two"},
		`"/srv/app/*"`:                      {"two"},
		`"/srv/app*"`:                       {"one", "two", "three"},
		`"/srv/*"`:                          {"one", "two", "three"},
		`"/*/app"`:                          {"one", "two"},
		`"/srv/a??"`:                        {"one", "two"},
		`"/srv/[ab]pple"`:                   {"three"},
		`"~/x"`:                             {"four"}, // the repository of a worktree
		`"x"`:                               {"four"}, // from the current folder
		`"/home/sam/x/.claude/worktrees/*"`: {"four"},
		`"/srv/apple", "~/x"`:               {"three", "four"},
		`"app"`:                             nil,
	} {
		l := library(t, w, "exclude = ["+globs+"]\n", nil)
		want := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(gone, s) })
		got, ans := records(t, l, seshat.Selection{})
		var prompts []string
		for _, r := range got {
			if p, ok := strings.CutPrefix(r, "prompt "); ok {
				prompts = append(prompts, p)
			}
		}
		if !slices.Equal(prompts, want) || ans.Hidden.Excluded != len(gone) || !ans.Complete {
			t.Errorf("%s: %q and %+v, want %q", globs, prompts, ans, want)
		}
		list, ans := sessions(t, l, seshat.SessionQuery{})
		if len(list) != len(want) || ans.Hidden.Excluded != len(gone) {
			t.Errorf("%s: %d sessions and %+v, want %d", globs, len(list), ans.Hidden, len(want))
		}
		if found, _ := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, "^(one|two|three|four|five)$", seshat.PatternFlags{})}); len(found) != len(want) {
			t.Errorf("%s: grep finds %q", globs, found)
		}
	}
}

// The project of a subagent is its session's, wherever the subagent worked.
func TestExcludedSessionTakesItsSubagentsAlong(t *testing.T) {
	aside := func(o object) object { return o.with("isSidechain", true).with("agentId", "a1") }
	nowhere := object{"type": "user", "uuid": "s2", "agentId": "a2", "isSidechain": true, "timestamp": "2026-01-02T03:09:00.000Z", "message": object{"content": "without a folder"}}
	w := newWorld(claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl":                     chat(one, "/srv/app", 1, "one", "1"),
		"projects/-srv-app/" + one + "/subagents/agent-a1.jsonl":  lines(aside(user(one, "/tmp/worktree", "s1", 8, "in another folder"))),
		"projects/-srv-app/" + one + "/subagents/agent-a2.jsonl":  lines(nowhere),
		"projects/-srv-open/" + two + ".jsonl":                    chat(two, "/srv/open", 20, "two", "2"),
		"projects/-srv-open/" + two + "/subagents/agent-a3.jsonl": lines(aside(user(two, "/srv/app", "s3", 21, "in the excluded folder"))),
	}))
	got, _ := records(t, library(t, w, `exclude = ["/srv/app"]`, nil), seshat.Selection{})
	if want := []string{"prompt two", "reply 2", "dispatch in the excluded folder"}; !slices.Equal(got, want) {
		t.Errorf("records %q, want %q", got, want)
	}
}

// A prompt log names the project of every prompt, so an excluded one is left out
// there too.
func TestExcludedProjectIsLeftOutOfThePromptLog(t *testing.T) {
	entry := func(project, text string, minute int) object {
		return object{"display": text, "pastedContents": object{}, "timestamp": at(minute).UnixMilli(), "project": project, "sessionId": four}
	}
	w := newWorld(claudeRoot(map[string]string{
		"history.jsonl": lines(entry("/srv/app", "secret plan", 1), entry("/srv/open", "open plan", 2), entry("/srv/app/deep", "deep plan", 3)),
	}))
	l := library(t, w, `exclude = ["/srv/app"]`, nil)
	if got, _ := records(t, l, seshat.Selection{}); !slices.Equal(got, []string{"prompt open plan"}) {
		t.Errorf("records %q", got)
	}
	if got, _ := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, "plan", seshat.PatternFlags{})}); !slices.Equal(got, []string{"2: open plan"}) {
		t.Errorf("grep finds %q", got)
	}
}

// A glob that cannot be understood excludes nothing, which must not pass in
// silence.
func TestExcludeThatIsNoGlob(t *testing.T) {
	w := newWorld(claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": chat(one, "/srv/app", 1, "one", "1")}))
	l, err := seshat.Open(options(t, w, `exclude = ["/srv/[app"]`))
	if err == nil && len(l.ConfigProblems()) == 0 {
		t.Error("a broken glob is neither an error nor among the config's problems")
	}
}
