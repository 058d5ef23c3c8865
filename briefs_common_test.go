package seshat

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What shares an id with what is fresh is found, however many ids there are.
func TestCommonIDs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, each := range []int{0, 3, 40_000} { // 40,000 are more than are compared at once
		var sets []idSet
		var lists [][]uint64
		for i := range 20 {
			ids := make([]uint64, each)
			for k := range ids {
				ids[k] = rng.Uint64()
			}
			lists = append(lists, ids)
			sets = append(sets, idSet{fresh: i%2 == 0})
		}
		want := make([]bool, len(sets))
		for _, pair := range [][2]int{{0, 2}, {4, 5}, {7, 9}, {11, 6}} {
			if each == 0 {
				continue
			}
			lists[pair[1]][rng.IntN(each)] = lists[pair[0]][rng.IntN(each)]
			if sets[pair[0]].fresh || sets[pair[1]].fresh {
				want[pair[0]], want[pair[1]] = true, true
			}
		}
		for i := range sets {
			sets[i].each = slices.Values(lists[i])
		}
		if got := common(sets); !slices.Equal(got, want) {
			t.Errorf("of %d ids each, shared are %v, want %v", each, got, want)
		}
	}
}
