package corpus

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// memory is a tree that was not written to a disk.
type memory map[string][]byte

func inMemory(t *testing.T, spec Spec, goroutines int) (memory, *Tree) {
	t.Helper()
	var mu sync.Mutex
	files := memory{}
	tree, err := build(spec, goroutines, func(name string, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if files[name] != nil {
			t.Errorf("%s is written twice", name)
		}
		files[name] = bytes.Clone(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, tree
}

func small(t *testing.T, agent string) Spec {
	t.Helper()
	spec, err := Named(agent, "2m")
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestBytesDependOnTheSpecAlone(t *testing.T) {
	for _, agent := range []string{"claude", "gemini"} {
		spec := small(t, agent)
		spec.Files = 24
		one, tree := inMemory(t, spec, 1)
		two, again := inMemory(t, spec, 2)
		if !maps.EqualFunc(one, two, bytes.Equal) {
			t.Errorf("%s: two goroutines write other bytes than one", agent)
		}
		if !slices.EqualFunc(tree.Queries, again.Queries, func(a, b Query) bool { return a.Name == b.Name && a.Want == b.Want }) {
			t.Errorf("%s: two goroutines count otherwise than one", agent)
		}
		spec.Seed = 2
		if other, _ := inMemory(t, spec, 2); maps.EqualFunc(one, other, bytes.Equal) {
			t.Errorf("%s: another seed gives the same tree", agent)
		}
	}
}

func TestTreeOnDiskIsTheTree(t *testing.T) {
	spec := small(t, "claude")
	want, _ := inMemory(t, spec, 1)
	home := t.TempDir()
	if _, err := Write(home, spec, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(home, spec, 2); err == nil {
		t.Error("a tree is written over another")
	}
	for name, data := range want {
		got, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s differs on the disk: %v", name, err)
		}
	}
}

func transcripts(files memory) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool {
		return !strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, "/history.jsonl")
	})
}

func TestSizeAndNumberOfFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a tree of 20 MB and more takes the race detector minutes; make unit makes it")
	}
	for _, agent := range []string{"claude", "gemini"} {
		spec := Spec{Agent: agent, Seed: 3, Bytes: 20_000_000, Files: 25}
		files, tree := inMemory(t, spec, 2)
		names := transcripts(files)
		if len(names) != spec.Files || tree.Files != spec.Files {
			t.Errorf("%s: %d files, told of %d, want %d", agent, len(names), tree.Files, spec.Files)
		}
		var size int64
		for _, name := range names {
			size += int64(len(files[name]))
		}
		if size != tree.Bytes || size < spec.Bytes*95/100 || size > spec.Bytes*115/100 {
			t.Errorf("%s: %d bytes, told of %d, want about %d", agent, size, tree.Bytes, spec.Bytes)
		}
	}
}

// lengths gives the lengths of all lines of transcripts, sorted, and how many
// bytes lines of each kind have.
func lengths(t *testing.T, files memory) (sorted []int, kinds map[string]int, total int) {
	t.Helper()
	kinds = map[string]int{}
	for _, name := range transcripts(files) {
		for l := range bytes.Lines(files[name]) {
			var v claudeLine
			if err := json.Unmarshal(l, &v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sorted = append(sorted, len(l))
			kinds[v.sort()] += len(l)
			total += len(l)
		}
	}
	slices.Sort(sorted)
	return sorted, kinds, total
}

// What it prints with -v stands in doc/performance.md.
func TestShapeIsThatOfRealTranscripts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a tree of 20 MB and more takes the race detector minutes; make unit makes it")
	}
	files, tree := inMemory(t, Spec{Agent: "claude", Seed: 4, Bytes: 25_000_000, Files: 20}, 2)
	sorted, kinds, total := lengths(t, files)
	t.Logf("%d bytes in %d transcripts", total, tree.Files)
	for _, want := range []struct{ percent, low, high int }{{10, 600, 1000}, {50, 1100, 1700}, {90, 5500, 8500}, {99, 35_000, 65_000}} {
		got := sorted[len(sorted)*want.percent/100]
		t.Logf("%d of a hundred lines are shorter than %d bytes", want.percent, got)
		if got < want.low || got > want.high {
			t.Errorf("%d of a hundred lines are shorter than %d bytes, want %d to %d", want.percent, got, want.low, want.high)
		}
	}
	mean, longest := total/len(sorted), sorted[len(sorted)-1]
	t.Logf("lines have %d bytes on average, %d at most", mean, longest)
	if mean < 3500 || mean > 4800 || longest > 400_000 {
		t.Errorf("lines have %d bytes on average, %d at most", mean, longest)
	}
	for kind, want := range map[string][2]int{"tool_result": {70, 82}, "tool_use": {8, 14}, "thinking": {5, 11}, "text": {2, 7}, "prompt": {0, 2}} {
		got := kinds[kind] * 100 / total
		t.Logf("%d of a hundred bytes are %s lines", got, kind)
		if got < want[0] || got > want[1] {
			t.Errorf("%d of a hundred bytes are %s lines, want %d to %d", got, kind, want[0], want[1])
		}
	}
	text := 0
	for _, r := range claudeRecords(t, files) {
		text += len(r.text)
	}
	share := text * 100 / total
	t.Logf("%d of a hundred bytes are text that is read", share)
	if share < 20 || share > 40 {
		t.Errorf("%d of a hundred bytes are text that is read", share)
	}
	for word, want := range map[string][2]int{"parser": {5, 20}, "error": {10, 30}, "the": {90, 100}} {
		got := linesWith(files, word) * 100 / len(sorted)
		t.Logf("%s stands in %d of a hundred lines", word, got)
		if got < want[0] || got > want[1] {
			t.Errorf("%s stands in %d of a hundred lines, want %d to %d", word, got, want[0], want[1])
		}
	}
}

// linesWith counts the lines of transcripts that hold a word.
func linesWith(files memory, word string) (n int) {
	for _, name := range transcripts(files) {
		for l := range bytes.Lines(files[name]) {
			if bytes.Contains(l, []byte(word)) {
				n++
			}
		}
	}
	return n
}

func TestNamedTrees(t *testing.T) {
	if _, err := Named("claude", "3g"); err == nil {
		t.Error("a size that is not known is no mistake")
	}
	if _, err := Named("codex", "1g"); err == nil {
		t.Error("an agent that is not known is no mistake")
	}
}
