package claude

import (
	"bytes"
	"strings"

	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// plain reports whether a string holds no escape and nothing but ASCII.
func plain(v jsonscan.Value) bool {
	for _, c := range v {
		if c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

// word gives a text that comes again and again.
func (q *quick) word(v jsonscan.Value) string {
	if w, ok := q.words[string(v)]; ok {
		return w
	}
	w := v.Text()
	if len(v) <= 64 && len(q.words) < 1000 {
		q.words[string(v)] = w
	}
	return w
}

// wordless reports whether a string is empty or nothing but white space. What is no
// string is.
func wordless(v jsonscan.Value) bool {
	if v.Kind() != jsonscan.String {
		return true
	}
	for _, c := range v[1 : len(v)-1] {
		if c == '\\' || c >= 0x80 {
			return strings.TrimSpace(v.Text()) == ""
		}
		if c != ' ' {
			return false
		}
	}
	return true
}

// user counts the records of a user line. Results of tools are one each, whatever
// they hold; all else depends on the text.
func (q *quick) user(l line, at place) int {
	results := 0
	content := l.message.Get("content")
	if content.Kind() == jsonscan.Array {
		for block := range content.Elems() {
			if q.word(block.Get("type").Value()) != "tool_result" {
				return q.spoken(l, at)
			}
			results++
		}
		for range results {
			q.count(record.ToolResult, "", true)
		}
		return results
	}
	return q.spoken(l, at)
}

// spoken reads a user line as the reader does that decodes all.
func (q *quick) spoken(l line, at place) int {
	q.o.user(q.src, l, at, nil)
	q.o.open(q.t, l, at)
	return q.pieces(l, at)
}

// attachment counts the records of an attachment. Few types have any.
func (q *quick) attachment(l line, top jsonscan.Node, at place) int {
	a := top.Get("attachment")
	switch q.word(a.Get("type").Value()) {
	case "queued_command":
		q.o.queue.became(resultText(a.Value().Get("prompt")), at)
	case "hook_success", "hook_additional_context":
	default:
		return 0
	}
	q.o.open(q.t, l, at)
	return q.pieces(l, at)
}

// queue follows a queue operation. What it makes is settled at the end.
func (q *quick) queue(l line, at place) int {
	q.o.queue.operation(l.raw, at)
	q.o.open(q.t, l, at)
	kept := queuedLine{at: at.spot(), when: q.t.last}
	for _, p := range q.t.pieces(l, at) {
		kept.kinds = append(kept.kinds, p.rec.Kind)
	}
	if len(kept.kinds) == 0 {
		return 0
	}
	q.queued = append(q.queued, kept)
	return len(kept.kinds)
}

// system counts the records of a system line.
func (q *quick) system(l line, top jsonscan.Node, at place) (int, error) {
	if v := top.Get("retractedMessageUuids").Value(); v.Kind() == jsonscan.Array && len(v) > len("[]") {
		return 0, errWhole
	}
	if wordless(top.Get("content").Value()) {
		return 0, nil
	}
	return q.pieces(l, at), nil
}

// answerPart names a part of an answer that grows while it is saved: its text, its
// thinking, or one of its calls.
type answerPart struct {
	answer uint64
	what   byte
	call   uint64
}

// The parts of an answer.
const (
	saysText byte = iota
	saysThought
	saysCall
)

// saying is how a part of an answer begins, as one line has it.
type saying struct {
	part answerPart
	line int
	head string // its first characters
}

// headBytes is how many bytes of a text tell it from others.
const headBytes = 64

// answer counts the records of an assistant line: one of its text, one of its
// thinking, and each call and result.
func (q *quick) answer(l line, at place) (int, error) {
	var model, id, content jsonscan.Node
	for key, part := range l.message.Members() {
		switch string(key) {
		case "model":
			model = part
		case "id":
			id = part
		case "content":
			content = part
		}
	}
	kind, name := l.answerKind(q.word(model.Value()))
	q.now = q.now[:0]
	n := q.blocks(content, at.no)
	for range n.texts {
		q.count(kind, name, true)
	}
	for range n.thoughts {
		q.count(record.Thinking, name, true)
	}
	for range n.calls {
		q.count(record.ToolCall, name, true)
	}
	for range n.results {
		q.count(record.ToolResult, name, true)
	}
	if n.texts > 0 && kind == record.Reply && q.o.titles.reply == "" {
		q.o.open(q.t, l, at)
	}
	return n.texts + n.thoughts + n.calls + n.results, q.grow(id.Value())
}

// blocks are the numbers of records that the blocks of an answer make. All text
// is one, and all thinking.
type blocks struct{ texts, thoughts, calls, results int }

func (q *quick) blocks(content jsonscan.Node, no int) (n blocks) {
	if v := content.Value(); !wordless(v) {
		n.texts = 1
		q.say(saysText, no, v)
	} else if v.Kind() != jsonscan.Array {
		return n
	}
	for block := range content.Elems() {
		var is, text, thinking, id jsonscan.Value
		for key, part := range block.Members() {
			switch string(key) {
			case "type":
				is = part.Value()
			case "text":
				text = part.Value()
			case "thinking":
				thinking = part.Value()
			case "id":
				id = part.Value()
			}
		}
		switch typ := q.word(is); {
		case typ == "text":
			if !wordless(text) {
				n.texts = 1
				q.say(saysText, no, text)
			}
		case typ == "thinking":
			if !wordless(thinking) {
				n.thoughts = 1
				q.say(saysThought, no, thinking)
			}
		case typ == "redacted_thinking", typ == "fallback":
		case isCall(typ):
			n.calls++
			if call := id.Text(); call != "" {
				q.now = append(q.now, saying{part: answerPart{what: saysCall, call: hash(call)}, line: no})
			}
		case isResult(typ):
			n.results++
		default:
			if strings.TrimSpace(blockText(block.Value())) != "" {
				n.texts = 1
			}
		}
	}
	return n
}

// say notes a text of the line at hand. All texts of one part are one.
func (q *quick) say(what byte, no int, v jsonscan.Value) {
	head := headOfText(v)
	for i := range q.now {
		if s := &q.now[i]; s.part.what == what {
			if len(s.head) < headBytes {
				s.head += "\n\n" + head
			}
			return
		}
	}
	q.now = append(q.now, saying{part: answerPart{what: what}, line: no, head: head})
}

// headOfText decodes the first characters of a string that is not blank: all of
// them, or at least headBytes of what is written. It never cuts inside one.
func headOfText(v jsonscan.Value) string {
	raw := v[1 : len(v)-1]
	i := 0
	for i < len(raw) && i < headBytes || i < len(raw) && raw[i]&0xC0 == 0x80 || bytes.HasPrefix(raw[min(i, len(raw)):], []byte(`\u`)) {
		switch {
		case raw[i] != '\\':
			i++
		case raw[i+1] == 'u':
			i += 6
		default:
			i += 2
		}
	}
	cut := append(append(jsonscan.Value{'"'}, raw[:i]...), '"')
	return cut.Text()
}

// grow holds what a line says of an answer against what earlier lines said. A text
// that may begin with the whole of an earlier one supersedes it, and a call that
// comes again does.
func (q *quick) grow(id jsonscan.Value) error {
	answer := id.Text()
	if answer == "" {
		return nil
	}
	for _, s := range q.now {
		s.part.answer = hash(answer)
		earlier := q.answers[s.part]
		for _, e := range earlier {
			if n := min(len(e.head), len(s.head)); e.line != s.line && e.head[:n] == s.head[:n] {
				return errWhole
			}
		}
		q.answers[s.part] = append(earlier, s)
	}
	return nil
}
