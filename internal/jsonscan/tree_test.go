package jsonscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// What is asked for by name is the last member of that name, at any depth of the
// tree, and nothing where nothing is.
func TestTreeTells(t *testing.T) {
	text := []byte(`{"type":"x","message":{"content":[{"type":"text"},{"n":1}],"id":"m"},"ty\u0070e":"user"}`)
	var tree Tree
	for depth := range 5 {
		if _, rest, strict, ok := tree.Parse(text, depth); !ok || !strict || len(rest) > 0 {
			t.Fatal("refused")
		}
		top := tree.Root()
		for want, got := range map[string]Value{
			`"user"`: top.Get("type").Value(), `"m"`: top.Get("message").Get("id").Value(), ``: top.Get("none").Get("of").Value(),
			`[{"type":"text"},{"n":1}]`: top.Get("message").Get("content").Value(),
		} {
			if string(got) != want {
				t.Errorf("depth %d: got %q, want %q", depth, got, want)
			}
		}
		n := 0
		for e := range top.Get("message").Get("content").Elems() {
			if n++; e.Kind() != Object {
				t.Errorf("depth %d: an element is of kind %v", depth, e.Kind())
			}
		}
		if n != 2 {
			t.Errorf("depth %d: %d elements, want 2", depth, n)
		}
	}
}

// A value with more members than a tree holds is whole all the same.
func TestTreeOfACrowd(t *testing.T) {
	const many = crowd + 10
	text := []byte(`{"list":[` + strings.Repeat("1,", many-1) + `2],"last":"x"}`)
	var tree Tree
	if _, _, _, ok := tree.Parse(text, 4); !ok {
		t.Fatal("refused")
	}
	n := 0
	for range tree.Root().Get("list").Elems() {
		n++
	}
	if got := tree.Root().Get("last").Text(); n != many || got != "x" {
		t.Errorf("%d elements and %q, want %d and x", n, got, many)
	}
	if tree.Parse([]byte(`{"a":`), 4); tree.Root().Kind() != Absent {
		t.Error("what is no value has a root")
	}
}

// The times that JavaScript writes are read as any other.
func TestTimesAreReadAlike(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	digits := func(n, most int) string { return fmt.Sprintf("%0*d", n, rnd.IntN(most)) }
	for _, text := range []string{"2026-02-29T00:00:00.000Z", "2024-02-29T00:00:00.000Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+01:00", "2026-01-02 03:04:05.678Z", "2o26-01-02T03:04:05.678Z", ""} {
		want, _ := time.Parse(time.RFC3339Nano, text)
		if got := Value(`"` + text + `"`).Time(); !got.Equal(want) {
			t.Errorf("%s is read as %v, want %v", text, got, want)
		}
	}
	for range 50000 {
		text := digits(4, 10000) + "-" + digits(2, 14) + "-" + digits(2, 33) + "T" + digits(2, 26) + ":" + digits(2, 62) + ":" + digits(2, 62) + "." + digits(3, 1000) + "Z"
		want, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || want.Year() < 1 {
			want = time.Time{}
		}
		if got := Value(`"` + text + `"`).Time(); !got.Equal(want) {
			t.Fatalf("%s is read as %v, want %v", text, got, want)
		}
	}
}

func BenchmarkTree(b *testing.B) {
	text := string(bytes.Repeat([]byte(`some output of a tool\n\twith \"quotes\" and more of it on the next line\n`), 40))
	line := []byte(`{"parentUuid":"11111111-1111-4111-8111-111111111111","type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` +
		text + `"}]},"toolUseResult":{"stdout":"` + text + `","ok":true},"uuid":"x"}`)
	var tree Tree
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, _, _, ok := tree.Parse(line, 4); !ok {
			b.Fatal("refused")
		}
	}
}
