package seshat_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// show gives the texts of what a handle names.
func show(l *seshat.Library, handle string) ([]string, *seshat.Shown, error) {
	out, _, err := l.Show(context.Background(), seshat.ShowQuery{Handle: handle})
	if err != nil {
		return nil, nil, err
	}
	var texts []string
	for _, r := range out.Records {
		texts = append(texts, r.Text)
	}
	return texts, out, nil
}

// checkShow checks what handles name; the texts are joined by " | ".
func checkShow(t *testing.T, l *seshat.Library, want map[string]string) {
	t.Helper()
	for handle, texts := range want {
		got, _, err := show(l, handle)
		if err != nil {
			t.Errorf("%s: %v", handle, err)
		} else if strings.Join(got, " | ") != texts {
			t.Errorf("%s shows %q, want %q", handle, strings.Join(got, " | "), texts)
		}
	}
}

func TestHandles(t *testing.T) {
	m := threeChats()
	m.File("projects/-srv-app/"+one+"/subagents/agent-abc123.jsonl", lines(
		user(one, "/srv/app", "s1", 11, "dig").with("isSidechain", true).with("agentId", "abc123"),
		assistant(one, "/srv/app", "s2", 12, text("found")).with("isSidechain", true).with("agentId", "abc123")), at(59))
	l := library(t, newWorld(m), "", nil)
	path := claudeDir + "/projects/-srv-app/" + one + ".jsonl"
	whole := "alpha question | alpha answer"
	checkShow(t, l, map[string]string{
		one:                           whole,
		"1111":                        whole,
		"11111111-1111":               whole,
		"claude:" + one:               whole,
		"claude:11111111-1":           whole,
		one + "@2fd755df":             whole, // by sha256sum of the path
		"claude:" + one + "@2fd755df": whole,
		path:                          whole,
		"~/.claude/projects/-srv-app/" + one + ".jsonl": whole,
		".claude/projects/-srv-app/" + one + ".jsonl":   whole, // from the current folder

		one + ":1":                             "alpha question",
		one + ":2":                             "alpha answer",
		"1111:2":                               "alpha answer",
		"claude:11111111-:2":                   "alpha answer",
		path + ":2":                            "alpha answer",
		one + "@2fd755df:1":                    "alpha question",
		"abc123":                               "dig | found",
		"agent-abc123":                         "dig | found",
		"claude:abc1":                          "dig | found",
		"abc123:2":                             "found",
		"10000000-0000-4000-8000-000000000002": "alpha answer", // a record
		"claude:30000000-0000-4000-8000-000000000001": "gamma question",
		"30000000-0000-4000-8000-000000000002":        "gamma answer",
	})
	if _, out, err := show(l, "1111:2"); err != nil || !out.Part || out.Session.ID != one {
		t.Errorf("a line shows %+v, %v", out, err)
	}
	if _, out, err := show(l, "1111"); err != nil || out.Part || out.Session.Handle != "claude:"+one || len(out.Subagents) != 1 || out.Subagents[0].ID != "abc123" {
		t.Errorf("a session shows %+v, %v", out, err)
	}
}

