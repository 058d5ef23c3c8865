package rootfs

import (
	"errors"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/crash"
)

// A panic while names are looked at is an error of the listing, whichever core meets it.
func TestLookAtAllPanics(t *testing.T) {
	for _, n := range []int{1, 10 * few} {
		var e *crash.Error
		if _, err := lookAtAll(n, func(int) agent.Info { panic("broken") }); !errors.As(err, &e) {
			t.Errorf("%d names: %v", n, err)
		}
	}
}
