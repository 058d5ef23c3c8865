package seshat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

const appDir = "projects/-srv-app/"

// forked gives the lines of a conversation as another session's file has them:
// the same ids, times and texts under its own sessionId. stamp adds the mark of a
// background process.
func forked(session string, stamp bool, list ...object) []object {
	var out []object
	for _, o := range list {
		c := object{}
		for k, v := range o {
			c[k] = v
		}
		if c["sessionId"] = session; stamp {
			c["sessionKind"] = "bg"
		}
		out = append(out, c)
	}
	return out
}

// opening is the conversation that the copies of these tests share.
func opening(session string) []object {
	return []object{user(session, "/srv/app", "u1", 1, "alpha question"), assistant(session, "/srv/app", "a1", 2, text("alpha answer"))}
}

// asked is one more prompt.
func asked(session, uuid string, minute int) object {
	return user(session, "/srv/app", uuid, minute, "asked as "+uuid)
}

// places gives "ID in SESSION" of every record, with its flags and copies.
func places(t *testing.T, l *seshat.Library, q seshat.Selection) ([]string, *record.Answer) {
	t.Helper()
	var out []string
	ans, err := l.Records(context.Background(), q, func(r *record.Record) error {
		s := r.ID + " in " + r.Session[:1]
		for _, f := range r.Flags.Names() {
			s += " +" + f
		}
		if len(r.Also) > 0 {
			s += fmt.Sprintf(" also %d", len(r.Also))
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, ans
}

func checkPlaces(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// Of two files that begin at one time, the contract's rules say which owns what
// both have: paths come last.
func TestClaudeCopiesOwner(t *testing.T) {
	for name, c := range map[string]struct {
		one, two []object // the second file's path sorts behind the first's
		want     []string
		hidden   int
	}{
		"a resumed copy": {
			append(forked(one, false, opening(two)...), asked(one, "u2", 10)), opening(two),
			[]string{"u1 in 2", "a1 in 2", "u2 in 1"}, 2},
		"a resumed copy behind": {
			opening(one), append(forked(two, false, opening(one)...), asked(two, "u2", 10)),
			[]string{"u1 in 1", "a1 in 1", "u2 in 2"}, 2},
		"a fork that goes on later": {
			append(forked(one, false, opening(two)...), asked(one, "u3", 20)), append(opening(two), asked(two, "u2", 10)),
			[]string{"u1 in 2", "a1 in 2", "u2 in 2", "u3 in 1"}, 2},
		"a background copy that goes on earlier": {
			append(forked(one, true, opening(two)...), asked(one, "u3", 5).with("sessionKind", "bg")), append(opening(two), asked(two, "u2", 10)),
			[]string{"u1 in 2", "a1 in 2", "u2 in 2", "u3 in 1 +background"}, 2},
		"a background copy of everything": {
			forked(one, true, opening(two)...), append(opening(two), asked(two, "u2", 10)),
			[]string{"u1 in 2", "a1 in 2", "u2 in 2"}, 2},
		"the same twice": {opening(one), forked(two, false, opening(one)...), []string{"u1 in 1", "a1 in 1"}, 2},
		"the same time by chance": {
			[]object{asked(one, "u8", 1)}, []object{asked(two, "u9", 1)},
			[]string{"u8 in 1", "u9 in 2"}, 0},
		"an old copy that keeps its sessionId": {
			append(opening(two), asked(one, "u2", 10)), opening(two), []string{"u1 in 2", "a1 in 2", "u2 in 1"}, 2},
	} {
		l := library(t, newWorld(claudeRoot(map[string]string{
			appDir + one + ".jsonl": lines(c.one...), appDir + two + ".jsonl": lines(c.two...),
		})), "", nil)
		t.Run(name, func(t *testing.T) {
			got, ans := places(t, l, seshat.Selection{})
			checkPlaces(t, got, c.want)
			if ans.Hidden.Copy != c.hidden || ans.Matches != len(c.want) {
				t.Errorf("the answer is %+v, want %d copies", ans, c.hidden)
			}
		})
	}
}

// Three files of one conversation: each record once, in the oldest.
func TestClaudeCopiesOfCopies(t *testing.T) {
	second := append(forked(two, false, opening(three)...), asked(two, "u2", 10))
	third := append(forked(one, false, second...), asked(one, "u3", 20))
	m := claudeRoot(map[string]string{
		appDir + three + ".jsonl": lines(opening(three)...), appDir + two + ".jsonl": lines(second...), appDir + one + ".jsonl": lines(third...),
	})
	l := library(t, newWorld(m), "", nil)
	got, ans := places(t, l, seshat.Selection{})
	checkPlaces(t, got, []string{"u1 in 3", "a1 in 3", "u2 in 2", "u3 in 1"})
	if ans.Hidden.Copy != 5 {
		t.Errorf("%d copies are left out, want 5", ans.Hidden.Copy)
	}
	got, _ = places(t, l, seshat.Selection{Copies: true, Also: true})
	checkPlaces(t, got, []string{"u1 in 3 also 2", "a1 in 3 also 2", "u1 in 2 +copy", "a1 in 2 +copy", "u2 in 2 also 1", "u1 in 1 +copy", "a1 in 1 +copy", "u2 in 1 +copy", "u3 in 1"})
	list, _ := sessions(t, l, seshat.SessionQuery{})
	var told []string
	for _, s := range list {
		told = append(told, fmt.Sprintf("%s copied=%d from=%s prompts=%d replies=%d", s.ID[:1], s.Copied, s.CopiedFrom, s.Counts.Prompts, s.Counts.Replies))
	}
	checkPlaces(t, told, []string{
		"1 copied=3 from=claude:" + three + " prompts=3 replies=1", "2 copied=2 from=claude:" + three + " prompts=2 replies=1", "3 copied=0 from= prompts=1 replies=1",
	})
}

// Handles stay unique: a copy's tells its path, the owner's does not.
func TestClaudeCopiesHandles(t *testing.T) {
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(opening(one)...), appDir + two + ".jsonl": lines(append(forked(two, false, opening(one)...), asked(two, "u2", 10))...),
	})
	seen := map[string]bool{}
	_, err := library(t, newWorld(m), "", nil).Records(context.Background(), seshat.Selection{Copies: true, Also: true}, func(r *record.Record) error {
		if seen[r.Handle] || (r.Flags&record.Copy != 0) != strings.Contains(r.Handle, "@") {
			t.Errorf("%s of %s", r.Handle, r.Path)
		}
		seen[r.Handle] = true
		for _, h := range r.Also {
			if r.ID != "u1" && r.ID != "a1" || !strings.HasPrefix(h, "claude:"+r.ID+"@") {
				t.Errorf("%s is also at %s", r.Handle, h)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is no copy: the same id with another text, kind or tool, and ids that the
// agent did not write.
func TestClaudeCopiesThatAreNone(t *testing.T) {
	call := func(tool string) object {
		return object{"type": "tool_use", "id": "t1", "name": tool, "input": object{"x": "y"}}
	}
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 1, "question"), assistant(one, "/srv/app", "a1", 2, call("Alpha")), asked(one, "", 3)),
		appDir + two + ".jsonl": lines(user(two, "/srv/app", "u1", 1, "question, edited"), assistant(two, "/srv/app", "a1", 2, call("Beta")), asked(two, "", 3)),
	})
	l := library(t, newWorld(m), "", nil)
	var handles []string
	ans, err := l.Records(context.Background(), seshat.Selection{}, func(r *record.Record) error {
		if r.Flags&record.Copy != 0 {
			t.Errorf("%s is a copy", r.Handle)
		}
		handles = append(handles, r.Handle)
		return nil
	})
	slices.Sort(handles)
	if err != nil || ans.Hidden.Copy != 0 || len(handles) != 6 || len(slices.Compact(handles)) != 6 {
		t.Errorf("handles %q, %+v, %v", handles, ans, err)
	}
}

// A rewritten record in one file is superseded there; a copy of what it became is
// a copy.
func TestClaudeCopiesAndRewrites(t *testing.T) {
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 1, "first words"), user(one, "/srv/app", "u1", 1, "last words")),
		appDir + two + ".jsonl": lines(user(two, "/srv/app", "u1", 1, "last words"), asked(two, "u2", 9)),
	})
	l := library(t, newWorld(m), "", nil)
	got, ans := places(t, l, seshat.Selection{})
	checkPlaces(t, got, []string{"u1 in 1", "u2 in 2"})
	if ans.Hidden.Superseded != 1 || ans.Hidden.Copy != 1 {
		t.Errorf("hidden %+v", ans.Hidden)
	}
	got, _ = places(t, l, seshat.Selection{Superseded: true})
	checkPlaces(t, got, []string{"u1 in 1", "u1#1 in 1 +superseded", "u2 in 2"})
}

