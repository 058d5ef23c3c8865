package claude

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// written is when every file of these tests was last changed, unless its data
// begins with a number of days and a bar: then it is older by so many.
var written = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// The folders of the worlds in these tests.
var retentionDirs = []string{"/h/.claude", "/etc/claude-code", "/h/.config/Claude", "/srv/app", "/srv/other", "/Library/Application Support/ClaudeCode"}

const (
	swept = "/h/.claude/projects/-srv-app/11111111-1111-4111-8111-111111111111.jsonl"
	below = "/h/.claude/projects/-srv-app/11111111-1111-4111-8111-111111111111/"
)

// retained asks for the fates of the files of a world.
func retained(t *testing.T, goos string, files map[string]string) agent.Retention {
	t.Helper()
	dirs := map[string]*rootfs.Memory{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		i := slices.IndexFunc(retentionDirs, func(dir string) bool { return strings.HasPrefix(path, dir+"/") })
		dir, at, data := retentionDirs[i], written, files[path]
		if n := 0; strings.Contains(data, "|") {
			if _, err := fmt.Sscanf(data, "%d|", &n); err != nil {
				t.Fatal(err)
			}
			at, data = written.AddDate(0, 0, -n), data[strings.Index(data, "|")+1:]
		}
		if dirs[dir] == nil {
			dirs[dir] = &rootfs.Memory{Folder: dir}
		}
		name := strings.TrimPrefix(path, dir+"/")
		dirs[dir].File(name, data, at)
		for up := filepath.Dir(name); up != "."; up = filepath.Dir(up) {
			dirs[dir].Touch(up, at)
		}
	}
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	env := agent.Env{Home: "/h", GOOS: goos, Open: func(dir string) (agent.Root, error) {
		if m := dirs[dir]; m != nil {
			return m, nil
		}
		return nil, fs.ErrNotExist
	}}
	inv, err := a.Discover(context.Background(), env)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Retention(context.Background(), env, agent.Cleaning{Sources: inv.Sources, Folders: []string{"/srv/app", "/srv/app/.claude/worktrees/x", "/srv/gone", "relative"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// days writes a span in days behind the moment at which files were written.
func days(s agent.Span) string {
	in := func(at time.Time) string {
		if at.IsZero() {
			return "open"
		}
		return fmt.Sprint(at.Sub(written).Hours() / 24)
	}
	return in(s.Earliest) + ".." + in(s.Latest)
}

// Which number of days is in force, by hand: managed settings win; else the local
// settings of the folder of the start, else its shared ones, else the user's, else
// 30. A start may be anywhere, so that the shortest of these counts.
func TestRetentionSettings(t *testing.T) {
	const (
		user, home = "/h/.claude/settings.json", "/h/.claude/settings.local.json"
		sent       = "/h/.claude/remote-settings.json"
		shared     = "/srv/app/.claude/settings.json"
		local      = "/srv/app/.claude/settings.local.json"
		managed    = "/etc/claude-code/managed-settings.json"
		dropIn     = "/etc/claude-code/managed-settings.d/"
		profile    = "/Library/Application Support/ClaudeCode/managed-settings.json"
	)
	set := func(n string) string { return `{"env":{"KEY":"sk-secret"},"cleanupPeriodDays":` + n + `}` }
	for _, c := range []struct {
		what     string
		goos     string
		files    map[string]string
		want     string
		rule     string // path
		problems int
		edits    string
	}{
		{"nothing is set", "", nil, "30..open", "", 0, user},
		{"the user's", "", map[string]string{user: set("7")}, "7..open", user, 0, user},
		{"more than the project's", "", map[string]string{user: set("90"), shared: set("7")}, "7..open", shared, 0, shared + " " + user},
		{"less than the project's: a start elsewhere", "", map[string]string{user: set("7"), shared: set("90")}, "7..open", user, 0, shared + " " + user},
		{"local before shared", "", map[string]string{user: set("90"), shared: set("7"), local: set("60")}, "60..open", local, 0, local + " " + user},
		{"local of the home", "", map[string]string{home: set("9")}, "9..open", home, 0, user},
		{"managed before all", "", map[string]string{managed: set("14"), user: set("3"), local: set("2")}, "14..open", managed, 0, "!" + managed},
		{"managed, longer", "", map[string]string{managed: set("3650"), user: set("3")}, "3650..open", managed, 0, ""},
		{"the last beside managed", "", map[string]string{managed: set("14"), dropIn + "10-a.json": set("20"), dropIn + "20-b.json": set("25"), dropIn + "30-c.json": `{}`, dropIn + "x.txt": set("1")}, "25..open", dropIn + "20-b.json", 0, "!" + dropIn + "20-b.json"},
		{"a server's: nothing is unseen", "", map[string]string{sent: set("5"), user: set("3")}, "5..5", sent, 0, "!" + sent},
		{"a server's and the machine's: either", "", map[string]string{sent: set("5"), managed: set("14")}, "5..14", sent, 0, "!" + managed + " !" + sent},
		{"a server's on a Mac, where a profile may say otherwise", "darwin", map[string]string{sent: set("5")}, "5..open", sent, 0, "!" + sent},
		{"a Mac's managed settings", "darwin", map[string]string{profile: set("14")}, "14..open", profile, 0, "!" + profile},
		{"0 is refused", "", map[string]string{user: set("0")}, "30..open", "", 1, user},
		{"less than 0", "", map[string]string{user: set("-1")}, "30..open", "", 1, user},
		{"no number", "", map[string]string{user: set(`"7"`)}, "30..open", "", 1, user},
		{"part of a day", "", map[string]string{user: set("7.5")}, "30..open", "", 1, user},
		{"a whole number all the same", "", map[string]string{user: set("7.0")}, "7..open", user, 0, user},
		{"null", "", map[string]string{user: set("null")}, "30..open", "", 1, user},
		{"a length that no date has", "", map[string]string{user: set("99999999999")}, "100000..open", user, 0, ""},
		{"enough", "", map[string]string{user: set("3650")}, "3650..open", user, 0, ""},
		{"damaged", "", map[string]string{user: `{"cleanupPeriodDays": 90`}, "30..open", "", 1, user},
		{"comments are damage", "", map[string]string{user: "{// long\n\"cleanupPeriodDays\": 90}"}, "30..open", "", 1, user},
		{"a list", "", map[string]string{user: `[]`}, "30..open", "", 1, user},
		{"empty", "", map[string]string{user: " \n"}, "30..open", "", 0, user},
		{"a byte order mark", "", map[string]string{user: "\ufeff" + set("7")}, "7..open", user, 0, user},
		{"damaged in the project", "", map[string]string{user: set("90"), shared: `{`}, "90..open", user, 1, user},
		{"a damaged local file hides no shared one", "", map[string]string{user: set("90"), local: `{`, shared: set("7")}, "7..open", shared, 1, shared + " " + user},
		{"damaged beside a server's", "", map[string]string{sent: set("5"), user: `{`}, "5..open", sent, 1, "!" + sent},
	} {
		t.Run(c.what, func(t *testing.T) {
			if c.goos == "" {
				c.goos = "linux"
			}
			if c.files == nil {
				c.files = map[string]string{}
			}
			c.files[swept] = ""
			r := retained(t, c.goos, c.files)
			if len(r.Fates) != 1 {
				t.Fatalf("%+v", r.Fates)
			}
			if f := r.Fates[0]; days(f.Span) != c.want || f.Rule.Path != c.rule {
				t.Errorf("%s by %+v, want %s by %q", days(f.Span), f.Rule, c.want, c.rule)
			}
			if len(r.Problems) != c.problems {
				t.Errorf("problems %+v, want %d", r.Problems, c.problems)
			}
			var edits []string
			for _, e := range r.Edits {
				switch e.JSON {
				case "":
					edits = append(edits, "!"+e.Path)
				case `{"cleanupPeriodDays": 3650}`:
					edits = append(edits, e.Path)
				default:
					t.Errorf("an edit puts in %q", e.JSON)
				}
			}
			slices.Sort(edits)
			want := strings.Fields(strings.ReplaceAll(c.edits, "Application Support", "Application\x00Support"))
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], "\x00", " ")
			}
			slices.Sort(want)
			if !slices.Equal(edits, want) {
				t.Errorf("edits %q, want %q", edits, want)
			}
			if all := fmt.Sprintf("%+v", r); strings.Contains(all, "secret") {
				t.Errorf("another value of a settings file is told: %s", all)
			}
		})
	}
}

// What the sweep does with each kind of file, in days behind the day on which the
// transcript was written; "" is never.
func TestRetentionStores(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	gone := "/h/.claude/projects/-srv-app/22222222-2222-4222-8222-222222222222/"
	files := map[string]string{
		swept:                                                        "",
		below + "subagents/agent-a.jsonl":                            "10|",
		below + "subagents/agent-a.meta.json":                        "10|{}",
		below + "tool-results/old.txt":                               "10|x",
		below + "tool-results/new.txt":                               "x",
		below + "workflows/scripts/w.js":                             "3|x",
		below + "workflows/r.json":                                   "4|{}",
		below + "session-memory/summary.md":                          "10|x",
		below + "custom-title.json":                                  "10|{}",
		gone + "subagents/agent-b.jsonl":                             "2|",
		gone + "tool-results/left.txt":                               "5|x",
		"/h/.claude/projects/-srv-app/agent-0123abc.jsonl":           "8|",
		"/h/.claude/projects/-srv-app/memory/MEMORY.md":              "400|x",
		"/h/.claude/history.jsonl":                                   "400|",
		"/h/.claude/stats-cache.json":                                "400|{}",
		"/h/.claude/settings.local.json":                             "400|{}",
		"/h/.claude/CLAUDE.md":                                       "400|x",
		"/h/.claude/plans/calm-red-fox.md":                           "1|x",
		"/h/.claude/tasks/" + id + "/1.json":                         "6|{}",
		"/h/.claude/tasks/team/1.json":                               "7|{}",
		"/h/.claude/todos/" + id + "-agent-" + id + ".json":          "9|[]",
		"/h/.claude/file-history/" + id + "/0123456789abcdef@v1":     "11|x",
		"/h/.claude/debug/" + id + ".txt":                            "12|x",
		"/h/.claude/usage-data/facets/" + id + ".json":               "13|{}",
		"/h/.claude/usage-data/report.html":                          "14|x",
		"/h/.claude/paste-cache/0123456789abcdef.txt":                "15|x",
		"/h/.claude/image-cache/" + id + "/1.png":                    "16|x",
		"/h/.claude/shell-snapshots/snapshot-zsh-1770000000000-a.sh": "17|x",
		"/h/.claude/backups/.claude.json.backup.1770000000000":       "18|{}",
		"/h/.claude/sessions/4711.json":                              "19|{}",
		"/h/.claude/session-env/" + id + "/env":                      "20|x",
		"/h/.claude/.credentials.json":                               "21|x",
		"/h/.claude/uploads/" + id + "/a.txt":                        "22|x",
	}
	want := map[string]string{ // earliest day, session
		swept:                                                        "30 " + id,
		below + "subagents/agent-a.jsonl":                            "30 " + id, // with its transcript, however old
		below + "subagents/agent-a.meta.json":                        "30 " + id,
		below + "tool-results/old.txt":                               "20 " + id, // on its own
		below + "tool-results/new.txt":                               "30 " + id,
		below + "workflows/scripts/w.js":                             "27 " + id,
		below + "workflows/r.json":                                   "26 " + id,
		below + "session-memory/summary.md":                          "30 " + id,
		below + "custom-title.json":                                  "30 " + id,
		gone + "subagents/agent-b.jsonl":                             "28 22222222-2222-4222-8222-222222222222", // nothing to go with
		gone + "tool-results/left.txt":                               "25 22222222-2222-4222-8222-222222222222",
		"/h/.claude/projects/-srv-app/agent-0123abc.jsonl":           "22 ",
		"/h/.claude/plans/calm-red-fox.md":                           "29 ",
		"/h/.claude/tasks/" + id + "/1.json":                         "24 " + id,
		"/h/.claude/tasks/team/1.json":                               "23 ",
		"/h/.claude/todos/" + id + "-agent-" + id + ".json":          "-9 " + id, // emptied by any sweep
		"/h/.claude/file-history/" + id + "/0123456789abcdef@v1":     "19 " + id,
		"/h/.claude/debug/" + id + ".txt":                            "18 " + id,
		"/h/.claude/usage-data/facets/" + id + ".json":               "17 " + id,
		"/h/.claude/usage-data/report.html":                          "16 ",
		"/h/.claude/paste-cache/0123456789abcdef.txt":                "15 ",
		"/h/.claude/image-cache/" + id + "/1.png":                    "-16 " + id, // by any sweep of another session
		"/h/.claude/shell-snapshots/snapshot-zsh-1770000000000-a.sh": "13 ",
		"/h/.claude/backups/.claude.json.backup.1770000000000":       "12 ",
		"/h/.claude/uploads/" + id + "/":                             "8 " + id,
	}
	got := map[string]string{}
	for _, f := range retained(t, "linux", files).Fates {
		day, _, _ := strings.Cut(days(f.Span), "..")
		got[f.Source.Path] = day + " " + f.Session
		if (f.Session == id) != strings.HasSuffix(f.Family, id) {
			t.Errorf("%s of session %q has the family %q", f.Source.Path, f.Session, f.Family)
		}
		if f.Reason == "" {
			t.Errorf("%s has no reason", f.Source.Path)
		}
	}
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s: %q, want %q", path, got[path], want[path])
		}
		delete(got, path)
	}
	if len(got) > 0 {
		t.Errorf("these stay: %q", got)
	}
}

