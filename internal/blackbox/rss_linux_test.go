package blackbox

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func init() { helpers["rss"] = reportRSS }

// reportRSS runs the command of its arguments and writes the most memory that it
// held to a file. It is a process of its own because a process starts with the
// peak of the one that made it, and tests hold large fixtures.
func reportRSS() int {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	kilobytes := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if err := os.WriteFile(os.Args[1], fmt.Append(nil, kilobytes), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return cmd.ProcessState.ExitCode()
}

// peak runs the program and gives the most memory that it held, in bytes.
func (h *Home) peak(t *testing.T, args ...string) (Result, int64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := h.base + "/peak"
	r := h.Do(Run{Args: args, Wrap: []string{self, file}, Each: func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, "BLACKBOX_HELPER=rss")
	}})
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no memory was reported: %v; stderr %q", err, r.Stderr)
	}
	kilobytes, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return r, kilobytes << 10
}

func TestO2HugeImageTakesLittleMemory(t *testing.T) {
	t.Parallel()
	h, _ := image(t)
	r, peak := h.peak(t, "records")
	a := ndjson(t, r.exits(t, 0))
	want := []string{"before-image", "[image image/png 12 MB]\n\ncaption-marker", "after-image"}
	if got := texts(as[record](t, a)); !slices.Equal(got, want) {
		t.Errorf("records %q, want %q", got, want)
	}
	if t.Logf("the peak is %d MB", peak>>20); peak > 200<<20 {
		t.Errorf("a run over one file of 16 MB holds %d MB", peak>>20)
	}
}
