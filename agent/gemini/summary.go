package gemini

import (
	"context"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// Summarize reads a chat and tells about its session.
func (a *Adapter) Summarize(ctx context.Context, src *agent.Source) (agent.Summary, error) {
	if !isChat(src) {
		return agent.Summary{}, agent.ErrNoReader
	}
	f, err := src.Open()
	if err != nil {
		return agent.Summary{}, err
	}
	defer f.Close()
	return summarize(ctx, src, f)
}

func summarize(ctx context.Context, src *agent.Source, f agent.File) (agent.Summary, error) {
	d := agent.Digest{Own: func(r *record.Record) bool { return r.Flags&record.Superseded == 0 }}
	c, err := readChat(ctx, src, f, nil)
	if err == nil {
		t := newTranscript(c, agent.Plan{Titles: true}, func(it agent.Item) error { d.Item(it); return nil })
		err = t.run(ctx)
		d.Finish()
		t.finish(&d.Summary.Session)
	}
	return d.Summary, err
}

// Brief tells of a chat what a list needs. A chat is folded whole all the same.
func (a *Adapter) Brief(ctx context.Context, src *agent.Source) (agent.Brief, error) {
	if !isChat(src) {
		return agent.Brief{}, agent.ErrNoReader
	}
	f, err := src.Open()
	if err != nil {
		return agent.Brief{}, err
	}
	defer f.Close()
	sum, err := summarize(ctx, src, f)
	if err != nil && sum.Session.ID == "" {
		return agent.Brief{}, err
	}
	h, headErr := readHead(ctx, src, f)
	if err == nil {
		err = headErr
	}
	b := agent.BriefOf(sum, h)
	if err == nil {
		b.Clock, err = clockOf(ctx, f)
	}
	return b, err
}

// Beside names nothing: a chat stands for itself.
func (a *Adapter) Beside(*agent.Source) []string { return nil }

// Elsewhere tells where the project of a chat lies, which the registry and the
// markers say.
func (a *Adapter) Elsewhere(src *agent.Source) string { return originOf(src, "").CWD }

// preamble reports whether a record is the context that every session opens with.
func preamble(r *record.Record) bool {
	return r.Kind == record.Notice && strings.HasPrefix(strings.TrimSpace(r.Text), sessionContext)
}

// finish adds what only the chat as a whole tells.
func (t *transcript) finish(s *record.Session) {
	info := t.file.Info()
	s.Agent, s.ID, s.Path, s.Bytes, s.Origin = Name, t.session(), t.src.Path, info.Size, t.origin
	if !t.meta.start.IsZero() {
		s.Started = t.meta.start
	}
	if t.meta.updated.After(s.LastActive) {
		s.LastActive = t.meta.updated
	}
	if s.Started.IsZero() {
		s.Started = info.MTime
	}
	if s.LastActive.IsZero() {
		s.LastActive = s.Started
	}
	if s.Kind = record.KindInteractive; t.src.Subagent != "" {
		s.Kind = record.KindSubagent
	}
	s.Title, s.TitleSource = t.title, t.source
}
