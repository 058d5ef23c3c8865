package seshat_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// A transcript that stands in two project folders under one id, as a hand-made
// copy does: two sessions whose handles tell them apart, each record once.
func TestClaudeOneSessionInTwoFolders(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl": lines(opening(one)...),
		"projects/-srv-new/" + one + ".jsonl": lines(append(opening(one), asked(one, "u2", 10))...),
	})
	l := library(t, newWorld(m), "", nil)
	list, _ := sessions(t, l, seshat.SessionQuery{})
	if len(list) != 2 || list[0].Handle == list[1].Handle || !strings.HasPrefix(list[0].Handle, "claude:"+one+"@") || list[0].Copied != 2 || list[0].CopiedFrom != list[1].Handle || list[1].Copied != 0 {
		t.Errorf("the sessions are %+v", list)
	}
	got, ans := places(t, l, seshat.Selection{})
	checkPlaces(t, got, []string{"u1 in 1", "a1 in 1", "u2 in 1"})
	if ans.Hidden.Copy != 2 {
		t.Errorf("hidden %+v", ans.Hidden)
	}
	for _, s := range list {
		if texts, _, err := show(l, s.Handle); err != nil || len(texts) != s.Counts.Prompts+s.Counts.Replies {
			t.Errorf("%s shows %q, %v", s.Handle, texts, err)
		}
	}
	if _, _, err := show(l, one); err == nil {
		t.Error("the id alone names both, and is not refused")
	}
}

// With CLAUDE_CONFIG_DIR the global config lies inside that folder, and the one
// in the home is another's.
func TestClaudeGlobalConfigBelowConfigDir(t *testing.T) {
	home := &rootfs.Memory{Folder: "/home/sam"}
	home.File(".claude.json", `{"projects":{"/srv/app":{"lastSessionId":"`+two+`"}}}`, at(59))
	work := &rootfs.Memory{Folder: "/home/sam/work"}
	work.File(".claude.json", `{"projects":{"/srv/app":{"lastSessionId":"`+three+`"}}}`, at(59))
	for dir, want := range map[string]string{"": two, "/home/sam/work": three} {
		l := library(t, newWorld(home, work, claudeRoot(nil)), "", func(o *seshat.Options) { o.Vars["CLAUDE_CONFIG_DIR"] = dir })
		if list, _ := sessions(t, l, seshat.SessionQuery{}); !slices.Equal(ids(list), []string{want}) {
			t.Errorf("CLAUDE_CONFIG_DIR=%s remembers %q, want %s", dir, ids(list), want)
		}
	}
}

// The desktop app's entries name sessions whose transcripts are gone.
func TestClaudeDesktopRemembers(t *testing.T) {
	app := &rootfs.Memory{Folder: "/home/sam/.config/Claude"}
	entry := func(id string) string {
		return line(object{"sessionId": "local_x", "cliSessionId": id, "title": "From the desktop", "cwd": "/srv/app", "createdAt": at(1).UnixMilli(), "lastActivityAt": at(4).UnixMilli()})
	}
	app.File("claude-code-sessions/acc/org/local_1.json", entry(two), at(59))
	app.File("claude-code-sessions/acc/org/local_2.json", entry(one), at(59))
	app.File("Cookies", "needle", at(59))
	w := newWorld(app, claudeRoot(map[string]string{appDir + one + ".jsonl": lines(asked(one, "u1", 30))}))
	l := library(t, w, "", func(o *seshat.Options) { delete(o.Vars, "XDG_CONFIG_HOME"); o.Config = "" })
	list, _ := sessions(t, l, seshat.SessionQuery{})
	checkPlaces(t, told(list), []string{`claude:` + two + ` interactive "From the desktop" (ai) 0 prompts in /srv/app, 03:01 to 03:04`})
	if len(list) != 2 || slices.ContainsFunc(w.opened, func(p string) bool { return strings.HasSuffix(p, "Cookies") }) {
		t.Errorf("%q; opened %q", ids(list), w.opened)
	}
}

// The records of a subagent whose parent is gone are found, and carry what their
// sidecar tells.
func TestClaudeSubagentWithoutParent(t *testing.T) {
	m := claudeRoot(map[string]string{
		appDir + one + "/subagents/agent-a1.jsonl":     line(user(one, "/srv/app", "s1", 5, "dig").with("isSidechain", true).with("agentId", "a1")),
		appDir + one + "/subagents/agent-a1.meta.json": `{"agentType":"Explore","description":"Find the cave","model":"haiku","parentAgentId":"a0"}`,
	})
	n := 0
	_, err := library(t, newWorld(m), "", nil).Records(context.Background(), seshat.Selection{}, func(r *record.Record) error {
		n++
		if r.Session != one || r.Title != "Find the cave" || r.Kind != record.Dispatch || *r.Subagent != (record.SubagentRef{ID: "a1", Type: "Explore", Parent: "a0", Model: "haiku"}) {
			t.Errorf("%+v of %+v", r, r.Subagent)
		}
		return nil
	})
	if err != nil || n != 1 {
		t.Errorf("%d records, %v", n, err)
	}
}
