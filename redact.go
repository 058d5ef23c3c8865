package seshat

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/secret"
	"github.com/seshat-dev/seshat/internal/snippet"
	"github.com/seshat-dev/seshat/record"
)

// Every answer leaves the library redacted, unless Reveal was called: no face can
// forget it. Texts are looked through whole, where they are read and before anything is
// cut out of them; everything else of an answer, and what is known by then from other
// records, is done when its turn comes to be given. Matching is always on the true text.

// redactors is what a library redacts with.
type redactors struct {
	*secret.Redactor
	reveal bool
	mu     sync.Mutex
	known  secret.Known // of all answers so far, for messages about them
}

// Reveal makes all later answers show credentials as they stand. It is called before
// the first question.
func (l *Library) Reveal() { l.redact.reveal = true }

// AllowsReveal reports whether the config lets credentials be shown where nobody can
// be asked: allow_reveal = true.
func (l *Library) AllowsReveal() bool { return l.config.AllowReveal }

// Redact gives a message with a marker in the place of every credential, those that
// earlier answers came upon among them.
func (l *Library) Redact(message string) string {
	if l.redact.reveal {
		return message
	}
	message = l.redact.Line(message)
	l.redact.mu.Lock()
	defer l.redact.mu.Unlock()
	return l.redact.known.Look(message, secret.Ends{}).Apply(message)
}

// MaskSecrets does so where there is no library yet; its markers have no fingerprint.
func MaskSecrets(text string) string { return secret.Mask(text) }

// credentialsIn gives what has to be changed in the text of a record, and the credentials in it.
func (l *Library) credentialsIn(text string) (secret.Edits, []secret.Value) {
	if l.redact.reveal {
		return nil, nil
	}
	return l.redact.Look(text)
}

// redactText redacts the text of a record that was just read, and gives a note of the
// credentials in it.
func (l *Library) redactText(r *record.Record) any {
	edits, values := l.credentialsIn(r.Text)
	r.Text = edits.Apply(r.Text)
	return noteOf(values)
}

// redaction redacts what one answer gives; nil gives everything as it is.
type redaction struct {
	l     *Library
	known secret.Known
	lines map[string]string // what was made of short texts that come again and again
}

func (l *Library) redaction() *redaction {
	if l.redact.reveal {
		return nil
	}
	return &redaction{l: l, lines: map[string]string{}}
}

// learn notes the credentials of a record, as it was kept until its turn: from now on
// they are masked wherever they stand.
func (x *redaction) learn(note any) {
	values, _ := note.([]secret.Value)
	if x == nil || len(values) == 0 || !x.known.Add(values) {
		return
	}
	clear(x.lines)
	x.l.redact.mu.Lock()
	x.l.redact.known.Add(values)
	x.l.redact.mu.Unlock()
}

// noteOf keeps values for learn.
func noteOf(values []secret.Value) any {
	if len(values) == 0 {
		return nil
	}
	return values
}

// edits gives what has to be changed in a line, such as a title, which may be cut.
func (x *redaction) edits(line string) secret.Edits {
	edits, values := x.l.redact.LookLine(line)
	x.learn(values)
	if x.known.Len() == 0 {
		return edits
	}
	whole := strings.TrimSuffix(line, "…")
	return edits.With(x.known.Look(whole, secret.Ends{End: whole != line}))
}

// maxLines and maxLine bound what is kept of lines that come again.
const (
	maxLines = 4096
	maxLine  = 1024
)

// line redacts a name, a path or a title.
func (x *redaction) line(s string) string {
	if x == nil || s == "" || isID(s) {
		return s
	}
	if out, seen := x.lines[s]; seen {
		return out
	}
	out := x.edits(s).Apply(s)
	if len(x.lines) < maxLines && len(s) <= maxLine {
		x.lines[s] = out
	}
	return out
}

// id redacts what hardly ever comes twice.
func (x *redaction) id(s string) string {
	if x == nil || s == "" || isID(s) {
		return s
	}
	return x.edits(s).Apply(s)
}

// isID tells the ids that most agents give from what may be a credential, also with
// the number of a record of their line behind them.
func isID(s string) bool {
	const uuid = 36
	return len(s) == uuid && agent.IsUUID(s) || len(s) > uuid && len(s) <= uuid+4 && s[uuid] == '#' && agent.IsUUID(s[:uuid])
}

// each redacts a list, and leaves the one it is given as it is.
func (x *redaction) each(list []string) []string {
	if x == nil || len(list) == 0 {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		out[i] = x.line(out[i])
	}
	return out
}

func (x *redaction) origin(o *record.Origin) {
	o.CWD, o.Repo, o.Worktree, o.Branch = x.line(o.CWD), x.line(o.Repo), x.line(o.Worktree), x.line(o.Branch)
}

func (x *redaction) project(p *record.Project) {
	p.Name, p.Root, p.Worktree = x.line(p.Name), x.line(p.Root), x.line(p.Worktree)
}

// record redacts a record whose text was looked through when it was read.
func (x *redaction) record(r *record.Record, note any) {
	if x == nil {
		return
	}
	x.learn(note)
	r.Text = x.known.Look(r.Text, secret.Ends{End: r.Flags&record.Cut != 0}).Apply(r.Text)
	if id := x.id(r.ID); id != r.ID {
		r.ID, r.Handle = id, x.id(r.Handle)
	}
	r.Parent, r.Also = x.id(r.Parent), x.each(r.Also)
	r.Session, r.Model, r.Tool, r.Title = x.line(r.Session), x.line(r.Model), x.line(r.Tool), x.line(r.Title)
	r.Path, r.Key = x.line(r.Path), x.id(r.Key)
	x.origin(&r.Origin)
	if r.Subagent != nil {
		ref := x.subagent(*r.Subagent)
		r.Subagent = &ref
	}
}

