package archive

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
)

// The memory of frames that are not kept is used again, and nobody who still reads one
// sees another in its place: several read all files at the same time, from end to end and
// here and there, with room for a frame or two.
func TestFramesShareMemory(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	a := must(Open(dir))(t)
	defer a.Close()
	a.frames.most = 2 * rooms[0]
	list := must(a.Sources(context.Background()))(t)
	var readers sync.WaitGroup
	for n := range 6 {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(3, uint64(n)))
			for range 40 {
				s := &list[rng.IntN(len(list))]
				v := s.Versions[len(s.Versions)-1]
				content := want[s.Name][len(want[s.Name])-1]
				f := a.File(s, v)
				if n%2 == 0 {
					f = a.Skim(s, v)
				}
				got := make([]byte, min(int64(1+rng.IntN(300)), v.Size))
				for off := int64(0); off < v.Size; off += int64(len(got)) {
					got = got[:min(int64(len(got)), v.Size-off)]
					if _, err := f.ReadAt(got, off); err != nil && err != io.EOF || string(got) != content[off:][:len(got)] {
						t.Errorf("%s: %d bytes at %d: %v", s.Name, len(got), off, err)
						return
					}
				}
			}
		})
	}
	readers.Wait()
	if a.frames.size > a.frames.most || a.frames.last.Len() != len(a.frames.kept) || len(a.frames.spent) > keepSpent {
		t.Errorf("%d bytes, %d frames in order and %d by hash are kept, %d of them spent", a.frames.size, a.frames.last.Len(), len(a.frames.kept), len(a.frames.spent))
	}
}

// The beginnings of files stay while others are read from end to end.
func TestSpentFramesGoFirst(t *testing.T) {
	w := newWriter(t, t.TempDir())
	put(t, w, "head", "one\ntwo\n")
	for i := range 2 * keepSpent {
		put(t, w, string(rune('a'+i)), string(rune('a'+i))+"\n")
	}
	commit(t, w)
	a := w.Archive()
	list := must(a.Sources(context.Background()))(t)
	read := func(name string, n int64) {
		for i := range list {
			if s := &list[i]; s.Name == name {
				if _, err := a.Skim(s, s.Versions[0]).ReadAt(make([]byte, n), 0); err != nil {
					t.Fatal(name, err)
				}
			}
		}
	}
	read("head", 4)
	for i := range 2 * keepSpent {
		read(string(rune('a'+i)), 2)
	}
	if got := a.frames.last.Len(); got != 1+keepSpent {
		t.Errorf("%d frames are kept, want the head and %d", got, keepSpent)
	}
	before := a.frames.last.Back().Value.(*unpacked)
	if read("head", 8); string(before.raw) != "one\ntwo\n" || len(a.frames.spent) != keepSpent || a.frames.spent[keepSpent-1] != before {
		t.Errorf("the head was not kept, or is not spent: %q", before.raw)
	}
}

func TestSpares(t *testing.T) {
	for n, want := range map[int64]int{0: firstFrame, firstFrame: firstFrame, firstFrame + 1: 4 * firstFrame, frameTarget: frameTarget, frameTarget + 1: maxFrame, maxFrame: maxFrame} {
		if got := roomFor(n); got != want {
			t.Errorf("%d bytes: room for %d, want %d", n, got, want)
		}
	}
	var s spares
	first := append(s.take(10), "content"...)
	s.give(first)
	s.give(make([]byte, 0, firstFrame)) // not one of ours
	if b := s.take(20); len(b) != 0 || !bytes.Equal(b[:7], []byte("content")) {
		t.Error("a buffer that was given back is not used again")
	}
	if b := s.take(20); bytes.Equal(b[:7], []byte("content")) {
		t.Error("a buffer is given out twice")
	}
	for range 2 * mostSpares {
		s.give(make([]byte, 0, maxFrame+slack))
	}
	if got := len(s[class(maxFrame)]); got != mostSpares {
		t.Errorf("%d buffers wait, want %d", got, mostSpares)
	}
}
