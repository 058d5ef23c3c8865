package gemini

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

// msg is a message whose members behind the id are given as JSON.
func msg(id, typ, members string) string {
	return `{"id":"` + id + `",` + stamp + `,"type":"` + typ + `",` + members + `}`
}

func TestMessages(t *testing.T) {
	png := `{"inlineData":{"mimeType":"image/png","data":"` + strings.Repeat("A", 16384) + `"}}`
	tests := []struct {
		name, line string
		want       []string
	}{
		{"a string", msg("a", "user", `"content":"x"`), []string{"prompt a:2 x"}},
		{"a part", msg("a", "user", `"content":{"text":"x"}`), []string{"prompt a:2 x"}},
		{"parts and strings", msg("a", "user", `"content":["x",{"text":"y"},{"text":" "}]`), []string{"prompt a:2 x\n\ny"}},
		{"nothing", msg("a", "user", `"content":""`), nil},
		{"no content", msg("a", "user", `"x":1`), nil},
		{"media", msg("a", "user", `"content":[{"text":"look"},`+png+`,{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/f.pdf"}}]`),
			[]string{"prompt a:2 look\n\n[image image/png 12 KB]\n\n[document application/pdf] gs://b/f.pdf"}},
		{"media in a notice", msg("a", "info", `"content":[`+png+`]`), []string{"notice a:2 [image image/png 12 KB]"}},
		{"info", msg("a", "info", `"content":"i"`), []string{"notice a:2 i"}},
		{"warning", msg("a", "warning", `"content":"w"`), []string{"notice a:2 w"}},
		{"error", msg("a", "error", `"content":"e"`), []string{"notice+error a:2 e"}},
		{"model is gemini", msg("a", "model", `"content":"r"`), []string{"reply a:2 r"}},
		{"a command", msg("a", "user", `"content":"/help me"`), []string{"command a:2 /help me"}},
		{"a path is a prompt", msg("a", "user", `"content":"/home/me/x.txt explain this"`), []string{"prompt a:2 /home/me/x.txt explain this"}},
		{"a question is a prompt", msg("a", "user", `"content":"?why"`), []string{"prompt a:2 ?why"}},
		{"shell mode", msg("a", "user", `"content":"!ls -la"`), []string{"command a:2 ! ls -la"}},
		{"context", msg("a", "user", `"content":[{"text":"<session_context>\ntree"}]`), []string{"notice a:2 <session_context>\ntree"}},
		{"hook", msg("a", "user", `"content":"\n<hook_context>h</hook_context>"`), []string{"notice a:2 \n<hook_context>h</hook_context>"}},
		{"a hook behind a prompt", msg("a", "user", `"content":"ask\n\n<hook_context>h</hook_context>"`),
			[]string{"prompt a:2 ask", "notice a#1:2 <hook_context>h</hook_context>"}},
		{"display in the content", msg("a", "user", `"content":"see @f\nbody","displayContent":"see @f"`), []string{"prompt a:2 see @f\nbody"}},
		{"display beside the content", msg("a", "user", `"content":"expanded","displayContent":[{"text":"short form"}]`), []string{"prompt a:2 expanded\n\nshort form"}},
		{"a command that was expanded", msg("a", "user", `"content":"Do the thing.","displayContent":"/thing"`), []string{"command a:2 Do the thing.\n\n/thing"}},
		{"display alone", msg("a", "user", `"content":[],"displayContent":"d"`), []string{"prompt a:2 d"}},
		{"an unknown part keeps its text", msg("a", "user", `"content":[{"text":"x"},{"hologram":{"of":"cat"}}]`), []string{"prompt a:2 x\n\nhologram.of: cat"}},
		{"thoughts, then reply", msg("a", "gemini", `"content":"r","thoughts":[{"subject":"S","description":"D"},{"subject":"T"}]`),
			[]string{"thinking a:2 S\nD\n\nT", "reply a#1:2 r"}},
		{"a thought that stands twice is one", msg("a", "gemini", `"content":[{"text":"**S**\nD","thought":true},{"text":"r"}],"thoughts":[{"subject":"S","description":"D"}]`),
			[]string{"thinking a:2 S\nD", "reply a#1:2 r"}},
		{"a thought of the content alone", msg("a", "gemini", `"content":[{"text":"t","thought":true},{"text":"r"}]`), []string{"thinking a:2 t", "reply a#1:2 r"}},
		{"one prose record, parts apart", msg("a", "gemini", `"content":[{"text":"x"},{"functionCall":{"id":"c","name":"glob","args":{"pattern":"*.go","dir":"d"}}},{"text":"y"}]`),
			[]string{"reply a:2 x\n\ny", "tool_call a#1:2 *.go\ndir: d"}},
		{"code", msg("a", "gemini", `"content":[{"executableCode":{"language":"PYTHON","code":"print(1)"}},{"codeExecutionResult":{"output":"1"}}]`),
			[]string{"tool_call a:2 print(1)", "tool_result a#1:2 1"}},
		{"a call of the content that toolCalls has", msg("a", "gemini", `"content":[{"functionCall":{"id":"c","name":"x","args":{}}},{"functionCall":{"name":"y","args":{"k":"v"}}}],"toolCalls":[{"id":"c","name":"x","args":{"q":"1"}},{"id":"d","name":"y","args":{"k":"v"}}]`),
			[]string{"tool_call a:2 q: 1", "tool_call a#1:2 k: v"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			newWorld(t).chat(tt.line).read(mainChat, agent.Plan{}).expect(t, tt.want...)
		})
	}
}

