package seshat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// logged is a line of the prompt log, so long after a minute.
func logged(session, project, display string, minute int, after time.Duration) object {
	o := object{"display": display, "pastedContents": object{}, "timestamp": at(minute).Add(after).UnixMilli(), "project": project}
	if session != "" {
		o["sessionId"] = session
	}
	return o
}

// An entry of the log is dropped when the session's transcript has the same text
// within ten minutes, or, without a session, within five seconds in one project.
func TestClaudeTwins(t *testing.T) {
	said := user(one, "/srv/app", "u1", 30, "dig a hole")
	paste := logged(one, "/srv/app", "dig [Pasted text #1]", 30, 0).with("pastedContents", object{"1": object{"id": 1, "type": "text", "content": "a hole"}})
	for name, c := range map[string]struct {
		said, logged object
		twin         bool
	}{
		"the same":                          {said, logged(one, "/srv/app", "dig a hole", 30, 0), true},
		"seconds before":                    {said, logged(one, "/srv/app", "dig a hole", 30, -3*time.Second), true},
		"ten minutes before":                {said, logged(one, "/srv/app", "dig a hole", 20, 0), true},
		"ten minutes after":                 {said, logged(one, "/srv/app", "dig a hole", 40, 0), true},
		"more than ten minutes before":      {said, logged(one, "/srv/app", "dig a hole", 20, -time.Millisecond), false},
		"more than ten minutes after":       {said, logged(one, "/srv/app", "dig a hole", 40, time.Millisecond), false},
		"another text":                      {said, logged(one, "/srv/app", "dig a whole", 30, 0), false},
		"another case":                      {said, logged(one, "/srv/app", "Dig a hole", 30, 0), false},
		"other white space":                 {said, logged(one, "/srv/app", " dig\na   hole\n", 30, 0), true},
		"another session":                   {said, logged(two, "/srv/app", "dig a hole", 30, 0), false},
		"another project":                   {said, logged(one, "/srv/other", "dig a hole", 30, 0), true},
		"a paste":                           {said, paste, true},
		"no session, the same":              {said, logged("", "/srv/app", "dig a hole", 30, 0), true},
		"no session, five seconds before":   {said, logged("", "/srv/app", "dig a hole", 30, -5*time.Second), true},
		"no session, six seconds before":    {said, logged("", "/srv/app", "dig a hole", 30, -6*time.Second), false},
		"no session, five seconds after":    {said, logged("", "/srv/app", "dig a hole", 30, 5*time.Second), true},
		"no session, another project":       {said, logged("", "/srv/other", "dig a hole", 30, 0), false},
		"no session, a worktree":            {said, logged("", "/srv/app/.claude/worktrees/fox", "dig a hole", 30, 0), true},
		"a command":                         {user(one, "/srv/app", "u1", 30, "<command-name>/dig</command-name><command-args>a hole</command-args>"), logged(one, "/srv/app", "/dig a hole", 30, 0), true},
		"a shell command":                   {user(one, "/srv/app", "u1", 30, "<bash-input>dig</bash-input>"), logged(one, "/srv/app", "!dig", 30, 0), true},
		"a prompt behind a reminder":        {user(one, "/srv/app", "u1", 30, "<system-reminder>x</system-reminder>dig a hole"), logged(one, "/srv/app", "dig a hole", 30, 0), true},
		"what the agent says is no twin":    {assistant(one, "/srv/app", "a1", 30, text("dig a hole")), logged(one, "/srv/app", "dig a hole", 30, 0), false},
		"what was injected is no twin":      {user(one, "/srv/app", "u1", 30, "dig a hole").with("isMeta", true), logged(one, "/srv/app", "dig a hole", 30, 0), false},
		"queued":                            {env("attachment", one, "/srv/app", "q1", 30).with("attachment", object{"type": "queued_command", "prompt": "dig a hole"}), logged(one, "/srv/app", "dig a hole", 25, 0), true},
		"taken back":                        {object{"type": "queue-operation", "operation": "enqueue", "content": "dig a hole", "timestamp": at(30).Format(time.RFC3339)}, logged(one, "/srv/app", "dig a hole", 30, 0), true},
		"the log before the clock of files": {said, logged(one, "/srv/app", "dig a hole", 30, 0).with("timestamp", nil), false},
	} {
		l := library(t, newWorld(claudeRoot(map[string]string{appDir + one + ".jsonl": line(c.said), "history.jsonl": line(c.logged)})), "", nil)
		found := 0
		_, err := l.Records(context.Background(), seshat.Selection{}, func(r *record.Record) error {
			if r.Store == "claude.history" {
				found++
			}
			return nil
		})
		if err != nil || (found == 0) != c.twin {
			t.Errorf("%s: %d records of the log, %v; a twin: %v", name, found, err, c.twin)
		}
		// An answer that asks for the log alone has no twin to fold it into.
		if got, _ := records(t, l, seshat.Selection{Stores: []string{"claude.history"}}); len(got) != 1 {
			t.Errorf("%s: the log alone gives %q", name, got)
		}
	}
}

