package claude

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/record"
)

func named(key, val string) string {
	typ := map[string]string{"customTitle": "custom-title", "aiTitle": "ai-title", "agentName": "agent-name"}[key]
	return js(obj{"type": typ, key: val, "sessionId": mine})
}

func summed(text, leaf string) string {
	return js(obj{"type": "summary", "summary": text, "leafUuid": leaf})
}

// padding is a line of about 80 KiB that says nothing about titles.
func padding(uuid string) string {
	return ln("progress", uuid, 9, "data", obj{"output": strings.Repeat("pad ", 20<<10)})
}

// Every source of a title, and which one wins (E.1).
func TestTitles(t *testing.T) {
	q, a := usr("u1", 1, "the  first\nprompt"), ast("a1", 2, list(txt("an answer")))
	entered := js(obj{"type": "worktree-state", "worktreeSession": obj{"worktreeName": "brave-fox", "worktreePath": "/w"}})
	sidecar := func(data string) map[string]string {
		return map[string]string{folder + mine + "/custom-title.json": data}
	}
	for name, c := range map[string]struct {
		beside map[string]string
		lines  []string
		title  string
		source record.TitleSource
	}{
		"custom":                          {nil, []string{q, named("customTitle", "Mine"), a}, "Mine", record.TitleCustom},
		"the last custom":                 {nil, []string{named("customTitle", "Old"), q, named("customTitle", "New"), a}, "New", record.TitleCustom},
		"custom over a later ai":          {nil, []string{q, named("customTitle", "Mine"), named("aiTitle", "Its")}, "Mine", record.TitleCustom},
		"ai":                              {nil, []string{q, named("aiTitle", "Its"), a}, "Its", record.TitleAI},
		"the last ai":                     {nil, []string{named("aiTitle", "Old"), q, named("aiTitle", "New")}, "New", record.TitleAI},
		"an empty custom does not clear":  {nil, []string{q, named("customTitle", "Mine"), named("customTitle", ""), named("customTitle", "  ")}, "Mine", record.TitleCustom},
		"an empty ai does not clear":      {nil, []string{q, named("aiTitle", "Its"), named("aiTitle", "")}, "Its", record.TitleAI},
		"only an empty custom":            {nil, []string{q, named("customTitle", ""), named("aiTitle", "Its")}, "Its", record.TitleAI},
		"custom far from both ends":       {nil, []string{q, padding("p1"), named("customTitle", "Mine"), padding("p2"), a}, "Mine", record.TitleCustom},
		"ai far from both ends":           {nil, []string{q, padding("p1"), named("aiTitle", "Its"), padding("p2"), a}, "Its", record.TitleAI},
		"custom first of all":             {nil, []string{named("customTitle", "Mine"), q, padding("p1"), padding("p2")}, "Mine", record.TitleCustom},
		"a sidecar over custom":           {sidecar(`{"customTitle":"Beside"}`), []string{q, named("customTitle", "Mine")}, "Beside", record.TitleCustom},
		"an empty sidecar":                {sidecar(`{"customTitle":""}`), []string{q, named("customTitle", "Mine")}, "Mine", record.TitleCustom},
		"a broken sidecar":                {sidecar(`{"customTitle":`), []string{q, named("aiTitle", "Its")}, "Its", record.TitleAI},
		"a sidecar of another type":       {sidecar(`{"customTitle":["x"]}`), []string{q, named("aiTitle", "Its")}, "Its", record.TitleAI},
		"a worktree's stamp yields to ai": {nil, []string{q, entered, named("customTitle", "brave-fox"), named("aiTitle", "Its")}, "Its", record.TitleAI},
		"a worktree's stamp alone":        {nil, []string{q, entered, named("customTitle", "brave-fox")}, "brave-fox", record.TitleCustom},
		"a name beside a worktree":        {nil, []string{q, entered, named("customTitle", "Mine"), named("aiTitle", "Its")}, "Mine", record.TitleCustom},
		"a summary of this session":       {nil, []string{summed("Sum", "a1"), q, a}, "Sum", record.TitleSummary},
		"a summary of another session":    {nil, []string{summed("Other", "elsewhere"), q, a}, "the first prompt", record.TitlePrompt},
		"the summary of the last leaf":    {nil, []string{summed("Late", "a1"), summed("Early", "u1"), q, a}, "Late", record.TitleSummary},
		"ai over a summary":               {nil, []string{summed("Sum", "a1"), q, a, named("aiTitle", "Its")}, "Its", record.TitleAI},
		"an empty summary":                {nil, []string{summed("", "a1"), q, a}, "the first prompt", record.TitlePrompt},
		"an agent's name is no title":     {nil, []string{named("agentName", "agent"), q, a}, "the first prompt", record.TitlePrompt},
		"the prompt, commands passed over": {nil, []string{usr("u0", 1, "<command-name>/clear</command-name>"), usr("m0", 1, "injected", "isMeta", true),
			usr("c0", 1, "sum", "isCompactSummary", true), q, a}, "the first prompt", record.TitlePrompt},
		"a queued prompt that was taken back": {nil, []string{enqueue(1, "one"), operation("popAll", 2), usr("u1", 3, "one more")}, "one more", record.TitlePrompt},
		"a prompt that was rewritten":         {nil, []string{usr("u1", 1, "old words"), usr("u1", 2, "new words")}, "new words", record.TitlePrompt},
		"a prompt that was retracted":         {nil, []string{usr("u0", 1, "gone"), q, ln("system", "s1", 2, "retractedMessageUuids", list("u0"))}, "the first prompt", record.TitlePrompt},
		"a queued prompt":                     {nil, []string{enqueue(1, "queued up"), ast("a1", 2, list(txt("an answer")))}, "queued up", record.TitlePrompt},
		"an answer without prompt":            {nil, []string{a}, "an answer", record.TitlePrompt},
		"a long prompt":                       {nil, []string{usr("u1", 1, strings.Repeat("é", 300))}, strings.Repeat("é", 200) + "…", record.TitlePrompt},
		"nothing":                             {nil, []string{usr("u1", 1, "injected", "isMeta", true)}, "", ""},
	} {
		s := summary(t, c.beside, c.lines...).Session
		if s.Title != c.title || s.TitleSource != c.source {
			t.Errorf("%s: %q (%s), want %q (%s)", name, s.Title, s.TitleSource, c.title, c.source)
		}
	}
}