// Of a line without a record the next that has one is shown, and around it as
// many records as asked for.
func TestHandleOfALine(t *testing.T) {
	content := line(user(one, "/srv/app", "u1", 1, "a")) + line(object{"type": "mode", "mode": "x"}) + "\n" +
		line(user(one, "/srv/app", "u4", 4, "d")) + line(assistant(one, "/srv/app", "u5", 5, text("e"), object{"type": "tool_use", "id": "t", "name": "Bash", "input": object{"command": "f"}})) +
		line(user(one, "/srv/app", "u6", 6, "g"))
	l := library(t, newWorld(claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": content})), "", nil)
	for _, c := range []struct {
		handle  string
		context int
		want    string
	}{
		{one + ":1", 0, "a"},
		{one + ":2", 0, "d"},
		{one + ":3", 0, "d"},
		{one + ":5", 0, "e f"},
		{one + ":5", 1, "d e f g"},
		{one + ":5", 100, "a d e f g"},
		{one + ":6", 2, "e f g"},
		{one + ":7", 3, ""},
		{"claude:u5#1", 0, "f"}, // the record that was named, and not its line
		{one, 5, "a d e f g"},
	} {
		out, ans, err := l.Show(context.Background(), seshat.ShowQuery{Handle: c.handle, Context: c.context})
		if err != nil && strings.HasPrefix(c.handle, "claude:u") {
			t.Errorf("%s: %v", c.handle, err)
			continue
		}
		if err != nil {
			t.Fatal(c.handle, err)
		}
		var texts []string
		for _, r := range out.Records {
			texts = append(texts, r.Text)
		}
		if got := strings.Join(texts, " "); got != c.want || ans.Matches != len(texts) {
			t.Errorf("%s with %d around: %q and %d matches, want %q", c.handle, c.context, got, ans.Matches, c.want)
		}
	}
}

func TestHandlesThatNameNothing(t *testing.T) {
	l := library(t, newWorld(threeChats()), "", nil)
	for _, handle := range []string{
		four, "9999", "claude:9999", "1111-9999", one + "@00000000", "2222" + one, "/none.jsonl", "~/none/" + one + ".jsonl", "L1234", "claude:L1234",
		claudeDir + "/projects", "gemini:" + one,
	} {
		_, _, err := show(l, handle)
		var missing *seshat.NotFoundError
		if !errors.As(err, &missing) || missing.Handle != handle {
			t.Errorf("%s: error %v, want that nothing is called so", handle, err)
		}
	}
	for _, handle := range []string{"1", "111", "claude:abc", "", "claude:", "abc:1", "@2fd755df"} {
		_, _, err := show(l, handle)
		var usage seshat.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%q: error %v, want one of usage", handle, err)
		}
	}
}

// An id of fewer than four characters is a whole id all the same.
func TestHandleOfAShortID(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-app/ab.jsonl":  chat("ab", "/srv/app", 1, "short", "answer"),
		"projects/-srv-app/abc.jsonl": chat("bc", "/srv/app", 2, "longer", "answer"),
	})
	checkShow(t, library(t, newWorld(m), "", nil), map[string]string{"ab": "short | answer", "claude:abc": "longer | answer"})
}

// The first group of a UUID can be all digits, and a file can be called by a
// year: behind an agent's name that is an id and no line.
func TestHandleOfDigits(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-app/47110815-aaaa-4aaa-8aaa-000000000001.jsonl": chat("a", "/srv/app", 1, "digits", "answer"),
		"projects/-srv-app/20260102.jsonl":                             chat("b", "/srv/app", 2, "a day", "answer"),
	})
	checkShow(t, library(t, newWorld(m), "", nil), map[string]string{
		"4711":              "digits | answer",
		"claude:4711":       "digits | answer",
		"claude:47110815":   "digits | answer",
		"claude:47110815:1": "digits",
		"20260102":          "a day | answer",
		"claude:20260102":   "a day | answer",
		"20260102:2":        "answer",
		"claude:20260102:2": "answer",
	})
}

func candidates(t *testing.T, err error) []string {
	t.Helper()
	var many *seshat.AmbiguousError
	if !errors.As(err, &many) {
		t.Errorf("error %v, want an ambiguous one", err)
		return nil
	}
	var out []string
	for _, c := range many.Candidates {
		out = append(out, c.Handle)
	}
	return out
}

// An ambiguous handle is refused with candidates, each of which names one thing.
func TestAmbiguousHandles(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-a/" + one + ".jsonl":                       lines(user(one, "/srv/a", "a1", 1, "alpha")),
		"projects/-srv-b/" + one + ".jsonl":                       lines(user(one, "/srv/b", "b1", 2, "beta")),
		"projects/-srv-b/aaaa1111.jsonl":                          lines(user("aaaa1111", "/srv/b", "c1", 3, "gamma")),
		"projects/-srv-b/aaaa2222.jsonl":                          lines(user("aaaa2222", "/srv/b", "d1", 4, "delta")),
		"projects/-srv-b/aaaa2222/subagents/agent-aaaa3333.jsonl": lines(user("aaaa2222", "/srv/b", "e1", 5, "epsilon").with("isSidechain", true)),
	})
	l := library(t, newWorld(m), "", nil)
	for handle, want := range map[string][]string{
		// By sha256sum of the two paths.
		one:             {"claude:" + one + "@e108df1f", "claude:" + one + "@7be1f736"},
		"1111":          {"claude:" + one + "@e108df1f", "claude:" + one + "@7be1f736"},
		"claude:1111:1": {"claude:" + one + "@e108df1f", "claude:" + one + "@7be1f736"},
		"aaaa":          {"claude:aaaa1111", "claude:aaaa2222", "claude:aaaa3333"},
	} {
		_, _, err := show(l, handle)
		got := candidates(t, err)
		var bare []string
		for _, c := range got {
			if strings.HasPrefix(c, "claude:aaaa") {
				c, _, _ = strings.Cut(c, "@")
			}
			bare = append(bare, c)
		}
		slices.Sort(bare)
		slices.Sort(want)
		if !slices.Equal(bare, want) {
			t.Errorf("%s could be %q, want %q", handle, got, want)
		}
		for _, c := range got {
			if texts, _, err := show(l, c); err != nil || len(texts) != 1 {
				t.Errorf("the candidate %s of %s shows %q, %v", c, handle, texts, err)
			}
		}
	}
	checkShow(t, l, map[string]string{
		"claude:" + one + "@e108df1f": "alpha",
		one + "@7be1f736":             "beta",
		"aaaa1":                       "gamma",
		"aaaa2222":                    "delta", // the whole id, although others begin so
	})
	list, _ := sessions(t, l, seshat.SessionQuery{})
	for _, s := range list {
		if _, out, err := show(l, s.Handle); err != nil || out.Session.Path != s.Path {
			t.Errorf("the handle %s of %s shows %+v, %v", s.Handle, s.Path, out, err)
		}
	}
}

