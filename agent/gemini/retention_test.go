package gemini

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// clockStart is the moment from which days count in these tests.
var clockStart = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// usedOn writes a chat that was last used on a day, with more lines behind its
// metadata.
func usedOn(day int, session string, more ...string) string {
	meta := fmt.Sprintf(`{"sessionId":%q,"projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":%q}`, session, clockStart.AddDate(0, 0, day).Format("2006-01-02T15:04:05.000Z"))
	return strings.Join(append([]string{meta}, more...), "\n") + "\n"
}

// asked is what a person typed.
func asked(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-01T00:00:00.000Z","type":"user","content":[{"text":%q}]}`, id, text)
}

// one is a session's file of the project app; b the short id of another session.
const (
	appChats = "tmp/app/chats/session-2026-01-01T00-00-"
	one      = appChats + "aaaaaaaa.jsonl"
)

// cleaned asks for the fates of files. One whose name begins with a slash lies
// outside the data folder; one whose data begins with a number and a bar was last
// changed on that day, others on day 0.
func cleaned(t *testing.T, vars map[string]string, files map[string]string) agent.Retention {
	t.Helper()
	outside := []string{"/etc/gemini-cli", "/srv/app", "/opt/x"}
	dirs := map[string]*rootfs.Memory{"/h/.gemini": {Folder: "/h/.gemini"}}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		dir, name, at, data := "/h/.gemini", path, clockStart, files[path]
		for _, d := range outside {
			if rest, ok := strings.CutPrefix(path, d+"/"); ok {
				dir, name = d, rest
			}
		}
		if day, rest, ok := strings.Cut(data, "|"); ok {
			n := 0
			if _, err := fmt.Sscan(day, &n); err != nil {
				t.Fatal(err)
			}
			at, data = clockStart.AddDate(0, 0, n), rest
		}
		if dirs[dir] == nil {
			dirs[dir] = &rootfs.Memory{Folder: dir}
		}
		dirs[dir].File(name, data, at)
		if i := strings.LastIndexByte(name, '/'); i > 0 {
			dirs[dir].Touch(name[:i], at)
		}
	}
	dirs["/h/.gemini"].File("tmp/app/.project_root", "/srv/app", clockStart)
	env := agent.Env{Home: "/h", GOOS: "linux", Vars: vars, Open: func(dir string) (agent.Root, error) {
		if m := dirs[dir]; m != nil {
			return m, nil
		}
		return nil, fs.ErrNotExist
	}}
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	inv, err := a.Discover(context.Background(), env)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Retention(context.Background(), env, agent.Cleaning{Sources: inv.Sources})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// spans gives the fates by name, in days.
func spans(r agent.Retention) map[string]string {
	in := func(at time.Time) string {
		if at.IsZero() {
			return "open"
		}
		return fmt.Sprint(at.Sub(clockStart).Hours() / 24)
	}
	out := map[string]string{}
	for _, f := range r.Fates {
		if out[f.Source.Name] = in(f.Earliest); !f.Latest.Equal(f.Earliest) {
			out[f.Source.Name] += ".." + in(f.Latest)
		}
	}
	return out
}

