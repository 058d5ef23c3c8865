package main

import (
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

// smallest is the heap, at the usual hundred per cent, below which Go never looks.
const smallest = 4 << 20

// keepRoom sets the mark for the first look, and after each look the mark for the next.
func keepRoom() {
	debug.SetGCPercent(100 * leastRoom / smallest)
	runtime.SetFinalizer(&look{}, (*look).done)
}

// look is freed by every look through the memory, and tells of it.
type look struct{ _ [16]byte }

func (*look) done() {
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	if used[0].Value.Kind() == metrics.KindUint64 {
		debug.SetGCPercent(percent(used[0].Value.Uint64()))
	}
	runtime.SetFinalizer(&look{}, (*look).done)
}

// percent gives the room for so many bytes in use as Go is told it.
func percent(used uint64) int {
	used = max(used, smallest)
	room := min(max(used, leastRoom), mostRoom)
	room = min(room, max(enough-min(used, enough), scarce))
	room = max(room, used/4)
	return int(100 * room / used)
}
