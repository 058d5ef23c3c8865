package blackbox

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// writes runs the program where it may change the home.
func (h *Home) writes(t *testing.T, args ...string) Result {
	t.Helper()
	env, err := h.environment()
	if err != nil {
		t.Fatal(err)
	}
	r, late := h.exec(Run{Args: args}, Binary(t), env)
	if late {
		t.Fatalf("seshat %q did not end: %+v", args, r)
	}
	return r
}

// family is a Claude session with all that belongs to one, and beside it what does not.
func family(h *Home) (dir string, mine []string) {
	app := h.Dir + "/srv/app"
	dir = ".claude/projects/" + P(app)
	mine = []string{h.Claude(app, S1, U("m1", "", "zorblax plan"), A("a1", "m1", "msg_1", T("the plan"), ""), U("m2", "a1", "thanks"))}
	for name, data := range map[string]string{
		"subagents/agent-abc123.jsonl":     h.Fill(app, S1, strings.Replace(U("s1", "", "child"), `"isSidechain":false`, `"isSidechain":true,"agentId":"abc123"`, 1)),
		"subagents/agent-abc123.meta.json": `{"agentType":"Explore","description":"dig"}`,
		"tool-results/out.txt":             "spilled output\n",
		"session-memory/notes.md":          "# notes\n",
		"custom-title.json":                `{"customTitle":"Named"}`,
	} {
		mine = append(mine, h.Write(dir+"/"+S1+"/"+name, data, 0o600))
	}
	h.Claude(app, S2, U("n1", "", "another session"))
	h.Write(dir+"/memory/MEMORY.md", "memory", 0o600)
	h.Write(".claude/settings.json", `{"cleanupPeriodDays":30}`, 0o600)
	return dir, mine
}

// Case O8: what the agent deletes comes back byte for byte, with the date of now, and a
// second restore changes nothing.
func TestO8Restore(t *testing.T) {
	h := withArchive(t)
	dir, mine := family(h)
	h.archive(t, 0)
	before := list(h.Dir)
	if err := errors.Join(os.Remove(mine[0]), os.RemoveAll(h.Path(dir+"/"+S1))); err != nil {
		t.Fatal(err)
	}
	if r := h.Run("grep", "-c", "zorblax"); r.Code != 0 {
		t.Errorf("it is not found any more: %+v", r)
	}
	if list, _ := h.sessions(t); len(list) != 2 || list[0].ID == S1 && list[0].State != "archived" || list[1].ID == S1 && list[1].State != "archived" {
		t.Errorf("%+v", list)
	}
	if r := h.Run("restore", S1, "--dry-run"); r.Code != 0 || strings.Count(r.Stdout, "restored") != len(mine) {
		t.Errorf("%+v", r)
	}
	start := time.Now().Add(-2 * time.Second)
	if r := h.writes(t, "restore", S1); r.Code != 0 || r.Stderr != "" {
		t.Fatalf("%+v", r)
	}
	after := list(h.Dir)
	for _, path := range mine {
		b, a := before[path], after[path]
		if a.hash != b.hash || a.mtime.Before(start) || runtime.GOOS != "windows" && a.mode != 0o600 {
			t.Errorf("%s: %+v, was %+v", path, a, b)
		}
		before[path] = a
		for up := filepath.Dir(path); strings.HasPrefix(up, h.Path(dir)); up = filepath.Dir(up) {
			if e := after[up]; runtime.GOOS != "windows" && e.mode != 0o700|fs.ModeDir {
				t.Errorf("%s: %v", up, e.mode)
			}
			before[up] = after[up] // what is written into a folder changes its time
		}
	}
	if changed := before.changes(after); len(changed) > 0 {
		t.Errorf("other files changed:\n%s", strings.Join(changed, "\n"))
	}
	// A second time, and when it has grown, nothing is to be done.
	if r := h.Run("restore", S1); r.Code != 1 || !strings.Contains(r.Stdout, "all of it is there already") {
		t.Errorf("again: %+v", r)
	}
	h.Append(mine[0], h.Fill("/srv/app", S1, U("m3", "m2", "more")))
	if r := h.Run("restore", S1); r.Code != 1 {
		t.Errorf("grown: %+v", r)
	}
	h.Touch(mine[0], time.Now().AddDate(0, 0, -29))
	if r := h.Run("restore", S1); r.Code != 1 || !strings.Contains(r.Stderr, "claude will delete it") {
		t.Errorf("near its end: %+v", r)
	}
	if r := h.writes(t, "restore", S1, "--touch"); r.Code != 0 || strings.Contains(r.Stderr, "will delete it") {
		t.Errorf("touched: %+v", r)
	}
	if fi, err := os.Stat(mine[0]); err != nil || fi.ModTime().Before(start) {
		t.Errorf("%v, %v", fi.ModTime(), err)
	}
}