// A session that the desktop app lists counts as swept, since only one report says
// that it is spared; how long it may be spared is what a setting bounds.
func TestRetentionOfDesktopSessions(t *testing.T) {
	entry := map[string]string{"/h/.config/Claude/claude-code-sessions/a/o/local_1.json": `{"cliSessionId":"11111111-1111-4111-8111-111111111111"}`}
	const sent = "/h/.claude/remote-settings.json"
	for _, c := range []struct {
		what, settings, remote, want string
	}{
		{"nothing is set", `{}`, "", "30..open"},
		{"a bound, but a server may say otherwise", `{"desktopSessionCleanupPeriodDays":90}`, "", "30..open"},
		{"a bound", `{"desktopSessionCleanupPeriodDays":90}`, `{"cleanupPeriodDays":20}`, "20..90"},
		{"a bound that is shorter", `{"desktopSessionCleanupPeriodDays":9}`, `{"cleanupPeriodDays":20}`, "20..20"},
		{"no bound", `{}`, `{"cleanupPeriodDays":20}`, "20..open"},
	} {
		files := maps.Clone(entry)
		files[swept], files["/h/.claude/settings.json"] = "", c.settings
		if c.remote != "" {
			files[sent] = c.remote
		}
		r := retained(t, "linux", files)
		if len(r.Fates) != 1 || days(r.Fates[0].Span) != c.want || !strings.Contains(r.Fates[0].Reason, "desktop app") {
			t.Errorf("%s: %+v, want %s", c.what, r.Fates, c.want)
		}
	}
}

// What is on no disk is said, by platform.
func TestRetentionSaysWhatItCannotSee(t *testing.T) {
	for goos, want := range map[string]int{"linux": 2, "darwin": 3, "windows": 3} {
		if r := retained(t, goos, map[string]string{swept: ""}); len(r.Unseen) != want {
			t.Errorf("%s: %q, want %d", goos, r.Unseen, want)
		}
	}
	if r := retained(t, "linux", map[string]string{swept: "", "/h/.claude/remote-settings.json": `{"cleanupPeriodDays":5}`}); len(r.Unseen) != 0 {
		t.Errorf("a server's settings are there: %q", r.Unseen)
	}
}
