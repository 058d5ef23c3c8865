package search

import (
	"errors"
	"fmt"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// maxWarnings bounds how many warnings an answer carries; the counts go on.
const maxWarnings = 1000

// Tally gathers how complete an answer is.
type Tally struct {
	Progress func(done int) // told how many sources are done, when set

	done     int
	answer   record.Answer
	unknown  map[string]*sight
	order    []string // of unknown things, as first seen
	noReader map[string]int
	stores   []string // of noReader, as first seen
	dropped  int
	lost     int // unread bytes that may have held what was asked for
}

// sight is one place of an unknown thing and how many files have it.
type sight struct {
	path  string
	line  int
	files int
}

// Problem counts a place that could not be looked into.
func (t *Tally) Problem(p agent.Problem) {
	t.answer.Sources.Failed++
	t.warn(record.Warning{Path: p.Path, Reason: p.Reason})
}

// End counts a source that was read to its end, or failed with err.
func (t *Tally) End(src *agent.Source, err error) {
	if err != nil {
		t.Failed(src, err)
	} else {
		t.answer.Sources.Read++
		t.answer.Bytes += src.Info.Size
	}
	t.done++
	if t.Progress != nil {
		t.Progress(t.done)
	}
}

// Failed counts a source that could not be read, wholly or from some point on.
func (t *Tally) Failed(src *agent.Source, err error) {
	t.answer.Sources.Failed++
	if errors.Is(err, agent.ErrNoReader) {
		if t.noReader == nil {
			t.noReader = map[string]int{}
		}
		if t.noReader[src.Store.ID]++; t.noReader[src.Store.ID] == 1 {
			t.stores = append(t.stores, src.Store.ID)
		}
		return
	}
	t.warn(record.Warning{Path: src.Path, Reason: agent.Reason(err)})
}

// Damage counts a stretch of a source that could not be read as it should.
func (t *Tally) Damage(src *agent.Source, d *agent.Damage) {
	if d.Pending {
		t.answer.Pending++
	} else {
		t.answer.DamagedLines++
	}
	if !d.Cleared {
		t.lost++
	}
	t.warn(record.Warning{Path: src.Path, Line: d.Line, Reason: d.Reason})
}

// Unknown notes a thing that no reader knows, with the first place of it.
func (t *Tally) Unknown(src *agent.Source, u *agent.Unknown) {
	if t.unknown == nil {
		t.unknown = map[string]*sight{}
	}
	if u.Lost {
		t.lost++
	}
	if s := t.unknown[u.What]; s != nil {
		s.files++
		return
	}
	t.unknown[u.What] = &sight{src.Path, u.Line, 1}
	t.order = append(t.order, u.What)
}

// Stop notes that a limit ended the reading early.
func (t *Tally) Stop() { t.lost++ }

// Join counts in what another reading of the same sources left unread: damage and
// sources that failed are already counted, but what may have been lost is not.
func (t *Tally) Join(other *Tally) { t.lost += other.lost }

// Match counts n results.
func (t *Tally) Match(n int) { t.answer.Matches += n }

// Hidden gives the counts of what a default leaves out, to be added to.
func (t *Tally) Hidden() *record.Hidden { return &t.answer.Hidden }

func (t *Tally) warn(w record.Warning) {
	if len(t.answer.Warnings) < maxWarnings {
		t.answer.Warnings = append(t.answer.Warnings, w)
	} else {
		t.dropped++
	}
}

// Answer gives the sum. An answer is complete when every source was read and no
// damaged or pending bytes could have held what was asked for.
func (t *Tally) Answer() *record.Answer {
	a := t.answer
	a.Warnings = append([]record.Warning(nil), a.Warnings...)
	for _, store := range t.stores {
		n := t.noReader[store]
		a.Warnings = append(a.Warnings, record.Warning{Path: store, Reason: fmt.Sprintf("%v: %s not searched", agent.ErrNoReader, Count(n, "file"))})
	}
	for _, what := range t.order {
		s := t.unknown[what]
		a.Warnings = append(a.Warnings, record.Warning{Path: s.path, Line: s.line, Reason: fmt.Sprintf("%s is not known; it stands in %s", what, Count(s.files, "file"))})
	}
	if t.dropped > 0 {
		a.Warnings = append(a.Warnings, record.Warning{Reason: fmt.Sprintf("%d more warnings are not listed", t.dropped)})
	}
	a.Complete = a.Sources.Failed == 0 && t.lost == 0
	return &a
}

// Count writes a number with its word, in the plural where it must be.
func Count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
