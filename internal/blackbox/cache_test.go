package blackbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// talks is a home with sessions of all sorts: a fork, a subagent that lost its
// parent, a title of its own, a damaged line, a print run, and a chat of Gemini CLI.
// All are long settled.
func talks(t *testing.T) *Home {
	h := New(t)
	base := []string{U("m1", "", "first question"), A("m2", "m1", "msg_1", T("first answer"), ""), U("m3", "m2", "second question")}
	h.Claude("/srv/app", S1, base...)
	h.Claude("/srv/app", S2, append(slices.Clone(base), U("m4", "m3", "a turn of the fork"))...)
	h.Claude("/srv/other", S3, U("n1", "", "x"), `{"type":"user","mess`, CustomTitle("by hand"))
	h.Write(".claude/projects/-srv-other/"+S4+"/subagents/agent-a1.jsonl", h.Fill("/srv/other", S4, U("s1", "", "do it")), 0o600)
	h.Write(".claude/projects/-srv-other/"+S4+"/subagents/agent-a1.meta.json", `{"description":"what it was asked","agentType":"x"}`, 0o600)
	h.Write(".claude/projects/-srv-other/"+S3+"/custom-title.json", `{"customTitle":"by the program"}`, 0o600)
	h.Write(".claude/history.jsonl", historyLine("typed long ago", "{}", S5)+"\n", 0o600)
	h.Gemini("12345678", GM(S1), GU("g1", "a question to another"), GA("g2", "its answer", ""))
	settle()
	return h
}

// settle waits until what was written before is old enough to be kept.
func settle() { time.Sleep(2100 * time.Millisecond) }

