package search

import (
	"hash/maphash"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// Hit is what is kept of a record until its turn comes.
type Hit struct {
	Record *record.Record
	Lines  []Line // the lines that match, when a pattern was looked for
	Count  int    // how many lines match; all of them are in Lines, or none
	Note   any    // what else a question keeps of the record

	Counted []agent.Counted // instead of a record: many of which only the numbers of lines are wanted
	Records int             // and how many of them are shown

	silent bool       // not asked for: only for what it tells about later hits
	mark   agent.Mark // 0 when the agent gave the record no id
	id     uint64     // of agent and id
	prompt uint64     // of the folded text of a prompt or command, else 0
	typed  uint64     // likewise of what was typed, where that differs
}

// Line is one line of a record's text: one that matches, or one beside it.
type Line struct {
	Index   int   // in the record's text, from 0
	From    int   // where it begins in that text, in bytes
	No      int   // in the source
	Offset  int64 // of the source's line
	Text    string
	Ranges  [][]int // byte ranges of the matches
	Context bool    // it stands beside a line that matches
}

// countedWeight is how many bytes a counted record holds.
const countedWeight = 16

// lineWeight is about how many bytes a line holds beside its text.
const lineWeight = 160

// Weight is about how many bytes a hit holds while it waits its turn.
func (h Hit) Weight() int {
	if h.Counted != nil {
		return countedWeight * len(h.Counted)
	}
	n := len(h.Record.Text)
	for _, l := range h.Lines {
		n += lineWeight + len(l.Text)
	}
	return n
}

// Mark is the record's mark; 0 when its agent gave it no id.
func (h Hit) Mark() agent.Mark { return h.mark }

var seed = maphash.MakeSeed()

func hash(parts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, p := range parts {
		h.WriteString(p)
		h.WriteByte(0)
	}
	return h.Sum64() | 1
}

// media is how a transcript shows what was pasted beside a prompt's text; a prompt
// log does not.
var media = regexp.MustCompile(`\n\n\[(?:image|document)(?: [^\]\n]*)?\]`)

// folded makes prompts comparable that differ in white space and in how media are
// shown.
func folded(text string) string {
	if strings.Contains(text, "\n\n[") {
		text = media.ReplaceAllString(text, "")
	}
	if folded, ok := foldASCII(text); ok {
		return folded
	}
	return strings.Join(strings.Fields(text), " ")
}

// foldASCII puts a single space for all white space between words and none around them;
// ok is false where a text is not ASCII.
func foldASCII(text string) (folded string, ok bool) {
	out := make([]byte, 0, len(text))
	space := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			return "", false
		case c == ' ' || '\t' <= c && c <= '\r':
			space = len(out) > 0
			continue
		case space:
			out = append(out, ' ')
			space = false
		}
		out = append(out, c)
	}
	return unsafe.String(unsafe.SliceData(out), len(out)), true
}

// NewHit notes of a record what folding needs, which is all of its text.
func NewHit(r *record.Record) Hit {
	h := Hit{Record: r, mark: agent.MarkOf(r)}
	if h.mark != 0 {
		h.id = hash(r.Agent, r.ID)
	}
	if r.Kind == record.Prompt || r.Kind == record.Command {
		h.prompt = hash(folded(r.Text))
		if r.Typed != "" {
			h.typed = hash(folded(r.Typed))
		}
	}
	return h
}

// NewScored notes of a record that its agent scored what folding needs. It is no prompt.
func NewScored(s *agent.Scored) Hit {
	return Hit{Record: s.Record, mark: s.Mark, id: hash(s.Record.Agent, s.Record.ID)}
}

// Silent gives a hit that is not asked for. A prompt may make a prompt log's entry
// a twin; with ids set, the id of any record may be that of a later one.
func Silent(r *record.Record, ids bool) (Hit, bool) {
	if r.Kind != record.Prompt && r.Kind != record.Command && (!ids || !r.Named()) {
		return Hit{}, false
	}
	h := NewHit(r)
	h.silent = true
	h.Record = &record.Record{Agent: r.Agent, Session: r.Session, ID: r.ID, Time: r.Time, Origin: r.Origin, Flags: r.Flags}
	return h, true
}

// Hush gives the hit as one that is not asked for: it only tells what folding needs
// to know of later ones.
func (h Hit) Hush() Hit {
	h.silent = true
	return h
}

