package claude

import (
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// counter counts the matching lines in the records of usual lines. The texts of these
// records are parts, each a prefix and a string of the file with a line break before the
// next, so that no line of a text goes over the end of a part.
type counter struct {
	lines  agent.LineCounter
	marker agent.Marker
	at     place // of the line at hand
	nth    int   // how many records of the line came before
	hits   []agent.Counted
	score  *scoring // keeps the records instead, when set
	prefix []byte   // of the part at hand
	texts  []jsonscan.Value
	hows   []jsonscan.Spelling
	parts  jsonscan.Parts
}

// line counts in a line. It reports whether it could; else nothing was counted.
func (c *counter) line(u *usual) bool {
	before := len(c.hits)
	c.nth = 0
	if c.score != nil {
		return c.score.line(u, c.records)
	}
	if !c.records(u) {
		c.hits = c.hits[:before]
		return false
	}
	return true
}

// give emits what was counted.
func (c *counter) give(emit func(agent.Item) error) error {
	switch {
	case c.score != nil && len(c.score.found) > 0:
		return emit(agent.Item{Scored: c.score.found})
	case len(c.hits) > 0:
		return emit(agent.Item{Counted: c.hits})
	}
	return nil
}

// records goes through the records of a line in the order in which each begins.
func (c *counter) records(u *usual) bool {
	kind := u.kind()
	if !wordless(u.text) {
		c.only(u.text, u.how)
		if !c.one(u, kind, c.texts, c.hows, "\n\n") {
			return false
		}
	}
	var text, thinking bool
	for i := range u.blocks {
		switch b := &u.blocks[i]; b.is {
		case mutedBlock:
		case textBlock, thinkingBlock:
			if wordless(b.text) {
				continue
			}
			is, told := kind, &text
			if b.is == thinkingBlock {
				is, told = record.Thinking, &thinking
			}
			if *told {
				continue // one record has them all
			}
			*told = true
			c.all(u.blocks[i:])
			if !c.one(u, is, c.texts, c.hows, "\n\n") {
				return false
			}
		case callBlock:
			if !c.call(u, b) {
				return false
			}
		default:
			texts, hows := u.texts[b.texts[0]:b.texts[1]], u.hows[b.texts[0]:b.texts[1]]
			if b.text.Kind() == jsonscan.String {
				c.only(b.text, b.how)
				texts, hows = c.texts, c.hows
			}
			if !c.one(u, record.ToolResult, texts, hows, "\n") {
				return false
			}
		}
	}
	return true
}

// only makes a list of one text, valid until the next list.
func (c *counter) only(text jsonscan.Value, how jsonscan.Spelling) {
	c.texts, c.hows = append(c.texts[:0], text), append(c.hows[:0], how)
}

// all lists the texts of the blocks of the kind of the first that are not blank, valid
// until the next list.
func (c *counter) all(blocks []usualBlock) {
	c.texts, c.hows = c.texts[:0], c.hows[:0]
	for i := range blocks {
		if b := &blocks[i]; b.is == blocks[0].is && !wordless(b.text) {
			c.texts, c.hows = append(c.texts, b.text), append(c.hows, b.how)
		}
	}
}

// one counts in a record whose text is some strings, each written in its way, with a
// separator between them.
func (c *counter) one(u *usual, kind record.Kind, texts []jsonscan.Value, hows []jsonscan.Spelling, separator string) bool {
	lines := 0
	if c.lines.Wants(kind) {
		for _, t := range texts {
			n := c.lines.Count(nil, t.Inside())
			if n < 0 {
				return false
			}
			lines += n
		}
	}
	if lines > 0 {
		c.marker.Begin()
		for i, t := range texts {
			if i > 0 {
				c.marker.Text(separator)
			}
			c.written(t.Inside(), hows[i])
		}
	}
	c.note(u, kind, "", lines)
	return true
}

// written adds a string of the file to the text that a mark is made of.
func (c *counter) written(inside []byte, how jsonscan.Spelling) {
	if jsonscan.UsualAs(inside, how) {
		c.marker.Written(inside)
	} else {
		c.marker.Text(jsonscan.Unquote(inside))
	}
}

// note keeps a record in which lines match.
func (c *counter) note(u *usual, kind record.Kind, tool string, lines int) {
	if lines > 0 {
		mark := c.marker.Mark(Name, string(u.uuid), c.nth, kind, tool)
		if c.score != nil {
			c.score.keep(u, c.at, kind, c.nth, mark, lines)
			c.nth++
			return
		}
		c.hits = append(c.hits, agent.Counted{Mark: mark, Lines: lines})
	}
	c.nth++
}

// call counts in a tool call: its main argument, and behind it every other string of its
// input as "key: value".
func (c *counter) call(u *usual, b *usualBlock) bool {
	if !c.lines.Wants(record.ToolCall) {
		c.nth++
		return true
	}
	tool := string(b.name)
	parts, ok := c.parts.MainFirst(b.text, mainArguments[tool])
	if !ok {
		return false
	}
	lines := 0
	for _, p := range parts {
		c.prefix = c.prefix[:0]
		if p.Key != "" {
			c.prefix = append(append(c.prefix, p.Key...), ": "...)
		}
		n := c.lines.Count(c.prefix, p.Text.Inside())
		if n < 0 {
			return false
		}
		lines += n
	}
	if lines > 0 {
		c.marker.Begin()
		for i, p := range parts {
			if i > 0 {
				c.marker.Text("\n")
			}
			if p.Key != "" {
				c.marker.Text(p.Key)
				c.marker.Text(": ")
			}
			c.written(p.Text.Inside(), p.How)
		}
	}
	c.note(u, record.ToolCall, tool, lines)
	return true
}
