package query

import (
	"testing"
	"time"

	"github.com/seshat-dev/seshat/record"
)

var (
	zone = time.FixedZone("x", 2*3600)
	now  = time.Date(2026, 5, 22, 13, 0, 0, 0, zone)
)

// planFor parses and compiles a query at a fixed time, in the home /home/sam.
func planFor(t testing.TB, src string) *Plan {
	t.Helper()
	o := Options{Now: now, Home: "/home/sam"}
	q, err := Parse(src, o)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	p, err := Compile(q.Expr, o)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return p
}

// call is a record with something in every field.
func call() *record.Record {
	return &record.Record{
		Agent: "claude", Store: "claude.projects.session", Session: "3f2a-11", Kind: record.ToolCall, Role: record.Assistant,
		Time: time.Date(2026, 5, 21, 10, 30, 0, 0, zone), Model: "claude-opus-4", Tool: "Edit", Path: "/home/sam/.claude/projects/x/3f2a-11.jsonl",
		Origin: record.Origin{CWD: "/srv/shop/Cafe\u0301", Repo: "/srv/shop", Worktree: "/srv/shop/.claude/worktrees/blue", Branch: "feature/Login"},
		Flags:  record.Subagent | record.Error,
		Text:   "/srv/shop/main.go\nold_string: path: b.txt\nnotebook_path: C:\\n\\a.ipynb",
	}
}

// aboutCall is a subject of which all but the record is known.
func aboutCall() *Subject {
	return &Subject{
		Known: KnowsAll, Project: record.Project{Name: "shop", Root: "/srv/shop", Worktree: "/srv/shop/.claude/worktrees/blue"},
		Title: "Deploy the CAFÉ", State: record.StateArchived,
		PRs: []string{"https://example.com/o/r/pull/42", "https://example.com/o/r/pull/7"},
	}
}

