package gemini

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/record"
)

// document reads the file as one object, which is what sessions were until v0.38.
// It reports whether that is what the file is, whole or cut; if not, what was
// read of it as an event log stands.
func (c *chat) document() (done bool, err error) {
	data, err := agent.Whole(c.file)
	if err != nil {
		return false, err
	}
	body := bytes.TrimLeft(bytes.TrimPrefix(data, bom), " \t\r\n")
	marked := bytes.HasPrefix(data, bom)
	v, rest, _, ok := jsonscan.First(body)
	switch {
	case ok && v.Get("sessionId").Kind() != jsonscan.Absent && (len(bytes.TrimSpace(rest)) == 0 || bytes.IndexByte(v, '\n') >= 0):
		c.whole(data, v, rest, marked)
		return true, nil
	case !ok && bytes.HasPrefix(body, []byte("{")) && c.torn(data, body):
		return true, nil
	case c.src.Store.ID == storeLegacy:
		c.reset()
		c.damage = []agent.Damage{{Line: 1, Bytes: int64(len(data)), Reason: "the file is not one JSON object of a session; its text was not read", Cleared: !c.wanted}}
		return true, nil
	}
	return false, nil
}

// whole reads a file that is one object, with lines behind it perhaps.
func (c *chat) whole(data []byte, v jsonscan.Value, rest []byte, marked bool) {
	c.begin(data)
	c.clean.merge(v)
	c.metadata(v, within(data, v, 1, 0))
	c.nameless(data, v.Get("messages"))
	if trailing := len(bytes.TrimSpace(rest)) > 0; trailing || marked {
		used := len(data) - len(rest)
		before := bytes.Count(data[:used], []byte("\n"))
		for l, err := range lines.Scan(bytes.NewReader(rest), int64(len(rest))) {
			if err != nil {
				break // memory cannot shrink
			}
			l.No, l.Offset = l.No+before, l.Offset+int64(used)
			c.line(l)
		}
		why := "a byte order mark stands before the object"
		if trailing {
			why = "more stands behind the object"
		}
		c.unreadable(why + ", so that Gemini CLI cannot read this file; it was read here")
	}
}

// begin forgets what was read of the file as an event log.
func (c *chat) begin(data []byte) {
	c.reset()
	c.data = data
	c.passes(data)
}

// nameless adds the messages that have no id, which only a whole object may have.
func (c *chat) nameless(data []byte, messages jsonscan.Value) {
	for m := range messages.Elems() {
		if m.Kind() == jsonscan.Object && m.Get("id").Kind() != jsonscan.String {
			msg := parseMessage(m)
			c.look(msg)
			c.fold.add(version{at: within(data, m, 1, 0), time: c.note(msg.time), hash: maphash.Bytes(seed, m), passes: c.passing})
		}
	}
}

// torn reads what is whole of an object that was cut. It reports whether there is
// anything to be read.
func (c *chat) torn(data, body []byte) bool {
	head := leading(body)
	if n := len(head.messages); n < len(c.fold.all) || n == 0 && (head.members == 0 || c.src.Store.ID != storeLegacy) {
		return false // more is whole line by line
	}
	c.begin(data)
	for _, m := range head.messages {
		if at := within(data, m, 1, 0); m.Get("id").Kind() == jsonscan.String {
			c.message(m, at, record.Superseded)
		} else if msg := parseMessage(m); msg.typ != "" {
			c.fold.add(version{at: at, time: c.note(msg.time), hash: maphash.Bytes(seed, m), passes: c.passing})
		}
	}
	c.meta = head.meta
	c.note(head.meta.start)
	c.damage = []agent.Damage{{
		Line: 1, Bytes: int64(len(data)), Cleared: !c.wanted,
		Reason: fmt.Sprintf("the file is cut or damaged; %d messages at its head were read", len(c.fold.all)),
	}}
	return true
}

// torso is what is whole at the beginning of an object.
type torso struct {
	meta     meta
	members  int
	messages []jsonscan.Value
}

// leading reads the members at the beginning of an object up to the first that is
// not whole. Of messages that are cut it gives the whole ones.
func leading(b []byte) (t torso) {
	rest := bytes.TrimLeft(b, " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return t
	}
	for rest = rest[1:]; ; {
		key, after, _, ok := jsonscan.First(rest)
		after = bytes.TrimLeft(after, " \t\r\n")
		if !ok || key.Kind() != jsonscan.String || len(after) == 0 || after[0] != ':' {
			return t
		}
		val, after, _, ok := jsonscan.First(after[1:])
		if key.Text() == "messages" {
			t.messages = wholeElems(after, val, ok)
		}
		if !ok {
			return t
		}
		t.members++
		t.meta.merge(single(key, val))
		if after = bytes.TrimLeft(after, " \t\r\n"); len(after) == 0 || after[0] != ',' {
			return t
		}
		rest = after[1:]
	}
}

// single gives an object with one member.
func single(key, val jsonscan.Value) jsonscan.Value {
	if val.Kind() == jsonscan.Array && key.Text() == "messages" {
		return nil
	}
	return jsonscan.Value(strings.Join([]string{"{", string(key), ":", string(val), "}"}, ""))
}

// wholeElems gives the elements of an array that are whole. b begins with the
// array where that is cut.
func wholeElems(b []byte, val jsonscan.Value, whole bool) (out []jsonscan.Value) {
	if whole {
		for e := range val.Elems() {
			out = append(out, e)
		}
		return out
	}
	if b = bytes.TrimLeft(b, " \t\r\n"); len(b) == 0 || b[0] != '[' {
		return nil
	}
	for b = b[1:]; ; {
		e, after, _, ok := jsonscan.First(b)
		if !ok {
			return out
		}
		out = append(out, e)
		if b = bytes.TrimLeft(after, " \t\r\n"); len(b) == 0 || b[0] != ',' {
			return out
		}
		b = b[1:]
	}
}
