package blackbox

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// rows writes each session as its first letter and project, sorted.
func (h *Home) rows(t *testing.T, args ...string) []string {
	t.Helper()
	list, _ := h.sessions(t, args...)
	var out []string
	for _, s := range list {
		out = append(out, s.ID[:1]+" "+s.Project.Name)
	}
	slices.Sort(out)
	return out
}

// Case O6, of Claude Code: the project is what the lines say, and a folder's name is
// never decoded.
func TestO6FolderNames(t *testing.T) {
	h := New(t)
	h.Claude("/srv/parent/my-app_v1.2", S1, U("m1", "", "needle"))
	h.Claude("/srv/parent/my-app/v1-2", S2, U("m2", "", "needle of another project")) // the same folder name
	h.Write(".claude/projects/-srv-empty/"+S3+".jsonl", `{"type":"mode","mode":"default","sessionId":"`+S3+`"}`+"\n", 0o600)
	list, _ := h.sessions(t, "--project", "my-app_v1.2")
	if len(list) != 1 || list[0].Project.Name != "my-app_v1.2" || list[0].Project.Root != "/srv/parent/my-app_v1.2" {
		t.Errorf("the project's sessions are %+v", list)
	}
	if got, want := h.rows(t), []string{"1 my-app_v1.2", "2 v1-2", "3 "}; !slices.Equal(got, want) {
		t.Errorf("the sessions are %q, want %q", got, want)
	}
	for filter, want := range map[string][]string{
		"MY-APP*": {"1 my-app_v1.2"}, "my-app": nil, "parent/my-app": {"2 v1-2"}, "/srv/parent": {"1 my-app_v1.2", "2 v1-2"}, "empty": nil, "*": {"1 my-app_v1.2", "2 v1-2"},
	} {
		if got := h.rows(t, "--project", filter); !slices.Equal(got, want) {
			t.Errorf("--project %s gives %q, want %q", filter, got, want)
		}
	}
}

// Case O7: a project's answers hold nothing of another's session with the same id.
func TestO7Projects(t *testing.T) {
	h, alpha, beta := twins(t)
	if list, _ := h.sessions(t, "--project", "alpha"); len(list) != 1 || list[0].Path != h.Tilde(alpha) || list[0].Title != "alpha pool sizing" {
		t.Errorf("the sessions of alpha are %+v", list)
	}
	recs, _ := h.records(t, "--project", "alpha")
	if got := texts(recs); !slices.Equal(got, []string{"alpha pool sizing", "alpha answer"}) {
		t.Errorf("the records of alpha are %q", got)
	}
	if got := h.hits("e", "--project", "beta"); !slices.Equal(got, []string{h.Tilde(beta) + ":beta cache eviction"}) {
		t.Errorf("grep in beta gives %q", got)
	}
	h.Run("grep", "eviction", "--project", "alpha").exits(t, 1)
	h.Run("sessions", "--project", "gamma").exits(t, 1)
}

// Case O17: a folder that is named in one Unicode form is found by the other.
func TestO17ProjectNames(t *testing.T) {
	h := New(t)
	h.Claude(h.Mkdir("code/Cafe\u0301"), S1, U("m1", "", "one"))
	h.Claude(h.Path("code/caf\u00e9s"), S2, U("m2", "", "two"))
	h.Claude(h.Path("code/Caf\u00e9"), S3, U("m3", "", "the same name in the other form"))
	for filter, n := range map[string]int{
		"caf\u00e9": 2, "cafe\u0301": 2, "CAF\u00c9*": 3, "code/caf\u00e9": 2, "~/code/cafe\u0301": 2, "caf?": 2, "cafe": 0,
	} {
		if got := h.rows(t, "--project", filter); len(got) != n {
			t.Errorf("--project %s gives %q, want %d", filter, got, n)
		}
	}
	if list, _ := h.projects(t); len(list) != 2 {
		t.Errorf("one folder in two forms is one project: %+v", list)
	}
}