func equalSpans(t *testing.T, r agent.Retention, want map[string]string) {
	t.Helper()
	if got := spans(r); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Which settings are in force, by hand: each key as the last of system defaults,
// user, trusted project and system says it, else 30 days. The session was last
// used on day 0; "" is never.
func TestRetentionSettings(t *testing.T) {
	const (
		user     = "settings.json"
		project  = "/srv/app/.gemini/settings.json"
		system   = "/etc/gemini-cli/settings.json"
		defaults = "/etc/gemini-cli/system-defaults.json"
		trust    = "trustedFolders.json"
	)
	set := func(members string) string {
		return `{"general":{"sessionRetention":{` + members + `}},"mcpServers":{"x":{"env":{"KEY":"sk-secret"}}}}`
	}
	age := func(a string) string { return set(`"maxAge":"` + a + `"`) }
	const yes, no = `{"/srv/app":"TRUST_FOLDER"}`, `{"/srv/app":"DO_NOT_TRUST"}`
	for _, c := range []struct {
		what           string
		vars           map[string]string
		files          map[string]string
		want, rule     string
		problems, note int
		edit           string
	}{
		{"nothing is set", nil, nil, "30", "", 0, 0, "/h/.gemini/settings.json"},
		{"hours", nil, map[string]string{user: age("36h")}, "1.5", "/h/.gemini/settings.json", 0, 0, "/h/.gemini/settings.json"},
		{"days", nil, map[string]string{user: age("7d")}, "7", "/h/.gemini/settings.json", 0, 0, "/h/.gemini/settings.json"},
		{"weeks", nil, map[string]string{user: age("2w")}, "14", "/h/.gemini/settings.json", 0, 0, "/h/.gemini/settings.json"},
		{"months of 30 days", nil, map[string]string{user: age("2m")}, "60", "/h/.gemini/settings.json", 0, 0, "/h/.gemini/settings.json"},
		{"years turn it off", nil, map[string]string{user: age("1Y")}, "", "", 0, 1, ""},
		{"zero turns it off", nil, map[string]string{user: age("0d")}, "", "", 0, 1, ""},
		{"a number turns it off", nil, map[string]string{user: set(`"maxAge":30`)}, "", "", 0, 1, ""},
		{"off", nil, map[string]string{user: set(`"enabled":false`)}, "", "", 0, 0, ""},
		{"no age and no number", nil, map[string]string{user: set(`"maxAge":""`)}, "", "", 0, 0, ""},
		{"less than the least of one day", nil, map[string]string{user: age("23h")}, "", "", 0, 1, ""},
		{"less than the least that is set", nil, map[string]string{user: set(`"minRetention":"60d"`)}, "", "", 0, 1, ""},
		{"a least that makes no sense is one day", nil, map[string]string{user: set(`"minRetention":"soon","maxAge":"1d"`)}, "1", "/h/.gemini/settings.json", 0, 0, ""},
		{"a number below one turns it off", nil, map[string]string{user: set(`"maxCount":0`)}, "", "", 0, 1, ""},
		{"comments", nil, map[string]string{user: "// mine\n" + age("7d")}, "7", "/h/.gemini/settings.json", 0, 0, ""},
		{"damaged", nil, map[string]string{user: `{"general":`}, "30..open", "", 1, 0, ""},
		{"defaults of the machine", nil, map[string]string{defaults: age("9d")}, "9", defaults, 0, 0, "/h/.gemini/settings.json"},
		{"the user's before them", nil, map[string]string{defaults: age("9d"), user: age("7d")}, "7", "/h/.gemini/settings.json", 0, 0, ""},
		{"key by key", nil, map[string]string{defaults: set(`"maxAge":"9d","enabled":false`), user: set(`"enabled":true`)}, "9", defaults, 0, 0, "/h/.gemini/settings.json"},
		{"a trusted project before the user", nil, map[string]string{user: age("7d"), project: age("90d"), trust: yes}, "90", project, 0, 0, ""},
		{"one whose parent is trusted", nil, map[string]string{user: age("7d"), project: age("90d"), trust: `{"/srv/other":"TRUST_PARENT"}`}, "90", project, 0, 0, ""},
		{"the nearest entry counts", nil, map[string]string{user: age("7d"), project: age("90d"), trust: `{"/srv/app":"DO_NOT_TRUST","/srv":"TRUST_FOLDER"}`}, "7", "/h/.gemini/settings.json", 0, 0, ""},
		{"an untrusted project", nil, map[string]string{user: age("7d"), project: age("2d"), trust: no}, "7", "/h/.gemini/settings.json", 0, 0, ""},
		{"trust is not asked for", nil, map[string]string{user: `{"security":{"folderTrust":{"enabled":false}}}`, project: age("2d")}, "2", project, 0, 0, ""},
		{"not known to be trusted: either", nil, map[string]string{user: age("7d"), project: age("2d")}, "2..7", project, 0, 0, ""},
		{"not known to be trusted, or off", nil, map[string]string{user: age("7d"), project: set(`"enabled":false`)}, "7..open", "/h/.gemini/settings.json", 0, 0, ""},
		{"the system before all", nil, map[string]string{user: age("7d"), project: age("2d"), trust: yes, system: age("20d")}, "20", system, 0, 0, ""},
		{"the system turns it on", nil, map[string]string{user: set(`"enabled":false`), system: set(`"enabled":true`)}, "30", "", 0, 0, "!" + system},
		{"files that variables name", map[string]string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "/opt/x/s.json", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": "/opt/x/d.json"},
			map[string]string{"/opt/x/d.json": age("3d"), "/opt/x/s.json": age("4d"), system: age("5d")}, "4", "/opt/x/s.json", 0, 0, ""},
		{"defaults beside a file that a variable names", map[string]string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "/opt/x/s.json"}, map[string]string{"/opt/x/system-defaults.json": age("3d")}, "3", "/opt/x/system-defaults.json", 0, 0, ""},
		{"trust that a variable moves", map[string]string{"GEMINI_CLI_TRUSTED_FOLDERS_PATH": "/opt/x/t.json"}, map[string]string{project: age("2d"), "/opt/x/t.json": no}, "30", "", 0, 0, ""},
		{"the newest only", nil, map[string]string{user: set(`"maxCount":1`)}, "0..30", "/h/.gemini/settings.json", 0, 0, ""},
		{"more than there are", nil, map[string]string{user: set(`"maxCount":2`)}, "30", "", 0, 0, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			files := map[string]string{one: usedOn(0, "aaaaaaaa-1", asked("m", "hello"))}
			maps.Copy(files, c.files)
			r := cleaned(t, c.vars, files)
			if got := spans(r)[one]; got != c.want {
				t.Errorf("it goes on day %q, want %q", got, c.want)
			}
			if len(r.Fates) > 0 && (r.Fates[0].Rule.Path != c.rule || r.Fates[0].Where != "/srv/app") {
				t.Errorf("by %+v at %q, want %q", r.Fates[0].Rule, r.Fates[0].Where, c.rule)
			}
			if len(r.Problems) != c.problems || len(r.Notes) != c.note {
				t.Errorf("problems %+v, want %d; notes %+v, want %d", r.Problems, c.problems, r.Notes, c.note)
			}
			if c.edit != "" {
				e := agent.Edit{}
				if len(r.Edits) > 0 {
					e = r.Edits[0]
				}
				want, ok := strings.CutPrefix(c.edit, "!")
				if len(r.Edits) != 1 || e.Path != want || (e.JSON == "") != ok || !ok && e.JSON != `{"general": {"sessionRetention": {"enabled": false}}}` {
					t.Errorf("edits %+v, want one of %s", r.Edits, c.edit)
				}
			}
			if all := fmt.Sprintf("%+v", r); strings.Contains(all, "secret") {
				t.Errorf("another value of a settings file is told: %s", all)
			}
		})
	}
}

