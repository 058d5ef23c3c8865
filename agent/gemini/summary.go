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
	d := digest{src: src, models: map[string]int{}}
	c, err := readChat(ctx, src, f, nil)
	if err == nil {
		t := newTranscript(c, agent.Plan{Titles: true}, func(it agent.Item) error { d.item(it); return nil })
		err = t.run(ctx)
		d.finish(t)
	}
	return d.sum, err
}

// digest gathers what the records of a chat tell about its session.
type digest struct {
	src    *agent.Source
	sum    agent.Summary
	models map[string]int
}

func (d *digest) item(it agent.Item) {
	switch {
	case it.Damage != nil:
		d.sum.Damage = append(d.sum.Damage, *it.Damage)
	case it.Record != nil:
		d.record(it.Record)
	}
}

func (d *digest) record(r *record.Record) {
	own := r.Flags&record.Superseded == 0
	d.sum.Records = append(d.sum.Records, agent.Marked{Mark: agent.MarkOf(r), Time: r.Time, Kind: r.Kind, Count: own})
	s := &d.sum.Session
	if s.Started.IsZero() || r.Time.Before(s.Started) {
		s.Started = r.Time
	}
	if r.Time.After(s.LastActive) {
		s.LastActive = r.Time
	}
	if !own {
		return
	}
	s.Counts.Add(r.Kind)
	if r.Model != "" {
		d.models[r.Model]++
	}
}

// preamble reports whether a record is the context that every session opens with.
func preamble(r *record.Record) bool {
	return r.Kind == record.Notice && strings.HasPrefix(strings.TrimSpace(r.Text), sessionContext)
}

func (d *digest) finish(t *transcript) {
	s, info := &d.sum.Session, t.file.Info()
	s.Agent, s.ID, s.Path, s.Bytes, s.Origin = Name, t.session(), d.src.Path, info.Size, t.origin
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
	if s.Kind = record.KindInteractive; d.src.Subagent != "" {
		s.Kind = record.KindSubagent
	}
	s.State = record.StateLive
	if len(d.sum.Records) == 0 && lost(d.sum.Damage) {
		s.State = record.StateDamaged
	}
	s.Models = agent.ByUse(d.models)
	s.Title, s.TitleSource = t.title, t.source
}

// lost reports whether a damage cost text.
func lost(damage []agent.Damage) bool {
	for _, d := range damage {
		if !d.Cleared {
			return true
		}
	}
	return false
}
