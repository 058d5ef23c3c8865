package agent

import (
	"slices"
	"sort"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// Digest gathers what the items of a transcript tell about its session. An adapter
// adds what only the transcript as a whole tells.
type Digest struct {
	Summary Summary
	// Own reports whether a record counts towards the session itself.
	Own func(*record.Record) bool

	models  map[string]int
	records int
}

// Item takes one item in.
func (d *Digest) Item(it Item) {
	switch {
	case it.Damage != nil:
		d.Summary.Damage = append(d.Summary.Damage, *it.Damage)
	case it.Record != nil:
		d.record(it.Record)
	}
}

func (d *Digest) record(r *record.Record) {
	own := d.Own(r)
	m := Marked{Mark: MarkOf(r), Stamp: StampOf(r), Kind: r.Kind, Count: own}
	if m.Mark != 0 {
		m.ID = IDHash(r.ID)
	}
	d.Summary.Records = append(d.Summary.Records, m)
	d.Count(r.Kind, r.Model, r.Time, own)
}

// Count takes in a record of which no more is known. own tells whether it counts
// towards the session itself.
func (d *Digest) Count(kind record.Kind, model string, when time.Time, own bool) {
	d.records++
	s := &d.Summary.Session
	if s.Started.IsZero() || when.Before(s.Started) {
		s.Started = when
	}
	if when.After(s.LastActive) {
		s.LastActive = when
	}
	if !own {
		return
	}
	s.Counts.Add(kind)
	if model != "" {
		if d.models == nil {
			d.models = map[string]int{}
		}
		d.models[model]++
	}
}

// Finish fills in what follows from all items: the models, the most used first,
// and the state.
func (d *Digest) Finish() {
	s := &d.Summary.Session
	for m := range d.models {
		s.Models = append(s.Models, m)
	}
	sort.Slice(s.Models, func(i, j int) bool {
		a, b := s.Models[i], s.Models[j]
		return d.models[a] > d.models[b] || d.models[a] == d.models[b] && a < b
	})
	s.State = record.StateLive
	lost := slices.ContainsFunc(d.Summary.Damage, func(x Damage) bool { return !x.Cleared })
	if d.records == 0 && lost {
		s.State = record.StateDamaged
	}
}
