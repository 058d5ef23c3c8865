// Package retention puts together what the clean-ups of agents will do: which
// sessions lose something within some time, what they lose, and what that comes to
// in each project.
//
// A reader may rely on this. Everything here is a function of its arguments: no
// file is opened and no clock is asked. A date is the earliest that is possible by
// what was seen; what an agent's adapter was not sure of counts as deleted.
package retention

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// Loss is what one session loses, or what is lost together of no session.
type Loss struct {
	Agent   string
	Family  string          // of the session; empty where there is none
	Session *record.Session // as a list tells it; nil where no list does
	Project record.Project
	Fates   []agent.Fate // the earliest first
}

// Earliest is when the first of it may go.
func (l *Loss) Earliest() time.Time { return l.Fates[0].Earliest }

// Bytes is the size of the files of it that are told one by one.
func (l *Loss) Bytes() (n int64) {
	for _, f := range l.Fates {
		n += size(f.Source)
	}
	return n
}

// size is that of a file; a folder that is one row has none.
func size(src *agent.Source) int64 {
	if !src.Info.Mode.IsRegular() {
		return 0
	}
	return src.Info.Size
}

// Within leaves the fates that may come to pass until a moment.
func Within(fates []agent.Fate, until time.Time) []agent.Fate {
	return slices.DeleteFunc(slices.Clone(fates), func(f agent.Fate) bool { return f.Earliest.After(until) })
}

// Group puts fates together by the session that they hurt; what belongs to no
// session, by its store and the folder it is cleaned from. The loss that comes
// first is the first.
func Group(fates []agent.Fate) []*Loss {
	byKey := map[string]*Loss{}
	var out []*Loss
	for _, f := range fates {
		key := f.Source.Agent + "\x00" + f.Family
		if f.Family == "" {
			key += "\x00" + f.Source.Store.ID + "\x00" + f.Where
		}
		l := byKey[key]
		if l == nil {
			l = &Loss{Agent: f.Source.Agent, Family: f.Family}
			byKey[key] = l
			out = append(out, l)
		}
		l.Fates = append(l.Fates, f)
	}
	for _, l := range out {
		slices.SortStableFunc(l.Fates, func(a, b agent.Fate) int {
			return cmp.Or(a.Earliest.Compare(b.Earliest), strings.Compare(a.Source.Path, b.Source.Path))
		})
	}
	slices.SortStableFunc(out, func(a, b *Loss) int {
		return cmp.Or(a.Earliest().Compare(b.Earliest()), strings.Compare(a.Fates[0].Source.Path, b.Fates[0].Source.Path))
	})
	return out
}

// Key names a session among those of all agents.
type Key struct{ Agent, Family string }

// Sessions gives when the first transcript of each session may go, of the fates that
// several agents told. Where only transcripts of subagents are there, they stand for
// it.
func Sessions(told ...[]agent.Fate) map[Key]time.Time {
	n := 0
	for _, fates := range told {
		n += len(fates)
	}
	own, subagents := make(map[Key]time.Time, n), map[Key]time.Time{}
	for _, fates := range told {
		for i := range fates {
			f := &fates[i]
			key := Key{f.Source.Agent, f.Family}
			switch {
			case f.Family == "":
			case f.Source.Transcript():
				keep(own, key, f.Earliest)
			case f.Source.Subagent != "":
				keep(subagents, key, f.Earliest)
			}
		}
	}
	for key, at := range subagents {
		if _, ok := own[key]; !ok {
			own[key] = at
		}
	}
	return own
}

func keep(m map[Key]time.Time, key Key, at time.Time) {
	if old, known := m[key]; !known || at.Before(old) {
		m[key] = at
	}
}

// Total is what one project loses.
type Total struct {
	Project  record.Project // empty for what belongs to none
	Sessions int
	Files    int
	Bytes    int64
	Earliest time.Time
}

// Totals sums losses up by project, the project that loses first being the first,
// and what belongs to none the last.
func Totals(losses []*Loss) []*Total {
	byKey := map[string]*Total{}
	var out []*Total
	for _, l := range losses {
		key := cmp.Or(l.Project.Root, l.Project.Name)
		t := byKey[key]
		if t == nil {
			p := l.Project
			p.Worktree = ""
			t = &Total{Project: p, Earliest: l.Earliest()}
			byKey[key] = t
			out = append(out, t)
		}
		if l.Family != "" {
			t.Sessions++
		}
		if l.Earliest().Before(t.Earliest) {
			t.Earliest = l.Earliest()
		}
		t.Files += len(l.Fates)
		t.Bytes += l.Bytes()
	}
	none := func(t *Total) int {
		if t.Project.Name == "" && t.Project.Root == "" {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b *Total) int {
		return cmp.Or(none(a)-none(b), a.Earliest.Compare(b.Earliest), strings.Compare(a.Project.Root, b.Project.Root))
	})
	return out
}
