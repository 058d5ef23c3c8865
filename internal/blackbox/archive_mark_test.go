package blackbox

import (
	"os"
	"testing"
	"time"
)

// A run that has found nothing left to do saves the next one its work, but for none of
// what can change since.
func TestArchiveAfterNothingWasLeft(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	one := h.Claude("/srv/app", S1, U("a", "", "one"))
	two := h.Claude("/srv/app", S2, U("b", "", "two"))
	h.archive(t, 0)
	time.Sleep(2100 * time.Millisecond) // files that changed only just now are not believed
	quiet := func() {
		t.Helper()
		for range 2 {
			items, sum := h.archive(t, 1)
			wantDid(t, items)
			if sum.Sources.Read != 2 {
				t.Errorf("%d files, want 2", sum.Sources.Read)
			}
		}
	}
	quiet()
	h.Append(one, h.Fill("/srv/app", S1, U("c", "a", "more")))
	items, _ := h.archive(t, 0)
	wantDid(t, items, "grown "+h.Tilde(one)[2:])
	time.Sleep(2100 * time.Millisecond)
	quiet()
	if err := os.Remove(two); err != nil {
		t.Fatal(err)
	}
	items, _ = h.archive(t, 1)
	wantDid(t, items, "gone "+h.Tilde(two)[2:])
	h.Run("archive", "forget", S1, "--yes").exits(t, 0)
	items, _ = h.archive(t, 1)
	wantDid(t, items, "forgotten "+h.Tilde(one)[2:])
}
