package seshat

import (
	"context"
	"errors"
	"path"
	"sort"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// ShowQuery says what is wanted of a session.
type ShowQuery struct {
	Handle     string
	Kinds      []record.Kind // only these; all when empty
	Context    int           // records before and after, where the handle names a line or a record
	Superseded bool          // also what its agent took back or rewrote
	Full       bool          // results that were spilled to a file come with its text
}

// Shown is a session, or a part of one.
type Shown struct {
	Session   record.Session
	Subagents []Subagent // started by the session, in order
	Records   []*record.Record
	Part      bool // only the records around the one that was named
	Line      int  // the line that was named, if one was
}

// Subagent is a subagent of a session with what it was asked to do.
type Subagent struct {
	record.SubagentRef
	Title string
}

// Show gives the session that a handle names, or the records around a line or
// record of it. Of a fork it gives the whole conversation, what it inherited
// flagged as copies.
func (l *Library) Show(ctx context.Context, q ShowQuery) (*Shown, *record.Answer, error) {
	x := l.redaction()
	out, ans, err := l.show(ctx, q, x)
	x.shown(out)
	return out, x.answer(ans), x.ambiguous(err)
}

// show gives it as it is, but for the texts of the records, and notes what they hold.
func (l *Library) show(ctx context.Context, q ShowQuery, x *redaction) (*Shown, *record.Answer, error) {
	w, err := l.everything(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	t, err := l.resolve(ctx, w, q.Handle)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return l.showRemembered(ctx, w, q, x, err)
	}
	if err != nil {
		return nil, nil, err
	}
	tally := &search.Tally{}
	out := &Shown{Part: t.line > 0, Line: t.line}
	q.Superseded = q.Superseded || t.record != ""
	if out.Session, err = l.describe(ctx, w, t.source, tally); err != nil {
		return out, tally.Answer(), nil
	}
	hits, err := l.readAll(ctx, w, t.source, q, tally)
	if err != nil {
		return nil, nil, err
	}
	if t.source.Transcript() {
		if err := l.markCopies(ctx, w, t.source, out, hits); err != nil {
			return nil, nil, err
		}
		if out.Subagents, err = l.subagents(ctx, w, t.source); err != nil {
			return nil, nil, err
		}
		out.Subagents = append(out.Subagents, inline(hits)...)
		out.Session.Subagents = len(out.Subagents)
	}
	for _, h := range hits {
		x.learn(h.Note)
		out.Records = append(out.Records, h.Record)
	}
	if out.Part {
		out.Records = around(out.Records, t, q.Context)
	}
	if q.Full {
		for _, r := range out.Records {
			w.unspill(t.source, r)
			x.learn(l.redactText(r))
		}
	}
	tally.Match(len(out.Records))
	return out, tally.Answer(), nil
}

// describe tells about the session of a source. A source that is no transcript is
// its own session.
func (l *Library) describe(ctx context.Context, w *world, s search.Source, tally *search.Tally) (record.Session, error) {
	if !s.Transcript() && s.Subagent == "" {
		return record.Session{Agent: s.Agent, ID: path.Base(s.Name), Path: s.Path, Title: s.Store.ID, State: fileState(s.Source), Bytes: s.Info.Size, Started: s.Info.MTime, LastActive: s.Info.MTime}, nil
	}
	sum, err := s.Adapter.Summarize(ctx, s.Source)
	if err != nil {
		tally.End(s.Source, err)
		return record.Session{}, err
	}
	sess := sum.Session
	sess.Handle = w.sessionHandle(s.Source)
	sess.Subagents, sess.State = sum.Inline, w.state(s.Family, sess.State)
	w.places.begin(ctx, s, &sess.Origin)
	return w.places.listed(sess).Session, nil
}

func (l *Library) readAll(ctx context.Context, w *world, s search.Source, q ShowQuery, tally *search.Tally) ([]search.Hit, error) {
	var all []search.Hit
	wanted := Selection{Scope: record.ScopeAll, Kinds: q.Kinds}
	keep := func(r *record.Record) (search.Hit, bool) {
		h := search.NewHit(r)
		if !q.Full { // else a file may have more of it
			h.Note = l.redactText(r)
			r.Shorten()
		}
		return h, wanted.wants(r.Kind)
	}
	f := search.Folder{Superseded: q.Superseded, Hidden: tally.Hidden()}
	err := search.Each(ctx, w.siblings(s), 1, agent.Plan{Titles: true}, tally, keep,
		func(s search.Source, h search.Hit) error {
			if show, _ := f.Show(s, h); !show {
				return nil
			}
			w.nameRecord(s, h.Record, false)
			w.places.locate(ctx, s, h.Record)
			all = append(all, h)
			return nil
		})
	return all, err
}

// siblings gives all transcripts of the session that a source is a transcript of,
// the one that stands for it first; any other source is alone.
func (w *world) siblings(of search.Source) []search.Source {
	out := []search.Source{of}
	if !of.Transcript() {
		return out
	}
	for _, s := range w.sources {
		if s.Family == of.Family && s.Transcript() && s.Source != of.Source {
			out = append(out, s)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Rank < out[j].Rank })
	return out
}

// markCopies flags the records that a session inherited from an earlier one, and
// names for each record the places where it stands again.
func (l *Library) markCopies(ctx context.Context, w *world, of search.Source, out *Shown, hits []search.Hit) error {
	var transcripts []search.Source
	for _, s := range w.sources {
		if s.Transcript() && s.Agent == of.Agent && s.Store.Readable() && (s.Family != of.Family || s.Source == of.Source) {
			transcripts = append(transcripts, s)
		}
	}
	seq, err := search.Order(ctx, transcripts, l.opts.Workers, nil)
	if err != nil {
		return err
	}
	byMark := map[agent.Mark]*record.Record{}
	ids := map[string]bool{}
	for _, h := range hits {
		byMark[h.Mark()] = h.Record
		if id, _, _ := strings.Cut(h.Record.ID, "#"); h.Record.Named() {
			ids[id] = true
		}
	}
	before := true
	for _, s := range seq.Sources {
		if s.Source == of.Source {
			before = false
			continue
		}
		if holds, err := s.Adapter.Holds(ctx, s.Source, ids); err != nil || !holds {
			continue
		}
		sum, err := s.Adapter.Summarize(ctx, s.Source)
		if err != nil {
			continue
		}
		for _, m := range sum.Records {
			r := byMark[m.Mark]
			if m.Mark == 0 || r == nil {
				continue
			}
			if before && r.Flags&record.Copy == 0 {
				r.Flags |= record.Copy
				if out.Session.Copied++; out.Session.CopiedFrom == "" {
					out.Session.CopiedFrom = w.sessionHandle(s.Source)
				}
			}
			name := record.Record{Agent: r.Agent, ID: r.ID}
			w.nameRecord(s, &name, !before)
			r.Also = append(r.Also, name.Handle)
		}
	}
	for _, h := range hits {
		if h.Record.Flags&record.Copy != 0 {
			w.nameRecord(of, h.Record, true)
		}
	}
	return nil
}

// around gives the records that were named, by id or by line, with n records
// before and after. Where a line has none, the next line that has stands for it.
func around(all []*record.Record, t target, n int) []*record.Record {
	n = min(n, len(all))
	from, to := byID(all, t.record)
	if t.record == "" {
		from, to = onLine(all, t.line)
	}
	if from < 0 {
		return nil
	}
	return all[max(0, from-n):min(len(all), to+n)]
}

// byID gives the range of the records of an id; a bare id is that of all records
// of its line.
func byID(all []*record.Record, id string) (from, to int) {
	from = -1
	for i, r := range all {
		base, _, _ := strings.Cut(r.ID, "#")
		if r.ID != id && base != id {
			continue
		}
		if from < 0 {
			from = i
		}
		to = i + 1
	}
	return from, to
}

// onLine gives the range of the records of a line, or of the next that has any.
func onLine(all []*record.Record, line int) (from, to int) {
	from = -1
	for i, r := range all {
		if r.Line == line {
			from = i
			break
		}
		if from < 0 && r.Line > line {
			from = i
		}
	}
	if from < 0 {
		return -1, 0
	}
	for to = from + 1; to < len(all) && all[to].Line == all[from].Line; to++ {
	}
	return from, to
}

// subagents lists the subagents whose transcripts belong to a session's.
func (l *Library) subagents(ctx context.Context, w *world, of search.Source) ([]Subagent, error) {
	var srcs []search.Source
	for _, s := range w.sources {
		if s.Family == of.Family && s.Subagent != "" {
			srcs = append(srcs, s)
		}
	}
	seq, err := search.Order(ctx, srcs, l.opts.Workers, nil)
	if err != nil {
		return nil, err
	}
	var subs []Subagent
	for _, s := range seq.Sources {
		sub := Subagent{SubagentRef: record.SubagentRef{ID: s.Subagent}}
		for item, err := range s.Adapter.Read(ctx, s.Source, agent.Plan{Titles: true}) {
			if err != nil {
				break
			}
			if r := item.Record; r != nil {
				if sub.Title = r.Title; r.Subagent != nil {
					sub.SubagentRef = *r.Subagent
				}
				break
			}
		}
		subs = append(subs, sub)
	}
	return subs, nil
}

// inline lists the subagents whose records stand inside a transcript.
func inline(hits []search.Hit) []Subagent {
	var subs []Subagent
	seen := map[string]bool{}
	for _, h := range hits {
		if ref := h.Record.Subagent; ref != nil && !seen[ref.ID] {
			seen[ref.ID] = true
			subs = append(subs, Subagent{*ref, h.Record.Title})
		}
	}
	return subs
}

// unspill puts the text of the file that a tool's result was spilled to behind
// it. A file that is gone leaves the result as it is.
func (w *world) unspill(of search.Source, r *record.Record) {
	if r.Spill == "" {
		return
	}
	for _, s := range w.sources {
		if s.Store.Coverage == catalog.Inspect && s.Session == of.Session && path.Base(s.Name) == r.Spill && folderOf(s) == folderOf(of) {
			f, err := s.Open()
			if err != nil {
				return
			}
			defer f.Close()
			if b, err := agent.Whole(f); err == nil {
				r.Text += "\n\n" + string(b)
			}
			return
		}
	}
}
