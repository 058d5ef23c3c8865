//go:build unix

package blackbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Law 6: what only looks like a transcript is reported, never waited for, and
// everything else is answered.
func TestSpecialFilesInThePlaceOfTranscripts(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "good-needle"))
	h.Write(app+S1+"/subagents/agent-a.jsonl", h.Fill("/srv/app", S1, U("s1", "", "good-needle of a subagent")), 0o600)
	failed := map[string]string{
		h.FIFO(app + "fifo.jsonl"):                                "FIFO",
		h.Socket(app + "socket.jsonl"):                            "socket",
		h.Mkdir(app + "folder.jsonl"):                             "folder",
		h.Symlink("nowhere.jsonl", app+"dangling.jsonl"):          "leads nowhere",
		h.Symlink("loop.jsonl", app+"loop.jsonl"):                 "leads nowhere",
		h.Symlink("fifo.jsonl", app+"to-fifo.jsonl"):              "", // the FIFO by another name
		h.Symlink("/dev/zero", app+"endless.jsonl"):               "device",
		h.FIFO(app + S1 + "/subagents/agent-fifo.jsonl"):          "FIFO",
		h.Socket(app + S1 + "/subagents/agent-socket.jsonl"):      "socket",
		h.Mkdir(app + S1 + "/subagents/agent-folder.jsonl"):       "folder",
		h.FIFO(".claude/history.jsonl"):                           "FIFO",
		h.Write(app+"unreadable.jsonl", U("x", "", "sealed"), 0):  "permission denied",
		h.Write(".claude/projects/-srv-shut/x.jsonl", "{}", 0o60): "", // its folder is the problem
	}
	shut := h.Path(".claude/projects/-srv-shut")
	os.Chmod(shut, 0)
	t.Cleanup(func() { os.Chmod(shut, 0o700) })
	failed[shut] = "permission denied"
	h.FIFO(app + "notes.txt") // of no store: nobody's business
	h.FIFO(app + "deep/er/thing")

	// Files beside a transcript tell nothing when they are no files.
	h.FIFO(app + S1 + "/custom-title.json")
	h.FIFO(app + S1 + "/subagents/agent-a.meta.json")

	want := 0
	for path, reason := range failed {
		if os.Getuid() == 0 && (reason == "permission denied" || path == shut) {
			delete(failed, path) // root reads everything
			continue
		}
		if reason != "" {
			want++
		}
	}

	r := h.Run("grep", "good-needle").exits(t, 0)
	if got := len(lines(r.Stdout)); got != 2 {
		t.Errorf("grep finds %d lines, want 2:\n%s", got, r.Stdout)
	}
	recs, sum := h.records(t, "--absolute-path", "--scope", "conversation")
	if got := texts(recs, "prompt", "dispatch"); len(got) < 2 {
		t.Errorf("the good records: %q", got)
	}
	if sum.Sources.Failed != want || sum.Complete {
		t.Errorf("%d sources failed, want %d", sum.Sources.Failed, want)
	}
	for path, reason := range failed {
		i := slices.IndexFunc(sum.Warnings, func(w warning) bool { return strings.TrimSuffix(w.Path, "/") == path })
		switch {
		case reason == "":
		case i < 0:
			t.Errorf("no warning names %s: %+v", path, sum.Warnings)
		case !strings.Contains(sum.Warnings[i].Reason, reason):
			t.Errorf("%s: %q, want it to say %q", path, sum.Warnings[i].Reason, reason)
		}
	}
	list, _ := h.sources(t)
	for path, reason := range failed {
		i := slices.IndexFunc(list, func(s source) bool { return strings.TrimSuffix(s.Path, "/") == path })
		if reason == "" || reason == "permission denied" { // nothing is opened to list files
			continue
		}
		if i < 0 || list[i].State != "failed" {
			t.Errorf("find does not list %s as failed", path)
		}
	}
	h.Run("grep", "sealed").exits(t, 2)
	h.Run("sessions").exits(t, 0)
	h.Run("records").exits(t, 0)
	h.Run("show", S1).exits(t, 0)
	h.Run("show", h.Path(app+"fifo.jsonl")).exits(t, 2)
	h.Run("stores", "claude.projects.session", "--summary").exits(t, 0)
	h.Run("stores", "claude.history", "--summary").exits(t, 0)
}