// With all of the agent's folder gone, and into another one.
func TestRestoreAnywhere(t *testing.T) {
	h := withArchive(t)
	_, mine := family(h)
	h.archive(t, 0)
	before := list(h.Dir)
	if err := os.RemoveAll(h.Path(".claude")); err != nil {
		t.Fatal(err)
	}
	for target, args := range map[string][]string{".claude": nil, "a b/new": {"--target", h.Path("a b/new")}} {
		if r := h.writes(t, append([]string{"restore", S1}, args...)...); r.Code != 0 {
			t.Fatalf("%q: %+v", args, r)
		}
		there := 0
		for path, e := range list(h.Path(target)) {
			was := filepath.Join(h.Path(".claude"), strings.TrimPrefix(path, h.Path(target)))
			if !e.mode.IsRegular() {
				continue
			}
			there++
			if e.hash != before[was].hash {
				t.Errorf("%s is not %s", path, was)
			}
		}
		if there != len(mine) {
			t.Errorf("%s holds %d files, want %d", target, there, len(mine))
		}
	}
}

// What would do harm is refused, in one sentence, and nothing is written.
func TestRestoreRefuses(t *testing.T) {
	refuse := func(t *testing.T, h *Home, want string, args ...string) {
		t.Helper()
		if r := h.Run(append([]string{"restore"}, args...)...); r.Code != 2 || !strings.Contains(r.Stderr, want) || strings.Count(r.Stderr, "\n") != 1 || r.Stdout != "" {
			t.Errorf("%q: %+v\nwant %q", args, r, want)
		}
	}
	t.Run("the id stands elsewhere", func(t *testing.T) {
		h := withArchive(t)
		_, mine := family(h)
		h.archive(t, 0)
		text, err := os.ReadFile(mine[0])
		if err := errors.Join(err, os.Remove(mine[0])); err != nil {
			t.Fatal(err)
		}
		other := h.Write(".claude/projects/-elsewhere/"+S1+".jsonl", strings.Replace(string(text), "zorblax", "another", 1), 0o600)
		refuse(t, h, h.Tilde(other), h.Tilde(mine[0]))
		refuse(t, h, h.Tilde(other), h.Tilde(mine[0]), "--force")
	})
	t.Run("other content, and force", func(t *testing.T) {
		h := withArchive(t)
		dir, mine := family(h)
		h.archive(t, 0)
		kept, _ := os.ReadFile(mine[0])
		h.Write(dir+"/"+S1+".jsonl", h.Fill(h.Dir+"/srv/app", S1, U("x1", "", "rewritten")), 0o600)
		refuse(t, h, "stands there with other content", S1)
		pid := fmt.Sprintf(`{"pid":%d,"sessionId":%q}`, os.Getpid(), S1)
		live := h.Write(".claude/sessions/1.json", pid, 0o600)
		refuse(t, h, "is open in the process", S1, "--force")
		if err := os.Remove(live); err != nil {
			t.Fatal(err)
		}
		if r := h.writes(t, "restore", S1, "--force"); r.Code != 0 || !strings.Contains(r.Stdout, "replaced") {
			t.Fatalf("%+v", r)
		}
		if now, _ := os.ReadFile(mine[0]); string(now) != string(kept) {
			t.Errorf("%q", now)
		}
		if names, _ := filepath.Glob(filepath.Join(filepath.Dir(mine[0]), ".seshat*")); len(names) > 0 {
			t.Errorf("left: %q", names)
		}
	})
	t.Run("force, and what lies beside the transcript of a running agent", func(t *testing.T) {
		h := withArchive(t)
		dir, mine := family(h)
		h.archive(t, 0)
		h.Append(mine[0], h.Fill(h.Dir+"/srv/app", S1, U("m3", "m2", "more")))
		title := h.Write(dir+"/"+S1+"/custom-title.json", `{"customTitle":"Newer"}`, 0o600)
		h.Write(".claude/sessions/1.json", fmt.Sprintf(`{"pid":%d,"sessionId":%q}`, os.Getpid(), S1), 0o600)
		refuse(t, h, "is open in the process", S1, "--force")
		if text, _ := os.ReadFile(title); !strings.Contains(string(text), "Newer") {
			t.Errorf("%s", text)
		}
	})
	t.Run("behind a link that leads out", func(t *testing.T) {
		h := withArchive(t)
		_, mine := family(h)
		h.archive(t, 0)
		projects, moved := h.Path(".claude/projects"), h.Path("moved")
		if err := errors.Join(os.Rename(projects, moved), os.Symlink(moved, projects), os.RemoveAll(filepath.Dir(mine[0]))); err != nil {
			t.Skip("no links can be made here:", err)
		}
		refuse(t, h, "--target DIR", S1)
	})
	t.Run("with --root", func(t *testing.T) {
		h := withArchive(t)
		family(h)
		h.archive(t, 0)
		copied := h.Path("copied")
		if err := os.CopyFS(copied, os.DirFS(h.Path(".claude"))); err != nil {
			t.Fatal(err)
		}
		refuse(t, h, "leave --root away", S1, "--root", "claude="+copied)
	})
	t.Run("a target that is another's", func(t *testing.T) {
		h := withArchive(t)
		family(h)
		h.archive(t, 0)
		h.Mkdir(".gemini")
		refuse(t, h, "a data folder of gemini", S1, "--target", h.Path(".gemini"))
		refuse(t, h, "a data folder of gemini", S1, "--target", h.Path(".gemini/new"), "--dry-run")
		refuse(t, h, "a data folder of claude", S1, "--target", h.Path(".claude/projects"))
	})
	t.Run("nothing kept", func(t *testing.T) {
		h := withArchive(t)
		family(h)
		refuse(t, h, "nothing of the session", S1)
		h.Write(".claude/history.jsonl", fmt.Sprintf(`{"display":"only a prompt","pastedContents":{},"timestamp":1767323045000,"project":"/srv/app","sessionId":%q}`+"\n", S3), 0o600)
		refuse(t, h, "only its prompts are left", S3)
		refuse(t, h, "nothing is called", "nosuch")
	})
	t.Run("never what is no session's", func(t *testing.T) {
		h := withArchive(t)
		dir, _ := family(h)
		h.archive(t, 0)
		refuse(t, h, "no session", h.Path(dir+"/memory/MEMORY.md"))
	})
	t.Run("the transcript was never kept", func(t *testing.T) {
		h := withArchive(t)
		dir, mine := family(h)
		if err := os.Remove(mine[0]); err != nil {
			t.Fatal(err)
		}
		h.archive(t, 0)
		if err := os.RemoveAll(h.Path(dir + "/" + S1)); err != nil {
			t.Fatal(err)
		}
		refuse(t, h, "--partial puts back what was", "abc123")
		if r := h.writes(t, "restore", "abc123", "--partial"); r.Code != 0 || strings.Count(r.Stdout, "restored") != len(mine)-1 {
			t.Errorf("%+v", r)
		}
	})
}

