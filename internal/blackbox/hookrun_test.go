//go:build unix

package blackbox

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The hook says nothing, exits with 0 and makes one entry, whatever it is told.
func TestHookRun(t *testing.T) {
	h, _, transcript := hooked(t, "{}")
	secret := h.Write(".claude/.credentials.json", "{}", 0o600)
	elsewhere := h.Write("other.jsonl", "{}", 0o600)
	link := h.Symlink(elsewhere, ".claude/projects/-srv-app/link.jsonl")
	inward := h.Symlink(transcript, "inward.jsonl")
	keyed := h.Write(".claude/projects/-srv-app/gh"+"p_"+strings.Repeat("aB3dE6gH9", 4)+".jsonl", "{}", 0o600)
	seen := 0
	for _, c := range []struct{ input, transcript string }{
		{`{"transcript_path":` + jsonString(keyed) + `}`, ""}, // the queue holds no credential
		{`{"session_id":"x","transcript_path":` + jsonString(transcript) + `,"hook_event_name":"SessionEnd","reason":"clear"}`, transcript},
		{`{"transcript_path":` + jsonString(filepath.Dir(transcript)+"/../-srv-app/"+filepath.Base(transcript)) + `}`, transcript},
		{`{"transcript_path":` + jsonString(transcript) + `,"hook_event_name":"SessionStart"}`, ""},
		{`{"transcript_path":` + jsonString(secret) + `}`, ""},
		{`{"transcript_path":` + jsonString(elsewhere) + `}`, ""},
		{`{"transcript_path":` + jsonString(link) + `}`, ""},
		{`{"transcript_path":` + jsonString(inward) + `}`, ""}, // what lies elsewhere is not even looked at
		{`{"transcript_path":` + jsonString(h.Path(".claude/projects/../../other.jsonl")) + `}`, ""},
		{`{"transcript_path":"/etc/passwd"}`, ""}, {`{"transcript_path":".claude/projects/-srv-app/` + S1 + `.jsonl"}`, ""}, {`{"transcript_path":"\u0000"}`, ""},
		{"", ""}, {"\x00\xff", ""}, {"[]", ""}, {strings.Repeat("{", 1<<20), ""},
	} {
		r := h.Do(Run{Args: []string{"archive", "hook", "run"}, Each: func(cmd *exec.Cmd) { cmd.Stdin = strings.NewReader(c.input) }}).exits(t, 0)
		if r.Stdout+r.Stderr != "" {
			t.Errorf("%.100q: it says %q and %q", c.input, r.Stdout, r.Stderr)
		}
		seen++
		q := h.queue(t)
		if len(q) != seen {
			t.Fatalf("%.100q: %d entries, want %d", c.input, len(q), seen)
		}
		if got, _ := q[seen-1]["transcript"].(string); got != c.transcript {
			t.Errorf("%.100q: waits for %q, want %q", c.input, got, c.transcript)
		}
	}
	if st := h.hookStatus(t, 1); st.Queue != seen {
		t.Errorf("the queue has %d entries, status says %d", seen, st.Queue)
	}
	// Words that are none of its own, a config that is none, a folder that cannot be written.
	h.Write(".config/seshat/config.toml", "roots = [", 0o600)
	silent := func(args ...string) {
		t.Helper()
		if r := h.Run(append([]string{"archive", "hook", "run"}, args...)...).exits(t, 0); r.Stdout+r.Stderr != "" {
			t.Errorf("%q: it says %q and %q", args, r.Stdout, r.Stderr)
		}
	}
	silent()
	if got := len(h.queue(t)); got != seen+1 {
		t.Errorf("with a broken config there are %d entries, want %d", got, seen+1)
	}
	silent("--help")
	silent("--nonsense", "x")
	h.Vars["SESHAT_DATA_DIR"] = h.Write("file", "", 0o600)
	silent()
	h.Vars["SESHAT_DATA_DIR"] = h.Path(".claude/data")
	silent()
}

