package restore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// The environment of a run that is to be killed.
const (
	killVar   = "SESHAT_TEST_KILL_AT" // its how many-eth moment
	targetVar = "SESHAT_TEST_TARGET"
	modeVar   = "SESHAT_TEST_MODE" // words: plain, over
)

// TestMain is a run that is killed where the environment says so.
func TestMain(m *testing.M) {
	at, err := strconv.Atoi(os.Getenv(killVar))
	if err != nil {
		os.Exit(m.Run())
	}
	moment := 0
	tick := func() {
		if moment++; moment == at {
			if p, err := os.FindProcess(os.Getpid()); err == nil {
				_ = p.Kill()
			}
			time.Sleep(time.Minute)
		}
	}
	mode := os.Getenv(modeVar)
	target := os.Getenv(targetVar)
	js := journalsOf(target, strings.Contains(mode, "plain"))
	js.Now = func() time.Time { tick(); return time.Now() }
	o := Order{Target: target, Taken: func(File, *os.File) error { tick(); return nil }}
	for name, data := range victims {
		f := file(name, data)
		f.Open = func() (io.ReadCloser, error) {
			tick()
			return io.NopCloser(io.MultiReader(strings.NewReader(data[:1]), ticker(tick), strings.NewReader(data[1:]))), nil
		}
		if strings.Contains(mode, "over") && name == "p/s.jsonl" {
			f.Over, _ = os.Stat(filepath.Join(target, name))
		}
		o.Files = append(o.Files, f)
	}
	err = js.Run(context.Background(), o)
	tick()
	fmt.Println("moments:", moment, err)
	os.Exit(0)
}

// ticker is a reader that only tells of being read.
type ticker func()

func (t ticker) Read([]byte) (int, error) { t(); return 0, io.EOF }

var victims = map[string]string{"p/s/a": "first", "p/s/b": "second", "p/s.jsonl": "transcript\n"}

func journalsOf(target string, plain bool) Journals {
	return Journals{Dir: target + ".journals", plain: plain}
}

// Wherever a run is killed, the next one leaves all of it there or nothing.
func TestKilledAnywhere(t *testing.T) {
	for _, mode := range []string{"", "plain", "over", "over plain"} {
		whole, none := 0, 0
		for at := 1; ; at++ {
			target := filepath.Join(t.TempDir(), "target")
			before := map[string]string{"p/theirs": "t"}
			if strings.Contains(mode, "over") {
				before["p/s.jsonl"] = "old transcript"
			}
			for name, data := range before {
				write(t, filepath.Join(target, name), data)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			child := exec.Command(self)
			child.Env = append(os.Environ(), fmt.Sprintf("%s=%d", killVar, at), targetVar+"="+target, modeVar+"="+mode)
			out, err := child.CombinedOutput()
			if err == nil {
				if !strings.Contains(string(out), "<nil>") || at < 10 {
					t.Fatalf("%s: a run that was not killed: %s", mode, out)
				}
				break
			}
			js := journalsOf(target, strings.Contains(mode, "plain"))
			recovered, err := js.Recover(context.Background())
			if err != nil {
				t.Fatalf("%s, killed at %d: %v", mode, at, err)
			}
			want := before
			if len(recovered) == 0 || recovered[0].Finished {
				// A run that left no journal had come to its end.
				whole++
				want = map[string]string{"p/theirs": "t"}
				for name, data := range victims {
					want[name] = data
				}
			} else {
				none++
			}
			same(t, fmt.Sprintf("%s, killed at %d", mode, at), tree(t, target), want)
			same(t, "journals", tree(t, js.Dir), nil)
		}
		if whole == 0 || none == 0 {
			t.Errorf("%s: %d finished, %d undone", mode, whole, none)
		}
	}
}

// stop leaves a run as if it had been killed while names are given, one given already.
func stop(t *testing.T, js Journals, target string) {
	t.Helper()
	real, err := filepath.EvalSymlinks(target)
	if err != nil {
		t.Fatal(err)
	}
	j, err := js.begin(real, []File{file("a", "first"), file("b", "second")})
	if err != nil {
		t.Fatal(err)
	}
	j.Stage = publishing
	if err := errors.Join(j.write(), j.release()); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(target, "a"), "first")
	write(t, filepath.Join(target, string(j.Steps[1].Temp)), "second")
}

// What gave way goes, also when the run was killed just before.
func TestRecoverClears(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		target := t.TempDir()
		write(t, filepath.Join(target, "a"), "ours")
		o := replaced(t, target, "a", "ours")
		j, err := js.begin(target, o.Files)
		if err != nil {
			t.Fatal(err)
		}
		j.Stage = published
		if err := errors.Join(j.write(), j.release()); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(target, "companion"), "c")
		write(t, filepath.Join(target, string(j.Steps[1].Temp)), "old")
		write(t, filepath.Join(target, j.Steps[1].aside()), "old")
		recovered, err := js.Recover(context.Background())
		if err != nil || len(recovered) != 1 || !recovered[0].Finished {
			t.Errorf("%+v, %v", recovered, err)
		}
		same(t, "target", tree(t, target), map[string]string{"a": "ours", "companion": "c"})
		same(t, "journals", tree(t, js.Dir), nil)
	})
}

