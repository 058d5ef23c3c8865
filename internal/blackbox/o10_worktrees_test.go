package blackbox

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// git runs the real git in a folder of the home. Nothing else makes a repository that git
// itself would, so that without it there is nothing to test.
func (h *Home) git(t *testing.T, dir string, args ...string) {
	t.Helper()
	bin, err := exec.LookPath("git")
	if err != nil {
		lacking(t, "git is not installed here")
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir = h.Path(dir)
	cmd.Env = []string{
		"HOME=" + h.Dir, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@host.invalid",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@host.invalid",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// on puts another branch into a line of Claude Code.
func on(branch, line string) string {
	return strings.Replace(line, `"gitBranch":"main"`, `"gitBranch":`+Quote(branch), 1)
}

// shop is case O10: a repository with two worktrees and a session in each.
func shop(t *testing.T) (h *Home, main, blue, green string) {
	h = New(t)
	main = h.Mkdir("srv/shop")
	h.git(t, main, "init", "-q", "-b", "main")
	h.Write("srv/shop/a.txt", "chat needle in a file\n", 0o600)
	h.git(t, main, "add", ".")
	h.git(t, main, "commit", "-q", "-m", "one")
	blue, green = main+"/.claude/worktrees/blue", h.Path("srv/shop.worktrees/green")
	h.git(t, main, "worktree", "add", "-q", "-b", "worktree-blue", blue)
	h.git(t, main, "worktree", "add", "-q", "-b", "green", green)
	h.Claude(main, S1, U("m1", "", "needle in the main checkout"))
	h.Claude(blue, S2, on("worktree-blue", U("m2", "", "needle in blue")))
	h.Claude(green, S3, on("green", U("m3", "", "needle in green")))
	h.Claude(h.Mkdir("srv/other"), S4, U("m4", "", "needle elsewhere"))
	return h, main, blue, green
}

// places writes each session as its first letter, project, worktree and branch.
func places(list []session) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.ID[:1]+" "+s.Project.Name+" "+s.Project.Root+" "+s.Project.Worktree+" "+s.Origin.Branch)
	}
	slices.Sort(out)
	return out
}

