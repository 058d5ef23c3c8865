package judged

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
)

// writeGemini writes one session of Gemini CLI: a log of events in which a message
// that called a tool is written again when the result is there.
func writeGemini(w *writer, s *session) {
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(s.cwd())))
	name := fmt.Sprintf("session-%s-%s.jsonl", s.start.Format("2006-01-02T15-04"), s.id[:8])
	lines := []object{
		{"sessionId": s.id, "projectHash": hash, "startTime": stamp(s.start), "lastUpdated": stamp(s.start), "kind": "main"},
		{"$set": object{"lastUpdated": stamp(s.start), "messages": []any{object{
			"id": token(32, s.name, "context"), "timestamp": stamp(s.start), "type": "user",
			"content": []any{object{"text": "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n</session_context>"}},
		}}}},
	}
	var asked object // the message whose call is open
	for i := range s.items {
		it := &s.items[i]
		m := object{"id": it.id, "timestamp": stamp(it.at)}
		switch it.mark {
		case prompt:
			m["type"], m["content"] = "user", []any{object{"text": it.text}}
		case result, failure:
			m = withResult(asked, it)
		default:
			m["type"], m["model"], m["content"] = "gemini", "gemini-3-pro", ""
			m["tokens"] = object{"input": 8000, "output": 90, "cached": 0, "thoughts": 0, "tool": 0, "total": 8090}
			m["thoughts"] = []any{}
			if it.mark == call {
				asked = m
				m["content"] = "I will look."
				lines = append(lines, m, touched(it))
				m = withCall(m, it)
				asked = m
			} else {
				m["content"] = it.text
			}
		}
		lines = append(lines, m, touched(it))
	}
	if s.title != "" {
		lines = append(lines, object{"$set": object{"summary": s.title}})
	}
	w.lines(path.Join(".gemini/tmp", s.project, "chats", name), lines)
}

func touched(it *item) object { return object{"$set": object{"lastUpdated": stamp(it.at)}} }

func clone(o object) object {
	c := object{}
	for k, v := range o {
		c[k] = v
	}
	return c
}

// geminiTools are the names of the same tools in Gemini CLI.
var geminiTools = map[string][2]string{
	"Bash": {"run_shell_command", "Shell"}, "Read": {"read_file", "ReadFile"}, "Edit": {"replace", "Edit"},
	"Write": {"write_file", "WriteFile"}, "Grep": {"grep_search", "SearchText"},
}

// withCall gives the message again, now with the call.
func withCall(m object, it *item) object {
	name, args := claudeCall(it.text)
	delete(args, "replace_all")
	delete(args, "output_mode")
	tool := geminiTools[name]
	_, what, _ := strings.Cut(it.text, ": ")
	m = clone(m)
	m["toolCalls"] = []any{object{
		"id": tool[0] + "_" + token(10, it.id), "name": tool[0], "args": args, "status": "executing",
		"timestamp": stamp(it.at), "displayName": tool[1], "description": strings.SplitN(what, " | ", 2)[0],
	}}
	return m
}

// withResult gives the message once more, with what the tool said.
func withResult(m object, it *item) object {
	m = clone(m)
	c := clone(m["toolCalls"].([]any)[0].(object))
	key, status := "output", "success"
	if it.mark == failure {
		key, status = "error", "error"
	}
	c["status"] = status
	c["result"] = []any{object{"functionResponse": object{"id": c["id"], "name": c["name"], "response": object{key: it.text}}}}
	m["toolCalls"] = []any{c}
	return m
}
