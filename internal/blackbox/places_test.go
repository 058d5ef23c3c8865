package blackbox

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// state is the line by which Claude Code says that a session went into a worktree.
func state(repo, worktree string) string {
	return `{"type":"worktree-state","worktreeSession":{"originalCwd":` + Quote(repo) + `,"worktreePath":` + Quote(worktree) + `,"worktreeName":"w"},"sessionId":` + Session + `}`
}

// reached checks that everything which chooses by project says the same as the list
// of sessions: each session is found by the name that the list gives it.
func (h *Home) reached(t *testing.T) {
	t.Helper()
	list, _ := h.sessions(t, "--all")
	byName := map[string][]string{}
	for _, s := range list {
		if s.Project.Name != "" {
			byName[s.Project.Name] = append(byName[s.Project.Name], s.ID)
		}
		if s.Project.Worktree != "" {
			byName[s.Project.Worktree] = append(byName[s.Project.Worktree], s.ID)
		}
	}
	for name, want := range byName {
		var got []string
		chosen, _ := h.sessions(t, "--all", "--project", name)
		for _, s := range chosen {
			got = append(got, s.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("--project %s lists %q, want %q", name, got, want)
		}
	}
}

// What one session says of a worktree is known to every question that asks for the
// projects of others, with a cache and without.
func TestWorktreeThatAnotherSessionTellsOf(t *testing.T) {
	t.Parallel()
	h := New(t)
	app, tree := h.Mkdir("code/app"), h.Path("wt/w1")
	h.Claude(app, S1, U("m1", "", "needle in the repository"), state(app, tree))
	h.Claude(tree, S2, U("m2", "", "needle in the worktree"))
	h.Claude(h.Mkdir("code/lib"), S3, U("m3", "", "needle elsewhere"))
	settle()
	for _, how := range []string{"cold", "cold", "warm"} {
		if how == "warm" {
			h.Run("sessions")
		}
		if got, want := h.rows(t, "--project", "app"), []string{"1 app", "2 app"}; !slices.Equal(got, want) {
			t.Errorf("%s: sessions --project app are %q", how, got)
		}
		a := oneObject(t, h.Do(Run{Args: []string{"sessions", "--here", "--json"}, Dir: app}))
		if len(a.items) != 2 {
			t.Errorf("%s: %d sessions are here", how, len(a.items))
		}
		if got := h.hits("needle", "--project", "app"); len(got) != 2 {
			t.Errorf("%s: grep --project app finds %q", how, got)
		}
		recs, _ := h.records(t, "--project", "app")
		if len(recs) != 2 {
			t.Errorf("%s: the records of app are %+v", how, recs)
		}
		recs, _ = h.records(t)
		for _, r := range recs {
			if want := map[string]string{"m1": "", "m2": "~/wt/w1", "m3": ""}[r.ID]; r.Origin.Worktree != want {
				t.Errorf("%s: %s ran in %+v", how, r.ID, r.Origin)
			}
		}
		h.reached(t)
	}
	h.Write(".config/seshat/config.toml", "exclude = [\"~/code/app\"]\n", 0o600)
	if got, want := h.rows(t), []string{"3 lib"}; !slices.Equal(got, want) {
		t.Errorf("with the repository excluded the sessions are %q", got)
	}
	if got := h.hits("needle"); len(got) != 1 {
		t.Errorf("with the repository excluded grep finds %q", got)
	}
	if recs, sum := h.records(t); len(recs) != 1 || sum.Hidden.Excluded != 2 {
		t.Errorf("with the repository excluded the records are %+v, %+v", recs, sum)
	}
}

// A session's own word on its worktree goes before the repository around it, in the
// list and for every choice.
func TestProjectOfALeftoverWorktreeIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	h := New(t)
	h.Write(".git/HEAD", "ref: refs/heads/main\n", 0o600) // the home keeps settings
	h.Write("code/app/.git/HEAD", "ref: refs/heads/main\n", 0o600)
	tree := h.Mkdir("wt/w1/src")
	h.Claude(tree, S1, U("m1", "", "needle"), state(h.Path("code/app"), h.Path("wt/w1")))
	if got, want := h.rows(t, "--project", "app"), []string{"1 app"}; !slices.Equal(got, want) {
		t.Errorf("sessions --project app are %q", got)
	}
	if got := h.hits("needle", "--project", "app"); len(got) != 1 {
		t.Errorf("grep --project app finds %q", got)
	}
	h.reached(t)
}

