package blackbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// loss is a seshat.expiring/1 object.
type loss struct {
	Agent, Session, Handle, Path, Store, Expires, Latest, Reason, Source, Setting string
	StartIn                                                                       string `json:"start_in"`
	Keep                                                                          struct {
		Path string
		JSON map[string]any `json:"json"`
	}
	Project struct{ Name string }
}

// perishable is a home with a session of each agent. The one of Claude Code was
// used 27 days ago, with a spilled result of 40 days and a plan of today; the one of
// Gemini CLI 28 days ago.
func perishable(t *testing.T) (h *Home, now time.Time) {
	h, now = New(t), time.Now()
	ago := func(path string, days int) { h.Touch(path, now.AddDate(0, 0, -days)) }
	ago(h.Claude("/srv/app", S1, U("m1", "", "a question"), A("a1", "m1", "msg_1", T("an answer"), "")), 27)
	ago(h.Write(app+S1+"/tool-results/x.txt", "spilled", 0o600), 40)
	ago(h.Write(".claude/plans/calm-red-fox.md", "a plan", 0o600), 0)
	used := fmt.Sprintf(`{"sessionId":"eeeeeeee-1","projectHash":"app","startTime":%s,"lastUpdated":%q}`, Time, now.AddDate(0, 0, -28).UTC().Format("2006-01-02T15:04:05.000Z"))
	h.Gemini("eeeeeeee", used, GU("m1", "hello gemini"))
	return h, now
}

// expiring asks what goes.
func (h *Home) expiring(t *testing.T, args ...string) ([]loss, summary) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"expiring", "--ndjson"}, args...)...))
	for _, item := range a.items {
		wellFormed(t, item, "seshat.expiring/1")
	}
	return as[loss](t, a), a.summary
}

func TestExpiring(t *testing.T) {
	t.Parallel()
	h, now := perishable(t)
	list, sum := h.expiring(t)
	if len(list) != 3 || sum.Matches != 3 || !sum.Complete {
		t.Fatalf("%+v %+v", list, sum)
	}
	for i, want := range []struct {
		store, session string
		days           int // from now
		path           string
	}{
		{"claude.projects.tool_results", S1, -10, "~/.claude/settings.json"},
		{"claude.projects.session", S1, 3, "~/.claude/settings.json"},
		{"gemini.tmp.chats", "eeeeeeee-1", 2, "~/.gemini/settings.json"},
	} {
		got, at := list[i], now.AddDate(0, 0, want.days).UTC().Format("2006-01-02T15:04:05")
		if got.Store != want.store || got.Session != want.session || got.Expires[:19] != at || got.Keep.Path != want.path || got.Project.Name != "app" {
			t.Errorf("%+v, want %+v at %s", got, want, at)
		}
	}
	if list[2].StartIn != "/srv/app" || list[2].Latest != list[2].Expires || list[1].Latest != "" {
		t.Errorf("the range of Gemini CLI is known, that of Claude Code is open: %+v", list)
	}
	// The dates of sessions are the same.
	all, _ := h.sessions(t)
	for _, s := range all {
		i := slices.IndexFunc(list, func(l loss) bool { return l.Session == s.ID && l.Store != "claude.projects.tool_results" })
		if i < 0 || list[i].Expires != s.Expires {
			t.Errorf("%s expires %q in sessions", s.ID, s.Expires)
		}
	}
}

