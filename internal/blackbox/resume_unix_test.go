//go:build unix

package blackbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stubClaude checks what the real one checks, and tells how it was started.
const stubClaude = `#!/bin/sh
root="${CLAUDE_CONFIG_DIR:-$HOME/.claude}"
id=
for word in "$@"; do case "$word" in --resume=*) id="${word#--resume=}";; esac; done
found=0
for file in "$root"/projects/*/"$id".jsonl; do
	[ -r "$file" ] && messages=0 || continue
	while IFS= read -r line; do
		case "$line" in *'"type":"user"'*|*'"type":"assistant"'*) messages=1;; esac
	done < "$file"
	found=$((found+messages))
done
[ -d . ] || exit 70
printf 'in <%s>\n' "$(pwd; printf .)"
for word in "$@"; do printf 'word <%s>\n' "$word"; done
echo "found $found, CLAUDE_CONFIG_DIR ${CLAUDE_CONFIG_DIR-unset}"
exit ${STUB_EXIT:-0}
`

// stubGemini looks for the chat where the real one looks, and leaves what it leaves.
const stubGemini = `#!/bin/sh
root="${GEMINI_CLI_HOME:-$HOME}/.gemini"
slug=
for marker in "$root"/tmp/*/.project_root; do
	IFS= read -r folder < "$marker" || true
	[ "$folder" = "$(pwd)" ] && slug="${marker%/.project_root}"
done
found=0
for word in "$@"; do
	printf 'word <%s>\n' "$word"
	case "$word" in
	--resume=*)
		id="${word#--resume=}"
		for file in "$slug"/chats/session-*.jsonl; do
			IFS= read -r head < "$file"
			case "$head" in *'"kind":"subagent"'*) continue;; *'"projectHash":'*) ;; *) continue;; esac
			said=
			while IFS= read -r line; do
				case "$line" in *'"type":"user"'*|*'"type":"gemini"'*) said=1;; esac
			done < "$file"
			case "$said$head" in 1*"\"sessionId\":\"$id\""*) found=$((found+1));; esac
		done
		[ -n "$STUB_LEAVES" ] && echo '{}' > "$slug/chats/session-2026-02-03T04-05-$(printf %.8s "$id").jsonl" ;;
	--session-file=*) [ -r "${word#--session-file=}" ] && found=copy ;;
	esac
done
echo "found $found in $(pwd)"
exit ${STUB_EXIT:-0}
`

// stub puts a program on the path of a home, which is of nothing else.
func (h *Home) stub(name, script string) {
	h.t.Helper()
	path := h.Write("bin/"+name, script, 0o700)
	h.Vars["PATH"] = filepath.Dir(path)
}

// launched is what the stub of claude says.
func launched(dir string, found int, config string, words ...string) string {
	out := fmt.Sprintf("in <%s\n.>\n", dir)
	for _, w := range words {
		out += "word <" + w + ">\n"
	}
	return out + fmt.Sprintf("found %d, CLAUDE_CONFIG_DIR %s\n", found, config)
}