// What broke off is cleared away by the next restore, which says so whatever else it is
// asked.
func TestRestoreTellsOfWhatBrokeOff(t *testing.T) {
	h := withArchive(t)
	family(h)
	dir := filepath.Join(h.Vars["SESHAT_DATA_DIR"], "restore")
	temp := h.Write(".claude/projects/.seshat-restore-00-0.part", "half", 0o600)
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	journal := fmt.Sprintf(`{"version":1,"target":%q,"stage":"staging","steps":[{"name":%q,"temp":%q,"size":4,"sum":%q}]}`,
		b64(h.Path(".claude")), b64("projects/x.jsonl"), b64("projects/"+filepath.Base(temp)), b64(strings.Repeat("0", 32)))
	for name, text := range map[string]string{"00.json": journal, "00.lock": ""} {
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if r := h.writes(t, "restore", "nosuch"); r.Code != 2 || !strings.Contains(r.Stderr, "a restore that broke off was undone") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Lstat(temp); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", temp, err)
	}
}

// Companions that were swept come back beside a transcript that lives on.
func TestRestoreCompanions(t *testing.T) {
	h := withArchive(t)
	dir, mine := family(h)
	h.archive(t, 0)
	h.Append(mine[0], h.Fill(h.Dir+"/srv/app", S1, U("m3", "m2", "more")))
	h.Write(dir+"/"+S1+"/custom-title.json", `{"customTitle":"Newer"}`, 0o600)
	if err := os.Remove(h.Path(dir + "/" + S1 + "/tool-results/out.txt")); err != nil {
		t.Fatal(err)
	}
	r := h.writes(t, "restore", S1)
	if r.Code != 0 || strings.Count(r.Stdout, "restored") != 1 || strings.Count(r.Stdout, "left") != 1 {
		t.Errorf("%+v", r)
	}
	if text, _ := os.ReadFile(h.Path(dir + "/" + S1 + "/custom-title.json")); !strings.Contains(string(text), "Newer") {
		t.Errorf("%s", text)
	}
}