// show prints a fork whole, the inherited part flagged; the original is flagged
// nowhere and names its copies.
func TestClaudeShowOfAFork(t *testing.T) {
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(append(forked(one, true, opening(two)...), asked(one, "u3", 20).with("sessionKind", "bg"))...),
		appDir + two + ".jsonl": lines(append(opening(two), asked(two, "u2", 10))...),
	})
	l := library(t, newWorld(m), "", nil)
	checkShownFork(t, l)
}

func checkShownFork(t *testing.T, l *seshat.Library) {
	t.Helper()
	for session, want := range map[string][]string{
		one: {"u1 +copy also 1", "a1 +copy also 1", "u3"},
		two: {"u1 also 1", "a1 also 1", "u2"},
	} {
		_, shown, err := show(l, session)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range shown.Records {
			s := r.ID
			if r.Flags&record.Copy != 0 {
				s += " +copy"
			}
			if len(r.Also) > 0 {
				s += fmt.Sprintf(" also %d", len(r.Also))
			}
			got = append(got, s)
		}
		checkPlaces(t, got, want)
		if copied := strings.Count(strings.Join(want, " "), "+copy"); shown.Session.Copied != copied || (shown.Session.CopiedFrom == "claude:"+two) != (copied > 0) {
			t.Errorf("%s: copied %d from %q", session, shown.Session.Copied, shown.Session.CopiedFrom)
		}
	}
}