// Files that are no session to Gemini CLI go at the next start, whatever their age.
func TestRetentionOfWhatIsNoSession(t *testing.T) {
	answer := `{"id":"g","type":"gemini","content":""`
	for _, c := range []struct {
		what, name, data, reason string // "" is kept until its age
	}{
		{"a prompt", one, usedOn(0, "s", asked("m", "hello")), ""},
		{"metadata alone", one, usedOn(0, "s"), refusedMetadata},
		{"commands alone", one, usedOn(0, "s", asked("m", "/help"), asked("n", " ?")), refusedEmpty},
		{"a prompt that looks like a command", one, usedOn(0, "s", asked("m", "/home/me/x.txt explain this file")), refusedEmpty},
		{"context alone", one, usedOn(0, "s", asked("m", "<session_context>x"), asked("n", "<hook_context>y")), refusedEmpty},
		{"an answer without text", one, usedOn(0, "s", answer+`}`), refusedEmpty},
		{"an answer of a call", one, usedOn(0, "s", answer+`,"toolCalls":[{}]}`), ""},
		{"an answer of thoughts", one, usedOn(0, "s", answer+`,"thoughts":[{}]}`), ""},
		{"a notice", one, usedOn(0, "s", `{"id":"i","type":"info","content":"x"}`), refusedEmpty},
		{"a picture", one, usedOn(0, "s", `{"id":"m","type":"user","content":[{"inlineData":{"mimeType":"image/png","data":""}}]}`), ""},
		{"all taken back", one, usedOn(0, "s", asked("m", "hello"), `{"$rewindTo":"m"}`), refusedMetadata},
		{"taken back by an unknown id", one, usedOn(0, "s", asked("m", "hello"), asked("n", "/help"), `{"$rewindTo":"x"}`, asked("o", "/quit")), refusedEmpty},
		{"the history written anew", one, usedOn(0, "s", asked("m", "hello"), `{"$set":{"messages":[`+asked("c", "<session_context>")+`]}}`), refusedEmpty},
		{"a damaged line is passed over", one, usedOn(0, "s", asked("m", "/help"), asked("n", "hello")[5:]), refusedEmpty},
		{"a subagent among sessions", one, usedOn(0, "s", `{"$set":{"kind":"subagent"}}`, asked("m", "hello")), refusedSubagent},
		{"no id", one, usedOn(0, "", asked("m", "hello")), refusedUnreadable},
		{"nothing", one, "", refusedUnreadable},
		{"a byte order mark", one, "\ufeff" + usedOn(0, "s", asked("m", "hello")), refusedUnreadable},
		{"no projectHash", one, `{"sessionId":"s"}` + "\n" + asked("m", "hello") + "\n", refusedUnreadable},
		{"an object in the log's place", one, `{"sessionId":"s","lastUpdated":"2026-03-01T12:00:00.000Z","messages":[` + asked("m", "hello") + `]}`, ""},
		{"an object", appChats + "aaaaaaaa.json", "{\n\"sessionId\":\"s\",\"lastUpdated\":\"2026-03-01T12:00:00.000Z\",\"messages\":[{\"type\":\"user\",\"content\":\"hello\"}]}", ""},
		{"a cut object", appChats + "aaaaaaaa.json", `{"sessionId":"s","messages":[`, refusedUnreadable},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := cleaned(t, nil, map[string]string{c.name: "-3|" + c.data})
			if len(r.Fates) != 1 {
				t.Fatalf("%+v", r.Fates)
			}
			f, want := r.Fates[0], "30"
			if c.reason != "" {
				want = "-3"
			} else {
				c.reason = "not used for 30 days"
			}
			if spans(r)[c.name] != want || f.Reason != c.reason {
				t.Errorf("it goes on day %s, %s; want %s, %s", spans(r)[c.name], f.Reason, want, c.reason)
			}
		})
	}
}

