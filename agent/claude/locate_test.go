package claude

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// The name of a project folder is that of many paths, and of a long one only its
// head.
func TestEncodes(t *testing.T) {
	long := "/srv/" + strings.Repeat("a", 250)
	for _, c := range []struct {
		dir, cwd string
		want     bool
	}{
		{"-srv-app", "/srv/app", true}, {"-srv-my-app-v1-2", "/srv/my-app_v1.2", true}, {"-srv-my-app-v1-2", "/srv/my/app/v1/2", true},
		{"-srv-App", "/srv/app", false}, {"-srv-app", "/srv/apps", false}, {"", "", false}, {"-srv-app", "", false},
		{"-srv--", "/srv/\u65b0", true}, {"-a---", "/a/\U0001f600", true}, {"-a--", "/a/\U0001f600", false}, // two UTF-16 units
		{"C--srv-app", `C:\srv\app`, true}, {"c--srv-app", `C:\srv\app`, true}, {"C--srv-App", `C:\srv\app`, false}, {"", `C:\srv`, false},
		{"-srv-" + strings.Repeat("a", 195) + "-x1y2", long, true}, {"-srv-" + strings.Repeat("a", 195) + "-", long, false},
		{"-srv-" + strings.Repeat("a", 250), long, false}, {"-srv-" + strings.Repeat("a", 194) + "b-x1y2", long, false},
	} {
		if got := encodes(c.dir, c.cwd); got != c.want {
			t.Errorf("%.40q for %.40q: %v", c.dir, c.cwd, got)
		}
	}
}

func TestSettledOrigin(t *testing.T) {
	state := []agent.Worktree{{Path: "/w/x", Repo: "/srv/shop"}, {Path: "/w/y", Repo: "/srv/shop"}}
	for _, c := range []struct {
		cwd    string
		stated []agent.Worktree
		moved  string
		want   record.Origin
	}{
		{"/srv/app", nil, "/srv/moved", record.Origin{CWD: "/srv/app"}},
		{"", nil, "/srv/moved", record.Origin{CWD: "/srv/moved"}},
		{"", state, "/srv/moved", record.Origin{CWD: "/srv/shop"}},
		{"", []agent.Worktree{{Path: "/w/x"}}, "", record.Origin{CWD: "/w/x"}},
		{"/w/y/sub", state, "", record.Origin{CWD: "/w/y/sub", Repo: "/srv/shop", Worktree: "/w/y"}},
		{"/w/yes", state, "", record.Origin{CWD: "/w/yes"}},
		{"/s/.claude/worktrees/b/x", []agent.Worktree{{Path: "/s/.claude/worktrees/b", Repo: "/other"}}, "",
			record.Origin{CWD: "/s/.claude/worktrees/b/x", Repo: "/other", Worktree: "/s/.claude/worktrees/b"}}, // what the place means is for others to say
	} {
		w := whereabouts{record.Origin{CWD: c.cwd}, c.stated, c.moved}
		if got := w.settled(); got != c.want {
			t.Errorf("%+v: got %+v", c, got)
		}
	}
}
