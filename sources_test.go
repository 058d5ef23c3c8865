package seshat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// stored is a data folder with files of every coverage, whose private files and
// folders tell when they are opened or listed.
func stored() *rootfs.Memory {
	m := claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl": chat(one, "/srv/app", 1, "question", "answer"),
		"history.jsonl":                       "",
		"settings.json":                       `{"model":"opus","env":{"KEY":"canary"},"n":1}`,
		"settings.local.json":                 `{"model":null,"/srv/canary":{}}`,
		"CLAUDE.md":                           "# canary\n",
		".credentials.json":                   `{"canary":1}`,
		"security/canary/state":               "canary",
		"ide/1234.lock":                       "canary",
		"stray.bin":                           "x",
	})
	m.Special("projects/-srv-app/"+two+".jsonl", fs.ModeNamedPipe)
	for _, private := range []string{".credentials.json", "security", "security/canary", "security/canary/state", "ide/1234.lock"} {
		m.Fail(private, errors.New("a private store was opened"))
	}
	return m
}

func TestSources(t *testing.T) {
	w := newWorld(stored())
	l := library(t, w, "", nil)
	list, ans, err := l.Sources(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprintf("%s %s %s", strings.TrimPrefix(s.Path, claudeDir+"/"), s.Store.ID, s.State))
	}
	want := []string{
		".credentials.json claude.credentials private",
		"CLAUDE.md claude.memory_files unread",
		"history.jsonl claude.history unread",
		"ide/1234.lock claude.ide_locks private",
		"projects/-srv-app/" + one + ".jsonl claude.projects.session unread",
		"projects/-srv-app/" + two + ".jsonl claude.projects.session failed",
		"security claude.security_state private",
		"settings.json claude.settings unread",
		"settings.local.json claude.settings unread",
	}
	for i := range got { // a folder may be written with its slash
		got[i] = strings.Replace(got[i], "security/ ", "security ", 1)
	}
	if !slices.Equal(got, want) {
		t.Errorf("sources\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if ans.Matches != len(want) || ans.Sources.Failed != 1 || ans.Complete {
		t.Errorf("the answer is %+v", ans)
	}
	if len(ans.Warnings) != 1 || !strings.Contains(ans.Warnings[0].Reason, "FIFO") {
		t.Errorf("warnings %+v", ans.Warnings)
	}
	for _, path := range w.opened {
		if strings.Contains(path, "credentials") || strings.Contains(path, "security") || strings.HasSuffix(path, ".lock") {
			t.Errorf("%s was opened", path)
		}
	}
}

func TestSourcesWanted(t *testing.T) {
	l := library(t, newWorld(stored()), "", nil)
	list, ans, err := l.Sources(context.Background(), func(s *seshat.Source) bool { return s.Store.ID == "claude.settings" })
	if err != nil || len(list) != 2 || ans.Matches != 2 || ans.Sources.Failed != 0 || !ans.Complete {
		t.Errorf("%d sources, %+v, %v", len(list), ans, err)
	}
	b, err := json.Marshal(list[0].JSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"seshat.source/1","agent":"claude","store":"claude.settings","path":"/home/sam/.claude/settings.json","bytes":45,"mtime":"2026-01-02T03:59:00.000Z","state":"unread"}`
	if string(b) != want {
		t.Errorf("JSON\n%s\nwant\n%s", b, want)
	}
}

// The folders of Cowork tasks are data folders of their own, although they lie in
// the folder of the desktop app, which is private but for them.
func TestCoworkFoldersAreFound(t *testing.T) {
	const app = "/home/sam/.config/Claude"
	const task = "local-agent-mode-sessions/org/account/local_1/.claude"
	m := &rootfs.Memory{Folder: app}
	m.File(task+"/projects/-srv-app/"+one+".jsonl", chat(one, "/srv/app", 1, "cowork question", "answer"), at(59))
	m.File("Cookies", "canary", at(59))
	m.Fail("Cookies", errors.New("a private file was opened"))
	inside := &rootfs.Memory{Folder: app + "/" + task}
	inside.File("projects/-srv-app/"+one+".jsonl", chat(one, "/srv/app", 1, "cowork question", "answer"), at(59))
	l := library(t, newWorld(m, inside), "", func(o *seshat.Options) {
		o.Vars = map[string]string{"SESHAT_CONFIG": ""}
		o.Home = "/home/sam"
	})
	got, ans := records(t, l, seshat.Selection{})
	if want := []string{"prompt cowork question", "reply answer"}; !slices.Equal(got, want) || ans.Sources.Failed != 0 {
		t.Errorf("records %q and %+v, want %q", got, ans, want)
	}
}

func summary(t *testing.T, l *seshat.Library, id string) (*seshat.StoreSummary, *record.Answer) {
	t.Helper()
	s, ans, err := l.Summary(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s, ans
}

func TestSummary(t *testing.T) {
	l := library(t, newWorld(stored()), "", nil)
	s, ans := summary(t, l, "claude.settings")
	var keys []string
	for _, k := range s.Keys {
		keys = append(keys, fmt.Sprint(k.Name, k.Count, k.Types))
	}
	if want := []string{"model2 [null string]", "env1 [object]", "n1 [number]"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q, want %q", keys, want)
	}
	if len(s.Files) != 2 || s.Bytes != 45+31 || s.Data != 1 || ans.Matches != 2 || ans.Sources.Read != 2 || !ans.Complete {
		t.Errorf("%+v and %+v", s, ans)
	}
	b, err := json.Marshal(s.JSON(nil))
	if err != nil || strings.Contains(string(b), "canary") {
		t.Errorf("the summary tells a value: %s, %v", b, err)
	}
	s, ans = summary(t, l, "claude.projects.session")
	if len(s.Files) != 2 || s.Lines != 2 || ans.Sources.Read != 1 || ans.Sources.Failed != 1 || ans.Complete {
		t.Errorf("%+v and %+v", s, ans)
	}
}

// Private files are counted by name and not opened.
func TestSummaryOfPrivateStores(t *testing.T) {
	w := newWorld(stored())
	l := library(t, w, "", nil)
	for _, id := range []string{"claude.credentials", "claude.security_state", "claude.ide_locks"} {
		s, ans := summary(t, l, id)
		if len(s.Files) != 1 || s.Lines != 0 || len(s.Keys) != 0 || s.Data != 0 || ans.Sources.Failed != 0 {
			t.Errorf("%s: %+v and %+v", id, s, ans)
		}
		if b, err := json.Marshal(s.JSON(nil)); err != nil || strings.Contains(string(b), "canary") {
			t.Errorf("%s tells %s, %v", id, b, err)
		}
	}
}

func TestSummaryFaults(t *testing.T) {
	m := stored()
	m.Fail("settings.json", &fs.PathError{Op: "open", Path: "settings.json", Err: fs.ErrPermission})
	m.File("settings.local.json", `{"model":`, at(59))
	l := library(t, newWorld(m), "", nil)
	s, ans := summary(t, l, "claude.settings")
	if len(s.Files) != 2 || ans.Sources.Failed != 2 || ans.Complete || len(ans.Warnings) != 2 {
		t.Errorf("%+v and %+v", s, ans)
	}
	_, _, err := l.Summary(context.Background(), "claude.setting")
	var usage seshat.UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "claude.settings") {
		t.Errorf("a misspelt store gives %v", err)
	}
}
