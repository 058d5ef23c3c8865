package blackbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

// Timeout is how long a run may take.
const Timeout = 60 * time.Second

// Result is what a run gave.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// Run runs the program in the home and fails the test when it changed anything
// or did not end.
func (h *Home) Run(args ...string) Result {
	h.t.Helper()
	return h.Do(Run{Args: args})
}

// Run says how the program is run where Home.Run is not enough.
type Run struct {
	Args   []string
	Dir    string              // the current folder; the home when empty
	Keeps  bool                // the run may leave things in TMPDIR
	Writes string              // a file in the home that the run may make, change or remove
	Free   bool                // the run may write into the home; what it writes is not looked at
	Within time.Duration       // how long it may take; Timeout when zero
	Stdout *os.File            // where stdout goes; kept in the Result when nil
	Wrap   []string            // a command that the program is an argument of, such as strace
	Around func(run func())    // called with the run between the two listings
	Each   func(cmd *exec.Cmd) // the last word on the process
}

// Do runs the program.
func (h *Home) Do(r Run) Result {
	h.t.Helper()
	bin := Binary(h.t)
	env, err := h.environment()
	if err != nil {
		h.t.Fatalf("refusing to run: %v", err)
	}
	homeBefore, tmpBefore := list(h.Dir), list(h.Tmp)
	var res Result
	var timedOut bool
	run := func() { res, timedOut = h.exec(r, bin, env) }
	if r.Around != nil {
		r.Around(run)
	} else {
		run()
	}
	if timedOut {
		h.t.Fatalf("seshat %q did not end within %v\nstdout: %.2000s\nstderr: %.2000s", r.Args, r.limit(), res.Stdout, res.Stderr)
	}
	homeAfter := list(h.Dir)
	if r.Writes != "" {
		for _, path := range []string{r.Writes, filepath.Dir(r.Writes)} {
			delete(homeBefore, path)
			delete(homeAfter, path)
		}
	}
	var changed []string
	if !r.Free {
		changed = homeBefore.changes(homeAfter)
	}
	if !r.Keeps {
		tmpAfter := list(h.Tmp)
		// Its own time may change: something may come and go in it.
		delete(tmpBefore, h.Tmp)
		delete(tmpAfter, h.Tmp)
		changed = append(changed, tmpBefore.changes(tmpAfter)...)
	}
	if len(changed) > 0 {
		h.t.Errorf("law 1: seshat %q changed the disk:\n%s", r.Args, strings.Join(changed, "\n"))
	}
	return res
}

func (r Run) limit() time.Duration {
	if r.Within > 0 {
		return r.Within
	}
	return Timeout
}

func (h *Home) exec(r Run, bin string, env []string) (res Result, timedOut bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), r.limit())
	defer cancel()
	line := append(append(append([]string{}, r.Wrap...), bin), r.Args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = env, h.Dir, time.Second
	if r.Dir != "" {
		cmd.Dir = r.Dir
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if r.Stdout != nil {
		cmd.Stdout = r.Stdout
	}
	if r.Each != nil {
		r.Each(cmd)
	}
	err := cmd.Run()
	res = Result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		h.t.Fatalf("seshat %q: %v", r.Args, err)
	}
	if strings.Contains(res.Stderr, "goroutine ") {
		h.t.Errorf("seshat %q crashed:\n%.4000s", r.Args, res.Stderr)
	}
	return res, ctx.Err() != nil
}

// environment is the whole environment of a run. It fails when that would lead
// the program out of the test's temporary folder.
func (h *Home) environment() ([]string, error) {
	vars := map[string]string{
		"HOME": h.Dir, "USERPROFILE": h.Dir, "APPDATA": h.Path("AppData/Roaming"), "LOCALAPPDATA": h.Path("AppData/Local"),
		"XDG_CONFIG_HOME": h.Path(".config"), "XDG_DATA_HOME": h.Path(".local/share"), "XDG_CACHE_HOME": h.Cache,
		"TMPDIR": h.Tmp, "TMP": h.Tmp, "TEMP": h.Tmp, "TZ": "UTC", "LANG": "C.UTF-8",
	}
	for name, value := range h.Vars {
		vars[name] = value
	}
	var env []string
	for name, value := range vars {
		if filepath.IsAbs(value) && !h.Inside(value) {
			return nil, fmt.Errorf("%s=%s is not below the test's temporary folder", name, value)
		}
		env = append(env, name+"="+value)
	}
	if !h.Inside(vars["HOME"]) {
		return nil, fmt.Errorf("the home is %q", vars["HOME"])
	}
	if root := os.Getenv("SystemRoot"); runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+root) // a process does not start without
	}
	sort.Strings(env)
	return env, nil
}

// Inside reports whether a path lies below the test's temporary folder and is
// not the home of the person who runs the tests.
func (h *Home) Inside(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path) // it may not be there yet
	}
	if home, err := os.UserHomeDir(); err == nil && (real == filepath.Clean(home) || sameFile(real, home)) {
		return false
	}
	rel, err := filepath.Rel(h.base, real)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// failer is what Binary needs of a test.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// Binary builds the program, the first time it is asked, and gives its path. The
// variable BLACKBOX_BINARY names one that is built already, such as a release.
func Binary(t failer) string {
	t.Helper()
	built.once.Do(build)
	if built.err != nil {
		t.Fatalf("%v", built.err)
	}
	return built.path
}

func build() {
	if built.path = os.Getenv("BLACKBOX_BINARY"); built.path != "" {
		return
	}
	_, here, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(here)))
	if built.dir, built.err = os.MkdirTemp("", "seshat-blackbox-"); built.err != nil {
		return
	}
	built.path = filepath.Join(built.dir, "seshat")
	if runtime.GOOS == "windows" {
		built.path += ".exe"
	}
	// The go command gives a test's old result again where nothing changed that the test
	// itself looked at: so the folders of all sources are.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		return nil
	})
	cmd := exec.Command("go", "build", "-o", built.path, "./cmd/seshat")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		built.err = errors.New("the program does not build: " + err.Error() + "\n" + string(out))
	}
}

// Clean removes the binary. TestMain calls it when all tests are done.
func Clean() {
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
}
