package claude

import (
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// rewrites tells which texts of a transcript were written again further down:
// a line whose uuid comes twice, and an answer that was saved while it grew. The
// first position counts and the last content; what stood there before is
// superseded.
type rewrites struct {
	lines  map[string]*chain // by uuid
	byAt   map[spot]*chain   // by each place of it
	growth map[string][]grown
	parts  map[part]*chain
	moved  map[spot][]string // the parts of a place that have such a chain
}

// spot names an object in a file.
type spot struct{ no, nth int }

func (p place) spot() spot { return spot{p.no, p.nth} }

// part names one record of an object: its text, its thinking or one tool call.
type part struct {
	at   spot
	what string
}

// chain is the places of one text, from the first to the last.
type chain struct{ places []place }

func (c *chain) last() place { return c.places[len(c.places)-1] }

// grown is a text of an answer as one line has it.
type grown struct {
	what string
	at   place
	size int
	hash uint64
	tail *chain // the chain it is the last of
	done bool   // another text has taken its place
}

func newRewrites() rewrites {
	return rewrites{lines: map[string]*chain{}, byAt: map[spot]*chain{}, growth: map[string][]grown{}, parts: map[part]*chain{}, moved: map[spot][]string{}}
}

// repeat notes the uuid of a line.
func (r *rewrites) repeat(l line, at place) {
	if l.uuid == "" {
		return
	}
	c := r.lines[l.uuid]
	if c == nil {
		r.lines[l.uuid] = &chain{[]place{at}}
		return
	}
	if len(c.places) == 1 {
		r.byAt[c.places[0].spot()] = c
	}
	c.places = append(c.places, at)
	r.byAt[at.spot()] = c
}

// whole gives the chain of a line that was written more than once, or nil.
func (r *rewrites) whole(at spot) *chain { return r.byAt[at] }

// grow notes the texts of one line of an answer. One that begins with the whole
// of an earlier one of the same answer supersedes it; a tool call is the same
// when its id is.
func (r *rewrites) grow(l line, at place) {
	id := l.message.Get("id").Text()
	if c := r.lines[l.uuid]; id == "" || c != nil && len(c.places) > 1 {
		return // a line that is written again is followed by its uuid
	}
	for _, t := range answerTexts(l.message.Get("content")) {
		what, text := t.what, t.text
		g := grown{what: what, at: at, size: len(text), hash: hash(text)}
		earlier := r.growth[id]
		for i := len(earlier) - 1; i >= 0; i-- {
			e := &earlier[i]
			if e.done || e.what != what || e.at.no == at.no || e.size > len(text) || e.size == 0 || hash(text[:e.size]) != e.hash {
				continue
			}
			g.tail, e.done = r.follow(e, at, what), true
			break
		}
		r.growth[id] = append(earlier, g)
	}
}

// follow puts a place behind an earlier one of the same text.
func (r *rewrites) follow(e *grown, at place, what string) *chain {
	c := e.tail
	if c == nil {
		c = &chain{[]place{e.at}}
		r.parts[part{e.at.spot(), what}] = c
	}
	c.places = append(c.places, at)
	r.parts[part{at.spot(), what}] = c
	for _, s := range []spot{e.at.spot(), at.spot()} {
		if !slices.Contains(r.moved[s], what) {
			r.moved[s] = append(r.moved[s], what)
		}
	}
	return c
}

// of gives the chain of one record of an answer that was written again, or nil.
func (r *rewrites) of(at spot, what string) *chain { return r.parts[part{at, what}] }

// latest gives the place where the last content of a chain stands.
func (r *rewrites) latest(c *chain) place {
	at := c.last()
	if again := r.whole(at.spot()); again != nil {
		return again.last()
	}
	return at
}

// elsewhere reports whether a part of an object is given at an earlier position.
func (r *rewrites) elsewhere(at spot, what string) bool {
	c := r.of(at, what)
	return c != nil && c.places[0].spot() != at
}

// The parts of an answer.
const (
	partText     = "text"
	partThinking = "thinking"
	partCall     = "call:" // and the id of the call
)

// answerText is the text of one part of an answer.
type answerText struct{ what, text string }

// answerTexts gives the texts of an answer's blocks by part, in order.
func answerTexts(content jsonscan.Node) []answerText {
	var texts []answerText
	add := func(what, text string) {
		if strings.TrimSpace(text) == "" {
			return
		}
		for i := range texts {
			if texts[i].what == what {
				texts[i].text += "\n\n" + text
				return
			}
		}
		texts = append(texts, answerText{what, text})
	}
	if content.Kind() == jsonscan.String {
		add(partText, content.Text())
	}
	for block := range content.Elems() {
		switch typ := block.Get("type").Text(); {
		case typ == "text":
			add(partText, block.Get("text").Text())
		case typ == "thinking":
			add(partThinking, block.Get("thinking").Text())
		case isCall(typ):
			if id := block.Get("id").Text(); id != "" {
				texts = append(texts, answerText{partCall + id, id})
			}
		}
	}
	return texts
}

// touches reports whether the text of a place was written again, or is written
// again from elsewhere.
func (r *rewrites) touches(at spot) bool {
	return r.byAt[at] != nil || len(r.moved[at]) > 0
}