// No run waits for a FIFO, whatever file it stands in the place of. One stands in
// the place of every path of the catalogue, readable or not.
func TestFIFOInThePlaceOfEveryStore(t *testing.T) {
	t.Parallel()
	h, _ := withRepo(t)
	os.Remove(h.Path(".gemini/projects.json"))
	stores := as[privateStore](t, oneObject(t, h.Run("stores", "--json").exits(t, 0)))
	placed := 0
	for _, s := range stores {
		for _, pattern := range s.Paths {
			if head, _, _ := strings.Cut(pattern, "/"); slices.Contains([]string{"<system>", "<plansDirectory>", "<autoMemoryDirectory>"}, head) {
				continue // not in the home, or only where a setting says
			}
			name := h.place(s.Agent, pattern)
			if strings.HasSuffix(name, "/") {
				name += "x"
			}
			if _, err := os.Lstat(h.Path(name)); err == nil || os.MkdirAll(filepath.Dir(h.Path(name)), 0o700) != nil {
				continue // another row has that name, or a folder above it
			}
			h.FIFO(name)
			placed++
		}
	}
	if placed < len(stores) {
		t.Errorf("%d FIFOs for %d stores", placed, len(stores))
	}
	for _, args := range [][]string{
		{"find"}, {"find", "-l"}, {"sessions"}, {"sessions", "--all"}, {"projects"}, {"grep", "public-needle"}, {"grep", "--scope", "all", "public-needle"},
		{"records"}, {"records", "--scope", "conversation"}, {"show", S1}, {"show", S1, "--full"}, {"expiring", "--within", "100y"},
		{"search", "public-needle"}, {"search", "--scope", "all", "public-needle"}, {"grep", "--query", "public-needle"}, {"sessions", "public-needle"},
	} {
		h.Run(args...).exits(t, 0)
	}
	if r := h.Run("secrets"); r.Code != 2 { // nothing was found, and FIFOs were not read
		t.Errorf("secrets exits with %d: %s", r.Code, r.Stderr)
	}
	for _, s := range stores {
		if r := h.Run("stores", s.ID, "--summary"); r.Code > 2 {
			t.Errorf("stores %s --summary exits with %d: %s", s.ID, r.Code, r.Stderr)
		}
	}
}

// Nor does it wait for a config that is none.
func TestFIFOInThePlaceOfTheConfig(t *testing.T) {
	t.Parallel()
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "hello there"))
	h.FIFO(".config/seshat/config.toml")
	h.Do(Run{Args: []string{"sessions"}, Within: 10 * time.Second}).exits(t, 2)
}

// One special file and nothing else: nothing is found, and that is not certain.
func TestOnlyASpecialFile(t *testing.T) {
	for what, set := range map[string]func(h *Home){
		"FIFO":     func(h *Home) { h.FIFO(app + S1 + ".jsonl") },
		"socket":   func(h *Home) { h.Socket(app + S1 + ".jsonl") },
		"folder":   func(h *Home) { h.Mkdir(app + S1 + ".jsonl") },
		"dangling": func(h *Home) { h.Symlink("gone", app+S1+".jsonl") },
		"root":     func(h *Home) { h.FIFO(".claude") },
	} {
		h := New(t)
		set(h)
		for _, args := range [][]string{{"sessions"}, {"grep", "x"}, {"records"}, {"search", "x"}, {"sessions", "x"}, {"projects"}, {"secrets"}} {
			if r := h.Run(args...); r.Code != 2 {
				t.Errorf("%s: %q exits with %d, want 2\nstderr: %s", what, args, r.Code, r.Stderr)
			}
		}
	}
}

// A folder that was moved to a disk that is not there now held sessions: that
// nothing is found is not certain.
func TestLinkedFolderIsGone(t *testing.T) {
	for _, name := range []string{".claude", ".claude/projects", ".claude/projects/-srv-app"} {
		t.Run(name, func(t *testing.T) {
			h := New(t)
			h.Symlink("/nowhere/at/all", name)
			for _, args := range [][]string{{"sessions"}, {"grep", "x"}, {"records"}, {"search", "x"}, {"sessions", "x"}, {"projects"}, {"secrets"}, {"expiring"}} {
				h.Run(args...).exits(t, 2)
			}
			if _, sum := h.records(t); sum.Complete || !sum.warned("~/"+name, 0) {
				t.Errorf("the link is not named: %+v", sum)
			}
		})
	}
}

