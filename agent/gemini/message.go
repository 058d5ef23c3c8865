package gemini

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// message is one version of a message. A member of the wrong type counts as
// absent.
type message struct {
	id, typ, model   string
	time             time.Time
	content, display jsonscan.Value
	thoughts, tools  jsonscan.Value
	results          map[string]jsonscan.Value // by call id, what a $patch put in place of the call's own
}

func parseMessage(v jsonscan.Value) message {
	m := message{}
	for key, val := range v.Members() {
		switch key {
		case "id":
			m.id = val.Text()
		case "type":
			m.typ = val.Text()
		case "model":
			m.model = val.Text()
		case "timestamp":
			m.time = val.Time()
		case "content":
			m.content = val
		case "displayContent":
			m.display = val
		case "thoughts":
			m.thoughts = val
		case "toolCalls":
			m.tools = val
		}
	}
	return m
}

// patch changes a message as a $patch record says.
func (m *message) patch(p jsonscan.Value) {
	if content := p.Get("content"); content.Kind() != jsonscan.Absent {
		m.content = content
	}
	for call := range p.Get("toolCalls").Elems() {
		result := call.Get("result")
		if id := call.Get("id").Text(); id != "" && result.Kind() != jsonscan.Absent {
			if m.results == nil {
				m.results = map[string]jsonscan.Value{}
			}
			m.results[id] = result
		}
	}
}

// The parts of a message that are records of their own.
const (
	partText     = "text"
	partThinking = "thinking"
	partHook     = "hook"
	partCall     = "call:"   // and the id of the call
	partResult   = "result:" // likewise
)

// piece is one record of a message before it has an id, with the part of the
// message that it is.
type piece struct {
	rec   *record.Record
	what  string
	shown string // what a person saw of it, where that is shorter
}

// seen is what a person saw of a piece.
func (p piece) seen() string {
	if p.shown != "" {
		return p.shown
	}
	return p.rec.Text
}

// same reports whether two pieces are the same record.
func (p piece) same(q piece) bool {
	return p.what == q.what && p.rec.Kind == q.rec.Kind && p.rec.Tool == q.rec.Tool && p.rec.Text == q.rec.Text
}

// builder makes the records of one message: its thinking, its text, and each tool
// call with its result.
type builder struct {
	m        message
	answered func(call string) bool // the result of that call stands with the call
	dispatch bool                   // the user is another agent
	unknown  func(what string)
	pieces   []piece
	nameless int // calls and results without an id
}

func (b *builder) add(k record.Kind, what, text string) *record.Record {
	r := &record.Record{Kind: k, Role: record.RoleOf(k), Text: text}
	b.pieces = append(b.pieces, piece{rec: r, what: what})
	return r
}

func (b *builder) build() []piece {
	for _, p := range parts(b.m.content) {
		if _, key := proseOf(p); key != "" {
			b.unknown("content part " + agent.Quoted(key)) // its strings are text all the same
		}
	}
	switch b.m.typ {
	case "user":
		b.user()
	case "gemini", "model":
		b.answer()
	case "info", "warning", "error":
		b.notice()
	default:
		b.unknown("message type " + agent.Quoted(b.m.typ))
		b.notice()
	}
	return b.pieces
}

func (b *builder) notice() {
	text := contentText(b.m.content)
	if strings.TrimSpace(text) == "" {
		return
	}
	if r := b.add(record.Notice, partText, text); b.m.typ == "error" {
		r.Flags |= record.Error
	}
}

// user reads what a person typed, what the client put in that place, and the
// results of tools.
func (b *builder) user() {
	var texts []string
	var responses []jsonscan.Value
	prose := false
	for _, p := range parts(b.m.content) {
		if r := p.Get("functionResponse"); r.Kind() == jsonscan.Object {
			responses = append(responses, r)
			continue
		}
		text, _ := proseOf(p)
		if strings.TrimSpace(text) != "" {
			texts = append(texts, text)
			prose = prose || mediaText(p) == ""
		}
	}
	if len(responses) > 0 && !prose {
		b.responses(responses, texts)
		return
	}
	b.spoken(strings.Join(texts, "\n\n"))
	b.responses(responses, nil)
}

