package seshat_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

func sessions(t *testing.T, l *seshat.Library, q seshat.SessionQuery) ([]record.Session, *record.Answer) {
	t.Helper()
	list, ans, err := l.Sessions(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list, ans
}

func ids(list []record.Session) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.ID)
	}
	return out
}

func TestSessions(t *testing.T) {
	m := threeChats()
	list, ans := sessions(t, library(t, newWorld(m), "", nil), seshat.SessionQuery{})
	if want := []string{two, three, one}; !slices.Equal(ids(list), want) {
		t.Fatalf("sessions %q, want the last active first: %q", ids(list), want)
	}
	if ans.Matches != 3 || ans.Sources.Read != 3 || ans.Sources.Failed != 0 || !ans.Complete || len(ans.Warnings) != 0 {
		t.Errorf("the answer is %+v", ans)
	}
	info, err := m.Stat("projects/-srv-app/" + two + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := list[0]
	want := record.Session{
		Agent: "claude", Handle: "claude:" + two, Short: two[:8], ID: two, Kind: record.KindInteractive, State: record.StateLive,
		Title: "beta question", TitleSource: record.TitlePrompt,
		Project: record.Project{Name: "app", Root: "/srv/app"}, Origin: record.Origin{CWD: "/srv/app", Branch: "main"},
		Models: []string{"test-model-1"}, Started: at(5), LastActive: at(40), Counts: record.Counts{Prompts: 2, Replies: 1},
		Path: claudeDir + "/projects/-srv-app/" + two + ".jsonl", Bytes: info.Size,
		Expires: at(59).AddDate(0, 0, 30), // all files were changed at minute 59
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("the session is\n%+v\nwant\n%+v", got, want)
	}
}

func TestSessionsSinceAndLimit(t *testing.T) {
	l := library(t, newWorld(threeChats()), "", nil)
	for name, c := range map[string]struct {
		q    seshat.SessionQuery
		want []string
	}{
		"since":               {seshat.SessionQuery{Since: at(21)}, []string{two, three}},
		"since a bit later":   {seshat.SessionQuery{Since: at(22)}, []string{two}},
		"since the future":    {seshat.SessionQuery{Since: at(50)}, nil},
		"limit":               {seshat.SessionQuery{Limit: 2}, []string{two, three}},
		"more than there are": {seshat.SessionQuery{Limit: 9}, []string{two, three, one}},
	} {
		list, ans := sessions(t, l, c.q)
		if !slices.Equal(ids(list), c.want) || ans.Matches != len(c.want) {
			t.Errorf("%s: %q and %d matches, want %q", name, ids(list), ans.Matches, c.want)
		}
	}
}

// Print-mode runs and subagents whose session is gone are counted and shown only
// when asked for.
func TestSessionsLeftOut(t *testing.T) {
	printed := lines(user(two, "/srv/app", "u2", 20, "printed").with("entrypoint", "sdk-cli"))
	orphan := lines(user(three, "/srv/app", "u3", 30, "explore").with("isSidechain", true).with("agentId", "a1"))
	child := lines(user(one, "/srv/app", "u4", 12, "dig").with("isSidechain", true).with("agentId", "a2"))
	m := claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl":                          chat(one, "/srv/app", 10, "question", "answer"),
		"projects/-srv-app/" + one + "/subagents/agent-a2.jsonl":       child,
		"projects/-srv-app/" + two + ".jsonl":                          printed,
		"projects/-srv-app/" + three + "/subagents/agent-a1.jsonl":     orphan,
		"projects/-srv-app/" + three + "/subagents/agent-a1.meta.json": `{"description":"find the cave","agentType":"Explore"}`,
	})
	l := library(t, newWorld(m), "", nil)
	list, ans := sessions(t, l, seshat.SessionQuery{})
	if want := []string{one}; !slices.Equal(ids(list), want) || ans.Hidden.Print != 1 || ans.Hidden.Subagent != 1 {
		t.Errorf("by default: %q, hidden %+v", ids(list), ans.Hidden)
	}
	if len(list) == 1 && list[0].Subagents != 1 {
		t.Errorf("%d subagents, want 1", list[0].Subagents)
	}
	list, ans = sessions(t, l, seshat.SessionQuery{All: true})
	if want := []string{three, two, one}; !slices.Equal(ids(list), want) || ans.Hidden.Print != 0 || ans.Hidden.Subagent != 0 {
		t.Fatalf("with All: %q, hidden %+v", ids(list), ans.Hidden)
	}
	if list[0].Kind != record.KindSubagent || list[1].Kind != record.KindPrint {
		t.Errorf("kinds %s and %s", list[0].Kind, list[1].Kind)
	}
}

