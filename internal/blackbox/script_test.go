package blackbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs testdata/script. Each script has a home of its own; its files
// are written below it. Commands beside testscript's own:
//
//	[!] seshat ARGS...    runs the program; without ! it must exit with 0
//	exits CODE ARGS...    runs the program; it must exit with that code
//	complains ARGS...     runs the program; it must exit with 2, print nothing,
//	                      and say why in one line that begins with "seshat: "
//
// After each run law 1 is checked.
func TestScripts(t *testing.T) {
	bin := Binary(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			h := scriptHome(env.WorkDir)
			vars, err := h.environment()
			if err != nil {
				return err
			}
			for _, kv := range vars {
				name, value, _ := strings.Cut(kv, "=")
				env.Setenv(name, value)
			}
			env.Cd = h.Dir
			return errors.Join(os.MkdirAll(h.Dir, 0o700), os.MkdirAll(h.Tmp, 0o700))
		},
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"seshat": func(ts *testscript.TestScript, neg bool, args []string) {
				if code := runInScript(ts, bin, args); (code != 0) != neg {
					ts.Fatalf("exit code %d", code)
				}
			},
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) == 0 {
					ts.Fatalf("usage: exits CODE ARGS...")
				}
				if code := runInScript(ts, bin, args[1:]); args[0] != string(rune('0'+code)) {
					ts.Fatalf("exit code %d, want %s", code, args[0])
				}
			},
			"complains": func(ts *testscript.TestScript, neg bool, args []string) {
				code := runInScript(ts, bin, args)
				stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
				if neg || code != 2 || stdout != "" || !strings.HasPrefix(stderr, "seshat: ") || strings.Count(stderr, "\n") != 1 {
					ts.Fatalf("exit code %d, %d bytes on stdout, and this on stderr:\n%s", code, len(stdout), stderr)
				}
			},
		},
	})
}

// scriptHome is the home of a script in its folder.
func scriptHome(dir string) *Home {
	return &Home{Dir: filepath.Join(dir, "home"), Tmp: filepath.Join(dir, ".tmp"), base: dir}
}

func runInScript(ts *testscript.TestScript, bin string, args []string) int {
	h := scriptHome(ts.Getenv("WORK"))
	if ts.Getenv("HOME") != h.Dir || !h.Inside(h.Dir) {
		ts.Fatalf("refusing to run with the home %q", ts.Getenv("HOME"))
	}
	before := list(h.Dir)
	err := ts.Exec(bin, args...)
	if changed := before.changes(list(h.Dir)); len(changed) > 0 {
		ts.Fatalf("law 1: the run changed the disk:\n%s", strings.Join(changed, "\n"))
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	ts.Fatalf("%v", err)
	return -1
}
