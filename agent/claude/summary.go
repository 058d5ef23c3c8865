package claude

import (
	"context"
	"sort"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// Summarize reads a transcript once and tells about its session.
func (a *Adapter) Summarize(ctx context.Context, src *agent.Source) (agent.Summary, error) {
	f, err := src.Open()
	if err != nil {
		return agent.Summary{}, err
	}
	defer f.Close()
	return summarize(ctx, src, f)
}

// digest gathers what the lines of a transcript tell about its session.
type digest struct {
	t       *transcript
	sum     agent.Summary
	titles  titles
	models  map[string]int
	kinds   record.Flags // print or background, as any line says
	prs     map[string]bool
	started time.Time
}

// titles are the names that a transcript gives its session. Each stands anywhere
// in the file and the last that is not empty wins.
type titles struct {
	custom, ai, prompt, reply, worktree string
	summaries                           map[string]string // by leafUuid
	uuids                               map[string]bool   // only kept while a summary may need it
}

func summarize(ctx context.Context, src *agent.Source, f agent.File) (agent.Summary, error) {
	d := digest{models: map[string]int{}, prs: map[string]bool{}}
	d.titles.summaries, d.titles.uuids = map[string]string{}, map[string]bool{}
	d.t = &transcript{src: src, file: f, tools: map[string]string{}, known: map[string]bool{}}
	d.t.emit = func(it agent.Item) error { d.item(it); return nil }
	err := scanFile(ctx, f, func(p physical) error {
		for _, obj := range p.objects {
			d.envelope(parseLine(obj))
		}
		return d.t.line(ctx, p)
	})
	d.finish(src, f)
	return d.sum, err
}

// envelope reads what a line tells beside its records.
func (d *digest) envelope(l line) {
	s := &d.sum.Session
	if d.started.IsZero() {
		d.started = l.time
	}
	if s.Origin.CWD == "" {
		s.Origin.CWD = l.cwd
	}
	if s.Origin.Branch == "" {
		s.Origin.Branch = l.branch
	}
	if l.uuid != "" {
		d.titles.uuids[l.uuid] = true
	}
	switch l.typ {
	case "custom-title":
		keep(&d.titles.custom, l.raw.Get("customTitle"))
	case "ai-title":
		keep(&d.titles.ai, l.raw.Get("aiTitle"))
	case "summary":
		if leaf := l.raw.Get("leafUuid").Text(); leaf != "" {
			d.titles.summaries[leaf] = l.raw.Get("summary").Text()
		}
	case "worktree-state":
		keep(&d.titles.worktree, l.raw.Get("worktreeSession").Get("worktreeName"))
	case "pr-link":
		if url := l.raw.Get("prUrl").Text(); url != "" && !d.prs[url] {
			d.prs[url] = true
			s.PRs = append(s.PRs, url)
		}
	case "user", "assistant":
		if strings.HasPrefix(l.entrypoint, "sdk") {
			d.kinds |= record.Print
		}
		if l.sessionKind == "bg" {
			d.kinds |= record.Background
		}
	}
}

// keep takes a name, but never lets an empty one clear a good one.
func keep(to *string, v jsonscan.Value) {
	if s := strings.TrimSpace(v.Text()); s != "" {
		*to = s
	}
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
	d.sum.Records++
	if r.Time.After(d.sum.Session.LastActive) {
		d.sum.Session.LastActive = r.Time
	}
	if d.t.src.Subagent == "" && r.Flags&record.Subagent != 0 {
		return // an inline sidechain is not the session's own
	}
	d.sum.Session.Counts.Add(r.Kind)
	if r.Model != "" {
		d.models[r.Model]++
	}
	switch {
	case d.titles.prompt == "" && (r.Kind == record.Prompt || r.Kind == record.Dispatch):
		d.titles.prompt = r.Text
	case d.titles.reply == "" && r.Kind == record.Reply:
		d.titles.reply = r.Text
	}
}

func (d *digest) finish(src *agent.Source, f agent.File) {
	s := &d.sum.Session
	s.Agent, s.ID, s.Path, s.Bytes = Name, src.Session, src.Path, f.Info().Size
	s.Started = d.started
	if s.Started.IsZero() {
		s.Started = f.Info().MTime
	}
	if s.LastActive.IsZero() {
		s.LastActive = s.Started
	}
	switch {
	case src.Subagent != "":
		s.Kind = record.KindSubagent
	case d.kinds&record.Background != 0:
		s.Kind = record.KindBackground
	case d.kinds&record.Print != 0:
		s.Kind = record.KindPrint
	default:
		s.Kind = record.KindInteractive
	}
	s.State = record.StateLive
	if d.sum.Records == 0 && len(d.sum.Damage) > 0 {
		s.State = record.StateDamaged
	}
	for m := range d.models {
		s.Models = append(s.Models, m)
	}
	sort.Slice(s.Models, func(i, j int) bool {
		a, b := s.Models[i], s.Models[j]
		return d.models[a] > d.models[b] || d.models[a] == d.models[b] && a < b
	})
	s.Title, s.TitleSource = d.titles.choose(sidecarTitle(src))
}

// maxTitle is how many characters of a prompt serve as a title.
const maxTitle = 200

// choose gives the name in the order of Claude Code's own picker. A name that
// entering a worktree stamped on the session yields to the generated one.
func (t *titles) choose(sidecar string) (string, record.TitleSource) {
	custom := t.custom
	if sidecar != "" {
		custom = sidecar
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
	for leaf, summary := range t.summaries {
		if t.uuids[leaf] && summary != "" {
			return summary, record.TitleSummary
		}
	}
	for _, text := range []string{t.prompt, t.reply} {
		if text != "" {
			return firstWords(text), record.TitlePrompt
		}
	}
	return "", ""
}

// firstWords makes one line of the beginning of a text.
func firstWords(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	runes := 0
	for i := range words {
		if runes++; runes > maxTitle {
			return words[:i] + "…"
		}
	}
	return words
}
