package claude

import (
	"fmt"
	"strings"
	"testing"
)

// Records of a line: texts together, thoughts together, each call and each result
// alone, in the order in which each begins.
func TestRecordsOfALine(t *testing.T) {
	checkRules(t, []rule{
		{"a prompt", []string{usr("u1", 1, "hello there")}, []string{"1 u1 prompt: hello there"}},
		{"a prompt in blocks", []string{usr("u1", 1, list(txt("one"), txt("two")))}, []string{"1 u1 prompt: one\n\ntwo"}},
		{"an answer", []string{ast("a1", 1, list(txt("one"), txt("two")))}, []string{"1 a1 reply: one\n\ntwo"}},
		{"an answer as a string", []string{ast("a1", 1, "one")}, []string{"1 a1 reply: one"}},
		{"all sorts", []string{ast("a1", 1, list(
			think("hm"), txt("first"), use("t1", "Bash", obj{"command": "ls"}), think("so"), txt("second"), use("t2", "Read", obj{"file_path": "/a"})))},
			[]string{"1 a1 thinking: hm\n\nso", "1 a1#1 reply: first\n\nsecond", "1 a1#2 tool_call Bash: ls", "1 a1#3 tool_call Read: /a"}},
		{"one line for each block", []string{
			ans("m1", "a1", 1, list(think("hm"))), ans("m1", "a2", 2, list(txt("first"))), ans("m1", "a3", 3, list(use("t1", "Bash", obj{"command": "ls"})))},
			[]string{"1 a1 thinking: hm", "2 a2 reply: first", "3 a3 tool_call Bash: ls"}},
		{"lines of one answer with a result between", []string{
			ans("m1", "a1", 1, list(use("t1", "Bash", obj{"command": "ls"}))), usr("u1", 2, list(res("t1", "a.go"))),
			ans("m1", "a2", 3, list(use("t2", "Bash", obj{"command": "pwd"}))), usr("u2", 4, list(res("t2", "/srv")))},
			[]string{"1 a1 tool_call Bash: ls", "2 u1 tool_result Bash: a.go", "3 a2 tool_call Bash: pwd", "4 u2 tool_result Bash: /srv"}},
		{"several results on one line", []string{
			ast("a1", 1, list(use("t1", "Bash", obj{"command": "ls"}), use("t2", "Grep", obj{"pattern": "x"}))),
			usr("u1", 2, list(res("t1", "one"), txt("said"), res("t2", "two"), txt("more")))},
			[]string{"1 a1 tool_call Bash: ls", "1 a1#1 tool_call Grep: x", "2 u1 tool_result Bash: one", "2 u1#1 prompt: said\n\nmore", "2 u1#2 tool_result Grep: two"}},
		{"without an id", []string{usr("", 1, "one"), ast("a1", 2, "x", "uuid", drop{}), usr("u3", 3, "three")},
			[]string{"1 L1 prompt: one", "2 L2 reply: x", "3 u3 prompt: three"}},
		{"without an id, two records", []string{ast("", 1, list(think("hm"), txt("so")))}, []string{"1 L1 thinking: hm", "1 L1#1 reply: so"}},
		{"lines without content", []string{
			usr("u1", 1, ""), usr("u2", 2, list()), usr("u3", 3, nil), usr("u4", 4, " \n\t"), ast("a1", 5, list()), ast("a2", 6, list(txt(""), think(" "))),
			ln("user", "u5", 7), ln("assistant", "a3", 8, "message", obj{})}, nil},
		{"a blank line counts", []string{usr("u1", 1, "one"), "", "  ", usr("u2", 2, "two")}, []string{"1 u1 prompt: one", "4 u2 prompt: two"}},
	})
}

