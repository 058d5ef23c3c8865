package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// chat writes one transcript of Gemini CLI: an event log in which an answer is
// written again, whole, when its tools have answered.
type chat struct {
	page
	id, cwd string
	kind    string // main or subagent
	agents  []dispatched
}

// answer is a message of the model. Its parts are JSON already.
type answer struct {
	id                string
	at                int64
	text              []byte
	subject, thoughts []byte
	calls             []toolCall
	model             string
	input, output     int
}

// toolCall is a call with its result, as Gemini CLI keeps both in one place.
type toolCall struct {
	id, name, agent string
	shown           string // what the client says of it
	args            []byte // members
	result          []byte // the text of it
	display         []byte // a JSON value
}

func newChat(r *rng, lib *library, t *tally, id, cwd, kind string, start int64) *chat {
	c := &chat{page: page{rng: r, lib: lib, tally: t, now: start}, id: id, cwd: cwd, kind: kind}
	hash := sha256.Sum256([]byte(cwd))
	c.add(`{"sessionId":"`, id, `","projectHash":"`, hex.EncodeToString(hash[:]), `","startTime":"`)
	c.stamp()
	c.add(`","lastUpdated":"`)
	c.stamp()
	c.add(`","kind":"`, kind, "\"}\n")
	return c
}

// context writes what the client tells the model at the start. It is no record
// that a search reads.
func (c *chat) context() {
	c.add(`{"$set":{"messages":[{"id":"`, string(c.hex(nil, 32)), `","timestamp":"`)
	c.stamp()
	c.add(`","type":"user","content":[{"text":"<session_context>\nThese are the files of `, c.cwd, `:\n`)
	for range c.between(20, 120) {
		c.add(`  `, file(c.rng), `\n`)
	}
	c.add(`</session_context>"}]}],"lastUpdated":"`)
	c.stamp()
	c.add("\"}}\n")
}

// touched writes the line behind every message.
func (c *chat) touched() {
	c.add(`{"$set":{"lastUpdated":"`)
	c.stamp()
	c.add("\"}}\n")
}

// typed writes a prompt, and its entry in the prompt log where a person typed it.
func (c *chat) typed(ls []line, logged bool) (id string) {
	c.wait(500, 9000)
	id = c.uuid()
	c.add(`{"id":"`, id, `","timestamp":"`)
	c.stamp()
	c.add(`","type":"user","content":[{"text":"`)
	c.lines(ls)
	c.add("\"}]}\n")
	c.touched()
	if logged {
		c.log(c.joined(ls), c.id)
	}
	return id
}

// log notes a prompt for the prompt log.
func (c *chat) log(text []byte, session string) {
	e := entry{at: c.now, cwd: c.cwd}
	e.json = append(e.json, "  {\n    \"sessionId\": \""+session+"\",\n    \"messageId\": "+strconv.Itoa(len(c.history))+",\n    \"type\": \"user\",\n    \"message\": \""...)
	e.json = append(append(e.json, text...), "\",\n    \"timestamp\": \""...)
	e.json = append(stamped(e.json, c.now), "\"\n  }"...)
	c.history = append(c.history, e)
}

func (c *chat) newAnswer() *answer {
	c.wait(800, 20_000)
	return &answer{id: c.uuid(), at: c.now, model: "gemini-3-pro", input: c.between(2000, 200_000), output: c.between(20, 3000)}
}

// write writes an answer; with its calls when the tools have answered.
func (c *chat) write(a *answer, calls []toolCall) {
	c.add(`{"id":"`, a.id, `","timestamp":"`)
	c.out = stamped(c.out, a.at)
	c.add(`","type":"gemini","content":"`, string(a.text), `","thoughts":[`)
	if len(a.thoughts) > 0 {
		c.add(`{"subject":"`, string(a.subject), `","description":"`, string(a.thoughts), `","timestamp":"`)
		c.out = stamped(c.out, a.at)
		c.add(`"}`)
	}
	c.add(`],"tokens":{"input":`)
	c.int(a.input)
	c.add(`,"output":`)
	c.int(a.output)
	c.add(`,"cached":0,"thoughts":0,"tool":0,"total":`)
	c.int(a.input + a.output)
	c.add(`},"model":"`, a.model, `"`)
	if len(calls) > 0 {
		c.add(`,"toolCalls":[`)
		for i := range calls {
			if i > 0 {
				c.add(`,`)
			}
			c.call(&calls[i])
		}
		c.add(`]`)
	}
	c.add("}\n")
}

func (c *chat) call(t *toolCall) {
	c.add(`{"id":"`, t.id, `","name":"`, t.name, `","args":{`, string(t.args), `},"result":[`)
	c.response(t)
	c.add(`],"status":"success","timestamp":"`)
	c.stamp()
	c.add(`","resultDisplay":`, string(t.display))
	if t.agent != "" {
		c.add(`,"agentId":"`, t.agent, `"`)
	}
	c.add(`,"displayName":"`, t.name, `","description":"`, t.shown, `","renderOutputAsMarkdown":false}`)
}

func (c *chat) response(t *toolCall) {
	c.add(`{"functionResponse":{"id":"`, t.id, `","name":"`, t.name, `","response":{"output":"`, string(t.result), `"}}}`)
}

// say writes an answer with its tools: first without what they gave back, then
// with it, then once more what the model was told of it.
func (c *chat) say(a *answer) {
	c.write(a, nil)
	c.touched()
	if len(a.calls) == 0 {
		return
	}
	c.wait(50, 20_000)
	c.write(a, a.calls)
	for i := range a.calls {
		c.add(`{"id":"`, c.uuid(), `","timestamp":"`)
		c.stamp()
		c.add(`","type":"user","content":[`)
		c.response(&a.calls[i])
		c.add("]}\n")
	}
	c.touched()
}