// The project of a session is never its subagent's, wherever that worked.
func TestProjectOfASessionIsNotItsSubagents(t *testing.T) {
	t.Parallel()
	h := New(t)
	h.Write(".claude/projects/-code-app/"+S1+".jsonl", `{"type":"user","uuid":"m1","sessionId":"`+S1+`","timestamp":"2026-01-02T03:04:05.000Z","message":{"role":"user","content":"needle"}}`+"\n", 0o600)
	h.Write(".claude/projects/-code-app/"+S1+"/subagents/agent-a1.jsonl", h.Fill(h.Path("code/lib"), S1, U("s1", "", "needle of a subagent")), 0o600)
	list, _ := h.sessions(t, "--project", "lib")
	if len(list) > 0 {
		t.Errorf("the subagent's project has the session: %+v", list)
	}
	if got := h.hits("needle", "--project", "lib"); len(got) > 0 {
		t.Errorf("grep finds %q", got)
	}
	h.Write(".config/seshat/config.toml", "exclude = [\"~/code/lib\"]\n", 0o600)
	if got := h.hits("needle"); len(got) != 2 {
		t.Errorf("with the subagent's folder excluded grep finds %q", got)
	}
}

// Where equal records ran does not depend on which was read before.
func TestOriginsDoNotDependOnTheOrderOfReading(t *testing.T) {
	t.Parallel()
	h := New(t)
	app, tree := h.Mkdir("code/app"), h.Path("wt/w1")
	h.Claude(tree, S1, U("m1", "", "first"))
	h.Claude(app, S2, U("x1", "", "x"), U("x2", "x1", "y"), state(app, tree))
	meta := `{"agentType":"x","description":"d","worktreePath":` + Quote(h.Path("wt/w2")) + `}`
	h.Claude(app, S3, U("y1", "", "x"))
	h.Claude(h.Path("wt/w2"), S4, U("v1", "", "in another's worktree"))
	dir := ".claude/projects/" + P(app) + "/" + S3 + "/subagents/agent-a1"
	h.Write(dir+".jsonl", h.Fill(h.Path("wt/w2"), S3, U("s1", "", "sub")), 0o600)
	h.Write(dir+".meta.json", meta, 0o600)
	h.Claude(h.Path("wt/w2"), S5, U("w1", "", "later"), U("w2", "w1", "later"))
	by := map[string]map[string]origin{}
	for _, sort := range []string{"oldest", "newest"} {
		by[sort] = map[string]origin{}
		recs, _ := h.records(t, "--sort", sort)
		for _, r := range recs {
			by[sort][r.ID] = r.Origin
		}
	}
	for id, o := range by["oldest"] {
		if n := by["newest"][id]; n != o {
			t.Errorf("%s ran in %+v, and newest first in %+v", id, o, n)
		}
	}
	if got := by["oldest"]["m1"].Worktree; got != "~/wt/w1" {
		t.Errorf("the first record ran in %q", got)
	}
	if got := by["oldest"]["s1"].Worktree; got != "~/wt/w2" {
		t.Errorf("the subagent ran in %q", got)
	}
	list, _ := h.sessions(t)
	for _, s := range list {
		if id := map[string]string{S1: "m1", S4: "v1", S5: "w1"}[s.ID]; id != "" && s.Project.Worktree != by["oldest"][id].Worktree {
			t.Errorf("%s: the list says %+v, its records %+v", s.ID, s.Project, by["oldest"][id])
		}
	}
}