// spoken adds the record of a text that stands where a person types, and one more
// for what a hook added to it.
func (b *builder) spoken(text string) {
	display := contentText(b.m.display)
	if strings.TrimSpace(text) == "" {
		text, display = display, ""
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	kind, rest, hook := userText(text, b.dispatch)
	shown := ""
	if d := strings.TrimSpace(display); d != "" {
		if shown = display; !strings.Contains(text, d) {
			rest += "\n\n" + display
		}
		if k, _ := typed(display); kind == record.Prompt && k == record.Command {
			kind = k // the text is what the command was expanded to
		}
	}
	r := b.add(kind, partText, rest)
	r.Typed, r.Preamble = shown, preamble(r)
	b.pieces[len(b.pieces)-1].shown = shown
	if hook != "" {
		b.add(record.Notice, partHook, hook)
	}
}

// responses adds the results of tools whose calls do not hold them. media stands
// beside them and belongs to the last.
func (b *builder) responses(responses []jsonscan.Value, media []string) {
	for i, r := range responses {
		id := r.Get("id").Text()
		if id != "" && b.answered(id) {
			continue
		}
		text := responseText(r)
		if i == len(responses)-1 {
			for _, m := range media {
				text = strings.TrimPrefix(text+"\n"+m, "\n")
			}
		}
		b.result(id, r.Get("name").Text(), text)
	}
}

func (b *builder) result(id, tool, text string) *record.Record {
	r := b.add(record.ToolResult, partResult+b.key(id), text)
	r.Tool, r.Spill = tool, spilled(text)
	return r
}

// key is the id of a call or result, or its number where it has none.
func (b *builder) key(id string) string {
	if id == "" {
		b.nameless++
		return "#" + strconv.Itoa(b.nameless)
	}
	return id
}

// answer reads a message of the model.
func (b *builder) answer() {
	if text := b.thinking(); strings.TrimSpace(text) != "" {
		b.add(record.Thinking, partThinking, text)
	}
	if text := contentText(b.m.content); strings.TrimSpace(text) != "" {
		b.add(record.Reply, partText, text)
	}
	for call := range b.m.tools.Elems() {
		b.call(call)
	}
	for _, p := range parts(b.m.content) {
		b.part(p)
	}
	for _, p := range b.pieces {
		if p.rec.Kind != record.ToolResult {
			p.rec.Model = b.m.model
		}
	}
}

// thinking gives the thoughts of a message once, although they can stand both in
// its thoughts and in its content.
func (b *builder) thinking() string {
	var texts []string
	known := ""
	for t := range b.m.thoughts.Elems() {
		text := joined(t.Get("subject").Text(), t.Get("description").Text())
		if t.Kind() == jsonscan.String {
			text = t.Text()
		}
		if strings.TrimSpace(text) != "" {
			texts = append(texts, text)
			known += " " + plain(text)
		}
	}
	for _, p := range parts(b.m.content) {
		if text := p.Get("text").Text(); p.Get("thought").True() && !strings.Contains(known, plain(text)) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

func joined(subject, description string) string {
	if subject == "" || description == "" {
		return subject + description
	}
	return subject + "\n" + description
}

// plain folds white space and the marks around a subject, so that a thought and
// what was parsed from it are the same.
func plain(thought string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(thought, "**", " ")), " ")
}

func (b *builder) call(call jsonscan.Value) {
	if call.Kind() != jsonscan.Object {
		return
	}
	id, name := call.Get("id").Text(), call.Get("name").Text()
	key := b.key(id)
	text := callText(name, call.Get("args"))
	if text == "" {
		text = joined(call.Get("displayName").Text(), call.Get("description").Text())
	}
	b.called(key, name, text)
	result, patched := b.m.results[id]
	if !patched {
		result = call.Get("result")
	}
	if !hasResult(call) && !present(result) {
		return
	}
	if r := b.result(key, name, callResult(call, result)); call.Get("status").Text() == "error" {
		r.Flags |= record.Error
	}
}

// part reads what is neither prose nor thought in the content of an answer: calls
// and results that stand nowhere else.
func (b *builder) part(p jsonscan.Value) {
	call, code, output := p.Get("functionCall"), p.Get("executableCode"), p.Get("codeExecutionResult")
	switch {
	case call.Kind() == jsonscan.Object:
		id, name := call.Get("id").Text(), call.Get("name").Text()
		if !b.listed(id, name, call.Get("args")) {
			b.called(id, name, callText(name, call.Get("args")))
		}
	case p.Get("functionResponse").Kind() == jsonscan.Object:
		b.responses([]jsonscan.Value{p.Get("functionResponse")}, nil)
	case code.Kind() == jsonscan.Object:
		b.called("", "code_execution", code.Get("code").Text())
	case output.Kind() == jsonscan.Object:
		b.result("", "code_execution", output.Get("output").Text())
	}
}

// called adds a call of a tool. One that says nothing reads as the tool's name.
func (b *builder) called(key, tool, text string) {
	if text == "" {
		text = tool
	}
	b.add(record.ToolCall, partCall+b.key(key), text).Tool = tool
}

// listed reports whether a call of the content stands in toolCalls too.
func (b *builder) listed(id, name string, args jsonscan.Value) bool {
	for call := range b.m.tools.Elems() {
		if id != "" && call.Get("id").Text() == id {
			return true
		}
		if id == "" && call.Get("name").Text() == name && bytes.Equal(call.Get("args"), args) {
			return true
		}
	}
	return false
}

// saved is where a tool's output was moved to.
var saved = regexp.MustCompile(`[/\\]tool-outputs[/\\](?:[^\s"'<>]*[/\\])?([^\s/\\"'<>]+\.txt)`)

// spillMarks are the words with which Gemini CLI says so.
var spillMarks = []string{"saved to", "utput too large", "ull output"}

// spilled gives the name of the file that the rest of a tool's output is in.
func spilled(text string) string {
	i := strings.Index(text, "tool-outputs")
	if i < 1 {
		return ""
	}
	for _, mark := range spillMarks {
		if !strings.Contains(text, mark) {
			continue
		}
		if m := saved.FindStringSubmatch(text[i-1:]); m != nil {
			return path.Base(m[1])
		}
	}
	return ""
}