func TestBlocks(t *testing.T) {
	long := strings.Repeat("QUJD", 4096) // 12 KB
	checkRules(t, []rule{
		{"empty thinking", []string{ast("a1", 1, list(think(""), txt("so")))}, []string{"1 a1 reply: so"}},
		{"the signature is no text", []string{ast("a1", 1, list(obj{"type": "thinking", "thinking": "hm", "signature": "needle"}))}, []string{"1 a1 thinking: hm"}},
		{"redacted thinking", []string{ast("a1", 1, list(obj{"type": "redacted_thinking", "data": "needle"}, txt("so")))}, []string{"1 a1 reply: so"}},
		{"fallback", []string{ast("a1", 1, list(obj{"type": "fallback", "from": obj{"model": "a"}, "to": obj{"model": "b"}}, txt("so")))}, []string{"1 a1 reply: so"}},
		{"an image", []string{usr("u1", 1, list(png(long)))}, []string{"1 u1 prompt: [image image/png 12 KB]"}},
		{"a text and an image", []string{usr("u1", 1, list(txt("see"), png("QUJD")))}, []string{"1 u1 prompt: see\n\n[image image/png 3 B]"}},
		{"a document", []string{usr("u1", 1, list(obj{"type": "document", "title": "Spec", "source": obj{"type": "base64", "media_type": "application/pdf", "data": long}}))},
			[]string{"1 u1 prompt: [document application/pdf 12 KB] Spec"}},
		{"calls by name", []string{ast("a1", 1, list(
			use("t1", "Bash", obj{"description": "List", "command": "ls -l"}), use("t2", "Edit", obj{"old_string": "a", "file_path": "/f", "new_string": "b"}),
			use("t3", "Write", obj{"content": "c", "file_path": "/f"}), use("t4", "Grep", obj{"path": "/p", "pattern": "TODO"}), use("t5", "mcp__x__y", obj{"q": "z"})))},
			[]string{"1 a1 tool_call Bash: ls -l\ndescription: List", "1 a1#1 tool_call Edit: /f\nnew_string: b\nold_string: a",
				"1 a1#2 tool_call Write: /f\ncontent: c", "1 a1#3 tool_call Grep: TODO\npath: /p", "1 a1#4 tool_call mcp__x__y: q: z"}},
		{"a call whose command is no string", []string{ast("a1", 1, list(use("t1", "Bash", obj{"command": 5, "description": "five"})))}, []string{"1 a1 tool_call Bash: description: five"}},
		{"calls of a proxy", []string{ast("a1", 1, list(
			obj{"type": "server_tool_use", "id": "s1", "name": "web_search", "input": obj{"query": "go"}},
			obj{"type": "web_search_tool_result", "tool_use_id": "s1", "content": list(obj{"type": "web_search_result", "title": "Go", "url": "https://go.dev", "text": "the go page"})},
			obj{"type": "mcp_tool_use", "id": "s2", "name": "ask", "input": obj{"a": "b"}}, obj{"type": "mcp_tool_result", "tool_use_id": "s2", "content": list(txt("told"))}))},
			[]string{"1 a1 tool_call web_search: query: go", "1 a1#1 tool_result web_search: Go\nhttps://go.dev\nthe go page", "1 a1#2 tool_call ask: a: b", "1 a1#3 tool_result ask: told"}},
	})
}

func TestToolResults(t *testing.T) {
	call := ast("a1", 1, list(use("t1", "Bash", obj{"command": "ls"})))
	result := func(block obj, members ...any) []string { return []string{call, usr("u1", 2, list(block), members...)} }
	called := "1 a1 tool_call Bash: ls"
	checkRules(t, []rule{
		{"a string", result(res("t1", "out\n")), []string{called, "2 u1 tool_result Bash: out\n"}},
		{"an array", result(res("t1", list(txt("one"), txt("two")))), []string{called, "2 u1 tool_result Bash: one\ntwo"}},
		{"an image", result(res("t1", list(png("QUJD")))), []string{called, "2 u1 tool_result Bash: [image image/png 3 B]"}},
		{"a document", result(res("t1", list(txt("see"), obj{"type": "document", "source": obj{"type": "text", "media_type": "text/plain", "data": "hello"}}))),
			[]string{called, "2 u1 tool_result Bash: see\n[document text/plain 5 B]\nhello"}},
		{"references", result(res("t1", list(obj{"type": "tool_reference", "tool_name": "WebFetch"}))), []string{called, "2 u1 tool_result Bash: WebFetch"}},
		{"absent", result(obj{"type": "tool_result", "tool_use_id": "t1"}), []string{called, "2 u1 tool_result Bash: "}},
		{"a failure", result(obj{"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": true}), []string{called, "2 u1 tool_result Bash +error: no"}},
		{"no failure", result(obj{"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": false}), []string{called, "2 u1 tool_result Bash: no"}},
		{"of a call that is not there", result(res("t9", "out")), []string{called, "2 u1 tool_result: out"}},
		{"of a call further down", []string{usr("u1", 1, list(res("t1", "out"))), call}, []string{"1 u1 tool_result Bash: out", "2 a1 tool_call Bash: ls"}},
		{"the structured twin is not read", result(res("t1", "out"), "toolUseResult", obj{"stdout": "needle", "originalFile": "needle"}), []string{called, "2 u1 tool_result Bash: out"}},
		{"the twin is a string", result(res("t1", "no"), "toolUseResult", "Error: needle"), []string{called, "2 u1 tool_result Bash: no"}},
		{"the twin is a list", result(res("t1", "no"), "toolUseResult", list("needle")), []string{called, "2 u1 tool_result Bash: no"}},
		{"an answer that the text has", result(res("t1", "User said: \"Which?\"=\"blue\""), "toolUseResult", obj{"questions": list(), "answers": obj{"Which?": "blue"}}),
			[]string{called, "2 u1 tool_result Bash: User said: \"Which?\"=\"blue\""}},
		{"an answer that the text lacks", result(res("t1", "answered"), "toolUseResult", obj{"answers": obj{"Which?": "blue"}}), []string{called, "2 u1 tool_result Bash: answered\nWhich?: blue"}},
		{"an answer to nothing", result(res("t1", ""), "toolUseResult", obj{"answers": obj{"Which?": "blue"}}), []string{called, "2 u1 tool_result Bash: Which?: blue"}},
		{"on an injected line", result(res("t1", "out"), "isMeta", true), []string{called, "2 u1 tool_result Bash: out"}},
	})
}