// What stands elsewhere than in a transcript's head tells where a session ran: the
// rest of it, sessions beside it, the global config, the prompt log. Where two tell
// differently, nothing does.
func TestWhereASessionRan(t *testing.T) {
	silent := `{"type":"user","message":{"content":"no folder here"},"uuid":"u","timestamp":` + Time + `}`
	state := func(path, repo string) string {
		return `{"type":"worktree-state","sessionId":` + Session + `,"worktreeSession":{"originalCwd":` + Quote(repo) + `,"worktreePath":` + Quote(path) + `,"worktreeName":"x"}}`
	}
	for what, c := range map[string]struct {
		build func(h *Home)
		want  string // project, root, worktree of the session S1
	}{
		"a line behind the head": {func(h *Home) {
			h.Claude("/srv/app", S1, append(slices.Repeat([]string{silent}, 300), U("m1", "", "x"))...)
		}, "app /srv/app "},
		"worktree-state": {func(h *Home) {
			h.Claude("/elsewhere/blue/sub", S1, U("m1", "", "x"), state("/elsewhere/blue", "/srv/shop"))
		}, "shop /srv/shop /elsewhere/blue"},
		"worktree-state of another session": {func(h *Home) {
			h.Claude("/elsewhere/blue/sub", S1, U("m1", "", "x"))
			h.Claude("/srv/shop", S2, U("m2", "", "x"), state("/elsewhere/blue", "/srv/shop"))
		}, "shop /srv/shop /elsewhere/blue"},
		"worktree-state alone": {func(h *Home) { h.Claude("/srv/app", S1, silent, state("/w/x", "/srv/shop")) }, "shop /srv/shop "},
		"relocated":            {func(h *Home) { h.Claude("/srv/app", S1, silent, `{"type":"relocated","relocatedCwd":"/srv/moved"}`) }, "moved /srv/moved "},
		"a session beside it": {func(h *Home) {
			h.Claude("/srv/my_app", S1, silent)
			h.Claude("/srv/my_app", S2, U("m2", "", "x"))
		}, "my_app /srv/my_app "},
		"sessions beside it that differ": {func(h *Home) {
			h.Claude("/srv/my_app", S1, silent)
			h.Claude("/srv/my_app", S2, U("m2", "", "x"))
			h.Claude("/srv/my/app", S3, U("m3", "", "x"))
		}, "  "},
		"a session beside it that was moved there": {func(h *Home) {
			h.Claude("/srv/my_app", S1, silent)
			h.Write(".claude/projects/-srv-my-app/"+S2+".jsonl", h.Fill("/mnt/copied", S2, U("m2", "", "x")), 0o600)
		}, "  "},
		"the global config": {func(h *Home) {
			h.Claude("/srv/my_app", S1, silent)
			h.Write(".claude.json", `{"oauthAccount":{"x":1},"projects":{"/srv/my_app":{},"/srv/other":{}}}`, 0o600)
		}, "my_app /srv/my_app "},
		"the global config, which differs": {func(h *Home) {
			h.Claude("/srv/my_app", S1, silent)
			h.Write(".claude.json", `{"projects":{"/srv/my_app":{},"/srv/my.app":{}}}`, 0o600)
		}, "  "},
		"a drive of Windows": {func(h *Home) {
			h.Write(".claude/projects/c--srv-app/"+S1+".jsonl", h.Fill("", S1, silent), 0o600)
			h.Write(".claude.json", `{"projects":{"C:/srv/app":{}}}`, 0o600)
		}, `app C:\srv\app `},
		"a long path": {func(h *Home) {
			long := "/srv/" + strings.Repeat("long/", 50) + "app"
			h.Write(".claude/projects/"+P(long)[:200]+"-abc123/"+S1+".jsonl", h.Fill("", S1, silent), 0o600)
			h.Write(".claude/projects/"+P(long)[:200]+"-abc123/"+S2+".jsonl", h.Fill(long, S2, U("m2", "", "x")), 0o600)
		}, "app /srv/" + strings.Repeat("long/", 50) + "app "},
		"the prompt log": {func(h *Home) {
			h.Write(".claude/projects/fixed-name/"+S1+".jsonl", h.Fill("", S1, silent), 0o600)
			h.Write(".claude/history.jsonl", historyLine("typed", `{}`, S1)+"\n", 0o600)
		}, "app /srv/app "},
		"nothing": {func(h *Home) { h.Claude("/srv/my_app", S1, silent) }, "  "},
		"several folders": {func(h *Home) {
			h.Claude("/srv/app", S1, U("m1", "", "x"), strings.ReplaceAll(U("m2", "m1", "y"), CWD, `"/srv/other"`))
		}, "app /srv/app "},
	} {
		t.Run(what, func(t *testing.T) {
			h := New(t)
			c.build(h)
			for _, args := range [][]string{nil, {"--project", "*"}} {
				list, _ := h.sessions(t, args...)
				got := "  "
				for _, s := range list {
					if s.ID == S1 {
						got = s.Project.Name + " " + s.Project.Root + " " + s.Project.Worktree
					}
				}
				if got != c.want {
					t.Errorf("%q: %q, want %q", args, got, c.want)
				}
			}
		})
	}
}

