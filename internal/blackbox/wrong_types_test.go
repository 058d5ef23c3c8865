package blackbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// odd are values of every JSON type, most of them wrong wherever they stand.
var odd = []string{
	`null`, `true`, `5`, `-1e400`, `123456789012345678901234567890`, `"odd"`, `""`, `[]`, `["odd"]`, `[[],{}]`, `{}`, `{"odd":"value"}`,
	`{"type":"text","text":7}`, `[{"type":"text"}]`, `[{"type":5,"text":"odd"}]`, `[null,5,"odd",[1]]`,
}

// put sets a field of a JSON object that has it written as want does.
func put(t *testing.T, line, field, value, with string) string {
	t.Helper()
	old := Quote(field) + ":" + value
	if strings.Count(line, old) != 1 {
		t.Fatalf("%s does not stand once in %s", old, line)
	}
	return strings.Replace(line, old, Quote(field)+":"+with, 1)
}

// Law 6: a value of the wrong type costs at most the record it stands in.
// Outside of type and message it does not even cost that.
func TestWrongTypesInTheEnvelope(t *testing.T) {
	for _, f := range []struct{ field, value string }{
		{"parentUuid", `"p"`}, {"isSidechain", `false`}, {"userType", `"external"`}, {"cwd", CWD}, {"sessionId", Session},
		{"version", `"2.1.200"`}, {"gitBranch", `"main"`}, {"uuid", `"u"`}, {"timestamp", Time},
	} {
		t.Run(f.field, func(t *testing.T) {
			t.Parallel()
			h := New(t)
			body := []string{U("m1", "", "good before")}
			want := []string{"good before"}
			for i, value := range odd {
				text := fmt.Sprintf("kept %d", i)
				line := U("u", "p", text)
				if f.field != "uuid" {
					line = U(fmt.Sprintf("u%d", i), "p", text) // a repeated id is a rewrite
				}
				if f.field == "isSidechain" && value == "true" {
					value = "0" // true is right there
				}
				body = append(body, put(t, line, f.field, f.value, value))
				want = append(want, text)
			}
			h.Claude("/srv/app", S1, append(body, U("m9", "m1", "good after"))...)
			want = append(want, "good after")
			recs, sum := h.records(t)
			if got := texts(recs, "prompt"); !slices.Equal(got, want) {
				t.Errorf("prompts %q, want %q", got, want)
			}
			if sum.DamagedLines != 0 || sum.Sources.Failed != 0 {
				t.Errorf("the lines are JSON objects: %+v", sum)
			}
			ids := map[string]bool{}
			for _, r := range recs {
				if r.ID == "" || r.Handle == "" || r.Session != S1 || ids[r.ID] {
					t.Errorf("a record without a name of its own: %+v", r)
				}
				ids[r.ID] = true
				if f.field == "timestamp" && strings.HasPrefix(r.Text, "kept") && r.Time != h.TimeOf(1) {
					t.Errorf("without a time a record has that of the line before, not %s", r.Time)
				}
			}
			h.answersAll(t)
		})
	}
}

// What carries the text may cost the text, but nothing else.
func TestWrongTypesInTheMessage(t *testing.T) {
	user := U("u", "p", "typed")
	answer := A("u", "p", "msg_1", T("said"), `{"input_tokens":1}`)
	call := A("u", "p", "msg_1", ToolUse("toolu_1", "Bash", `{"command":"ls"}`), "")
	result := UB("u", "p", ToolResult("toolu_1", "out"))
	picture := UB("u", "p", Image("image/png", "AAAA"))
	for _, f := range []struct{ what, line, field, value string }{
		{"type", user, "type", `"user"`},
		{"message", user, "message", `{"role":"user","content":"typed"}`},
		{"content", user, "content", `"typed"`},
		{"role", user, "role", `"user"`},
		{"message id", answer, "id", `"msg_1"`},
		{"model", answer, "model", `"test-model-1"`},
		{"blocks", answer, "content", `[{"type":"text","text":"said"}]`},
		{"block", answer, "content", `[{"type":"text","text":"said"}]`},
		{"text", answer, "text", `"said"`},
		{"usage", answer, "usage", `{"input_tokens":1}`},
		{"request", answer, "requestId", `"req_msg_1"`},
		{"tool id", call, "id", `"toolu_1"`},
		{"tool name", call, "name", `"Bash"`},
		{"tool input", call, "input", `{"command":"ls"}`},
		{"tool argument", call, "command", `"ls"`},
		{"result of", result, "tool_use_id", `"toolu_1"`},
		{"result", result, "content", `"out"`},
		{"source", picture, "source", `{"type":"base64","media_type":"image/png","data":"AAAA"}`},
		{"media type", picture, "media_type", `"image/png"`},
		{"data", picture, "data", `"AAAA"`},
	} {
		t.Run(f.what, func(t *testing.T) {
			t.Parallel()
			h := New(t)
			body := []string{U("m1", "", "good before")}
			for i, value := range odd {
				line := strings.Replace(f.line, `"uuid":"u"`, fmt.Sprintf(`"uuid":"u%d"`, i), 1)
				if f.what == "block" {
					value = `[` + value + `]`
				}
				body = append(body, put(t, line, f.field, f.value, value))
			}
			h.Claude("/srv/app", S1, append(body, U("m9", "m1", "good after"))...)
			recs, sum := h.records(t)
			got := texts(recs, "prompt")
			if len(got) < 2 || got[0] != "good before" || got[len(got)-1] != "good after" {
				t.Errorf("prompts %q", got)
			}
			if sum.DamagedLines != 0 || sum.Sources.Failed != 0 || sum.Sources.Read != 1 {
				t.Errorf("the lines are JSON objects: %+v", sum)
			}
			h.answersAll(t)
		})
	}
}

