package search

import (
	"bytes"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Sessions that begin at one time are looked through to see whether their order matters;
// those that were looked through in vain are not read again, and no others are spared.
func TestSourcesThatWereLookedThroughInVain(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	m := &rootfs.Memory{Folder: "/data"}
	adapter := heads{byPath: map[string]agent.Head{}, records: map[string][]agent.Identified{}}
	var srcs []Source
	add := func(name, text string, when time.Time) {
		m.File(name, text, at)
		adapter.byPath[name] = agent.Head{Time: when}
		srcs = append(srcs, Source{Source: &agent.Source{Root: m, Name: name, Path: name, Family: name, Store: &catalog.Store{Role: "primary_chat"}}, Adapter: adapter})
	}
	add("fork1", "nothing\n", at)
	add("fork2", "a needle\n", at)
	add("fork3", "nothing\n", at)
	add("alone", "nothing\n", at.Add(time.Minute))
	test := agent.LineTest(func(line []byte) bool { return bytes.Contains(line, []byte("needle")) })
	seq, err := Order(t.Context(), srcs, 2, test)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range seq.Sources {
		if want := s.Name == "fork1" || s.Name == "fork3"; s.Barren != want {
			t.Errorf("%s: barren %v", s.Name, s.Barren)
		}
	}
	if seq, err = Order(t.Context(), srcs, 2, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range seq.Sources {
		if s.Barren {
			t.Errorf("%s is barren, and nobody looked", s.Name)
		}
	}
}
