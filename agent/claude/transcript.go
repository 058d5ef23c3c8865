package claude

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/record"
)

// recordTypes are the types of lines that can hold records.
var recordTypes = map[string]bool{"user": true, "assistant": true, "system": true, "attachment": true, "queue-operation": true}

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

// transcript is one pass over a transcript.
type transcript struct {
	src     *agent.Source
	plan    agent.Plan
	file    agent.File
	outline *outline
	title   string
	sub     *record.SubagentRef
	last    time.Time       // newest time seen so far in line order
	tree    agent.Worktree  // that the session has entered
	numbers map[string]int  // next number of an id that several lines share
	known   map[string]bool // unknown things already reported
	passes  bool            // the byte test lets the line pass that is being read
	failed  error           // of emit, where a thing that no reader knows was reported
	sparse  *sparse         // what reads single lines of the file, or nil
	place   ranAt           // of the last record
	emit    func(agent.Item) error
}

// passTranscript gives everything that stands in a transcript to emit, in line
// order, until emit fails.
func passTranscript(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	if len(plan.Only) > 0 {
		return readOnly(ctx, src, f, plan, emit)
	}
	if plan.Candidate != nil && !plan.Every {
		if ok, err := readSparse(ctx, src, f, plan, emit); ok || err != nil {
			return err
		}
	}
	t, err := newTranscript(ctx, src, f, plan, emit)
	if err != nil {
		return err
	}
	return scanFile(ctx, f, func(p physical) error { return t.line(ctx, p) })
}

// firstOf gives the first text that is not empty.
func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

func firstErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func newTranscript(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) (*transcript, error) {
	o, err := readOutline(ctx, src, f)
	if err != nil {
		return nil, err
	}
	t := &transcript{
		src: src, plan: plan, file: f, outline: o, numbers: map[string]int{}, known: map[string]bool{}, emit: emit,
	}
	title := ""
	if src.Subagent != "" {
		t.sub, title = describeSubagent(ctx, src)
	}
	if t.title = title; title == "" && plan.Titles {
		t.title, _ = o.titles.choose(sidecarTitle(src), o.rewrites)
		t.title = firstOf(t.title, record.FirstWords(o.titles.prompt), record.FirstWords(o.titles.reply))
	}
	return t, nil
}

// line reads one physical line: the damage on it, then its records.
func (t *transcript) line(ctx context.Context, p physical) error {
	t.passes = t.plan.Passes(p.Text)
	if p.damage != nil {
		p.damage.Cleared = !t.passes
		if err := t.emit(agent.Item{Damage: p.damage}); err != nil {
			return err
		}
	}
	for i, l := range p.each() {
		if p.damage != nil && !plausible(l) {
			continue // a block from inside a cut record
		}
		at := place{p.No, i, p.Offset, len(p.Text)}
		t.pass(l)
		if t.plan.Drift {
			t.drift(l, p.No)
		}
		if !t.passes && !t.plan.Every && !t.outline.rewrites.touches(at.spot()) {
			continue
		}
		if t.sparse != nil && l.typ == "queue-operation" {
			if err := t.sparse.follow(ctx, t.outline, at); err != nil {
				return err
			}
		}
		if err := t.object(ctx, l, at); err != nil {
			return err
		}
	}
	return t.failed
}

// pass keeps what later lines need of this one.
func (t *transcript) pass(l line) {
	if !l.time.IsZero() {
		t.last = l.time
	}
	if l.typ == "worktree-state" {
		t.tree = stateOf(l)
	}
}

// plausible reports whether an object that was salvaged from a damaged line is a
// record and not a block from inside one.
func plausible(l line) bool { return recordTypes[l.typ] || silentTypes[l.typ] }