// A result that was moved to a file names it by its last component only.
func TestPersistedOutput(t *testing.T) {
	for path, want := range map[string]string{
		"/home/other/.claude/projects/-x/y/tool-results/b12.txt": "b12.txt",
		`C:\Users\x\.claude\projects\y\tool-results\b12.txt`:     "b12.txt",
		"../../../../etc/passwd":                                 "passwd",
		"b12.txt":                                                "b12.txt",
		"/a/..":                                                  "",
		"/":                                                      "",
	} {
		f := readLines(t, usr("u1", 1, list(res("t1", "<persisted-output>\nOutput too large (40KB). Full output saved to: "+path+"\n\nPreview (first 2KB):\nx\n</persisted-output>"))))
		if len(f.records) != 1 || f.records[0].Spill != want {
			t.Errorf("%s spills to %+v, want %q", path, f.tell(), want)
		}
	}
	f := readLines(t, usr("u1", 1, list(res("t1", "cat says: <persisted-output>Full output saved to: /x/b.txt</persisted-output>"))))
	if f.records[0].Spill != "" {
		t.Error("a result that quotes the mark is not spilled")
	}
}

func TestModels(t *testing.T) {
	model := func(name any) obj {
		return obj{"id": fmt.Sprint("m", name), "role": "assistant", "model": name, "content": list(txt("x"), think("y"))}
	}
	f := readLines(t, ln("assistant", "a1", 1, "message", model("claude-opus-4-8")), ln("assistant", "a2", 2, "message", model("<synthetic>")),
		ln("assistant", "a3", 3, "message", model(5)), usr("u1", 4, "prompt"))
	var got []string
	for _, r := range f.records {
		got = append(got, fmt.Sprintf("%s %q", r.ID, r.Model))
	}
	checkSame(t, got, []string{`a1 "claude-opus-4-8"`, `a1#1 "claude-opus-4-8"`, `a2 ""`, `a2#1 ""`, `a3 ""`, `a3#1 ""`, `u1 ""`})
}

// The page's list of line types, apart from those that hold records.
var recordless = []string{
	"custom-title", "ai-title", "agent-name", "agent-color", "agent-setting", "tag", "last-prompt", "mode", "permission-mode", "pr-link",
	"file-history-snapshot", "file-history-delta", "progress", "bridge-session", "worktree-state", "relocated", "cost-state", "atis-latch",
	"isolation-latch", "memory-mode", "dev-mods", "history-suppression", "attribution-snapshot", "observer-ref", "continued-in",
	"ended-by-model", "frame-link", "artifact-comment-monitor", "artifact-autoreact-ledger", "content-replacement", "fork-context-ref",
	"api-request", "api-request-shape", "api-request-blob", "summary",
}

// Lines of the known types are never records, whatever they carry.
func TestKnownTypesAreNoRecords(t *testing.T) {
	var lines []string
	for i, typ := range recordless {
		lines = append(lines, usr(fmt.Sprintf("x%d", i), 1, "needle", "type", typ, "content", "needle", "lastPrompt", "needle", "text", "needle",
			"data", obj{"type": "agent_progress", "message": obj{"type": "user", "message": obj{"role": "user", "content": "needle"}}}))
	}
	f := readLines(t, append(lines, usr("u1", 2, "prompt"))...)
	checkSame(t, f.tell(), []string{fmt.Sprintf("%d u1 prompt: prompt", len(recordless)+1)})
	if len(f.unknown) > 0 || len(f.damage) > 0 {
		t.Errorf("known types count as unknown: %+v %+v", f.unknown, f.damage)
	}
}

// What nobody knows is reported once for each file, with its first place, and
// whatever text an unknown block carries is kept.
func TestUnknownThingsAreCountedOnce(t *testing.T) {
	strange := obj{"type": "hologram", "text": "seen", "content": list(txt("within"))}
	f := readLines(t, usr("u1", 1, "one"), ln("teapot", "x1", 2), ln("teapot", "x2", 3), ln("kettle", "x3", 4),
		ast("a1", 5, list(strange)), usr("u2", 6, list(strange, txt("two"))), ln("", "x4", 7), ln("x", "x5", 8, "type", 5), "{}")
	checkSame(t, f.tell(), []string{"1 u1 prompt: one", "5 a1 reply: seen\nwithin", "6 u2 prompt: seen\nwithin\n\ntwo"})
	var got []string
	for _, u := range f.unknown {
		got = append(got, fmt.Sprintf("%d %s", u.Line, u.What))
	}
	checkSame(t, got, []string{`2 record type "teapot"`, `4 record type "kettle"`, `5 content block "hologram"`, `7 record type ""`})
}
