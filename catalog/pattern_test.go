package catalog

import "testing"

// rows is a small catalogue with the traps of the real ones.
func rows(t *testing.T) *Catalog {
	t.Helper()
	row := func(id string, cov Coverage, f Format, paths ...string) Store {
		return Store{ID: id, Coverage: cov, Format: f, Paths: paths}
	}
	c, err := New([]Store{
		row("session", Search, JSONL, "projects/<project>/<session>.jsonl"),
		row("subagent", Search, JSONL, "projects/<project>/<session>/**/agent-<agent>.jsonl", "projects/<project>/agent-<agent>.jsonl"),
		row("journal", Catalogue, JSONL, "projects/<project>/<session>/subagents/workflows/<run>/journal.jsonl"),
		row("memory", Inspect, Markdown, "projects/<project>/memory/**/<name>.md", "<autoMemoryDirectory>/**/<name>.md"),
		row("reserved", Catalogue, Opaque, "projects/<project>/bagel/"),
		row("chats", Search, JSONL, "tmp/<project>/chats/session-<stamp>-<id8>.jsonl"),
		row("bin", Catalogue, Directory, "tmp/bin/"),
		row("extensions", Catalogue, Directory, "extensions/"),
		row("env", Private, Text, ".env", "extensions/<extension>/.env"),
		row("app", Private, Directory, "<userData>/"),
		row("desktop", Catalogue, JSON, "<userData>/claude-code-sessions/<account>/<org>/local_<id>.json"),
		row("cookies", Private, JSON, "state/<name>.json"),
		row("state", Catalogue, JSON, "state/<other>.json"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMatch(t *testing.T) {
	c := rows(t)
	for _, tc := range []struct {
		head Head
		path string
		want string
	}{
		{Data, "projects/-srv-app/abc.jsonl", "session"},
		{Data, "projects/-srv-app/agent-1.jsonl", "subagent"},
		{Data, "projects/-srv-app/agent-.jsonl", "session"}, // a hole takes at least one character
		{Data, "projects/-srv-app/s/agent-1.jsonl", "subagent"},
		{Data, "projects/-srv-app/s/subagents/workflows/r/agent-1.jsonl", "subagent"},
		{Data, "projects/-srv-app/s/subagents/workflows/r/journal.jsonl", "journal"},
		{Data, "projects/-srv-app/s/other.jsonl", ""},
		{Data, "projects/-srv-app/memory/a/b.md", "memory"},
		{Data, "projects/-srv-app/memory/b.md", "memory"},
		{Data, "projects/-srv-app/memory/agent-1.jsonl", ""}, // memory is no session
		{Data, "projects/-srv-app/bagel/x/agent-1.jsonl", "reserved"},
		{Data, "projects/abc.jsonl", ""},
		{AutoMemory, "x/y.md", "memory"},
		{Data, "x/y.md", ""},
		{Data, "tmp/app/chats/session-2026-01-02T03-04-aaaaaaaa.jsonl", "chats"},
		{Data, "tmp/bin/chats/session-2026-01-02T03-04-aaaaaaaa.jsonl", "bin"}, // bin is no project
		{Data, "extensions/x/.env", "env"},
		{Data, "extensions/x/README.md", "extensions"},
		{Data, ".env", "env"},
		{UserData, "Cookies", "app"},
		{UserData, "claude-code-sessions/a/o/local_1.json", "desktop"},
		{UserData, "claude-code-sessions/a/o/other", "app"},
		{Data, "state/a.json", "cookies"}, // a tie goes to the private row
	} {
		got := ""
		if s := c.Match(tc.head, tc.path); s != nil {
			got = s.ID
		}
		if got != tc.want {
			t.Errorf("Match(%q, %q) = %q, want %q", tc.head, tc.path, got, tc.want)
		}
	}
}

func TestNames(t *testing.T) {
	c := rows(t)
	if names, ok := c.At(UserData).Names(); !ok || len(names) != 1 || names[0] != "claude-code-sessions" {
		t.Errorf("the desktop folder must be entered by name only, got %v %v", names, ok)
	}
	if _, ok := c.At(Data).Folder("projects").Names(); ok {
		t.Error("projects/ must be listed")
	}
	if pl := c.At(Data).Folder("tmp").Folder("bin"); !pl.Dead() || !pl.Whole() {
		t.Error("tmp/bin must not be entered")
	}
	if pl := c.At(Data).Folder("extensions"); pl.Dead() || !pl.Whole() {
		t.Error("extensions/ must be entered for the names of .env files only")
	}
	if !c.At(Data).Folder("nothing").Dead() {
		t.Error("an unknown folder is dead")
	}
}

func TestPartMatch(t *testing.T) {
	for _, tc := range []struct {
		pattern, name string
		want          bool
	}{
		{"<a>.<b>", "x.y", true}, {"<a>.<b>", ".y", false}, {"<a>.<b>", "x.", false}, {"<a>.<b>", "..y", true},
		{"<a>-<b>-<c>.json", "1-2-3.json", true}, {"<a>-<b>-<c>.json", "1--3.json", false}, {"<a>-<b>-<c>.json", "1---3.json", true},
		{"snapshot-<x>.sh", "snapshot-.sh", false}, {"plain", "plain", true}, {"plain", "plainer", false},
		{"<hash>@v<version>", "abc@v1", true}, {"<hash>@v<version>", "@v1", false},
	} {
		pieces, err := splitHoles(tc.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := (part{pieces: pieces}).match(tc.name); got != tc.want {
			t.Errorf("%s against %s = %v, want %v", tc.pattern, tc.name, got, tc.want)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"a/<b>/**/c-<d>.e", "<userData>/", "**/<x>", "<", "a//b", "~/x"} {
		f.Add(s, "a/b/c-d.e")
	}
	f.Fuzz(func(t *testing.T, pat, path string) {
		c, err := New([]Store{{ID: "x", Paths: []string{pat}}})
		if err != nil {
			return
		}
		for _, h := range []Head{Data, Home, UserData} {
			c.Match(h, path)
		}
	})
}
