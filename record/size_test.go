package record

import "testing"

func TestSizeRoundsIntoTheNextUnit(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KB", 1535: "1 KB", 1536: "2 KB", 1<<20 - 513: "1023 KB", 1<<20 - 1: "1 MB", 3 << 20: "3 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
