package corpus

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Write makes a tree below home, which has to be empty or missing, with so many
// goroutines.
func Write(home string, spec Spec, goroutines int) (*Tree, error) {
	if there, err := os.ReadDir(home); err == nil && len(there) > 0 {
		return nil, fmt.Errorf("%s is not empty", home)
	}
	save := func(name string, data []byte) error {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o600)
	}
	return build(spec, goroutines, save)
}

// build makes a tree and hands each of its files to save, which has to stand
// being called by several goroutines at once.
func build(spec Spec, goroutines int, save func(name string, data []byte) error) (*Tree, error) {
	lib := newLibrary(spec.Seed)
	families := plan(spec, plants(newRNG(spec.Seed, -3), lib))
	logs := make([][]entry, len(families))
	total := newTally()
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		next  int
		first error
	)
	for range max(goroutines, 1) {
		wg.Go(func() {
			mk := &maker{lib: lib, tally: newTally(), save: save, spec: spec}
			for {
				mu.Lock()
				i := next
				next++
				stop := first != nil || i >= len(families)
				mu.Unlock()
				if stop {
					break
				}
				log, err := mk.family(families[i])
				mu.Lock()
				if logs[i] = log; err != nil && first == nil {
					first = err
				}
				mu.Unlock()
			}
			mu.Lock()
			total.add(mk.tally)
			mu.Unlock()
		})
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	if err := finish(spec.Agent, logs, save); err != nil {
		return nil, err
	}
	return &Tree{Spec: spec, Files: total.files, Bytes: total.bytes, Lines: total.lines, Queries: total.queries()}, nil
}

// finish writes what is about all sessions.
func finish(agent string, logs [][]entry, save func(string, []byte) error) error {
	if agent == "gemini" {
		return promptLogs(logs, save)
	}
	return save(".claude/history.jsonl", promptLog(logs))
}

// promptLog puts the entries of all sessions in the order of time.
func promptLog(logs [][]entry) []byte {
	all := slices.Concat(logs...)
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	for _, e := range all {
		out = append(out, e.json...)
	}
	return out
}
