//go:build unix

package blackbox

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// draining is a home with a session of Claude Code and with settings.
func draining(t *testing.T, settings string) (h *Home, path, transcript string) {
	t.Helper()
	h = New(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data")
	transcript = h.Claude("/srv/app", S1, U("m1", "", "hello there"))
	path = h.Path(".claude/settings.json")
	if settings != "" {
		h.Write(path, settings, 0o640)
	}
	t.Cleanup(h.settle)
	return h, path, transcript
}

// hooked is such a home in which no drain works: the lock of drains is taken.
func hooked(t *testing.T, settings string) (h *Home, path, transcript string) {
	t.Helper()
	h, path, transcript = draining(t, settings)
	dir := filepath.Join(h.base, "data", "hook")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.settle()
		lock.Close()
	})
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return h, path, transcript
}

// settle waits until the drains that were started in the home have ended.
func (h *Home) settle() {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
		if err != nil || len(lines) == 0 { // not Linux
			time.Sleep(time.Second)
			return
		}
		if !slices.ContainsFunc(lines, func(path string) bool {
			line, _ := os.ReadFile(path)
			if !bytes.HasSuffix(line, []byte("\x00hook\x00drain\x00")) {
				return false
			}
			env, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
			return bytes.Contains(env, []byte(h.base))
		}) {
			return
		}
	}
}

// jsonString writes a text as JSON.
func jsonString(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// queue reads the entries in the queue.
func (h *Home) queue(t *testing.T) (out []map[string]any) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(h.base, "data", "hook", "queue", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		var v map[string]any
		b, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(b, &v)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, v)
	}
	return out
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// added is what installing puts into settings that are on one line.
func added(t *testing.T) string {
	t.Helper()
	return `"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"'` + Binary(t) + `' archive hook run","timeout":5}]}]}`
}