func TestSessionsDamaged(t *testing.T) {
	m := claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl": "garbage\n{\"type\":\n",
		"projects/-srv-app/" + two + ".jsonl": chat(two, "/srv/app", 10, "question", "answer") + "garbage\n",
	})
	list, ans := sessions(t, library(t, newWorld(m), "", nil), seshat.SessionQuery{})
	states := map[string]record.SessionState{}
	for _, s := range list {
		states[s.ID] = s.State
	}
	if states[one] != record.StateDamaged || states[two] != record.StateLive || len(list) != 2 {
		t.Errorf("states %v", states)
	}
	if ans.DamagedLines != 3 || ans.Complete || len(ans.Warnings) != 3 {
		t.Errorf("the answer is %+v", ans)
	}
}

func TestRecordsInOrder(t *testing.T) {
	m := threeChats()
	m.File("projects/-srv-app/"+one+"/subagents/agent-a1.jsonl", lines(
		user(one, "/srv/app", "s1", 1, "dig").with("isSidechain", true).with("agentId", "a1"),
		assistant(one, "/srv/app", "s2", 2, text("found")).with("isSidechain", true).with("agentId", "a1")), at(59))
	got, ans := records(t, library(t, newWorld(m), "", nil), seshat.Selection{})
	want := []string{
		"prompt beta question", "reply beta answer", "prompt beta again",
		"prompt alpha question", "reply alpha answer", "dispatch dig", "reply found",
		"prompt gamma question", "reply gamma answer",
	}
	if !slices.Equal(got, want) {
		t.Errorf("records\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if ans.Matches != len(want) || ans.Sources.Read != 4 || !ans.Complete {
		t.Errorf("the answer is %+v", ans)
	}
}

func TestRecordsAreNamedAndPlaced(t *testing.T) {
	m := claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": lines(
		user(one, "/srv/app", "u1", 1, "question"),
		assistant(one, "/srv/app", "u2", 2, object{"type": "thinking", "thinking": "hm"}, text("answer"),
			object{"type": "tool_use", "id": "t1", "name": "Bash", "input": object{"command": "ls", "description": "List"}}),
		object{"type": "user", "sessionId": one, "message": object{"role": "user", "content": "without an id"}},
	)})
	path := claudeDir + "/projects/-srv-app/" + one + ".jsonl"
	var got []string
	_, err := library(t, newWorld(m), "", nil).Records(context.Background(), seshat.Selection{}, func(r *record.Record) error {
		got = append(got, fmt.Sprintf("%s %s:%d %s/%s %q", r.Handle, r.ID, r.Line, r.Kind, r.Role, r.Text))
		if r.Path != path || r.Session != one || r.Agent != "claude" || r.Store != "claude.projects.session" {
			t.Errorf("%s is placed at %+v", r.ID, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The first 8 digits of the SHA-256 of the path, by sha256sum.
	const hash = "2fd755df"
	want := []string{
		`claude:u1 u1:1 prompt/user "question"`,
		`claude:u2 u2:2 thinking/assistant "hm"`,
		`claude:u2#1 u2#1:2 reply/assistant "answer"`,
		`claude:u2#2 u2#2:2 tool_call/assistant "ls\ndescription: List"`,
		`claude:L3@` + hash + ` L3:3 prompt/user "without an id"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("records\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// The title of a record is the one that the list of sessions shows.
func TestRecordsCarryTheSessionsTitle(t *testing.T) {
	for source, more := range map[record.TitleSource]string{
		record.TitleCustom: line(object{"type": "custom-title", "customTitle": "Mine", "sessionId": one}),
		record.TitleAI:     line(object{"type": "ai-title", "aiTitle": "Generated", "sessionId": one}),
		record.TitlePrompt: "",
	} {
		m := claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": chat(one, "/srv/app", 1, "question", "answer") + more})
		l := library(t, newWorld(m), "", nil)
		list, _ := sessions(t, l, seshat.SessionQuery{})
		if len(list) != 1 || list[0].TitleSource != source {
			t.Fatalf("sessions %+v", list)
		}
		_, err := l.Records(context.Background(), seshat.Selection{}, func(r *record.Record) error {
			if r.Title != list[0].Title {
				t.Errorf("%s: the record %s has the title %q, its session %q", source, r.ID, r.Title, list[0].Title)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecordsScopesAndKinds(t *testing.T) {
	m := claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": lines(
		user(one, "/srv/app", "u1", 1, "question"),
		user(one, "/srv/app", "u2", 2, "<command-name>/cost</command-name>"),
		user(one, "/srv/app", "u3", 3, "injected").with("isMeta", true),
		assistant(one, "/srv/app", "u4", 4, text("answer")),
	)})
	l := library(t, newWorld(m), "", nil)
	for name, c := range map[string]struct {
		q    seshat.Selection
		want []string
	}{
		"conversation": {seshat.Selection{}, []string{"prompt question", "command /cost", "reply answer"}},
		"prompts":      {seshat.Selection{Scope: record.ScopePrompts}, []string{"prompt question", "command /cost"}},
		"all":          {seshat.Selection{Scope: record.ScopeAll}, []string{"prompt question", "command /cost", "notice injected", "reply answer"}},
		"kinds":        {seshat.Selection{Kinds: []record.Kind{record.Notice, record.Reply}}, []string{"notice injected", "reply answer"}},
		"a store":      {seshat.Selection{Stores: []string{"claude.projects.session"}, Kinds: []record.Kind{record.Prompt}}, []string{"prompt question"}},
		"another":      {seshat.Selection{Stores: []string{"claude.history"}}, nil},
	} {
		if got, _ := records(t, l, c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSelectionsThatMakeNoSense(t *testing.T) {
	l := library(t, newWorld(threeChats()), "", nil)
	for store, hint := range map[string]string{
		"claude.projects.sessions": "claude.projects.session", // a letter too many
		"history":                  "claude.history",
		"claude.credentials":       "private",
		"claude.settings":          "catalogue",
		"no.such.thing.at.all":     "stores",
	} {
		_, err := l.Records(context.Background(), seshat.Selection{Stores: []string{store}}, func(*record.Record) error { return nil })
		var usage seshat.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: error %v, want one of usage that says %q", store, err, hint)
		}
	}
}

func TestVisitEndsRecords(t *testing.T) {
	enough := errors.New("enough")
	n := 0
	_, err := library(t, newWorld(threeChats()), "", nil).Records(context.Background(), seshat.Selection{}, func(*record.Record) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 3 {
		t.Errorf("%d records and %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := library(t, newWorld(threeChats()), "", nil).Records(ctx, seshat.Selection{}, func(*record.Record) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("one that is cancelled ends with %v", err)
	}
}

// A source that cannot be opened costs only itself, and the answer says so.
func TestFaultOnOpenCostsOnlyTheSource(t *testing.T) {
	m := threeChats()
	bad := "projects/-srv-app/" + one + ".jsonl"
	m.Fail(bad, &fs.PathError{Op: "open", Path: bad, Err: fs.ErrPermission})
	l := library(t, newWorld(m), "", nil)
	check := func(what string, ans *record.Answer) {
		t.Helper()
		if ans.Sources.Read != 2 || ans.Sources.Failed != 1 || ans.Complete {
			t.Errorf("%s: the answer is %+v", what, ans)
		}
		if len(ans.Warnings) != 1 || ans.Warnings[0] != (record.Warning{Path: claudeDir + "/" + bad, Reason: "permission denied"}) {
			t.Errorf("%s: warnings %+v", what, ans.Warnings)
		}
	}
	got, ans := records(t, l, seshat.Selection{})
	want := []string{"prompt beta question", "reply beta answer", "prompt beta again", "prompt gamma question", "reply gamma answer"}
	if !slices.Equal(got, want) {
		t.Errorf("records %q, want %q", got, want)
	}
	check("records", ans)
	list, ans := sessions(t, l, seshat.SessionQuery{})
	if want := []string{two, three}; !slices.Equal(ids(list), want) {
		t.Errorf("sessions %q, want %q", ids(list), want)
	}
	check("sessions", ans)
}

// One that breaks off gives what stands before, and the others lose nothing.
func TestFaultHalfWayCostsOnlyTheRest(t *testing.T) {
	fault := errors.New("input/output error")
	m := threeChats()
	name := "projects/-srv-app/" + two + ".jsonl"
	w := newWorld(m)
	info, err := m.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	w.dirs[claudeDir] = failing{m, name, info.Size - 10, fault}
	got, ans := records(t, library(t, w, "", nil), seshat.Selection{})
	for _, want := range []string{"prompt alpha question", "reply alpha answer", "prompt gamma question", "reply gamma answer"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is lost; got %q", want, got)
		}
	}
	if slices.Contains(got, "prompt beta again") {
		t.Error("a record behind the fault was read")
	}
	if ans.Sources.Read != 2 || ans.Sources.Failed != 1 || ans.Complete || len(ans.Warnings) != 1 || !strings.Contains(ans.Warnings[0].Reason, fault.Error()) {
		t.Errorf("the answer is %+v", ans)
	}
}

// A folder that somebody named and that is missing counts as failed.
func TestNamedRoots(t *testing.T) {
	work := claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": chat(one, "/srv/app", 10, "work", "done")})
	work.Folder = "/home/sam/work"
	home := claudeRoot(map[string]string{"projects/-srv-app/" + two + ".jsonl": chat(two, "/srv/app", 20, "home", "done")})
	for name, c := range map[string]struct {
		config string
		change func(*seshat.Options)
		want   []string
		failed int
	}{
		"default":             {"", nil, []string{two}, 0},
		"a flag":              {"", func(o *seshat.Options) { o.Roots = []string{"claude=work"} }, []string{one}, 0},
		"a flag with a home":  {"", func(o *seshat.Options) { o.Roots = []string{"claude=~/work"} }, []string{one}, 0},
		"two flags":           {"", func(o *seshat.Options) { o.Roots = []string{"claude=/home/sam/work", "claude=" + claudeDir} }, []string{two, one}, 0},
		"a missing flag":      {"", func(o *seshat.Options) { o.Roots = []string{"claude=/none"} }, nil, 1},
		"a variable":          {"", func(o *seshat.Options) { o.Vars["CLAUDE_CONFIG_DIR"] = "/home/sam/work" }, []string{one}, 0},
		"an empty variable":   {"", func(o *seshat.Options) { o.Vars["CLAUDE_CONFIG_DIR"] = "" }, []string{two}, 0},
		"a missing variable":  {"", func(o *seshat.Options) { o.Vars["CLAUDE_CONFIG_DIR"] = "/none" }, nil, 1},
		"the config adds":     {"[agents.claude]\nroots = [\"~/work\"]\n", nil, []string{two, one}, 0},
		"the config, missing": {"[agents.claude]\nroots = [\"~/none\"]\n", nil, []string{two}, 1},
		"another home":        {"", func(o *seshat.Options) { o.Home = "/home/nobody" }, nil, 0},
	} {
		l := library(t, newWorld(work, home), c.config, c.change)
		list, ans := sessions(t, l, seshat.SessionQuery{})
		if !slices.Equal(ids(list), c.want) || ans.Sources.Failed != c.failed || ans.Complete != (c.failed == 0) {
			t.Errorf("%s: %q and %+v; want %q and %d failed", name, ids(list), ans, c.want, c.failed)
		}
	}
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	for _, opts := range []seshat.Options{
		{Roots: []string{"claude"}},
		{Roots: []string{"claude="}},
		{Roots: []string{"nobody=/x"}},
		{Agents: []string{"nobody"}},
	} {
		opts.Home, opts.GOOS = "/home/sam", "linux"
		opts.Vars = map[string]string{"XDG_CONFIG_HOME": t.TempDir()}
		opts.Open = func(string) (agent.Root, error) { return nil, fs.ErrNotExist }
		_, err := seshat.Open(opts)
		var usage seshat.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%+v: error %v, want one of usage", opts, err)
		}
	}
	if _, err := seshat.Open(seshat.Options{Home: "/home/sam", Config: t.TempDir() + "/none.toml"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a config that was asked for and is missing gives %v", err)
	}
}
