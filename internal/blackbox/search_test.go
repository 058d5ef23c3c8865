package blackbox

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// result is what search prints: a record or, with the schema of one, a session.
type result struct {
	record
	Title string
	State string
	Loose bool
	Score *float64
	Why   map[string]float64
	Also  []string
}

// search gives what a search finds, best first.
func (h *Home) search(t *testing.T, args ...string) ([]result, answer) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"search", "--ndjson"}, args...)...))
	return as[result](t, a), a
}

func textsOf(list []result) []string {
	out := []string{}
	for _, r := range list {
		out = append(out, r.Text)
	}
	return out
}

func TestO1SearchReadsAroundDamage(t *testing.T) {
	h, path, _ := damaged(t)
	list, a := h.search(t, "needle-after-damage")
	if len(list) != 1 || list[0].Session != S1 || list[0].Text != "delta needle-after-damage" || a.summary.Matches != 1 || a.summary.Sources.Read != 1 {
		t.Errorf("%+v of %s", list, a.raw)
	}
	r := h.Run("search", "needle-after-damage").exits(t, 0)
	if !strings.Contains(r.Stdout, "delta needle-after-damage") || !strings.Contains(r.Stdout, "11111111:6") {
		t.Errorf("search prints\n%s", r.Stdout)
	}
	// What the damage may have held is not denied.
	if r := h.Run("search", "gam").exits(t, 2); !strings.Contains(r.Stderr, h.Tilde(path)) {
		t.Errorf("stderr does not name the file: %q", r.Stderr)
	}
}

func TestO4SearchNamesTheSubagent(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1,
		U("p1", "", "parent question"),
		A("p2", "p1", "msg_1", ToolUse("toolu_1", "Task", `{"description":"dig the cave","prompt":"child prompt text"}`), ""),
		UB("p3", "p2", ToolResult("toolu_1", "child summary")))
	child := strings.NewReplacer(`"isSidechain":false`, `"isSidechain":true,"agentId":"abc123"`)
	h.Write(app+S1+"/subagents/agent-abc123.jsonl", child.Replace(h.Fill("/srv/app", S1,
		U("c1", "", "child prompt text"), A("c2", "c1", "msg_9", T("child-only-finding"), ""))), 0o600)
	h.Write(app+S1+"/subagents/agent-abc123.meta.json", `{"agentType":"Explore","description":"dig the cave","toolUseId":"toolu_1","spawnDepth":1}`, 0o600)
	list, _ := h.search(t, "child-only-finding")
	if len(list) != 1 || list[0].Session != S1 || list[0].Subagent == nil || list[0].Subagent.ID != "abc123" || list[0].Title != "dig the cave" || !slices.Contains(list[0].Flags, "subagent") {
		t.Fatalf("%+v", list)
	}
	out := h.Run("search", "child-only-finding").exits(t, 0).Stdout
	if !strings.Contains(out, "parent question") || !strings.Contains(out, "claude:"+S1) || !strings.Contains(out, "subagent") {
		t.Errorf("search prints\n%s", out)
	}
	name := regexp.MustCompile(`(?m)^  (\S+)  reply`).FindStringSubmatch(out)
	if name == nil {
		t.Fatalf("no handle in\n%s", out)
	}
	if shown := h.Run("show", name[1], "-C", "0").exits(t, 0).Stdout; !strings.Contains(shown, "child-only-finding") {
		t.Errorf("show %s prints\n%s", name[1], shown)
	}
	// The call and what the child was told are two records of one session.
	if list, _ := h.search(t, "child prompt text"); len(list) != 2 {
		t.Errorf("%q", textsOf(list))
	}
	if out := h.Run("search", "child prompt text").exits(t, 0).Stdout; strings.Count(out, "claude:"+S1) != 1 {
		t.Errorf("it is one session:\n%s", out)
	}
}

