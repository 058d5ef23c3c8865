package gemini

import (
	"context"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

const (
	otherChat = "tmp/app/chats/session-2026-01-02T03-05-11111111.jsonl"
	appRoot   = "/srv/app"
)

// meta2 is a metadata line with a real hash.
func meta2(session, hash, more string) string {
	return `{"sessionId":"` + session + `","projectHash":"` + hash + `","startTime":"2026-01-02T03:04:00.000Z","lastUpdated":"2026-01-02T03:04:00.000Z"` + more + "}\n"
}

func TestFamilies(t *testing.T) {
	hash := hashOf(appRoot)
	w := newWorld(t).file("tmp/app/.project_root", appRoot+"\n")
	legacy := strings.TrimSuffix(mainChat, "l")
	copied := strings.Replace(legacy, "app", hash, 1)
	sub := "tmp/app/chats/S1/sub1.jsonl"
	w.file(mainChat, meta2("S1", hash, "")).file(legacy, "{\n"+`"sessionId":"S1","projectHash":"`+hash+`"}`).file(copied, "{\n"+`"sessionId":"S1"}`)
	w.file(otherChat, meta2("S1", hash, "")).file(sub, meta2("sub1", hash, `,"kind":"subagent"`))
	a2a := "tmp/app/chats/session-2026-01-02T03-04-a2a-serv.jsonl"
	b2b := "tmp/app/chats/session-2026-01-02T03-05-a2a-serv.jsonl"
	w.file(a2a, meta2("a2a-server", hash, "")).file(b2b, meta2("a2a-server", hash, ""))
	else1 := "tmp/other/chats/session-2026-01-02T03-04-11111111.jsonl"
	w.file(else1, meta2("S1", hashOf("/srv/other"), ""))
	srcs := w.discover()
	for _, name := range []string{legacy, copied, otherChat, sub} {
		if srcs[name].Family != srcs[mainChat].Family {
			t.Errorf("%s is of another family", name)
		}
	}
	if srcs[a2a].Family == srcs[b2b].Family || srcs[else1].Family == srcs[mainChat].Family {
		t.Error("different sessions are one family")
	}
	if s := srcs[sub]; s.Session != "S1" || s.Subagent != "sub1" || s.Transcript() {
		t.Errorf("subagent: %+v", s)
	}
	if s := srcs[a2a]; s.Session != "a2a-server" || s.Subagent != "" || !s.Transcript() {
		t.Errorf("a2a: %+v", s)
	}
}

func TestSessionOfAFile(t *testing.T) {
	legacy := strings.TrimSuffix(mainChat, "l")
	long := strings.Repeat(gu("x", strings.Repeat("long ", 200))+"\n", 10)
	for name, c := range map[string]struct{ file, data, session, subagent string }{
		"first line":           {mainChat, gm("S1"), "S1", ""},
		"late":                 {mainChat, long + gm("S2") + "\n", "S2", ""},
		"byte order mark":      {mainChat, "\ufeff" + gm("S3") + "\n", "S3", ""},
		"set":                  {mainChat, `{"$set":{"sessionId":"S4"}}`, "S4", ""},
		"no hash":              {mainChat, `{"sessionId":"S5"}` + "\n" + gu("a", "x"), "S5", ""},
		"none":                 {mainChat, gu("a", "x"), "session-2026-01-02T03-04-11111111", ""},
		"empty":                {mainChat, "", "session-2026-01-02T03-04-11111111", ""},
		"old":                  {legacy, "{\n  \"sessionId\": \"S6\",\n  \"messages\": [\n" + strings.TrimSuffix(strings.ReplaceAll(long, "\n", ",\n"), ",\n") + "]\n}", "S6", ""},
		"old subagent":         {legacy, "{\n  \"sessionId\": \"S7\",\n  \"messages\": [\n" + strings.TrimSuffix(strings.ReplaceAll(long, "\n", ",\n"), ",\n") + "],\n  \"kind\": \"subagent\"\n}", "S7", "S7"},
		"the word in a prompt": {legacy, `{"sessionId":"S8","messages":[{"id":"a","type":"user","content":"\"kind\": \"subagent\""}]}`, "S8", ""},
		"cut":                  {legacy, `{"sessionId":"S9","messages":[{"id":"a"`, "S9", ""},
		"id behind messages":   {legacy, `{"messages":[` + gu("x", strings.Repeat("long ", 2000)) + `],"sessionId":"S10"}`, "S10", ""},
		"subagent at the top":  {mainChat, meta2("S11", "p", `,"kind":"subagent"`), "S11", "S11"},
	} {
		src := newWorld(t).file(c.file, c.data).discover()[c.file]
		if src.Session != c.session || src.Subagent != c.subagent {
			t.Errorf("%s: session %q, subagent %q", name, src.Session, src.Subagent)
		}
	}
}

func TestOrigins(t *testing.T) {
	hash, tree := hashOf(appRoot), appRoot+"/.gemini/worktrees/blue"
	windows := `c:\one\two words`
	whash := hashOf(`C:\One\Two Words`)
	w := newWorld(t)
	w.file("projects.json", `{"projects":{"/srv/app":"app","/srv/reg":"reg","/not/this":"marked"}}`)
	w.file("tmp/marked/.project_root", "/srv/marked\n").file("history/hist/.project_root", "/srv/hist").file("tmp/blue/.project_root", tree)
	w.file("tmp/win/.project_root", windows)
	want := map[string]record.Origin{
		"reg": {CWD: "/srv/reg"}, "marked": {CWD: "/srv/marked"}, "hist": {CWD: "/srv/hist"}, hash: {CWD: appRoot},
		"blue": {CWD: tree}, "win": {CWD: windows}, whash: {CWD: windows},
		hashOf("nowhere"): {CWDHash: hashOf("nowhere")}, "unknown": {},
	}
	for dir := range want {
		h := "x"
		if dir == "win" || dir == whash {
			h = whash
		}
		w.file("tmp/"+dir+"/chats/session-2026-01-02T03-04-11111111.jsonl", meta2("S-"+dir, h, "")+gu("a", "x"))
		w.file("tmp/"+dir+"/logs.json", `[{"sessionId":"S1","messageId":0,"type":"user","message":"x","timestamp":"2026-01-02T03:04:05.000Z"}]`)
	}
	for dir, origin := range want {
		for _, name := range []string{"/chats/session-2026-01-02T03-04-11111111.jsonl", "/logs.json"} {
			if got := w.read("tmp/"+dir+name, agent.Plan{}).records; len(got) != 1 || got[0].Origin != origin {
				t.Errorf("tmp/%s%s: %+v, want %+v", dir, name, got, origin)
			}
		}
	}
}

// Where no marker is left, a folder that the session names is taken if the
// project's hash is of it.
func TestOriginFromTheSession(t *testing.T) {
	hash := hashOf(appRoot)
	context := gu("c", "<session_context>\n- **Workspace Directories:**\n  - /srv/other\n  - /srv/app\n- **Tree**\n  - /srv/no\n</session_context>")
	for name, c := range map[string]struct{ data, cwd string }{
		"context":     {meta2("S1", hash, "") + context, appRoot},
		"directories": {meta2("S1", hash, `,"directories":["/srv/x","/srv/app"]`) + gu("a", "x"), appRoot},
		"another":     {meta2("S1", hashOf("/srv/nowhere"), "") + context, ""},
	} {
		r := newWorld(t).file(mainChat, c.data).read(mainChat, agent.Plan{}).records[0]
		if r.Origin.CWD != c.cwd || c.cwd == "" && r.Origin.CWDHash != hashOf("/srv/nowhere") {
			t.Errorf("%s: %+v", name, r.Origin)
		}
	}
}

func TestSummaries(t *testing.T) {
	title := func(lines ...string) (string, record.TitleSource) {
		s := newWorld(t).chat(lines...).summary(mainChat).Session
		return s.Title, s.TitleSource
	}
	preamble := gu("c", "<session_context>tree</session_context>")
	for want, lines := range map[string][]string{
		"summary: Nice":     {preamble, gu("a", "ask"), `{"$set":{"summary":"Old"}}`, `{"$set":{"summary":" Nice "}}`},
		"prompt: ask me":    {preamble, gu("x", "/help"), gu("a", "ask\n me")},
		"prompt: again":     {gu("x", "rewound"), `{"$rewindTo":"x"}`, gu("a", "again")},
		"prompt: early":     {gu("x", "early"), setMessages(gu("s", "<state_snapshot>s"))},
		"prompt: see @f":    {msg("a", "user", `"content":"see @f\nbody of f","displayContent":"see @f"`)},
		"prompt: /help":     {preamble, gu("x", "/help")},
		"prompt: an answer": {ga("g", "an answer", "")},
		": ":                {preamble},
	} {
		got, source := title(lines...)
		if string(source)+": "+got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}

	w := newWorld(t).file("tmp/app/.project_root", appRoot).chat(gu("a", "ask"), ga("g", "r", `,"toolCalls":[`+call("c", "glob", `{"pattern":"p"}`, "1")+`]`),
		gu("b", "gone"), `{"$rewindTo":"b"}`, `{"$set":{"lastUpdated":"2026-01-02T05:00:00Z","startTime":"2026-01-02T03:00:00Z"}}`)
	sum := w.summary(mainChat)
	s := sum.Session
	if s.Kind != record.KindInteractive || s.State != record.StateLive || s.ID != "S1" || s.Origin.CWD != appRoot || len(s.Models) != 1 || s.Models[0] != "test-gemini" {
		t.Errorf("%+v", s)
	}
	if (s.Counts != record.Counts{Prompts: 1, Replies: 1, ToolCalls: 1, ToolResults: 1}) {
		t.Errorf("counts %+v", s.Counts)
	}
	if s.Started.Format("15:04") != "03:00" || s.LastActive.Format("15:04") != "05:00" {
		t.Errorf("from %s to %s", s.Started, s.LastActive)
	}
	if len(sum.Records) != 5 || !sum.Records[0].Count || sum.Records[4].Count || sum.Records[0].Kind != record.Prompt || sum.Records[0].Mark == 0 {
		t.Errorf("marks %+v", sum.Records)
	}
}

// The context that all sessions open with has one id in all of them. It makes no
// session a copy of another.
func TestPreambleIsNoCopy(t *testing.T) {
	sum := newWorld(t).chat(setMessages(gu("d04923d38bb0f6017037e74183378ef4", "<session_context>tree</session_context>")), gu("a", "x")).summary(mainChat)
	if len(sum.Records) != 2 || sum.Records[0].Mark != 0 || sum.Records[1].Mark == 0 {
		t.Errorf("%+v", sum.Records)
	}
}

func TestSubagents(t *testing.T) {
	sub := "tmp/app/chats/S1/sub1.jsonl"
	w := newWorld(t).file(sub, meta2("sub1", "p", `,"kind":"subagent"`)+gu("a", "/do it")+"\n"+ga("g", "done", ""))
	got := w.read(sub, agent.Plan{Titles: true})
	got.expect(t, "dispatch+subagent a:2 /do it", "reply+subagent g:3 done")
	if r := got.records[0]; r.Session != "S1" || r.Subagent == nil || r.Subagent.ID != "sub1" || r.Title != "/do it" {
		t.Errorf("%+v", r)
	}
	if s := w.summary(sub).Session; s.Kind != record.KindSubagent || s.ID != "S1" {
		t.Errorf("%+v", s)
	}
}

func TestHead(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	legacy := strings.TrimSuffix(mainChat, "l")
	for want, c := range map[string][2]string{
		"03:04:00": {mainChat, gm("S1") + "\n" + gu("a", "x")},
		"03:04:05": {mainChat, `{"sessionId":"S1"}` + "\n" + setMessages(gu("a", "x"))},
		"03:04:01": {mainChat, "\ufeff" + strings.Replace(gm("S1"), "03:04:00", "03:04:01", 1) + "\n"},
		"03:04:02": {legacy, "{\n" + strings.Replace(gm("S1"), "03:04:00", "03:04:02", 1)[1:]},
		"03:04:06": {legacy, "{\n\"sessionId\":\"S1\",\"messages\":[\n" + strings.Replace(gu("a", "x"), "04:05", "04:06", 1) + "]}"},
		"00:00:00": {mainChat, ""},
	} {
		w := newWorld(t).file("tmp/app/.project_root", appRoot).file(c[0], c[1])
		head, err := a.Head(context.Background(), w.discover()[c[0]])
		if err != nil || head.Time.Format("15:04:05") != want || head.CWD != appRoot {
			t.Errorf("%+v, %v, want %s", head, err, want)
		}
	}
}