// Silent reports whether the hit was not asked for.
func (h Hit) Silent() bool { return h.silent }

// Folder decides which hits are shown: the first place of a record owns it, later
// ones are copies; an entry of a prompt log that a transcript has is its twin.
// Hits must come in the order of all answers, prompt logs last.
type Folder struct {
	Superseded bool // show what its agent took back
	Copies     bool // show copies, flagged
	Hidden     *record.Hidden
	Counting   bool                       // hits come without ids, so that none is said to be shared
	Project    func(record.Origin) string // what the places of one project have in common; the folder when nil

	origins origins
	numbers map[string]int32 // of the sources, by path: there may be millions of marks, and few sources
	path    string           // of the source at hand
	number  int32            // and its number
	prompts map[spoken][]time.Time
}

// spoken names a prompt: who said it (a session or a project) and what.
type spoken struct{ where, what uint64 }

// How far apart the two times of one prompt may be.
const (
	sameSession = 10 * time.Minute
	sameProject = 5 * time.Second
)

// Show reports whether a hit is shown, and notes it for those that follow. shared
// tells that another source has a record with the same id.
func (f *Folder) Show(s Source, h Hit) (show, shared bool) {
	r := h.Record
	if s.Store.Role == "prompt_history" {
		if f.twin(h) {
			return false, false
		}
		return !h.silent, false
	}
	f.remember(h)
	owner, first := f.note(s, h)
	switch {
	case h.silent:
		return false, false
	case r.Flags&record.Superseded != 0 && !f.Superseded:
		f.Hidden.Superseded++
		return false, false
	case owner != f.number:
		r.Flags |= record.Copy
		if !f.Copies {
			f.Hidden.Copy++
			return false, false
		}
	}
	return true, first != f.number
}

// Count folds counted records as Show does single ones. It gives the number of their
// lines that are shown, and of the records that have them.
func (f *Folder) Count(s Source, counted []agent.Counted) (lines, records int) {
	f.turn(s.Path)
	for _, c := range counted {
		if owner, _ := f.origins.note(uint64(c.Mark), c.Mark, f.number, false); owner != f.number && !f.Copies {
			f.Hidden.Copy++
			continue
		}
		lines += c.Lines
		records++
	}
	return lines, records
}

// turn notes which source the hits come from.
func (f *Folder) turn(path string) {
	if f.path == path && f.number > 0 {
		return
	}
	if f.numbers == nil {
		f.numbers = map[string]int32{}
	}
	if f.numbers[path] == 0 {
		f.numbers[path] = int32(len(f.numbers)) + 1
	}
	f.path, f.number = path, f.numbers[path]
}

// note gives the owner of a record, and the first place that has a record of its
// id; both may be this one.
func (f *Folder) note(s Source, h Hit) (owner, first int32) {
	f.turn(s.Path)
	if h.mark == 0 {
		return f.number, f.number
	}
	id := h.id
	if f.Counting {
		id = uint64(h.mark)
	}
	return f.origins.note(id, h.mark, f.number, h.Record.Flags&record.Superseded != 0)
}

// remember notes a prompt of a transcript.
func (f *Folder) remember(h Hit) {
	if h.prompt == 0 {
		return
	}
	if f.prompts == nil {
		f.prompts = map[spoken][]time.Time{}
	}
	for _, where := range []uint64{inSession(h.Record), f.inProject(h.Record)} {
		for _, what := range []uint64{h.prompt, h.typed} {
			if key := (spoken{where, what}); what != 0 {
				f.prompts[key] = append(f.prompts[key], h.Record.Time)
			}
		}
	}
}

func inSession(r *record.Record) uint64 { return hash("session", r.Agent, r.Session) }

func (f *Folder) inProject(r *record.Record) uint64 {
	project := r.Origin.CWD
	if f.Project != nil {
		project = f.Project(r.Origin)
	}
	return hash("project", r.Agent, project)
}

// twin reports whether a transcript has the prompt of a log's entry.
func (f *Folder) twin(h Hit) bool {
	where, within := inSession(h.Record), sameSession
	if h.Record.Session == "" {
		where, within = f.inProject(h.Record), sameProject
	}
	for _, t := range f.prompts[spoken{where, h.prompt}] {
		if d := t.Sub(h.Record.Time); d <= within && d >= -within {
			return true
		}
	}
	return false
}
