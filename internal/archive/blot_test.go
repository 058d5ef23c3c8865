package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// starred is a file that is not given as it is.
type starred struct {
	*strings.Reader
	yes bool
}

func (s starred) Blotted() bool { return s.yes }

func putStarred(t *testing.T, w *Writer, name, content string) Put {
	t.Helper()
	given := strings.ReplaceAll(content, "secret", "******")
	live := agent.Info{Name: name, Mode: 0o600, Size: int64(len(content)), MTime: time.Unix(1_600_000_000, 5)}
	return must(w.Put(context.Background(), keyOf(name), Label{Store: "claude.session", Session: "s1"}, starred{strings.NewReader(given), given != content}, int64(len(content)), live))(t)
}

func blot(ctx context.Context, w *Writer, ids ...int64) error {
	_, err := w.Blot(ctx, ids, func(s *Source, v Version, content io.ReaderAt) (io.ReaderAt, error) {
		b, err := io.ReadAll(io.NewSectionReader(content, 0, v.Size))
		return bytes.NewReader(bytes.ReplaceAll(b, []byte("secret"), []byte("******"))), err
	})
	return err
}

// No hash of what was blotted out is left, in no pack, and a file that is blotted
// likewise goes on where it was.
func TestBlot(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	w := newWriter(t, dir)
	p := put(t, w, "log", "a secret one\n")
	freshPack(t, w)
	put(t, w, "log", "a secret one\ntail\n") // the second pack tells of it, and has a frame
	put(t, w, "other", "tail\n")             // that another needs
	commit(t, w)
	sums := [][32]byte{sha256.Sum256([]byte("a secret one\n")), sha256.Sum256([]byte("a secret one\ntail\n"))}
	for _, sum := range sums {
		if len(traces(t, dir, string(sum[:]))) == 0 {
			t.Fatal("the test looks for a hash that was never there")
		}
	}
	if err := blot(ctx, w, p.ID); err != nil {
		t.Fatal(err)
	}
	for _, sum := range sums {
		if got := traces(t, dir, string(sum[:])); len(got) > 0 {
			t.Errorf("a hash of it is still in %v", got)
		}
	}
	if got := traces(t, dir, "secret"); len(got) > 0 {
		t.Errorf("still in %v", got)
	}
	if got := putStarred(t, w, "log", "a secret one\ntail\n"); !got.Same {
		t.Errorf("the file as it was: %+v", got)
	}
	if got := putStarred(t, w, "log", "a secret one\ntail\nmore\n"); got.Added != 5 || got.Version != 1 {
		t.Errorf("the file grew: %+v", got)
	}
	if got := putStarred(t, w, "log", "another secret\n"); got.Version != 2 {
		t.Errorf("the file was rewritten: %+v", got)
	}
	putStarred(t, w, "fork", "a secret one\n")
	putStarred(t, w, "clean", "nothing\n")
	putStarred(t, w, "clean", "nothing\nbut a secret\n")
	commit(t, w)
	got := contents(t, w.Archive())
	for name, want := range map[string][]string{
		"log": {"a ****** one\ntail\nmore\n", "another ******\n"}, "fork": {"a ****** one\n"}, "clean": {"nothing\nbut a ******\n"}, "other": {"tail\n"},
	} {
		if !equal(got[name], want) {
			t.Errorf("%s: %q", name, got[name])
		}
	}
	for _, s := range must(w.Archive().Sources(ctx))(t) {
		for _, v := range s.Versions {
			if v.Masked != (s.Name != "other") {
				t.Errorf("%s, version %d: masked is %v", s.Name, v.Number, v.Masked)
			}
		}
	}
	if got := putStarred(t, w, "clean", "nothing\nbut a secret\nend\n"); got.Version != 1 || got.Added != 4 {
		t.Errorf("one that had no secret at first grew: %+v", got)
	}
	commit(t, w)
	if faults, err := w.Archive().Verify(ctx, nil); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}
