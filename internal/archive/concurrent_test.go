package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// A reader that looks while a writer works sees each source as it was after one of its
// commits, and never waits for long or gets an error.
func TestReaderDuringWriter(t *testing.T) {
	dir := t.TempDir()
	w := must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
	defer w.Close()
	var mu sync.Mutex
	seen := map[string]map[string]bool{} // what each name held after a commit
	m := newModel()
	note := func() {
		mu.Lock()
		defer mu.Unlock()
		for name, versions := range m.contents() {
			if seen[name] == nil {
				seen[name] = map[string]bool{}
			}
			for _, v := range versions {
				seen[name][v] = true
			}
		}
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			a, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer a.Close()
			for {
				select {
				case <-stop:
					return
				default:
				}
				got, err := readAll(a)
				if errors.Is(err, ErrChanged) {
					continue
				}
				faults, verr := a.Verify(context.Background(), nil)
				if err != nil || verr != nil || len(faults) > 0 {
					t.Error(err, verr, faults)
					return
				}
				mu.Lock()
				for name, versions := range got {
					for _, v := range versions {
						if !seen[name][v] {
							t.Errorf("%q: %q was never committed", name, v)
						}
					}
				}
				mu.Unlock()
			}
		})
	}
	rng := rand.New(rand.NewPCG(11, 11))
	for range 60 {
		before := m.clone()
		seed := rng.Uint64()
		// What a step will commit is known before it does.
		if err := step(rand.New(rand.NewPCG(seed, 0)), m, nil); err != nil {
			t.Fatal(err)
		}
		note()
		m = before
		if err := step(rand.New(rand.NewPCG(seed, 0)), m, w); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	readers.Wait()
}

// The lock holds between processes, and ends with the one that has it.
func TestBusyBetweenProcesses(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedDir+"="+dir, killedSeed+"=1", killedSteps+"=0")
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "1\n" {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := Write(dir, "here", clock()); !errors.Is(err, ErrBusy) {
		t.Errorf("a second writer gets %v", err)
	}
	a, err := Open(dir)
	if err == nil {
		_, err = a.Sources(context.Background())
		a.Close()
	}
	if err != nil {
		t.Errorf("a reader gets %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	w, err := Write(dir, "here", clock())
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
}

// A fault says in one sentence what is hurt, where, and why.
func TestDamageSays(t *testing.T) {
	e := DamageError{ID: 3, Key: keyOf("a.jsonl"), Version: 2, Offset: 10, Length: 5, Pack: "packs/000001.pack", Reason: "the pack ends before it"}
	want := "/home/me/.claude/a.jsonl: bytes 10 to 15 of version 2 are damaged in the archive (packs/000001.pack): the pack ends before it"
	if got := e.Error(); got != want {
		t.Error(got)
	}
	e = DamageError{Pack: "packs/000001.pack", Offset: 10, Length: 5, Reason: "nothing can be read"}
	if got := e.Error(); got != "packs/000001.pack: bytes 10 to 15: nothing can be read" {
		t.Error(got)
	}
}

// A file that gets shorter while it is read is an error, and the archive stays as it was.
func TestShorter(t *testing.T) {
	w := newWriter(t, t.TempDir())
	put(t, w, "a", "one\n")
	for size, content := range map[int64]string{10: "one\ntwo\n", 3: "on"} {
		if _, err := w.Put(context.Background(), keyOf("a"), Label{}, strings.NewReader(content), size, live(size)); err == nil {
			t.Errorf("%q as %d bytes is kept", content, size)
		}
	}
	commit(t, w)
	if got := contents(t, w.Archive()); fmt.Sprint(got) != "map[a:[one\n]]" {
		t.Errorf("%q", got)
	}
}