// gone is a Gemini chat that was archived and deleted.
func gone(t *testing.T, h *Home, updated string) (chat string) {
	app := h.Mkdir("srv/app")
	meta := strings.Replace(GM(S1), `"lastUpdated":`+Time, `"lastUpdated":`+Quote(updated), 1)
	chat = h.Write(".gemini/tmp/app/chats/session-2026-01-02T03-04-"+S1[:8]+".jsonl", h.Fill(app, "", meta, GU("m1", "question"), GA("m2", "answer", "")), 0o600)
	h.Write(".gemini/tmp/app/chats/"+S1+"/sub.jsonl", h.Fill(app, "", GM("sub"), GU("s1", "child")), 0o600)
	h.Write(".gemini/tmp/app/.project_root", app, 0o600)
	h.Write(".gemini/projects.json", fmt.Sprintf(`{"projects":{%q:"app"}}`, app), 0o600)
	h.archive(t, 0)
	if err := os.RemoveAll(h.Path(".gemini/tmp")); err != nil {
		t.Fatal(err)
	}
	return chat
}

// A Gemini chat that is too old gets exactly one line; markers are made, the registry is
// not touched; short ids must not clash.
func TestRestoreGemini(t *testing.T) {
	for updated, lines := range map[string]int{"2020-01-02T03:04:05.000Z": 4, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"): 3} {
		h := withArchive(t)
		chat := gone(t, h, updated)
		registry := list(h.Path(".gemini/projects.json"))
		r := h.writes(t, "restore", S1)
		if r.Code != 0 || strings.Contains(r.Stderr, "one line with the date of now") != (lines == 4) {
			t.Fatalf("%+v", r)
		}
		text, err := os.ReadFile(chat)
		if err != nil || strings.Count(string(text), "\n") != lines {
			t.Fatalf("%s, %v", text, err)
		}
		if last := strings.Split(string(text), "\n")[lines-1]; lines == 4 {
			at, ok := strings.CutPrefix(last, `{"$set":{"lastUpdated":"`)
			when, err := time.Parse("2006-01-02T15:04:05.000Z", strings.TrimSuffix(at, `"}}`))
			if !ok || err != nil || time.Since(when) > time.Minute || time.Since(when) < -time.Minute {
				t.Errorf("%q", last)
			}
		}
		for _, dir := range []string{"tmp", "history"} {
			if root, err := os.ReadFile(h.Path(".gemini/" + dir + "/app/.project_root")); err != nil || string(root) != h.Path("srv/app") {
				t.Errorf("%s: %q, %v", dir, root, err)
			}
		}
		if changed := registry.changes(list(h.Path(".gemini/projects.json"))); len(changed) > 0 {
			t.Errorf("%q", changed)
		}
		if r := h.Run("restore", S1); r.Code != 1 {
			t.Errorf("again: %+v", r)
		}
	}
	h := withArchive(t)
	gone(t, h, "2026-01-02T03:04:05.000Z")
	other := h.Write(".gemini/tmp/app/chats/session-2026-09-09T03-04-"+S1[:8]+".jsonl", h.Fill("/srv/app", "", GM(S1[:9]+S2[9:]), GU("o1", "other")), 0o600)
	if r := h.Run("restore", S1); r.Code != 2 || !strings.Contains(r.Stderr, h.Tilde(other)) || !strings.Contains(r.Stderr, "short id") {
		t.Errorf("%+v", r)
	}
}

// A chat in the older format is never put beside newer ones.
func TestRestoreGeminiLegacy(t *testing.T) {
	h := withArchive(t)
	name := "tmp/app/chats/session-2025-01-02T03-04-" + S2[:8] + ".json"
	old := h.Write(".gemini/"+name, `{"sessionId":"`+S2+`","projectHash":"app","startTime":"2025-01-02T03:04:05Z","lastUpdated":"2025-01-02T03:04:05Z","messages":[{"id":"o1","timestamp":"2025-01-02T03:04:05Z","type":"user","content":"old question"}]}`, 0o600)
	h.archive(t, 0)
	if r := h.Run("restore", S2); r.Code != 1 {
		t.Errorf("it is there: %+v", r)
	}
	text, err := os.ReadFile(old)
	if err = errors.Join(err, os.Remove(old)); err != nil {
		t.Fatal(err)
	}
	if r := h.Run("restore", S2); r.Code != 2 || !strings.Contains(r.Stderr, "--session-file") {
		t.Errorf("%+v", r)
	}
	if r := h.writes(t, "restore", S2, "--target", h.Path("out")); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if got, err := os.ReadFile(h.Path("out/" + name)); err != nil || string(got) != string(text) {
		t.Errorf("%q, %v", got, err)
	}
}