// Lines of other kinds, and the files beside a transcript.
func TestWrongTypesElsewhere(t *testing.T) {
	h := New(t)
	body := []string{U("m1", "", "good before")}
	for _, value := range odd {
		for _, line := range []string{
			`{"type":"custom-title","customTitle":V}`, `{"type":"ai-title","aiTitle":V}`, `{"type":"summary","summary":V,"leafUuid":V}`,
			`{"type":"summary","summary":"s","leafUuid":V}`, `{"type":"pr-link","prUrl":V}`, `{"type":"worktree-state","worktreeSession":V}`,
			`{"type":"worktree-state","worktreeSession":{"worktreeName":V}}`, `{"type":"attachment","attachment":V}`,
			`{"type":"queue-operation","operation":V,"content":V}`, `{"type":"system","subtype":V,"content":V}`, `{"type":"progress","data":V}`,
			`{"type":"user","entrypoint":V,"sessionKind":V,"agentId":V,"origin":V,"isMeta":V,"isCompactSummary":V,"interruptedMessageId":V,"planContent":V,"toolUseResult":V}`,
			`{"type":"file-history-snapshot","snapshot":V}`, `{"isSidechain":true,"agentId":V,"type":"user","message":{"content":"side"}}`,
		} {
			body = append(body, strings.ReplaceAll(line, "V", value))
		}
	}
	h.Claude("/srv/app", S1, append(body, U("m9", "m1", "good after"))...)
	var log []string
	for _, value := range odd {
		for _, field := range []string{"display", "pastedContents", "timestamp", "project", "sessionId"} {
			line := historyLine("logged", `{}`, S2)
			line = strings.Replace(line, Quote(field)+":", Quote(field)+":"+value+`,"was":`, 1)
			log = append(log, line)
		}
		log = append(log, historyLine("[Pasted text #1]", `{"1":`+value+`}`, S2), historyLine("[Pasted text #1]", `{"1":{"type":"text","content":`+value+`}}`, S2),
			historyLine("[Pasted text #1]", `{"1":{"type":"text","contentHash":`+value+`}}`, S2))
	}
	h.Write(".claude/history.jsonl", strings.Join(append(log, historyLine("good logged", `{}`, S2)), "\n")+"\n", 0o600)
	for i, value := range odd {
		dir := fmt.Sprintf(".claude/projects/-srv-app/%08d-0000-4000-8000-000000000000", i)
		h.Write(dir+".jsonl", h.Fill("/srv/app", S3, U("x1", "", fmt.Sprint("session ", i))), 0o600)
		h.Write(dir+"/custom-title.json", value, 0o600)
		h.Write(dir+"/subagents/agent-a.jsonl", h.Fill("/srv/app", S3, U("x2", "", fmt.Sprint("subagent ", i))), 0o600)
		h.Write(dir+"/subagents/agent-a.meta.json", value, 0o600)
		h.Write(dir+"/subagents/agent-b.jsonl", h.Fill("/srv/app", S3, U("x3", "", fmt.Sprint("subagent ", i))), 0o600)
		h.Write(dir+"/subagents/agent-b.meta.json", strings.ReplaceAll(`{"agentType":V,"description":V,"name":V,"model":V,"parentAgentId":V}`, "V", value), 0o600)
		h.Write(fmt.Sprintf(".gemini/tmp/p%d/.project_root", i), value, 0o600)
	}
	h.Write(".gemini/projects.json", `{"projects":[1,{"x":2}]}`, 0o600)
	recs, sum := h.records(t, "--scope", "conversation", "--agent", "claude")
	got := texts(recs)
	for _, want := range []string{"good before", "good after", "good logged"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is lost", want)
		}
	}
	for i := range odd {
		if !slices.Contains(got, fmt.Sprint("session ", i)) || !slices.Contains(got, fmt.Sprint("subagent ", i)) {
			t.Errorf("session %d or its subagent is lost", i)
		}
	}
	if sum.DamagedLines != 0 || sum.Sources.Failed != 0 || sum.Sources.Read != 2+3*len(odd) {
		t.Errorf("the summary: %+v", sum)
	}
	// S1, one for each odd value, and two that only the prompt log has: S2 and "odd".
	if list, _ := h.sessions(t); len(list) != 1+len(odd)+2 {
		t.Errorf("%d sessions, want %d", len(list), 1+len(odd)+2)
	}
	h.answersAll(t)
}

// answersAll runs the commands that read records; the session S1 has some that
// read good before and good after.
func (h *Home) answersAll(t *testing.T) {
	t.Helper()
	if got := h.hits("good before"); len(got) != 1 {
		t.Errorf("grep finds %q", got)
	}
	shown := h.Run("show", S1, "--full").exits(t, 0).Stdout
	if !strings.Contains(shown, "good before") || !strings.Contains(shown, "good after") {
		t.Errorf("show prints %.2000s", shown)
	}
	h.Run("sessions").exits(t, 0)
	h.Run("records", "--scope", "all").exits(t, 0)
	h.Run("stores", "claude.projects.session", "--summary").exits(t, 0)
	h.Run("find").exits(t, 0)
}
