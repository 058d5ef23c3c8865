package seshat_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// plan is case O8: a session of three lines and one of a single line.
func plan() map[string]string {
	return map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "m1", 1, "zorblax plan"), assistant(one, "/srv/app", "m2", 2, text("the answer")), user(one, "/srv/app", "m3", 3, "thanks")),
		appDir + two + ".jsonl": line(user(two, "/srv/app", "n1", 9, "something else")),
	}
}

// stated gives "id state" of sessions.
func stated(list []record.Session) (out []string) {
	for _, s := range list {
		out = append(out, s.ID[:1]+" "+string(s.State))
	}
	return out
}

// listOf gives "id state" of all sessions, and checks that the answer is complete.
func listOf(t *testing.T, l *seshat.Library) []string {
	t.Helper()
	list, ans := sessions(t, l, seshat.SessionQuery{All: true})
	if !ans.Complete || len(ans.Warnings) > 0 {
		t.Errorf("the answer is %+v", ans)
	}
	return stated(list)
}

// The agent deleted a transcript that was archived: it is searched, shown and listed.
func TestKeptAfterTheSweep(t *testing.T) {
	files, a := plan(), newAttic(t)
	a.keep("", "claude", claudeDir, files)
	l := a.library(without(claudeDir, files, func(name string) bool { return strings.Contains(name, one) }))
	equal(t, "sessions", listOf(t, l), []string{"2 live", "1 archived"})
	list, _ := sessions(t, l, seshat.SessionQuery{})
	s := list[1]
	if s.Path != claudeDir+"/"+appDir+one+".jsonl" || s.Handle != "claude:"+one || !s.Expires.IsZero() || s.Title != "zorblax plan" || s.Counts != (record.Counts{Prompts: 2, Replies: 1}) || s.Bytes != int64(len(files[appDir+one+".jsonl"])) {
		t.Errorf("the session is %+v", s)
	}
	if list[0].Expires.IsZero() {
		t.Error("the other does not expire any more")
	}
	got, _ := grepLines(t, l, "zorblax")
	equal(t, "grep", got, []string{s.Path + ":1:zorblax plan"})
	for _, handle := range []string{one, one[:5], "claude:" + one, s.Path} {
		texts, shown, err := show(l, handle)
		if err != nil || !slices.Equal(texts, []string{"zorblax plan", "the answer", "thanks"}) || shown.Session.State != record.StateArchived || shown.Records[2].Flags != record.Archived {
			t.Errorf("%s shows %q of %+v, %v", handle, texts, shown, err)
		}
	}
	for query, want := range map[string][]string{"is:archived": {"m1", "m2", "m3"}, "NOT is:archived kind:prompt": {"n1"}, "is:archived thanks": {"m3"}, "something is:archived": nil} {
		q, err := l.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		if _, err := l.Search(context.Background(), seshat.SearchQuery{Query: q, Sort: seshat.Oldest, Flat: true}, func(f *seshat.Found) error {
			for _, h := range f.Hits {
				found = append(found, h.Record.ID)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		equal(t, query, found, want)
		listed, _ := sessions(t, l, seshat.SessionQuery{Query: q})
		if ids := ids(listed); len(want) > 0 && !slices.Equal(ids, map[byte][]string{'m': {one}, 'n': {two}}[want[0][0]]) {
			t.Errorf("sessions %s: %q", query, ids)
		}
	}
	projects, _, err := l.Projects(context.Background(), seshat.SessionQuery{})
	if err != nil || len(projects) != 1 || projects[0].Sessions != 2 || projects[0].Archived != 1 {
		t.Errorf("projects: %+v, %v", projects, err)
	}
	srcs, _, err := l.Sources(context.Background(), nil)
	if err != nil || len(srcs) != 1 || !strings.Contains(srcs[0].Path, two) {
		t.Errorf("what lies on the disk: %+v, %v", srcs, err)
	}
	if out, _, err := l.Expiring(context.Background(), seshat.ExpiringQuery{}); err != nil || len(out.Losses) != 1 || out.Losses[0].Session.ID != two {
		t.Errorf("expiring: %+v, %v", out, err)
	}
}

// The whole data folder is gone.
func TestKeptWithoutTheDataFolder(t *testing.T) {
	a := newAttic(t)
	a.keep("", "claude", claudeDir, plan())
	equal(t, "sessions", listOf(t, a.library(newWorld())), []string{"2 archived", "1 archived"})
}

// A prompt log outlives transcripts: what is archived is more than prompts, and a twin
// is folded all the same.
func TestKeptIsMoreThanPrompts(t *testing.T) {
	files, a := plan(), newAttic(t)
	files["history.jsonl"] = lines(logged(one, "/srv/app", "zorblax plan", 1, 0), logged(three, "/srv/app", "fix the flux capacitor", 4, 0))
	a.keep("", "claude", claudeDir, map[string]string{appDir + one + ".jsonl": files[appDir+one+".jsonl"]})
	l := a.library(without(claudeDir, files, func(name string) bool { return strings.Contains(name, one) }))
	equal(t, "sessions", listOf(t, l), []string{"2 live", "3 prompts-only", "1 archived"})
	for word, want := range map[string]string{"zorblax": claudeDir + "/" + appDir + one + ".jsonl:1:zorblax plan", "flux": claudeDir + "/history.jsonl:2:fix the flux capacitor"} {
		got, _ := grepLines(t, l, word)
		equal(t, word, got, []string{want})
	}
}

// What is on the disk wins: a transcript that grew, and one that was rewritten.
func TestLiveBeforeKept(t *testing.T) {
	files, a := plan(), newAttic(t)
	a.keep("", "claude", claudeDir, files)
	files[appDir+one+".jsonl"] = lines(user(one, "/srv/app", "m1b", 1, "other plan"))
	files[appDir+two+".jsonl"] += line(user(two, "/srv/app", "n2", 10, "grown"))
	l := a.library(newWorld(claudeRoot(files)))
	equal(t, "sessions", listOf(t, l), []string{"2 live", "1 live"})
	got, ans := records(t, l, seshat.Selection{Superseded: true, Copies: true})
	equal(t, "records", got, []string{"prompt other plan", "prompt something else", "prompt grown"})
	if !ans.Complete {
		t.Errorf("%+v", ans)
	}
	// The newest version counts, and its times.
	a.keep("", "claude", claudeDir, files)
	got, _ = records(t, a.library(newWorld()), seshat.Selection{})
	equal(t, "records of what is gone", got, []string{"prompt other plan", "prompt something else", "prompt grown"})
}

// A session whose transcript is live has subagents of which only the archive knows, and
// the other way round.
func TestKeptSubagents(t *testing.T) {
	files, a := plan(), newAttic(t)
	sub := func(session string) string { return appDir + session + "/subagents/agent-" + session[:1] + "a.jsonl" }
	for _, s := range []string{one, two} {
		files[sub(s)] = line(user(s, "/srv/app", "s"+s[:1], 20, "look into it").with("isSidechain", true))
		files[strings.TrimSuffix(sub(s), ".jsonl")+".meta.json"] = `{"description":"its task","agentType":"explore"}`
	}
	a.keep("", "claude", claudeDir, files)
	l := a.library(without(claudeDir, files, func(name string) bool {
		return name == appDir+one+".jsonl" || strings.HasPrefix(name, appDir+two+"/")
	}))
	list, _ := sessions(t, l, seshat.SessionQuery{All: true})
	equal(t, "sessions", stated(list), []string{"2 live", "1 archived"})
	flags := map[string]string{}
	_, err := l.Records(context.Background(), seshat.Selection{}, func(r *record.Record) error {
		flags[r.ID] = strings.Join(r.Flags.Names(), " ")
		return nil
	})
	if err != nil || flags["s1"] != "subagent" || flags["s2"] != "subagent archived" || flags["m1"] != "archived" || flags["n1"] != "" {
		t.Errorf("flags %v, %v", flags, err)
	}
	// All of the archived session counts, and of the live one what is archived.
	for query, want := range map[string][]string{"is:archived kind:dispatch": {"s1", "s2"}, "NOT is:archived": {"n1"}} {
		q, err := l.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		if _, err := l.Search(context.Background(), seshat.SearchQuery{Query: q, Flat: true}, func(f *seshat.Found) error {
			for _, h := range f.Hits {
				found = append(found, h.Record.ID)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(found)
		equal(t, query, found, want)
	}
	for i, s := range list {
		if s.Subagents != 1 {
			t.Errorf("session %d has %d subagents", i, s.Subagents)
		}
		_, shown, err := show(l, s.ID)
		if err != nil || len(shown.Subagents) != 1 || shown.Subagents[0].Title != "its task" {
			t.Errorf("%s shows %+v, %v", s.ID, shown.Subagents, err)
		}
	}
	// Nothing but subagents is left of a session, some of them on the disk.
	a2 := newAttic(t)
	a2.keep("", "claude", claudeDir, map[string]string{sub(two): files[sub(two)]})
	for left, want := range map[string]string{"": "2 archived", sub(two): "2 live", appDir + two + "/subagents/agent-z.jsonl": "2 live"} {
		l := a2.library(without(claudeDir, map[string]string{left: files[sub(two)]}, func(name string) bool { return name == "" }))
		list, _ := sessions(t, l, seshat.SessionQuery{All: true})
		if got := stated(list); !slices.Equal(got, []string{want}) {
			t.Errorf("with %q: %q, want %s", left, got, want)
		}
	}
}

// A transcript was moved to another project folder. It is one session, whether the
// archive was told of it or not yet.
func TestKeptAndMoved(t *testing.T) {
	for _, told := range []bool{false, true} {
		files, a := plan(), newAttic(t)
		m := claudeRoot(files)
		a.write("", func(w *archive.Writer) {
			for name, data := range files {
				info, err := m.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				_, err = w.Put(context.Background(), archive.Key{Agent: "claude", Dir: claudeDir, Name: name}, archive.Label{Store: "claude.projects.session"}, strings.NewReader(data), info.Size, info)
				if err != nil {
					t.Fatal(err)
				}
			}
			list, err := w.Sources(context.Background())
			for _, s := range list {
				if to := s.Key; told && strings.Contains(s.Name, one) {
					to.Name = strings.Replace(s.Name, "-srv-app", "-srv-new", 1)
					err = errors.Join(err, w.Move(s.ID, to))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		m.Move(appDir+one+".jsonl", "projects/-srv-new/"+one+".jsonl")
		equal(t, "sessions", listOf(t, a.library(newWorld(m))), []string{"2 live", "1 live"})
		gone := []string{"2 archived", "1 archived"}
		equal(t, "sessions of what is gone", listOf(t, a.library(newWorld())), gone)
	}
}

// Folders in which an agent keeps nothing today are shown where nothing replaces its
// folders; of what lies on the disk there, no more than was kept.
func TestKeptRoots(t *testing.T) {
	files, a := plan(), newAttic(t)
	const other = "/home/sam/work"
	a.keep("", "claude", other, files)
	a.keep("", "claude", "/home/sam/Cowork/.claude", map[string]string{appDir + three + ".jsonl": chat(three, "/srv/app", 20, "in a folder of Cowork", "yes")})
	a.keep("", "gemini", "/home/sam/.gemini", map[string]string{"tmp/app/chats/session-2026-01-02T03-04-aaaaaaaa.jsonl": `{"sessionId":"` + four + `","projectHash":"x","startTime":"2026-01-02T03:04:05.000Z"}` + "\n"})
	a.keep("", "claude", "/srv/app", map[string]string{".claude/settings.json": "{}", "CLAUDE.md": "instructions"})
	m := &rootfs.Memory{Folder: other}
	m.File(appDir+two+".jsonl", files[appDir+two+".jsonl"], at(59))
	m.File(appDir+four+".jsonl", chat(four, "/srv/app", 30, "never kept", "no"), at(59))
	m.File("settings.json", `{"cleanupPeriodDays": 1}`, at(59))
	here := claudeRoot(map[string]string{appDir + four[:8] + ".jsonl": chat(four, "/srv/app", 40, "here", "yes")})
	w := newWorld(m, here)
	equal(t, "sessions", listOf(t, a.library(w)), []string{"4 live", "3 archived", "2 live", "1 archived"})
	list, _ := sessions(t, a.library(w), seshat.SessionQuery{})
	for _, s := range list {
		if expires := !s.Expires.IsZero(); expires != (s.ID == four[:8]) {
			t.Errorf("%s expires: %v", s.ID, s.Expires)
		}
	}
	named := a.library(w, func(o *seshat.Options) { o.Vars["CLAUDE_CONFIG_DIR"] = other })
	equal(t, "with the folder of another day", listOf(t, named), []string{"4 live", "3 archived", "2 live", "1 archived"})
	replaced := a.library(w, func(o *seshat.Options) { o.Roots = []string{"claude=" + claudeDir} })
	equal(t, "where a flag replaces them", listOf(t, replaced), []string{"4 live"})
	chosen := a.library(w, func(o *seshat.Options) { o.Roots = []string{"claude=" + other} })
	equal(t, "where a flag names one", listOf(t, chosen), []string{"4 live", "2 live", "1 archived"})
	both := a.library(w, func(o *seshat.Options) { o.Agents = nil })
	equal(t, "of all agents", listOf(t, both), []string{"4 live", "3 archived", "2 live", "4 archived", "1 archived"})
}

// A folder that somebody named and that is gone is said to be, whatever the archive has
// of it.
func TestKeptOfANamedFolder(t *testing.T) {
	a := newAttic(t)
	a.keep("", "claude", "/home/sam/work", plan())
	l := a.library(newWorld(), func(o *seshat.Options) { o.Vars["CLAUDE_CONFIG_DIR"] = "/home/sam/work" })
	list, ans := sessions(t, l, seshat.SessionQuery{})
	if !slices.Equal(stated(list), []string{"2 archived", "1 archived"}) || ans.Complete || len(ans.Warnings) != 1 || !strings.Contains(ans.Warnings[0].Reason, "named by CLAUDE_CONFIG_DIR") {
		t.Errorf("%q, %+v", stated(list), ans)
	}
}

// What was kept from another machine is shown in a folder that is on no disk; what this
// one has too, once.
func TestKeptFromAnotherMachine(t *testing.T) {
	files, a := plan(), newAttic(t)
	a.keep("", "claude", claudeDir, map[string]string{appDir + two + ".jsonl": files[appDir+two+".jsonl"]})
	a.keep("laptop", "claude", claudeDir, files)
	a.keep("../../up", "claude", "/home/sam/.claude", map[string]string{appDir + three + ".jsonl": chat(three, "/srv/app", 20, "hostile", "yes")})
	w := without(claudeDir, files, func(name string) bool { return !strings.Contains(name, two) })
	l := a.library(w)
	equal(t, "sessions", listOf(t, l), []string{"3 archived", "2 live", "1 archived"})
	list, _ := sessions(t, l, seshat.SessionQuery{})
	for _, s := range list {
		if below := strings.HasPrefix(s.Path, a.archive()+"/machines/"); below != (s.ID != two) {
			t.Errorf("%s lies at %s", s.ID, s.Path)
		}
	}
	if !strings.HasPrefix(list[2].Path, a.archive()+"/machines/laptop/") || !strings.HasSuffix(list[2].Path, "/"+appDir+one+".jsonl") {
		t.Errorf("the laptop's lies at %s", list[2].Path)
	}
	if texts, _, err := show(l, list[2].Path); err != nil || len(texts) != 3 {
		t.Errorf("%q, %v", texts, err)
	}
	if err := os.Remove(filepath.Join(a.dir, "machine.id")); err != nil {
		t.Fatal(err)
	}
	alone := newAttic(t)
	alone.keep("lost", "claude", claudeDir, files)
	if err := os.Remove(filepath.Join(alone.dir, "machine.id")); err != nil {
		t.Fatal(err)
	}
	list, _ = sessions(t, alone.library(w), seshat.SessionQuery{})
	if !slices.Equal(stated(list), []string{"2 live", "1 archived"}) || strings.Contains(list[1].Path, "machines") {
		t.Errorf("without an id of this machine: %+v", list)
	}
}

// An archive that cannot be read breaks no answer, and no answer calls itself complete.
func TestKeptInABrokenArchive(t *testing.T) {
	files := plan()
	for what, spoil := range map[string]func(a attic) error{
		"a manifest that is none": func(a attic) error {
			return os.WriteFile(a.archive()+"/manifest.db", []byte(strings.Repeat("garbage", 1000)), 0o600)
		},
		"a manifest that is cut": func(a attic) error { return os.Truncate(a.archive()+"/manifest.db", 5000) },
		"a file for a folder": func(a attic) error {
			return errors.Join(os.RemoveAll(a.archive()), os.WriteFile(a.archive(), nil, 0o600))
		},
		"an id that is none": func(a attic) error { return os.WriteFile(a.dir+"/machine.id", []byte("x"), 0o600) },
	} {
		a := newAttic(t)
		a.keep("", "claude", claudeDir, files)
		if err := spoil(a); err != nil {
			t.Fatal(err)
		}
		l := a.library(newWorld(claudeRoot(files)))
		list, ans := sessions(t, l, seshat.SessionQuery{})
		if !slices.Equal(stated(list), []string{"2 live", "1 live"}) || ans.Complete || ans.Sources.Failed != 1 || len(ans.Warnings) != 1 || ans.Warnings[0].Path != a.archive() || !strings.Contains(ans.Warnings[0].Reason, "archive cannot be read") {
			t.Errorf("%s: %q, %+v", what, stated(list), ans)
		}
		if got, ans := grepLines(t, l, "zorblax"); len(got) != 1 || ans.Complete {
			t.Errorf("%s: %q, %+v", what, got, ans)
		}
		if _, ans, err := l.Sources(context.Background(), nil); err != nil || !ans.Complete {
			t.Errorf("%s: what lies on the disk is %+v, %v", what, ans, err)
		}
	}
	for what, spoil := range map[string]func(a attic) error{
		"no archive": func(a attic) error { return os.RemoveAll(a.archive()) },
		"an empty one": func(a attic) error {
			return errors.Join(os.RemoveAll(a.archive()), os.Mkdir(a.archive(), 0o700))
		},
	} {
		a := newAttic(t)
		a.keep("", "claude", claudeDir, files)
		if err := spoil(a); err != nil {
			t.Fatal(err)
		}
		if got := listOf(t, a.library(newWorld(claudeRoot(files)))); len(got) != 2 {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// What is private stays shut, though it got into the archive somehow.
func TestKeptAndPrivate(t *testing.T) {
	files, a := plan(), newAttic(t)
	files[".credentials.json"] = `{"token":"zorblax"}`
	a.keep("", "claude", claudeDir, files)
	for _, w := range []*world{newWorld(), newWorld(claudeRoot(nil))} {
		l := a.library(w)
		got, _, ans := recordsWithout(t, l, seshat.Selection{Scope: record.ScopeAll}, record.Archived)
		if len(got) != 4 || slices.ContainsFunc(got, func(r string) bool { return strings.Contains(r, "token") }) || !ans.Complete {
			t.Errorf("%q, %+v", got, ans)
		}
		if _, _, err := show(l, claudeDir+"/.credentials.json"); err == nil {
			t.Error("it is shown")
		}
	}
}

// Something else lies on the disk in the place of what was kept.
func TestKeptAndHidden(t *testing.T) {
	files, a := plan(), newAttic(t)
	sub := appDir + one + "/subagents/agent-a.jsonl"
	files[sub] = line(user(one, "/srv/app", "s1", 20, "look into it").with("isSidechain", true))
	a.keep("", "claude", claudeDir, files)
	delete(files, sub)
	m := claudeRoot(files)
	m.File(appDir+one, "a file where a folder was", at(59))
	_, ans := records(t, a.library(newWorld(m)), seshat.Selection{})
	if ans.Complete || len(ans.Warnings) != 1 || ans.Warnings[0].Path != claudeDir+"/"+sub || ans.Sources.Read != 2 {
		t.Errorf("%+v", ans)
	}
}

// Whatever is asked of the disk alone, the archive is not opened.
func TestKeptIsNotOpenedForNothing(t *testing.T) {
	a := newAttic(t)
	a.keep("", "claude", claudeDir, plan())
	if err := os.WriteFile(a.archive()+"/manifest.db", []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := a.library(newWorld(claudeRoot(nil)))
	if got := l.ConfigProblems(); len(got) > 0 || len(l.Stores()) == 0 {
		t.Errorf("%q", got)
	}
	if _, ans, err := l.Sources(context.Background(), nil); err != nil || len(ans.Warnings) > 0 {
		t.Errorf("%+v, %v", ans, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// A library sees what was archived since its last question, and can be closed between
// two.
func TestKeptIsReadAgain(t *testing.T) {
	files, a := plan(), newAttic(t)
	l := a.library(newWorld())
	if got := listOf(t, l); len(got) != 0 {
		t.Errorf("without an archive: %q", got)
	}
	a.keep("", "claude", claudeDir, map[string]string{appDir + one + ".jsonl": files[appDir+one+".jsonl"]})
	equal(t, "with one", listOf(t, l), []string{"1 archived"})
	a.keep("", "claude", claudeDir, files)
	equal(t, "with more", listOf(t, l), []string{"2 archived", "1 archived"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	equal(t, "closed and asked again", listOf(t, l), []string{"2 archived", "1 archived"})
}

// The date on which a folder is swept is that of what lies in it on the disk.
func TestKeptMovesNoDate(t *testing.T) {
	a := newAttic(t)
	a.write("", func(w *archive.Writer) {
		info := agent.Info{Mode: 0o600, Size: 1, MTime: at(59).AddDate(0, 0, -20)}
		if _, err := w.Put(context.Background(), archive.Key{Agent: "claude", Dir: claudeDir, Name: "uploads/" + one + "/old.png"}, archive.Label{Store: "claude.uploads"}, strings.NewReader("x"), 1, info); err != nil {
			t.Fatal(err)
		}
	})
	m := claudeRoot(map[string]string{"uploads/" + one + "/new.png": "y"})
	m.Touch("uploads/"+one, at(59))
	dates := func(l *seshat.Library) (out []time.Time) {
		x, _, err := l.Expiring(context.Background(), seshat.ExpiringQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, loss := range x.Losses {
			for _, f := range loss.Fates {
				out = append(out, f.Earliest)
			}
		}
		return out
	}
	want := dates(library(t, newWorld(m), "", nil))
	if got := dates(a.library(newWorld(m))); len(got) != 1 || !got[0].Equal(at(59).AddDate(0, 0, 30)) || !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Names of the archive are any bytes.
func TestKeptNames(t *testing.T) {
	a := newAttic(t)
	name := "projects/-srv-\xff\n\x1b[31m/" + one + ".jsonl"
	a.keep("", "claude", claudeDir, map[string]string{name: chat(one, "/srv/app", 1, "zorblax", "yes"), "../../etc/passwd.jsonl": "x", "projects/../x": "y"})
	list, _ := sessions(t, a.library(newWorld()), seshat.SessionQuery{})
	if len(list) != 1 || list[0].Path != claudeDir+"/"+name {
		t.Errorf("%+v", list)
	}
}
