package agent

import (
	"slices"
	"sort"

	"github.com/seshat-dev/seshat/record"
)

// Digest gathers what the items of a transcript tell about its session. An adapter
// adds what only the transcript as a whole tells.
type Digest struct {
	Summary Summary
	// Own reports whether a record counts towards the session itself.
	Own func(*record.Record) bool

	models map[string]int
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
	d.Summary.Records = append(d.Summary.Records, Marked{Mark: MarkOf(r), Time: r.Time, Kind: r.Kind, Count: own})
	s := &d.Summary.Session
	if s.Started.IsZero() || r.Time.Before(s.Started) {
		s.Started = r.Time
	}
	if r.Time.After(s.LastActive) {
		s.LastActive = r.Time
	}
	if !own {
		return
	}
	s.Counts.Add(r.Kind)
	if r.Model != "" {
		if d.models == nil {
			d.models = map[string]int{}
		}
		d.models[r.Model]++
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
	if len(d.Summary.Records) == 0 && lost {
		s.State = record.StateDamaged
	}
}
