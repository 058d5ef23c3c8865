package search

import (
	"math/rand/v2"
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

// plainOrigins does the same with maps.
type plainOrigins struct {
	owners, undone map[agent.Mark]int32
	places         map[uint64]int32
}

func (p *plainOrigins) note(id uint64, m agent.Mark, source int32, undone bool) (owner, first int32) {
	owner, known := p.owners[m]
	among := p.owners
	if undone {
		if among = p.undone; !known {
			owner, known = among[m]
		}
	}
	if !known {
		owner = source
		among[m] = owner
	}
	if first, known = p.places[id]; !known {
		first = source
		p.places[id] = first
	}
	return owner, first
}

func TestOrigins(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, ids := range []int{3, 50, 20000} {
		var o origins
		p := plainOrigins{map[agent.Mark]int32{}, map[agent.Mark]int32{}, map[uint64]int32{}}
		hashes := make([]uint64, ids)
		for i := range hashes {
			hashes[i] = rng.Uint64() | 1
		}
		for source := int32(1); source < 40; source++ {
			for range ids/4 + 3 {
				id := hashes[rng.IntN(ids)]
				m := agent.Mark(id*3 ^ uint64(rng.IntN(2)+1)<<40 | 1)
				undone := rng.IntN(4) == 0
				owner, first := o.note(id, m, source, undone)
				wantOwner, wantFirst := p.note(id, m, source, undone)
				if owner != wantOwner || first != wantFirst {
					t.Fatalf("%d ids: source %d is told %d and %d, want %d and %d", ids, source, owner, first, wantOwner, wantFirst)
				}
			}
		}
	}
}
