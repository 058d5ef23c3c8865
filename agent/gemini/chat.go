package gemini

import (
	"bytes"
	"context"
	"hash/maphash"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/record"
)

// recordStarts are how a record of a chat begins. They find the whole record that
// a cut one runs into on the same line.
var recordStarts = []string{`{"id"`, `{"$set"`, `{"$rewindTo"`, `{"$patch"`, `{"sessionId"`}

// chat is what one pass over a chat file tells: the folded history by the places
// of its messages, the metadata, and what is wrong with the file.
type chat struct {
	src     *agent.Source
	file    agent.File
	test    agent.ByteTest // the plan's byte test, or nil
	wanted  bool           // some line passes the byte test
	passing bool           // the line that is being read does
	data    []byte         // the whole file, where it is one object
	fold    fold
	meta    meta            // of all lines
	clean   meta            // of the lines that Gemini CLI can read
	calls   map[string]bool // tool calls that hold their result
	dirs    []string        // folders that a context preamble names
	first   time.Time       // the first time in the file
	last    time.Time       // the last so far
	damage  []agent.Damage
	unknown []agent.Unknown
	known   map[string]bool
	begun   bool // some line holds more than space
	bom     bool // a byte order mark stands before a line that is whole
	partial bool // some metadata lacks the projectHash
}

// seed makes hashes of one process comparable; they are never stored.
var seed = maphash.MakeSeed()

func newChat(src *agent.Source, f agent.File, test agent.ByteTest) *chat {
	c := &chat{src: src, file: f, test: test}
	c.reset()
	return c
}

func (c *chat) reset() {
	*c = chat{
		src: c.src, file: c.file, test: c.test, wanted: c.wanted || c.test == nil, begun: c.begun,
		fold: newFold(), calls: map[string]bool{}, known: map[string]bool{},
	}
}

// readChat makes the pass. A file that is no event log is read as one object, as
// Gemini CLI does.
func readChat(ctx context.Context, src *agent.Source, f agent.File, test agent.ByteTest) (*chat, error) {
	c := newChat(src, f, test)
	if err := c.log(ctx); err != nil {
		return c, err
	}
	if c.clean.complete() || !c.begun {
		return c, nil
	}
	if !c.bom && (len(c.damage) > 0 || c.partial || src.Store.ID == storeLegacy) {
		if done, err := c.document(); done || err != nil {
			return c, err
		}
	}
	if !c.bom { // with a byte order mark, its line says so
		c.unreadable("no line tells both the sessionId and the projectHash, so that Gemini CLI cannot read this file; it was read here")
	}
	return c, nil
}

// log reads the file as an event log.
func (c *chat) log(ctx context.Context) error {
	for l, err := range lines.Scan(c.file, c.file.Info().Size) {
		if err != nil {
			return err
		}
		if l.No%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.line(l)
	}
	return nil
}

// silent reports whether Gemini CLI's loader passes over a line without a word:
// one that is blank, null, or nothing but NUL bytes.
func silent(line []byte) bool {
	rest := bytes.Trim(line, "\x00 \t\r\n\v\f")
	return len(rest) == 0 || string(rest) == "null" && bytes.IndexByte(line, 0) < 0
}

func (c *chat) line(l lines.Line) {
	if silent(l.Text) {
		return
	}
	c.begun = true
	passes := c.passes(l.Text)
	objects, whole := jsonscan.Objects(l.Text, recordStarts...)
	if whole {
		c.event(objects[0], within(l.Text, objects[0], l.No, l.Offset), passes)
		return
	}
	c.spoiled(l, objects, passes)
}

// passes applies the byte test to a line and notes whether it has passed.
func (c *chat) passes(line []byte) bool {
	c.passing = c.test == nil || c.test.Next(line, 0) >= 0
	c.wanted = c.wanted || c.passing
	return c.passing
}

// within gives the place of a value inside a line: both share their memory.
func within(line []byte, v jsonscan.Value, no int, offset int64) place {
	return place{no, offset + int64(cap(line)-cap(v)), len(v)}
}

var bom = []byte("\ufeff")

// spoiled reads a line that is not one whole object. Messages are taken from it;
// what would drop others is not believed.
func (c *chat) spoiled(l lines.Line, objects []jsonscan.Value, passes bool) {
	d := agent.Damage{Line: l.No, Bytes: int64(len(l.Text)), Cleared: !passes}
	d.Pending = !l.Ended && len(objects) == 0
	d.Reason = damageReason(l, len(objects))
	if rest, ok := bytes.CutPrefix(l.Text, bom); ok {
		if _, whole := jsonscan.Objects(rest); whole {
			c.bom, d.Cleared = true, true
			d.Reason = "a byte order mark stands before the line, so that Gemini CLI cannot read it; it was read here"
		}
	}
	c.damage = append(c.damage, d)
	for _, obj := range objects {
		c.salvage(obj, within(l.Text, obj, l.No, l.Offset))
	}
}

func damageReason(l lines.Line, salvaged int) string {
	switch {
	case salvaged > 1:
		return "several records stand on one line, which Gemini CLI passes over; all whole ones were read"
	case salvaged == 1:
		return "the line is damaged; one whole record was read from it"
	case !l.Ended:
		return "the last line is not finished; it may still be written"
	}
	return "the line is not one JSON object; its text was not read"
}

// salvage takes the messages and the metadata of an object on a damaged line.
func (c *chat) salvage(v jsonscan.Value, at place) {
	set := v.Get("$set")
	switch {
	case v.Get("$rewindTo").Kind() == jsonscan.String || v.Get("$patch").Kind() == jsonscan.Object:
	case v.Get("id").Kind() == jsonscan.String:
		if m := parseMessage(v); m.typ != "" && m.content.Kind() != jsonscan.Absent {
			c.message(v, at, record.Superseded) // else it is an object from inside a cut record
		}
	case set.Kind() == jsonscan.Object:
		c.meta.merge(set)
		c.list(v, set.Get("messages"), at, record.Superseded)
	case isMeta(v):
		c.metadata(v, at)
	}
}

func isMeta(v jsonscan.Value) bool {
	return v.Get("sessionId").Kind() == jsonscan.String && v.Get("projectHash").Kind() == jsonscan.String
}

// unreadable adds a damage that says why Gemini CLI itself cannot read the file.
func (c *chat) unreadable(why string) {
	c.damage = append([]agent.Damage{{Line: 1, Bytes: c.file.Info().Size, Reason: why, Cleared: true}}, c.damage...)
}

// report notes a thing that no reader knows, once in a file.
func (c *chat) report(what string, no int, lost bool) {
	if c.known[what] || len(c.known) > 1000 {
		return
	}
	c.known[what] = true
	c.unknown = append(c.unknown, agent.Unknown{What: what, Line: no, Lost: lost})
}
