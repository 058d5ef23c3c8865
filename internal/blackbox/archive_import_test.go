package blackbox

import (
	"path/filepath"
	"strings"
	"testing"
)

// imported runs archive import and gives what became of each file.
func (h *Home) imported(t *testing.T, code int, args ...string) []archived {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"archive", "import", "--ndjson"}, args...)...).exits(t, code))
	for _, item := range a.items {
		wellFormed(t, item, "seshat.archived/1")
	}
	return as[archived](t, a)
}

// A backup of this machine, with what the disk has lost since.
func TestImportOfABackup(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	const backup = "backup/2026/home/sam/"
	old := h.Fill("/srv/app", S1, U("m1", "", "one"))
	more := old + h.Fill("/srv/app", S1, U("m2", "m1", "two"))
	h.Write(backup+app+S1+".jsonl", old, 0o600)
	h.Write(backup+app+S2+".jsonl", h.Fill("/srv/app", S2, U("n1", "", "lost since")), 0o600)
	h.Write(backup+app+S2+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S2, U("s1", "", "sub")), 0o600)
	h.Write(backup+".claude/.credentials.json", "secret", 0o600)
	h.Write(backup+".claude/settings.json", "{}", 0o600)
	h.Write(backup+".gemini/tmp/app/.project_root", "/srv/app", 0o600)
	h.Write(backup+".gemini/tmp/app/chats/session-2026-01-02T03-04-eeeeeeee.jsonl", h.Fill("/srv/app", "", GM("eeeeeeee-1"), GU("m1", "chat")), 0o600)
	h.Write(app+S1+".jsonl", more, 0o600)
	h.archive(t, 0)
	want := []string{
		"kept backup/2026/home/sam/" + app + S2 + ".jsonl", "kept backup/2026/home/sam/" + app + S2 + "/subagents/agent-a1.jsonl",
		"kept backup/2026/home/sam/.gemini/tmp/app/.project_root", "kept backup/2026/home/sam/.gemini/tmp/app/chats/session-2026-01-02T03-04-eeeeeeee.jsonl",
	}
	wantDid(t, h.imported(t, 0, h.Path("backup"), "--dry-run"), want...)
	wantDid(t, h.imported(t, 0, h.Path("backup")), want...)
	wantDid(t, h.imported(t, 1, h.Path("backup")))
	if st := h.status(t, 0); st.Files != 5 || st.Gone != 4 || st.Sessions != 3 {
		t.Errorf("%+v", st)
	}
	// What the archive has is newer, and stays what it is.
	dir, files := h.export(t, "out", 0)
	found := false
	for _, f := range files {
		found = found || f.Path == filepath.Join(dir, "claude", h.Path(app+S1+".jsonl")) && f.Bytes == int64(len(more))
	}
	if !found || len(files) != 5 {
		t.Errorf("%+v", files)
	}
	// One that went another way is left alone, unless it is another machine's.
	h.Write(backup+app+S1+".jsonl", h.Fill("/srv/app", S1, U("m9", "", "otherwise")), 0o600)
	wantDid(t, h.imported(t, 1, h.Path("backup")), "skipped "+backup+app+S1+".jsonl")
	if items := h.imported(t, 0, h.Path("backup"), "--machine", "laptop"); len(items) != 5 {
		t.Errorf("%q", did(items))
	}
	if st := h.status(t, 0); st.Files != 10 {
		t.Errorf("%+v", st)
	}
	h.archive(t, 1) // the files on the disk are as they were
}

// Plain transcripts are placed by the folder that stands in them.
func TestImportOfPlainTranscripts(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Write("flat/"+S1+".jsonl", h.Fill("/srv/app", S1, U("m1", "", "one")), 0o600)
	h.Write("flat/"+S2+".jsonl", `{"type":"summary","summary":"x"}`+"\n", 0o600)
	h.Write("flat/notes.txt", "text", 0o600)
	wantDid(t, h.imported(t, 0, h.Path("flat")), "kept flat/"+S1+".jsonl", "skipped flat/"+S2+".jsonl")
	dir, files := h.export(t, "out", 0)
	if want := filepath.Join(dir, "claude", h.Path(app+S1+".jsonl")); len(files) != 1 || files[0].Path != want {
		t.Errorf("%+v, want %s", files, want)
	}
	for _, args := range [][]string{{h.Path("none")}, {h.Mkdir("empty")}, {""}, {h.Path("flat"), "--machine", "../x"}, {h.Path("flat"), "--machine="}} {
		h.Run(append([]string{"archive", "import"}, args...)...).exits(t, 2)
	}
}

// What archive export wrote comes back as what it was, on another machine too.
func TestImportOfAnExport(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Claude("/srv/app", S1, U("m1", "", "one"))
	h.archive(t, 0)
	h.Run("archive", "export", h.base+"/out").exits(t, 0)
	h.Run("archive", "import", h.base+"/out").exits(t, 1) // it is there
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data2")
	items := h.imported(t, 0, h.base+"/out")
	if len(items) != 1 || !strings.HasSuffix(items[0].Path, S1+".jsonl") {
		t.Errorf("%q", did(items))
	}
	first, _ := filepath.Glob(h.base + "/out/*")
	_, files := h.export(t, "again", 0)
	if len(files) != 1 || len(first) != 1 || files[0].Machine != filepath.Base(first[0]) || files[0].Source != h.Tilde(h.Path(app+S1+".jsonl")) {
		t.Errorf("%+v, from %q", files, first)
	}
}
