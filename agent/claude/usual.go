package claude

import (
	"bytes"

	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// usual is a line of a transcript in the form that nearly all lines have that are not
// typed by a person: an answer, or results of tools. It is taken apart where it stands,
// in one pass and without decoding anything, as far as it takes to know its records.
// It never says anything of a line that the reader reads otherwise: where a line is not
// plainly of that form, read refuses it.
type usual struct {
	typ      form
	uuid     []byte
	answer   []byte // the message's id
	compact  bool
	apiError bool
	noModel  bool           // the client itself wrote it
	time     jsonscan.Value // when it was written
	side     bool           // it is of a sidechain
	text     jsonscan.Value // the message's content where that is a string
	how      jsonscan.Spelling
	blocks   []usualBlock
	texts    []jsonscan.Value    // of results that have several
	hows     []jsonscan.Spelling // of these texts
	seen     uint64              // members of the object at hand
	moulds   *moulds             // of lines that were read before, where they are kept
}

// form is what a line holds, as far as it matters here.
type form byte

const (
	noForm     form = iota
	silentForm      // no record, whatever else it holds
	answerForm
	resultForm
)

// usualBlock is one block of a message.
type usualBlock struct {
	is    blockKind
	text  jsonscan.Value // its text, thinking, input or content
	how   jsonscan.Spelling
	name  []byte // of the tool that is called
	id    []byte // of the call
	texts [2]int // from and to among the texts of results
}

type blockKind byte

const (
	mutedBlock blockKind = iota // says nothing in an answer
	textBlock
	thinkingBlock
	callBlock
	resultBlock       // of a tool of the client
	serverResultBlock // of one that ran elsewhere, which answers alone hold
)

// read takes a line apart. It reports whether that is all there is to know of it.
func (u *usual) read(text []byte) bool {
	if u.moulds == nil {
		return u.walk(text)
	}
	if u.moulds.cast(u, text) {
		return true
	}
	if !u.walk(text) {
		return false
	}
	u.moulds.learn(u, text)
	return true
}

// begin forgets the last line.
func (u *usual) begin() {
	*u = usual{blocks: u.blocks[:0], texts: u.texts[:0], hows: u.hows[:0], moulds: u.moulds}
}

// walk takes a line apart key by key.
func (u *usual) walk(text []byte) bool {
	u.begin()
	c := jsonscan.NewCursor(text)
	var typ jsonscan.Value
	fine := c.Kind() == jsonscan.Object
	for more := fine && c.Open('{'); more; more = c.More('}') {
		switch key := c.Key(); string(key) {
		case "type":
			typ = c.Skip()
			fine = fine && u.once(0)
		case "uuid":
			var ok bool
			u.uuid, ok = word(c.Skip())
			fine = fine && ok && u.once(1)
		case "message":
			fine = u.message(&c) && fine && u.once(2)
		case "isCompactSummary":
			u.compact = c.Skip().True()
			fine = fine && u.once(3)
		case "isApiErrorMessage":
			u.apiError = c.Skip().True()
			fine = fine && u.once(4)
		case "timestamp":
			u.time = c.Skip()
			fine = fine && u.once(5)
		case "isSidechain":
			u.side = c.Skip().True()
			fine = fine && u.once(6)
		case "supersedesUuids":
			v := c.Skip()
			fine = fine && (v.Kind() == jsonscan.Null || string(v) == "[]")
		case "toolUseResult":
			fine = result(&c) && fine
		default:
			fine = fine && !spelt(key)
			c.Skip()
		}
	}
	if !fine || !c.Whole() {
		return false
	}
	return u.settle(typ)
}

// once notes a member of an object and reports whether it is the first of its name.
func (u *usual) once(nth int) bool {
	first := u.seen>>nth&1 == 0
	u.seen |= 1 << nth
	return first
}

// spelt reports whether a key may be another one, spelt with escapes.
func spelt(key []byte) bool { return bytes.IndexByte(key, '\\') >= 0 }

// word gives the inside of a string that stands for itself; ok is false for anything
// else.
func word(v jsonscan.Value) (inside []byte, ok bool) {
	return v.Inside(), v.Kind() == jsonscan.String && plain(v)
}

// settle reports whether type and blocks go together.
func (u *usual) settle(typ jsonscan.Value) bool {
	switch string(typ) {
	case `"assistant"`:
		u.typ = answerForm
	case `"user"`:
		u.typ = resultForm
		for _, b := range u.blocks {
			if b.is != resultBlock {
				return false
			}
		}
		if u.text != nil {
			return false
		}
	default:
		name, ok := word(typ)
		u.typ = silentForm
		return ok && silentTypes[string(name)] && string(name) != "worktree-state"
	}
	return u.seen>>2&1 == 1 && u.named()
}

// named reports whether a line has an id as agents make them: one that looks like a place
// makes no copies, and one that looks like a call's is no answer's.
func (u *usual) named() bool {
	return len(u.uuid) > 0 && u.uuid[0] != 'L' && !bytes.HasPrefix(u.answer, callPrefix)
}

// message reads the message of a line.
func (u *usual) message(c *jsonscan.Cursor) bool {
	if c.Kind() != jsonscan.Object {
		c.Skip()
		return false
	}
	fine, outer := true, u.seen
	u.seen = 0
	for more := c.Open('{'); more; more = c.More('}') {
		switch key := c.Key(); string(key) {
		case "model":
			model, ok := word(c.Skip())
			u.noModel = string(model) == synthetic
			fine = fine && ok && u.once(0)
		case "id":
			var ok bool
			u.answer, ok = word(c.Skip())
			fine = fine && ok && u.once(1)
		case "content":
			fine = u.content(c) && fine && u.once(2)
		default:
			fine = fine && !spelt(key)
			c.Skip()
		}
	}
	u.seen = outer
	return fine
}

// content reads the blocks of a message.
func (u *usual) content(c *jsonscan.Cursor) bool {
	switch c.Kind() {
	case jsonscan.String:
		u.text, u.how = c.Skip(), c.Spelling()
		return true
	case jsonscan.Array:
	default:
		c.Skip()
		return false
	}
	fine := true
	for more := c.Open('['); more; more = c.More(']') {
		if c.Kind() != jsonscan.Object {
			c.Skip()
			fine = false
			continue
		}
		fine = u.block(c) && fine
	}
	return fine
}

// block reads one block. Which of its members matters its type tells, which may stand
// behind them.
func (u *usual) block(c *jsonscan.Cursor) bool {
	var b usualBlock
	var typ, text, thinking, input, content jsonscan.Value
	var how [3]jsonscan.Spelling // of text, thinking and content
	fine, before := true, u.seen
	u.seen = 0
	for more := c.Open('{'); more; more = c.More('}') {
		switch key := c.Key(); string(key) {
		case "type":
			typ = c.Skip()
			fine = fine && u.once(0)
		case "text":
			text, how[0] = c.Skip(), c.Spelling()
			fine = fine && u.once(1)
		case "thinking":
			thinking, how[1] = c.Skip(), c.Spelling()
			fine = fine && u.once(2)
		case "name":
			var ok bool
			b.name, ok = word(c.Skip())
			fine = fine && ok && u.once(3)
		case "id":
			var ok bool
			b.id, ok = word(c.Skip())
			fine = fine && ok && u.once(4)
		case "input":
			input = c.Skip()
			fine = fine && u.once(5)
		case "content":
			b.texts[0] = len(u.texts)
			content, how[2] = u.resultContent(c, &fine), c.Spelling()
			b.texts[1] = len(u.texts)
			fine = fine && u.once(6)
		default:
			fine = fine && !spelt(key)
			c.Skip()
		}
	}
	u.seen = before
	name, ok := word(typ)
	switch string(name) {
	case "text":
		b.is, b.text, b.how = textBlock, text, how[0]
	case "thinking":
		b.is, b.text, b.how = thinkingBlock, thinking, how[1]
	case "redacted_thinking", "fallback":
		b.is = mutedBlock
	default:
		switch {
		case isCall(string(name)):
			b.is, b.text = callBlock, input
		case string(name) == "tool_result":
			b.is, b.text, b.how = resultBlock, content, how[2]
		case isResult(string(name)):
			b.is, b.text, b.how = serverResultBlock, content, how[2]
		default:
			return false
		}
	}
	u.blocks = append(u.blocks, b)
	return fine && ok
}

// resultContent reads the content of a result: a string, or blocks of text.
func (u *usual) resultContent(c *jsonscan.Cursor, fine *bool) jsonscan.Value {
	if c.Kind() != jsonscan.Array {
		v := c.Skip()
		*fine = *fine && v.Kind() != jsonscan.Object
		return v
	}
	for more := c.Open('['); more; more = c.More(']') {
		if c.Kind() != jsonscan.Object {
			c.Skip()
			*fine = false
			continue
		}
		var typ, text jsonscan.Value
		var how jsonscan.Spelling
		before := u.seen
		u.seen = 0
		for more := c.Open('{'); more; more = c.More('}') {
			switch key := c.Key(); string(key) {
			case "type":
				typ = c.Skip()
				*fine = *fine && u.once(0)
			case "text":
				text, how = c.Skip(), c.Spelling()
				*fine = *fine && u.once(1)
			default:
				*fine = *fine && !spelt(key)
				c.Skip()
			}
		}
		u.seen = before
		*fine = *fine && string(typ) == `"text"`
		u.listText(text, how)
	}
	return nil
}

// listText notes one of several texts of a result.
func (u *usual) listText(text jsonscan.Value, how jsonscan.Spelling) {
	if len(text.Inside()) > 0 {
		u.texts, u.hows = append(u.texts, text), append(u.hows, how)
	}
}

// result passes over what the client keeps of a tool's result. What a person answered
// to questions there is text.
func result(c *jsonscan.Cursor) bool {
	if c.Kind() != jsonscan.Object {
		c.Skip()
		return true
	}
	fine := true
	for more := c.Open('{'); more; more = c.More('}') {
		key := c.Key()
		fine = fine && string(key) != "answers" && !spelt(key)
		c.Skip()
	}
	return fine
}

// kind tells what the text of an answer is.
func (u *usual) kind() record.Kind {
	model := ""
	if u.noModel {
		model = synthetic
	}
	kind, _ := line{compact: u.compact, apiError: u.apiError}.answerKind(model)
	return kind
}
