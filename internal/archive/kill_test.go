package archive

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// A run of the tests that is started with killedDir does steps of a seed on an archive
// there, until it is killed. After each it prints the number of it.
const killedDir, killedSeed, killedSteps = "SESHAT_KILLED_DIR", "SESHAT_KILLED_SEED", "SESHAT_KILLED_STEPS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedDir); dir != "" {
		if err := untilKilled(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func untilKilled(dir string) error {
	seed, err := strconv.ParseUint(os.Getenv(killedSeed), 10, 64)
	if err != nil {
		return err
	}
	done, err := strconv.Atoi(os.Getenv(killedSteps))
	if err != nil {
		return err
	}
	w, err := write(dir, "here", clock(), osDisk{}, "WAL", small)
	if err != nil {
		return err
	}
	m := newModel()
	for n := 0; ; n++ {
		to := w
		if n < done {
			to = nil
		}
		if err := step(rand.New(rand.NewPCG(seed, uint64(n))), m, to); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if to != nil {
			fmt.Println(n + 1)
		}
	}
}

// modelAfter gives the model after some steps of a seed.
func modelAfter(t *testing.T, seed uint64, steps int) *model {
	t.Helper()
	m := newModel()
	for n := range steps {
		if err := step(rand.New(rand.NewPCG(seed, uint64(n))), m, nil); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// A program that was killed at any moment has lost nothing that it had committed, and
// the next one goes on.
func TestKilled(t *testing.T) {
	seeds := uint64(2)
	if testing.Short() {
		seeds = 1
	}
	rng := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for seed := range seeds {
		dir, done := t.TempDir(), 0
		for range 5 {
			done = killOnce(t, dir, seed, done, time.Duration(20+rng.IntN(250))*time.Millisecond)
		}
		t.Logf("seed %d: %d steps", seed, done)
	}
}

// killOnce starts a program that goes on with a step, kills it, and gives the number of
// steps that the archive holds.
func killOnce(t *testing.T, dir string, seed uint64, done int, in time.Duration) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedDir+"="+dir, fmt.Sprintf("%s=%d", killedSeed, seed), fmt.Sprintf("%s=%d", killedSteps, done))
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(in)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	said := done
	for _, line := range bytes.Fields(out.Bytes()) {
		n, err := strconv.Atoi(string(line))
		if err != nil {
			t.Fatalf("the program says %q", out.String())
		}
		said = n
	}
	w, err := write(dir, "here", clock(), osDisk{}, "WAL", small) // the lock is free
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	// The step that was under way is there as a whole or not at all.
	for _, steps := range []int{said, said + 1} {
		if err = sameContents(t, w.Archive(), modelAfter(t, seed, steps)); err == nil {
			return steps
		}
	}
	t.Fatalf("seed %d, killed after step %d: %v", seed, said, err)
	return 0
}