// A session that does not say when it was used counts as used now.
func TestRetentionWithoutATime(t *testing.T) {
	equalSpans(t, cleaned(t, nil, map[string]string{one: `{"sessionId":"s","projectHash":"p"}` + "\n" + asked("m", "hello")}), map[string]string{})
}

// What goes with what: by the short id at the end of the name, and by the session.
func TestRetentionDragsAlong(t *testing.T) {
	hello, twin, orphan, other := asked("m", "hello"), appChats+"aaaaaaaa.json", "tmp/app/chats/session-2026-02-02T00-00-aaaaaaaa.jsonl", appChats+"bbbbbbbb.jsonl"
	old := fmt.Sprintf(`{"sessionId":"aaaaaaaa-1","projectHash":"p","lastUpdated":%q,"messages":[%s]}`, clockStart.AddDate(0, 0, -60).Format(time.RFC3339), hello)

	// An expired .json beside its fresh .jsonl.
	r := cleaned(t, nil, map[string]string{one: usedOn(0, "aaaaaaaa-1", hello), twin: old, other: usedOn(0, "bbbbbbbb-1", hello)})
	equalSpans(t, r, map[string]string{one: "-30", twin: "-30", other: "30"})
	for _, f := range r.Fates {
		if f.Source.Name == one && !strings.Contains(f.Reason, "session-2026-01-01T00-00-aaaaaaaa.json:") {
			t.Errorf("the reason names no other file: %s", f.Reason)
		}
	}

	// The orphan that a resume leaves, with context alone.
	equalSpans(t, cleaned(t, nil, map[string]string{one: usedOn(0, "aaaaaaaa-1", hello), orphan: "2|" + usedOn(2, "aaaaaaaa-1", asked("c", "<session_context>"))}),
		map[string]string{one: "2", orphan: "2"})

	// Names without eight letters and digits drag nothing along.
	odd, odder := appChats+"a2a-serv.jsonl", "tmp/app/chats/session-2026-02-02T00-00-a2a-serv.jsonl"
	equalSpans(t, cleaned(t, nil, map[string]string{odd: usedOn(0, "a2a-server", hello), odder: "2|" + usedOn(2, "a2a-server")}),
		map[string]string{odd: "30", odder: "2"})

	// What belongs to the session.
	r = cleaned(t, nil, map[string]string{
		one: usedOn(0, "aaaaaaaa-1", hello), other: usedOn(-5, "bbbbbbbb-1", hello),
		"tmp/app/chats/aaaaaaaa-1/agent1.jsonl":                       "-90|" + usedOn(-90, "agent1", hello),
		"tmp/app/logs/session-aaaaaaaa-1.jsonl":                       "-90|{}",
		"tmp/app/aaaaaaaa-1/plans/p.md":                               "-90|x",
		"tmp/app/aaaaaaaa-1/tracker/t.json":                           "-90|{}",
		"tmp/app/bbbbbbbb-1/plans/p.md":                               "-90|x",
		"tmp/app/tool-outputs/session-aaaaaaaa-1/run_1.txt":           "-10|x", // nothing came into the folder since
		"tmp/app/tool-outputs/session-bbbbbbbb-1/run_1.txt":           "9|x",
		"tmp/app/tool-outputs/session-cccccccc-1/run_1.txt":           "-1|x", // of a session that is gone
		"tmp/app/tool-outputs/run_0.txt":                              "-2|x",
		"tmp/app/plans/old.md":                                        "-90|x",
		"tmp/app/tracker/t.json":                                      "-90|{}",
		"tmp/app/logs.json":                                           "-90|[]",
		"tmp/app/checkpoint-tag.json":                                 "-90|{}",
		"tmp/app/memory/MEMORY.md":                                    "-90|x",
		"tmp/app/shell_history":                                       "-90|x",
		"tmp/app/checkpoints/2026-01-01T00-00-00_000Z-a-replace.json": "-4|{}",
		"tmp/app/images/clipboard-1.png":                              "-3|x",
		"tmp/background-processes/background-1.log":                   "-3|x",
	})
	equalSpans(t, r, map[string]string{
		one: "30", other: "25",
		"tmp/app/chats/aaaaaaaa-1/agent1.jsonl":                       "30",
		"tmp/app/logs/session-aaaaaaaa-1.jsonl":                       "30",
		"tmp/app/aaaaaaaa-1/plans/p.md":                               "30",
		"tmp/app/aaaaaaaa-1/tracker/t.json":                           "30",
		"tmp/app/bbbbbbbb-1/plans/p.md":                               "25",
		"tmp/app/tool-outputs/session-aaaaaaaa-1/run_1.txt":           "20",
		"tmp/app/tool-outputs/session-bbbbbbbb-1/run_1.txt":           "25",
		"tmp/app/tool-outputs/session-cccccccc-1/run_1.txt":           "29",
		"tmp/app/tool-outputs/run_0.txt":                              "28",
		"tmp/app/checkpoints/2026-01-01T00-00-00_000Z-a-replace.json": "-4",                    // at every start
		"tmp/app/images/clipboard-1.png":                              fmt.Sprint(-3 + 1.0/24), // when the next one is pasted
		"tmp/background-processes/background-1.log":                   "4",                     // after 7 days
	})
	family := r.Fates[slices.IndexFunc(r.Fates, func(f agent.Fate) bool { return f.Source.Name == one })].Family
	for _, f := range r.Fates {
		if strings.Contains(f.Source.Name, "aaaaaaaa") && (f.Family != family || f.Session != "aaaaaaaa-1") {
			t.Errorf("%s is of the family %q and session %q", f.Source.Name, f.Family, f.Session)
		}
	}
}

