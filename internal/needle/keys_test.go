package needle

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// keysSlow finds the same in the simplest way.
func keysSlow(b []byte) (newlines, ids []int) {
	for i := range b {
		if b[i] == '\n' {
			newlines = append(newlines, i)
		}
		if bytes.HasPrefix(b[i:], []byte(`id"`)) || bytes.HasPrefix(b[i:], []byte(`ids"`)) {
			ids = append(ids, i)
		}
	}
	return newlines, ids
}

func TestKeysAreFoundWhereverTheyStand(t *testing.T) {
	narrowly(func() { keysStand(t) })
}

func keysStand(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	pieces := []string{`"uuid":"`, `"id":`, "\n", "id", "ids", `ids"`, "i", "d", `"`, "s", strings.Repeat("x", 31), strings.Repeat("y", 70)}
	var k Keys
	for range 20000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := []byte(b.String())
		k.Find(text)
		newlines, ids := keysSlow(text)
		if !slices.Equal(k.Newlines, newlines) || !slices.Equal(k.IDs, ids) {
			t.Fatalf("in %q there are newlines at %v and ids at %v, want %v and %v", text, k.Newlines, k.IDs, newlines, ids)
		}
	}
	many := bytes.Repeat([]byte("\nid\""), 5000) // more than there is room for at once
	k.Find(many)
	if len(k.Newlines) != 5000 || len(k.IDs) != 5000 {
		t.Errorf("%d newlines and %d ids of 5000", len(k.Newlines), len(k.IDs))
	}
}

func BenchmarkKeys(b *testing.B) {
	line := `{"parentUuid":"9f059d56-c90f-4a97-91b4-1a4e383504df","message":{"id":"msg_1","content":"` + strings.Repeat(`if err := p.next(); err != nil {\n\treturn err\n}\n`, 60) + `"},"uuid":"x"}` + "\n"
	text := bytes.Repeat([]byte(line), 60)
	var k Keys
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		k.Find(text)
	}
}
