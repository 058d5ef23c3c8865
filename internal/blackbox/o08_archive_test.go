package blackbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// swept is case O8: S1 was archived, and then its agent deleted it.
func swept(t *testing.T) (h *Home, gone string) {
	h = withArchive(t)
	gone = h.Claude("/srv/app", S1, U("m1", "", "zorblax plan"), A("a1", "m1", "msg_1", T("the answer"), ""), U("m2", "a1", "thanks"))
	h.Claude("/srv/app", S2, U("n1", "", "something else"))
	h.archive(t, 0)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	return h, gone
}

// states gives "id state" of all sessions.
func (h *Home) states(t *testing.T) []string {
	t.Helper()
	list, sum := h.sessions(t, "--all")
	if !sum.Complete {
		t.Errorf("the list is not complete: %+v", sum)
	}
	var out []string
	for _, s := range list {
		out = append(out, s.ID[:1]+" "+s.State)
	}
	slices.Sort(out)
	return out
}

func (h *Home) wantStates(t *testing.T, want ...string) {
	t.Helper()
	if got := h.states(t); !slices.Equal(got, want) {
		t.Errorf("sessions are %q, want %q", got, want)
	}
}

func TestO8SweptSessionIsThere(t *testing.T) {
	t.Parallel()
	h, gone := swept(t)
	data := h.Vars["SESHAT_DATA_DIR"]
	before := list(data)
	tilde := h.Tilde(gone)
	if got := h.hits("zorblax"); !slices.Equal(got, []string{tilde + ":zorblax plan"}) {
		t.Errorf("grep gives %q", got)
	}
	if r := h.Run("grep", "-l", "zorblax").exits(t, 0); r.Stdout != gone+"\n" || !strings.Contains(r.Stderr, "only in the archive") {
		t.Errorf("grep -l prints %q, %q", r.Stdout, r.Stderr)
	}
	if got := h.shown(t, S1); !slices.Equal(got, []string{"zorblax plan", "the answer", "thanks"}) {
		t.Errorf("show gives %q", got)
	}
	if r := h.Run("show", S1[:8]).exits(t, 0); !strings.HasPrefix(r.Stdout, "[archived] zorblax plan\n") || !strings.Contains(r.Stdout, "not on disk any more: this is the archived copy") || strings.Contains(r.Stdout, "· archived") {
		t.Errorf("show prints\n%s", r.Stdout)
	}
	h.wantStates(t, "1 archived", "2 live")
	if r := h.Run("sessions").exits(t, 0); strings.Count(r.Stdout, "[archived]") != 1 {
		t.Errorf("sessions prints\n%s", r.Stdout)
	}
	list1, _ := h.sessions(t)
	if i := slices.IndexFunc(list1, func(s session) bool { return s.ID == S1 }); i < 0 || list1[i].Expires != "" || list1[i].Path != tilde || list1[i].Counts.Prompts != 2 {
		t.Errorf("the session is %+v", list1)
	}
	recs, sum := h.records(t)
	flagged := 0
	for _, r := range recs {
		if slices.Contains(r.Flags, "archived") != (r.Session == S1) {
			t.Errorf("%s has the flags %q", r.ID, r.Flags)
		}
		flagged++
	}
	if flagged != 4 || !sum.Complete || sum.Sources.Read != 2 {
		t.Errorf("%d records, %+v", flagged, sum)
	}
	for _, query := range []string{"zorblax", "is:archived thanks", "session:" + S1 + " answer"} {
		if found, _ := h.search(t, query); len(found) != 1 || found[0].Session != S1 {
			t.Errorf("search %s finds %+v", query, found)
		}
	}
	if r := h.Run("search", "zorblax").exits(t, 0); !strings.Contains(r.Stdout, "[archived] ") {
		t.Errorf("search prints\n%s", r.Stdout)
	}
	if r := h.Run("search", "is:archived else"); r.Code != 1 {
		t.Errorf("what is live is archived: %d %s", r.Code, r.Stdout)
	}
	if got := h.found(t, "-e", "jsonl"); !slices.Equal(got, []string{app + S2 + ".jsonl"}) {
		t.Errorf("find lists %q", got)
	}
	if r := h.Run("projects").exits(t, 0); !strings.Contains(r.Stdout, "2 sessions (1 archived)") {
		t.Errorf("projects prints\n%s", r.Stdout)
	}
	if r := h.Run("projects", "--ndjson").exits(t, 0); !strings.Contains(r.Stdout, `"sessions":2,"archived":1,`) {
		t.Errorf("projects prints\n%s", r.Stdout)
	}
	if got, _ := h.expiring(t, "--within", "100y"); len(got) != 1 || got[0].Session != S2 {
		t.Errorf("expiring lists %+v", got)
	}
	after := list(data)
	for path := range before { // SQLite may put files of its own beside them
		if hash, err := hashOf(path); err == nil && hash != before[path].hash || after[path].mode != before[path].mode {
			t.Errorf("reading changes %s: %v", path, err)
		}
	}
}

// The whole data folder goes, and the archive does not go with it.
func TestO8WithoutTheDataFolder(t *testing.T) {
	t.Parallel()
	h, _ := swept(t)
	if err := os.RemoveAll(h.Path(".claude")); err != nil {
		t.Fatal(err)
	}
	h.wantStates(t, "1 archived", "2 archived")
	if got := h.shown(t, S1); len(got) != 3 {
		t.Errorf("show gives %q", got)
	}
	h.archive(t, 1) // nothing is there to be kept
	h.wantStates(t, "1 archived", "2 archived")
}