// Claude Code starts where the session ran, with the data folder that it lies in.
func TestResumeClaude(t *testing.T) {
	h := withArchive(t)
	h.stub("claude", stubClaude)
	app := h.Mkdir("srv/app")
	h.Claude(app, S1, U("u1", "", "question"))
	h.ClaudeIn(".claude-work", app, S2, U("u2", "", "question"))
	work := []string{"--root", "claude=" + h.Path(".claude-work")}
	for _, c := range []struct {
		what string
		vars string
		args []string
		want string
	}{
		{"usual", "", []string{"resume", S1}, launched(app, 1, "unset", "--resume="+S1)},
		{"prefix", "", []string{"resume", S1[:6]}, launched(app, 1, "unset", "--resume="+S1)},
		{"another root", "", append(work, "resume", S2), launched(app, 1, h.Path(".claude-work"), "--resume="+S2)},
		{"the variable is set", h.Path(".claude-work"), []string{"resume", S2}, launched(app, 1, h.Path(".claude-work"), "--resume="+S2)},
		{"usual root, the variable is set", h.Path(".claude-work"), []string{"--root", "claude=" + h.Path(".claude"), "resume", S1}, launched(app, 1, "unset", "--resume="+S1)},
		{"here", "", []string{"resume", S1, "--here"}, launched(h.Dir, 1, "unset", "--resume="+S1)},
	} {
		h.Vars["CLAUDE_CONFIG_DIR"] = c.vars
		if c.vars == "" {
			delete(h.Vars, "CLAUDE_CONFIG_DIR")
		}
		if r := h.Run(c.args...); r.Code != 0 || r.Stdout != c.want || r.Stderr != "" {
			t.Errorf("%s: %+v\nwant %q", c.what, r, c.want)
		}
		// What --print prints does the same.
		r := h.Run(append(c.args, "--print")...)
		if r.Code != 0 || strings.Count(r.Stdout, "\n") != 1 {
			t.Errorf("%s: %+v", c.what, r)
		}
		if got := h.sh(t, r.Stdout); got != c.want && !(c.vars != "" && got == strings.Replace(c.want, "unset", "", 1)) {
			t.Errorf("%s: %s does %q, want %q", c.what, r.Stdout, got, c.want)
		}
	}
	h.Vars["STUB_EXIT"] = "7"
	delete(h.Vars, "CLAUDE_CONFIG_DIR")
	if r := h.Run("resume", S1); r.Code != 7 {
		t.Errorf("the agent's exit code is lost: %+v", r)
	}
}

// sh runs a printed command in a shell, in the home and its environment.
func (h *Home) sh(t *testing.T, line string) string {
	t.Helper()
	env, err := h.environment()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Env, cmd.Dir = env, h.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%q: %v, %s", line, err, out)
	}
	return string(out)
}

// Nothing from a transcript reaches a shell or a terminal: folders of any name.
func TestResumeHostileFolders(t *testing.T) {
	for i, name := range []string{"a b", "it's", `"q"`, "$(touch pwned)", "`id`", "a;b", "-rf", "--", "new\nline", "ends\n", "\x1b[2J", "\u202egnp", "%s", `back\slash`, "*", "#x"} {
		h := withArchive(t)
		h.stub("claude", stubClaude)
		dir := h.Mkdir("srv/" + name)
		id := fmt.Sprintf("%08d%s", i, S1[8:])
		h.Claude(dir, id, U("u1", "", "question"))
		want := launched(dir, 1, "unset", "--resume="+id)
		if r := h.Run("resume", id); r.Code != 0 || r.Stdout != want {
			t.Errorf("%q: %+v", name, r)
		}
		r := h.Run("resume", id, "--print", "--ask", "-"+name+"?")
		if strings.ContainsAny(strings.TrimSuffix(r.Stdout, "\n"), "\n\x1b\u202e") {
			t.Errorf("%q: %q", name, r.Stdout)
		}
		if got, want := h.sh(t, r.Stdout), launched(dir, 1, "unset", "-p", "--resume="+id, "--", "-"+name+"?"); got != want {
			t.Errorf("%q: %q does %q, want %q", name, r.Stdout, got, want)
		}
		if _, err := os.Lstat(h.Path("pwned")); err == nil {
			t.Fatalf("%q was run", name)
		}
	}
}

