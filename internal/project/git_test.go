package project_test

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/record"
)

// Git's small files, as gitrepository-layout describes them.
func TestParseGit(t *testing.T) {
	for data, want := range map[string]string{
		"gitdir: /srv/shop/.git/worktrees/blue\n":  "/srv/shop/.git/worktrees/blue",
		"gitdir: ../.git/modules/lib":              "../.git/modules/lib",
		"gitdir: C:/srv/shop/.git/worktrees/x\r\n": "C:/srv/shop/.git/worktrees/x",
		"gitdir: /srv/with space \n":               "/srv/with space ",
		"gitdir: \n":                               "", "gitdir: ": "", "gitdir:/srv": "", "GITDIR: /srv": "", "": "", " gitdir: /srv": "",
		"gitdir: /a\n/b": "", "gitdir: /a\x00": "", "gitdir: " + strings.Repeat("x", 9000): "",
	} {
		if got, ok := project.ParseGitFile([]byte(data)); got != want || ok != (want != "") {
			t.Errorf("%.40q gives %q, %v", data, got, ok)
		}
	}
	for _, c := range []struct {
		data, branch string
		ok           bool
	}{
		{"ref: refs/heads/main\n", "main", true}, {"ref: refs/heads/feat/pay", "feat/pay", true}, {"ref:  refs/heads/x", "x", true},
		{"ref: refs/remotes/origin/main\n", "", false}, {"ref: refs/heads/.invalid\n", "", false}, {"ref: refs/heads/\n", "", false},
		{strings.Repeat("0a", 20) + "\n", "", true}, {strings.Repeat("0a", 32), "", true}, {"0a0a", "", false}, {"", "", false},
		{"ref: refs/heads/a\nb", "", false},
	} {
		if branch, ok := project.ParseHead([]byte(c.data)); branch != c.branch || ok != c.ok {
			t.Errorf("%q gives %q, %v", c.data, branch, ok)
		}
	}
}

// Whatever stands in git's files and in a working folder, an answer comes, its paths
// hold no NUL byte of a file, and nothing but git's own files is read.
func FuzzGit(f *testing.F) {
	f.Add("gitdir: /srv/shop/.git/worktrees/blue\n", "../..\n", "/wt/blue/.git\n", "ref: refs/heads/main\n", "/wt/blue")
	f.Add("gitdir: .git", "..", ".git", "", "/wt/blue/../blue/.claude/worktrees/x/")
	f.Add("gitdir: C:\\x\\.git\\worktrees\\y", "/", "\x00", "0a", `C:\x\y`)
	f.Add("gitdir: ../../../..", "commondir", "gitdir", "HEAD", "/srv/shop.worktrees/a/b")
	f.Fuzz(func(t *testing.T, dotGit, common, back, head, cwd string) {
		files := map[string]string{
			"/wt/blue/.git": dotGit, "/srv/shop/.git/worktrees/blue/commondir": common, "/srv/shop/.git/worktrees/blue/gitdir": back,
			"/srv/shop/.git/HEAD": head, "/srv/shop/.git/worktrees/blue/HEAD": head,
		}
		for name, content := range files {
			if strings.HasPrefix(content, "->") || strings.HasPrefix(content, "|") {
				delete(files, name) // what the test's disk takes for something else
			}
		}
		r, d := resolver(files, func(c *project.Config) { c.Known = func() []string { return []string{cwd, "/srv/shop"} } })
		for _, dir := range []string{"/wt/blue", "/wt/blue/sub", "/srv/shop", cwd} {
			found := r.Of(record.Origin{CWD: dir, Branch: head})
			if dir != "" && (found.By == "" || found.Key == "") {
				t.Errorf("%q has no project: %+v", dir, found)
			}
			if strings.ContainsRune(found.Root+found.Worktree, 0) && !strings.ContainsRune(dir, 0) {
				t.Errorf("%q gives %+v", dir, found)
			}
			if again := r.Of(record.Origin{CWD: dir, Branch: head}); again != found {
				t.Errorf("%q is %+v, then %+v", dir, found, again)
			}
			r.Filter(dir).Match(found)
			r.Worktrees(found.Root, map[string]string{found.Worktree: ""})
			r.Here(dir, map[string]bool{found.Key: true})
		}
		for _, p := range d.read {
			if _, name, _ := strings.Cut(p[strings.LastIndexByte(p, '/'):], "/"); name != ".git" && name != "commondir" && name != "gitdir" && name != "HEAD" {
				t.Errorf("%s was read", p)
			}
		}
	})
}
