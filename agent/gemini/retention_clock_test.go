package gemini

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/seshat-dev/seshat/internal/rootfs"
)

// loaded gives the ids of the history as the clean-up sees it.
func loaded(t testing.TB, data string) []string {
	t.Helper()
	m := &rootfs.Memory{}
	m.File("x", data, mtime)
	f, err := m.Open("x")
	if err != nil {
		t.Fatal(err)
	}
	l, err := load(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(l.ids, func(id string) bool { return id == "" })
}

// The history is that of a plain fold, on random logs and on every chat of the
// corpus.
func TestTheLoaderFoldsAsAPlainFoldDoes(t *testing.T) {
	for seed := range uint64(2000) {
		data := writer{rand.New(rand.NewPCG(seed, 1))}.log(t)
		if got, want := loaded(t, data), foldNaively([]byte(data)).order; !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q, want %q\n%s", seed, got, want, data)
		}
	}
	for _, dir := range homes(t) {
		for _, src := range discoverIn(t, dir) {
			if !isChat(src) {
				continue
			}
			data, err := os.ReadFile(src.Path)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := loaded(t, string(data)), foldNaively(data).order; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", src.Path, got, want)
			}
		}
	}
}

// Chats and ages of any bytes are read without a crash.
func FuzzClock(f *testing.F) {
	f.Add(usedOn(0, "s", asked("m", "hello")))
	f.Add("\ufeff{}\n{\"$rewindTo\":\"x\"}")
	f.Add("{\"sessionId\":\"s\",\"messages\":[{}]}")
	f.Fuzz(func(t *testing.T, data string) {
		loaded(t, data)
		ageOf(data)
	})
}