// The text names sessions, dates, reasons, sums and the edits, and says what cannot
// be seen.
func TestExpiringText(t *testing.T) {
	t.Parallel()
	h, now := perishable(t)
	r := h.Run("expiring", "--within", "1w").exits(t, 0)
	day := func(n int) string { return now.UTC().AddDate(0, 0, n).Format("2006-01-02") }
	for _, want := range []string{
		"11111111  app  claude  not archived  a question\n",
		"    next start  projects.tool_results: unchanged for 30 days (cleanupPeriodDays is not set, 30 is the default)\n",
		"    from " + day(3) + "  projects.session: not used for 30 days (cleanupPeriodDays is not set, 30 is the default)\n",
		"    " + day(2) + "  tmp.chats: not used for 30 days (general.sessionRetention.maxAge is not set, 30d is the default), at a start in /srv/app\n",
		"\napp  2 sessions  3 files  ", "  next start  /srv/app\n",
		"\nTo keep more, put this into ~/.claude/settings.json, beside what is there:\n  {\"cleanupPeriodDays\": 3650}\n",
		"\nTo keep more, put this into ~/.gemini/settings.json, beside what is there:\n  {\"general\": {\"sessionRetention\": {\"enabled\": false}}}\n",
		"seshat archive keeps copies of what is not archived yet.",
	} {
		if !strings.Contains(r.Stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.Stdout)
		}
	}
	if !strings.Contains(r.Stderr, "a server sends to Claude Code cannot be seen here") {
		t.Errorf("stderr %q", r.Stderr)
	}
	if strings.Contains(r.Stdout, "plans") {
		t.Errorf("a plan of today goes within a week:\n%s", r.Stdout)
	}
	// What the edit says does what it says.
	h.Write(".claude/settings.json", `{"cleanupPeriodDays": 3650}`, 0o600)
	h.Write(".gemini/settings.json", `{"general": {"sessionRetention": {"enabled": false}}}`, 0o600)
	if r := h.Run("expiring").exits(t, 1); r.Stdout != "" {
		t.Errorf("nothing goes within a week: %q", r.Stdout)
	}
}

// Exit codes: 1 is certain, and settings that cannot be read leave nothing certain.
func TestExpiringExitCodes(t *testing.T) {
	t.Parallel()
	h, _ := perishable(t)
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"expiring", "--within", "1h", "--agent", "gemini"}, 1}, {[]string{"expiring", "--within", "3d", "--agent", "gemini"}, 0},
		{[]string{"expiring", "--project", "none"}, 1}, {[]string{"expiring", "--project", "app"}, 0}, {[]string{"expiring", "--here"}, 1},
	} {
		h.Run(c.args...).exits(t, c.code)
	}
	h.Write(".gemini/settings.json", `{"general":`, 0o600)
	r := h.Run("expiring", "--within", "1h", "--agent", "gemini").exits(t, 2)
	if !strings.Contains(r.Stderr, "~/.gemini/settings.json: is not one JSON object; the dates count it as if it were not there") {
		t.Errorf("stderr %q", r.Stderr)
	}
	h.Run("expiring", "--within", "3d", "--agent", "gemini").exits(t, 0)
}

// Settings of the folder that sessions ran in count, and those of no other key are
// ever printed.
func TestExpiringTellsWhoDecides(t *testing.T) {
	t.Parallel()
	h, _ := perishable(t)
	dir := h.Mkdir("code/shop")
	h.Claude(dir, S2, U("m1", "", "in the shop"))
	h.Write("code/shop/.claude/settings.json", `{"cleanupPeriodDays":2,"env":{"KEY":"sk-needle"}}`, 0o600)
	h.Write(".claude/settings.json", `{"cleanupPeriodDays":100,"env":{"KEY":"sk-needle"}}`, 0o600)
	r := h.Run("expiring", "--within", "100y")
	if !strings.Contains(r.Stdout, "(cleanupPeriodDays 2 in ~/code/shop/.claude/settings.json)") || strings.Contains(r.Stdout+r.Stderr, "needle") {
		t.Errorf("%s%s", r.Stdout, r.Stderr)
	}
	list, _ := h.expiring(t, "--agent", "claude")
	for _, l := range list {
		if l.Source != "~/code/shop/.claude/settings.json" || l.Keep.Path != l.Source || fmt.Sprint(l.Keep.JSON) != "map[cleanupPeriodDays:3650]" {
			t.Errorf("%+v", l)
		}
	}
}