func TestAmbiguousRecords(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-a/" + one + ".jsonl": lines(user(one, "/srv/a", "cafe0001", 1, "alpha"), user(one, "/srv/a", "cafe0002", 2, "beta")),
	})
	l := library(t, newWorld(m), "", nil)
	_, _, err := show(l, "cafe")
	if got := candidates(t, err); len(got) != 2 {
		t.Errorf("cafe could be %q", got)
	}
	checkShow(t, l, map[string]string{"cafe0001": "alpha", "claude:cafe0002": "beta"})
}

// Every record has a handle of its own, and that handle leads back to it, however
// the record was come by.
func TestHandlesOfRecordsLeadBack(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-a/" + one + ".jsonl": lines(
			user(one, "/srv/a", "same", 1, "alpha"),
			user(one, "/srv/a", "own1", 2, "beta"),
			object{"type": "user", "message": object{"content": "no id 1"}}),
		"projects/-srv-b/" + two + ".jsonl": lines(
			assistant(two, "/srv/b", "same", 3, text("gamma")),
			user(two, "/srv/b", "own2", 4, "delta"),
			object{"type": "user", "message": object{"content": "no id 2"}}),
		"projects/-srv-b/" + three + ".jsonl": lines(user(three, "/srv/b", "own3", 5, "epsilon")),
	})
	l := library(t, newWorld(m), "", nil)
	for name, q := range map[string]seshat.Selection{
		"all": {}, "prompts": {Kinds: []record.Kind{record.Prompt}}, "replies": {Kinds: []record.Kind{record.Reply}},
	} {
		seen := map[string]string{}
		_, err := l.Records(context.Background(), q, func(r *record.Record) error {
			place := fmt.Sprintf("%s:%d", r.Path, r.Line)
			if other, twice := seen[r.Handle]; twice {
				t.Errorf("%s: %s names %s and %s", name, r.Handle, other, place)
			}
			seen[r.Handle] = place
			out, _, err := l.Show(context.Background(), seshat.ShowQuery{Handle: r.Handle})
			if err != nil {
				t.Errorf("%s: the handle %s of %s: %v", name, r.Handle, place, err)
			} else if len(out.Records) != 1 || out.Records[0].Path != r.Path || out.Records[0].Text != r.Text {
				t.Errorf("%s: the handle %s of %s (%q) leads to %q in %s", name, r.Handle, place, r.Text, out.Records[0].Text, out.Records[0].Path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A whole id names its session though another begins with it; of the prompts that
// are left only the wanted kinds are shown, and agents do not share a session.
func TestRememberedSessionsByWholeIDAndKind(t *testing.T) {
	const short, long = "33333333-3333", "33333333-3333-4333-8333-333333333333"
	m := claudeRoot(map[string]string{"history.jsonl": lines(
		logged(short, "/srv/app", "the short one", 1, 0), logged(long, "/srv/app", "the long one", 2, 0))})
	l := library(t, newWorld(m), "", nil)
	got, _, err := show(l, short)
	if err != nil || strings.Join(got, "|") != "the short one" {
		t.Errorf("%q, %v", got, err)
	}
	var ambiguous *seshat.AmbiguousError
	if _, _, err = show(l, "33333333"); !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Errorf("the beginning of two ids gives %v", err)
	}
	shown, ans, err := l.Show(context.Background(), seshat.ShowQuery{Handle: long, Kinds: []record.Kind{record.Reply}})
	if err != nil || len(shown.Records) != 0 || ans.Matches != 0 {
		t.Errorf("of replies: %+v %+v %v", shown, ans, err)
	}
}
