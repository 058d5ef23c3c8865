package seshat

import (
	"context"
	"errors"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
)

// Held says how far something that may be deleted is archived.
type Held string

// How far something is archived. The zero value is of what seshat never archives.
const (
	HeldWhole Held = "yes"
	HeldPart  Held = "part"
	HeldNot   Held = "no"
)

// and gives how far two things together are archived.
func (h Held) and(other Held) Held {
	switch {
	case h == "" || h == other:
		return other
	case other == "":
		return h
	}
	return HeldPart
}

// holdings is what the archive holds of this machine. The zero value knows of nothing.
type holdings struct {
	how     keeping
	machine string
	known   map[archive.Key]*archive.Source
	buried  map[sessionKey]bool // sessions that were forgotten
	belongs map[string]agent.Adapter
}

// holdings reads what the archive holds; without an archive that is nothing.
func (l *Library) holdings(ctx context.Context) (*holdings, error) {
	h := &holdings{how: l.keeping(), known: map[archive.Key]*archive.Source{}, buried: map[sessionKey]bool{}, belongs: map[string]agent.Adapter{}}
	for _, a := range l.all {
		h.belongs[a.Name()] = a
	}
	a, err := l.openArchive()
	if errors.Is(err, ErrNoArchive) {
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if h.machine, err = l.machine(); err != nil {
		return nil, err
	}
	all, err := a.Sources(ctx)
	for i := range all {
		h.known[all[i].Key] = &all[i]
	}
	if err != nil {
		return nil, err
	}
	forgotten, err := readForgotten(ctx, a)
	for _, s := range forgotten.sessions {
		h.buried[s] = true
	}
	return h, err
}

// of tells how far a source is archived. What was forgotten is not kept again, and so not
// missed.
func (h *holdings) of(src *agent.Source) Held {
	if h.belongs == nil || h.how.of(src.Store, nil) == notKept || h.buried[sessionKey{src.Agent, h.belongs[src.Agent].Belongs(src)}] {
		return ""
	}
	key := archive.Key{Machine: h.machine, Agent: src.Agent, Dir: src.Root.Dir(), Name: src.Name}
	if strings.HasSuffix(src.Name, "/") {
		return h.below(key)
	}
	s := h.known[key]
	switch {
	case s == nil || len(s.Versions) == 0:
		return HeldNot
	case s.Pending != "" || s.Live.Size != src.Info.Size || !s.Live.MTime.Equal(src.Info.MTime):
		return HeldPart
	}
	return HeldWhole
}

// below tells how far a folder that is one row of the catalogue is archived, by the
// files that the archive has from there.
func (h *holdings) below(dir archive.Key) (held Held) {
	for key, s := range h.known {
		if key.Machine != dir.Machine || key.Agent != dir.Agent || key.Dir != dir.Dir || !strings.HasPrefix(key.Name, dir.Name) {
			continue
		}
		if s.Pending != "" {
			return HeldPart
		}
		held = HeldWhole
	}
	if held == "" {
		return HeldNot
	}
	return held
}

// ofLoss tells how far what is lost together is archived.
func (h *holdings) ofLoss(loss *Loss) (held Held) {
	for _, f := range loss.Fates {
		held = held.and(h.of(f.Source))
	}
	return held
}
