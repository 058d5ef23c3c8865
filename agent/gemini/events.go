package gemini

import (
	"bytes"
	"hash/maphash"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// event applies one record of the log, in the order in which Gemini CLI's loader
// asks what it is.
func (c *chat) event(v jsonscan.Value, at place, passes bool) {
	var id, set, patch, to, session, hash jsonscan.Value
	for key, val := range v.Members() { // one look at a line, which can be long
		switch key {
		case "id":
			id = val
		case "$set":
			set = val
		case "$patch":
			patch = val
		case "$rewindTo":
			to = val
		case "sessionId":
			session = val
		case "projectHash":
			hash = val
		}
	}
	switch {
	case to.Kind() == jsonscan.String:
		c.fold.rewind(to.Text())
	case patch.Kind() == jsonscan.Object:
		c.report("all that a $patch record can mean", at.no, false) // it is applied, but its source is not at hand
		c.patch(v, patch, at)
	case id.Kind() == jsonscan.String:
		c.message(v, at, record.Superseded)
	case set.Kind() == jsonscan.Object:
		c.meta.merge(set)
		c.clean.merge(set)
		c.note(set.Get("lastUpdated").Time())
		if messages := set.Get("messages"); messages.Kind() == jsonscan.Array {
			c.fold.clear()
			c.list(v, messages, at, record.Replaced)
		}
	case set.Kind() == jsonscan.Array:
	case session.Kind() == jsonscan.String && hash.Kind() == jsonscan.String:
		c.clean.merge(v)
		c.metadata(v, at)
	case session.Kind() == jsonscan.String:
		c.partial = true // Gemini CLI passes over it
		c.metadata(v, at)
	default:
		c.report(strange(v), at.no, passes)
	}
}

// strange names a record that is none of those that Gemini CLI writes.
func strange(v jsonscan.Value) string {
	for key := range v.Members() {
		if strings.HasPrefix(key, "$") {
			return "record " + agent.Quoted(key)
		}
	}
	if typ := v.Get("type"); typ.Kind() == jsonscan.String {
		return "record type " + agent.Quoted(typ.Text()) + " without an id"
	}
	return "record without an id"
}

// metadata reads a metadata record, which can hold messages.
func (c *chat) metadata(v jsonscan.Value, at place) {
	c.meta.merge(v)
	c.note(v.Get("startTime").Time())
	c.list(v, v.Get("messages"), at, record.Superseded)
}

// list writes the messages of an array inside an object. became says what the
// older writings of their ids become.
func (c *chat) list(outer, messages jsonscan.Value, at place, became record.Flags) {
	for m := range messages.Elems() {
		in := within(outer, m, at.no, at.offset)
		switch {
		case m.Get("id").Kind() == jsonscan.String:
			c.message(m, in, became)
		case m.Kind() == jsonscan.Object:
			c.report("message without an id", at.no, c.test == nil || c.test.Next(m, 0) >= 0)
		}
	}
}

// message writes one message.
func (c *chat) message(v jsonscan.Value, at place, became record.Flags) {
	m := parseMessage(v)
	c.look(m)
	c.fold.set(m.id, version{at: at, time: c.note(m.time), hash: maphash.Bytes(seed, v), flag: became, passes: c.passing})
}

// note keeps the first and the last time of the file, and gives a message its
// own time or the nearest earlier one.
func (c *chat) note(t time.Time) time.Time {
	if t.IsZero() {
		return c.last
	}
	if c.first.IsZero() {
		c.first = t
	}
	c.last = t
	return t
}

// look reads of a message what other messages need: the calls that hold their
// results, and the folders that a context preamble names.
func (c *chat) look(m message) {
	for call := range m.tools.Elems() {
		if id := call.Get("id").Text(); id != "" && hasResult(call) {
			c.calls[id] = true
		}
	}
	if m.typ == "user" && len(c.dirs) == 0 && bytes.Contains(m.content[:min(len(m.content), 200)], []byte(sessionContext)) {
		c.dirs = workspaces(contentText(m.content))
	}
}

// patch applies a $patch record: it changes messages in place, and removes and
// arranges them.
func (c *chat) patch(v, patch jsonscan.Value, at place) {
	if id := patch.Get("id").Text(); id != "" {
		c.change(id, within(v, patch, at.no, at.offset))
	}
	for u := range patch.Get("updates").Elems() {
		in := within(v, u, at.no, at.offset)
		switch id := u.Get("id").Text(); {
		case id == "":
		case u.Get("type").Kind() == jsonscan.String:
			c.message(u, in, record.Replaced)
		default:
			c.change(id, in)
		}
	}
	remove := map[string]bool{}
	for id := range patch.Get("removeIds").Elems() {
		remove[id.Text()] = id.Kind() == jsonscan.String
	}
	if len(remove) > 0 {
		c.fold.remove(remove)
	}
	var order []string
	for id := range patch.Get("orderIds").Elems() {
		if id.Kind() == jsonscan.String {
			order = append(order, id.Text())
		}
	}
	if len(order) > 0 {
		c.fold.arrange(order)
	}
}

// change writes a message anew with one more patch.
func (c *chat) change(id string, at place) {
	e := c.fold.byID[id]
	if e == nil || !e.live {
		return
	}
	v := *e.last()
	v.patches = append(v.patches[:len(v.patches):len(v.patches)], at)
	v.flag = record.Replaced
	c.fold.set(id, v)
}