func TestFields(t *testing.T) {
	for src, want := range map[string]bool{
		"agent:claude": true, "agent:CLAUDE": true, "agent:cla": false, "agent:c*e": true, "agent:?laude": true, "agent:gemini": false, "agent:*": true,
		`agent:"c*e"`: false, "agent:>b": true, "agent:>d": false, "agent:[b TO d]": true, "agent:[claude TO claude]": true, "agent:[d TO *]": false,
		"store:claude.*": true, "store:claude": false,
		"path:projects/x": true, "path:PROJECTS": true, "path:~/.claude": true, "path:~/x": false, "path:*.jsonl": true, "path:*.json": false, "path:x/*": true, "path:rojects/*": false, `path:projects\x`: true,
		"kind:tool_call": true, "kind:tool_*": true, "kind:tool": false, "-kind:reply role:*": true,
		"scope:conversation": true, "scope:all": true, "scope:prompts": false, "scope:*": true,
		"role:assistant": true, "role:tool": false,
		"model:claude-opus-4": true, "model:*opus*": true, "model:opus": false,
		"tool:edit": true, "tool:Ed": false,
		"text:MAIN.go": true, "text:deploy": false, "text:*": true, "title:deploy": true, "title:cafe\u0301": true, "title:shop": false, "title:*": true, "-title:deploy role:*": false,
		"session:3f2a-11": true, "session:3f2a*": true, "session:3f2a": false, "session:claude:3f2a-11": true, "session:gemini:3f2a-11": false,
		"repo:shop": true, "repo:/srv/shop": true, "repo:/srv/shop/": true, "repo:/srv": false, "repo:/srv/*": true, "repo:sho": false,
		"cwd:café": true, "cwd:/srv/shop/CAFÉ": true, "cwd:/srv/*": true, "cwd:shop/café": false,
		"worktree:blue": true, "worktree:red": false,
		"branch:feature/login": true, "branch:feature": false, "branch:feature/*": true, "branch:*": true,
		"is:error": true, "is:subagent": true, "is:print": false, "is:archived": true, "is:prompts-only": false, "is:superseded": false, "is:replaced": false, "is:err*": true, "is:*": true, "is:nothing": false,
		"file:main.go": true, "file:shop/main": true, "file:*.go": true, "file:main.*": true, "file:ain.go": true, "file:ain.*": false, "file:b.txt": false, "file:n/a.ipynb": true, `file:c:\n`: true, "file:*": true, "file:new": false,
		"pr:42": true, "pr:#7": true, "pr:4": false, "pr:4*": true, "pr:https://example.com/o/r/pull/42": true, "pr:https://example.com/o/r/pull/42/": true, "pr:>8": true, "pr:>42": false, "pr:[1 TO 7]": true, "pr:[8 TO 41]": false, "pr:*": true,
	} {
		if got := planFor(t, src).Match(aboutCall().Of(call())); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}

func TestProjects(t *testing.T) {
	for src, want := range map[string]bool{
		"project:shop": true, "project:SHOP": true, "project:sh*": true, "project:sho": false, "project:blue": false, "project:srv": false, "project:*": true,
		"project:/srv/shop": true, "project:/srv/shop/": true, "project:/srv": false, "project:/srv/*": true, "project:/*": false, "project:/**": true,
		"project:srv/shop": true, "project:rv/shop": false, "project:srv/*": true, "project:/srv/shop/.claude/worktrees/blue": true, "project:worktrees/*": true, `project:"sh*"`: false, `project:"/srv/*"`: false, `project:"srv/shop"`: true,
		`project:\srv\shop`: true,
	} {
		if got := planFor(t, src).Match(aboutCall().Of(call())); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
	// A folder that is stored decomposed matches what is typed composed.
	s := &Subject{Known: KnowsAll, Project: record.Project{Name: "cafe\u0301", Root: "/home/sam/cafe\u0301"}}
	for _, src := range []string{"project:café", "project:CAFE\u0301", "project:~/café", "project:c*é"} {
		if !planFor(t, src).Match(s.Of(call())) {
			t.Errorf("%s does not match", src)
		}
	}
	windows := &Subject{Known: KnowsAll, Project: record.Project{Name: "code", Root: `C:\Users\sam\code`}}
	for src, want := range map[string]bool{"project:code": true, "project:sam/code": true, `project:C:\Users\sam\code`: true, "project:c:/users/*/code": true, "project:c:/code": false} {
		if got := planFor(t, src).Match(windows.Of(call())); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}

func TestTimes(t *testing.T) {
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 5, day, hour, minute, 0, 0, zone) }
	for _, c := range []struct {
		src  string
		time time.Time
		want bool
	}{
		{"since:2026-05-21", at(21, 0, 0), true}, {"since:2026-05-21", at(20, 23, 59), false},
		{"until:2026-05-21", at(21, 23, 59), true}, {"until:2026-05-21", at(22, 0, 0), false},
		{"time:2026-05-21", at(21, 12, 0), true}, {"time:2026-05-21", at(22, 0, 0), false}, {"time:2026-05", at(1, 0, 0), true}, {"time:2026", at(1, 0, 0), true}, {"time:2025", at(1, 0, 0), false},
		{"time:yesterday", at(21, 12, 0), true}, {"time:today", at(21, 12, 0), false},
		{"time:>2026-05-21", at(21, 12, 0), false}, {"time:>2026-05-21", at(22, 0, 0), true}, {"time:>=2026-05-21", at(21, 0, 0), true},
		{"time:<2026-05-21", at(20, 12, 0), true}, {"time:<2026-05-21", at(21, 0, 0), false}, {"time:<=2026-05-21", at(21, 12, 0), true},
		{"time:[2026-05-20 TO 2026-05-21]", at(21, 23, 0), true}, {"time:[2026-05-20 TO 2026-05-21]", at(22, 0, 0), false}, {"time:[* TO 2026-05-21]", at(1, 0, 0), true}, {"time:[2026-05-20 TO *]", at(19, 0, 0), false},
		// An age counts back from now, 13:00 on the 22nd.
		{"since:1d", at(21, 13, 0), true}, {"since:1d", at(21, 12, 59), false}, {"until:1d", at(21, 13, 0), true}, {"until:1d", at(21, 13, 1), false},
		{"time:1d", at(21, 14, 0), true}, {"time:1d", at(21, 12, 0), false}, {"time:>1d", at(21, 14, 0), true}, {"time:<1d", at(21, 12, 0), true}, {"time:<1d", at(21, 14, 0), false},
		{"time:[2d TO 1d]", at(21, 0, 0), true}, {"time:[2d TO 1d]", at(21, 14, 0), false},
		// 11:00 UTC is 13:00 here.
		{"until:2026-05-21T11:00:00Z", at(21, 13, 0), true}, {"until:2026-05-21T11:00:00Z", at(21, 13, 1), false}, {"since:2026-05-21T11:00:00Z", at(21, 13, 0), true},
		{"time:*", at(1, 0, 0), true},
		// A record without a time is in no stretch.
		{"time:*", time.Time{}, false}, {"until:2026", time.Time{}, false}, {"NOT since:2026", time.Time{}, true},
	} {
		s := &Subject{Known: KnowsAll}
		if got := planFor(t, c.src).Match(s.Of(&record.Record{Time: c.time})); got != c.want {
			t.Errorf("%s at %v: %v", c.src, c.time, got)
		}
	}
}

func TestWordsInTitles(t *testing.T) {
	for _, c := range []struct {
		src, text, title string
		want             bool
	}{
		{"auth bug", "auth bug", "", true},
		{"auth bug", "auth", "a bug", true},
		{"auth bug", "nothing", "auth bug", false}, // that is a hit of the session
		{"auth bug", "auth", "auth bug", true},
		{"auth", "nothing", "auth", false},
		{`"a phrase" x`, "x", "a phrase", true}, {"/aut./ x", "x", "auth", true},
		{"kind:reply auth", "nothing", "auth", false},
		{"kind:reply auth", "auth", "", true},
		{"kind:reply OR auth", "nothing", "auth", true},
		{"kind:notice OR auth", "nothing", "auth", false},
		{"(kind:reply OR x) auth", "nothing", "auth x", false},
		{"(kind:reply OR x) auth", "x", "auth", true},
		{"auth OR bug", "nothing", "auth", false}, {"auth OR bug", "bug", "auth", true},
		{"auth text:bug", "auth", "bug", false}, {"auth text:bug", "bug", "auth", true},
		{"title:auth", "nothing", "auth", true}, {"title:auth bug", "bug", "auth", true},
		// What stands in a title never speaks against a record.
		{"auth -draft", "auth", "draft", true}, {"auth -draft", "auth draft", "", false}, {"auth -draft", "nothing", "auth", false},
		{"auth -title:draft", "auth", "draft", false},
		{"auth -text:draft", "auth", "draft", true},
	} {
		s := &Subject{Known: KnowsAll, Title: c.title}
		if got := planFor(t, c.src).Match(s.Of(&record.Record{Text: c.text, Kind: record.Reply})); got != c.want {
			t.Errorf("%s in %q of %q: %v", c.src, c.text, c.title, got)
		}
	}
}

func TestSessionsAlone(t *testing.T) {
	sess := &record.Session{
		Agent: "claude", ID: "3f2a", Kind: record.KindPrint, State: record.StateLive, Title: "Fix the login",
		Project: record.Project{Name: "shop", Root: "/srv/shop"}, Origin: record.Origin{Branch: "main"}, Models: []string{"opus", "haiku"},
		Started: time.Date(2026, 5, 1, 0, 0, 0, 0, zone), LastActive: time.Date(2026, 5, 20, 0, 0, 0, 0, zone), PRs: []string{"https://example.com/pull/9"},
	}
	for src, want := range map[string]bool{
		"login": true, "fix login": true, "login other": false, "login -fix": false, "login OR other": true, "/log.n/": true, "": true,
		"title:login": true, "text:login": false, "NOT text:login": true, "text:*": false,
		"agent:claude project:shop branch:main model:haiku session:3f2a pr:9 is:print": true,
		"is:error": false, "is:archived": false, "kind:prompt": false, "login kind:prompt": false, "login -kind:prompt": true, "file:*": false,
		"time:2026-05-10": true, "since:2026-05-20": true, "since:2026-05-21": false, "until:2026-05-01": true, "until:2026-04-30": false,
		"store:claude.*": true,
	} {
		if got := planFor(t, src).Match(OfSession(sess, "claude.projects.session")); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}

// An answer comes as soon as no further fact could change it.
func TestStages(t *testing.T) {
	source := &Subject{Known: KnowsSource, Agent: "claude", Store: "claude.x", Path: "/p"}
	headed := &Subject{Known: KnowsSource | KnowsProject, Agent: "claude", Store: "claude.x", Path: "/p", Project: record.Project{Name: "shop", Root: "/srv/shop"}}
	for _, c := range []struct {
		src               string
		atSource, headed_ Tri
	}{
		{"agent:claude", True, True}, {"agent:gemini", False, False}, {"-agent:gemini path:p", True, True},
		{"agent:gemini x", False, False}, {"agent:claude x", Unknown, Unknown}, {"x", Unknown, Unknown},
		{"agent:claude OR x", True, True}, {"agent:gemini OR x", Unknown, Unknown}, {"agent:gemini OR path:p", True, True},
		{"project:shop", Unknown, True}, {"project:till", Unknown, False}, {"NOT project:shop", Unknown, False}, {"project:till OR x", Unknown, Unknown}, {"NOT (project:shop OR x)", Unknown, False},
		{"is:subagent", Unknown, Unknown}, {"is:nothing", False, False}, {"title:x", Unknown, Unknown}, {"pr:1", Unknown, Unknown}, {"kind:reply", Unknown, Unknown}, {"since:3d", Unknown, Unknown},
		{"session:x", Unknown, Unknown}, {"NOT x", Unknown, Unknown}, {"", True, True},
	} {
		p := planFor(t, c.src)
		if got := p.Eval(source); got != c.atSource {
			t.Errorf("%s at the source: %v, want %v", c.src, got, c.atSource)
		}
		if got := p.Eval(headed); got != c.headed_ {
			t.Errorf("%s at the head: %v, want %v", c.src, got, c.headed_)
		}
	}
}

// A record without the facts of its session is decided where they cannot matter.
func TestRecordsWithoutTitles(t *testing.T) {
	for src, want := range map[string]Tri{
		"main": True, "main other": Unknown, "other": False, "other more": False, "kind:tool_call other": False, "kind:tool_call OR other": True,
		"title:x": Unknown, "is:error": True, "is:archived": Unknown, "is:superseded": False, "pr:4": Unknown, "project:x": Unknown, "main -other": True,
	} {
		if got := planFor(t, src).Eval((&Subject{}).Of(call())); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
	titled := call()
	titled.Title = "other things"
	if got := planFor(t, "main other").Eval((&Subject{}).Of(titled)); got != True {
		t.Errorf("the record's own title is not looked through: %v", got)
	}
	s := (&Subject{}).Of(titled)
	if got := planFor(t, "main other").Eval(s.Of(call())); got != Unknown {
		t.Errorf("the title of another record is looked through: %v", got)
	}
}

// A subject is of one record after the other, and keeps nothing of the one before.
func TestSubjectsAreUsedAgain(t *testing.T) {
	p, s := planFor(t, "one"), &Subject{Known: KnowsAll}
	for text, want := range map[string]bool{"one": true, "two": false, "öne": false, "öone": true} {
		for range 2 {
			if got := p.Match(s.Of(&record.Record{Text: text})); got != want {
				t.Errorf("%s: %v", text, got)
			}
		}
	}
	s.Title = "two"
	if !planFor(t, "one two").Match(s.Of(&record.Record{Text: "one"})) {
		t.Error("the title is not looked through")
	}
	s.Title = "three"
	if planFor(t, "one two").Match(s.Of(&record.Record{Text: "one"})) {
		t.Error("the title of before is looked through")
	}
}

func TestCompileRefusesWhatParseWould(t *testing.T) {
	for _, e := range []Expr{Regexp{"["}, And{Text{"a"}, Regexp{"["}}, Or{Regexp{"("}, Text{"a"}}, Not{Regexp{"["}}, Filter{Field: "nothing", Value: "x"}} {
		if _, err := Compile(e, Options{}); err == nil {
			t.Errorf("%s is taken", show(e))
		}
	}
}
