package claude

import (
	"bytes"
	"context"
	"hash/maphash"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/record"
)

// Caption takes apart only the lines of a transcript that may tell what is asked
// for. Where these do not settle it, the transcript is read for its brief.
func (a *Adapter) Caption(ctx context.Context, src *agent.Source) (agent.Caption, error) {
	f, err := src.Open()
	if err != nil {
		return agent.Caption{}, err
	}
	defer f.Close()
	if c, ok := quickCaption(ctx, src, f); ok {
		return c, nil
	}
	b, err := brief(ctx, src, f)
	return agent.CaptionOf(&b), err
}

// quickCaption gives the caption of a session's own transcript; ok is false where
// more than single lines tell it.
func quickCaption(ctx context.Context, src *agent.Source, f agent.File) (_ agent.Caption, ok bool) {
	if src.Subagent != "" {
		return agent.Caption{}, false // its name stands in other files
	}
	c := newCaptioner(src, f)
	if !c.pass(ctx, c.look) || !c.live {
		return agent.Caption{}, false
	}
	out := agent.Caption{Kind: c.o.kind(), State: record.StateLive, Told: c.told()}
	if out.Title, out.TitleSource = c.o.titles.choose(sidecarTitle(src), c.o.rewrites); out.Title != "" {
		return out, true
	}
	if !c.opened || c.opens.typ != "user" || !c.stands(ctx) {
		return out, false
	}
	out.Title, out.TitleSource = record.FirstWords(c.o.openings[0].text), record.TitlePrompt
	return out, out.Title != ""
}

// captioner gathers what single lines tell of a session.
type captioner struct {
	src    *agent.Source
	file   agent.File
	t      *transcript // makes the records of the first lines
	o      *outline
	parser parser
	no     int  // of the last line that was read, while every line is
	live   bool // there is a record
	opened bool // the first prompt was seen
	brief  bool // how the session was run is left out, and the first prompt is looked for near the start
	opens  struct{ typ, uuid string }
}

func newCaptioner(src *agent.Source, f agent.File) *captioner {
	c := &captioner{src: src, file: f, o: newOutline()}
	c.t = &transcript{src: src, file: f, outline: c.o, known: map[string]bool{}, emit: func(agent.Item) error { return nil }}
	return c
}

// told is what the lines said of where the session ran.
func (c *captioner) told() agent.Told {
	return agent.Told{Origin: c.o.settled(), Worktrees: c.o.stated}
}

// pass hands all lines to look.
func (c *captioner) pass(ctx context.Context, look func(chunk []byte, at int64)) bool {
	text := lines.NewChunks(c.file, c.file.Info().Size)
	defer text.Close()
	for {
		chunk, at, err := text.Next()
		if err != nil || ctx.Err() != nil {
			return false
		}
		if len(chunk) == 0 {
			return true
		}
		look(chunk, at)
	}
}

// Words of lines that name a session or tell of its place, of those that tell how it
// was run, and of those that name it where nothing else does.
var (
	captionLines = needle.NewWords(`"worktree-state"`, `-title"`)
	kindLines    = needle.NewWords(`"sdk`, `"bg"`)
	printLines   = needle.NewWords(`"sdk`)
	enteredLines = needle.NewWords(`"entrypoint"`)
	summaryLines = needle.NewWords(`"summary"`)
)

// wants reports whether some lines may tell what is not known yet.
func (c *captioner) wants(text []byte) bool {
	if c.brief {
		return !c.opened && c.no < headLines || c.o.origin.CWD == "" || c.o.origin.Branch == "" && namesBranch(text) || captionLines.Holds(text)
	}
	return !c.live || !c.opened || c.o.origin.CWD == "" || c.o.origin.Branch == "" && namesBranch(text) || captionLines.Holds(text) || c.wantsKind(text)
}

func (c *captioner) wantsKind(text []byte) bool {
	switch {
	case c.o.kinds&record.Print != 0:
		return false
	case c.o.kinds&record.Background != 0:
		return printLines.Holds(text)
	case c.o.queueFirst && !c.o.typed && enteredLines.Holds(text):
		return true
	}
	return kindLines.Holds(text)
}

func (c *captioner) look(chunk []byte, _ int64) {
	if !c.wants(chunk) {
		return
	}
	for text := range bytes.Lines(chunk) {
		if c.wants(text) {
			c.read(bytes.TrimSuffix(text, []byte{'\n'}))
		}
	}
}

func (c *captioner) read(text []byte) {
	c.no++
	p := c.parser.physical(lines.Line{No: c.no, Text: text})
	for i, l := range p.each() {
		if p.damage != nil && !plausible(l) {
			continue
		}
		at := place{no: c.no, nth: i}
		c.o.envelope(l)
		if !c.opened && recordTypes[l.typ] && !(c.brief && c.no > headLines) {
			c.o.open(c.t, l, at)
			if c.opened = len(c.o.openings) > 0; c.opened {
				c.opens.typ, c.opens.uuid = l.typ, l.uuid
			}
		}
		c.live = c.live || recordTypes[l.typ] && len(c.t.pieces(l, at)) > 0
	}
}

// stands reports whether the first prompt surely names the session: it is neither
// taken back nor written again, and there is no summary.
func (c *captioner) stands(ctx context.Context) bool {
	var all ids
	summed := false
	read := c.pass(ctx, func(chunk []byte, at int64) {
		all.collect(chunk, at, 0)
		summaryLines.Each(chunk, func(_, i int) {
			summed = summed || len(behindKey(chunk[i+len(`"summary"`):])) == 0 // no key, so a type
		})
	})
	return read && !summed && !all.retracts && (c.opens.uuid == "" || all.once(c.opens.uuid))
}

// once reports whether a uuid stands in one place only.
func (d *ids) once(uuid string) bool {
	h := maphash.String(seed, uuid)
	_, known := d.uuids[h]
	return known && d.again[h] == nil
}