// A subagent's records tell of the worktree that it worked in, wherever that was,
// and belong to its session's project.
func TestSubagentWorktree(t *testing.T) {
	h := New(t)
	h.Claude("/srv/shop", S1, U("m1", "", "go"))
	sub := app[:len(app)-len("-srv-app/")] + "-srv-shop/" + S1 + "/subagents/agent-abc"
	h.Write(sub+".jsonl", h.Fill("/agents/wt-7/src", S1, U("s1", "", "found in the worktree")), 0o600)
	h.Write(sub+".meta.json", `{"agentType":"x","worktreePath":"/agents/wt-7","worktreeBranch":"agent-7"}`, 0o600)
	recs, _ := h.records(t, "--project", "shop")
	if len(recs) != 2 || recs[1].Origin.Repo != "/srv/shop" || recs[1].Origin.Worktree != "/agents/wt-7" || recs[1].Origin.CWD != "/agents/wt-7/src" {
		t.Errorf("the records are %+v", recs)
	}
	if list, _ := h.sessions(t); len(list) != 1 || list[0].Project.Name != "shop" {
		t.Errorf("the sessions are %+v", list)
	}
}

// Agents share projects: one repository, one row. A hash is of a folder that another
// agent's session ran in.
func TestProjectsOfAgents(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "from claude"))
	h.Gemini("aaaaaaaa", GM("aaaaaaaa-1"), GU("g1", "from gemini"))
	h.Claude("/srv/old", S2, U("m2", "", "old"))
	sum := sha256.Sum256([]byte("/srv/old"))
	hash := hex.EncodeToString(sum[:])
	meta := strings.Replace(GM("bbbbbbbb-1"), `"projectHash":"app"`, `"projectHash":"`+hash+`"`, 1)
	h.Write(".gemini/tmp/"+hash+"/chats/session-2026-01-02T03-04-bbbbbbbb.jsonl", h.Fill("", "", meta, GU("g2", "by its hash")), 0o600)
	h.Write(".gemini/tmp/blue/.project_root", "/srv/app/.gemini/worktrees/blue", 0o600)
	h.Write(".gemini/tmp/blue/chats/session-2026-01-02T03-04-cccccccc.jsonl", h.Fill("", "", GM("cccccccc-1"), GU("g3", "in a worktree")), 0o600)
	list, _ := h.projects(t)
	if len(list) != 2 {
		t.Fatalf("the projects are %+v", list)
	}
	for _, p := range list {
		n := map[string]int{"app": 3, "old": 2}[p.Name]
		if p.Sessions != n || !slices.Equal(p.Agents, []string{"claude", "gemini"}) || p.Root != "/srv/"+p.Name {
			t.Errorf("%+v", p)
		}
	}
	recs, _ := h.records(t, "--project", "old")
	if got := texts(recs, "prompt"); !slices.Equal(got, []string{"by its hash", "old"}) && !slices.Equal(got, []string{"old", "by its hash"}) {
		t.Errorf("the records of a hash's project are %q", got)
	}
	for _, r := range recs {
		if r.Origin.CWD != "/srv/old" || r.Origin.CWDHash != "" {
			t.Errorf("the folder of %q is %+v", r.Text, r.Origin)
		}
	}
	if recs, _ = h.records(t, "--branch", "worktree-blue"); len(recs) != 1 || recs[0].Origin.Repo != "/srv/app" || recs[0].Origin.Worktree != "/srv/app/.gemini/worktrees/blue" {
		t.Errorf("the records of the worktree's branch are %+v", recs)
	}
}

// --here needs no git: the nearest folder that is a project counts, though never the
// home for everything below it. What only the prompt log remembers is there too.
func TestHere(t *testing.T) {
	h := New(t)
	h.Claude(h.Mkdir("code/app"), S1, U("m1", "", "app"))
	h.Claude(h.Dir, S2, U("m2", "", "home"))
	h.Claude(h.Mkdir("code/app/nested"), S3, U("m3", "", "nested"))
	log := strings.ReplaceAll(historyLine("logged", `{}`, S4), "/srv/app", h.Path("code/app"))
	h.Write(".claude/history.jsonl", log+"\n", 0o600)
	h.Symlink(h.Path("code"), "short")
	for dir, want := range map[string][]string{
		h.Path("code/app"):              {"1 app", "4 app"},
		h.Mkdir("code/app/src/deep"):    {"1 app", "4 app"},
		h.Path("short/app/src"):         {"1 app", "4 app"},
		h.Mkdir("code/app/nested/more"): {"3 nested"},
		h.Path("code"):                  nil,
		h.Dir:                           {"2 " + h.Dir[strings.LastIndexByte(h.Dir, '/')+1:]},
		h.Mkdir("notes"):                nil,
	} {
		a := oneObject(t, h.Do(Run{Args: []string{"sessions", "--here", "--json"}, Dir: dir}))
		var got []string
		for _, s := range as[session](t, a) {
			got = append(got, s.ID[:1]+" "+s.Project.Name)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("in %s are %q, want %q", dir, got, want)
		}
	}
}