// A path of the form of a worktree's makes no repository of a home that is none.
func TestHomeIsNotTheRepositoryOfAWorktreesFolder(t *testing.T) {
	t.Parallel()
	h := New(t)
	for i, dir := range []string{".claude/worktrees/foo", ".gemini/worktrees/foo"} {
		h.Claude(h.Path(dir), []string{S1, S2}[i], U([]string{"m1", "m2"}[i], "", "x"))
	}
	h.Write(".gemini/tmp/foo/.project_root", h.Path(".gemini/worktrees/foo"), 0o600)
	h.Write(".gemini/tmp/foo/chats/session-2026-01-02T03-04-cccccccc.jsonl", h.Fill("", "", GM("cccccccc-1"), GU("g3", "in a worktree")), 0o600)
	list, _ := h.sessions(t)
	if len(list) != 3 {
		t.Fatalf("%d sessions", len(list))
	}
	for _, s := range list {
		if s.Project.Name != "foo" || s.Origin.Repo != "" {
			t.Errorf("%s is of %+v, ran in %+v", s.Handle, s.Project, s.Origin)
		}
	}
	recs, _ := h.records(t)
	for _, r := range recs {
		if r.Origin.Repo != "" || r.Origin.Worktree != "" {
			t.Errorf("%s ran in %+v", r.ID, r.Origin)
		}
	}
}

// Every session of a list has a handle of its own, and show finds it by that.
func TestEveryHandleOfAListNamesOneSession(t *testing.T) {
	t.Parallel()
	h := New(t)
	sub := func(uuid, session string) string { return h.Fill("/srv/b", session, U(uuid, "", "task "+uuid)) }
	loose := func(uuid string) string {
		return `{"type":"user","uuid":"` + uuid + `","cwd":"/srv/b","isSidechain":true,"timestamp":"2026-01-02T03:04:05.000Z","message":{"role":"user","content":"task ` + uuid + `"}}` + "\n"
	}
	h.Claude("/srv/a", S1, U("m1", "", "live"))
	h.Write(".claude/projects/-srv-b/"+S1+"/subagents/agent-x1.jsonl", sub("s1", S1), 0o600) // of a session with the same id
	h.Write(".claude/projects/-srv-b/"+S2+"/subagents/agent-x2.jsonl", sub("s2", S2), 0o600)
	h.Write(".claude/projects/-srv-c/"+S2+"/subagents/agent-x3.jsonl", sub("s3", S2), 0o600)
	h.Write(".claude/projects/-srv-b/agent-loose1.jsonl", loose("s4"), 0o600)
	h.Write(".claude/projects/-srv-b/agent-loose2.jsonl", loose("s5"), 0o600)
	h.Write(".claude/projects/-srv-c/agent-loose2.jsonl", loose("s6"), 0o600)
	h.Write(".claude/projects/-srv-c/agent-.jsonl", loose("s7"), 0o600)
	list, _ := h.sessions(t, "--all")
	seen := map[string]string{}
	for _, s := range list {
		if other, known := seen[s.Handle]; known {
			t.Errorf("%s is the handle of %s and of %s", s.Handle, other, s.Path)
		}
		seen[s.Handle] = s.Path
		r := h.Run("show", s.Handle, "--json").exits(t, 0)
		if !strings.Contains(r.Stdout, Quote(s.Path)) {
			t.Errorf("show %s does not give %s: %.300s", s.Handle, s.Path, r.Stdout)
		}
	}
	if len(list) != 7 && len(list) != 8 {
		t.Errorf("%d sessions: %v", len(list), seen)
	}
	h.Run("show", S1).exits(t, 2) // refused: it could be two
	for _, row := range lines(h.Run("sessions", "--all").Stdout) {
		h.Run("show", strings.Fields(row)[0]).exits(t, 0)
	}
	h.Write(".config/seshat/config.toml", "exclude = [\"/srv/b\"]\n", 0o600)
	if list, _ := h.sessions(t, "--all"); len(list) != 1 {
		t.Errorf("with the folder excluded: %+v", list)
	}
	if got := h.hits("task"); len(got) > 0 {
		t.Errorf("with the folder excluded grep finds %q", got)
	}
}