func (x *redaction) subagent(ref record.SubagentRef) record.SubagentRef {
	ref.ID, ref.Type, ref.Parent, ref.Model = x.line(ref.ID), x.line(ref.Type), x.line(ref.Parent), x.line(ref.Model)
	return ref
}

// session redacts what a list tells of a session, and gives the changes of its title.
func (x *redaction) session(s *record.Session) secret.Edits {
	if x == nil {
		return nil
	}
	title := x.edits(s.Title)
	s.Title = title.Apply(s.Title)
	s.Handle, s.ID, s.Path, s.CopiedFrom = x.id(s.Handle), x.id(s.ID), x.id(s.Path), x.id(s.CopiedFrom)
	s.Models, s.PRs = x.each(s.Models), x.each(s.PRs)
	x.project(&s.Project)
	x.origin(&s.Origin)
	return title
}

// sessions redacts a list of them. What the title of one tells is masked in all.
func (x *redaction) sessions(list []record.Session) {
	for i := range list {
		x.session(&list[i])
	}
	if x == nil || x.known.Len() == 0 {
		return
	}
	for i := range list {
		x.session(&list[i])
	}
}

// answer redacts what an answer says about itself, and gives it back.
func (x *redaction) answer(ans *record.Answer) *record.Answer {
	if x == nil || ans == nil {
		return ans
	}
	for i := range ans.Warnings {
		w := &ans.Warnings[i]
		w.Path, w.Reason = x.line(w.Path), x.line(w.Reason)
	}
	return ans
}

// redactLines makes, in lines of a text, the changes that the text needs.
func redactLines(edits secret.Edits, lines []Line) {
	if len(edits) == 0 {
		return
	}
	for i := range lines {
		l := &lines[i]
		redactLine(l, edits.Within(l.From, l.From+len(l.Text)))
	}
}

// matched redacts lines by what is known of earlier records.
func (x *redaction) matched(lines []Line) {
	if x == nil || x.known.Len() == 0 {
		return
	}
	for i := range lines {
		redactLine(&lines[i], x.known.Look(lines[i].Text, secret.Ends{}))
	}
}

func redactLine(l *Line, edits secret.Edits) {
	if len(edits) > 0 {
		l.Text, l.Ranges = edits.Apply(l.Text), edits.Ranges(l.Ranges)
	}
}

// redactPlaces moves places of a text to where they stand in the changed one.
func redactPlaces(edits secret.Edits, places []snippet.Range) []snippet.Range {
	if len(edits) == 0 {
		return places
	}
	ranges := make([][]int, len(places))
	for i, p := range places {
		ranges[i] = []int{p.From, p.To}
	}
	var out []snippet.Range
	for _, r := range edits.Ranges(ranges) {
		out = append(out, snippet.Range{From: r[0], To: r[1]})
	}
	return out
}

// found redacts what a search found of one session.
func (x *redaction) found(f *Found) {
	if x == nil {
		return
	}
	f.Title = x.session(&f.Session).Ranges(f.Title)
	for i := range f.Hits {
		h := &f.Hits[i]
		h.Name = x.line(h.Name)
		x.record(h.Record, nil)
		if edits := x.known.Look(h.Snippet.Text, secret.Ends{Start: h.Snippet.Before, End: h.Snippet.After}); len(edits) > 0 {
			h.Snippet.Text, h.Snippet.Ranges = edits.Apply(h.Snippet.Text), edits.Ranges(h.Snippet.Ranges)
		}
	}
}

// shown redacts a session that is shown. Everything that its records hold is known.
func (x *redaction) shown(s *Shown) {
	if x == nil || s == nil {
		return
	}
	x.session(&s.Session)
	for _, r := range s.Records {
		x.record(r, nil)
	}
	for i := range s.Subagents {
		sub := &s.Subagents[i]
		sub.SubagentRef, sub.Title = x.subagent(sub.SubagentRef), x.line(sub.Title)
	}
}

// ambiguous redacts what an ambiguous handle may mean.
func (x *redaction) ambiguous(err error) error {
	var several *AmbiguousError
	if x == nil || !errors.As(err, &several) {
		return err
	}
	several.Handle = x.line(several.Handle)
	for i := range several.Candidates {
		c := &several.Candidates[i]
		c.Handle, c.Path = x.id(c.Handle), x.id(c.Path)
	}
	return err
}

// expiring redacts what goes. The sources themselves are not changed: others use them.
func (x *redaction) expiring(e *Expiring) {
	if x == nil {
		return
	}
	for _, loss := range e.Losses {
		x.project(&loss.Project)
		if loss.Session != nil {
			sess := *loss.Session
			x.session(&sess)
			loss.Session = &sess
		}
		for i := range loss.Fates {
			x.fate(&loss.Fates[i])
		}
	}
	for i := range e.Edits {
		e.Edits[i] = x.setting(e.Edits[i])
	}
	e.Unseen = x.each(e.Unseen)
}

func (x *redaction) fate(f *agent.Fate) {
	src := *f.Source
	src.Path = x.id(src.Path)
	f.Source = &src
	f.Session, f.Reason, f.Where, f.Event = x.line(f.Session), x.line(f.Reason), x.line(f.Where), x.line(f.Event)
	f.Rule.Setting, f.Rule.Path = x.line(f.Rule.Setting), x.line(f.Rule.Path)
	if f.Keep != nil {
		keep := x.setting(*f.Keep)
		f.Keep = &keep
	}
}

func (x *redaction) setting(e SettingsEdit) SettingsEdit {
	e.Path, e.JSON, e.Why = x.line(e.Path), x.line(e.JSON), x.line(e.Why)
	return e
}
