package gemini

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// passCheckpoint gives the conversation that was saved in a checkpoint. It has no
// ids and no times, and names no session: its records are named by their line, dated
// by the file and titled by the tag.
func passCheckpoint(_ context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	data, turns, err := readParts(f, plan, savedTurns, emit)
	if err != nil {
		return err
	}
	c := checkpoint{
		src: src, when: f.Info().MTime, origin: originOf(src, ""), title: checkpointTitle(src),
		lines: lineCounter{data: data, line: 1}, ids: map[int]int{}, emit: emit,
	}
	for _, turn := range turns {
		if err := c.turn(data, turn); err != nil {
			return err
		}
	}
	return nil
}

type checkpoint struct {
	src    *agent.Source
	when   time.Time
	origin record.Origin
	title  string
	lines  lineCounter
	ids    map[int]int // how many records each line has
	emit   func(agent.Item) error
}

// savedTurns gives the turns of a checkpoint: of an object the history, or the
// client's history, and the tool call; else those of a bare array.
func savedTurns(data []byte) (turns []jsonscan.Value, damage *agent.Damage) {
	v, rest, strict, ok := jsonscan.First(bytes.TrimPrefix(data, bom))
	if !ok || !strict || len(bytes.TrimSpace(rest)) > 0 || bytes.HasPrefix(data, bom) || v.Kind() != jsonscan.Object && v.Kind() != jsonscan.Array {
		damage = &agent.Damage{Line: 1, Bytes: int64(len(data)), Reason: "the file is not one JSON value; what is whole of it was read"}
	}
	if !ok {
		return salvageParts(data, isTurn), damage
	}
	list := v
	if v.Kind() == jsonscan.Object {
		if list = v.Get("clientHistory"); list.Kind() != jsonscan.Array {
			list = v.Get("history")
		}
	}
	for turn := range list.Elems() {
		turns = append(turns, turn)
	}
	if call := v.Get("toolCall"); call.Kind() == jsonscan.Object {
		turns = append(turns, call)
	}
	turns = append(turns, salvageParts(rest, isTurn)...)
	return turns, damage
}

func isTurn(v jsonscan.Value) bool { return v.Get("role").Kind() == jsonscan.String }

// inCall reports that no call of a checkpoint holds its result: those stand only
// in the turns of the user.
func inCall(string) bool { return false }

// turn gives the records of one turn. A turn of another shape is an item of the
// screen, or the tool call that a checkpoint was made for.
func (c *checkpoint) turn(data []byte, turn jsonscan.Value) error {
	m := message{content: turn.Get("parts")}
	switch role := turn.Get("role"); {
	case role.Kind() != jsonscan.String && turn.Get("args").Kind() != jsonscan.Absent:
		m = message{typ: "gemini", tools: jsonscan.Value("[" + string(turn) + "]")}
	case role.Kind() != jsonscan.String:
		m.typ, m.content = turn.Get("type").Text(), turn.Get("text")
	case role.Text() == "model":
		m.typ = "gemini"
	default:
		m.typ = role.Text()
	}
	line := c.lines.at(within(data, turn, 0, 0).offset)
	var failed error
	b := builder{m: m, answered: inCall, unknown: func(what string) {
		if failed == nil {
			failed = c.emit(agent.Item{Unknown: &agent.Unknown{What: what, Line: line}})
		}
	}}
	pieces := b.build()
	if failed != nil {
		return failed
	}
	for _, p := range pieces {
		r := p.rec
		r.Kind = fitting(c.src.Store, r.Kind)
		r.Role = record.RoleOf(r.Kind)
		r.Agent, r.Store, r.Path, r.Line, r.Time = Name, c.src.Store.ID, c.src.Path, line, c.when
		r.Origin, r.Title = c.origin, c.title
		r.ID = numbered(line, c.ids[line])
		c.ids[line]++
		if err := c.emit(agent.Item{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// checkpointTitle is the tag that a conversation was saved under, or the name of
// a tool checkpoint.
func checkpointTitle(src *agent.Source) string {
	name := stem(src.Name)
	if src.Store.ID != storeCheckpoints {
		return name
	}
	return decodeTag(strings.TrimPrefix(name, "checkpoint-"))
}

// decodeTag undoes encodeURIComponent. A name that is no such encoding is the tag
// itself, as old versions wrote it.
func decodeTag(name string) string {
	tag, err := url.PathUnescape(name)
	if err != nil {
		return name
	}
	return strings.ToValidUTF8(tag, "\ufffd")
}
