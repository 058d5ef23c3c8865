package claude

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// synthetic is the model of an answer that the client wrote itself.
const synthetic = "<synthetic>"

// silentTypes are the types of lines that hold no record: latches, snapshots,
// titles and copies. Titles are read on their own.
var silentTypes = map[string]bool{
	"ai-title": true, "custom-title": true, "agent-name": true, "agent-color": true, "agent-setting": true, "tag": true,
	"last-prompt": true, "mode": true, "permission-mode": true, "pr-link": true, "file-history-snapshot": true,
	"file-history-delta": true, "progress": true, "bridge-session": true, "worktree-state": true, "relocated": true,
	"cost-state": true, "atis-latch": true, "isolation-latch": true, "memory-mode": true, "dev-mods": true,
	"history-suppression": true, "attribution-snapshot": true, "observer-ref": true, "continued-in": true,
	"ended-by-model": true, "frame-link": true, "artifact-comment-monitor": true, "artifact-autoreact-ledger": true,
	"content-replacement": true, "fork-context-ref": true, "api-request": true, "api-request-shape": true,
	"api-request-blob": true, "summary": true, "started": true, "result": true,
}

// pendingTypes hold records that this reader does not give yet. They are
// reported, so that no one takes an answer for more than it is.
var pendingTypes = map[string]bool{"attachment": true, "queue-operation": true, "system": true}

// transcript is one pass over a transcript.
type transcript struct {
	src    *agent.Source
	plan   agent.Plan
	file   agent.File
	title  string
	sub    *record.SubagentRef
	last   time.Time         // newest time seen so far in line order
	tools  map[string]string // tool_use id to name, for the results that follow
	spoken bool              // the subagent's dispatch was read
	known  map[string]bool   // unknown things already reported
	emit   func(agent.Item) error
}

