package judged

import (
	"path"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object; its keys are written in alphabetical order.
type object = map[string]any

const claudeVersion = "2.1.200"

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// claude writes one session of Claude Code.
type claude struct {
	s      *session
	parent map[int]string // the last record, by subagent
	answer string         // id of the message that is being written
	call   map[int]string // the last call, by subagent
	agent  int            // the subagent that was started last
}

// writeClaude writes the transcript and those of its subagents. A session that only
// the prompt log knows has none.
func writeClaude(w *writer, s *session) {
	if s.kind == promptsOnly {
		return
	}
	c := claude{s: s, parent: map[int]string{}, call: map[int]string{}}
	folder := path.Join(".claude/projects", strings.ReplaceAll(s.cwd(), "/", "-"))
	main := c.opening()
	agents := map[int][]object{}
	for i := range s.items {
		it := &s.items[i]
		switch {
		case it.sub > 0:
			agents[it.sub] = append(agents[it.sub], c.records(it)...)
		case it.mark == dispatch:
			c.agent++
			main = append(main, c.records(it)...)
			_, task := c.task(it)
			agents[c.agent] = append(agents[c.agent], c.user(&item{text: task, sub: c.agent, id: uuid(it.id, "task"), at: it.at}, task))
		default:
			main = append(main, c.records(it)...)
		}
	}
	w.lines(path.Join(folder, s.id+".jsonl"), append(main, c.closing()...))
	for i := 1; i <= c.agent; i++ {
		name := path.Join(folder, s.id, "subagents", "agent-"+c.agentID(i))
		w.lines(name+".jsonl", agents[i])
		w.json(name+".meta.json", object{"agentType": "Explore", "description": "Look at one part", "spawnDepth": 1})
	}
}

// opening gives the lines before the first item: print runs begin with their prompt
// in the queue.
func (c *claude) opening() []object {
	if c.s.kind != printed {
		return []object{{"type": "permission-mode", "permissionMode": "default", "sessionId": c.s.id}}
	}
	queue := object{"type": "queue-operation", "timestamp": stamp(c.s.start), "sessionId": c.s.id, "operation": "dequeue"}
	enqueue := object{"content": c.s.items[0].text}
	for k, v := range queue {
		enqueue[k] = v
	}
	enqueue["operation"] = "enqueue"
	return []object{enqueue, queue}
}

// closing gives the lines that Claude Code adds about the whole.
func (c *claude) closing() []object {
	var out []object
	if c.s.pr != "" {
		out = append(out, object{"type": "pr-link", "sessionId": c.s.id, "prNumber": c.s.pr, "prRepository": "example/" + c.s.project,
			"prUrl": "https://github.example/example/" + c.s.project + "/pull/" + c.s.pr, "timestamp": stamp(c.s.end())})
	}
	if c.s.aiTitle != "" {
		out = append(out, object{"type": "ai-title", "aiTitle": c.s.aiTitle, "sessionId": c.s.id})
	}
	if c.s.title != "" {
		out = append(out, object{"type": "custom-title", "customTitle": c.s.title, "sessionId": c.s.id})
	}
	return out
}

func (c *claude) agentID(n int) string { return "a" + token(16, c.s.name, "agent", strconv.Itoa(n)) }

// task gives the kind of a subagent and what it is told.
func (c *claude) task(it *item) (kind, task string) {
	kind, task, _ = strings.Cut(it.text, ": ")
	return kind, task
}

// records gives the lines of one item.
func (c *claude) records(it *item) []object {
	switch it.mark {
	case prompt:
		return []object{c.user(it, it.text)}
	case reply:
		return []object{c.assistant(it, object{"type": "text", "text": it.text})}
	case thinking:
		return []object{c.assistant(it, object{"type": "thinking", "thinking": it.text, "signature": "c2FtcGxl"})}
	case call:
		name, input := claudeCall(it.text)
		return []object{c.assistant(it, c.use(it, name, input))}
	case dispatch:
		kind, task := c.task(it)
		return []object{c.assistant(it, c.use(it, "Agent", object{"description": "Look at one part", "prompt": task, "subagent_type": kind}))}
	case summary:
		return c.compacted(it)
	}
	block := object{"type": "tool_result", "tool_use_id": c.call[it.sub], "content": it.text}
	if it.mark == failure {
		block["is_error"] = true
	}
	return []object{c.user(it, []any{block})}
}

// use is the block of a call.
func (c *claude) use(it *item, name string, input object) object {
	c.call[it.sub] = "toolu_01" + token(22, it.id)
	return object{"type": "tool_use", "id": c.call[it.sub], "name": name, "input": input}
}

// claudeCall reads "Tool: argument | argument".
func claudeCall(text string) (name string, input object) {
	name, rest, _ := strings.Cut(text, ": ")
	if name == "Bash" {
		return name, object{"command": rest, "description": "Run it"}
	}
	arg := append(strings.Split(rest, " | "), "", "")
	switch name {
	case "Edit":
		return name, object{"file_path": arg[0], "old_string": arg[1], "new_string": arg[2], "replace_all": false}
	case "Write":
		return name, object{"file_path": arg[0], "content": arg[1]}
	case "Grep":
		input = object{"pattern": arg[0], "output_mode": "content"}
		if arg[1] != "" {
			input["path"] = arg[1]
		}
		return name, input
	}
	return name, object{"file_path": arg[0]}
}

// line is what every record has; it becomes the parent of the next.
func (c *claude) line(it *item, typ string) object {
	o := object{
		"type": typ, "uuid": it.id, "parentUuid": nil, "timestamp": stamp(it.at), "isSidechain": it.sub > 0,
		"cwd": c.s.cwd(), "sessionId": c.s.id, "version": claudeVersion, "gitBranch": c.s.branch, "userType": "external", "entrypoint": "cli",
	}
	if p := c.parent[it.sub]; p != "" {
		o["parentUuid"] = p
	}
	if it.sub > 0 {
		o["agentId"] = c.agentID(it.sub)
	}
	switch c.s.kind {
	case printed:
		o["entrypoint"] = "sdk-cli"
	case background:
		o["sessionKind"] = "bg"
	}
	c.parent[it.sub] = it.id
	return o
}

func (c *claude) user(it *item, content any) object {
	o := c.line(it, "user")
	o["message"] = object{"role": "user", "content": content}
	c.answer = ""
	return o
}

// assistant writes one block; blocks that follow each other are of one message.
func (c *claude) assistant(it *item, block object) object {
	if c.answer == "" {
		c.answer = token(20, it.id, "message")
	}
	o := c.line(it, "assistant")
	o["requestId"] = "req_01" + c.answer
	o["message"] = object{
		"id": "msg_01" + c.answer, "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": []any{block},
		"stop_reason": nil, "usage": object{"input_tokens": 5, "output_tokens": 120},
	}
	return o
}

// compacted gives the boundary and the summary behind it.
func (c *claude) compacted(it *item) []object {
	before := c.parent[it.sub]
	c.parent[it.sub] = ""
	boundary := c.line(&item{id: uuid(it.id, "boundary"), at: it.at}, "system")
	boundary["subtype"], boundary["content"], boundary["logicalParentUuid"] = "compact_boundary", "Conversation compacted", before
	boundary["compactMetadata"] = object{"trigger": "auto", "preTokens": 154000}
	o := c.user(it, "This session is being continued from a previous conversation that ran out of context.\n"+it.text)
	o["isCompactSummary"], o["isVisibleInTranscriptOnly"] = true, true
	return []object{boundary, o}
}
