package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seshat-dev/seshat/agent"
)

// skimmed gives ways to skim the current version of a source.
func skimmed(t *testing.T, a *Archive, list []Source, s *Source) map[string]agent.File {
	t.Helper()
	all := must(a.SkimAll(context.Background(), list))(t)
	return map[string]agent.File{"one": a.Skim(s, s.Versions[len(s.Versions)-1]), "all": all[s.ID]}
}

func skimAll(f agent.File) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(f, 0, f.Info().Size))
}

// What is skimmed is what was kept; where a bit of the pack changed it is an error, or
// still right.
func TestSkim(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	check := func(whole bool) {
		t.Helper()
		a := must(Open(dir))(t)
		defer a.Close()
		list := must(a.Sources(context.Background()))(t)
		for i := range list {
			s := &list[i]
			content := want[s.Name][len(want[s.Name])-1]
			for how, f := range skimmed(t, a, list, s) {
				got, err := skimAll(f)
				var damage *DamageError
				if err == nil && string(got) != content || err != nil && (whole || !errors.As(err, &damage)) {
					t.Fatalf("%s, %s: %d bytes, %v", s.Name, how, len(got), err)
				}
				if f.Info() != Info(s, s.Versions[len(s.Versions)-1]) {
					t.Errorf("%s, %s: %+v", s.Name, how, f.Info())
				}
			}
		}
	}
	check(true)
	rng := rand.New(rand.NewPCG(7, 7))
	for range 150 {
		inPlace(t, filepath.Join(dir, packFolder, packName(1)), func(b []byte) []byte {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
			return b
		}, func() { check(false) })
	}
}

// A frame that was skimmed is held against its hash all the same where that counts, and
// one without a checksum of its own always is.
func TestSkimmedFrames(t *testing.T) {
	content := bytes.Repeat([]byte("content "), 100)
	for _, sum := range []bool{true, false} {
		e := must(zstd.NewWriter(nil, zstd.WithEncoderCRC(sum)))(t)
		stored := e.EncodeAll(content, nil)
		dir := t.TempDir()
		d := osDisk{}
		w := must(d.create(filepath.Join(dir, packName(1))))(t)
		if _, err := w.WriteAt(stored, 0); err != nil {
			t.Fatal(err)
		}
		w.Close()
		f := newFrames(&packs{dir: dir, disk: d, open: map[int64]file{}})
		at := place{Pack: 1, Stored: int64(len(stored)), Raw: int64(len(content))}
		wrong := [32]byte{1}
		if got, err := f.get(wrong, at, true); (err == nil) != sum || sum && !bytes.Equal(got.raw, content) {
			t.Errorf("checksum %v: skimmed with %v", sum, err)
		}
		for range 2 {
			if _, err := f.get(wrong, at, false); err == nil {
				t.Errorf("checksum %v: a frame with another hash is read", sum)
			}
		}
	}
}

// A source that was forgotten after it was listed is not damage.
func TestSkimForgotten(t *testing.T) {
	ctx := context.Background()
	w := newWriter(t, t.TempDir())
	gone := put(t, w, "a", "one\n")
	put(t, w, "b", "two\n")
	commit(t, w)
	list := must(w.Archive().Sources(ctx))(t)
	if _, err := w.Forget(ctx, []int64{gone.ID}, ""); err != nil {
		t.Fatal(err)
	}
	all := must(w.Archive().SkimAll(ctx, list))(t)
	if _, err := skimAll(all[gone.ID]); !errors.Is(err, ErrChanged) {
		t.Errorf("the one that was forgotten: %v", err)
	}
	if got, err := skimAll(all[list[1].ID]); string(got) != "two\n" || err != nil {
		t.Errorf("the other: %q, %v", got, err)
	}
}