// Records carry the title, wherever it stands in the file.
func TestRecordsCarryTheTitle(t *testing.T) {
	lines := []string{usr("u1", 1, "q"), named("customTitle", "Old"), ast("a1", 2, list(txt("a"))), named("customTitle", "New")}
	for _, r := range readLines(t, lines...).records {
		if r.Title != "New" {
			t.Errorf("%s is titled %q", r.ID, r.Title)
		}
	}
}

func TestSessionKinds(t *testing.T) {
	q := func(members ...any) string { return usr("u1", 1, "q", members...) }
	for name, c := range map[string]struct {
		lines []string
		want  record.SessionKind
		flags []string // of the last record
	}{
		"a terminal":                        {[]string{q("entrypoint", "cli")}, record.KindInteractive, nil},
		"the desktop":                       {[]string{q("entrypoint", "claude-desktop")}, record.KindInteractive, nil},
		"claude -p":                         {[]string{q("entrypoint", "sdk-cli")}, record.KindPrint, []string{"print"}},
		"the SDK":                           {[]string{q("entrypoint", "sdk-ts")}, record.KindPrint, []string{"print"}},
		"an SDK prompt":                     {[]string{q("promptSource", "sdk")}, record.KindPrint, []string{"print"}},
		"unknown":                           {[]string{q()}, record.KindInteractive, nil},
		"background":                        {[]string{q("entrypoint", "cli", "sessionKind", "bg")}, record.KindBackground, []string{"background"}},
		"background from some line on":      {[]string{q("entrypoint", "cli"), usr("u2", 2, "r", "sessionKind", "bg")}, record.KindBackground, []string{"background"}},
		"old -p, a bare dequeue":            {[]string{operation("dequeue", 1), q()}, record.KindPrint, []string{"print"}},
		"old -p, an enqueue":                {[]string{enqueue(1, "q"), operation("dequeue", 1), q()}, record.KindPrint, []string{"print"}},
		"a queue first, but at a terminal":  {[]string{enqueue(1, "q"), operation("dequeue", 1), q("entrypoint", "cli")}, record.KindInteractive, []string{"queued"}},
		"a queue later":                     {[]string{q(), operation("dequeue", 1), usr("u2", 2, "r")}, record.KindInteractive, nil},
		"the entrypoint stands on answers":  {[]string{q(), ast("a1", 2, list(txt("a")), "entrypoint", "sdk-cli")}, record.KindPrint, []string{"print"}},
		"an entrypoint of the wrong type":   {[]string{q("entrypoint", list("sdk-cli"))}, record.KindInteractive, nil},
		"another kind of session":           {[]string{q("sessionKind", "fg")}, record.KindInteractive, nil},
		"an attachment tells the same":      {[]string{ln("attachment", "x", 1, "entrypoint", "sdk-cli", "attachment", obj{"type": "x"}), q("entrypoint", "sdk-cli")}, record.KindPrint, []string{"print"}},
		"a session whose first line is cut": {[]string{`{"type":"us`, q("entrypoint", "cli")}, record.KindInteractive, nil},
	} {
		if got := summary(t, nil, c.lines...).Session.Kind; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		f := readLines(t, c.lines...)
		if got := f.records[len(f.records)-1].Flags.Names(); strings.Join(got, " ") != strings.Join(c.flags, " ") {
			t.Errorf("%s: flags %q, want %q", name, got, c.flags)
		}
	}
}