// kept lists the files of the cache.
func (h *Home) kept() []string {
	var files []string
	_ = filepath.WalkDir(h.Cache, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	return files
}

// lists gives the list of sessions in all its forms, and what is made of it.
func (h *Home) lists() string {
	h.t.Helper()
	var out strings.Builder
	for _, args := range [][]string{{"sessions", "--json"}, {"sessions", "--all", "--ndjson"}, {"sessions", "--all"},
		{"projects", "--ndjson"}, {"expiring", "--within", "100y", "--ndjson"}, {"search", "question", "--ndjson"}} {
		res := h.Run(args...)
		fmt.Fprintf(&out, "%q %d\n%s%s", args, res.Code, res.Stdout, res.Stderr)
	}
	return out.String()
}

// Law 4: the list of sessions is the same without a cache, when one is written,
// from a warm one, and from one that is damaged in any way.
func TestSessionsAreTheSameWithAnyCache(t *testing.T) {
	t.Parallel()
	h := talks(t)
	cold := h.lists()
	if !strings.Contains(cold, `"copied":3`) || !strings.Contains(cold, "by the program") || !strings.Contains(cold, "what it was asked") {
		t.Fatalf("the list lacks what it is about:\n%s", cold)
	}
	files := h.kept()
	if len(files) == 0 {
		t.Fatal("nothing was kept")
	}
	same := func(what string) {
		t.Helper()
		if got := h.lists(); got != cold {
			t.Errorf("%s: the list is\n%s\nnot\n%s", what, got, cold)
		}
	}
	same("warm")
	damage := func(what string, change func([]byte) []byte) {
		t.Helper()
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, change(b), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		same(what)
	}
	damage("emptied", func([]byte) []byte { return nil })
	damage("cut", func(b []byte) []byte { return b[:len(b)*2/3] })
	damage("one letter of a title changed", func(b []byte) []byte { return []byte(strings.Replace(string(b), "question", "Question", 1)) })
	damage("grown", func(b []byte) []byte { return append(b, b...) })
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(file, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	same("a folder in its place")
	if err := os.RemoveAll(h.Cache); err != nil {
		t.Fatal(err)
	}
	same("deleted")
	if len(h.kept()) == 0 {
		t.Error("nothing was kept again")
	}
}

// What changes between two runs is seen, whatever the cache holds.
func TestSessionsSeeEveryChange(t *testing.T) {
	t.Parallel()
	h := talks(t)
	h.lists()
	fresh := func(what string) {
		t.Helper()
		got := h.lists()
		cache := h.Cache
		h.Cache = filepath.Join(h.base, "no-cache-"+strings.ReplaceAll(what, " ", "-"))
		want := h.lists()
		if h.Cache = cache; got != want {
			t.Errorf("%s: the list is\n%s\nnot\n%s", what, got, want)
		}
	}
	transcript := ".claude/projects/-srv-app/" + S1 + ".jsonl"
	h.Append(transcript, h.Fill("/srv/app", S1, U("m9", "m3", "one more")))
	fresh("a transcript grew")

	settle()
	h.lists()
	before, err := os.Stat(h.Path(transcript))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(h.Path(transcript))
	if err != nil {
		t.Fatal(err)
	}
	h.Write(transcript, strings.Replace(string(b), "first question", "other question", 1), 0o600)
	h.Touch(transcript, before.ModTime())
	if after, err := os.Stat(h.Path(transcript)); err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		t.Fatal("size and time were to stay: ", err)
	}
	if runtime.GOOS != "windows" { // no change time there
		fresh("a transcript was replaced with the same size and time")
		if !strings.Contains(h.lists(), "other question") {
			t.Error("the old title is still there")
		}
	}
	h.Write(".claude/projects/-srv-other/"+S3+"/custom-title.json", `{"customTitle":"by another"}`, 0o600)
	fresh("a title was given")
	if err := os.Remove(h.Path(".claude/projects/-srv-other/" + S4 + "/subagents/agent-a1.meta.json")); err != nil {
		t.Fatal(err)
	}
	fresh("what tells of a subagent went")
	h.Write(".claude/projects/-srv-app/"+S2+"/custom-title.json", `{"customTitle":"of the fork"}`, 0o600)
	fresh("a title came")
	h.Claude("/srv/new", S5, U("m1", "", "first question"))
	fresh("an older copy came")
	h.Write(".gemini/projects.json", `{"projects":{"/srv/elsewhere":"app"}}`, 0o600)
	fresh("a project moved")
	if err := os.Remove(h.Path(transcript)); err != nil {
		t.Fatal(err)
	}
	fresh("a transcript went")
}

// Two changes within one moment are seen too: what has just changed is not kept.
func TestWhatHasJustChangedIsNotKept(t *testing.T) {
	t.Parallel()
	h := New(t)
	for i := range 20 {
		h.Claude("/srv/app", S1, U("m1", "", fmt.Sprintf("question %02d", i)))
		h.Touch(".claude/projects/-srv-app/"+S1+".jsonl", time.Unix(1e9, 0))
		if res := h.Run("sessions"); !strings.Contains(res.Stdout, fmt.Sprintf("question %02d", i)) {
			t.Fatalf("change %d is not seen: %s", i, res.Stdout)
		}
	}
	if files := h.kept(); len(files) > 0 && runtime.GOOS != "windows" {
		t.Errorf("kept: %q", files)
	}
}

// A cache is for nobody else to read, whatever the umask.
func TestCacheIsPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes: access lists of the user's own folders keep others out")
	}
	for _, umask := range []string{"000", "077", "777"} {
		h := talks(t)
		h.Do(Run{Args: []string{"sessions"}, Wrap: []string{"sh", "-c", "umask " + umask + `; exec "$0" "$@"`}})
		if len(h.kept()) == 0 {
			t.Errorf("umask %s: nothing was kept", umask)
		}
		_ = filepath.WalkDir(h.Cache, func(path string, d fs.DirEntry, err error) error {
			want := fs.FileMode(0o600)
			if err == nil && d.IsDir() {
				want = 0o700
			}
			if fi, err := os.Lstat(path); err != nil || fi.Mode().Perm() != want {
				t.Errorf("umask %s: %s: %v, %v", umask, path, fi.Mode(), err)
			}
			return nil
		})
	}
}

