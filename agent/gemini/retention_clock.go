package gemini

import (
	"bytes"
	"context"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// Why Gemini CLI does not take a chat file for a session that can be resumed. It
// deletes such files at the next start, whatever their age.
const (
	refusedUnreadable = "Gemini CLI cannot read it"
	refusedSubagent   = "a subagent's file stands among the sessions"
	refusedMetadata   = "it holds metadata and no message"
	refusedEmpty      = "it holds no prompt or answer that Gemini CLI would resume, such as commands alone"
)

// clockOf reads what Gemini CLI's clean-up goes by.
func clockOf(ctx context.Context, f agent.File) (agent.Clock, error) {
	l, err := load(ctx, f)
	if err != nil {
		return agent.Clock{}, err
	}
	return agent.Clock{Updated: l.meta.updated, Refused: l.refused()}, nil
}

// load reads a file as Gemini CLI's own loader does, and not as generously as
// elsewhere in this package: a damaged line says nothing, and only the history that
// is left at the end counts.
func load(ctx context.Context, f agent.File) (*loader, error) {
	l := &loader{}
	for line, err := range lines.Scan(f, f.Info().Size) {
		if err != nil {
			return nil, err
		}
		if line.No%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.line(line.Text)
	}
	if l.meta.complete() {
		return l, nil
	}
	data, err := agent.Whole(f)
	if err != nil {
		return nil, err
	}
	l = &loader{}
	l.whole(data)
	return l, nil
}

// loader keeps of a history which of its messages Gemini CLI would resume.
type loader struct {
	meta meta
	ids  []string // of the history, in order
	real map[string]bool
}

// refused says why the file is no session to Gemini CLI, if it is none.
func (l *loader) refused() string {
	switch {
	case !l.meta.hasSession:
		return refusedUnreadable
	case l.meta.kind == "subagent":
		return refusedSubagent
	case len(l.ids) == 0:
		return refusedMetadata
	}
	for _, id := range l.ids {
		if l.real[id] {
			return ""
		}
	}
	return refusedEmpty
}

// line applies one line of an event log.
func (l *loader) line(text []byte) {
	if silent(text) {
		return
	}
	v, rest, strict, ok := jsonscan.First(text)
	if !ok || !strict || len(bytes.TrimSpace(rest)) > 0 {
		return
	}
	fields := v.Fields()
	to, id, set := fields.Get("$rewindTo"), fields.Get("id"), fields.Get("$set")
	switch {
	case to.Kind() == jsonscan.String:
		l.rewind(to.Text())
	case id.Kind() == jsonscan.String:
		l.set(id.Text(), v)
	case set.Kind() == jsonscan.Object:
		if messages := set.Get("messages"); messages.Kind() == jsonscan.Array {
			l.ids, l.real = nil, nil
			l.list(messages)
		}
		l.meta.merge(set)
	case isMeta(v):
		l.meta.merge(v)
		l.list(fields.Get("messages"))
	}
}

// whole reads a file that is one object, as sessions were until v0.38.
func (l *loader) whole(data []byte) {
	v, rest, strict, ok := jsonscan.First(data)
	if !ok || !strict || len(bytes.TrimSpace(rest)) > 0 || v.Kind() != jsonscan.Object {
		return
	}
	l.meta.merge(v)
	for m := range v.Get("messages").Elems() {
		l.set(m.Get("id").Text(), m) // one without an id is a message too
	}
}

func (l *loader) list(messages jsonscan.Value) {
	for m := range messages.Elems() {
		if id := m.Get("id"); id.Kind() == jsonscan.String {
			l.set(id.Text(), m)
		}
	}
}

func (l *loader) set(id string, m jsonscan.Value) {
	if l.real == nil {
		l.real = map[string]bool{}
	}
	if _, known := l.real[id]; !known {
		l.ids = append(l.ids, id)
	}
	l.real[id] = resumable(m) || id == "" && l.real[id]
}

// rewind drops a message and all behind it, or all when the id is unknown.
func (l *loader) rewind(id string) {
	from := 0
	for i, other := range l.ids {
		if other == id {
			from = i
		}
	}
	for _, gone := range l.ids[from:] {
		delete(l.real, gone)
	}
	l.ids = l.ids[:from]
}

// ignored begin what Gemini CLI does not take for a prompt. Paths and questions
// are prompts that it loses all the same.
var ignored = []string{"/", "?", sessionContext, hookOpen}

// resumable reports whether a message makes its session one that can be resumed.
func resumable(v jsonscan.Value) bool {
	m := parseMessage(v)
	text := strings.TrimSpace(plainText(m.content))
	switch m.typ {
	case "user":
		for _, p := range ignored {
			if strings.HasPrefix(text, p) {
				return false
			}
		}
		return text != ""
	case "gemini":
		return text != "" || holdsAny(m.tools) || holdsAny(m.thoughts)
	}
	return false
}

func holdsAny(list jsonscan.Value) bool {
	for range list.Elems() {
		return true
	}
	return false
}

// namedParts are the keys of parts that stand for more than nothing where Gemini
// CLI writes a content as text.
var namedParts = append([]string{"inlineData", "fileData", "videoMetadata"}, toolParts...)

// plainText writes a content as Gemini CLI does to see whether there is anything
// in it: its text, and a mark for what is no text.
func plainText(content jsonscan.Value) string {
	var b strings.Builder
	for _, p := range parts(content) {
		switch {
		case p.Kind() == jsonscan.String:
			b.WriteString(p.Text())
		case p.Get("thought").True():
			b.WriteString("[thought]")
		case p.Get("text").Kind() == jsonscan.String:
			b.WriteString(p.Get("text").Text())
		default:
			for _, key := range namedParts {
				if p.Get(key).Kind() == jsonscan.Object {
					b.WriteString("[" + key + "]")
					break
				}
			}
		}
	}
	return b.String()
}
