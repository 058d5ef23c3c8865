package own

import (
	"errors"
	"path/filepath"
	"testing"
)

// One run holds a lock at a time, and the next gets it when it is given back.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TakeLock(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second run gets %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := TakeLock(filepath.Join(path, "x")); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("below a file: %v", err)
	}
}
