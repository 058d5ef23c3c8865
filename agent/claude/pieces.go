package claude

import (
	"bytes"
	"iter"
	"path"
	"regexp"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// synthetic is the model of an answer that the client wrote itself.
const synthetic = "<synthetic>"

// piece is one record of a line before it has an id, with the part of the line
// that it is and the place where its text stands.
type piece struct {
	rec  *record.Record
	what string
	at   place
	uuid string // of the line that its text stands on
}

// same reports whether two pieces are the same record.
func (p piece) same(q piece) bool {
	return p.rec.Kind == q.rec.Kind && p.rec.Tool == q.rec.Tool && p.rec.Text == q.rec.Text
}

// pieces gives the records of one object, in the order in which each begins.
func (t *transcript) pieces(l line, at place) []piece {
	b := builder{t: t, l: l, at: at}
	switch l.typ {
	case "assistant":
		b.answer()
	case "user":
		b.user()
	case "attachment":
		b.attachment()
	case "queue-operation":
		b.queued()
	case "system":
		b.system()
	default:
		if !silentTypes[l.typ] {
			t.unknown("record type "+agent.Quoted(l.typ), at.no)
		}
	}
	return b.pieces
}

// builder makes the records of one line.
type builder struct {
	t      *transcript
	l      line
	at     place
	pieces []piece
}

// own adds a record of its own.
func (b *builder) own(k record.Kind, what, text string) *record.Record {
	r := &record.Record{Kind: k, Text: text}
	b.pieces = append(b.pieces, piece{r, what, b.at, b.l.uuid})
	return r
}

// add puts a text into the line's one record of that part.
func (b *builder) add(k record.Kind, what, text string) *record.Record {
	for _, p := range b.pieces {
		if p.what == what && p.rec.Kind == k {
			p.rec.Text += "\n\n" + text
			return p.rec
		}
	}
	return b.own(k, what, text)
}

// answerKind tells what the text of an assistant line is, and gives the model that
// wrote it: none where the client did.
func (l line) answerKind(model string) (record.Kind, string) {
	kind := record.Reply
	switch {
	case l.compact:
		kind = record.Summary
	case l.apiError, model == synthetic:
		kind = record.Notice
	}
	if model == synthetic {
		model = ""
	}
	return kind, model
}

// isCall reports whether a block of an answer calls a tool.
func isCall(typ string) bool {
	switch typ {
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return true
	}
	return false
}

// isResult reports whether a block of an answer is the result of a tool.
func isResult(typ string) bool {
	switch typ {
	case "tool_result", "web_search_tool_result", "web_fetch_tool_result", "mcp_tool_result", "code_execution_tool_result":
		return true
	}
	return false
}

// answer reads an assistant line.
func (b *builder) answer() {
	message := b.l.message
	kind, model := b.l.answerKind(message.Get("model").Text())
	content := message.Get("content")
	if text := content.Text(); strings.TrimSpace(text) != "" {
		b.add(kind, partText, text)
	}
	for block := range content.Elems() {
		b.answerBlock(kind, block)
	}
	for _, p := range b.pieces {
		p.rec.Model = model
		if b.l.apiError {
			p.rec.Flags |= record.Error
		}
	}
}

func (b *builder) answerBlock(kind record.Kind, block jsonscan.Node) {
	switch typ := block.Get("type").Text(); {
	case typ == "text":
		if text := block.Get("text").Text(); strings.TrimSpace(text) != "" {
			b.add(kind, partText, text)
		}
	case typ == "thinking":
		if text := block.Get("thinking").Text(); strings.TrimSpace(text) != "" {
			b.add(record.Thinking, partThinking, text)
		}
	case typ == "redacted_thinking", typ == "fallback":
	case isCall(typ):
		name := block.Get("name").Text()
		r := b.own(record.ToolCall, partCall+block.Get("id").Text(), callText(name, block.Get("input").Value()))
		r.Tool = name
	case isResult(typ):
		b.result(block)
	default:
		b.other(kind, typ, block)
	}
}

// other reads a block that is neither prose nor a tool's. Whatever text it
// carries is kept.
func (b *builder) other(kind record.Kind, typ string, block jsonscan.Node) {
	if typ != "image" && typ != "document" && block.Kind() == jsonscan.Object {
		b.t.unknown("content block "+agent.Quoted(typ), b.at.no)
	}
	if text := blockText(block.Value()); strings.TrimSpace(text) != "" {
		b.add(kind, partText, text)
	}
}

func (b *builder) result(block jsonscan.Node) {
	text := resultText(block.Get("content").Value())
	for question, answer := range b.answers() {
		for _, a := range jsonscan.AppendStrings(nil, "", answer) {
			if a != "" && !strings.Contains(text, a) {
				text = strings.TrimPrefix(text+"\n"+question+": "+a, "\n")
			}
		}
	}
	id := block.Get("tool_use_id").Text()
	r := b.own(record.ToolResult, "result:"+id, text)
	r.Tool = b.t.outline.tools[id]
	if block.Get("is_error").True() {
		r.Flags |= record.Error
	}
	if name := spilled(text); name != "" && b.t.src.Session != "" {
		r.Spill = name
	}
}

// answers gives what a person answered to questions. Most results have none, and
// looking for the member would pass over all of a large one.
func (b *builder) answers() iter.Seq2[string, jsonscan.Value] {
	if !bytes.Contains(b.l.result, []byte(`"answers"`)) {
		return jsonscan.Value(nil).Members()
	}
	return b.l.result.Get("answers").Members()
}

// persisted is the mark that a tool's output was moved to a file.
var persisted = regexp.MustCompile(`(?s)^\s*<persisted-output>.*?Full output saved to: ([^\n]+)`)

// spilled gives the name of the file that the rest of a tool's output is in. Only
// the last component counts: the stored path belongs to another machine, or to
// nobody.
func spilled(text string) string {
	m := persisted.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	name := path.Base(strings.ReplaceAll(strings.TrimSpace(m[1]), `\`, "/"))
	if name == "." || name == ".." || name == "/" {
		return ""
	}
	return name
}

// user reads a user line: what a person typed, what the client injected, and the
// results of tools.
func (b *builder) user() {
	content := b.l.message.Get("content")
	var texts []string
	if content.Kind() == jsonscan.String {
		texts = append(texts, content.Text())
	}
	at := 0
	for block := range content.Elems() {
		typ := block.Get("type").Text()
		if typ == "tool_result" {
			b.result(block)
			continue
		}
		if typ != "text" && typ != "image" && typ != "document" && block.Kind() == jsonscan.Object {
			b.t.unknown("content block "+agent.Quoted(typ), b.at.no)
		}
		if text := blockText(block.Value()); text != "" {
			if len(texts) == 0 {
				at = len(b.pieces)
			}
			texts = append(texts, text)
		}
	}
	text := strings.Join(texts, "\n\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	rest := append([]piece(nil), b.pieces[at:]...)
	b.pieces = b.pieces[:at]
	b.spoken(text)
	b.pieces = append(b.pieces, rest...)
}

// spoken adds the record of a text that stands where a person types, and one more
// for a block that the client put before it.
func (b *builder) spoken(text string) {
	switch {
	case b.l.compact:
		b.own(record.Summary, partText, text)
		return
	case b.l.meta, b.l.hidden, b.l.interrupted, b.l.plan, injectedOrigin(b.l.originKind):
		b.own(record.Notice, partText, text)
		return
	}
	kind, rest, injected := userText(text, b.t.src.Subagent != "" || b.l.sidechain)
	if emptyOutput(rest) && kind == record.Notice {
		return
	}
	b.own(kind, partText, rest)
	if injected != "" {
		b.own(record.Notice, "injected", injected)
	}
}

// injectedOrigin reports whether a record's origin says that no person typed it.
func injectedOrigin(kind string) bool {
	switch kind {
	case "", "human", "cli", "user":
		return false
	}
	return true
}

var outputTags = regexp.MustCompile(`^(\s*<(local-command|bash)-(stdout|stderr)>\s*</(local-command|bash)-(stdout|stderr)>\s*)+$`)

// emptyOutput reports whether a text is only the markup of a command's output
// that was empty.
func emptyOutput(text string) bool { return outputTags.MatchString(text) }

// attachment reads the attachments that hold text for people: a prompt that was
// queued, and what hooks said. All others repeat what stands elsewhere.
func (b *builder) attachment() {
	a := b.l.raw.Get("attachment")
	switch a.Get("type").Text() {
	case "queued_command":
		b.queuedCommand(a)
	case "hook_success":
		text := a.Get("content").Text()
		if strings.TrimSpace(text) == "" {
			text = a.Get("stdout").Text()
		}
		if more := a.Get("stderr").Text(); strings.TrimSpace(more) != "" && !strings.Contains(text, more) {
			text = strings.TrimPrefix(text+"\n"+more, "\n")
		}
		b.notice(text)
	case "hook_additional_context":
		b.notice(resultText(a.Get("content")))
	}
}

func (b *builder) notice(text string) *record.Record {
	if strings.TrimSpace(text) == "" {
		return &record.Record{}
	}
	return b.own(record.Notice, partText, text)
}

func (b *builder) queuedCommand(a jsonscan.Value) {
	text := resultText(a.Get("prompt"))
	if strings.TrimSpace(text) == "" {
		return
	}
	mode := a.Get("commandMode").Text()
	switch {
	case mode == "bash":
		b.own(record.Command, partText, "! "+strings.TrimSpace(text))
	case mode == "task-notification", a.Get("isMeta").True(), injectedOrigin(a.Get("origin").Get("kind").Text()):
		b.own(record.Notice, partText, text)
	default:
		b.typed(text)
	}
	for _, p := range b.pieces {
		p.rec.Flags |= record.Queued
	}
}

// typed adds the record of a text as a person typed it at the prompt line.
func (b *builder) typed(text string) {
	b.spoken(text)
	for _, p := range b.pieces {
		if p.rec.Kind == record.Prompt {
			p.rec.Kind, p.rec.Text = typed(p.rec.Text)
		}
	}
}

// queued reads a queue operation that put a prompt into the queue, unless the
// prompt became a record of its own.
func (b *builder) queued() {
	text := b.l.raw.Get("content").Text()
	fate := b.t.outline.queue.fates[b.at.spot()]
	if b.l.raw.Get("operation").Text() != "enqueue" || strings.TrimSpace(text) == "" || fate == fateRecord {
		return
	}
	b.typed(text)
	for _, p := range b.pieces {
		p.rec.Flags |= record.Queued
		if fate == fateTaken {
			p.rec.Flags |= record.Superseded
		}
	}
}

// system reads a system line that has something to say to a person.
func (b *builder) system() {
	text := b.l.raw.Get("content").Text()
	if strings.TrimSpace(text) == "" {
		return
	}
	switch b.l.raw.Get("subtype").Text() {
	case "compact_boundary", "turn_duration", "stop_hook_summary":
	case "away_summary":
		b.own(record.Summary, partText, text)
	case "local_command":
		if cmd, ok := command(strings.TrimSpace(text)); ok {
			b.own(record.Command, partText, cmd)
		} else if !emptyOutput(text) {
			b.notice(text)
		}
	default:
		r := b.notice(text)
		if b.l.raw.Get("level").Text() == "error" {
			r.Flags |= record.Error
		}
	}
}
