package claude

import (
	"context"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// Summarize reads a transcript and tells about its session.
func (a *Adapter) Summarize(ctx context.Context, src *agent.Source) (agent.Summary, error) {
	f, err := src.Open()
	if err != nil {
		return agent.Summary{}, err
	}
	defer f.Close()
	d := digest{src: src, models: map[string]int{}}
	t, err := newTranscript(ctx, src, f, agent.Plan{}, func(it agent.Item) error { d.item(it); return nil })
	if err == nil {
		err = scanFile(ctx, f, func(p physical) error { return t.line(ctx, p) })
		d.finish(t)
	}
	return d.sum, err
}

// digest gathers what the records of a transcript tell about its session.
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
	own := r.Flags&record.Superseded == 0 && (d.src.Subagent != "" || r.Flags&record.Subagent == 0)
	d.sum.Records = append(d.sum.Records, agent.Marked{Mark: agent.MarkOf(r), Time: r.Time, Kind: r.Kind, Count: own})
	if r.Time.After(d.sum.Session.LastActive) {
		d.sum.Session.LastActive = r.Time
	}
	if !own {
		return
	}
	d.sum.Session.Counts.Add(r.Kind)
	if r.Model != "" {
		d.models[r.Model]++
	}
}

func (d *digest) finish(t *transcript) {
	s, o := &d.sum.Session, t.outline
	s.Agent, s.ID, s.Path, s.Bytes = Name, d.src.Session, d.src.Path, t.file.Info().Size
	s.Started, s.Origin, s.PRs = o.started, o.origin, o.prs
	if s.Started.IsZero() {
		s.Started = t.file.Info().MTime
	}
	if s.LastActive.IsZero() {
		s.LastActive = s.Started
	}
	switch {
	case d.src.Subagent != "":
		s.Kind = record.KindSubagent
	case o.print():
		s.Kind = record.KindPrint
	case o.kinds&record.Background != 0:
		s.Kind = record.KindBackground
	default:
		s.Kind = record.KindInteractive
	}
	s.State = record.StateLive
	if len(d.sum.Records) == 0 && len(d.sum.Damage) > 0 {
		s.State = record.StateDamaged
	}
	s.Models = agent.ByUse(d.models)
	d.sum.Inline = o.sidechains.count
	if t.title != "" {
		s.Title, s.TitleSource = t.title, record.TitleSummary
		return // a subagent's is what it was asked to do
	}
	s.Title, s.TitleSource = o.titles.choose(sidecarTitle(d.src), o.rewrites)
	if first := firstOf(o.titles.prompt, o.titles.reply); s.Title == "" && first != "" {
		s.Title, s.TitleSource = record.FirstWords(first), record.TitlePrompt
	}
}

// titles are the names that a transcript gives its session. Each stands anywhere
// in the file and the last that is not empty wins.
type titles struct {
	custom, ai, worktree string
	summaries            map[string]string // by leafUuid; it may be of another session
	prompt, reply        string            // the first of each
}

// keep takes a name, but never lets an empty one clear a good one.
func keep(to *string, v jsonscan.Value) {
	if s := strings.TrimSpace(v.Text()); s != "" {
		*to = s
	}
}

// choose gives the name in the order of Claude Code's own picker, up to the one
// that a summary gives. A name that entering a worktree stamped on the session
// yields to the generated one.
func (t *titles) choose(sidecar string, r rewrites) (string, record.TitleSource) {
	custom := t.custom
	if s := strings.TrimSpace(sidecar); s != "" {
		custom = s
	}
	if custom != "" && custom == t.worktree && t.ai != "" {
		custom = ""
	}
	switch {
	case custom != "":
		return custom, record.TitleCustom
	case t.ai != "":
		return t.ai, record.TitleAI
	}
	best, at := "", 0
	for leaf, summary := range t.summaries {
		if c := r.lines[leaf]; c != nil && summary != "" && c.places[0].no > at {
			best, at = summary, c.places[0].no
		}
	}
	if best != "" {
		return best, record.TitleSummary
	}
	return "", ""
}
