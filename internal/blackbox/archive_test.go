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

// archived is a seshat.archived/1 object.
type archived struct {
	Agent, Store, Session, Path, Did, Pending, Reason string
	Bytes, Added                                      int64
	Version                                           int
}

// withArchive is a home whose archive lies beside it.
func withArchive(t testing.TB) *Home {
	h := New(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, dataName)
	return h
}

// archive runs archive and gives what became of each file.
func (h *Home) archive(t *testing.T, code int, args ...string) ([]archived, summary) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"archive", "--ndjson"}, args...)...).exits(t, code))
	for _, item := range a.items {
		wellFormed(t, item, "seshat.archived/1")
	}
	return as[archived](t, a), a.summary
}

// did gives "what path" of each item, the path below the home.
func did(items []archived) []string {
	var out []string
	for _, it := range items {
		text := it.Did + " " + strings.TrimPrefix(it.Path, "~/")
		if it.Pending != "" {
			text += " (" + it.Pending + ")"
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

func wantDid(t *testing.T, items []archived, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := did(items); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// everyStore writes a home with what the archive keeps and what it does not, and gives
// the paths of what it does.
func everyStore(h *Home) (kept []string) {
	const p = ".claude/projects/-srv-app/"
	const paste, lost = "0123456789abcdef", "fedcba9876543210"
	write := func(keep bool, name, data string) {
		h.Write(name, data, 0o600)
		if keep {
			kept = append(kept, name)
		}
	}
	slug := `{"type":"user","slug":"calm-red-fox","uuid":"m1","sessionId":%SESSION%,"cwd":%CWD%,"timestamp":%TIME%,"message":{"role":"user","content":"see plans/old-one.md."}}`
	write(true, p+S1+".jsonl", h.Fill("/srv/app", S1, slug, A("a1", "m1", "msg_1", T("done"), "")))
	for _, name := range []string{
		"subagents/agent-a1.jsonl", "subagents/agent-a1.meta.json", "subagents/workflows/r1/agent-b2.jsonl", "subagents/workflows/r1/journal.jsonl",
		"tool-results/x.txt", "workflows/scripts/w.js", "workflows/r1.json", "session-memory/summary.md", "custom-title.json",
		"remote-agents/remote-agent-1.meta.json", "mcp-tasks/mcp-task-1.meta.json", ".precompact.json",
	} {
		write(true, p+S1+"/"+name, "{}\n")
	}
	write(true, p+"agent-c3.jsonl", "{}\n")
	write(true, p+"memory/MEMORY.md", "# memory\n")
	write(true, ".claude/agent-memory/tester/notes.md", "notes\n")
	write(true, ".claude/history.jsonl", historyLine("see [Pasted text #1]", `{"1":{"id":1,"type":"text","contentHash":"`+paste+`"}}`, S1)+"\n")
	write(true, ".claude/paste-cache/"+paste+".txt", "a paste")
	write(false, ".claude/paste-cache/"+lost+".txt", "nobody refers to it")
	write(true, ".claude/plans/calm-red-fox.md", "the plan of the slug")
	write(true, ".claude/plans/calm-red-fox-agent-a1.md", "that of its subagent")
	write(true, ".claude/plans/old-one.md", "named by its path")
	write(false, ".claude/plans/other-grey-owl.md", "of nobody")
	for _, name := range []string{
		".claude/settings.json", ".claude/.credentials.json", ".claude/todos/" + S1 + "-agent-" + S1 + ".json", ".claude/tasks/" + S1 + "/1.json",
		".claude/file-history/" + S1 + "/0123456789abcdef@v1", ".claude/debug/" + S1 + ".txt", ".claude/stats-cache.json", ".claude/sessions/1.json",
		".claude/history.jsonl.lock/x", p + "sessions-index.json", ".claude/shell-snapshots/snapshot-bash-1-x.sh", ".claude/image-cache/" + S1 + "/1.png",
		".claude/CLAUDE.md", ".claude.json",
	} {
		write(false, name, "{}")
	}
	const g = ".gemini/tmp/app/"
	const id = "eeeeeeee-1"
	write(true, ".gemini/projects.json", `{"projects":{"/srv/app":"app"}}`)
	write(true, g+".project_root", "/srv/app\n")
	write(true, ".gemini/history/app/.project_root", "/srv/app\n")
	write(true, g+"chats/session-2026-01-02T03-04-eeeeeeee.jsonl", h.Fill("/srv/app", "", GM(id), GU("m1", "read tool-outputs/shell_1.txt and plans/deep/legacy.md")))
	write(true, g+"chats/session-2026-01-02T03-04-ffffffff.json", `{"sessionId":"ffffffff-1","messages":[]}`)
	write(true, g+"chats/"+id+"/s1.jsonl", h.Fill("/srv/app", "", GM("s1")))
	write(true, g+"tool-outputs/session-"+id+"/shell_2.txt", "output")
	write(true, g+"tool-outputs/shell_1.txt", "an older output")
	write(false, g+"tool-outputs/shell_9.txt", "of nobody")
	write(true, g+id+"/plans/p.md", "plan")
	write(true, g+id+"/tracker/t.json", "{}")
	write(true, g+id+"/tasks/deep/task.bin", "task")
	write(true, g+"plans/deep/legacy.md", "an older plan")
	write(false, g+"plans/nobody.md", "of nobody")
	write(true, g+"logs.json", "[]")
	write(true, g+"logs.json.invalid_json.1700000000000.bak", "[")
	write(true, g+"checkpoint-a%20tag.json", "[]")
	write(true, g+"memory/MEMORY.md", "# memory")
	for _, name := range []string{
		g + "checkpoints/2026-01-02T03-04-05_006Z-a-replace.json", g + "logs/session-" + id + ".jsonl", g + "shell_history", g + "images/clipboard-1.png",
		g + "memory/.extraction.lock", g + "chats/session-x.jsonl.tmp-1", ".gemini/oauth_creds.json", ".gemini/settings.json", ".gemini/.env", ".gemini/tmp/bin/rg",
	} {
		write(false, name, "{}")
	}
	return kept
}

// The archive keeps what belongs to sessions, what these refer to, prompt logs, memory
// and registries, and nothing else.
func TestArchiveKeepsTheRightFiles(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	var want []string
	for _, name := range everyStore(h) {
		want = append(want, "kept "+name)
	}
	dry, _ := h.archive(t, 0, "--dry-run")
	wantDid(t, dry, want...)
	if _, err := os.Stat(h.Vars["SESHAT_DATA_DIR"]); err == nil {
		t.Error("a dry run makes a data folder")
	}
	items, sum := h.archive(t, 0)
	wantDid(t, items, want...)
	if sum.Matches != len(want) || !sum.Complete || sum.Sources.Read != len(want) {
		t.Errorf("%+v, of %d files", sum, len(want))
	}
	if items, sum := h.archive(t, 1); len(items) > 0 || !sum.Complete {
		t.Errorf("a second run finds %q, %+v", did(items), sum)
	}
	// A plan of nobody is somebody's when a session names it.
	h.Append(".claude/projects/-srv-app/"+S1+".jsonl", h.Fill("/srv/app", S1, U("m2", "a1", "now plans/other-grey-owl.md")))
	items, _ = h.archive(t, 0)
	wantDid(t, items, "grown .claude/projects/-srv-app/"+S1+".jsonl", "kept .claude/plans/other-grey-owl.md")
	// A run that looks at one project only does not settle what the others refer to.
	h.Write(".claude/plans/late-plan.md", "written last", 0o600)
	h.Append(".claude/projects/-srv-app/"+S1+".jsonl", h.Fill("/srv/app", S1, U("m3", "m2", "then plans/very-late-plan.md")))
	h.archive(t, 0)
	h.Write(".claude/plans/very-late-plan.md", "after the session", 0o600)
	h.archive(t, 1, "--project", "none")
	items, _ = h.archive(t, 0)
	wantDid(t, items, "kept .claude/plans/very-late-plan.md")
	// What is asked for is kept too.
	items, _ = h.archive(t, 0, "--include", "file-history")
	wantDid(t, items, "kept .claude/file-history/"+S1+"/0123456789abcdef@v1")
}

// A log is kept to the end of its last line and caught up; what was not touched for an
// hour is kept as it is.
func TestArchiveOfAFileThatGrows(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	const name = ".claude/projects/-srv-app/" + S1 + ".jsonl"
	first := h.Fill("/srv/app", S1, U("m1", "", "one"))
	h.Write(name, first+`{"type":"us`, 0o600)
	const tail = " (its last line is still being written)"
	items, sum := h.archive(t, 0)
	wantDid(t, items, "kept "+name+tail)
	if items[0].Added != int64(len(first)) || sum.Pending != 1 || sum.Complete {
		t.Errorf("%+v %+v", items, sum)
	}
	items, _ = h.archive(t, 1) // nothing is new
	wantDid(t, items, "pending "+name+tail)
	second := h.Fill("/srv/app", S1, U("m2", "m1", "two"))
	h.Write(name, first+second, 0o600)
	items, sum = h.archive(t, 0)
	wantDid(t, items, "grown "+name)
	if items[0].Added != int64(len(second)) || items[0].Version != 1 || !sum.Complete {
		t.Errorf("%+v %+v", items, sum)
	}
	h.Write(name, first+second+"no end", 0o600)
	h.Touch(name, time.Now().Add(-2*time.Hour))
	items, _ = h.archive(t, 0)
	wantDid(t, items, "grown "+name)
	if items[0].Added != 6 {
		t.Errorf("%+v", items)
	}
	h.Write(name, second, 0o600)
	items, _ = h.archive(t, 0)
	wantDid(t, items, "rewritten "+name)
	if items[0].Version != 2 {
		t.Errorf("%+v", items)
	}
	h.archive(t, 1)
}

// What was deleted stays, and is told once; what moved is the same file elsewhere.
func TestArchiveMirrorsNoDeletion(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	one := h.Claude("/srv/app", S1, U("m1", "", "one"))
	two := h.Claude("/srv/app", S2, U("n1", "", "two"))
	sub := h.Write(".claude/projects/-srv-app/"+S2+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S2, U("s1", "", "sub")), 0o600)
	h.archive(t, 0)
	moved := h.Path(".claude/projects/-srv-app-tree/" + S2)
	h.Mkdir(".claude/projects/-srv-app-tree")
	for _, err := range []error{os.Remove(one), os.Rename(two, moved+".jsonl"), os.Rename(filepath.Dir(filepath.Dir(sub)), moved)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	h.Append(moved+".jsonl", h.Fill("/srv/app", S2, U("n2", "n1", "three")))
	items, _ := h.archive(t, 0)
	wantDid(t, items, "gone .claude/projects/-srv-app/"+S1+".jsonl", "moved .claude/projects/-srv-app-tree/"+S2+".jsonl", "moved .claude/projects/-srv-app-tree/"+S2+"/subagents/agent-a1.jsonl")
	st := h.status(t, 0)
	if st.Files != 3 || st.Versions != 3 || st.Gone != 1 || st.Sessions != 2 {
		t.Errorf("%+v", st)
	}
	h.archive(t, 1)
	h.Claude("/srv/app", S1, U("m1", "", "one")) // it is back, with the same bytes
	h.archive(t, 1)
	if st := h.status(t, 0); st.Gone != 0 || st.Versions != 3 {
		t.Errorf("%+v", st)
	}
}

// archiveStatus is a seshat.archive/1 object.
type archiveStatus struct {
	Path                                                string
	Sessions, Files, Versions, Gone, Pending, Forgotten int
	Bytes, Stored                                       int64
	LastRun                                             string `json:"last_run"`
	Risk                                                struct {
		Sessions, Files int
		Bytes           int64
	} `json:"at_risk"`
}

func (h *Home) status(t *testing.T, code int) archiveStatus {
	t.Helper()
	a := oneObject(t, h.Run("archive", "status", "--json").exits(t, code))
	if len(a.items) != 1 {
		t.Fatalf("%d items", len(a.items))
	}
	wellFormed(t, a.items[0], "seshat.archive/1")
	return as[archiveStatus](t, a)[0]
}

// status and expiring tell what may go and is not archived.
func TestArchiveStatusTellsWhatIsAtRisk(t *testing.T) {
	t.Parallel()
	h, now := perishable(t) // a transcript and its spilled result, and a chat
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, dataName)
	if st := h.status(t, 1); st.Risk.Sessions != 2 || st.Risk.Files != 3 || st.Files != 0 {
		t.Errorf("%+v", st)
	}
	heads := func() string {
		var out []string
		for _, line := range lines(h.Run("expiring").Stdout) {
			if strings.Contains(line, "  claude  ") || strings.Contains(line, "  gemini  ") {
				out = append(out, line)
			}
		}
		return strings.Join(out, "\n")
	}
	if want := "11111111  app  claude  not archived  a question\neeeeeeee  app  gemini  not archived  hello gemini"; heads() != want {
		t.Errorf("got\n%s\nwant\n%s", heads(), want)
	}
	h.archive(t, 0, "--agent", "claude")
	if st := h.status(t, 0); st.Risk.Sessions != 1 || st.Risk.Files != 1 || st.LastRun == "" {
		t.Errorf("%+v", st)
	}
	h.Append(app+S1+".jsonl", h.Fill("/srv/app", S1, U("m2", "a1", "more")))
	h.Touch(app+S1+".jsonl", now.AddDate(0, 0, -27))
	if want := "11111111  app  claude  archived in part  a question\neeeeeeee  app  gemini  not archived  hello gemini"; heads() != want {
		t.Errorf("got\n%s\nwant\n%s", heads(), want)
	}
	h.archive(t, 0)
	if st := h.status(t, 0); st.Risk.Sessions != 0 || st.Risk.Files != 0 {
		t.Errorf("%+v", st)
	}
	if want := "11111111  app  claude  archived  a question\neeeeeeee  app  gemini  archived  hello gemini"; heads() != want {
		t.Errorf("got\n%s\nwant\n%s", heads(), want)
	}
	text := h.Run("archive", "status").exits(t, 0).Stdout
	for _, want := range []string{"at risk   nothing: what may go by ", "whatever secrets the transcripts held", "2 sessions, "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// One file that cannot be read costs itself, and is named.
func TestArchiveOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Claude("/srv/app", S1, U("m1", "", "one"))
	folder := ".claude/projects/-srv-app/" + S2 + ".jsonl/"
	h.Mkdir(folder)
	items, sum := h.archive(t, 2)
	wantDid(t, items, "failed "+folder, "kept .claude/projects/-srv-app/"+S1+".jsonl")
	if sum.Complete || sum.Sources.Failed != 1 || sum.Matches != 1 || !strings.Contains(fmt.Sprint(items), "is a folder, not a file") {
		t.Errorf("%+v %+v", items, sum)
	}
	if r := h.Run("archive").exits(t, 2); !strings.Contains(r.Stderr, "~/"+folder+": is a folder, not a file") {
		t.Errorf("stderr %q", r.Stderr)
	}
	// So is a folder that cannot be looked into, and one that a flag names and is not there.
	if err := os.Remove(h.Path(folder)); err != nil {
		t.Fatal(err)
	}
	h.archive(t, 1)
	h.Symlink("nowhere", ".claude/projects/-srv-lost")
	if r := h.Run("archive").exits(t, 2); !strings.Contains(r.Stderr, "-srv-lost: is a link that leads nowhere") {
		t.Errorf("stderr %q", r.Stderr)
	}
	h.Run("archive", "--root", "claude="+h.Path("none")).exits(t, 2)
}

// A run can be about some sessions, and about no excluded one.
func TestArchiveOfSomeSessions(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	const a, b = ".claude/projects/-srv-app/", ".claude/projects/-srv-other/"
	h.Claude("/srv/app", S1, U("m1", "", "one"))
	h.Write(a+S1+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S1, U("s1", "", "sub")), 0o600)
	h.Write(a+S1+"/custom-title.json", `{"customTitle":"x"}`, 0o600)
	h.Write(a+"memory/MEMORY.md", "memory", 0o600)
	h.Start = h.Start.AddDate(0, 1, 0)
	h.Claude("/srv/other", S2, U("n1", "", "two"))
	h.Write(b+"memory/MEMORY.md", "memory", 0o600)
	h.Claude("/srv/other", S3, strings.Replace(U("o1", "", "three"), `"userType"`, `"entrypoint":"sdk-cli","userType"`, 1))
	h.Write(".claude/history.jsonl", historyLine("prompt", "{}", S1)+"\n", 0o600)
	s1 := []string{"kept " + a + S1 + ".jsonl", "kept " + a + S1 + "/subagents/agent-a1.jsonl", "kept " + a + S1 + "/custom-title.json"}
	s2, s3, log, memA, memB := "kept "+b+S2+".jsonl", "kept "+b+S3+".jsonl", "kept .claude/history.jsonl", "kept "+a+"memory/MEMORY.md", "kept "+b+"memory/MEMORY.md"
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--project", "app"}, append(slices.Clone(s1), memA)},
		{[]string{"--project", "other"}, []string{s2, s3, memB}},
		{[]string{"--since", "2026-02-01"}, []string{s2, s3, log, memA, memB}},
		{[]string{"--only", "interactive"}, append(slices.Clone(s1), s2, log, memA, memB)},
		{[]string{"--only", "print"}, []string{s3, log, memA, memB}},
		{[]string{"--only", "print", "--project", "other"}, []string{s3, memB}},
	} {
		items, _ := h.archive(t, 0, append(c.args, "--dry-run")...)
		wantDid(t, items, c.want...)
	}
	h.archive(t, 1, "--project", "none", "--dry-run")
	h.Write(".config/seshat/config.toml", `exclude = ["/srv/other"]`, 0o600)
	items, _ := h.archive(t, 0, "--dry-run")
	wantDid(t, items, append(slices.Clone(s1), log, memA)...)
	for _, args := range [][]string{{"--only", "nothing"}, {"--include", "nothing"}, {"--project="}, {"--since", "nothing"}, {"nothing"}} {
		h.Run(append([]string{"archive"}, args...)...).exits(t, 2)
	}
}

// The archive grows no larger than the config allows, and says so.
func TestArchiveStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Claude("/srv/app", S1, U("m1", "", "one"))
	h.Touch(".claude/projects/-srv-app/"+S1+".jsonl", h.Start)
	h.archive(t, 0)
	h.Claude("/srv/app", S2, U("n1", "", strings.Repeat("two ", 100000)))
	h.Write(".config/seshat/config.toml", "[archive]\nmax_size = \"300KB\"\n", 0o600)
	r := h.Run("archive").exits(t, 2)
	if !strings.Contains(r.Stderr, "archive.max_size allows 0.3 MB") {
		t.Errorf("stderr %q", r.Stderr)
	}
	if st := h.status(t, 0); st.Files != 1 {
		t.Errorf("%+v", st)
	}
	h.Write(".config/seshat/config.toml", "[archive]\nmax_size = \"much\"\n", 0o600)
	h.Run("archive").exits(t, 2)
}

// An archive that cannot be read does not keep expiring from telling dates.
func TestExpiringWithoutItsArchive(t *testing.T) {
	t.Parallel()
	h, _ := perishable(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, dataName)
	h.archive(t, 0)
	manifest := filepath.Join(h.base, dataName, "archive", "manifest.db")
	if err := os.WriteFile(manifest, []byte("no database at all, and long enough to be looked at as one"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := h.Run("expiring").exits(t, 0)
	if !strings.Contains(r.Stdout, "11111111  app  claude  a question\n") || !strings.Contains(r.Stderr, "it is not known what is archived") {
		t.Errorf("%s%s", r.Stdout, r.Stderr)
	}
	for _, args := range [][]string{{"archive"}, {"archive", "status"}, {"archive", "verify"}} {
		if r := h.Run(args...).exits(t, 2); !strings.Contains(r.Stderr, filepath.Dir(manifest)) {
			t.Errorf("%q says %q", args, r.Stderr)
		}
	}
	if r := h.Run("archive", "verify", "--rebuild").exits(t, 0); r.Stdout != "4 files sound, 0 damaged spots\n" || !strings.Contains(r.Stderr, "made anew: 4 files; the old one is ") {
		t.Errorf("%q %q", r.Stdout, r.Stderr)
	}
	h.archive(t, 1)
}

// Plans and memory are kept from where settings put them, too.
func TestArchiveLooksWhereSettingsLead(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	repo := h.Mkdir("code/shop")
	h.Claude(repo, S1, `{"type":"user","slug":"calm-red-fox","uuid":"m1","sessionId":%SESSION%,"cwd":%CWD%,"timestamp":%TIME%,"message":{"role":"user","content":"x"}}`)
	h.Write(".claude/settings.json", `{"plansDirectory":`+Quote(h.Path("my-plans"))+`,"autoMemoryDirectory":`+Quote(h.Path("my-memory"))+`}`, 0o600)
	h.Write("my-plans/calm-red-fox.md", "plan", 0o600)
	h.Write("my-plans/of-nobody.md", "plan", 0o600)
	h.Write("my-memory/MEMORY.md", "memory", 0o600)
	items, _ := h.archive(t, 0)
	session := ".claude/projects/" + P(repo) + "/" + S1 + ".jsonl"
	wantDid(t, items, "kept "+session, "kept my-plans/calm-red-fox.md", "kept my-memory/MEMORY.md")
	// Nothing of it counts as gone when nobody looks there, and a new session makes seshat look.
	h.archive(t, 1)
	h.Write("my-memory/MEMORY.md", "more memory", 0o600)
	h.archive(t, 1)
	h.Claude(repo, S2, U("n1", "", "new"))
	items, _ = h.archive(t, 0)
	wantDid(t, items, "kept .claude/projects/"+P(repo)+"/"+S2+".jsonl", "rewritten my-memory/MEMORY.md")
}