func TestToolCalls(t *testing.T) {
	tools := func(s string) string { return msg("a", "gemini", `"content":"","toolCalls":[`+s+`]`) }
	tests := []struct {
		name, line string
		want       []string
	}{
		{"main argument first", tools(`{"id":"c","name":"run_shell_command","args":{"description":"why","command":"ls","n":3,"deep":{"k":["v"]}}}`),
			[]string{"tool_call a:2 ls\ndescription: why\ndeep.k[0]: v"}},
		{"old name of a path", tools(`{"id":"c","name":"read_file","args":{"absolute_path":"/a/b"}}`), []string{"tool_call a:2 /a/b"}},
		{"new name of a path", tools(`{"id":"c","name":"replace","args":{"old_string":"x","file_path":"f"}}`), []string{"tool_call a:2 f\nold_string: x"}},
		{"search", tools(`{"id":"c","name":"google_web_search","args":{"query":"q"}}`), []string{"tool_call a:2 q"}},
		{"no arguments", tools(`{"id":"c","name":"list_x","args":{},"displayName":"List X","description":"lists"}`), []string{"tool_call a:2 List X\nlists"}},
		{"cancelled: no result", tools(`{"id":"c","name":"glob","args":{"pattern":"p"},"status":"cancelled","result":null}`), []string{"tool_call a:2 p"}},
		{"output", tools(call("c", "glob", `{"pattern":"p"}`, "found")), []string{"tool_call a:2 p", "tool_result a#1:2 found"}},
		{"two calls, each with its result", tools(call("c", "glob", `{"pattern":"p"}`, "1") + "," + call("d", "glob", `{"pattern":"q"}`, "2")),
			[]string{"tool_call a:2 p", "tool_result a#1:2 1", "tool_call a#2:2 q", "tool_result a#3:2 2"}},
		{"error", tools(`{"id":"c","name":"glob","args":{"pattern":"p"},"status":"error","result":[{"functionResponse":{"id":"c","response":{"error":"bad"}}}]}`),
			[]string{"tool_call a:2 p", "tool_result+error a#1:2 bad"}},
		{"a string", tools(`{"id":"c","name":"glob","args":{"pattern":"p"},"result":"plain"}`), []string{"tool_call a:2 p", "tool_result a#1:2 plain"}},
		{"another shape, with media", tools(`{"id":"c","name":"glob","args":{"pattern":"p"},"result":[{"functionResponse":{"id":"c","response":{"output":"","content":[{"t":"x"}]}}},{"inlineData":{"mimeType":"audio/mp3","data":"AAAA"}}]}`),
			[]string{"tool_call a:2 p", "tool_result a#1:2 content[0].t: x\n[audio audio/mp3 3 B]"}},
		{"only what the screen showed", tools(`{"id":"c","name":"replace","args":{"file_path":"f"},"resultDisplay":{"fileDiff":"-a\n+b","fileName":"f"}}`),
			[]string{"tool_call a:2 f", "tool_result a#1:2 -a\n+b"}},
		{"styled lines", tools(`{"id":"c","name":"glob","args":{"pattern":"p"},"resultDisplay":[[{"text":"one "},{"text":"two"}],[{"text":"three"}]]}`),
			[]string{"tool_call a:2 p", "tool_result a#1:2 one two\nthree"}},
		{"answers to other calls are theirs", tools(`{"id":"c","name":"x","args":{"k":"v"},"result":[{"functionResponse":{"id":"b","response":{"output":"not mine"}}},{"functionResponse":{"id":"c","response":{"output":"mine"}}}]}`),
			[]string{"tool_call a:2 k: v", "tool_result a#1:2 mine"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			newWorld(t).chat(tt.line).read(mainChat, agent.Plan{}).expect(t, tt.want...)
		})
	}
}