// Names of any kind come back as they were.
func TestRestoreHostileNames(t *testing.T) {
	h := withArchive(t)
	app := h.Dir + "/srv/app"
	var paths []string
	for _, id := range []string{"a b", "it's", "$(touch pwned)", "-rf", "--help", "new\nline", "\x1b[2J", "\u202egnp", "a;b", "%s", ".hidden"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(id, "\n\x1b") {
			continue
		}
		paths = append(paths, h.Claude(app, id, U("u-"+id, "", "question "+id)))
	}
	h.archive(t, 0)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err := errors.Join(err, os.Remove(path)); err != nil {
			t.Fatal(err)
		}
		r := h.writes(t, "restore", path)
		if now, err := os.ReadFile(path); r.Code != 0 || err != nil || string(now) != string(text) {
			t.Errorf("%q: %+v, %v", path, r, err)
		}
		if strings.ContainsAny(r.Stdout+r.Stderr, "\x1b\u202e") || strings.Count(r.Stdout, "\n") != 2 {
			t.Errorf("%q: %q", path, r.Stdout)
		}
	}
	if _, err := os.Lstat(h.Path("pwned")); err == nil {
		t.Error("a name was run")
	}
}

// What is damaged in the archive is never written back.
func TestRestoreDamaged(t *testing.T) {
	h := withArchive(t)
	_, mine := family(h)
	h.archive(t, 0)
	before := list(h.Dir)
	packs, _ := filepath.Glob(filepath.Join(h.Vars["SESHAT_DATA_DIR"], "archive", "packs", "*"))
	for _, pack := range packs {
		text, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			text[i] ^= 0x55
		}
		if err := os.WriteFile(pack, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(mine[0]); err != nil {
		t.Fatal(err)
	}
	if r := h.writes(t, "restore", mine[0]); r.Code != 2 || !strings.Contains(r.Stderr, "damaged") {
		t.Errorf("%+v", r)
	}
	delete(before, mine[0])
	after := list(h.Dir)
	before[filepath.Dir(mine[0])] = after[filepath.Dir(mine[0])]
	if changed := before.changes(after); len(changed) > 0 {
		t.Errorf("%q", changed)
	}
}

// Case O11: a session of a second data folder is opened with the variable that leads its
// agent there, and comes back into that folder.
func TestO11RestoreAndResume(t *testing.T) {
	h := withArchive(t)
	app := h.Mkdir("srv/app")
	work := h.ClaudeIn(".claude-work", app, S1, U("w1", "", "work-profile-needle"))
	h.Claude(app, S2, U("u1", "", "usual-profile-needle"))
	h.Write(".config/seshat/config.toml", "[agents.claude]\nroots = [\"~/.claude-work\"]\n", 0o600)
	if r := h.Run("resume", S1, "--print", "--shell", "sh"); r.Code != 0 || !strings.Contains(r.Stdout, "CLAUDE_CONFIG_DIR="+h.Path(".claude-work")+" claude --resume="+S1) {
		t.Errorf("%+v", r)
	}
	if r := h.Run("resume", S2, "--print", "--shell", "sh"); r.Code != 0 || strings.Contains(r.Stdout, "CLAUDE_CONFIG_DIR") {
		t.Errorf("%+v", r)
	}
	h.archive(t, 0)
	if err := os.RemoveAll(h.Path(".claude-work/projects")); err != nil {
		t.Fatal(err)
	}
	if r := h.writes(t, "restore", S1); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(work); err != nil {
		t.Error(err)
	}
}

// Case O9: a session of which only prompts are left can be neither put back nor opened.
func TestO9RestoreAndResume(t *testing.T) {
	h := withArchive(t)
	h.Write(".claude/history.jsonl", fmt.Sprintf(`{"display":"fix the flux capacitor","pastedContents":{},"timestamp":1767323045000,"project":"/srv/app","sessionId":%q}`+"\n", S1), 0o600)
	h.archive(t, 0)
	for _, command := range []string{"restore", "resume"} {
		if r := h.Run(command, S1); r.Code != 2 || !strings.Contains(r.Stderr, "only its prompts are left") {
			t.Errorf("%s: %+v", command, r)
		}
	}
}
