package blackbox

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The keys of every object in the order of the contract.
var contractKeys = map[string]string{
	"seshat.record/1": "schema agent store handle session id parent kind role time model tool title origin path line key subagent flags also text",
	"seshat.session/1": "schema agent handle id kind state title title_source project origin models started last_active counts subagents path bytes " +
		"expires prs copied copied_from",
	"seshat.store/1":     "schema id agent role format paths coverage retention sensitivity distinguishes schema_notes search_notes observed evidence",
	"seshat.expiring/1":  "schema agent session handle path store expires earliest latest reason source setting keep start_in event project title bytes archived",
	"seshat.project/1":   "schema name root worktrees agents sessions decided last_active",
	"seshat.secret/1":    "schema rule provider fingerprint key_id first last count places",
	"seshat.source/1":    "schema agent store path bytes mtime state",
	"seshat.archived/1":  "schema agent store session path did bytes added version pending reason",
	"seshat.exported/1":  "schema machine agent store session source path version bytes masked reason",
	"seshat.fault/1":     "schema machine agent store session path version offset length pack reason",
	"seshat.forgotten/1": "schema agent store session path did bytes reason",
	"seshat.scrubbed/1":  "schema agent store session path did versions places bytes secrets reason",
	"seshat.archive/1":   "schema path sessions files versions bytes stored repackable last_run gone pending machines forgotten at_risk",
	"seshat.hook/1":      "schema agent state program settings off queue last_run last_failure",
	"seshat.summary/1":   "schema matches sources damaged_lines pending hidden complete warnings",
}

var innerKeys = map[string]string{
	"origin": "cwd repo worktree branch cwd_hash", "subagent": "id type parent model", "project": "name root worktree",
	"counts": "prompts replies tool_calls tool_results", "sources": "read failed", "hidden": "print subagent superseded copy excluded",
}

// inOrder fails the test when the keys of an object are not those of the
// contract, in its order; all of them must be there where every is set.
func inOrder(t *testing.T, object json.RawMessage, names string, every bool) {
	t.Helper()
	got, want := keys(t, object), strings.Fields(names)
	if every {
		if !slices.Equal(got, want) {
			t.Errorf("keys %q, want %q", got, want)
		}
		return
	}
	at := 0
	for _, key := range got {
		i := slices.Index(want[at:], key)
		if i < 0 {
			t.Errorf("the key %q is unknown or out of order in %q", key, got)
			return
		}
		at += i + 1
	}
}

// wellFormed checks an object of a schema and the objects in it.
func wellFormed(t *testing.T, object json.RawMessage, schema string) {
	t.Helper()
	var members map[string]json.RawMessage
	decode(t, object, &members)
	if got := string(members["schema"]); got != Quote(schema) {
		t.Fatalf("the schema is %s, want %s", got, schema)
	}
	inOrder(t, object, contractKeys[schema], schema == "seshat.summary/1")
	for key, value := range members {
		if names := innerKeys[key]; names != "" && value[0] == '{' {
			inOrder(t, value, names, key == "counts" || key == "sources" || key == "hidden")
		}
		if string(value) == "null" || string(value) == `""` && key != "text" {
			t.Errorf("%s is %s; what is unknown is absent", key, value)
		}
	}
}

// rich is a home in which most keys have a value.
func rich(t *testing.T) (h *Home, transcript, subagent string) {
	h = New(t)
	transcript = h.Claude("/srv/app", S1,
		U("m1", "", "a question"),
		A("a1", "m1", "msg_1", Thinking("some thoughts"), ""),
		A("a2", "a1", "msg_1", T("an answer"), ""),
		A("a3", "a2", "msg_1", ToolUse("toolu_1", "Task", `{"description":"dig the cave","prompt":"child prompt text"}`), ""),
		UB("m2", "a3", ToolResult("toolu_1", "child summary")),
		`{"type":"pr-link","prUrl":"https://git.invalid/app/pull/7","prNumber":7,"sessionId":`+Session+`}`,
		CustomTitle("the title"),
	)
	child := strings.NewReplacer(`"isSidechain":false`, `"isSidechain":true,"agentId":"abc123"`)
	subagent = h.Write(app+S1+"/subagents/agent-abc123.jsonl", child.Replace(h.Fill("/srv/app", S1,
		U("c1", "", "child prompt text"), A("c2", "c1", "msg_9", T("child-only-finding"), ""))), 0o600)
	h.Write(app+S1+"/subagents/agent-abc123.meta.json",
		`{"agentType":"Explore","description":"dig the cave","toolUseId":"toolu_1","spawnDepth":1,"model":"fast"}`, 0o600)
	h.Write(".claude/.credentials.json", "{}", 0o600)
	return h, transcript, subagent
}

