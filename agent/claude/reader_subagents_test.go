package claude

import (
	"context"
	"fmt"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// side is a line of a subagent's transcript.
func side(uuid string, minute int, text string, members ...any) string {
	return usr(uuid, minute, text, append([]any{"isSidechain", true, "agentId", "a1"}, members...)...)
}

// of gives a record with its subagent and title.
func of(r *record.Record) string {
	if r.Subagent == nil {
		return fmt.Sprintf("%s %s: no subagent, %q", r.ID, r.Kind, r.Title)
	}
	return fmt.Sprintf("%s %s of %s: id=%s type=%s parent=%s model=%s %q", r.ID, r.Kind, r.Session[:4], r.Subagent.ID, r.Subagent.Type, r.Subagent.Parent, r.Subagent.Model, r.Title)
}

func subagents(t *testing.T, files map[string]string, name string) []string {
	t.Helper()
	var out []string
	f := readFrom(t, at(t, disk(files), name), agent.Plan{Titles: true})
	for _, r := range f.records {
		if r.Flags&record.Subagent == 0 || r.Store != storeSubagent {
			t.Errorf("%s has flags %q and store %s", r.ID, r.Flags.Names(), r.Store)
		}
		out = append(out, of(r))
	}
	return out
}

// The parent's transcript: it launched a1 with the call t1. What tells so is
// given.
func parent(members ...any) string {
	return text(usr("p1", 1, "start"),
		ast("p2", 2, list(use("t1", "Task", obj{"description": "Find the cave", "subagent_type": "Explore", "model": "haiku", "prompt": "dig"}))),
		usr("p3", 9, list(res("t1", list(txt("found it")))), members...))
}

// A subagent in a file of its own: beside the transcript, below the session, and
// nested in a workflow; with and without what tells about it.
func TestSubagentFiles(t *testing.T) {
	const (
		sibling = folder + "agent-a1.jsonl"
		nested  = folder + mine + "/subagents/agent-a1.jsonl"
		flow    = folder + mine + "/subagents/workflows/run-1/agent-a1.jsonl"
	)
	lines := text(side("s1", 3, "dig"), ln("assistant", "s2", 4, "isSidechain", true, "agentId", "a1", "message", obj{"id": "m1", "model": "claude-haiku-4-5", "content": list(txt("found it"))}))
	full := `{"agentType":"Explore","description":"Find the cave","model":"haiku","toolUseId":"t1","spawnDepth":2,"parentAgentId":"a0"}`
	told := parent("toolUseResult", obj{"agentId": "a1", "status": "completed"})
	both := func(ref, title string) []string {
		ref = fmt.Sprintf("of 1111: id=a1 %s %q", ref, title)
		return []string{"s1 dispatch " + ref, "s2 reply " + ref}
	}
	for _, name := range []string{sibling, nested, flow} {
		meta := name[:len(name)-len(".jsonl")] + ".meta.json"
		for what, c := range map[string]struct {
			meta, parent string
			want         []string
		}{
			"alone":                  {"", "", both("type= parent= model=", "dig")},
			"a sidecar":              {full, "", both("type=Explore parent=a0 model=haiku", "Find the cave")},
			"a sidecar and a parent": {full, told, both("type=Explore parent=a0 model=haiku", "Find the cave")},
			"a small sidecar":        {`{"agentType":"general-purpose"}`, "", both("type=general-purpose parent= model=", "dig")},
			"a small sidecar and a parent": {`{"agentType":"general-purpose"}`, told,
				both("type=general-purpose parent= model=haiku", "Find the cave")},
			"a name":            {`{"agentType":"x","name":"digger"}`, "", both("type=x parent= model=", "digger")},
			"a broken sidecar":  {`{"agentType":`, "", both("type= parent= model=", "dig")},
			"wrong types":       {`{"agentType":5,"description":["x"],"model":{},"parentAgentId":7}`, "", both("type= parent= model=", "dig")},
			"a parent":          {"", told, both("type=Explore parent= model=haiku", "Find the cave")},
			"of another parent": {"", parent("toolUseResult", obj{"agentId": "a2"}), both("type= parent= model=", "dig")},
		} {
			files := map[string]string{name: lines}
			if c.meta != "" {
				files[meta] = c.meta
			}
			if c.parent != "" {
				files[script] = c.parent
			}
			t.Run(name+" "+what, func(t *testing.T) { checkSame(t, subagents(t, files, name), c.want) })
		}
	}
}

// Without a sidecar the parent's call is joined by the words "agentId: <id>" in
// its result, or by a progress line, too (E.2).
func TestSubagentJoinedByTheTextOfTheResult(t *testing.T) {
	told := text(usr("p1", 1, "start"), ast("p2", 2, list(use("t1", "Agent", obj{"description": "Find the cave", "subagent_type": "Explore", "prompt": "dig"}))),
		usr("p3", 9, list(res("t1", list(txt("found it"), txt("agentId: a1 (for resuming)"))))))
	name := folder + mine + "/subagents/agent-a1.jsonl"
	checkSame(t, subagents(t, map[string]string{name: text(side("s1", 3, "dig")), script: told}, name),
		[]string{`s1 dispatch of 1111: id=a1 type=Explore parent= model= "Find the cave"`})
}

func TestSubagentJoinedByAProgressLine(t *testing.T) {
	told := text(usr("p1", 1, "start"), ast("p2", 2, list(use("t1", "Task", obj{"description": "Find the cave", "subagent_type": "Explore", "prompt": "dig"}))),
		ln("progress", "p3", 3, "toolUseID", "agent_msg_1", "parentToolUseID", "t1", "data", obj{"type": "agent_progress", "agentId": "a1", "prompt": "dig"}),
		usr("p4", 9, list(res("t1", list(txt("found it"))))))
	name := folder + mine + "/subagents/agent-a1.jsonl"
	checkSame(t, subagents(t, map[string]string{name: text(side("s1", 3, "dig")), script: told}, name),
		[]string{`s1 dispatch of 1111: id=a1 type=Explore parent= model= "Find the cave"`})
}

// The parent's call and result and the child's records are all there, once; what
// progress lines repeat is not.
func TestParentKeepsItsOwnRecords(t *testing.T) {
	f := readLines(t, usr("p1", 1, "start"), ast("p2", 2, list(use("t1", "Task", obj{"description": "Find", "prompt": "dig"}))),
		ln("progress", "p3", 3, "parentToolUseID", "t1", "data", obj{"type": "agent_progress", "agentId": "a1", "message": obj{"type": "user", "message": obj{"content": "needle"}}}),
		usr("p4", 9, list(res("t1", "found it")), "toolUseResult", obj{"agentId": "a1"}))
	checkSame(t, f.tell(), []string{"1 p1 prompt: start", "2 p2 tool_call Task: dig\ndescription: Find", "4 p4 tool_result Task: found it"})
}

// Subagents inside the parent's transcript, up to about 2.0.27.
func TestInlineSubagents(t *testing.T) {
	chain := func(typ, uuid, parent string, text string) string {
		var up any
		if parent != "" {
			up = parent
		}
		return ln(typ, uuid, 3, "isSidechain", true, "parentUuid", up, "message", obj{"id": "m" + uuid, "content": list(txt(text))})
	}
	launch := func(id, what, prompt string) string {
		return ast("c"+id, 2, list(use(id, "Task", obj{"description": what, "subagent_type": "Explore", "prompt": prompt})))
	}
	f := readLines(t, usr("u1", 1, "start"), launch("t1", "First", "dig here"), chain("user", "s1", "", "dig here"), chain("assistant", "s2", "s1", "found"),
		launch("t2", "Second", "dig there"), chain("user", "s3", "", "dig\nthere"), chain("assistant", "s4", "s1", "more of the first"), chain("assistant", "s5", "gone", "dangling"),
		chain("user", "w1", "", "Warmup"), chain("assistant", "w2", "w1", "ready"), usr("u2", 9, list(res("t1", "found")), "parentUuid", "ct1"))
	var got []string
	for _, r := range f.records {
		if (r.Flags&record.Subagent != 0) != (r.Subagent != nil) || r.Session != mine {
			t.Errorf("%s has flags %q", r.ID, r.Flags.Names())
		}
		got = append(got, of(r))
	}
	checkSame(t, got, []string{
		`u1 prompt: no subagent, "start"`,
		`ct1 tool_call: no subagent, "start"`,
		`s1 dispatch of 1111: id=t1 type=Explore parent= model= "First"`,
		`s2 reply of 1111: id=t1 type=Explore parent= model= "First"`,
		`ct2 tool_call: no subagent, "start"`,
		`s3 dispatch of 1111: id=t2 type=Explore parent= model= "Second"`,
		`s4 reply of 1111: id=t1 type=Explore parent= model= "First"`,
		`s5 reply of 1111: id=t1 type=Explore parent= model= "First"`,
		`w1 notice of 1111: id=w1 type= parent= model= "start"`,
		`w2 reply of 1111: id=w1 type= parent= model= "start"`,
		`u2 tool_result: no subagent, "start"`,
	})
	sum := summary(t, nil, usr("u1", 1, "start"), launch("t1", "First", "dig"), chain("user", "s1", "", "dig"), chain("assistant", "s2", "s1", "found"))
	if sum.Inline != 1 || sum.Session.Counts != (record.Counts{Prompts: 1, ToolCalls: 1}) || sum.Session.Title != "start" {
		t.Errorf("the session is %+v with %d subagents", sum.Session, sum.Inline)
	}
}

// A subagent that lost its parent is a session of the kind subagent, named after
// what it was asked.
func TestLoneSubagent(t *testing.T) {
	name := folder + mine + "/subagents/agent-a1.jsonl"
	for meta, want := range map[string]string{`{"description":"Find the cave"}`: "Find the cave", `{}`: "dig"} {
		m := disk(map[string]string{name: text(side("s1", 3, "dig")), name[:len(name)-6] + ".meta.json": meta})
		sum, err := adapter(t).Summarize(context.Background(), at(t, m, name))
		if s := sum.Session; err != nil || s.Kind != record.KindSubagent || s.ID != mine || s.Title != want || s.Counts.Prompts != 1 && s.Counts.Prompts != 0 {
			t.Errorf("%s: %+v, %v", meta, s, err)
		}
	}
}

// The lines of a subagent's own file are no subagents inside a transcript: who
// counts files and inline ones would count it twice.
func TestSubagentsFileHoldsNoInlineSubagents(t *testing.T) {
	name := folder + mine + "/subagents/agent-a1.jsonl"
	m := disk(map[string]string{name: text(side("s1", 3, "dig"), ln("assistant", "s2", 4, "isSidechain", true, "message", obj{"content": list(txt("found"))}))})
	sum, err := adapter(t).Summarize(context.Background(), at(t, m, name))
	if err != nil || sum.Inline != 0 {
		t.Errorf("%d inline subagents, %v", sum.Inline, err)
	}
}

// Names tell what a file is and whose it is.
func TestSourcesOfASession(t *testing.T) {
	line := text(side("s1", 3, "dig"))
	m := disk(map[string]string{
		script: parent(), folder + "notes.jsonl": line, folder + "agent-a1.jsonl": line, folder + "agent-empty.jsonl": "garbage\n",
		folder + mine + "/subagents/agent-a2.jsonl":                     line,
		folder + mine + "/subagents/workflows/r/agent-a3.jsonl":         line,
		folder + mine + "/subagents/workflows/r/deep/agent-a4.jsonl":    line,
		folder + mine + "/subagents/workflows/r/journal.jsonl":          `{"type":"started","key":"k"}`,
		folder + "journal.jsonl":                                        line,
		folder + "22222222-2222-4222-8222-222222222222/agent-a5.jsonl":  line,
		"jobs/j/parent-transcript.jsonl":                                line,
		"dump-prompts/" + mine + ".jsonl":                               line,
		"transcripts/" + mine + ".jsonl":                                line,
		folder + mine + "/subagents/agent-a2.jsonl.lock":                "",
		"projects/-srv-other/memory/agent-notes.jsonl":                  "",
		folder + mine + "/remote-agents/remote-agent-r1.meta.json":      "{}",
		folder + mine + "/subagents/agent-aside_question-abc.jsonl":     line,
		folder + "33333333-3333-4333-8333-333333333333/tool-results/x.": "",
	})
	got := map[string]string{}
	for path, s := range discovered(t, world(m)) {
		if s.Store.Coverage == "search" {
			got[path[len("/home/sam/.claude/projects/-srv-app/"):]] = s.Store.ID[len("claude.projects."):] + " " + s.Session + " " + s.Subagent
		}
	}
	want := map[string]string{
		mine + ".jsonl": "session " + mine + " ", "notes.jsonl": "session notes ", "agent-a1.jsonl": "subagent " + mine + " a1", "agent-empty.jsonl": "subagent  empty",
		mine + "/subagents/agent-a2.jsonl":                    "subagent " + mine + " a2",
		mine + "/subagents/workflows/r/agent-a3.jsonl":        "subagent " + mine + " a3",
		mine + "/subagents/workflows/r/deep/agent-a4.jsonl":   "subagent " + mine + " a4",
		"22222222-2222-4222-8222-222222222222/agent-a5.jsonl": "subagent 22222222-2222-4222-8222-222222222222 a5",
		mine + "/subagents/agent-aside_question-abc.jsonl":    "subagent " + mine + " aside_question-abc",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sources\n%v\nwant\n%v", got, want)
	}
}
