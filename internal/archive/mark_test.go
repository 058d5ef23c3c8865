package archive

import (
	"context"
	"testing"
)

// A mark holds until anything else changes the archive.
func TestMark(t *testing.T) {
	ctx := context.Background()
	w := newWriter(t, t.TempDir())
	none := func(what string) {
		t.Helper()
		if m, ok := w.Mark(ctx); ok {
			t.Errorf("%s: there is the mark %v", what, m)
		}
	}
	want := Mark{Sum: -7, Files: 2}
	mark := func() {
		t.Helper()
		w.SetMark(want)
		commit(t, w)
		if m, ok := w.Mark(ctx); !ok || m != want {
			t.Errorf("%v, %v, want %v", m, ok, want)
		}
	}
	none("a new archive")
	p := put(t, w, "a", "one\n")
	mark()
	mark() // again, and nothing else
	put(t, w, "a", "one\ntwo\n")
	commit(t, w)
	none("something was kept")
	mark()
	if _, err := w.Forget(ctx, []int64{p.ID}, "a test"); err != nil {
		t.Fatal(err)
	}
	none("something was forgotten")
}