func TestO6ProjectOfTheRecords(t *testing.T) {
	h := New(t)
	h.Claude("/srv/parent/my-app_v1.2", S1, U("m1", "", "hyphen needle"))
	h.Claude("/srv/parent/my/app", S2, U("m2", "", "hyphen needle elsewhere"))
	for _, args := range [][]string{
		{"needle project:my-app_v1.2"}, {"needle project:/srv/parent/my-app_v1.2"}, {"needle", "--project", "my-app_v1.2"},
		{"needle cwd:/srv/parent/my-app_v1.2"}, {"needle project:MY-APP*"},
	} {
		if list, _ := h.search(t, args...); len(list) != 1 || list[0].Session != S1 || list[0].Origin.CWD != "/srv/parent/my-app_v1.2" {
			t.Errorf("%q finds %q", args, textsOf(list))
		}
	}
	if out := h.Run("search", "needle project:my-app_v1.2").exits(t, 0).Stdout; !strings.Contains(out, "my-app_v1.2 · ") {
		t.Errorf("the project is not named:\n%s", out)
	}
}

func TestO7SearchTellsTwinsApart(t *testing.T) {
	h, _, beta := twins(t)
	list, _ := h.search(t, "eviction")
	if len(list) != 1 || list[0].Path != h.Tilde(beta) || list[0].Origin.CWD != "/srv/beta" || list[0].Title != "beta cache eviction" {
		t.Errorf("%+v", list)
	}
	if list, _ := h.search(t, "--project", "alpha", "a"); slices.ContainsFunc(list, func(r result) bool { return strings.Contains(r.Text, "beta") }) || len(list) != 2 {
		t.Errorf("--project alpha gives %q", textsOf(list))
	}
	out := h.Run("search", "eviction").exits(t, 0).Stdout
	handle := regexp.MustCompile(`claude:` + S1 + `@[0-9a-f]{8}`).FindString(out)
	if handle == "" || !strings.Contains(h.Run("show", handle).Stdout, "beta cache eviction") {
		t.Errorf("the session's handle is %q in\n%s", handle, out)
	}
}

func TestO9SearchFindsGhosts(t *testing.T) {
	h, _ := ghosts(t)
	list, _ := h.search(t, "flux capacitor")
	if len(list) != 1 || list[0].Kind != "prompt" || list[0].Session != S1 {
		t.Fatalf("%+v", list)
	}
	out := h.Run("search", "flux capacitor").exits(t, 0).Stdout
	if !strings.Contains(out, "not on disk") || !strings.Contains(out, "prompts-only") || strings.Count(out, "flux capacitor") != 2 {
		t.Errorf("search prints\n%s", out)
	}
	if list, _ := h.search(t, "pasted-needle"); len(list) != 1 || list[0].Session != S2 {
		t.Errorf("%+v", list)
	}
	if list, _ := h.search(t, "is:prompts-only"); len(list) != 1 || list[0].Session != S1 {
		t.Errorf("is:prompts-only gives %q", textsOf(list))
	}
}

func TestO14SearchLeavesOutWhatWasTakenBack(t *testing.T) {
	h := New(t)
	h.Gemini("00000001", GM(S1), GU("c0", "<session_context>\nToday is a day\n</session_context>"), GU("m1", "keep-me question"), GA("m2", "keep answer", ""),
		GU("m3", "abandoned question"), GA("m4", "abandoned answer", ""), `{"$rewindTo":"m3"}`, GU("m5", "second try"),
		`{"$set":{"lastUpdated":"2026-01-02T05:00:00Z","summary":"Nice title"}}`)
	list, a := h.search(t, "abandoned")
	if len(list) != 0 || a.summary.Hidden.Superseded != 2 {
		t.Errorf("%q of %s", textsOf(list), a.raw)
	}
	for _, args := range [][]string{{"abandoned", "--superseded"}, {"abandoned is:superseded"}} {
		if list, _ := h.search(t, args...); len(list) != 2 || !slices.Contains(list[0].Flags, "superseded") {
			t.Errorf("%q gives %q", args, textsOf(list))
		}
	}
	if list, _ := h.search(t, "session_context"); len(list) != 0 {
		t.Errorf("injected text is found: %q", textsOf(list))
	}
	if list, _ := h.search(t, "Nice title"); len(list) != 1 || list[0].Schema != "seshat.session/1" || list[0].Title != "Nice title" {
		t.Errorf("the title gives %+v", list)
	}
	// One word of the title, one of the record.
	if list, _ := h.search(t, "nice second"); len(list) != 1 || list[0].Text != "second try" {
		t.Errorf("%q", textsOf(list))
	}
}

