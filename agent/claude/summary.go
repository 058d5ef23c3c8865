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
	return summarize(ctx, src, f)
}

func summarize(ctx context.Context, src *agent.Source, f agent.File) (agent.Summary, error) {
	// An inline sidechain is not the session's own.
	d := agent.Digest{Own: func(r *record.Record) bool {
		return r.Flags&record.Superseded == 0 && (src.Subagent != "" || r.Flags&record.Subagent == 0)
	}}
	t, err := newTranscript(ctx, src, f, agent.Plan{}, func(it agent.Item) error { d.Item(it); return nil })
	if err == nil {
		err = scanFile(ctx, f, func(p physical) error { return t.line(ctx, p) })
		d.Finish()
		t.finish(&d.Summary)
	}
	return d.Summary, err
}

// Brief tells of a transcript what a list needs. Most transcripts are passed over
// once; one that needs to be read whole is.
func (a *Adapter) Brief(ctx context.Context, src *agent.Source) (agent.Brief, error) {
	f, err := src.Open()
	if err != nil {
		return agent.Brief{}, err
	}
	defer f.Close()
	return brief(ctx, src, f)
}

func brief(ctx context.Context, src *agent.Source, f agent.File) (agent.Brief, error) {
	if b, err := quickBrief(ctx, src, f); err == nil {
		return b, nil
	}
	return fullBrief(ctx, src, f)
}

// fullBrief decodes all of a transcript.
func fullBrief(ctx context.Context, src *agent.Source, f agent.File) (agent.Brief, error) {
	sum, err := summarize(ctx, src, f)
	if err != nil && sum.Session.ID == "" {
		return agent.Brief{}, err
	}
	h, headErr := readHead(ctx, f)
	return agent.BriefOf(sum, h), firstErr(err, headErr)
}

// Beside names the files that give a session its title, and a subagent its task.
func (a *Adapter) Beside(src *agent.Source) []string {
	if src.Store.ID != storeSession && src.Store.ID != storeSubagent {
		return nil
	}
	names := []string{sidecarName(src)}
	if src.Subagent != "" {
		names = append(names, metaName(src))
		if parent := parentName(src); parent != "" {
			names = append(names, parent)
		}
	}
	return names
}

// Elsewhere is empty: a transcript says itself where it ran.
func (a *Adapter) Elsewhere(*agent.Source) string { return "" }

// finish adds what only the transcript as a whole tells.
func (t *transcript) finish(sum *agent.Summary) {
	s, o := &sum.Session, t.outline
	s.Agent, s.ID, s.Path, s.Bytes = Name, t.src.Session, t.src.Path, t.file.Info().Size
	s.Started, s.Origin, s.PRs = o.started, o.origin, o.prs
	if s.Started.IsZero() {
		s.Started = t.file.Info().MTime
	}
	if s.LastActive.IsZero() {
		s.LastActive = s.Started
	}
	if s.Kind = o.kind(); t.src.Subagent != "" {
		s.Kind = record.KindSubagent
	}
	sum.Inline, sum.Branches, sum.Worktrees = o.sidechains.count, o.branches, o.stated
	if t.title != "" {
		s.Title, s.TitleSource = t.title, record.TitleSummary
		return // a subagent's is what it was asked to do
	}
	s.Title, s.TitleSource = o.titles.choose(sidecarTitle(t.src), o.rewrites)
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