// A prompt with an image stands in the transcript with the image behind it. It is
// still one prompt, and law 9 counts it once.
func TestClaudePromptWithAnImageIsATwin(t *testing.T) {
	said := env("user", one, "/srv/app", "u1", 30).with("message", object{"role": "user", "content": []any{text("see [Image #1]"),
		object{"type": "image", "source": object{"type": "base64", "media_type": "image/png", "data": "QUJD"}}}})
	log := logged(one, "/srv/app", "see [Image #1]", 30, 0).with("pastedContents", object{"1": object{"id": 1, "type": "image", "mediaType": "image/png"}})
	l := library(t, newWorld(claudeRoot(map[string]string{appDir + one + ".jsonl": line(said), "history.jsonl": line(log)})), "", nil)
	if got, _ := records(t, l, seshat.Selection{}); len(got) != 1 {
		t.Errorf("the prompt counts %d times: %q", len(got), got)
	}
}

// Twins are folded in every answer: a search for text, and one for some kinds.
func TestClaudeTwinsInOtherAnswers(t *testing.T) {
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 30, "dig a hole")),
		"history.jsonl":         lines(logged(one, "/srv/app", "dig a hole", 30, 0), logged(one, "/srv/app", "dig more", 32, 0)),
	})
	l := library(t, newWorld(m), "", nil)
	if got, _ := records(t, l, seshat.Selection{Kinds: []record.Kind{record.Prompt}}); !slices.Equal(got, []string{"prompt dig a hole", "prompt dig more"}) {
		t.Errorf("prompts %q", got)
	}
	p, err := seshat.CompilePattern([]string{"dig (a|m)"}, seshat.PatternFlags{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if _, err := l.Grep(context.Background(), seshat.GrepQuery{Pattern: p}, func(m *seshat.Match) error {
		for _, l := range m.Lines {
			got = append(got, l.Text)
		}
		return nil
	}); err != nil || !slices.Equal(got, []string{"dig a hole", "dig more"}) {
		t.Errorf("grep finds %q, %v", got, err)
	}
}

// A twin is one whatever was asked for, also where only the log's spelling of the
// white space has the pattern in one line.
func TestClaudeTwinOfWhichOnlyTheLogMatches(t *testing.T) {
	l := library(t, newWorld(claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 30, "dig\nagain")), "history.jsonl": lines(logged(one, "/srv/app", "dig again", 30, 0)),
	})), "", nil)
	p, err := seshat.CompilePattern([]string{"dig again"}, seshat.PatternFlags{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grep(context.Background(), seshat.GrepQuery{Pattern: p}, func(m *seshat.Match) error {
		t.Errorf("grep finds %q of %s", m.Lines[0].Text, m.Record.Path)
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// told describes sessions that only something beside the transcripts remembers.
func told(list []record.Session) []string {
	var out []string
	for _, s := range list {
		if s.State == record.StatePromptsOnly {
			out = append(out, fmt.Sprintf("%s %s %q (%s) %d prompts in %s, %s to %s", s.Handle, s.Kind, s.Title, s.TitleSource, s.Counts.Prompts, s.Project.Root,
				s.Started.UTC().Format("15:04"), s.LastActive.UTC().Format("15:04")))
		}
	}
	return out
}

// Sessions of which only a prompt log or an inventory is left.
func TestClaudePromptsOnlySessions(t *testing.T) {
	const five, six = "55555555-5555-4555-8555-555555555555", "66666666-6666-4666-8666-666666666666"
	stamp := func(minute int) string { return at(minute).Format("2006-01-02T15:04:05.000Z") }
	home := &rootfs.Memory{Folder: "/home/sam"}
	home.File(".claude.json", line(object{"oauthAccount": "needle", "projects": object{
		"/srv/app":   object{"lastSessionId": three, "lastSessionFirstPrompt": "the third", "lastSessionModified": at(9).UnixMilli(), "history": []any{}},
		"/srv/none":  object{"allowedTools": []any{}},
		"/srv/wrong": object{"lastSessionId": 5}, "/srv/odd": "x",
	}}), at(59))
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl":                    lines(asked(one, "u1", 30)),
		appDir + six + "/subagents/agent-a1.jsonl": line(user(six, "/srv/app", "s1", 3, "dig").with("isSidechain", true)),
		"history.jsonl":                            lines(logged(one, "/srv/app", "of one that is there", 1, 0), logged(six, "/srv/app", "of one with a subagent", 1, 0), logged(two, "/srv/app", "/clear", 2, 0), logged(two, "/srv/app", "the  second\nprompt", 4, 0), logged(two, "/srv/other", "more", 3, 0), logged("", "/srv/app", "nobody's", 5, 0), logged(five, "/srv/app", "the fifth", 40, 0)),
		appDir + "sessions-index.json": line(object{"version": 1, "entries": []any{
			object{"sessionId": one, "firstPrompt": "there", "created": stamp(1)},
			object{"sessionId": four, "fullPath": "/x", "firstPrompt": "the fourth", "summary": "Fourth of all", "messageCount": 4, "created": stamp(6), "modified": stamp(8), "gitBranch": "main", "projectPath": "/srv/app", "isSidechain": false},
			object{"sessionId": five, "firstPrompt": "the fifth", "summary": "Fifth of all", "created": stamp(39), "modified": stamp(45), "projectPath": "/srv/app"},
			object{"sessionId": "", "firstPrompt": "none"}, "odd", nil,
		}}),
	})
	l := library(t, newWorld(m, home), "", nil)
	list, ans := sessions(t, l, seshat.SessionQuery{})
	checkPlaces(t, told(list), []string{
		`claude:` + five + ` interactive "Fifth of all" (summary) 1 prompts in /srv/app, 03:40 to 03:45`,
		`claude:` + three + ` interactive "the third" (prompt) 0 prompts in /srv/app, 03:09 to 03:09`,
		`claude:` + four + ` interactive "Fourth of all" (summary) 0 prompts in /srv/app, 03:06 to 03:08`,
		`claude:` + two + ` interactive "the second prompt" (prompt) 3 prompts in /srv/app, 03:02 to 03:04`,
	})
	if !ans.Complete || len(ans.Warnings) > 0 {
		t.Errorf("the answer is %+v", ans)
	}
	for handle, want := range map[string]string{two: "/clear | the  second\nprompt | more", "claude:" + two: "/clear | the  second\nprompt | more", five[:8]: "the fifth"} {
		got, shown, err := show(l, handle)
		if err != nil || strings.Join(got, " | ") != want || shown.Session.State != record.StatePromptsOnly {
			t.Errorf("%s shows %q, %v, want %q", handle, got, err, want)
		}
	}
}

// A global config of several megabytes is read to its end.
func TestClaudeLargeInventory(t *testing.T) {
	home := &rootfs.Memory{Folder: "/home/sam"}
	home.File(".claude.json", `{"pad":"`+strings.Repeat("x", 3<<20)+`","projects":{"/srv/app":{"lastSessionId":"`+two+`"}}}`, at(59))
	list, ans := sessions(t, library(t, newWorld(claudeRoot(nil), home), "", nil), seshat.SessionQuery{})
	if !slices.Equal(ids(list), []string{two}) || !ans.Complete {
		t.Errorf("%q, %+v", ids(list), ans)
	}
}

// An inventory may hold anything. One that is not an object is told of, since the
// sessions that it named are not listed.
func TestClaudeInventoriesOfWrongTypes(t *testing.T) {
	for data, told := range map[string]int{
		``: 0, `5`: 2, `[]`: 2, `{`: 2, "\x00": 2, `{"projects":5,"entries":5}`: 0, `{"projects":["x"],"entries":{"a":"b"}}`: 0,
		`{"projects":{"/x":{"lastSessionId":{}}},"entries":[{"sessionId":[]}]}`: 0,
	} {
		home := &rootfs.Memory{Folder: "/home/sam"}
		home.File(".claude.json", data, at(59))
		m := claudeRoot(map[string]string{appDir + one + ".jsonl": lines(asked(one, "u1", 30)), appDir + "sessions-index.json": data})
		list, ans := sessions(t, library(t, newWorld(m, home), "", nil), seshat.SessionQuery{})
		if !slices.Equal(ids(list), []string{one}) || ans.Complete != (told == 0) || len(ans.Warnings) != told || ans.Sources.Failed != told {
			t.Errorf("%s: %q, %+v", data, ids(list), ans)
		}
	}
}
