package sums

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

func random(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// Every length of a part, at every place in a block that the whole may be at, and the
// whole after it.
func TestPart(t *testing.T) {
	text := random(4 * least)
	for before := range block + 1 {
		for n := least - 2; n < least+3*block; n++ {
			w := New()
			_, _ = w.Write(text[:before])
			part := text[before:][:n]
			if got, want := w.Part(part), sha256.Sum256(part); got != want {
				t.Fatalf("a part of %d bytes after %d: %x, want %x", n, before, got, want)
			}
			if got, want := w.Sum(), sha256.Sum256(text[:before+n]); got != want {
				t.Fatalf("%d bytes and a part of %d: %x, want %x", before, n, got, want)
			}
		}
	}
}

// Parts and other bytes in any order.
func TestWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	text := random(1 << 20)
	for range 200 {
		w := New()
		if rng.IntN(2) == 0 {
			_, _ = w.Write(text)
			_ = w.Part(text)
			w.Reset()
		}
		end := 0
		for end < len(text) {
			n := min(rng.IntN(1<<uint(1+rng.IntN(19))), len(text)-end)
			part := text[end : end+n]
			if end += n; rng.IntN(4) == 0 {
				_, _ = w.Write(part)
			} else if got, want := w.Part(part), sha256.Sum256(part); got != want {
				t.Fatalf("%d bytes up to %d: %x, want %x", n, end, got, want)
			}
			if got, want := w.Sum(), sha256.Sum256(text[:end]); rng.IntN(3) == 0 && got != want {
				t.Fatalf("%d bytes: %x, want %x", end, got, want)
			}
		}
		if got, want := w.Sum(), sha256.Sum256(text); got != want {
			t.Fatalf("all: %x, want %x", got, want)
		}
	}
}

// A value that others published: a million times "a", in FIPS 180.
func TestMillion(t *testing.T) {
	w := New()
	const want = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
	if part := w.Part(bytes.Repeat([]byte("a"), 1_000_000)); hex.EncodeToString(part[:]) != want {
		t.Errorf("the part: %x", part)
	}
	if whole := w.Sum(); hex.EncodeToString(whole[:]) != want {
		t.Errorf("the whole: %x", whole)
	}
}

// Where the processor can, both are made in one pass: else the package is of no use.
func TestAbreast(t *testing.T) {
	if able && !saves() {
		t.Error("the library saves a hash in another way than this package knows")
	}
}

func BenchmarkPart(b *testing.B) {
	text := random(1<<20 + 7)
	for name, each := range map[string]func(w *Whole) [32]byte{
		"one pass":   func(w *Whole) [32]byte { return w.Part(text) },
		"two passes": func(w *Whole) [32]byte { _, _ = w.Write(text); return sha256.Sum256(text) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			w := New()
			for b.Loop() {
				each(w)
			}
		})
	}
}
