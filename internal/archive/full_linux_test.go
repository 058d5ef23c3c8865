package archive

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// mount mounts a small file system in memory, where that is allowed.
func mount(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip("mounting is not allowed here:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// When the disk is full, what was committed stays, and the next writer goes on when
// there is room again.
func TestFullDisk(t *testing.T) {
	disk := mount(t, "size=600k")
	dir := filepath.Join(disk, "archive")
	for seed := range uint64(6) {
		filler := filepath.Join(disk, "filler")
		if err := os.WriteFile(filler, make([]byte, 200<<10), 0o600); err != nil {
			t.Fatal(err)
		}
		m := newModel()
		rng := rand.New(rand.NewPCG(seed, 3))
		w := must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
		var before *model
		var err error
		for n := 0; err == nil; n++ {
			before = m.clone()
			if err = step(rng, m, w); n > 5000 {
				t.Fatal("the disk is never full")
			}
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Logf("the error is %v", err) // SQLite says it in its own words
		}
		_ = w.Close()
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		w = must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
		if err := sameContents(t, w.Archive(), m); err != nil {
			if err2 := sameContents(t, w.Archive(), before); err2 != nil {
				t.Fatalf("seed %d: neither before nor after:\n%v\n%v", seed, err2, err)
			}
			m = before
		}
		if err := step(rng, m, w); err != nil {
			t.Fatal(err)
		}
		if err := sameContents(t, w.Archive(), m); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// An archive that may only be read is read.
func TestReadOnly(t *testing.T) {
	disk := mount(t, "size=4m")
	dir := filepath.Join(disk, "archive")
	want := filled(t, dir)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=4m"); err != nil {
		t.Fatal(err)
	}
	a := must(Open(dir))(t)
	defer a.Close()
	if got := contents(t, a); len(got) != len(want) || !equal(got["a"], want["a"]) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := Write(dir, "here", clock()); err == nil {
		t.Error("it is written to")
	}
}
