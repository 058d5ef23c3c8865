package seshat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

const geminiDir = "/home/sam/.gemini"

// after gives the moment some days behind minute 59, at which files were changed.
func after(days int) time.Time { return at(59).AddDate(0, 0, days) }

// expiring gives, of what goes, "name day" in order.
func expiring(t *testing.T, l *seshat.Library, q seshat.ExpiringQuery) ([]string, *seshat.Expiring, *record.Answer) {
	t.Helper()
	exp, ans, err := l.Expiring(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, loss := range exp.Losses {
		for _, f := range loss.Fates {
			out = append(out, fmt.Sprintf("%s %g", f.Source.Name[strings.LastIndex(f.Source.Name, "/")+1:], f.Earliest.Sub(at(59)).Hours()/24))
		}
	}
	return out, exp, ans
}

// Two agents in one project: three sessions of Claude Code with a plan, a session
// of Gemini CLI, last used at minute 10, with a restorable call.
func mixedWorld(settings string) *world {
	c := threeChats()
	c.File("projects/-srv-app/"+one+"/tool-results/x.txt", "x", after(-20))
	c.File("plans/calm-red-fox.md", "x", after(-3))
	if settings != "" {
		c.File("settings.json", settings, at(0))
	}
	g := &rootfs.Memory{Folder: geminiDir}
	g.File("tmp/app/.project_root", "/srv/app", at(0))
	g.File("tmp/app/chats/session-2026-01-02T03-04-eeeeeeee.jsonl", `{"sessionId":"eeeeeeee-1","projectHash":"x","startTime":"2026-01-02T03:00:00.000Z","lastUpdated":"2026-01-04T03:59:00.000Z"}`+"\n"+
		`{"id":"m","timestamp":"2026-01-02T03:00:00.000Z","type":"user","content":"hello gemini"}`+"\n", at(59))
	g.File("tmp/app/checkpoints/2026-01-01T00-00-00_000Z-a-replace.json", "{}", at(59))
	return newWorld(c, g)
}

func both(o *seshat.Options) { o.Agents = nil }

func TestExpiring(t *testing.T) {
	l := library(t, mixedWorld(""), "", both)
	got, exp, ans := expiring(t, l, seshat.ExpiringQuery{Until: after(30)})
	if want := []string{
		"2026-01-01T00-00-00_000Z-a-replace.json 0",
		"x.txt 10", one + ".jsonl 30",
		"calm-red-fox.md 27", two + ".jsonl 30", three + ".jsonl 30", // the chat goes on day 32
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if ans.Matches != 6 || !ans.Complete {
		t.Errorf("%+v", ans)
	}
	var sums []string
	for _, s := range exp.Totals {
		sums = append(sums, fmt.Sprintf("%s %d %d", s.Project.Name, s.Sessions, s.Files))
	}
	if want := []string{"app 2 4", "other 1 1", " 0 1"}; !slices.Equal(sums, want) {
		t.Errorf("totals %q, want %q", sums, want)
	}
	if len(exp.Edits) != 2 || exp.Edits[0].Path != claudeDir+"/settings.json" || exp.Edits[1].Path != geminiDir+"/settings.json" {
		t.Errorf("edits %+v", exp.Edits)
	}
	if n := len(exp.Unseen); n == 0 || len(ans.Warnings) != n {
		t.Errorf("unseen %q, warnings %+v", exp.Unseen, ans.Warnings)
	}
	if got, _, _ := expiring(t, l, seshat.ExpiringQuery{}); !slices.Contains(got, "session-2026-01-02T03-04-eeeeeeee.jsonl 32") || len(got) != 7 {
		t.Errorf("all that may ever go: %q", got)
	}
	if got, _, ans := expiring(t, library(t, mixedWorld(""), "", nil), seshat.ExpiringQuery{Until: after(9)}); len(got) > 0 || ans.Matches != 0 || !ans.Complete {
		t.Errorf("nothing of Claude Code goes so soon: %q %+v", got, ans)
	}
}

// A project's losses are those of its sessions, and what only a start there cleans.
func TestExpiringByProject(t *testing.T) {
	l := library(t, mixedWorld(""), "", both)
	for project, want := range map[string]int{"app": 5, "other": 1, "none": 0, "/srv/*": 6} {
		if got, _, _ := expiring(t, l, seshat.ExpiringQuery{Project: project}); len(got) != want {
			t.Errorf("%s: %q, want %d", project, got, want)
		}
	}
	here := library(t, mixedWorld(""), "", func(o *seshat.Options) { o.Agents, o.WorkDir = nil, "/srv/other" })
	if got, _, _ := expiring(t, here, seshat.ExpiringQuery{Here: true}); !slices.Equal(got, []string{three + ".jsonl 30"}) {
		t.Errorf("here: %q", got)
	}
	excluded := library(t, mixedWorld(""), `exclude = ["/srv/app"]`, both)
	if got, _, _ := expiring(t, excluded, seshat.ExpiringQuery{}); !slices.Equal(got, []string{"calm-red-fox.md 27", three + ".jsonl 30"}) {
		t.Errorf("without an excluded project: %q", got)
	}
}

// Settings that cannot be read leave an answer that is not complete; damage in a
// transcript moves no date.
func TestExpiringIsCompleteOrSaysSo(t *testing.T) {
	_, _, ans := expiring(t, library(t, mixedWorld(`{"cleanupPeriodDays":`), "", nil), seshat.ExpiringQuery{Until: after(5)})
	if ans.Complete || ans.Sources.Failed != 1 || !slices.ContainsFunc(ans.Warnings, func(w record.Warning) bool { return w.Path == claudeDir+"/settings.json" }) {
		t.Errorf("%+v", ans)
	}
	m := threeChats()
	m.File("projects/-srv-app/"+one+".jsonl", "{broken\n", at(59))
	if _, _, ans = expiring(t, library(t, newWorld(m), "", nil), seshat.ExpiringQuery{Until: after(5)}); !ans.Complete || ans.DamagedLines != 1 {
		t.Errorf("%+v", ans)
	}
	m = threeChats()
	m.Fail("projects/-srv-app/"+one+".jsonl", fs.ErrPermission)
	got, _, ans := expiring(t, library(t, newWorld(m), "", nil), seshat.ExpiringQuery{})
	if ans.Complete || !slices.Contains(got, one+".jsonl 30") {
		t.Errorf("one that cannot be read goes all the same: %q %+v", got, ans)
	}
}

// Sessions carry the date of their transcript.
func TestSessionsExpire(t *testing.T) {
	list, _ := sessions(t, library(t, mixedWorld(`{"cleanupPeriodDays":10}`), "", both), seshat.SessionQuery{})
	got := map[string]time.Time{}
	for _, s := range list {
		got[s.ID] = s.Expires
	}
	want := map[string]time.Time{one: after(10), two: after(10), three: after(10), "eeeeeeee-1": after(32)}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLossJSON(t *testing.T) {
	_, exp, _ := expiring(t, library(t, mixedWorld(`{"cleanupPeriodDays":10}`), "", nil), seshat.ExpiringQuery{Until: after(0)})
	short := func(path string) string { return strings.Replace(path, "/home/sam", "~", 1) }
	var all []any
	for _, l := range exp.Losses {
		all = append(all, exp.LossJSON(l, short)...)
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"schema":"seshat.expiring/1","agent":"claude","session":"` + one + `","handle":"claude:` + one + `","path":"~/.claude/projects/-srv-app/` + one + `/tool-results/x.txt",` +
		`"store":"claude.projects.tool_results","expires":"2025-12-23T03:59:00.000Z","earliest":"2025-12-23T03:59:00.000Z","reason":"unchanged for 10 days",` +
		`"source":"~/.claude/settings.json","setting":"cleanupPeriodDays 10","keep":{"path":"~/.claude/settings.json","json":{"cleanupPeriodDays":3650}},` +
		`"project":{"name":"app","root":"/srv/app"},"title":"alpha question","bytes":1,"archived":"no"}]`; string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}
