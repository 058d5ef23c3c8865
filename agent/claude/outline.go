package claude

import (
	"context"
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// outline is what a pass over a whole transcript tells about single lines of it:
// which text was rewritten or taken back later, which queued prompt became what,
// which tool a result belongs to, and how the session is called. A reader that
// goes line by line needs it because all of these can stand below the line they
// are about.
type outline struct {
	rewrites   rewrites
	retracted  map[string]bool     // uuids that the agent took back
	queue      queue               // fates of queued prompts, by the place that queued them
	tools      map[string]string   // tool_use id to the tool's name
	sidechains sidechains          // inline subagents
	titles     titles              // names of the session
	kinds      record.Flags        // print or background, as any line says
	prs        []string            // pull requests, in order
	started    time.Time           // the first time in line order
	relation   map[string]relation // subagents of the session, by id
	openings   []opening           // the first prompts
	branches   []string            // that lines name, in order
	typed      bool                // some line tells how the session was entered
	begun      bool                // a line was seen
	queueFirst bool                // the first one is a queue operation
	whereabouts
}

// relation is what a parent's transcript tells about a subagent.
type relation struct{ title, agentType, model string }

// seed makes hashes of one process comparable; they are never stored.
var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

func newOutline() *outline {
	o := &outline{
		rewrites: newRewrites(), retracted: map[string]bool{}, queue: newQueue(), tools: map[string]string{},
		sidechains: newSidechains(), relation: map[string]relation{},
	}
	o.titles.summaries = map[string]string{}
	return o
}

// readOutline makes the pass.
func readOutline(ctx context.Context, src *agent.Source, f agent.File) (*outline, error) {
	o := newOutline()
	calls := map[string]relation{} // by tool_use id
	t := &transcript{src: src, outline: o, known: map[string]bool{}, emit: func(agent.Item) error { return nil }}
	err := scanFile(ctx, f, func(p physical) error {
		for i, l := range p.each() {
			if p.damage != nil && !plausible(l) {
				continue
			}
			at := place{p.No, i, p.Offset, len(p.Text)}
			o.line(src, l, at, calls)
			o.open(t, l, at)
		}
		return nil
	})
	o.settle()
	return o, err
}

// settle decides what only the end of the file decides.
func (o *outline) settle() {
	o.queue.close()
	o.settleOpening()
	o.origin = o.settled()
}

// maxOpenings is how many prompts are kept in case those before were taken back.
const maxOpenings = 50

// opening is a prompt that may name the session.
type opening struct {
	at         spot
	uuid, text string
}

// open notes what the session opens with, which names it where nothing else does.
func (o *outline) open(t *transcript, l line, at place) {
	if l.sidechain && t.src.Subagent == "" || len(o.openings) >= maxOpenings || l.typ == "assistant" && o.titles.reply != "" {
		return
	}
	for block := range l.message.Get("content").Elems() {
		if l.typ == "user" && block.Get("type").Text() == "tool_result" {
			return // large, and hardly ever with something that was typed
		}
		break
	}
	for _, p := range t.pieces(l, at) {
		switch p.rec.Kind {
		case record.Prompt, record.Dispatch:
			o.openings = append(o.openings, opening{at.spot(), l.uuid, p.rec.Text})
		case record.Reply:
			o.titles.reply = firstOf(o.titles.reply, p.rec.Text)
		}
	}
}

// settleOpening chooses the first prompt that stands: neither taken back nor
// rewritten, and if rewritten by its last text.
func (o *outline) settleOpening() {
	for _, p := range o.openings {
		fate := o.queue.fates[p.at]
		if o.retracted[p.uuid] || fate == fateTaken || fate == fateRecord {
			continue
		}
		o.titles.prompt = p.text
		for _, later := range o.openings {
			if p.uuid != "" && later.uuid == p.uuid {
				o.titles.prompt = later.text
			}
		}
		break
	}
	o.openings = nil
}

// place is where an object stands: its line and which of the line's objects it
// is.
type place struct {
	no, nth int
	offset  int64
	length  int
}

// envelope reads what a line of any type may tell of the session: when, where and
// how it began and ran, and how it is called.
func (o *outline) envelope(l line) {
	if !o.begun {
		o.begun, o.queueFirst = true, l.typ == "queue-operation"
	}
	if o.started.IsZero() {
		o.started = l.time
	}
	o.see(l)
	o.name(l)
	if l.branch != "" && !slices.Contains(o.branches, l.branch) {
		o.branches = append(o.branches, l.branch)
	}
}

func (o *outline) line(src *agent.Source, l line, at place, calls map[string]relation) {
	o.envelope(l)
	switch l.typ {
	case "user":
		o.rewrites.repeat(l, at)
		o.user(src, l, at, calls)
	case "assistant":
		o.rewrites.repeat(l, at)
		o.rewrites.grow(l, at)
		o.assistant(src, l, calls)
	case "attachment":
		o.rewrites.repeat(l, at)
		o.queueing(l, at)
	case "system":
		o.rewrites.repeat(l, at)
		o.retract(l.raw.Get("retractedMessageUuids"))
	case "queue-operation":
		o.queueing(l, at)
	case "progress":
		call := calls[l.raw.Get("parentToolUseID").Text()]
		if id := l.raw.Get("data").Get("agentId").Text(); id != "" && call != (relation{}) {
			o.relation[id] = call
		}
	}
}

// agentMark is how a launched agent's result names it.
var agentMark = regexp.MustCompile(`agentId: ([0-9A-Za-z_-]+)`)

func agentIn(block jsonscan.Node) string {
	if m := agentMark.FindStringSubmatch(resultText(block.Get("content").Value())); m != nil {
		return m[1]
	}
	return ""
}

// name reads the lines that name the session or tell how it ran.
func (o *outline) name(l line) {
	switch l.typ {
	case "custom-title":
		keep(&o.titles.custom, l.raw.Get("customTitle"))
	case "ai-title":
		keep(&o.titles.ai, l.raw.Get("aiTitle"))
	case "summary":
		if leaf := l.raw.Get("leafUuid").Text(); leaf != "" {
			o.titles.summaries[leaf] = l.raw.Get("summary").Text()
		}
	case "worktree-state":
		keep(&o.titles.worktree, l.raw.Get("worktreeSession").Get("worktreeName"))
	case "pr-link":
		url := l.raw.Get("prUrl").Text()
		for _, known := range o.prs {
			if known == url {
				return
			}
		}
		if url != "" {
			o.prs = append(o.prs, url)
		}
	case "user", "assistant":
		if strings.HasPrefix(l.entrypoint, "sdk") || l.promptSource == "sdk" {
			o.kinds |= record.Print
		}
		if l.sessionKind == "bg" {
			o.kinds |= record.Background
		}
		o.typed = o.typed || l.entrypoint != ""
	}
}

// print reports whether the session is a run of claude -p or of the SDK. Old
// versions do not say so, but only their print mode begins with a queue
// operation.
func (o *outline) print() bool {
	return o.kinds&record.Print != 0 || !o.typed && o.queueFirst && o.kinds&record.Background == 0
}

// kind tells how the session was run.
func (o *outline) kind() record.SessionKind {
	switch {
	case o.print():
		return record.KindPrint
	case o.kinds&record.Background != 0:
		return record.KindBackground
	}
	return record.KindInteractive
}

func (o *outline) retract(uuids jsonscan.Value) {
	for u := range uuids.Elems() {
		if id := u.Text(); id != "" {
			o.retracted[id] = true
		}
	}
}

// user reads what later lines or other files need of a user line.
func (o *outline) user(src *agent.Source, l line, at place, calls map[string]relation) {
	for block := range l.message.Get("content").Elems() {
		if block.Get("type").Text() != "tool_result" {
			continue
		}
		call, launched := calls[block.Get("tool_use_id").Text()]
		if !launched {
			continue
		}
		if id := firstOf(l.result.Get("agentId").Text(), agentIn(block)); id != "" {
			o.relation[id] = call
		}
	}
	o.queueing(l, at)
	if l.sidechain && src.Subagent == "" {
		o.sidechains.add(l, typedText(l))
	}
}

// typedText gives the text of a user line beside the results of tools.
func typedText(l line) string {
	content := l.message.Get("content")
	if content.Kind() == jsonscan.String {
		return content.Text()
	}
	var texts []string
	for block := range content.Elems() {
		if block.Get("type").Text() != "tool_result" {
			texts = append(texts, blockText(block.Value()))
		}
	}
	return strings.Join(texts, "\n\n")
}

// queueing follows the queue: a line may change it, or be what a prompt of it became.
func (o *outline) queueing(l line, at place) {
	switch l.typ {
	case "queue-operation":
		o.queue.operation(l.raw, at)
	case "user":
		if len(o.queue.waiting) > 0 {
			o.queue.became(typedText(l), at)
		}
	case "attachment":
		if a := l.raw.Get("attachment"); a.Get("type").Text() == "queued_command" {
			o.queue.became(resultText(a.Get("prompt")), at)
		}
	}
}

func (o *outline) assistant(src *agent.Source, l line, calls map[string]relation) {
	o.retract(l.supersedes)
	for block := range l.message.Get("content").Elems() {
		if !isCall(block.Get("type").Text()) {
			continue
		}
		id, name, input := block.Get("id").Text(), block.Get("name").Text(), block.Get("input")
		if id == "" {
			continue
		}
		o.tools[id] = name
		if name == "Task" || name == "Agent" {
			r := relation{input.Get("description").Text(), input.Get("subagent_type").Text(), input.Get("model").Text()}
			calls[id] = r
			o.sidechains.launch(id, input.Get("prompt").Text(), r)
		}
	}
	if l.sidechain && src.Subagent == "" {
		o.sidechains.add(l, "")
	}
}