// Links are followed once: whatever names lead to a file, its records come once.
func TestLinksAreFollowedOnce(t *testing.T) {
	for what, set := range map[string]func(h *Home){
		"loop in projects":         func(h *Home) { h.Symlink("..", ".claude/projects/-loop") },
		"loop to itself":           func(h *Home) { h.Symlink("-self", ".claude/projects/-self") },
		"loop of two":              func(h *Home) { h.Symlink("-b", ".claude/projects/-a"); h.Symlink("-a", ".claude/projects/-b") },
		"loop in a project":        func(h *Home) { h.Symlink(".", app+"here") },
		"loop in a session":        func(h *Home) { h.Symlink("../..", app+S1+"/subagents/up") },
		"project by another name":  func(h *Home) { h.Symlink("-srv-app", ".claude/projects/-alias") },
		"first name is the link":   func(h *Home) { h.Symlink("-srv-app", ".claude/projects/-a-comes-first") },
		"transcript by two names":  func(h *Home) { h.Symlink(S1+".jsonl", app+S2+".jsonl") },
		"transcript of elsewhere":  func(h *Home) { h.Symlink("../-srv-app/"+S1+".jsonl", ".claude/projects/-other/"+S1+".jsonl") },
		"all of projects":          func(h *Home) { h.Symlink("projects", ".claude/projects-again") },
		"a long chain":             func(h *Home) { chain(h, 39) },
		"a chain that is too long": func(h *Home) { chain(h, 100) },
		"root by another name": func(h *Home) {
			h.Symlink(".claude", ".claude-alias")
			h.Write(".config/seshat/config.toml", "[agents.claude]\nroots = [\"~/.claude-alias\"]\n", 0o600)
		},
		"moved root": func(h *Home) {
			os.Rename(h.Path(".claude"), h.Path("dotfiles"))
			h.Symlink("dotfiles", ".claude")
		},
		"moved projects": func(h *Home) {
			h.Mkdir("big-disk")
			os.Rename(h.Path(".claude/projects"), h.Path("big-disk/projects"))
			h.Symlink(h.Path("big-disk/projects"), ".claude/projects")
		},
		"moved project": func(h *Home) {
			os.Rename(h.Path(app), h.Path("moved"))
			h.Symlink("../../moved", ".claude/projects/-srv-app")
		},
		"moved transcript": func(h *Home) {
			os.Rename(h.Path(app+S1+".jsonl"), h.Path("moved.jsonl"))
			h.Symlink("../../../moved.jsonl", app+S1+".jsonl")
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h := New(t)
			h.Claude("/srv/app", S1, U("m1", "", "the only prompt"))
			h.Write(app+S1+"/subagents/agent-a.jsonl", h.Fill("/srv/app", S1, U("s1", "", "the only dispatch")), 0o600)
			set(h)
			recs, sum := h.records(t, "--scope", "conversation")
			if got := texts(recs); !slices.Equal(got, []string{"the only prompt", "the only dispatch"}) {
				t.Errorf("records %q", got)
			}
			if what != "a chain that is too long" && !sum.Complete {
				t.Errorf("the answer is not complete: %+v", sum)
			}
			if list, _ := h.sessions(t); len(list) != 1 || list[0].ID != S1 || list[0].Subagents != 1 || list[0].Path != "~/"+app+S1+".jsonl" {
				t.Errorf("sessions: %+v", list)
			}
			if got := h.hits("the only"); len(got) != 2 {
				t.Errorf("grep finds %q", got)
			}
			h.Run("show", S1).exits(t, 0)
			h.Run("show", "~/"+app+S1+".jsonl").exits(t, 0)
			if list, _ := h.sources(t, "--store", "claude.projects.session"); len(list) != 1 && what != "a chain that is too long" {
				t.Errorf("find lists %+v", list)
			}
		})
	}
}

// chain makes n links that lead one to the next, the last to the transcript.
func chain(h *Home, n int) {
	h.Symlink(h.Path(app+S1+".jsonl"), "chain/0")
	for i := 1; i < n; i++ {
		h.Symlink(fmt.Sprint(i-1), fmt.Sprintf("chain/%d", i))
	}
	h.Symlink(h.Path(fmt.Sprintf("chain/%d", n-1)), app+S2+".jsonl")
}
