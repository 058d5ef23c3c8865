package project_test

import (
	"slices"
	"testing"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/record"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, value string
		want           bool
	}{
		{"shop", "shop", true}, {"Shop", "sHOP", true}, {"sho", "shop", false}, {"sho?", "shop", true}, {"s*", "shop", true},
		{"*", "", true}, {"", "", true}, {"", "shop", false}, {"[st]hop", "shop", true}, {"[shop", "[shop", true}, {"[shop", "shop", false},
		{"my.app", "my-app", false}, {"cafe\u0301", "caf\u00e9", true}, {"CAF\u00c9", "cafe\u0301", true}, {"caf?", "cafe\u0301", true},
		{"stra\u00dfe", "STRASSE", true}, {"feat/*", "feat/pay", true}, {"feat*", "feat/pay/now", true}, {"feat/pay", "feat", false},
	} {
		if got := project.Matches(c.pattern, c.value); got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.value, got)
		}
	}
}

func TestFilter(t *testing.T) {
	r, _ := resolver(repository(map[string]string{"/link": "->/srv"}, "/srv/shop"), nil)
	folders := []string{
		"/srv/shop", "/srv/shop/.claude/worktrees/blue", "/srv/shopping", "/srv/team/shop", "/home/sam/code/cafe\u0301",
		"/home/sam/code/api", `C:\Work\Shop`, "/home/sam/.codex/worktrees/1a/shop",
	}
	for value, want := range map[string][]int{
		"shop":                    {0, 1, 3, 6, 7},
		"SHOP":                    {0, 1, 3, 6, 7},
		"shop*":                   {0, 1, 2, 3, 6, 7},
		"blue":                    nil, // a worktree is no project
		"caf\u00e9":               {4},
		"/srv/shop":               {0, 1},
		"/srv/shop/":              {0, 1},
		"/SRV/Shop":               {0, 1},
		"/link/shop":              {0, 1},
		"/srv":                    {0, 1, 2, 3},
		"/srv/*":                  {0, 1, 2, 3},
		"/srv/*/shop":             {3},
		"/srv/sho":                nil,
		"srv/shop":                {0, 1},
		"team/shop":               {3},
		"team/":                   {3},
		"eam/shop":                nil,
		"~/code":                  {4, 5},
		"~/code/caf\u00e9":        {4},
		"code/a*":                 {5},
		"worktrees/blue":          {1},
		`c:\work\shop`:            {6},
		"C:/work":                 {6},
		"/work/shop":              nil,
		".codex/worktrees/*/shop": {7},
		"/":                       {0, 1, 2, 3, 4, 5, 6, 7},
		"/srv/[":                  nil,
	} {
		f := r.Filter(value)
		var got []int
		for i, dir := range folders {
			if f.Match(r.Of(record.Origin{CWD: dir})) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", value, got, want)
		}
	}
	if r.Filter("*").Match(project.Found{}) || r.Filter("/").Match(project.Found{}) {
		t.Error("what has no project is found")
	}
}

func TestHere(t *testing.T) {
	files := linked(map[string]string{"/link": "->/srv", "/srv/app/sub/deep/": "", "/srv/none/": ""}, "/srv/shop", "/elsewhere/blue", "blue")
	r, _ := resolver(files, nil)
	key := func(dir string) string { return r.Of(record.Origin{CWD: dir}).Key }
	known := map[string]bool{key("/srv/shop"): true, key("/srv/app"): true, key("/home/sam"): true, key("/"): true}
	for dir, want := range map[string]string{
		"/srv/shop": "/srv/shop", "/srv/shop/src/deep": "/srv/shop", "/elsewhere/blue/src": "/srv/shop", "/link/shop": "/srv/shop",
		"/srv/shop/.claude/worktrees/x/y": "/srv/shop",
		"/srv/app":                        "/srv/app", "/srv/app/sub/deep": "/srv/app", "/link/app/sub": "/srv/app",
		"/srv/none": "/srv/none", "/home/sam": "/home/sam", "/home/sam/x": "/home/sam/x", "/": "/", "/tmp": "/tmp",
	} {
		if got := r.Here(dir, known); got != key(want) {
			t.Errorf("in %s one is in %s, want %s", dir, got, want)
		}
	}
}

func TestWorktrees(t *testing.T) {
	files := linked(map[string]string{}, "/srv/shop", "/elsewhere/blue", "feat/blue")
	linked(files, "/srv/shop", "/elsewhere/gone", "old")
	delete(files, "/elsewhere/gone/.git")
	delete(files, "/elsewhere/gone/")
	files["/srv/shop/.git/worktrees/blue/HEAD"] = "ref: refs/heads/feat/blue\n"
	linked(files, "/srv/shop", "/elsewhere/loose", "x")
	files["/srv/shop/.git/worktrees/loose/HEAD"] = "0123456789012345678901234567890123456789\n"
	r, _ := resolver(files, nil)
	got := r.Worktrees("/srv/shop", map[string]string{"/elsewhere/blue": "main", "/srv/shop/.claude/worktrees/red": "worktree-red"})
	want := []project.Worktree{
		{Path: "/elsewhere/blue", Branch: "feat/blue"}, {Path: "/elsewhere/loose"},
		{Path: "/srv/shop/.claude/worktrees/red", Branch: "worktree-red", Gone: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := r.Worktrees("/srv/none", nil); len(got) != 0 {
		t.Errorf("a folder has the worktrees %+v", got)
	}
}