// What cannot be opened is one clear sentence, and the agent is not started.
func TestResumeRefuses(t *testing.T) {
	h := withArchive(t)
	h.stub("claude", stubClaude)
	app := h.Mkdir("srv/app")
	h.Claude(app, S1, U("u1", "", "question"))
	h.Claude(app, "-rf", U("u2", "", "question"))
	h.Claude(app, "$(id)", U("u3", "", "question"))
	h.Claude("/srv/gone", S2, U("u4", "", "question"))
	h.Claude(app, S5, "not a record")
	h.Write(".claude/history.jsonl", fmt.Sprintf(`{"display":"fix the flux capacitor","pastedContents":{},"timestamp":1767323045000,"project":"/srv/app","sessionId":%q}`+"\n", S3), 0o600)
	h.Write(".claude/projects/"+P(app)+"/"+S4+"/subagents/agent-abc123.jsonl", h.Fill(app, S4, strings.Replace(U("s1", "", "lone"), `"isSidechain":false`, `"isSidechain":true,"agentId":"abc123"`, 1)), 0o600)
	h.Write(".claude/sessions/1.json", fmt.Sprintf(`{"pid":%d,"sessionId":%q}`, 1<<30, S1), 0o600)
	for _, c := range []struct{ handle, want string }{
		{"claude:-rf", `claude opens no session with the id "-rf"`},
		{"claude:$(id)", `claude opens no session with the id "$(id)"`},
		{S2, "the folder /srv/gone, in which the session ran, is gone"},
		{S3, "only its prompts are left"},
		{"abc123", "whose session's transcript is gone"},
		{S5, "no record of"},
		{"nosuch", `nothing is called "nosuch"`},
		{h.Path(".claude/history.jsonl"), "which is no session"},
	} {
		r := h.Run("resume", "--", c.handle)
		if r.Code != 2 || !strings.Contains(r.Stderr, c.want) || strings.Count(r.Stderr, "\n") != 1 || r.Stdout != "" {
			t.Errorf("%q: %+v\nwant %q", c.handle, r, c.want)
		}
	}
	// The note of a process that has ended stops nobody; that of one that runs does.
	if r := h.Run("resume", S1); r.Code != 0 {
		t.Errorf("an old note: %+v", r)
	}
	h.Write(".claude/sessions/2.json", fmt.Sprintf(`{"pid":%d,"sessionId":%q}`, os.Getpid(), S1), 0o600)
	if r := h.Run("resume", S1); r.Code != 2 || !strings.Contains(r.Stderr, "claude --resume="+S1+" --fork-session") {
		t.Errorf("open already: %+v", r)
	}
	h.Vars["PATH"] = h.Mkdir("empty")
	_ = os.Remove(h.Path(".claude/sessions/2.json"))
	if r := h.Run("resume", S1); r.Code != 2 || !strings.Contains(r.Stderr, "the program claude is on no folder of PATH") {
		t.Errorf("no program: %+v", r)
	}
	for _, args := range [][]string{{"resume"}, {"resume", S1, "--ask", "x"}, {"resume", S1, "--ask", "", "--print"}, {"resume", S1, "--shell", "sh"}, {"resume", S1, "--print", "--shell", "fish"}} {
		if r := h.Run(args...); r.Code != 2 || r.Stdout != "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// A subagent's session is its parent's; a run without a person is opened by its id; a
// session whose worktree is gone opens in its repository.
func TestResumeSays(t *testing.T) {
	h := withArchive(t)
	h.stub("claude", stubClaude)
	app := h.Mkdir("srv/app")
	h.Claude(app, S1, U("u1", "", "question"))
	h.Write(".claude/projects/"+P(app)+"/"+S1+"/subagents/agent-abc123.jsonl", h.Fill(app, S1, strings.Replace(U("s1", "", "child"), `"isSidechain":false`, `"isSidechain":true,"agentId":"abc123"`, 1)), 0o600)
	h.Claude(app, S2, strings.Replace(U("u2", "", "print run"), `"userType"`, `"entrypoint":"sdk-cli","userType"`, 1))
	h.Claude(app+"/.claude/worktrees/blue", S3, U("u3", "", "question"))
	h.Write("srv/app/.git/HEAD", "ref: refs/heads/main\n", 0o600)
	for _, c := range []struct{ handle, note, want string }{
		{"abc123", "abc123 is a subagent; its session " + S1 + " is opened", launched(app, 1, "unset", "--resume="+S1)},
		{S2, "this was a run without a person", launched(app, 1, "unset", "--resume="+S2)},
		{S3, "it is opened in its repository, ~/srv/app", launched(app, 1, "unset", "--resume="+S3)},
	} {
		if r := h.Run("resume", c.handle); r.Code != 0 || r.Stdout != c.want || !strings.Contains(r.Stderr, c.note) {
			t.Errorf("%s: %+v\nwant %q and %q", c.handle, r, c.want, c.note)
		}
	}
}

// Gemini CLI finds a session only where it ran, and may leave a file that harms it.
func TestResumeGemini(t *testing.T) {
	h := withArchive(t)
	h.stub("gemini", stubGemini)
	app := h.Mkdir("srv/app")
	chat := h.Write(".gemini/tmp/app/chats/session-2026-01-02T03-04-"+S1[:8]+".jsonl", h.Fill(app, "", GM(S1), GU("m1", "question"), GA("m2", "answer", "")), 0o600)
	h.Write(".gemini/tmp/app/.project_root", app+"\n", 0o600)
	old := h.Write(".gemini/tmp/app/chats/session-2025-01-02T03-04-"+S2[:8]+".json",
		`{"sessionId":"`+S2+`","projectHash":"app","startTime":"2025-01-02T03:04:05Z","lastUpdated":"2025-01-02T03:04:05Z","messages":[{"id":"o1","timestamp":"2025-01-02T03:04:05Z","type":"user","content":"old question"}]}`, 0o600)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"resume", S1}, "word <--resume=" + S1 + ">\nfound 1 in " + app + "\n"},
		{[]string{"resume", S2}, "word <--session-file=" + old + ">\nfound copy in " + app + "\n"},
		{[]string{"resume", S1, "--here"}, "word <--session-file=" + chat + ">\nfound copy in " + h.Dir + "\n"},
	} {
		if r := h.Run(c.args...); r.Code != 0 || r.Stdout != c.want {
			t.Errorf("%q: %+v\nwant %q", c.args, r, c.want)
		}
	}
	r := h.Run("resume", S1, "--print", "--ask", "what's left?")
	if got, want := h.sh(t, r.Stdout), "word <--resume="+S1+">\nword <--prompt=what's left?>\nfound 1 in "+app+"\n"; got != want {
		t.Errorf("%q does %q, want %q", r.Stdout, got, want)
	}
	h.Vars["STUB_LEAVES"], h.Vars["STUB_EXIT"] = "1", "3"
	env, err := h.environment()
	if err != nil {
		t.Fatal(err)
	}
	left := "~/.gemini/tmp/app/chats/session-2026-02-03T04-05-" + S1[:8] + ".jsonl"
	if r, _ := h.exec(Run{Args: []string{"resume", S1}}, Binary(t), env); r.Code != 3 || !strings.Contains(r.Stderr, "gemini left "+left) {
		t.Errorf("%+v", r)
	}
}