// object gives the records of one object. Where its text was written again
// further down, the last text takes its place, and what stood here is superseded.
func (t *transcript) object(ctx context.Context, l line, at place) error {
	pieces := t.pieces(l, at)
	if c := t.outline.rewrites.whole(at.spot()); c != nil {
		return t.rewritten(ctx, l, at, c, pieces)
	}
	old := pieces[:0:0]
	var now []piece
	for _, p := range pieces {
		c := t.outline.rewrites.of(at.spot(), p.what)
		switch {
		case c == nil:
			now = append(now, p)
			continue
		case c.places[0].spot() == at.spot():
			latest, err := t.pieceAt(t.outline.rewrites.latest(c), p.what)
			if err != nil {
				return err
			}
			if latest == nil {
				now = append(now, p)
				continue
			}
			now = append(now, *latest)
			if p.same(*latest) {
				continue
			}
		case c.last().spot() == at.spot():
			continue // it stands at its first position
		}
		old = append(old, p)
	}
	return t.settle(ctx, l, at, append(now, superseded(old)...))
}

// rewritten gives the records of a line whose uuid comes more than once.
func (t *transcript) rewritten(ctx context.Context, l line, at place, c *chain, pieces []piece) error {
	last := c.last()
	if last.spot() == at.spot() {
		return nil // it stands at its first position
	}
	latest, err := t.piecesAt(last)
	if err != nil {
		return err
	}
	latest = slices.DeleteFunc(latest, func(p piece) bool { return t.outline.rewrites.elsewhere(c.places[0].spot(), p.what) })
	var old []piece
	for _, p := range pieces {
		again := false
		for _, q := range latest {
			again = again || p.same(q)
		}
		if !again {
			old = append(old, p)
		}
	}
	if c.places[0].spot() != at.spot() {
		latest = nil // already given
	} else if latest, old, err = t.outgrown(at.spot(), latest, old); err != nil {
		return err
	}
	return t.settle(ctx, l, at, append(latest, superseded(old)...))
}

// outgrown puts the texts that grew from those of a line in their place.
func (t *transcript) outgrown(at spot, now, old []piece) ([]piece, []piece, error) {
	for _, what := range t.outline.rewrites.moved[at] {
		if t.outline.rewrites.elsewhere(at, what) {
			continue
		}
		grown, err := t.pieceAt(t.outline.rewrites.latest(t.outline.rewrites.of(at, what)), what)
		if err != nil {
			return now, old, err
		}
		if grown == nil {
			continue
		}
		i := slices.IndexFunc(now, func(p piece) bool { return p.what == what })
		switch {
		case i < 0:
			now = append(now, *grown)
		case !now[i].same(*grown):
			old = append(old, now[i])
			now[i] = *grown
		}
	}
	return now, old, nil
}

func superseded(pieces []piece) []piece {
	for _, p := range pieces {
		p.rec.Flags |= record.Superseded
	}
	return pieces
}

// piecesAt reads the records of another place in the file.
func (t *transcript) piecesAt(at place) ([]piece, error) {
	buf := make([]byte, at.length)
	if n, err := t.file.ReadAt(buf, at.offset); n < len(buf) {
		return nil, fmt.Errorf("line %d: %w", at.no, firstErr(err, lines.ErrShrank))
	}
	p := new(parser).physical(lines.Line{No: at.no, Offset: at.offset, Text: buf, Ended: true})
	if at.nth >= len(p.objects) {
		return nil, fmt.Errorf("line %d: %w", at.no, lines.ErrShrank)
	}
	return t.pieces(p.parser.line(p.objects[at.nth]), at), nil
}

func (t *transcript) pieceAt(at place, what string) (*piece, error) {
	pieces, err := t.piecesAt(at)
	for _, p := range pieces {
		if p.what == what {
			return &p, err
		}
	}
	return nil, err
}

