package gemini_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

const generated = "testdata/generated"

// open gives the library over a home.
func open(t *testing.T, home string) *seshat.Library {
	t.Helper()
	abs, err := filepath.Abs(home)
	if err != nil {
		t.Fatal(err)
	}
	l, err := seshat.Open(seshat.Options{Home: abs, GOOS: "linux", WorkDir: abs, Agents: []string{"gemini"}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// hits lists the records that hold a word: kind, flags and the name of the file.
func hits(t *testing.T, l *seshat.Library, word string, sel seshat.Selection) (out []string, hidden record.Hidden) {
	t.Helper()
	p, err := seshat.CompilePattern([]string{word}, seshat.PatternFlags{})
	if err != nil {
		t.Fatal(err)
	}
	ans, err := l.Grep(context.Background(), seshat.GrepQuery{Selection: sel, Pattern: p, Whole: true}, func(m *seshat.Match) error {
		s := string(m.Record.Kind)
		for _, f := range m.Record.Flags.Names() {
			s += "+" + f
		}
		out = append(out, s+" "+filepath.Base(m.Record.Path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, ans.Hidden
}

func TestGeneratedMarkers(t *testing.T) {
	l := open(t, generated)
	main, compressed := "session-2026-11-30T16-00-5e5ha700.jsonl", "session-2026-11-30T16-00-c0ffee00.jsonl"
	all, superseded := seshat.Selection{Scope: record.ScopeAll}, seshat.Selection{Superseded: true}
	for _, tt := range []struct {
		word string
		sel  seshat.Selection
		want []string
	}{
		{"papyrus index built", seshat.Selection{}, []string{"prompt " + main}},
		{"scarab", seshat.Selection{}, []string{"tool_result " + main}},
		{"anubis", seshat.Selection{}, []string{"prompt+replaced " + compressed}},
		{"sphinx", seshat.Selection{}, []string{"dispatch+subagent 7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl"}},
		{"djed", seshat.Selection{}, nil},
		{"djed", all, []string{"prompt checkpoint-na%C3%AFve%20tag%2F1.json"}},
		{"obelisk", all, nil},
		{"obelisk", superseded, []string{"reply+superseded " + main}},
		// The rewind names the prompt itself, so Gemini CLI's loader drops it too.
		{"lotus", all, nil},
		{"lotus", superseded, []string{"prompt+superseded " + main}},
	} {
		if got, _ := hits(t, l, tt.word, tt.sel); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.word, got, tt.want)
		}
	}
	got, hidden := hits(t, l, "ibis", seshat.Selection{})
	if len(got) != 1 || !strings.HasPrefix(got[0], "prompt ") || hidden.Copy != 2 {
		t.Errorf("ibis: %q, %d copies", got, hidden.Copy)
	}
	if got, _ := hits(t, l, "ibis", seshat.Selection{Copies: true}); len(got) != 3 {
		t.Errorf("ibis with copies: %q", got)
	}
}

func TestGeneratedSessions(t *testing.T) {
	l := open(t, generated)
	sessions, ans, err := l.Sessions(context.Background(), seshat.SessionQuery{})
	if err != nil || !ans.Complete {
		t.Fatal(err, ans)
	}
	titles := map[string]string{}
	for _, s := range sessions {
		if titles[s.ID] != "" {
			t.Errorf("the session %s is listed twice", s.ID)
		}
		titles[s.ID] = s.Title
		if s.Project.Name != "Nile Survey" || s.Project.Root != "/home/alice/work/Nile Survey" {
			t.Errorf("%s: project %+v", s.ID, s.Project)
		}
		if strings.HasPrefix(s.ID, "5e5ha700") && s.Subagents != 2 {
			t.Errorf("%s: %d subagents", s.ID, s.Subagents)
		}
		if strings.HasPrefix(s.ID, "1e9acf00") && s.Counts.Prompts != 3 { // one question, /help, and one after the migration
			t.Errorf("%s: %+v", s.ID, s.Counts)
		}
	}
	want := map[string]string{
		"5e5ha700-1111-4aaa-8bbb-000000000001": "Finding the papyrus indexer",
		"c0ffee00-2222-4aaa-8bbb-000000000002": "early prompt before compression: anubis-marker",
		"1e9acf00-4444-4aaa-8bbb-000000000004": "legacy question: ibis-marker",
	}
	for id, title := range want {
		if titles[id] != title {
			t.Errorf("%s: title %q", id, titles[id])
		}
	}
	if len(sessions) != len(want) {
		t.Errorf("%d sessions", len(sessions))
	}
}

// texts lists the records of a session: kind and text.
func texts(t *testing.T, l *seshat.Library, session string, superseded bool) (out []string) {
	t.Helper()
	_, err := l.Records(context.Background(), seshat.Selection{Scope: record.ScopeConversation, Superseded: superseded}, func(r *record.Record) error {
		if r.Session == session {
			out = append(out, string(r.Kind)+": "+r.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestO14 is the acceptance case of that name.
func TestO14(t *testing.T) {
	home := t.TempDir()
	write := func(name string, lines ...string) {
		path := filepath.Join(home, ".gemini", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const ts = `"2026-01-02T03:04:05.000Z"`
	meta := func(id string) string {
		return `{"sessionId":"` + id + `","projectHash":"app","startTime":` + ts + `,"lastUpdated":` + ts + `,"kind":"main"}`
	}
	user := func(id, text string) string {
		return `{"id":"` + id + `","timestamp":` + ts + `,"type":"user","content":[{"text":"` + text + `"}]}`
	}
	answer := func(id, text string) string {
		return `{"id":"` + id + `","timestamp":` + ts + `,"type":"gemini","content":"` + text + `","tokens":{"input":1},"model":"test-gemini"}`
	}
	write("projects.json", `{"projects":{"/srv/app":"app"}}`)
	chat := "tmp/app/chats/session-2026-01-02T03-04-"
	write(chat+"11111111.jsonl", meta("11111111-1111-4111-8111-111111111111"),
		user("c0", `<session_context>\nToday is ... tree of 200 lines\n</session_context>`), user("m1", "keep-me question"), answer("m2", "keep answer"),
		user("m3", "abandoned question"), answer("m4", "abandoned answer"), `{"$rewindTo":"m3"}`, user("m5", "second try"),
		`{"$set":{"lastUpdated":"2026-01-02T05:00:00Z","summary":"Nice title"}}`)
	write(chat+"22222222.jsonl", meta("S2"), `{"$set":{"messages":[`+user("a", "batched-needle")+","+answer("b", "r")+`]}}`, user("c", "bare-needle"))
	write(chat+"33333333.jsonl", meta("S3"), user("d", "one"), answer("e", "two"), `{"$rewindTo":"no-such-id"}`)
	l := open(t, home)

	first := []string{"prompt: keep-me question", "reply: keep answer", "prompt: second try"}
	if got := texts(t, l, "11111111-1111-4111-8111-111111111111", true); !slices.Contains(got, "prompt: abandoned question") || len(got) != 5 {
		t.Errorf("with what was taken back: %q", got)
	}
	if got := texts(t, l, "11111111-1111-4111-8111-111111111111", false); !slices.Equal(got, first) {
		t.Errorf("the session reads %q", got)
	}
	if got, hidden := hits(t, l, "abandoned", seshat.Selection{}); len(got) > 0 || hidden.Superseded != 2 {
		t.Errorf("abandoned: %q, %+v", got, hidden)
	}
	if got := texts(t, l, "S2", false); !slices.Equal(got, []string{"prompt: batched-needle", "reply: r", "prompt: bare-needle"}) {
		t.Errorf("S2 reads %q", got)
	}
	if got := texts(t, l, "S3", false); len(got) > 0 {
		t.Errorf("S3 reads %q", got)
	}
	sessions, _, err := l.Sessions(context.Background(), seshat.SessionQuery{})
	if err != nil || len(sessions) != 3 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	for _, s := range sessions {
		if s.Project.Root != "/srv/app" {
			t.Errorf("project %+v", s.Project)
		}
		switch s.ID {
		case "S2":
		case "S3":
			if s.Counts != (record.Counts{}) || s.State != record.StateLive {
				t.Errorf("S3: %+v", s)
			}
		default:
			if s.Title != "Nice title" || s.TitleSource != record.TitleSummary || s.LastActive.Format("15:04") != "05:00" {
				t.Errorf("S1: %+v", s)
			}
		}
	}
}