func TestNDJSON(t *testing.T) {
	h, _, _ := rich(t)
	for _, c := range []struct {
		schema string
		items  int
		args   []string
	}{
		{"seshat.record/1", 7, []string{"records"}},
		{"seshat.record/1", 7, []string{"records", "--ndjson"}},
		{"seshat.record/1", 5, []string{"show", S1, "--ndjson"}},
		{"seshat.record/1", 2, []string{"grep", "--ndjson", "child prompt"}},
		{"seshat.record/1", 1, []string{"search", "--ndjson", "child-only-finding"}},
		{"seshat.session/1", 1, []string{"search", "--ndjson", "\"the title\""}},
		{"seshat.session/1", 1, []string{"sessions", "--ndjson"}},
		{"seshat.project/1", 1, []string{"projects", "--ndjson"}},
		{"seshat.expiring/1", 3, []string{"expiring", "--within", "100y", "--agent", "claude", "--ndjson"}},
		{"seshat.source/1", 4, []string{"find", "--ndjson"}},
		{"seshat.store/1", 1, []string{"stores", "claude.history", "--ndjson"}},
	} {
		a := ndjson(t, h.Run(c.args...).exits(t, 0))
		if len(a.items) != c.items {
			t.Errorf("%q gives %d objects, want %d", c.args, len(a.items), c.items)
		}
		for _, item := range a.items {
			wellFormed(t, item, c.schema)
		}
		wellFormed(t, a.raw, "seshat.summary/1")
		if a.summary.Matches != c.items {
			t.Errorf("%q: the summary counts %d matches, want %d", c.args, a.summary.Matches, c.items)
		}
		// The same objects in one.
		var args []string
		for _, arg := range c.args {
			if arg != "--ndjson" {
				args = append(args, arg)
			}
		}
		if c.args[0] == "grep" {
			continue // grep --json is ripgrep's
		}
		b := oneObject(t, h.Run(append(args, "--json")...).exits(t, 0))
		if !slices.EqualFunc(a.items, b.items, func(x, y json.RawMessage) bool { return string(x) == string(y) }) || string(a.raw) != string(b.raw) {
			t.Errorf("%q: --json and --ndjson differ", c.args)
		}
	}
	// What search adds stands behind the record's own keys.
	a := ndjson(t, h.Run("search", "--ndjson", "--explain", "child-only-finding").exits(t, 0))
	inOrder(t, a.items[0], contractKeys["seshat.record/1"]+" loose score why", false)
	if got := keys(t, a.items[0]); !slices.Equal(got[len(got)-3:], []string{"text", "score", "why"}) {
		t.Errorf("with --explain the keys are %q", got)
	}
	if a := ndjson(t, h.Run("stores", "--ndjson").exits(t, 0)); len(a.items) < 100 {
		t.Errorf("the catalogue has %d rows", len(a.items))
	} else {
		for _, item := range a.items {
			wellFormed(t, item, "seshat.store/1")
		}
	}
}

func TestRecordFields(t *testing.T) {
	h, transcript, subagent := rich(t)
	recs, _ := h.records(t)
	type row struct{ id, kind, role, model, tool, title, text string }
	var got []row
	for _, r := range recs {
		got = append(got, row{r.ID, r.Kind, r.Role, r.Model, r.Tool, r.Title, r.Text})
		if r.Agent != "claude" || r.Session != S1 || r.Origin.CWD != "/srv/app" || r.Origin.Branch != "main" || r.Handle != "claude:"+r.ID {
			t.Errorf("record %s: %+v", r.ID, r)
		}
	}
	const model = "test-model-1"
	want := []row{
		{"m1", "prompt", "user", "", "", "the title", "a question"},
		{"a1", "thinking", "assistant", model, "", "the title", "some thoughts"},
		{"a2", "reply", "assistant", model, "", "the title", "an answer"},
		{"a3", "tool_call", "assistant", model, "Task", "the title", "child prompt text\ndescription: dig the cave"},
		{"m2", "tool_result", "tool", "", "Task", "the title", "child summary"},
		{"c1", "dispatch", "user", "", "", "dig the cave", "child prompt text"},
		{"c2", "reply", "assistant", model, "", "dig the cave", "child-only-finding"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("records\n%+v, want\n%+v", got, want)
	}
	if r := recs[4]; r.Path != h.Tilde(transcript) || r.Line != 5 || r.Time != "2026-01-02T03:04:05.000Z" || r.Parent != "a3" || r.Store != "claude.projects.session" {
		t.Errorf("the place of the tool result: %+v", r)
	}
	if r := recs[6]; r.Path != h.Tilde(subagent) || r.Line != 2 || r.Subagent == nil || r.Subagent.ID != "abc123" || r.Subagent.Type != "Explore" ||
		!slices.Equal(r.Flags, []string{"subagent"}) || r.Store != "claude.projects.subagent" {
		t.Errorf("the subagent's reply: %+v", r)
	}

	list, _ := h.sessions(t)
	if len(list) != 1 {
		t.Fatalf("%d sessions, want 1", len(list))
	}
	s := list[0]
	if s.Handle != "claude:"+S1 || s.ID != S1 || s.Kind != "interactive" || s.State != "live" || s.Title != "the title" || s.Project.Name != "app" ||
		s.Project.Root != "/srv/app" || s.Subagents != 1 || s.Counts.Prompts != 1 || s.Counts.Replies != 1 || s.Path != h.Tilde(transcript) ||
		s.Started != "2026-01-02T03:04:01.000Z" || s.LastActive != "2026-01-02T03:04:05.000Z" {
		t.Errorf("the session: %+v", s)
	}
	files, _ := h.sources(t)
	states := map[string]string{}
	for _, f := range files {
		states[f.Store] = f.State
	}
	if states["claude.credentials"] != "private" || states["claude.projects.session"] == "private" || len(files) != 4 {
		t.Errorf("find: %+v", files)
	}
}