func TestO10Worktrees(t *testing.T) {
	h, main, blue, green := shop(t)
	want := []string{
		"1 shop ~/srv/shop  main",
		"2 shop ~/srv/shop ~/srv/shop/.claude/worktrees/blue worktree-blue",
		"3 shop ~/srv/shop ~/srv/shop.worktrees/green green",
		"4 other ~/srv/other  main",
	}
	repo := "~/srv/shop"
	check := func(state string, dirs ...string) {
		t.Helper()
		list, _ := h.sessions(t)
		if got := places(list); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
		for _, dir := range dirs {
			a := oneObject(t, h.Do(Run{Args: []string{"sessions", "--here", "--json"}, Dir: dir}))
			if got := places(as[session](t, a)); !slices.Equal(got, want[:3]) {
				t.Errorf("%s: in %s are %q", state, dir, got)
			}
		}
		list, _ = h.sessions(t, "--branch", "worktree-*")
		if got := places(list); !slices.Equal(got, want[1:2]) {
			t.Errorf("%s: the branch's sessions are %q", state, got)
		}
		recs, _ := h.records(t, "--project", "shop")
		var origins []string
		for _, r := range recs {
			origins = append(origins, r.Text+" "+r.Origin.Repo+" "+r.Origin.Worktree+" "+r.Origin.Branch)
		}
		slices.Sort(origins)
		if want := []string{
			"needle in blue ~/srv/shop ~/srv/shop/.claude/worktrees/blue worktree-blue",
			"needle in green ~/srv/shop ~/srv/shop.worktrees/green green", "needle in the main checkout " + repo + "  main",
		}; !slices.Equal(origins, want) {
			t.Errorf("%s: the records are %q", state, origins)
		}
		if got := h.hits("needle", "--project", "SHOP"); len(got) != 3 {
			t.Errorf("%s: grep finds %q", state, got)
		}
		if got := h.hits("needle", "--project", "srv/shop", "--branch", "green"); len(got) != 1 || !strings.HasSuffix(got[0], "needle in green") {
			t.Errorf("%s: grep on a branch finds %q", state, got)
		}
		if got := h.hits("chat needle", "--scope", "all"); len(got) != 0 {
			t.Errorf("%s: a checkout was searched: %q", state, got)
		}
	}
	deep := h.Mkdir("srv/shop.worktrees/green/src/deep")
	h.Symlink(main, "link")
	check("there", main, h.Mkdir("srv/shop/src/deep"), blue, deep, h.Path("link/src"))
	if list, _ := h.projects(t); len(list) != 2 || list[0].Name != "other" && list[1].Name != "other" {
		t.Errorf("the projects are %+v", list)
	}
	text := h.Run("projects").exits(t, 0).Stdout
	for _, want := range []string{"~/srv/shop\n", "~/srv/shop/.claude/worktrees/blue (worktree-blue)\n", "~/srv/shop.worktrees/green (green)\n", "3 sessions  claude  layout,git  "} {
		if !strings.Contains(text, want) {
			t.Errorf("the list of projects lacks %q:\n%s", want, text)
		}
	}

	h.git(t, main, "worktree", "remove", "--force", blue)
	h.git(t, main, "worktree", "remove", "--force", green)
	h.git(t, main, "worktree", "prune")
	check("removed", main, h.Path("srv/shop/src"))
	list, _ := h.projects(t, "--here", "--project", "shop")
	if len(list) != 0 {
		t.Errorf("in the home, which is no project: %+v", list)
	}
	list, _ = h.projects(t, "--project", "shop")
	if len(list) != 1 || list[0].Sessions != 3 || len(list[0].Worktrees) != 2 || !list[0].Worktrees[1].Gone || list[0].Worktrees[0].Branch != "green" ||
		list[0].Schema != "seshat.project/1" || !slices.Equal(list[0].Agents, []string{"claude"}) {
		t.Errorf("the project is %+v", list)
	}
	if text := h.Run("projects").Stdout; !strings.Contains(text, "~/srv/shop.worktrees/green (green, gone)\n") {
		t.Errorf("the list of projects reads\n%s", text)
	}

	if err := os.RemoveAll(main); err != nil {
		t.Fatal(err)
	}
	repo = "" // nothing tells any more that the folder was a repository
	check("with the repository")
}

// A worktree that lies anywhere is known by git's list after somebody deleted its
// folder, and by a rule when git's list is gone too, for old records and new ones.
func TestO10WorktreeAnywhere(t *testing.T) {
	h, main, _, _ := shop(t)
	red := h.Path("tmp/agents/red")
	h.git(t, main, "worktree", "add", "-q", "-b", "red", red)
	h.Claude(red+"/src", S5, on("red", U("m5", "", "needle in red")))
	row := func() string {
		list, _ := h.sessions(t, "--branch", "red")
		return strings.Join(places(list), "\n")
	}
	want := "5 shop ~/srv/shop ~/tmp/agents/red red"
	if got := row(); got != want {
		t.Errorf("there: %q", got)
	}
	if err := os.RemoveAll(red); err != nil {
		t.Fatal(err)
	}
	if got := row(); got != want {
		t.Errorf("deleted: %q", got)
	}
	h.git(t, main, "worktree", "prune")
	if got := row(); got != "5 src ~/tmp/agents/red/src  red" {
		t.Errorf("forgotten: %q", got)
	}
	h.Write(".config/seshat/config.toml", "[[projects]]\nprefix = \"~/tmp/agents\"\nroot = \"~/srv/shop\"\n", 0o600)
	if got := row(); got != "5 shop ~/srv/shop  red" {
		t.Errorf("with a rule: %q", got)
	}
	if recs, _ := h.records(t, "--project", "shop"); len(recs) != 4 || recs[3].Origin.Repo != "~/srv/shop" {
		t.Errorf("with a rule the records are %+v", recs)
	}
	a := oneObject(t, h.Do(Run{Args: []string{"sessions", "--here", "--json"}, Dir: main}))
	if len(a.items) != 4 {
		t.Errorf("with a rule %d sessions are here", len(a.items))
	}
	if list, _ := h.projects(t, "--project", "shop"); len(list) != 1 || !slices.Equal(list[0].Decided, []string{"rule", "layout", "git"}) {
		t.Errorf("with a rule the project is %+v", list)
	}
}