// settle gives the records of one object their ids, times and places, and emits
// them.
func (t *transcript) settle(ctx context.Context, l line, at place, pieces []piece) error {
	if len(pieces) == 0 {
		return nil
	}
	when, err := t.timeOf(ctx, l, at.no)
	if err != nil {
		return err
	}
	id := l.uuid
	if id == "" {
		id = fmt.Sprintf("L%d", at.no)
	}
	first := 0
	if shared := l.uuid == "" && at.nth > 0 || t.outline.rewrites.whole(at.spot()) != nil; shared {
		first = t.numbers[id]
	}
	t.number(id, l, at, first+len(pieces))
	for i, p := range pieces {
		r := p.rec
		if r.ID = id; first+i > 0 {
			r.ID = fmt.Sprintf("%s#%d", id, first+i)
		}
		r.Agent, r.Store, r.Session, r.Path, r.Line = Name, t.src.Store.ID, t.session(l), t.src.Path, p.at.no
		r.Offset = p.at.offset
		if p.uuid != "" && p.uuid != l.uuid {
			r.Alias = []string{p.uuid}
		}
		r.Role, r.Time, r.Title = record.RoleOf(r.Kind), when, t.title
		if !t.plan.Bare {
			r.Parent = l.parent()
		}
		r.Origin = t.origin(l)
		if r.Flags |= t.flags(l, at); r.Kind != record.Prompt && r.Kind != record.Command {
			r.Flags &^= record.Queued
		}
		if r.Flags&record.Subagent != 0 {
			t.attribute(l, r)
		}
		if err := t.emit(agent.Item{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// number keeps the next number of an id that other places share.
func (t *transcript) number(id string, l line, at place, next int) {
	if l.uuid == "" || t.outline.rewrites.whole(at.spot()) != nil {
		t.numbers[id] = next
	}
}

// session is the one that the file's name tells: a line may name another, where
// it was copied from.
func (t *transcript) session(l line) string {
	if t.src.Session != "" {
		return t.src.Session
	}
	return l.session
}

func (t *transcript) origin(l line) record.Origin {
	last := &t.place
	if last.cwd != l.cwd || last.branch != l.branch || last.tree != t.tree || !last.known {
		*last = ranAt{l.cwd, l.branch, t.tree, t.ran(l), true}
	}
	return last.origin
}

// ranAt is where a record ran, and what that was found from.
type ranAt struct {
	cwd, branch string
	tree        agent.Worktree
	origin      record.Origin
	known       bool
}

func (t *transcript) ran(l line) record.Origin {
	o := record.Origin{CWD: l.cwd, Branch: l.branch}
	if t.tree.Path != "" && inFolder(l.cwd, t.tree.Path) {
		o.Repo, o.Worktree = t.tree.Repo, t.tree.Path
	}
	return o
}

func (t *transcript) flags(l line, at place) record.Flags {
	var f record.Flags
	if t.src.Subagent != "" || l.sidechain {
		f |= record.Subagent
	}
	if t.outline.print() {
		f |= record.Print
	}
	if l.sessionKind == "bg" {
		f |= record.Background
	}
	if t.outline.retracted[l.uuid] && l.uuid != "" {
		f |= record.Superseded
	}
	if f&record.Print == 0 && (t.outline.queue.records[at.spot()] || l.promptSource == "queued") && l.typ == "user" {
		f |= record.Queued
	}
	return f
}

// attribute names the subagent that a record comes from.
func (t *transcript) attribute(l line, r *record.Record) {
	if t.sub != nil {
		r.Subagent = t.sub
		return
	}
	if chain := t.outline.sidechains.of[l.uuid]; chain != nil {
		r.Subagent = &chain.ref
		if chain.title != "" && t.plan.Titles {
			r.Title = chain.title
		}
		return
	}
	if l.agentID != "" {
		r.Subagent = &record.SubagentRef{ID: l.agentID}
	}
}

// timeOf is the line's own time, else the nearest earlier one in the file, else
// the nearest later one, else the file's.
func (t *transcript) timeOf(ctx context.Context, l line, no int) (time.Time, error) {
	switch {
	case !l.time.IsZero():
		return l.time, nil
	case t.sparse != nil && t.last.IsZero():
		return t.sparse.timeNear(ctx, no)
	case !t.last.IsZero():
		return t.last, nil
	}
	t.last = t.outline.started
	if t.last.IsZero() {
		t.last = t.file.Info().MTime
	}
	return t.last, ctx.Err()
}

// unknown reports a thing that no reader knows and that may hold text, once in a
// file.
func (t *transcript) unknown(what string, no int) {
	t.report(agent.Unknown{What: what, Line: no, Lost: t.passes})
}

// note reports a thing that is new and holds no record, once in a file.
func (t *transcript) note(what string, no int) {
	t.report(agent.Unknown{What: what, Line: no})
}

func (t *transcript) report(u agent.Unknown) {
	if t.known[u.What] || len(t.known) > 1000 {
		return
	}
	t.known[u.What] = true
	if err := t.emit(agent.Item{Unknown: &u}); t.failed == nil {
		t.failed = err
	}
}
