package main

import "testing"

func TestRoomBesideWhatIsInUse(t *testing.T) {
	for _, x := range []struct{ used, room uint64 }{{0, 28}, {7, 28}, {28, 28}, {40, 40}, {64, 48}, {80, 32}, {100, 25}, {400, 100}} {
		used := x.used << 20
		got := max(used, smallest) * uint64(percent(used)) / 100
		if want := x.room << 20; got > want || got < want-want/25 {
			t.Errorf("with %d MiB in use there is room for %d bytes, want about %d", x.used, got, want)
		}
	}
}