func readTranscript(ctx context.Context, src *agent.Source, plan agent.Plan) iter.Seq2[agent.Item, error] {
	return func(yield func(agent.Item, error) bool) {
		err := passTranscript(ctx, src, plan, func(it agent.Item) error {
			if !yield(it, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(agent.Item{}, err)
		}
	}
}

// passTranscript gives everything that stands in a transcript to emit, in line
// order, until emit fails.
func passTranscript(ctx context.Context, src *agent.Source, plan agent.Plan, emit func(agent.Item) error) error {
	f, err := src.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	t := transcript{src: src, plan: plan, file: f, tools: map[string]string{}, known: map[string]bool{}, emit: emit}
	var meta subagentMeta
	if src.Subagent != "" {
		meta = readMeta(src)
		t.sub = meta.ref(src.Subagent)
	}
	if plan.Titles {
		if t.title, err = t.findTitle(ctx, meta); err != nil {
			return err
		}
	}
	return scanFile(ctx, f, func(p physical) error { return t.line(ctx, p) })
}

func (t *transcript) findTitle(ctx context.Context, meta subagentMeta) (string, error) {
	if t.src.Subagent != "" {
		if title := meta.title(); title != "" {
			return title, nil
		}
	}
	sum, err := summarize(ctx, t.src, t.file)
	return sum.Session.Title, err
}

// line reads one physical line: the damage on it, then its records.
func (t *transcript) line(ctx context.Context, p physical) error {
	wanted := t.plan.Candidate == nil || t.plan.Candidate(p.Text)
	if p.damage != nil {
		p.damage.Cleared = !wanted
		if err := t.emit(agent.Item{Damage: p.damage}); err != nil {
			return err
		}
	}
	next := 0 // number of the next record on this line without an id of its own
	for _, obj := range p.objects {
		l := parseLine(obj)
		if !wanted {
			t.pass(l)
			continue
		}
		if p.damage != nil && len(p.objects) == 1 && !plausible(l) {
			continue // a block from inside a cut record
		}
		recs := t.records(l, p.No)
		if err := t.settle(ctx, l, recs, p.No, &next); err != nil {
			return err
		}
	}
	return nil
}

// pass keeps what later lines need of this one.
func (t *transcript) pass(l line) {
	if !l.time.IsZero() {
		t.last = l.time
	}
}

// plausible reports whether an object that was salvaged from a damaged line is a
// record and not a block from inside one.
func plausible(l line) bool {
	return l.typ == "user" || l.typ == "assistant" || silentTypes[l.typ] || pendingTypes[l.typ]
}

// settle gives the records of one object their ids, times and places, and emits
// them.
func (t *transcript) settle(ctx context.Context, l line, recs []*record.Record, no int, next *int) error {
	t.pass(l)
	if len(recs) == 0 {
		return nil
	}
	when, err := t.timeOf(ctx, l)
	if err != nil {
		return err
	}
	id, first := l.uuid, 0
	if id == "" {
		id, first = fmt.Sprintf("L%d", no), *next
		*next += len(recs)
	}
	for i, r := range recs {
		r.ID = id
		if n := first + i; n > 0 {
			r.ID = fmt.Sprintf("%s#%d", id, n)
		}
		r.Agent, r.Store, r.Session, r.Path, r.Line = Name, t.src.Store.ID, t.session(l), t.src.Path, no
		r.Role, r.Parent, r.Time, r.Title = record.RoleOf(r.Kind), l.parent, when, t.title
		r.Origin = record.Origin{CWD: l.cwd, Branch: l.branch}
		r.Flags |= t.flags(l)
		if r.Flags&record.Subagent != 0 {
			r.Subagent = t.subagent(l)
		}
		if err := t.emit(agent.Item{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// session is the one that the file's name tells: a line may name another, where
// it was copied from.
func (t *transcript) session(l line) string {
	if t.src.Session != "" {
		return t.src.Session
	}
	return l.session
}

func (t *transcript) flags(l line) record.Flags {
	var f record.Flags
	if t.src.Subagent != "" || l.sidechain {
		f |= record.Subagent
	}
	if strings.HasPrefix(l.entrypoint, "sdk") {
		f |= record.Print
	}
	if l.sessionKind == "bg" {
		f |= record.Background
	}
	return f
}

func (t *transcript) subagent(l line) *record.SubagentRef {
	if t.sub != nil {
		return t.sub
	}
	if l.agentID != "" {
		return &record.SubagentRef{ID: l.agentID}
	}
	return nil
}

// timeOf is the line's own time, else the nearest earlier one in the file, else
// the nearest later one, else the file's.
func (t *transcript) timeOf(ctx context.Context, l line) (time.Time, error) {
	switch {
	case !l.time.IsZero():
		return l.time, nil
	case !t.last.IsZero():
		return t.last, nil
	}
	head, err := readHead(ctx, t.file)
	t.last = head.Time
	if err != nil || t.last.IsZero() {
		t.last = t.file.Info().MTime
	}
	return t.last, err
}

// records gives the records of one object, without ids and places.
func (t *transcript) records(l line, no int) []*record.Record {
	switch {
	case l.typ == "assistant":
		return t.answer(l, no)
	case l.typ == "user":
		return t.spokenTo(l, no)
	case silentTypes[l.typ]:
	case pendingTypes[l.typ]:
	default:
		t.unknown("record type "+quoteWord(l.typ), no)
	}
	return nil
}

// unknown reports a thing that no reader knows, once in a file.
func (t *transcript) unknown(what string, no int) {
	if t.known[what] || len(t.known) > 1000 {
		return
	}
	t.known[what] = true
	_ = t.emit(agent.Item{Unknown: &agent.Unknown{What: what, Line: no}})
}

func quoteWord(s string) string {
	if len(s) > 40 {
		s = s[:40]
	}
	return fmt.Sprintf("%q", s)
}

// parts collects the records of one line in the order in which each begins.
type parts struct {
	recs  []*record.Record
	text  map[record.Kind]*record.Record
	model string
}

// add appends text to the line's one record of that kind.
func (p *parts) add(k record.Kind, text string) {
	if p.text == nil {
		p.text = map[record.Kind]*record.Record{}
	}
	if r := p.text[k]; r != nil {
		r.Text += "\n\n" + text
		return
	}
	p.text[k] = p.own(k, text)
}

// own appends a record of its own.
func (p *parts) own(k record.Kind, text string) *record.Record {
	r := &record.Record{Kind: k, Text: text, Model: p.model}
	p.recs = append(p.recs, r)
	return r
}

// answer reads an assistant line.
func (t *transcript) answer(l line, no int) []*record.Record {
	var p parts
	kind := record.Reply
	if p.model = l.message.Get("model").Text(); p.model == synthetic {
		p.model = ""
		kind = record.Notice
	}
	if l.apiError {
		kind = record.Notice
	}
	content := l.message.Get("content")
	if content.Kind() == jsonscan.String && strings.TrimSpace(content.Text()) != "" {
		p.add(kind, content.Text())
	}
	for block := range content.Elems() {
		t.answerBlock(&p, kind, block, no)
	}
	if l.apiError {
		for _, r := range p.recs {
			r.Flags |= record.Error
		}
	}
	return p.recs
}

func (t *transcript) answerBlock(p *parts, kind record.Kind, block jsonscan.Value, no int) {
	switch typ := block.Get("type").Text(); typ {
	case "text":
		if text := block.Get("text").Text(); strings.TrimSpace(text) != "" {
			p.add(kind, text)
		}
	case "thinking":
		if text := block.Get("thinking").Text(); strings.TrimSpace(text) != "" {
			p.add(record.Thinking, text)
		}
	case "redacted_thinking", "fallback":
	case "tool_use", "server_tool_use", "mcp_tool_use":
		name := block.Get("name").Text()
		r := p.own(record.ToolCall, callText(name, block.Get("input")))
		r.Tool = name
		if id := block.Get("id").Text(); id != "" {
			t.tools[id] = name
		}
	case "tool_result", "web_search_tool_result", "web_fetch_tool_result", "mcp_tool_result", "code_execution_tool_result":
		t.result(p, block)
	default:
		if typ != "image" && typ != "document" {
			t.unknown("content block "+quoteWord(typ), no)
		}
		if text := blockText(block); text != "" {
			p.add(kind, text)
		}
	}
}

func (t *transcript) result(p *parts, block jsonscan.Value) {
	r := p.own(record.ToolResult, resultText(block.Get("content")))
	id := block.Get("tool_use_id").Text()
	r.Tool = t.tools[id]
	delete(t.tools, id)
	if block.Get("is_error").True() {
		r.Flags |= record.Error
	}
}

// spokenTo reads a user line: what a person typed, what the client injected, and
// the results of tools.
func (t *transcript) spokenTo(l line, no int) []*record.Record {
	var p parts
	content := l.message.Get("content")
	var texts []string
	if content.Kind() == jsonscan.String {
		texts = append(texts, content.Text())
	}
	at := len(p.recs)
	for block := range content.Elems() {
		switch typ := block.Get("type").Text(); typ {
		case "tool_result":
			t.result(&p, block)
			continue
		case "text", "image", "document":
		default:
			if block.Kind() == jsonscan.Object {
				t.unknown("content block "+quoteWord(typ), no)
			}
		}
		if text := blockText(block); text != "" {
			if len(texts) == 0 {
				at = len(p.recs)
			}
			texts = append(texts, text)
		}
	}
	text := strings.Join(texts, "\n\n")
	if strings.TrimSpace(text) == "" {
		return p.recs
	}
	return insert(p.recs, at, t.userRecords(l, text))
}

// userRecords gives the record of a user line's text, and one more for a block
// that the client put before it.
func (t *transcript) userRecords(l line, text string) []*record.Record {
	one := func(k record.Kind, text string) *record.Record { return &record.Record{Kind: k, Text: text} }
	switch {
	case l.compact:
		return []*record.Record{one(record.Summary, text)}
	case l.meta, l.hidden, l.interrupted, l.plan, injectedOrigin(l.originKind):
		return []*record.Record{one(record.Notice, text)}
	}
	dispatched := t.src.Subagent != "" || l.sidechain
	kind, rest, injected := userText(text, dispatched)
	recs := []*record.Record{one(kind, rest)}
	if injected != "" {
		recs = append(recs, one(record.Notice, injected))
	}
	return recs
}

// injectedOrigin reports whether a record's origin says that no person typed it.
func injectedOrigin(kind string) bool {
	switch kind {
	case "", "human", "cli", "user":
		return false
	}
	return true
}

func insert(recs []*record.Record, at int, more []*record.Record) []*record.Record {
	out := append([]*record.Record{}, recs[:at]...)
	out = append(out, more...)
	return append(out, recs[at:]...)
}