func TestHookInstall(t *testing.T) {
	h, path, _ := hooked(t, `{"model":"opus"}`)
	r := h.Run("archive", "hook", "install").exits(t, 0) // law 1: nothing changes
	_, snippet, _ := strings.Cut(r.Stdout, "\n\n")
	var v any
	if err := json.Unmarshal([]byte(snippet), &v); err != nil || !strings.Contains(r.Stdout, "~/.claude/settings.json") {
		t.Errorf("it prints %q: %v", r.Stdout, err)
	}
	h.Run("archive", "hook", "remove").exits(t, 1)
	h.Run("archive", "hook", "status").exits(t, 1)

	r = h.Do(Run{Args: []string{"archive", "hook", "install", "--write"}, Writes: path}).exits(t, 0)
	if got, want := content(t, path), `{"model":"opus",`+added(t)+`}`; got != want {
		t.Errorf("the settings are %s\nwant %s", got, want)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode() != 0o640 {
		t.Errorf("the mode is %v, %v", fi.Mode(), err)
	}
	_, backup, _ := strings.Cut(strings.TrimSpace(r.Stdout), "before is in ")
	if !strings.HasPrefix(backup, filepath.Join(h.base, "data")+"/") || content(t, backup) != `{"model":"opus"}` {
		t.Errorf("the backup is in %q", backup)
	}
	if fi, err := os.Stat(backup); err != nil || fi.Mode() != 0o600 {
		t.Errorf("the backup's mode is %v, %v", fi.Mode(), err)
	}
	if r := h.Run("archive", "hook", "install", "--write").exits(t, 1); r.Stdout != "~/.claude/settings.json has the hook already\n" {
		t.Errorf("a second time: %q", r.Stdout)
	}
	h.Run("archive", "hook", "status").exits(t, 0)
	h.Run("archive", "hook", "remove").exits(t, 0)
	h.Do(Run{Args: []string{"archive", "hook", "remove", "--write"}, Writes: path}).exits(t, 0)
	if got := content(t, path); got != `{"model":"opus"}` {
		t.Errorf("taken out, the settings are %s", got)
	}
	h.Run("archive", "hook", "remove", "--write").exits(t, 1)
}

// Whatever the layout, what is taken out is what was put in.
func TestHookRoundTrip(t *testing.T) {
	for _, settings := range []string{
		"{}", "{\r\n\t\"a\": [1,\r\n\t2]\r\n}\r\n", "{\n\t\"hooks\": {\n\t\t\"Stop\": [ ]\n\t}\n}", `{"hooks":{"SessionEnd":[{"matcher":"clear","hooks":[{"type":"command","command":"x"}]}]}}`,
		"\n{ \"b\" : 1 , \"a\" : \"\\u00e9\" }\n\n", "{\n    \"hooks\": {}\n}\n",
	} {
		h, path, _ := hooked(t, settings)
		h.Do(Run{Args: []string{"archive", "hook", "install", "--write", "--session-start"}, Writes: path}).exits(t, 0)
		for _, event := range []string{"SessionEnd", "SessionStart"} {
			if !strings.Contains(content(t, path), `"`+event+`"`) {
				t.Errorf("%q gets no %s", settings, event)
			}
		}
		h.Do(Run{Args: []string{"archive", "hook", "remove", "--write"}, Writes: path}).exits(t, 0)
		if got := content(t, path); got != settings {
			t.Errorf("%q comes back as %q", settings, got)
		}
	}
}

// Settings that are not there are made, in a folder that is.
func TestHookMakesSettings(t *testing.T) {
	h, path, _ := hooked(t, "")
	h.Do(Run{Args: []string{"archive", "hook", "install", "--write"}, Writes: path}).exits(t, 0)
	if fi, err := os.Stat(path); err != nil || fi.Mode() != 0o600 || !strings.Contains(content(t, path), "archive hook run") {
		t.Errorf("the settings: %v, %v", fi, err)
	}
	h = New(t)
	if r := h.Run("archive", "hook", "install", "--write").exits(t, 2); !strings.Contains(r.Stderr, "no data folder of Claude Code is here") {
		t.Errorf("without a data folder: %q", r.Stderr)
	}
}

// CLAUDE_CONFIG_DIR and --root name other folders.
func TestHookInOtherFolders(t *testing.T) {
	h, _, _ := hooked(t, `{}`)
	work := h.Write("work/settings.json", `{"a":1}`, 0o600)
	h.Vars["CLAUDE_CONFIG_DIR"] = h.Path("work")
	h.Do(Run{Args: []string{"archive", "hook", "install", "--write"}, Writes: work}).exits(t, 0)
	if got := content(t, work); got != `{"a":1,`+added(t)+`}` {
		t.Errorf("the settings are %s", got)
	}
	third := h.Write("third/settings.json", `{"a":1}`, 0o600)
	h.Do(Run{Args: []string{"--root", "claude=" + h.Path("third"), "archive", "hook", "install", "--write"}, Writes: third}).exits(t, 0)
	if got := content(t, third); got != `{"a":1,`+added(t)+`}` {
		t.Errorf("the settings are %s", got)
	}
	if r := h.Run("--root", "claude="+h.Path("none"), "archive", "hook", "install", "--write").exits(t, 2); !strings.Contains(r.Stderr, "a folder that is not there") {
		t.Errorf("%q", r.Stderr)
	}
	if r := h.Run("--agent", "gemini", "archive", "hook", "status").exits(t, 2); !strings.Contains(r.Stderr, "Claude Code's") {
		t.Errorf("%q", r.Stderr)
	}
}

func TestHookThroughALink(t *testing.T) {
	h, path, _ := hooked(t, "")
	real := h.Write("dotfiles/claude.json", `{"a":1}`, 0o644)
	h.Symlink("../dotfiles/claude.json", ".claude/settings.json")
	h.Do(Run{Args: []string{"archive", "hook", "install", "--write"}, Writes: real}).exits(t, 0) // and so the link stays
	if got := content(t, real); got != `{"a":1,`+added(t)+`}` {
		t.Errorf("the settings are %s", got)
	}
	h.Run("archive", "hook", "status").exits(t, 0)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	// Law 2: not even where settings lead to it is a private file opened.
	h.FIFO(".claude/.credentials.json")
	h.Symlink(".credentials.json", ".claude/settings.json")
	for _, args := range [][]string{{"install"}, {"install", "--write"}, {"remove", "--write"}, {"status"}} {
		h.Run(append([]string{"archive", "hook"}, args...)...)
	}
	if err := os.Remove(h.Path(".claude/.credentials.json")); err != nil {
		t.Fatal(err)
	}
	h.Write(".claude/.credentials.json", `{}`, 0o600)
	if r := h.Run("archive", "hook", "install", "--write").exits(t, 2); !strings.Contains(r.Stderr, "private and never opened") {
		t.Errorf("%q", r.Stderr)
	}
}

// What is refused is left alone and said in one sentence, with what to do by hand.
func TestHookRefuses(t *testing.T) {
	for settings, says := range map[string]string{
		"{\n  // mine\n}": "has comments", "\xef\xbb\xbf{}": "byte order mark", `{"a":1,}`: "line 1", `{"hooks":[]}`: "not of the shape", `{"hooks":{},"hooks":{}}`: "twice", " ": "is empty",
	} {
		h, _, _ := hooked(t, settings)
		for _, args := range [][]string{{"install", "--write"}, {"remove", "--write"}, {"remove"}} {
			r := h.Run(append([]string{"archive", "hook"}, args...)...).exits(t, 2)
			if strings.Count(r.Stderr, "\n") != 1 || !strings.Contains(r.Stderr, says) || !strings.Contains(r.Stderr, "~/.claude/settings.json") || !strings.Contains(r.Stderr, "by hand") {
				t.Errorf("%q of %q: %q", args, settings, r.Stderr)
			}
		}
		h.Run("archive", "hook", "status").exits(t, 2)
	}
	h, path, _ := hooked(t, "{}")
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if r := h.Run("archive", "hook", "install", "--write").exits(t, 2); !strings.Contains(r.Stderr, "is read-only") {
		t.Errorf("%q", r.Stderr)
	}
	h.Vars["SESHAT_DATA_DIR"] = h.Path(".claude/data")
	if r := h.Run("archive", "hook", "install", "--write").exits(t, 2); !strings.Contains(r.Stderr, "below a folder of an agent") {
		t.Errorf("%q", r.Stderr)
	}
}

// The entry works in a shell from whatever folder the program lies in, and names
// nothing to it.
func TestHookOfAnOddProgram(t *testing.T) {
	for _, name := range []string{"my seshat", `it's "$(touch pwned)" $HOME ` + "`touch pwned`", "a\nb", "${CLAUDE_PROJECT_DIR}", "新聞 🙂", "\u202e\x1b[31m"} {
		h, path, transcript := hooked(t, "{}")
		program := filepath.Join(h.base, name, "seshat")
		if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(Binary(t))
		if err == nil {
			err = os.WriteFile(program, b, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) Result {
			return h.Do(Run{Args: args, Writes: path, Each: func(cmd *exec.Cmd) { cmd.Path = program; cmd.Args[0] = program }})
		}
		for _, args := range [][]string{{"install"}, {"install", "--write"}, {"status"}} {
			r := run(append([]string{"archive", "hook"}, args...)...).exits(t, 0)
			if strings.ContainsAny(r.Stdout+r.Stderr, "\x1b\u202e") {
				t.Errorf("%q: %q prints %q", name, args, r.Stdout)
			}
		}
		var v struct {
			Hooks map[string][]struct {
				Hooks []struct{ Command string }
			}
		}
		if err := json.Unmarshal([]byte(content(t, path)), &v); err != nil {
			t.Fatal(err)
		}
		env, err := h.environment()
		if err != nil {
			t.Fatal(err)
		}
		input, _ := json.Marshal(map[string]string{"transcript_path": transcript, "hook_event_name": "SessionEnd"})
		cmd := exec.Command("sh", "-c", v.Hooks["SessionEnd"][0].Hooks[0].Command)
		cmd.Env, cmd.Dir, cmd.Stdin = env, h.Tmp, bytes.NewReader(input)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%q: %v, %q", name, err, out)
		}
		if q := h.queue(t); len(q) != 1 || q[0]["transcript"] != transcript {
			t.Errorf("%q: the queue holds %v", name, q)
		}
		if left, _ := os.ReadDir(h.Tmp); len(left) > 0 {
			t.Errorf("%q: a shell ran %v", name, left)
		}
	}
}

// A program that moved is put right in the place of the old entry.
func TestHookOfAProgramThatMoved(t *testing.T) {
	old := strings.Replace(added(t), Binary(t), "/gone/seshat", 1)
	h, path, _ := hooked(t, "{"+old+"}")
	if r := h.Run("archive", "hook", "status").exits(t, 2); !strings.Contains(r.Stdout, "/gone/seshat, which is not there") {
		t.Errorf("%q", r.Stdout)
	}
	h.Do(Run{Args: []string{"archive", "hook", "install", "--write"}, Writes: path}).exits(t, 0)
	if got := content(t, path); got != "{"+added(t)+"}" {
		t.Errorf("the settings are %s", got)
	}
	hostile := strings.Replace(added(t), Binary(t), `/gone/\u001b[31m\u202e\n/seshat`, 1)
	h.Write(path, "{"+hostile+"}", 0o600)
	for _, args := range [][]string{{"status"}, {"status", "--json"}, {"status", "--ndjson"}} {
		if r := h.Run(append([]string{"archive", "hook"}, args...)...).exits(t, 2); strings.ContainsAny(r.Stdout+r.Stderr, "\x1b\u202e") || !strings.Contains(r.Stdout, "/gone/") {
			t.Errorf("%q prints %q", args, r.Stdout)
		}
	}
}

// hookStatus is a seshat.hook/1 object.
type hookStatus struct {
	Schema, State string
	Settings      []struct {
		Path, State, Problem string
		Off                  *struct{ Setting, Path string }
		Entries              []struct{ Event, Program, Runs string }
	}
	Off   []struct{ Folder, Setting, Path string }
	Queue int
}

func (h *Home) hookStatus(t *testing.T, code int) hookStatus {
	t.Helper()
	return h.hookStatusIn(t, "", code)
}

func (h *Home) hookStatusIn(t *testing.T, dir string, code int) hookStatus {
	t.Helper()
	var v struct{ Items []hookStatus }
	r := h.Do(Run{Args: []string{"archive", "hook", "status", "--json"}, Dir: dir}).exits(t, code)
	if err := json.Unmarshal([]byte(r.Stdout), &v); err != nil || len(v.Items) != 1 || v.Items[0].Schema != "seshat.hook/1" {
		t.Fatalf("%v: %s", err, r.Stdout)
	}
	inOrder(t, ndjson(t, h.Do(Run{Args: []string{"archive", "hook", "status", "--ndjson"}, Dir: dir})).items[0], contractKeys["seshat.hook/1"], false)
	return v.Items[0]
}

// Settings that turn hooks off are named, at each level that is on the disk.
func TestHookStatus(t *testing.T) {
	h, path, _ := hooked(t, "{"+added(t)+"}")
	st := h.hookStatus(t, 0)
	if s := st.Settings[0]; st.State != "installed" || s.Path != "~/.claude/settings.json" || s.State != "installed" || s.Off != nil || len(s.Entries) != 1 || s.Entries[0].Event != "SessionEnd" || s.Entries[0].Runs != "this" {
		t.Errorf("%+v", st)
	}
	h.Write(path, `{"disableAllHooks":true,`+added(t)+"}", 0o600)
	if s := h.hookStatus(t, 2).Settings[0]; s.State != "broken" || s.Off == nil || s.Off.Setting != "disableAllHooks true" || s.Off.Path != "~/.claude/settings.json" {
		t.Errorf("turned off: %+v", s)
	}
	if r := h.Run("archive", "hook", "status").exits(t, 2); !strings.Contains(r.Stdout, "does not run the hooks") {
		t.Errorf("%q", r.Stdout)
	}
	h.Write(".claude/remote-settings.json", `{"disableAllHooks":false}`, 0o600)
	h.hookStatus(t, 0) // managed settings overrule the person's
	h.Write(path, "{"+added(t)+"}", 0o600)
	h.Write(".claude/remote-settings.json", `{"allowManagedHooksOnly":true}`, 0o600)
	if s := h.hookStatus(t, 2).Settings[0]; s.Off == nil || s.Off.Setting != "allowManagedHooksOnly true" || s.Off.Path != "~/.claude/remote-settings.json" {
		t.Errorf("managed only: %+v", s)
	}
	// Only managed settings can say that.
	h.Write(".claude/remote-settings.json", `{}`, 0o600)
	h.Write(path, `{"allowManagedHooksOnly":true,`+added(t)+"}", 0o600)
	h.hookStatus(t, 0)

	h.Write("code/app/.claude/settings.json", `{"disableAllHooks":true}`, 0o600)
	st = h.hookStatusIn(t, h.Path("code/app"), 0)
	if len(st.Off) != 1 || st.Off[0].Folder != "~/code/app" || st.Off[0].Path != "~/code/app/.claude/settings.json" {
		t.Errorf("off in a folder: %+v", st.Off)
	}
	h.Write("code/app/.claude/settings.local.json", `{"disableAllHooks":false}`, 0o600)
	if st = h.hookStatusIn(t, h.Path("code/app"), 0); len(st.Off) != 0 {
		t.Errorf("on again in a folder: %+v", st.Off)
	}
	h.Write(path, "{", 0o600)
	if s := h.hookStatus(t, 2).Settings[0]; s.State != "broken" || s.Problem == "" {
		t.Errorf("broken settings: %+v", s)
	}
	// What was put in keeps its warning.
	h.Write(path, `{"disableAllHooks":true}`, 0o600)
	if r := h.Do(Run{Args: []string{"archive", "hook", "install", "--write"}, Writes: path}).exits(t, 0); !strings.Contains(r.Stderr, "disableAllHooks true") {
		t.Errorf("%q", r.Stderr)
	}
}

// Where a session ran hooks may be off too.
func TestHookStatusKnowsFolders(t *testing.T) {
	h, _, _ := hooked(t, "{"+added(t)+"}")
	h.Write("code/app/.claude/settings.local.json", `{"disableAllHooks":true}`, 0o600)
	h.Claude(h.Path("code/app"), S2, U("m1", "", "hello there"))
	if st := h.hookStatus(t, 0); len(st.Off) != 1 || st.Off[0].Path != "~/code/app/.claude/settings.local.json" {
		t.Errorf("%+v", st.Off)
	}
}

// The pages of commands that write below an agent's folder say so; what Claude Code
// alone calls is on no page.
func TestHookHelp(t *testing.T) {
	h := New(t)
	for _, name := range []string{"install", "remove", "status"} {
		help := h.Run("archive", "hook", name, "--help").exits(t, 0).Stdout
		if got := strings.Contains(help, "CHANGES A FILE OF CLAUDE CODE'S"); got != (name != "status") || !strings.Contains(help, "Exit codes: ") {
			t.Errorf("%s --help prints\n%s", name, help)
		}
	}
	help := h.Run("archive", "hook", "--help").exits(t, 0).Stdout
	if slices.ContainsFunc(strings.Fields(help), func(w string) bool { return w == "run" || w == "drain" }) {
		t.Errorf("hook --help prints\n%s", help)
	}
	for _, args := range [][]string{{"archive", "hok"}, {"archive", "hook", "instal"}, {"archive", "hook", "install", "x"}} {
		if r := h.Run(args...).exits(t, 2); strings.Count(r.Stderr, "\n") != 1 || r.Stdout != "" {
			t.Errorf("%q: %q", args, r.Stderr)
		}
	}
}