// A cache that cannot be written, or that would lie below an agent's folder, is
// done without and not spoken of.
func TestSessionsWithoutAPlaceForACache(t *testing.T) {
	t.Parallel()
	h := talks(t)
	want := h.lists()
	h.Write("file", "", 0o600)
	h.Mkdir("shut")
	h.Symlink(h.Path(".claude"), "agents")
	h.Symlink("nowhere", "dangling")
	if err := os.Chmod(h.Path("shut"), 0o500); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"file/below", "file", "shut/cache", "dangling", ".claude/cache", ".claude", ".gemini/tmp/x", "agents/cache", "repo/.claude/cache"} {
		if dir == "shut/cache" && os.Getuid() == 0 {
			continue // nothing is shut for root
		}
		h.Vars = map[string]string{"SESHAT_CACHE_DIR": h.Path(dir)}
		for range 2 { // Run sees that nothing is written
			if got := h.lists(); got != want {
				t.Errorf("%s: the list is\n%s\nnot\n%s", dir, got, want)
			}
		}
	}
	h.Vars = map[string]string{"SESHAT_CACHE_DIR": filepath.Join(h.Cache, "mine")}
	if got := h.lists(); got != want || !slices.ContainsFunc(h.kept(), func(f string) bool { return strings.Contains(f, "mine") }) {
		t.Errorf("SESHAT_CACHE_DIR is not used: %q", h.kept())
	}
}

// Nothing is kept below a folder that is any agent's, whichever of them the run looks
// at: the usual ones, those of a variable, of the config and of --root; nor where a
// link stands for the last folder of the cache.
func TestNoCacheBelowAnyFolderOfAnAgent(t *testing.T) {
	t.Parallel()
	h := talks(t)
	list := []string{"sessions", "--json"}
	h.Write("configured/projects/-x/"+S5+".jsonl", h.Fill("/srv/x", S5, U("x1", "", "x")), 0o600)
	h.Write("named/projects/-x/"+S5+".jsonl", h.Fill("/srv/x", S5, U("x1", "", "x")), 0o600)
	h.Write(".config/seshat/config.toml", "[agents.claude]\nroots = [\"~/configured\"]\n", 0o600)
	h.Symlink(h.Path(".claude/projects"), "linked/seshat/sessions")
	h.Symlink(h.Path("elsewhere"), "linked-aside/seshat/sessions")
	h.Mkdir("elsewhere")
	old := time.Now().Add(-200 * 24 * time.Hour)
	for _, name := range []string{"new-1", "a-0123456789abcdef.cache", "new-idea.jsonl"} { // which no sweep may take
		h.Write(".claude/projects/"+name, "mine", 0o600)
		h.Touch(".claude/projects/"+name, old)
	}
	named := "claude=" + h.Path("named")
	for _, c := range []struct {
		vars map[string]string
		args []string
	}{
		{map[string]string{"XDG_CACHE_HOME": h.Path("linked")}, list},
		{map[string]string{"XDG_CACHE_HOME": h.Path("linked-aside")}, list},
		{map[string]string{"XDG_CACHE_HOME": h.Path(".claude/cache"), "CLAUDE_CONFIG_DIR": h.Path("named")}, list},
		{map[string]string{"XDG_CACHE_HOME": h.Path(".gemini/cache"), "GEMINI_CLI_HOME": h.Path("other")}, list},
		{map[string]string{"XDG_CACHE_HOME": h.Path(".config/Claude")}, list},
		{map[string]string{"XDG_CACHE_HOME": h.Path("configured")}, list},
		{map[string]string{"XDG_CACHE_HOME": h.Path("configured")}, append([]string{"--root", named}, list...)},
		{map[string]string{"XDG_CACHE_HOME": h.Path("named")}, append([]string{"--root", named}, list...)},
		{map[string]string{"XDG_CACHE_HOME": h.Path("named"), "CLAUDE_CONFIG_DIR": h.Path("named")}, append([]string{"--root", "claude=" + h.Path("configured")}, list...)},
		{map[string]string{"XDG_CACHE_HOME": h.Path(".claude")}, append([]string{"--root", named, "--agent", "gemini"}, list...)},
	} {
		h.Vars = c.vars
		h.Run(c.args...) // which sees that nothing is written
	}
}

// Runs at the same time do not disturb each other.
func TestSessionsAtTheSameTime(t *testing.T) {
	t.Parallel()
	h := talks(t)
	want := h.Run("sessions", "--all", "--json")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 3 {
				if i == 0 {
					_ = os.RemoveAll(filepath.Join(h.Cache, "seshat"))
				}
				if got := h.Run("sessions", "--all", "--json"); got != want {
					t.Errorf("the list is\n%s%s\nnot\n%s", got.Stdout, got.Stderr, want.Stdout)
				}
			}
		})
	}
	all.Wait()
	for _, file := range h.kept() {
		if !strings.HasSuffix(file, ".cache") {
			t.Errorf("left behind: %s", file)
		}
	}
}
