package blackbox

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// lacking ends a test that needs what this machine has not. Where CI runs on Linux all of
// it is at hand, and a law that is not tested there would be missed by nobody: so there the
// test fails. Elsewhere it is skipped, with the reason.
func lacking(t *testing.T, format string, args ...any) {
	t.Helper()
	if runtime.GOOS == "linux" && os.Getenv("CI") != "" {
		t.Fatalf("NOT TESTED in CI: "+format, args...)
	}
	t.Skipf("NOT TESTED: "+format, args...)
}

// The harness is only worth something when it sees what it should.
func TestListingSeesEveryChange(t *testing.T) {
	for what, change := range map[string]func(h *Home){
		"created":  func(h *Home) { h.Write("new", "", 0o600) },
		"removed":  func(h *Home) { os.Remove(h.Path("a/file")) },
		"content":  func(h *Home) { h.Write("a/file", "other", 0o600); h.Touch("a/file", time.Unix(1e9, 0)) },
		"mode":     func(h *Home) { os.Chmod(h.Path("a/file"), 0o640) },
		"time":     func(h *Home) { h.Touch("a/file", time.Unix(1e9, 1)) },
		"relinked": func(h *Home) { os.Remove(h.Path("a/link")); h.Symlink("a", "a/link") },
		"folder":   func(h *Home) { h.Touch("a", time.Unix(5, 0)) },
	} {
		h := New(t)
		h.Write("a/file", "bytes", 0o600)
		h.Touch("a/file", time.Unix(1e9, 0))
		h.Symlink("file", "a/link")
		h.Touch("a", time.Unix(1e9, 0))
		before := list(h.Dir)
		if got := before.changes(list(h.Dir)); len(got) > 0 {
			t.Errorf("%s: two listings differ: %q", what, got)
		}
		change(h)
		if got := before.changes(list(h.Dir)); len(got) == 0 {
			t.Errorf("%s: not seen", what)
		}
	}
}

func TestRunsStayInside(t *testing.T) {
	h := New(t)
	for path, want := range map[string]bool{
		h.Dir: true, h.Path(".claude/projects"): true, h.Tmp: true, h.base: false, filepath.Dir(h.base): false, "/": false,
		h.base + "/../other": false,
	} {
		if got := h.Inside(path); got != want {
			t.Errorf("Inside(%s) = %v, want %v", path, got, want)
		}
	}
	h.Symlink(filepath.Dir(h.base), "out")
	if h.Inside(h.Path("out")) {
		t.Error("a link leads outside")
	}
	if home, err := os.UserHomeDir(); err == nil && h.Inside(home) {
		t.Error("the home of whoever runs the tests is not a test's")
	}
	// Whoever runs the tests may use seshat and the agents.
	t.Setenv("CLAUDE_CONFIG_DIR", "/elsewhere")
	t.Setenv("SESHAT_CONFIG", "/elsewhere")
	env, err := h.environment()
	if err != nil || strings.Contains(strings.Join(env, "\n"), "elsewhere") {
		t.Errorf("the environment of a run: %q, %v", env, err)
	}
	for name, value := range map[string]string{
		"HOME": "/", "XDG_CONFIG_HOME": "/etc", "TMPDIR": os.TempDir(), "CLAUDE_CONFIG_DIR": filepath.Dir(h.base), "USERPROFILE": h.base,
	} {
		h.Vars = map[string]string{name: value}
		if _, err := h.environment(); err == nil {
			t.Errorf("a run with %s=%s is not refused", name, value)
		}
	}
	h.Vars = map[string]string{"HOME": "home"} // relative to who knows what
	if _, err := h.environment(); err == nil {
		t.Error("a run with a relative home is not refused")
	}
}

func TestVocabulary(t *testing.T) {
	for cwd, want := range map[string]string{
		"/srv/app": "-srv-app", "/srv/parent/my-app_v1.2": "-srv-parent-my-app-v1-2", `C:\Users\x`: "C--Users-x",
		"/srv/新聞": "-srv---", "/a/😀": "-a---",
	} {
		if got := P(cwd); got != want {
			t.Errorf("P(%q) = %q, want %q", cwd, got, want)
		}
	}
	h := New(t)
	got := h.Fill("/srv/app", S1, "{}", U("m1", "", `say "hi"`))
	want := "{}\n" + `{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/srv/app","sessionId":"` + S1 + `",` +
		`"version":"2.1.200","gitBranch":"main","type":"user","message":{"role":"user","content":"say \"hi\""},"uuid":"m1",` +
		`"timestamp":"2026-01-02T03:04:02.000Z"}` + "\n"
	if got != want {
		t.Errorf("a record reads\n%swant\n%s", got, want)
	}
}
