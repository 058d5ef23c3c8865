package search

import (
	"math/bits"

	"github.com/seshat-dev/seshat/agent"
)

// origins tells which source had a record first. There may be millions of records, and
// nearly all stand in one source with one text: these take sixteen bytes each.
type origins struct {
	shards [64]shard

	// By mark, what does not fit: a record whose id an earlier one has with another text,
	// or that stands although the earlier one was taken back.
	owners map[agent.Mark]int32
	undone map[agent.Mark]int32
}

// shard is an open hash table. Tables are small and many, so that little is copied when
// one grows, and grows by little.
type shard struct {
	slots []origin
	used  int
}

// origin is the first record with an id: bits of its mark, the number of its source and
// whether it was taken back.
type origin struct{ id, first uint64 }

// How many bytes an origin has, and about how many the system gives at once.
const (
	originBytes = 16
	page        = 4 << 10
)

const (
	sourceBits = 23
	takenBack  = 1 << sourceBits
	sourceMask = takenBack - 1
	markMask   = ^uint64(takenBack | sourceMask)
)

func originOf(id uint64, m agent.Mark, source int32, undone bool) origin {
	o := origin{id, uint64(m)&markMask | uint64(source)}
	if undone {
		o.first |= takenBack
	}
	return o
}

// note notes a record and gives the source that owns it, and the first source that has a
// record of its id; both may be its own. What was taken back owns nothing that stands.
func (o *origins) note(id uint64, m agent.Mark, source int32, undone bool) (owner, first int32) {
	slot := o.shards[id>>58].slot(id)
	if slot.id == 0 {
		*slot = originOf(id, m, source, undone)
		return source, source
	}
	first = int32(slot.first & sourceMask)
	same, back := slot.first&markMask == uint64(m)&markMask, slot.first&takenBack != 0
	if same && !back {
		return first, first
	}
	owner = o.owners[m]
	if owner == 0 && undone {
		if owner = o.undone[m]; same {
			owner = first
		}
	}
	if owner == 0 {
		if o.owners == nil {
			o.owners, o.undone = map[agent.Mark]int32{}, map[agent.Mark]int32{}
		}
		owner = source
		if undone {
			o.undone[m] = source
		} else {
			o.owners[m] = source
		}
	}
	return owner, first
}

// slot gives the place of an id, which is not 0: empty where it is new.
func (s *shard) slot(id uint64) *origin {
	if 5*(s.used+1) > 4*len(s.slots) {
		s.grow()
	}
	slot := s.find(id)
	if slot.id == 0 {
		s.used++
	}
	return slot
}

func (s *shard) find(id uint64) *origin {
	at, _ := bits.Mul64(id<<6, uint64(len(s.slots)))
	for {
		if slot := &s.slots[at]; slot.id == 0 || slot.id == id {
			return slot
		}
		if at++; at == uint64(len(s.slots)) {
			at = 0
		}
	}
}

func (s *shard) grow() {
	old := s.slots
	s.slots = make([]origin, max(16, len(old)+len(old)/4))
	for i := 0; i < len(s.slots); i += page / originBytes { // a page that is read first is made twice
		s.slots[i] = origin{}
	}
	for _, slot := range old {
		if slot.id != 0 {
			*s.find(slot.id) = slot
		}
	}
}