// The same where the fork's file begins with a line of its own that has a time:
// claude -p writes its queue operations first.
func TestClaudeShowOfAForkThatBeginsWithALineOfItsOwn(t *testing.T) {
	begin := object{"type": "queue-operation", "operation": "dequeue", "timestamp": at(20).Format("2006-01-02T15:04:05.000Z"), "sessionId": one}
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl": line(begin) + lines(append(forked(one, false, opening(two)...), asked(one, "u3", 20))...),
		appDir + two + ".jsonl": lines(append(opening(two), asked(two, "u2", 10))...),
	})
	l := library(t, newWorld(m), "", nil)
	got, ans := places(t, l, seshat.Selection{})
	checkPlaces(t, got, []string{"u1 in 2", "a1 in 2", "u2 in 2", "u3 in 1 +print"})
	if ans.Hidden.Copy != 2 {
		t.Errorf("hidden %+v", ans.Hidden)
	}
	checkShownFork(t, l)
}

// Inside a session: the transcript, then its subagents by time and path. A
// session without a transcript is placed by its subagents.
func TestClaudeOrderInsideSessions(t *testing.T) {
	side := func(session, uuid string, minute int) string {
		return line(user(session, "/srv/app", uuid, minute, "dig").with("isSidechain", true))
	}
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl":                               lines(asked(one, "u1", 30)),
		appDir + one + "/subagents/agent-b.jsonl":             side(one, "s1", 5),
		appDir + one + "/subagents/agent-c.jsonl":             side(one, "s2", 3),
		appDir + one + "/subagents/workflows/r/agent-a.jsonl": side(one, "s3", 5),
		appDir + "agent-d.jsonl":                              side(one, "s4", 4),
		appDir + two + "/subagents/agent-e.jsonl":             side(two, "s5", 20),
		appDir + three + ".jsonl":                             lines(asked(three, "u3", 10)),
		appDir + four + ".jsonl":                              lines(asked(four, "u4", 0).with("timestamp", nil)), // the file's own time
		"history.jsonl":                                       line(object{"display": "logged", "timestamp": at(0).UnixMilli(), "sessionId": "5x", "project": "/srv/app"}),
	})
	got, _ := places(t, library(t, newWorld(m), "", nil), seshat.Selection{})
	checkPlaces(t, got, []string{"u3 in 3", "s5 in 2 +subagent", "u1 in 1", "s2 in 1 +subagent", "s4 in 1 +subagent", "s1 in 1 +subagent", "s3 in 1 +subagent", "u4 in 4", "L1 in 5"})
}

// A file that a result was spilled to is joined by show --full, for a session and
// for a subagent, and only the one below the session's own folder.
func TestClaudeSpilledResults(t *testing.T) {
	result := func(session, uuid string) object {
		return env("user", session, "/srv/app", uuid, 3).with("message", object{"role": "user", "content": []any{object{"type": "tool_result", "tool_use_id": "t1",
			"content": "<persisted-output>\nOutput too large (40KB). Full output saved to: /elsewhere/" + two + "/tool-results/b1.txt\n</persisted-output>"}}})
	}
	m := claudeRoot(map[string]string{
		appDir + one + ".jsonl":                    lines(result(one, "u1")),
		appDir + one + "/subagents/agent-a1.jsonl": lines(result(one, "s1").with("isSidechain", true)),
		appDir + one + "/tool-results/b1.txt":      "the whole output",
		appDir + two + "/tool-results/b1.txt":      "of another session",
		appDir + three + ".jsonl":                  lines(result(three, "u3")),
	})
	l := library(t, newWorld(m), "", nil)
	for handle, want := range map[string]string{one: "the whole output", "agent-a1": "the whole output", three: ""} {
		shown, _, err := l.Show(context.Background(), seshat.ShowQuery{Handle: handle, Full: true})
		if err != nil || len(shown.Records) != 1 {
			t.Fatalf("%s: %v", handle, err)
		}
		_, rest, _ := strings.Cut(shown.Records[0].Text, "</persisted-output>")
		if strings.TrimSpace(rest) != want {
			t.Errorf("%s: %q is joined, want %q", handle, strings.TrimSpace(rest), want)
		}
	}
}

// A session whose transcript is gone has the subagents whose files are left.
func TestClaudeSubagentsOfALostSession(t *testing.T) {
	side := func(name string) string {
		return lines(user(one, "/srv/app", "u"+name, 5, "dig").with("isSidechain", true), assistant(one, "/srv/app", "a"+name, 6, text("found")).with("isSidechain", true))
	}
	m := claudeRoot(map[string]string{appDir + one + "/subagents/agent-b.jsonl": side("b"), appDir + one + "/subagents/agent-c.jsonl": side("c")})
	list, _ := sessions(t, library(t, newWorld(m), "", nil), seshat.SessionQuery{All: true})
	if len(list) != 1 || list[0].Subagents != 2 || list[0].Kind != record.KindSubagent {
		t.Errorf("the sessions are %+v, want one with 2 subagents", list)
	}
}
