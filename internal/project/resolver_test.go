package project_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/record"
)

// Where nothing is on the disk, only the path itself tells.
func TestPathsAlone(t *testing.T) {
	r, _ := resolver(nil, nil)
	check(t, r, map[string]string{
		"/srv/app":                             "folder app root=/srv/app no repository",
		"/srv/app/":                            "folder app root=/srv/app no repository",
		"/srv/x/../app":                        "folder app root=/srv/app no repository",
		"/srv/parent/my-app_v1.2":              "folder my-app_v1.2 root=/srv/parent/my-app_v1.2 no repository",
		"/":                                    "folder / root=/ no repository",
		"app":                                  "folder app root=app no repository",
		"/srv/shop/.claude/worktrees/blue":     "layout shop root=/srv/shop worktree=/srv/shop/.claude/worktrees/blue branch=worktree-blue",
		"/srv/shop/.claude/worktrees/blue/sub": "layout shop root=/srv/shop worktree=/srv/shop/.claude/worktrees/blue branch=worktree-blue",
		"/srv/shop/.gemini/worktrees/x":        "layout shop root=/srv/shop worktree=/srv/shop/.gemini/worktrees/x branch=worktree-x",
		"/srv/shop/.claude/worktrees":          "folder worktrees root=/srv/shop/.claude/worktrees no repository",
		"/srv/a/.claude/worktrees/b/.claude/worktrees/c": "layout a root=/srv/a worktree=/srv/a/.claude/worktrees/b/.claude/worktrees/c branch=worktree-c",
		"/home/sam/.claude/worktrees/x":                  "folder x root=/home/sam/.claude/worktrees/x no repository", // Claude Code's own folder
		"/.claude/worktrees/x":                           "folder x root=/.claude/worktrees/x no repository",
		"/srv/shop.worktrees/green":                      "layout shop root=/srv/shop worktree=/srv/shop.worktrees/green",
		"/srv/shop.worktrees/green/deep/er":              "layout shop root=/srv/shop", // the branch may be green, green/deep ...
		"/srv/shop.worktrees":                            "layout shop root=/srv/shop",
		"/srv/.worktrees/green":                          "folder green root=/srv/.worktrees/green no repository",
		"/home/sam/.codex/worktrees/1a2b/shop":           "layout shop root= worktree=/home/sam/.codex/worktrees/1a2b/shop",
		"/home/sam/.codex/worktrees/1a2b/shop/sub":       "layout shop root= worktree=/home/sam/.codex/worktrees/1a2b/shop",
		"/home/sam/.codex/worktrees/1a2b":                "folder 1a2b root=/home/sam/.codex/worktrees/1a2b no repository",
		`C:\Users\sam\code`:                              `folder code root=C:\Users\sam\code no repository`,
		`c:\Users\sam\code`:                              `folder code root=C:\Users\sam\code no repository`,
		`C:/Users/sam/code/`:                             `folder code root=C:\Users\sam\code no repository`,
		`C:\`:                                            `folder C:\ root=C:\ no repository`,
		`C:\s\.gemini\worktrees\x`:                       `layout s root=C:\s worktree=C:\s\.gemini\worktrees\x branch=worktree-x`,
		`C:\s\.claude\worktrees\x\sub\dir`:               `layout s root=C:\s worktree=C:\s\.claude\worktrees\x branch=worktree-x`,
		`C:\shop.worktrees\green`:                        `layout shop root=C:\shop worktree=C:\shop.worktrees\green`,
		`\\host\share\app`:                               `folder app root=\\host\share\app no repository`,
		`/odd\name`:                                      `folder odd\name root=/odd\name no repository`,
	})
	if f := r.Of(record.Origin{}); f != (project.Found{}) {
		t.Errorf("the project of no folder is %+v", f)
	}
}

// A worktree beside its repository is called like its branch.
func TestBranchPaths(t *testing.T) {
	r, _ := resolver(nil, nil)
	for _, c := range []struct{ cwd, branch, worktree string }{
		{"/srv/shop.worktrees/feat/pay/src", "feat/pay", "/srv/shop.worktrees/feat/pay"},
		{"/srv/shop.worktrees/feat/pay", "feat/pay", "/srv/shop.worktrees/feat/pay"},
		{"/srv/shop.worktrees/feat-pay/src", "feat/pay", "/srv/shop.worktrees/feat-pay"},
		{"/srv/shop.worktrees/feat/pay/src", "main", ""},
		{"/srv/shop.worktrees/feat/pay/src", "", ""},
		{"/srv/shop.worktrees/feat/pay", "feat/payment", ""},
		{"/srv/shop.worktrees/feat", "feat/pay", "/srv/shop.worktrees/feat"},
	} {
		if f := r.Of(record.Origin{CWD: c.cwd, Branch: c.branch}); f.Worktree != c.worktree || f.Root != "/srv/shop" {
			t.Errorf("%s on %q: root %q, worktree %q, want %q", c.cwd, c.branch, f.Root, f.Worktree, c.worktree)
		}
	}
}

func TestGit(t *testing.T) {
	files := repository(map[string]string{
		"/srv/shop/src/deep/": "",
		// A submodule, and a repository kept apart from its checkout.
		"/srv/shop/lib/.git":              "gitdir: ../.git/modules/lib\n",
		"/srv/shop/.git/modules/lib/HEAD": "ref: refs/heads/main\n",
		"/srv/apart/.git":                 "gitdir: /gits/apart.git\n",
		"/gits/apart.git/HEAD":            "ref: refs/heads/main\n",
		// A bare repository with worktrees, alone and hidden among them.
		"/srv/bare.git/HEAD":                      "ref: refs/heads/main\n",
		"/srv/work/one/.git":                      "gitdir: /srv/bare.git/worktrees/one",
		"/srv/bare.git/worktrees/one/commondir":   "../..\n",
		"/srv/nest/.git":                          "gitdir: ./.bare\r\n",
		"/srv/nest/.bare/HEAD":                    "ref: refs/heads/main\n",
		"/srv/nest/dev/.git":                      "gitdir: ../.bare/worktrees/dev\n",
		"/srv/nest/.bare/worktrees/dev/commondir": "../..",
		// A .git that is none.
		"/srv/shop/empty/.git/": "",
		// A worktree that was left behind by its repository.
		"/srv/left/.git": "gitdir: /srv/gone/.git/worktrees/left\n",
		// A checkout whose repository is gone.
		"/srv/lost/.git": "gitdir: /srv/nowhere/at/all\n",
	}, "/srv/shop")
	linked(files, "/srv/shop", "/elsewhere/blue", "feat/blue")
	linked(files, "/srv/shop", "/srv/shop.worktrees/green", "green")
	r, _ := resolver(files, nil)
	check(t, r, map[string]string{
		"/srv/shop":                     "git shop root=/srv/shop",
		"/srv/shop/src/deep":            "git shop root=/srv/shop",
		"/srv/shop/gone/for/good":       "git shop root=/srv/shop",
		"/srv/shop/.git/hooks":          "git shop root=/srv/shop",
		"/srv/shop/empty":               "git shop root=/srv/shop",
		"/elsewhere/blue":               "git shop root=/srv/shop worktree=/elsewhere/blue",
		"/elsewhere/blue/sub":           "git shop root=/srv/shop worktree=/elsewhere/blue",
		"/srv/shop.worktrees/green/sub": "git shop root=/srv/shop worktree=/srv/shop.worktrees/green",
		"/srv/shop.worktrees/gone":      "layout shop root=/srv/shop worktree=/srv/shop.worktrees/gone",
		"/srv/shop/lib":                 "git lib root=/srv/shop/lib",
		"/srv/apart":                    "git apart root=/srv/apart",
		"/srv/bare.git":                 "git bare root=/srv/bare.git",
		"/srv/work/one":                 "git bare root=/srv/bare.git worktree=/srv/work/one",
		"/srv/nest":                     "git nest root=/srv/nest",
		"/srv/nest/dev":                 "git nest root=/srv/nest worktree=/srv/nest/dev",
		"/srv/left/sub":                 "git gone root=/srv/gone worktree=/srv/left",
		"/srv/lost":                     "git lost root=/srv/lost",
		// The place goes before git, and leads to the repository's own root.
		"/srv/shop/.claude/worktrees/red":       "layout shop root=/srv/shop worktree=/srv/shop/.claude/worktrees/red branch=worktree-red",
		"/elsewhere/blue/.claude/worktrees/red": "layout shop root=/srv/shop worktree=/elsewhere/blue/.claude/worktrees/red branch=worktree-red",
		"/srv/other":                            "folder other root=/srv/other no repository",
	})
}

// A worktree of a repository that lies apart from its main checkout is of the same
// project as that, whichever is asked for first.
func TestRepositoryApart(t *testing.T) {
	files := map[string]string{
		"/srv/app/.git":                        "gitdir: /gits/app.git\n",
		"/gits/app.git/HEAD":                   "ref: refs/heads/main\n",
		"/tmp/wt/.git":                         "gitdir: /gits/app.git/worktrees/wt\n",
		"/gits/app.git/worktrees/wt/commondir": "../..\n",
	}
	r, _ := resolver(files, func(c *project.Config) { c.Known = func() []string { return []string{"/tmp/wt", "/srv/app"} } })
	check(t, r, map[string]string{"/tmp/wt": "git app root=/srv/app worktree=/tmp/wt"})
	check(t, r, map[string]string{"/srv/app": "git app root=/srv/app"})
}

// A repository in the home keeps settings: what is gone was hardly a part of it.
func TestRepositoryInTheHome(t *testing.T) {
	r, _ := resolver(repository(map[string]string{"/home/sam/notes/": "", "/home/sam/old/.claude/worktrees/": ""}, "/home/sam"), nil)
	check(t, r, map[string]string{
		"/home/sam":                         "git sam root=/home/sam",
		"/home/sam/notes":                   "git sam root=/home/sam",
		"/home/sam/gone":                    "folder gone root=/home/sam/gone no repository",
		"/home/sam/gone.worktrees/x":        "layout gone root=/home/sam/gone worktree=/home/sam/gone.worktrees/x",
		"/home/sam/old/.claude/worktrees/x": "layout old root=/home/sam/old worktree=/home/sam/old/.claude/worktrees/x branch=worktree-x",
		"/home/sam/.claude/worktrees/x":     "layout sam root=/home/sam worktree=/home/sam/.claude/worktrees/x branch=worktree-x",
	})
}

// Linked folders are one with what they lead to, and below a home that is itself
// linked paths are spelt as the home is.
func TestLinkedFolders(t *testing.T) {
	files := repository(map[string]string{
		"/link": "->/srv", "/loop": "->/loop", "/nowhere": "->/not/there",
		"/home/sam": "->/data/sam", "/data/sam/code/": "",
		"/srv/view/.git": "->/srv/shop/.git",
	}, "/srv/shop")
	repository(files, "/data/sam/code/app")
	r, _ := resolver(files, nil)
	check(t, r, map[string]string{
		"/link/shop/sub":           "git shop root=/srv/shop",
		"/link/gone":               "folder gone root=/srv/gone no repository",
		"/link/shop.worktrees/x":   "layout shop root=/srv/shop worktree=/srv/shop.worktrees/x",
		"/loop/x":                  "folder x root=/loop/x no repository",
		"/nowhere/x":               "folder x root=/nowhere/x no repository",
		"/srv/view":                "git shop root=/srv/shop worktree=/srv/view",
		"/home/sam/code/app":       "git app root=/home/sam/code/app",
		"/data/sam/code/app":       "git app root=/home/sam/code/app",
		"/home/sam/code/other":     "folder other root=/home/sam/code/other no repository",
		"/home/sam/code/app/x/y/z": "git app root=/home/sam/code/app",
	})
}

// What a transcript or a .git file names is not believed further than it goes.
func TestHostileGit(t *testing.T) {
	files := repository(map[string]string{
		"/srv/shop/fifo/.git":                    "|",
		"/srv/shop/self/.git":                    "gitdir: .git\n",
		"/srv/shop/here/.git":                    "gitdir: .\n",
		"/srv/shop/ring/.git":                    "gitdir: /srv/shop/gnir/.git\n",
		"/srv/shop/gnir/.git":                    "gitdir: /srv/shop/ring/.git\n",
		"/srv/shop/huge/.git":                    "gitdir: " + strings.Repeat("/x", 1<<20),
		"/srv/shop/binary/.git":                  "\x00\xff\x7fELF\x02",
		"/srv/shop/nul/.git":                     "gitdir: /srv/a\x00b\n",
		"/srv/shop/lines/.git":                   "gitdir: /srv/a\n/b\n",
		"/srv/shop/empty/.git":                   "",
		"/srv/shop/share/.git":                   "gitdir: /net/host/repo/.git/worktrees/x\n",
		"/srv/shop/astray/.git":                  "gitdir: /srv/astray/.git/worktrees/x\n",
		"/srv/astray/.git/worktrees/x/commondir": "../../../../..",
		"/srv/shop/linked/.git":                  "->/srv/shop/linked/.git",
	}, "/srv/shop")
	r, d := resolver(files, nil)
	check(t, r, map[string]string{
		"/srv/shop/fifo":   "git shop root=/srv/shop",
		"/srv/shop/self":   "git self root=/srv/shop/self",
		"/srv/shop/here":   "git here root=/srv/shop/here",
		"/srv/shop/ring":   "git ring root=/srv/shop/ring",
		"/srv/shop/huge":   "git huge root=/srv/shop/huge",
		"/srv/shop/binary": "git binary root=/srv/shop/binary",
		"/srv/shop/nul":    "git nul root=/srv/shop/nul",
		"/srv/shop/lines":  "git lines root=/srv/shop/lines",
		"/srv/shop/empty":  "git empty root=/srv/shop/empty",
		"/srv/shop/share":  "git repo root=/net/host/repo worktree=/srv/shop/share",
		"/srv/shop/astray": "git astray root=/srv/shop/astray",
		"/srv/shop/linked": "git shop root=/srv/shop",
	})
	long := "/srv/shop/" + strings.Repeat("x/", 3000) + "y"
	if f := r.Of(record.Origin{CWD: long}); f.By != project.ByFolder || f.Root != long {
		t.Errorf("a path that no disk has: %s", f.By)
	}
	r.Of(record.Origin{CWD: "/net/evil/share/app"})
	r.Of(record.Origin{CWD: `\\evil\share\app`})
	for p := range d.asked {
		if strings.Contains(p, "/net") || strings.Contains(p, "evil") || len(p) > 4096+5 {
			t.Errorf("the disk was asked for %.50s", p)
		}
	}
	for _, p := range d.read {
		if name := p[strings.LastIndexByte(p, '/')+1:]; name != ".git" && name != "commondir" {
			t.Errorf("%s was read", p)
		}
	}
}

// Nothing of a Windows share is asked for: that would log on to it.
func TestWindowsDisk(t *testing.T) {
	files := repository(map[string]string{"/code/wt/.git": `gitdir: C:/code/shop/.git/worktrees/wt`}, "/code/shop")
	files["/code/shop/.git/worktrees/wt/commondir"] = "../.."
	r, d := resolver(files, func(c *project.Config) { c.GOOS, c.Home = "windows", `C:\Users\sam` })
	check(t, r, map[string]string{
		`C:\code\shop\sub`:  `git shop root=C:\code\shop`,
		`c:\code\shop`:      `git shop root=C:\code\shop`,
		`C:/code/wt`:        `git shop root=C:\code\shop worktree=C:\code\wt`,
		`\\host\share\shop`: `folder shop root=\\host\share\shop no repository`,
		`/code/shop`:        `folder shop root=/code/shop no repository`, // not how Windows writes it
	})
	for p := range d.asked {
		if strings.Contains(p, "host") {
			t.Errorf("the disk was asked for %s", p)
		}
	}
	a, b := r.Of(record.Origin{CWD: `C:\Gone\App`}), r.Of(record.Origin{CWD: `c:\gone\app`})
	if a.Key != b.Key || a.Key == "" {
		t.Errorf("one folder of Windows has the keys %q and %q", a.Key, b.Key)
	}
}

// Rules go before everything, the longest prefix first, and by whole components.
func TestRules(t *testing.T) {
	files := linked(map[string]string{"/link": "->/srv", "/srv/new/": ""}, "/srv/shop", "/srv/wt/red", "red")
	r, _ := resolver(files, func(c *project.Config) {
		c.Rules = []project.Rule{
			{"/old", "/srv/new"}, {"/old/deep", "/srv/deep"}, {"/srv/shop/pkg", "/srv/shop/pkg"}, {"/srv/wt", "/srv/shop"},
			{"/home/sam/.codex/worktrees/1a2b", "/srv/shop"}, {`D:\old`, `C:\new`}, {"/srv/renamed/", "/link/new"},
		}
	})
	check(t, r, map[string]string{
		"/old":                                   "rule new root=/srv/new",
		"/old/x/y":                               "rule new root=/srv/new",
		"/old/deep/x":                            "rule deep root=/srv/deep",
		"/older":                                 "folder older root=/older no repository",
		"/srv/shop/pkg/a":                        "rule pkg root=/srv/shop/pkg",
		"/srv/shop":                              "git shop root=/srv/shop",
		"/srv/wt/gone":                           "rule shop root=/srv/shop",
		"/srv/wt/red/sub":                        "rule shop root=/srv/shop worktree=/srv/wt/red",
		"/old/.claude/worktrees/blue/sub":        "rule new root=/srv/new worktree=/old/.claude/worktrees/blue branch=worktree-blue",
		"/home/sam/.codex/worktrees/1a2b/shop/x": "rule shop root=/srv/shop worktree=/home/sam/.codex/worktrees/1a2b/shop",
		`d:\OLD\x`:                               `rule new root=C:\new`,
		"/link/renamed/x":                        "rule new root=/srv/new",
	})
}

// What an agent wrote down about a worktree counts where git no longer tells.
func TestSaid(t *testing.T) {
	files := repository(map[string]string{"/srv/mono/src/": ""}, "/srv/shop")
	repository(files, "/srv/mono")
	r, _ := resolver(files, nil)
	if f := r.Of(record.Origin{CWD: "/elsewhere/blue/sub"}); f.By != project.ByFolder || f.Sure {
		t.Errorf("before anybody said so: %+v", f)
	}
	r.Link("/elsewhere/blue", "/srv/shop/src")
	r.Link("/elsewhere/blue", "/srv/later") // the first word counts
	r.Link("/srv/mono/wt/red", "/srv/shop") // gone, and inside another checkout
	r.Link("relative", "/srv/shop")
	check(t, r, map[string]string{
		"/elsewhere/blue/sub": "agent shop root=/srv/shop worktree=/elsewhere/blue",
		"/elsewhere/bluer":    "folder bluer root=/elsewhere/bluer no repository",
		"/srv/mono/wt/red/x":  "agent shop root=/srv/shop worktree=/srv/mono/wt/red",
		"/srv/mono/wt":        "git mono root=/srv/mono",
		"relative":            "folder relative root=relative no repository",
	})
	for _, c := range []struct {
		o    record.Origin
		want string
	}{
		{record.Origin{CWD: "/w/x/sub", Repo: "/srv/shop", Worktree: "/w/x"}, "agent shop root=/srv/shop worktree=/w/x"},
		{record.Origin{CWD: "/w/y", Repo: "/srv/shop", Worktree: "/w/x"}, "folder y root=/w/y no repository"},
		{record.Origin{CWD: "/srv/mono/src", Repo: "/srv/shop", Worktree: "/srv"}, "git mono root=/srv/mono"},
	} {
		if got := tell(r.Of(c.o)); got != c.want {
			t.Errorf("%+v\ngot  %s\nwant %s", c.o, got, c.want)
		}
	}
}

// Git's list names worktrees that somebody deleted without telling git.
func TestListed(t *testing.T) {
	files := linked(map[string]string{}, "/srv/shop", "/elsewhere/blue", "blue")
	linked(files, "/srv/shop", "/home/sam/.codex/worktrees/1a2b/shop", "x")
	delete(files, "/elsewhere/blue/.git")
	delete(files, "/home/sam/.codex/worktrees/1a2b/shop/.git")
	files["/srv/shop/.git/worktrees/pipe/gitdir"] = "|"
	files["/srv/shop/.git/worktrees/link"] = "->/srv/other"
	files["/srv/other/gitdir"] = "/srv/stolen/.git"
	files["/srv/shop/.git/worktrees/rel/gitdir"] = "../../../../rel/.git\n"
	calls := 0
	r, _ := resolver(files, func(c *project.Config) {
		c.Known = func() []string { calls++; return []string{"/elsewhere/blue", "/srv/shop/src", "bad"} }
	})
	check(t, r, map[string]string{"/srv/shop": "git shop root=/srv/shop"})
	if calls != 0 {
		t.Error("all folders were asked for where git tells")
	}
	check(t, r, map[string]string{
		"/elsewhere/blue/sub":                  "git shop root=/srv/shop worktree=/elsewhere/blue",
		"/home/sam/.codex/worktrees/1a2b/shop": "git shop root=/srv/shop worktree=/home/sam/.codex/worktrees/1a2b/shop",
		"/srv/rel":                             "git shop root=/srv/shop worktree=/srv/rel",
		"/srv/stolen":                          "folder stolen root=/srv/stolen no repository",
		"/elsewhere":                           "folder elsewhere root=/elsewhere no repository",
	})
	if calls != 1 {
		t.Errorf("all folders were asked for %d times", calls)
	}
}

// A folder of which only the hash is known is one of the known folders, or unknown.
func TestHashes(t *testing.T) {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return hex.EncodeToString(sum[:])
	}
	r, _ := resolver(nil, func(c *project.Config) { c.Known = func() []string { return []string{"/srv/app", `C:\One\Two`} } })
	for folder, want := range map[string]string{"/srv/app": "/srv/app", `C:\One\Two`: `C:\One\Two`, `c:\one\two`: "", "/srv": ""} {
		if got := r.Folder(hash(folder)); got != want {
			t.Errorf("the hash of %s leads to %q", folder, got)
		}
	}
	if f := r.Of(record.Origin{CWDHash: hash("/srv/app")}); f.Root != "/srv/app" {
		t.Errorf("the project of a hash: %+v", f)
	}
	if f := r.Of(record.Origin{CWDHash: hash("/srv")}); f != (project.Found{}) {
		t.Errorf("the project of an unknown hash: %+v", f)
	}
}

// The disk is asked once for each folder, however many sessions ran there.
func TestEachFolderIsLookedAtOnce(t *testing.T) {
	files := linked(map[string]string{}, "/srv/shop", "/srv/wt/blue", "blue")
	r, d := resolver(files, nil)
	for range 1000 {
		for _, cwd := range []string{"/srv/shop/a", "/srv/shop/a/b", "/srv/wt/blue", "/srv/none/x/y", "/srv/none/x/z"} {
			for _, branch := range []string{"main", "dev"} {
				r.Of(record.Origin{CWD: cwd, Branch: branch})
			}
		}
	}
	for p, n := range d.asked {
		if n > 2 {
			t.Errorf("%s was asked for %d times", p, n)
		}
	}
	if len(d.asked) > 20 || len(d.read) != 2 {
		t.Errorf("%d names were asked for, %q read", len(d.asked), d.read)
	}
}

func BenchmarkOf(b *testing.B) {
	files := repository(map[string]string{}, "/srv/shop")
	for b.Loop() {
		r, _ := resolver(files, nil)
		for i := range 9000 {
			r.Of(record.Origin{CWD: "/srv/shop/pkg/" + string(rune('a'+i%26)), Branch: "main"})
		}
	}
}
