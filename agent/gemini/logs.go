package gemini

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// passLogs gives the prompts and commands of logs.json. A log that running
// sessions have broken between them is read entry by entry.
func passLogs(_ context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	data, entries, err := readParts(f, plan, logEntries, emit)
	if err != nil {
		return err
	}
	l := log{ids: map[int]int{}, src: src, lost: plan.Passes(data), origin: originOf(src, ""), lines: lineCounter{data: data, line: 1}, when: firstLogged(entries, f.Info().MTime), emit: emit}
	for _, e := range entries {
		if err := l.entry(data, e); err != nil {
			return err
		}
	}
	return nil
}

// log is one pass over a prompt log.
type log struct {
	src    *agent.Source
	origin record.Origin
	lines  lineCounter
	when   time.Time
	ids    map[int]int // records so far, by line
	lost   bool        // what is looked for may stand in the log
	emit   func(agent.Item) error
}

// entry gives the record of one entry, if it is a person's.
func (l *log) entry(data []byte, e jsonscan.Value) error {
	at := within(data, e, 0, 0).offset
	if typ := e.Get("type"); typ.Kind() == jsonscan.String && typ.Text() != "user" {
		return l.emit(agent.Item{Unknown: &agent.Unknown{What: "log entry type " + agent.Quoted(typ.Text()), Line: l.lines.at(at), Lost: l.lost}})
	}
	message := e.Get("message")
	text := message.Text()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	at = within(data, message, 0, 0).offset
	if t := e.Get("timestamp").Time(); !t.IsZero() {
		l.when = t
	}
	kind, text := typed(text)
	r := &record.Record{
		Agent: Name, Store: l.src.Store.ID, Session: e.Get("sessionId").Text(), Kind: kind, Role: record.RoleOf(kind),
		Time: l.when, Origin: l.origin, Path: l.src.Path, Line: l.lines.at(at), Text: text,
	}
	r.ID = numbered(r.Line, l.ids[r.Line])
	l.ids[r.Line]++
	return l.emit(agent.Item{Record: r})
}

// numbered is the id of the nth record of a line, for want of one of the agent's.
func numbered(line, n int) string {
	if n == 0 {
		return fmt.Sprintf("L%d", line)
	}
	return fmt.Sprintf("L%d#%d", line, n)
}

// firstLogged gives the first time in a log, for entries before it that have
// none.
func firstLogged(entries []jsonscan.Value, otherwise time.Time) time.Time {
	for _, e := range entries {
		if t := e.Get("timestamp").Time(); !t.IsZero() {
			return t
		}
	}
	return otherwise
}

// logEntries gives the entries of a log, and what is wrong with it.
func logEntries(data []byte) (entries []jsonscan.Value, damage *agent.Damage) {
	v, rest, strict, ok := jsonscan.First(bytes.TrimPrefix(data, bom))
	if ok && v.Kind() == jsonscan.Array && len(bytes.TrimSpace(rest)) == 0 {
		for e := range v.Elems() {
			if e.Kind() == jsonscan.Object {
				entries = append(entries, e)
			}
		}
		if strict && !bytes.HasPrefix(data, bom) {
			return entries, nil
		}
	} else {
		entries = salvageParts(data, isEntry)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	return entries, &agent.Damage{
		Line: 1, Bytes: int64(len(data)),
		Reason: fmt.Sprintf("the log is not one JSON array, so that Gemini CLI sets it aside; %d entries were read from it", len(entries)),
	}
}

func isEntry(v jsonscan.Value) bool { return v.Get("message").Kind() == jsonscan.String }

// lineCounter tells on which line an offset lies; offsets come in order, as a
// rule.
type lineCounter struct {
	data   []byte
	offset int64
	line   int
}

func (c *lineCounter) at(offset int64) int {
	if offset < c.offset {
		c.offset, c.line = 0, 1
	}
	c.line += bytes.Count(c.data[c.offset:offset], []byte("\n"))
	c.offset = offset
	return c.line
}