func TestO16Punctuation(t *testing.T) {
	h := New(t)
	texts := []string{
		"don't use agents here", "see Downloads/transcripts now", "open gateway/run.py", "mail user@host", "a,b,c", "why? because", "e=mc2", "#tag one",
		"[bracket] two", `say "quoted words" ok`,
	}
	var all []string
	for i, text := range texts {
		all = append(all, U(string(rune('a'+i)), "", text))
	}
	h.Claude("/srv/app", S1, all...)
	for i, q := range []string{"don't use", "Downloads/transcripts", "gateway/run.py", "user@host", "a,b", "why?", "e=mc2", "#tag", "[bracket]", `"quoted words"`} {
		r := h.Run("search", q).exits(t, 0)
		if r.Stderr != "" {
			t.Errorf("%s: stderr %q", q, r.Stderr)
		}
		if list, _ := h.search(t, q); len(list) == 0 || list[0].Text != texts[i] {
			t.Errorf("%s finds %q", q, textsOf(list))
		}
		if got := lines(h.Run("grep", "--query", "--no-heading", q).exits(t, 0).Stdout); len(got) == 0 || !strings.HasSuffix(got[0], texts[i]) {
			t.Errorf("grep --query %s prints %q", q, got)
		}
	}
	for _, q := range []string{"*", `"`, "(", ")", "'", `\`, "&&", "OR", "NOT", "kind:", ":", "-", "- -", "^", "$", "%", ";", "a:b:c", "AND OR"} {
		if r := h.Run("search", "--", q); r.Code > 1 || strings.Contains(r.Stderr, "error") {
			t.Errorf("%s exits with %d: %s", q, r.Code, r.Stderr)
		}
	}
	if r := h.Run("search", "/[/").exits(t, 2); r.Stdout != "" {
		t.Errorf("a wrong expression prints %q", r.Stdout)
	}
}

func TestO17UnicodeForms(t *testing.T) {
	const composed, apart = "visite au caf\u00e9 Z\u00fcrich", "visite au cafe\u0301 Zu\u0308rich"
	h := New(t)
	h.Claude("/srv/app", S1, U("a", "", composed))
	h.Claude("/srv/Cafe\u0301", S2, U("b", "", apart))
	h.Claude("/srv/app", S3, U("c", "", "\uff21\uff30\uff29 key"))
	h.Claude("/srv/app", S4, U("d", "", "stra\u00dfe"))
	for _, q := range []string{"caf\u00e9", "cafe\u0301", "Z\u00fcrich", "Zu\u0308rich", "CAF\u00c9", "caf\u00e9 zu\u0308rich", "/caf\u00e9 z/"} {
		list, _ := h.search(t, q)
		if got := textsOf(list); len(got) != 2 || !slices.Contains(got, composed) || !slices.Contains(got, apart) {
			t.Errorf("%s finds %q", q, got)
		}
		out := h.Run("search", q, "--color", "always").exits(t, 0).Stdout
		if !utf8.ValidString(out) {
			t.Errorf("%s prints what is not UTF-8", q)
		}
	}
	out := h.Run("search", "caf\u00e9", "--color", "always").exits(t, 0).Stdout
	for _, want := range []string{"\x1b[1;31mcaf\u00e9\x1b[0m", "\x1b[1;31mcafe\u0301\x1b[0m"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not set off as it stands there:\n%q", want, out)
		}
	}
	if list, _ := h.search(t, "api"); len(list) != 0 {
		t.Errorf("full-width letters are others: %q", textsOf(list))
	}
	for _, args := range [][]string{{"visite project:caf\u00e9"}, {"visite", "--project", "caf\u00e9"}, {"visite cwd:caf\u00e9"}} {
		if list, _ := h.search(t, args...); len(list) != 1 || list[0].Session != S2 {
			t.Errorf("%q finds %q", args, textsOf(list))
		}
	}
	// A snippet is cut between characters.
	h.Claude("/srv/long", S5, U("e", "", strings.Repeat("e\u0301", 400)+" needle "+strings.Repeat("e\u0301", 400)))
	out = h.Run("search", "needle").exits(t, 0).Stdout
	snippet := lines(out)[3]
	if !strings.Contains(snippet, "needle") || strings.Count(snippet, "e") != strings.Count(snippet, "\u0301")+3 || len(snippet) > 600 {
		t.Errorf("the snippet is %q", snippet)
	}
}

// A copy is one record, and names where else it stands.
func TestSearchFoldsCopies(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "shared needle"))
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/app", S2, strings.ReplaceAll(U("m1", "", "shared needle"), Time, `"2026-01-02T03:04:01.000Z"`), U("m2", "m1", "only here"))
	list, a := h.search(t, "needle")
	if len(list) != 1 || list[0].Session != S1 || len(list[0].Also) != 1 || a.summary.Hidden.Copy != 1 {
		t.Errorf("%+v of %s", list, a.raw)
	}
}

// When no record holds all words, the sessions follow that do.
func TestSearchHoldsLoosely(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("z", "", "good evening"), U("a", "z", "the harbour is quiet"), A("b", "a", "m", T("no lantern tonight"), ""))
	h.Claude("/srv/app", S2, U("c", "", "a harbour without light"))
	list, a := h.search(t, "harbour lantern")
	if len(list) != 2 || !list[0].Loose || !list[1].Loose || a.summary.Matches != 0 {
		t.Fatalf("%+v of %s", list, a.raw)
	}
	r := h.Run("search", "harbour lantern").exits(t, 0)
	if !strings.HasPrefix(r.Stdout, "[not all in one record] good evening") || strings.Contains(r.Stdout, "without light") {
		t.Errorf("search prints\n%s", r.Stdout)
	}
	// One that holds them together comes first, and the others still follow.
	h.Claude("/srv/app", S3, U("d", "", "harbour and lantern"))
	list, a = h.search(t, "harbour lantern")
	if len(list) != 3 || list[0].Session != S3 || list[0].Loose || !list[1].Loose || a.summary.Matches != 1 {
		t.Errorf("%+v of %s", list, a.raw)
	}
	if list, _ = h.search(t, "harbour lantern", "--limit", "1"); len(list) != 1 {
		t.Errorf("a limit of one gives %q", textsOf(list))
	}
}

// What was typed outranks what tools said, a whole word a part of one, and this
// repository any other where --here says so.
func TestSearchRanks(t *testing.T) {
	h := New(t)
	h.Mkdir("code/shop/.git")
	h.Write("code/shop/.git/HEAD", "ref: refs/heads/main\n", 0o600)
	shop := h.Mkdir("code/shop/deep/folder")
	h.Claude("/srv/app", S1, U("a", "", "start"), A("b", "a", "m", ToolUse("t", "Bash", `{"command":"ls"}`), ""), UB("c", "b", ToolResult("t", "beacon in a listing")))
	h.Claude("/srv/app", S2, U("d", "", "where is the beacon"))
	h.Claude("/srv/app", S3, U("e", "", "go on"), A("f", "e", "m", T("the beaconing one"), ""))
	h.Claude(h.Path("code/shop"), S4, U("g", "", "go"), A("i", "g", "m", T("the beacon stands"), ""))
	order := func(args ...string) []string {
		t.Helper()
		list, _ := h.search(t, args...)
		var ids []string
		for _, r := range list {
			ids = append(ids, r.Session)
		}
		return ids
	}
	if got, want := order("beacon"), []string{S2, S4, S3, S1}; !slices.Equal(got, want) {
		t.Errorf("the order is %q", got)
	}
	here := func(args ...string) []result {
		t.Helper()
		a := ndjson(t, h.Do(Run{Args: append([]string{"search", "--ndjson", "beacon"}, args...), Dir: shop}))
		return as[result](t, a)
	}
	if got := here("--here"); len(got) != 4 || got[0].Session != S4 {
		t.Errorf("--here: %q", textsOf(got))
	}
	if got := here("--only-here"); len(got) != 1 || got[0].Session != S4 {
		t.Errorf("--only-here: %q", textsOf(got))
	}
	list, _ := h.search(t, "beacon", "--explain")
	if list[0].Score == nil || *list[0].Score <= *list[3].Score || list[0].Why["prompt"] == 0 {
		t.Errorf("--explain gives %+v", list)
	}
	if list, _ := h.search(t, "beacon"); list[0].Score != nil {
		t.Error("a score stands there without --explain")
	}
	first := h.Run("search", "beacon", "--no-group", "--limit", "1").exits(t, 0).Stdout
	if strings.Count(first, "beacon") != 2 || !strings.Contains(first, "22222222:1") {
		t.Errorf("--no-group prints\n%s", first)
	}
	if again := h.Run("search", "beacon").Stdout; again != h.Run("search", "beacon").Stdout {
		t.Error("two runs differ")
	}
}

// Where nothing is found, what is near is offered, on stderr and in the summary.
func TestSearchSuggests(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("a", "", "the lighthouse keeper"))
	r := h.Run("search", "lighthuose").exits(t, 1)
	if r.Stdout != "" || !strings.Contains(r.Stderr, `"lighthouse"`) || !strings.Contains(r.Stderr, "nothing found in 1 file") || !strings.Contains(r.Stderr, "--scope all") {
		t.Errorf("stdout %q, stderr %q", r.Stdout, r.Stderr)
	}
	_, a := h.search(t, "lighthuose")
	var sum struct{ Near []string }
	if err := json.Unmarshal(a.raw, &sum); err != nil || !slices.Equal(sum.Near, []string{"lighthouse"}) {
		t.Errorf("the summary is %s", a.raw)
	}
	if r := h.Run("search", "lighthouse zeppelin").exits(t, 1); !strings.Contains(r.Stderr, "the lighthouse keeper") {
		t.Errorf("the title is not offered: %q", r.Stderr)
	}
	if r := h.Run("search", "projct:app").exits(t, 1); !strings.Contains(r.Stderr, "project:app") {
		t.Errorf("the field is not offered: %q", r.Stderr)
	}
}

// One language everywhere, from the command line or from standard input.
func TestOneQueryLanguage(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("a", "", "deploy the gateway\nand a second line"), A("b", "a", "m", T("deploy staging"), ""))
	h.Claude("/srv/app", S2, U("c", "", "nothing of it"), CustomTitle("Deploy day"))
	stdin := func(query string, args ...string) Result {
		return h.Do(Run{Args: args, Each: func(cmd *exec.Cmd) { cmd.Stdin = strings.NewReader(query) }})
	}
	for _, args := range [][]string{{"search"}, {"grep", "--query"}, {"sessions"}} {
		const q = "deploy -staging"
		direct := h.Run(append(slices.Clone(args), "--", q)...).exits(t, 0)
		if piped := stdin(q+"\n", append(slices.Clone(args), "-f", "-")...); piped != direct {
			t.Errorf("%q prints %q from standard input and %q from the command line", args, piped.Stdout, direct.Stdout)
		}
	}
	if got := h.Run("grep", "--query", "--no-heading", "deploy -staging").Stdout; !strings.HasSuffix(got, ":deploy the gateway\n") {
		t.Errorf("grep --query prints %q", got)
	}
	if got := h.Run("grep", "--query", "-c", "kind:prompt scope:prompts gateway").Stdout; !strings.HasSuffix(got, ":1\n") {
		t.Errorf("grep --query -c prints %q", got)
	}
	list, _ := h.sessions(t, "deploy")
	if len(list) != 2 {
		t.Errorf("sessions deploy lists %d, want one by a record and one by its title", len(list))
	}
	if list, _ := h.sessions(t, "staging"); len(list) != 1 || list[0].ID != S1 {
		t.Errorf("sessions staging lists %+v", list)
	}
	if list, _ := h.sessions(t, "title:deploy -title:gateway"); len(list) != 1 || list[0].ID != S2 {
		t.Errorf("sessions title:deploy lists %+v", list)
	}
}

// A limit is of sessions; as text there is one of ten, and a note says what is left.
func TestSearchLimits(t *testing.T) {
	h := New(t)
	for i := range 12 {
		id := strings.ReplaceAll(S1, "1", string(rune('a'+i%6)))
		id = string(rune('0'+i/6)) + id[1:]
		h.Claude("/srv/app", id, U("m"+id, "", "lantern "+id))
	}
	r := h.Run("search", "lantern").exits(t, 0)
	if got := strings.Count(r.Stdout, "  prompt  "); got != 10 || !strings.Contains(r.Stderr, "10 of 12 sessions") {
		t.Errorf("%d sessions, stderr %q", got, r.Stderr)
	}
	if got := strings.Count(h.Run("search", "lantern", "--limit", "0").Stdout, "  prompt  "); got != 12 {
		t.Errorf("--limit 0 prints %d", got)
	}
	if list, a := h.search(t, "lantern"); len(list) != 12 || a.summary.Matches != 12 {
		t.Errorf("JSON has %d", len(list))
	}
	if list, a := h.search(t, "lantern", "--limit", "3"); len(list) != 3 || a.summary.Matches != 12 {
		t.Errorf("JSON with a limit has %d of %d", len(list), a.summary.Matches)
	}
}

// The handle of a record is the same in every answer, also where another session has a
// record of that id which does not match.
func TestSearchHandlesAreThoseOfRecords(t *testing.T) {
	h := New(t)
	h.Claude("/srv/alpha", S1, U("shared-uuid-1", "", "the first text"))
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/beta", S2, U("shared-uuid-1", "", "quite another text"))
	recs, _ := h.records(t)
	list, _ := h.search(t, "another")
	if len(list) != 1 || list[0].Handle != recs[1].Handle || !strings.Contains(list[0].Handle, "@") {
		t.Errorf("%+v, and records give %s", list, recs[1].Handle)
	}
	name := regexp.MustCompile(`(?m)^  (\S+)  prompt`).FindStringSubmatch(h.Run("search", "another").Stdout)
	if name == nil || !strings.Contains(h.Run("show", name[1], "-C", "0").Stdout, "quite another text") {
		t.Errorf("the short handle is %q", name)
	}
}

// Law 4: what earlier runs found out changes no answer.
func TestSearchIsTheSameWithACache(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("a", "", "first words"), U("b", "a", "the gateway"), CustomTitle("Deploy day"))
	h.Claude("/srv/app", S2, U("c", "", "deploy the gateway"))
	h.Claude("/srv/other", S3, U("d", "", "deploy nothing"), A("e", "d", "m", T("of a gateway"), ""))
	queries := [][]string{{"gateway"}, {"deploy gateway"}, {"deploy"}, {"title:deploy"}, {"gateway", "--ndjson", "--explain"}, {"deploy day", "--json"}, {"gatewya"}}
	var before []Result
	for _, q := range queries {
		before = append(before, h.Run(append([]string{"search"}, q...)...))
	}
	h.Run("sessions", "--all").exits(t, 0)
	for i, q := range queries {
		if got := h.Run(append([]string{"search"}, q...)...); got != before[i] {
			t.Errorf("%q answers\n%s%s\nand without a cache\n%s%s", q, got.Stdout, got.Stderr, before[i].Stdout, before[i].Stderr)
		}
	}
	// A title that is not any more what it was.
	h.Append(app+S1+".jsonl", h.Fill("/srv/app", S1, CustomTitle("Another day")))
	if list, _ := h.search(t, "deploy day"); len(list) != 0 {
		t.Errorf("the old title is believed: %+v", list)
	}
	if list, _ := h.search(t, "another day"); len(list) != 1 || list[0].Schema != "seshat.session/1" {
		t.Errorf("the new title is not found: %+v", list)
	}
}

// A session that only its title speaks for is the one that sessions lists.
func TestSearchGivesListedSessions(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "first words"), A("m2", "m1", "x", T("an answer"), ""))
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/app", S2, strings.ReplaceAll(U("m1", "", "first words"), Time, `"2026-01-02T03:04:01.000Z"`), U("m3", "m1", "more"), CustomTitle("Lantern day"))
	h.Write(app+S2+"/subagents/agent-x.jsonl", h.Fill("/srv/app", S2, strings.Replace(U("c1", "", "go"), `"isSidechain":false`, `"isSidechain":true,"agentId":"x"`, 1)), 0o600)
	_, a := h.search(t, "lantern")
	listed := oneObject(t, h.Run("sessions", "--json"))
	if len(a.items) != 1 || string(a.items[0]) != string(listed.items[0]) || !strings.Contains(string(a.items[0]), `"copied":1`) {
		t.Errorf("search gives\n%s\nand sessions\n%s", a.items, listed.items)
	}
}

// What stands again in a later session is named by grep too, if that is asked for.
func TestGrepByQueryNamesCopies(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", S1, U("m1", "", "shared needle"))
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/app", S2, strings.ReplaceAll(U("m1", "", "shared needle"), Time, `"2026-01-02T03:04:01.000Z"`), U("m2", "m1", "only here"))
	a := ndjson(t, h.Run("grep", "--query", "--ndjson", "--also", "needle"))
	if list := as[result](t, a); len(list) != 1 || len(list[0].Also) != 1 {
		t.Errorf("%+v", list)
	}
}