// A session that only the archive has is put back first; one that is there is archived.
func TestResumeArchived(t *testing.T) {
	h := withArchive(t)
	h.stub("claude", stubClaude)
	app := h.Mkdir("srv/app")
	transcript := h.Claude(app, S1, U("u1", "", "question"))
	if r := h.Run("resume", S1); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(transcript)
	if err := errors.Join(err, os.RemoveAll(h.Path(".claude/projects"))); err != nil {
		t.Fatal(err)
	}
	if r := h.Run("resume", S1, "--print"); r.Code != 0 || !strings.Contains(r.Stderr, "seshat restore "+S1) || !strings.Contains(r.Stdout, "claude --resume="+S1) {
		t.Errorf("%+v", r)
	}
	r := h.writes(t, "resume", S1)
	if r.Code != 0 || r.Stdout != launched(app, 1, "unset", "--resume="+S1) || !strings.Contains(r.Stderr, "put back from the archive") {
		t.Errorf("%+v", r)
	}
	if now, err := os.ReadFile(transcript); err != nil || string(now) != string(text) {
		t.Errorf("%q, %v", now, err)
	}
}

// Signals reach an agent that seshat waits for, and its exit code is seshat's.
func TestResumePassesSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		h := withArchive(t)
		h.stub("gemini", "#!/bin/sh\ntrap 'exit 9' TERM HUP INT\necho ready\nwhile :; do /bin/sleep 0.1; done\n")
		app := h.Mkdir("srv/app")
		h.Write(".gemini/tmp/app/chats/session-2026-01-02T03-04-"+S1[:8]+".jsonl", h.Fill(app, "", GM(S1), GU("m1", "question")), 0o600)
		h.Write(".gemini/tmp/app/.project_root", app, 0o600)
		env, err := h.environment()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(Binary(t), "resume", S1)
		cmd.Env, cmd.Dir, cmd.SysProcAttr = env, h.Dir, &syscall.SysProcAttr{Setpgid: true}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		ready := make([]byte, 5)
		if _, err := io.ReadFull(out, ready); err != nil {
			t.Fatal(err)
		}
		to := cmd.Process.Pid
		if signal == syscall.SIGINT {
			to = -to // as a terminal does: to all in it
		}
		if err := syscall.Kill(to, signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 9 {
			t.Errorf("%v: exit code %d", signal, code)
		}
	}
}