// Beyond the newest: of three sessions and room for two, the third goes, and the
// second once another session begins. Those of the same age by hand: used on days
// 0, -1 and -2, the newest on day 0.
func TestRetentionByNumber(t *testing.T) {
	two, three := appChats+"bbbbbbbb.jsonl", appChats+"cccccccc.jsonl"
	set := func(n int) string {
		return fmt.Sprintf(`{"general":{"sessionRetention":{"maxCount":%d,"maxAge":"30d"}}}`, n)
	}
	files := map[string]string{
		one: usedOn(0, "a", asked("m", "hello")), two: usedOn(-1, "b", asked("m", "hello")), three: usedOn(-2, "c", asked("m", "hello")), "settings.json": set(2),
		"tmp/app/tool-outputs/x.txt": "-1|x", "tmp/app/tool-outputs/y.txt": "-2|x", "tmp/app/tool-outputs/z.txt": "-3|x",
	}
	equalSpans(t, cleaned(t, nil, files), map[string]string{
		one: "30", two: "0..29", three: "0",
		"tmp/app/tool-outputs/x.txt": "29", "tmp/app/tool-outputs/y.txt": "28", "tmp/app/tool-outputs/z.txt": "-1",
	})
	// A number that makes no sense spares sessions, and no loose output.
	files["settings.json"] = set(0)
	equalSpans(t, cleaned(t, nil, files), map[string]string{
		"tmp/app/tool-outputs/x.txt": "-1", "tmp/app/tool-outputs/y.txt": "-1", "tmp/app/tool-outputs/z.txt": "-1",
	})
}

// Folders that an older version named by a hash are never cleaned.
func TestRetentionLeavesHashFolders(t *testing.T) {
	dir := "tmp/" + strings.Repeat("ab", 32) + "/"
	equalSpans(t, cleaned(t, nil, map[string]string{
		dir + "chats/session-2026-01-01T00-00-aaaaaaaa.jsonl": usedOn(-90, "a", asked("m", "hello")),
		dir + "checkpoints/a.json":                            "{}", dir + "tool-outputs/x.txt": "-90|x",
	}), map[string]string{})
}