// A worktree beside its repository is found by the path that projects prints, whose end
// only the branch tells.
func TestWorktreeCalledLikeItsBranchIsFoundByItsPath(t *testing.T) {
	t.Parallel()
	h := New(t)
	tree := h.Path("code/app.worktrees/feat/x")
	h.Claude(tree, S1, on("feat/x", U("m1", "", "needle")))
	list, _ := h.projects(t)
	if len(list) != 1 || len(list[0].Worktrees) != 1 || list[0].Worktrees[0].Path != "~/code/app.worktrees/feat/x" {
		t.Fatalf("the projects are %+v", list)
	}
	for _, path := range []string{"~/code/app.worktrees/feat/x", tree} {
		if got, want := h.rows(t, "--project", path), []string{"1 app"}; !slices.Equal(got, want) {
			t.Errorf("--project %s gives %q", path, got)
		}
		if got := h.hits("needle", "--project", path); len(got) != 1 {
			t.Errorf("grep --project %s finds %q", path, got)
		}
	}
	h.reached(t)
}

// The main checkout of a repository that is kept elsewhere, and its worktrees, are one
// project from wherever one looks.
func TestHereWhereTheRepositoryIsKeptElsewhere(t *testing.T) {
	t.Parallel()
	h := New(t)
	main, tree := h.Mkdir("code/sep"), h.Path("wt/blue")
	h.Mkdir("store")
	h.git(t, main, "init", "-q", "-b", "main", "--separate-git-dir", h.Path("store/sep-repo"))
	h.git(t, main, "commit", "-q", "--allow-empty", "-m", "one")
	h.git(t, main, "worktree", "add", "-q", "-b", "blue", tree)
	h.Claude(tree, S1, on("blue", U("m1", "", "needle")))
	for _, dir := range []string{main, tree} {
		a := oneObject(t, h.Do(Run{Args: []string{"sessions", "--here", "--json"}, Dir: dir}))
		if len(a.items) != 1 {
			t.Errorf("in %s are %d sessions", dir, len(a.items))
		}
	}
}

// A session ran on the branches of its records, its subagents' among them, for sessions
// and for grep; where nothing names a branch there is none.
func TestBranchesAreTheSameForSessionsAndGrep(t *testing.T) {
	t.Parallel()
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "needle one"))
	h.Write(".claude/projects/-srv-app/"+S1+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S1, on("feat/sub", U("s1", "", "needle of a subagent"))), 0o600)
	h.Claude("/srv/shop/.claude/worktrees/blue", S2, on("", U("m2", "", "needle two")))
	h.Claude("/srv/none", S3, on("", U("m3", "", "needle three")))
	for branch, want := range map[string][]string{
		"feat/*": {"1 app"}, "main": {"1 app"}, "worktree-blue": {"2 shop"}, "*": {"1 app", "2 shop"}, "none": nil,
	} {
		if got := h.rows(t, "--branch", branch); !slices.Equal(got, want) {
			t.Errorf("sessions --branch %s are %q, want %q", branch, got, want)
		}
		recs, _ := h.records(t, "--branch", branch)
		byID := map[string]bool{}
		for _, r := range recs {
			byID[r.Session[:1]] = true
		}
		if len(byID) != len(want) {
			t.Errorf("records --branch %s are %+v, want those of %q", branch, recs, want)
		}
		code := 0
		if want == nil {
			code = 1
		}
		h.Run("grep", "needle", "--branch", branch).exits(t, code)
		h.Run("sessions", "--branch", branch).exits(t, code)
	}
}

// A path from the current folder needs one.
func TestProjectFromAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	h := New(t)
	if runtime.GOOS == "windows" {
		t.Skip("on Windows a folder that a process is in cannot be removed, so that none is ever gone")
	}
	h.Claude("/srv/app", S1, U("m1", "", "x"))
	gone := filepath.Join(h.Tmp, "gone")
	for _, value := range []string{".", "./x", ".."} {
		r := h.Do(Run{Args: []string{"sessions", "--project", value}, Wrap: []string{"sh", "-c", `mkdir "$0" && cd "$0" && rmdir "$0" && unset PWD && exec "$@"`, gone}})
		r.exits(t, 2)
	}
}
