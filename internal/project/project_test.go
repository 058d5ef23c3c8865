package project

import (
	"testing"

	"github.com/seshat-dev/seshat/record"
)

func TestOf(t *testing.T) {
	for cwd, want := range map[string]record.Project{
		"":                                     {},
		"/srv/app":                             {Name: "app", Root: "/srv/app"},
		"/srv/parent/my-app_v1.2":              {Name: "my-app_v1.2", Root: "/srv/parent/my-app_v1.2"},
		"/":                                    {Name: "/", Root: "/"},
		"/srv/shop/.claude/worktrees/blue":     {Name: "shop", Root: "/srv/shop", Worktree: "/srv/shop/.claude/worktrees/blue"},
		"/srv/shop/.claude/worktrees/blue/sub": {Name: "shop", Root: "/srv/shop", Worktree: "/srv/shop/.claude/worktrees/blue"},
		`C:\Users\sam\code`:                    {Name: "code", Root: `C:\Users\sam\code`},
		`C:\s\.gemini\worktrees\x`:             {Name: "s", Root: `C:\s`, Worktree: `C:\s\.gemini\worktrees\x`},
		`/odd\name`:                            {Name: `odd\name`, Root: `/odd\name`},
	} {
		if got := Of(cwd); got != want {
			t.Errorf("Of(%q) = %+v, want %+v", cwd, got, want)
		}
	}
}