// A name that was taken since is not overwritten; then the rest goes too, but for what
// its agent has added to.
func TestRecoverFindsNameTaken(t *testing.T) {
	for added, want := range map[string]map[string]string{"": {"b": "theirs"}, " more": {"a": "first more", "b": "theirs"}} {
		both(t, func(t *testing.T, js Journals) {
			target := t.TempDir()
			stop(t, js, target)
			write(t, filepath.Join(target, "a"), "first"+added)
			write(t, filepath.Join(target, "b"), "theirs")
			recovered, err := js.Recover(context.Background())
			if err != nil || len(recovered) != 1 || recovered[0].Finished {
				t.Errorf("%+v, %v", recovered, err)
			}
			same(t, "target", tree(t, target), want)
			same(t, "journals", tree(t, js.Dir), nil)
		})
	}
}

// Runs under way are let alone, and a journal that cannot be read harms no other.
func TestRecoverSkips(t *testing.T) {
	target := t.TempDir()
	js := Journals{Dir: filepath.Join(t.TempDir(), "journals")}
	busy, err := js.begin(target, []File{file("x", "x")})
	if err == nil {
		err = busy.write()
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(js.Dir, "0-torn"+journalEnd), "{")
	write(t, filepath.Join(js.Dir, "0-torn"+lockEnd), "")
	write(t, filepath.Join(js.Dir, "1-newer"+journalEnd), `{"version":2}`)
	write(t, filepath.Join(js.Dir, "1-newer"+lockEnd), "")
	write(t, filepath.Join(js.Dir, "2-ended"+lockEnd), "")
	stop(t, js, target)
	recovered, err := js.Recover(context.Background())
	if err == nil || !strings.Contains(err.Error(), "0-torn") || !strings.Contains(err.Error(), "1-newer") || errors.Is(err, own.ErrBusy) {
		t.Errorf("%v", err)
	}
	if len(recovered) != 1 || !recovered[0].Finished || recovered[0].Files[1] != filepath.Join(target, "b") {
		t.Errorf("%+v", recovered)
	}
	same(t, "target", tree(t, target), map[string]string{"a": "first", "b": "second"})
	if _, err := os.Stat(busy.path); err != nil {
		t.Error("the journal of a run under way is gone")
	}
	if err := busy.end(); err != nil {
		t.Error(err)
	}
}

// An undoing that is killed is gone on with: a missing name of a step that was taken back
// is not one that was given.
func TestUndoingIsKilled(t *testing.T) {
	both(t, func(t *testing.T, js Journals) {
		target := t.TempDir()
		stop(t, js, target)
		left, err := js.left()
		if err != nil || len(left) != 1 {
			t.Fatalf("%q, %v", left, err)
		}
		j, err := js.open(left[0])
		if err != nil {
			t.Fatal(err)
		}
		// The last step's name was taken, and its bytes are cleared away already; then
		// the run is killed.
		write(t, filepath.Join(target, "b"), "second")
		root, err := os.OpenRoot(target)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		r := &run{journal: j, root: names{root, js.plain}, now: js.now}
		fail := filepath.Join(target, "a")
		if err := errors.Join(os.Remove(fail), os.Mkdir(fail, 0o700)); err != nil {
			t.Fatal(err)
		}
		_ = r.undo() // as far as it gets
		if err := errors.Join(os.Remove(fail), j.release()); err != nil {
			t.Fatal(err)
		}
		write(t, fail, "first")
		recovered, err := js.Recover(context.Background())
		if err != nil || len(recovered) != 1 || recovered[0].Finished {
			t.Errorf("%+v, %v", recovered, err)
		}
		same(t, "target", tree(t, target), map[string]string{"b": "second"})
	})
}

// A data folder that is gone with all that was in it is nothing to be undone.
func TestRecoverFindsTargetGone(t *testing.T) {
	target := filepath.Join(t.TempDir(), "target")
	js := Journals{Dir: filepath.Join(t.TempDir(), "journals")}
	write(t, filepath.Join(target, "x"), "")
	stop(t, js, target)
	torn := filepath.Join(js.Dir, "new-123")
	write(t, torn, "{")
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.RemoveAll(target), os.Chtimes(torn, old, old)); err != nil {
		t.Fatal(err)
	}
	if recovered, err := js.Recover(context.Background()); err != nil || len(recovered) != 1 || recovered[0].Finished {
		t.Errorf("%+v, %v", recovered, err)
	}
	same(t, "journals", tree(t, js.Dir), nil)
}