// What is archived of a session counts before what a prompt log says of it, and the two
// are one.
func TestO9ArchivedIsNoGhost(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	log := h.Write(".claude/history.jsonl", h.Fill("", "", historyLine("fix the flux capacitor", `{}`, S1), historyLine("never kept", `{}`, S3)), 0o600)
	gone := h.Claude("/srv/app", S1, U("m1", "", "fix the flux capacitor"), A("a1", "m1", "msg_1", T("it is fixed"), ""))
	h.Claude("/srv/app", S2, U("n1", "", "something else"))
	h.archive(t, 0)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	h.wantStates(t, "1 archived", "2 live", "3 prompts-only")
	if got := h.hits("flux capacitor"); !slices.Equal(got, []string{h.Tilde(gone) + ":fix the flux capacitor"}) {
		t.Errorf("one prompt is found as %q", got)
	}
	if got := h.hits("never kept"); !slices.Equal(got, []string{h.Tilde(log) + ":never kept"}) {
		t.Errorf("the other is found as %q", got)
	}
}

// A transcript that was rewritten shows what it says now; the archive has what it said.
func TestO5RewrittenAfterItWasArchived(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	path := h.Claude("/srv/app", S1, U("m1", "", "INCONE first"), A("a1", "m1", "msg_1", T("reply one"), ""))
	h.archive(t, 0)
	h.Claude("/srv/app", S1, U("m1b", "", "INCEDIT first"), A("a1b", "m1b", "msg_2", T("reply two"), ""), U("m3", "a1b", "third longer message padding padding"))
	if got := h.hits("INCEDIT"); len(got) != 1 {
		t.Errorf("INCEDIT: %q", got)
	}
	if got := h.hits("INCONE", "--superseded"); len(got) != 0 {
		t.Errorf("INCONE: %q", got)
	}
	h.wantStates(t, "1 live")
	if items, _ := h.archive(t, 0); len(items) != 1 || items[0].Version != 2 || items[0].Did != "rewritten" {
		t.Errorf("archived: %+v", items)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	// The newest version counts.
	if got := h.hits("INC"); !slices.Equal(got, []string{h.Tilde(path) + ":INCEDIT first"}) {
		t.Errorf("when it is gone: %q", got)
	}
}

// A transcript that moved is one session before the archive hears of it and after.
func TestArchivedAndMoved(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	old := h.Claude("/srv/app", S1, U("m1", "", "one"))
	h.archive(t, 0)
	h.Mkdir(".claude/projects/-srv-new")
	if err := os.Rename(old, h.Path(".claude/projects/-srv-new/"+S1+".jsonl")); err != nil {
		t.Fatal(err)
	}
	h.wantStates(t, "1 live")
	h.archive(t, 0)
	h.wantStates(t, "1 live")
	if err := os.RemoveAll(h.Path(".claude")); err != nil {
		t.Fatal(err)
	}
	h.wantStates(t, "1 archived")
}

// An archive that cannot be read is said to be, and costs nothing that is on the disk.
func TestArchiveThatCannotBeRead(t *testing.T) {
	t.Parallel()
	h, _ := swept(t)
	manifest := filepath.Join(h.Vars["SESHAT_DATA_DIR"], "archive", "manifest.db")
	if err := os.WriteFile(manifest, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	r := h.Run("grep", "something").exits(t, 0)
	if !strings.Contains(r.Stderr, "archive cannot be read") {
		t.Errorf("stderr: %q", r.Stderr)
	}
	h.Run("grep", "zorblax").exits(t, 2)
	h.Run("sessions", "zorblax").exits(t, 2)
	h.Run("show", S2).exits(t, 0)
	if r := h.Run("show", S1).exits(t, 2); !strings.Contains(r.Stderr, "the archive, which may have it, cannot be read") {
		t.Errorf("stderr: %q", r.Stderr)
	}
	h.Run("find").exits(t, 0)
	h.Run("--version").exits(t, 0)
}

// What another machine's backup brought is read like all that is archived, from a folder
// that is on no disk, and a session that this machine has as well is one.
func TestImportedSessionsAreRead(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Claude("/srv/app", S2, U("n1", "", "on both machines"))
	h.archive(t, 0)
	h.Write("usb/.claude/projects/-srv-app/"+S1+".jsonl", h.Fill("/srv/app", S1, U("m1", "", "zorblax plan")), 0o600)
	h.Write("usb/.claude/projects/-srv-app/"+S2+".jsonl", h.Fill("/srv/app", S2, U("n1", "", "on both machines")), 0o600)
	h.Run("archive", "import", h.Path("usb"), "--machine", "laptop").exits(t, 0)
	h.wantStates(t, "1 archived", "2 live")
	got, _ := h.sessions(t, "zorblax")
	below := filepath.Join(h.Vars["SESHAT_DATA_DIR"], "archive", "machines", "laptop") + string(filepath.Separator)
	if len(got) != 1 || !strings.HasPrefix(got[0].Path, below) {
		t.Fatalf("the laptop's session is %+v", got)
	}
	for _, handle := range []string{S1, got[0].Path} {
		if texts := h.shown(t, handle); !slices.Equal(texts, []string{"zorblax plan"}) {
			t.Errorf("show %s gives %q", handle, texts)
		}
	}
	if _, err := os.Stat(below); err == nil {
		t.Error("the folder is on the disk")
	}
}