// A rule that cannot be meant is said and has no effect.
func TestRuleWithoutEffect(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "x"))
	h.Write(".config/seshat/config.toml", "[[projects]]\nprefix = \"srv\"\nroot = \"/srv/other\"\n", 0o600)
	r := h.Run("sessions", "--project", "app").exits(t, 0)
	if !strings.Contains(r.Stderr, `[[projects]]`) || !strings.Contains(r.Stderr, `"srv"`) || !strings.Contains(r.Stderr, "~/.config/seshat/config.toml") {
		t.Errorf("stderr %q", r.Stderr)
	}
}

// A transcript that cannot be read may be of any project, so that nothing is certain.
func TestProjectOfWhatCannotBeRead(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "x"))
	h.Symlink("/nowhere/at/all.jsonl", ".claude/projects/-srv-other/"+S2+".jsonl")
	h.Run("sessions", "--project", "other").exits(t, 2)
	h.Run("grep", "needle", "--project", "other").exits(t, 2)
	h.Run("search", "needle", "--project", "other").exits(t, 2)
	h.Run("projects", "--project", "other").exits(t, 2)
	h.Run("secrets", "--project", "other").exits(t, 2)
	h.Run("sessions", "--project", "app").exits(t, 0)
}

// Text in a project's name, path or branch moves no cursor.
func TestHostileProjectNames(t *testing.T) {
	h := New(t)
	h.Claude("/srv/\x1b[2Jevil\u202e\n", S1, strings.Replace(U("m1", "", "x"), `"main"`, `"\u001b[31mred"`, 1))
	h.Claude("/srv/shop/.claude/worktrees/\x1b]0;t\x07", S2, U("m2", "", "x"))
	for _, args := range [][]string{{"projects"}, {"projects", "--json"}, {"sessions", "--branch", "*"}} {
		out := h.Run(args...).exits(t, 0).Stdout
		for _, bad := range []string{"\x1b", "\x07", "\u202e", "evil\n\n"} {
			if strings.Contains(out, bad) {
				t.Errorf("%q prints %q:\n%q", args, bad, out)
			}
		}
	}
}

// A choice by place that cannot be meant is refused.
func TestEmptyChoices(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "x"))
	for _, args := range [][]string{{"records", "--project", ""}, {"grep", "x", "--branch", ""}, {"projects", "extra"}, {"projects", "--branch", "x"},
		{"sessions", "--project="}, {"sessions", "--branch="}, {"sessions", "--since="}, {"sessions", "--pr="}, {"projects", "--project="}, {"expiring", "--project="},
		{"secrets", "--project="}, {"secrets", "--since="}, {"secrets", "--baseline="}, {"find", "--changed-within="}, {"search", "-f", ""}, {"sessions", "-f", ""},
		{"grep", "--query", "-f", ""}, {"grep", "-f", ""}, {"stores", "claude.history", "--coverage", "search"}} {
		if r := h.Run(args...).exits(t, 2); r.Stdout != "" || r.Stderr == "" {
			t.Errorf("%q prints %q and %q", args, r.Stdout, r.Stderr)
		}
	}
}

// Several projects or branches ask for the sessions of any of them, in every command.
func TestSeveralPlaces(t *testing.T) {
	t.Parallel()
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "x"))
	h.Claude("/srv/shop", S2, on("red", U("m2", "", "x")))
	h.Claude("/srv/other", S3, on("blue", U("m3", "", "x")))
	two := []string{"--project", "app", "--project", "shop"}
	if got := h.rows(t, two...); !slices.Equal(got, []string{"1 app", "2 shop"}) {
		t.Errorf("the sessions of two projects are %q", got)
	}
	if got := h.rows(t, "--branch", "red", "--branch", "blue"); !slices.Equal(got, []string{"2 shop", "3 other"}) {
		t.Errorf("the sessions of two branches are %q", got)
	}
	for _, args := range [][]string{{"projects"}, {"expiring", "--within", "99y"}} {
		out := h.Run(append(args, two...)...).exits(t, 0).Stdout
		if !strings.Contains(out, "app") || !strings.Contains(out, "shop") || strings.Contains(out, "other") {
			t.Errorf("%q prints\n%s", args, out)
		}
	}
}

// A handle that a list prints names its session among all, not only among those printed.
func TestListedHandlesNameTheirSessions(t *testing.T) {
	t.Parallel()
	h := New(t)
	older, newer := "abcdefgh-0000-4000-8000-000000000001", "abcdefgh-0000-4000-8000-000000000002"
	h.Claude("/srv/app", older, U("m1", "", "the older one"))
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/app", newer, U("m2", "", "the newer one"))
	handle, _, _ := strings.Cut(h.Run("sessions", "--limit", "1").exits(t, 0).Stdout, " ")
	if out := h.Run("show", handle).exits(t, 0).Stdout; !strings.Contains(out, "the newer one") {
		t.Errorf("%q shows\n%s", handle, out)
	}
}
