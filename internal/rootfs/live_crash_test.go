package rootfs

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/seshat-dev/seshat/internal/crash"
)

// broken is a name that cannot be looked at without a panic.
type broken struct{ fs.DirEntry }

func (broken) Info() (fs.FileInfo, error) { panic("broken") }

// A panic while names are looked at is an error of the listing, whichever core meets it.
func TestLookAtAllPanics(t *testing.T) {
	for _, n := range []int{1, 10 * few} {
		entries := make([]fs.DirEntry, n)
		for i := range entries {
			entries[i] = broken{}
		}
		var e *crash.Error
		if _, err := lookAtAll(entries); !errors.As(err, &e) {
			t.Errorf("%d names: %v", n, err)
		}
	}
}