func TestSummary(t *testing.T) {
	sum := summary(t, nil,
		js(obj{"type": "mode", "mode": "x", "timestamp": stampOf(0)}),
		usr("u1", 3, "one"), ans("m1", "a1", 4, list(think("hm"), txt("two"), use("t1", "Bash", obj{"command": "ls"}))), usr("u2", 6, list(res("t1", "out"))),
		ans("m1", "a2", 5, list(txt("two and"))), ln("assistant", "a3", 5, "message", obj{"id": "m3", "model": "model-b", "content": list(txt("three"), think("x"), use("t2", "Bash", obj{}), use("t3", "Bash", obj{}))}),
		usr("u3", 5, "<command-name>/cost</command-name>"), usr("s1", 5, "side", "isSidechain", true), "garbage",
		js(obj{"type": "pr-link", "prUrl": "https://github.com/a/b/pull/1", "prNumber": 1}), js(obj{"type": "pr-link", "prUrl": "https://github.com/a/b/pull/2"}),
		js(obj{"type": "pr-link", "prUrl": "https://github.com/a/b/pull/1"}), js(obj{"type": "pr-link", "prUrl": ""}), js(obj{"type": "pr-link", "prNumber": 5}))
	s := sum.Session
	if s.Counts != (record.Counts{Prompts: 2, Replies: 2, ToolCalls: 3, ToolResults: 1}) {
		t.Errorf("counts %+v", s.Counts)
	}
	if strings.Join(s.Models, " ") != "model-b model-a" || strings.Join(s.PRs, " ") != "https://github.com/a/b/pull/1 https://github.com/a/b/pull/2" {
		t.Errorf("models %q, pull requests %q", s.Models, s.PRs)
	}
	if !s.Started.Equal(moment(0)) || !s.LastActive.Equal(moment(6)) || s.Origin.CWD != "/srv/app" || s.Origin.Branch != "main" || s.State != record.StateLive || len(sum.Damage) != 1 || sum.Inline != 1 {
		t.Errorf("the summary is %+v", sum)
	}
	if s := summary(t, nil, "garbage").Session; s.State != record.StateDamaged || !s.Started.Equal(touched) {
		t.Errorf("a damaged session is %+v", s)
	}
	if s := summary(t, nil).Session; s.State != record.StateLive {
		t.Errorf("an empty session is %+v", s)
	}
}