// It takes no longer for a transcript of any size, nor for a writer that never ends.
func TestHookRunIsQuick(t *testing.T) {
	h, _, transcript := hooked(t, "{}")
	if err := os.Truncate(transcript, 4<<30); err != nil {
		t.Fatal(err)
	}
	env, err := h.environment()
	if err != nil {
		t.Fatal(err)
	}
	for what, input := range map[string]string{"all": `{"transcript_path":` + jsonString(transcript) + `}`, "half": `{"transcript_path":`} {
		best := time.Hour
		for range 5 {
			cmd := exec.Command(Binary(t), "archive", "hook", "run")
			cmd.Env, cmd.Dir = env, h.Dir
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(in, input)
			_, err = cmd.Process.Wait() // the other end of its input stays open
			best = min(best, time.Since(start))
			if err != nil {
				t.Error(err)
			}
			in.Close()
		}
		if best > 200*time.Millisecond {
			t.Errorf("%s: it takes %v", what, best)
		}
	}
	if got := len(h.queue(t)); got != 10 {
		t.Errorf("%d entries, want 10", got)
	}
	if err := os.Truncate(transcript, 0); err != nil {
		t.Fatal(err)
	}
}

// What the hook is for: when Claude Code has ended a session, the session is archived,
// the whole of it, and nothing of Claude Code's is touched.
func TestHookArchives(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits until a transcript has been quiet")
	}
	h, _, transcript := draining(t, "{}")
	input := `{"transcript_path":` + jsonString(transcript) + `,"hook_event_name":"SessionEnd","reason":"other"}`
	for range 3 { // of which one drain sees to all
		h.Do(Run{Args: []string{"archive", "hook", "run"}, Each: func(cmd *exec.Cmd) { cmd.Stdin = strings.NewReader(input) }}).exits(t, 0)
	}
	h.Append(transcript, U("m2", "m1", "written as it ended")+"\n")
	before := list(h.Dir)
	start := time.Now()
	h.settle()
	if took := time.Since(start); took < 4*time.Second {
		t.Errorf("the archive did not wait: %v", took)
	}
	if changed := before.changes(list(h.Dir)); len(changed) > 0 {
		t.Errorf("law 1: the drain changed the disk: %q", changed)
	}
	if q := h.queue(t); len(q) > 0 {
		t.Errorf("the queue holds %v", q)
	}
	h.Run("archive").exits(t, 1) // nothing is new
	if r := h.Run("archive", "hook", "status").exits(t, 1); !strings.Contains(r.Stdout, "archived what 3 hooks named") {
		t.Errorf("%q", r.Stdout)
	}
}

// A drain that was killed leaves its entries to the next.
func TestHookDrainIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits until a transcript has been quiet")
	}
	h, _, transcript := hooked(t, "{}")
	h.Do(Run{Args: []string{"archive", "hook", "run"}, Each: func(cmd *exec.Cmd) {
		cmd.Stdin = strings.NewReader(`{"transcript_path":` + jsonString(transcript) + `}`)
	}}).exits(t, 0)
	h.settle()
	queue := filepath.Join(h.base, "data", "hook", "queue")
	other := filepath.Join(h.base, "data2", "hook", "queue")
	if err := errors.Join(os.MkdirAll(filepath.Dir(other), 0o700), os.Rename(queue, other)); err != nil {
		t.Fatal(err)
	}
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data2")
	env, err := h.environment()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(Binary(t), "archive", "hook", "drain")
	cmd.Env, cmd.Dir = env, h.Dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if left, _ := os.ReadDir(other); len(left) != 1 {
		t.Errorf("%d entries are left", len(left))
	}
	h.Do(Run{Args: []string{"archive", "hook", "drain"}, Within: 30 * time.Second}).exits(t, 0)
	if left, _ := os.ReadDir(other); len(left) != 0 {
		t.Errorf("%d entries are left", len(left))
	}
	h.Run("archive").exits(t, 1)
}

// While one drain works another ends at once; with nothing to do so does the first.
func TestHookDrain(t *testing.T) {
	h, _, _ := hooked(t, "{}")
	h.Do(Run{Args: []string{"archive", "hook", "drain"}, Within: 3 * time.Second}).exits(t, 1)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data2")
	h.Do(Run{Args: []string{"archive", "hook", "drain"}, Within: 3 * time.Second}).exits(t, 0)
}