// A tool's output stands in up to four places and is one record.
func TestResultsCountOnce(t *testing.T) {
	response := `{"functionResponse":{"id":"c","name":"glob","response":{"output":"found"}}}`
	answer := ga("g", "", `,"toolCalls":[`+strings.Replace(call("c", "glob", `{"pattern":"p"}`, "found"), `"status"`, `"resultDisplay":"found","status"`, 1)+`]`)
	w := newWorld(t).chat(answer, msg("u", "user", `"content":[`+response+`]`))
	w.file("tmp/app/tool-outputs/session-S1/glob_c.txt", "found\n")
	w.read(mainChat, agent.Plan{}).expect(t, "tool_call g:2 p", "tool_result g#1:2 found")

	// A result whose call does not hold it is a record of its own.
	newWorld(t).chat(
		ga("g", "", `,"toolCalls":[{"id":"c","name":"glob","args":{"pattern":"p"},"result":null}]`),
		msg("u", "user", `"content":[`+response+`,{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]`),
		msg("v", "user", `"content":[{"functionResponse":{"id":"other","name":"x","response":{"output":"1"}}},{"text":"and I say"}]`),
	).read(mainChat, agent.Plan{}).expect(t, "tool_call g:2 p", "tool_result u:3 found\n[image image/png 3 B]", "prompt v:4 and I say", "tool_result v#1:4 1")
}

func TestRecordsAreWhole(t *testing.T) {
	w := newWorld(t).file("tmp/app/.project_root", "/srv/app\n").chat(
		ga("g", "r", `,"toolCalls":[`+call("c", "glob", `{"pattern":"p"}`, "see /x/.gemini/tmp/app/tool-outputs/session-S1/glob_c_1.txt: output saved to it")+`]`),
		`{"$set":{"summary":"  A title "}}`)
	got := w.read(mainChat, agent.Plan{Titles: true}).records
	if len(got) != 3 {
		t.Fatalf("%d records", len(got))
	}
	r := got[0]
	if r.Agent != "gemini" || r.Store != "gemini.tmp.chats" || r.Session != "S1" || r.Role != "assistant" || r.Model != "test-gemini" ||
		r.Path != "/h/.gemini/"+mainChat || r.Origin.CWD != "/srv/app" || r.Title != "A title" || r.Time.Format("15:04:05") != "03:04:05" {
		t.Errorf("reply: %+v", r)
	}
	if c := got[1]; c.Tool != "glob" || c.Model != "test-gemini" {
		t.Errorf("call: %+v", c)
	}
	if o := got[2]; o.Tool != "glob" || o.Role != "tool" || o.Model != "" || o.Spill != "glob_c_1.txt" {
		t.Errorf("result: %+v", o)
	}
}

// A message without a time has the nearest earlier one, else the nearest later
// one, else the file's.
func TestTimes(t *testing.T) {
	bare := `{"id":"x","type":"user","content":"x"}`
	for name, c := range map[string]struct{ file, want string }{
		"earlier": {gm("S1") + "\n" + gu("a", "a") + "\n" + bare, "2026-01-02 03:04:05"},
		"later":   {`{"sessionId":"S1","projectHash":"p"}` + "\n" + bare + "\n" + gu("a", "a"), "2026-01-02 03:04:05"},
		"file":    {`{"sessionId":"S1","projectHash":"p"}` + "\n" + bare, "2026-05-01 12:00:00"},
	} {
		for _, r := range newWorld(t).file(mainChat, c.file).read(mainChat, agent.Plan{}).records {
			if r.ID == "x" && r.Time.Format("2006-01-02 15:04:05") != c.want {
				t.Errorf("%s: %s", name, r.Time)
			}
		}
	}
}
