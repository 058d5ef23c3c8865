package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How much memory may fill up beside what is in use before it is looked through for what
// is not: as much again, but not so little that commands which are over before that
// would pay begin to look, nor so much that a long one holds twice what it needs. Near
// what a command should hold at most it is looked through more often.
const (
	leastRoom = 28 << 20
	mostRoom  = 48 << 20
	enough    = 112 << 20
	scarce    = 20 << 20
)

// most is how much memory Go may hold altogether before it gives back to the system what
// it has freed, as long as what is in use leaves it a fifth.
const most = 128 << 20

// smallest is the heap, at the usual hundred per cent, below which Go never looks.
const smallest = 4 << 20

// keepRoom sets the mark for the first look, and after each look the mark for the next.
func keepRoom() {
	debug.SetGCPercent(100 * leastRoom / smallest)
	own := debug.SetMemoryLimit(-1) == math.MaxInt64 // else somebody asked for another
	if own {
		debug.SetMemoryLimit(most)
	}
	runtime.SetFinalizer(&look{own: own}, (*look).done)
}

// look is freed by every look through the memory, and tells of it.
type look struct {
	own bool // the limit is ours
	_   [16]byte
}

func (l *look) done() {
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	if used[0].Value.Kind() == metrics.KindUint64 {
		n := used[0].Value.Uint64()
		debug.SetGCPercent(percent(n))
		if l.own {
			debug.SetMemoryLimit(int64(max(most, n+n/4)))
		}
	}
	runtime.SetFinalizer(&look{own: l.own}, (*look).done)
}

// percent gives the room for so many bytes in use as Go is told it.
func percent(used uint64) int {
	used = max(used, smallest)
	room := min(max(used, leastRoom), mostRoom)
	room = min(room, max(enough-min(used, enough), scarce))
	room = max(room, used/4)
	return int(100 * room / used)
}
