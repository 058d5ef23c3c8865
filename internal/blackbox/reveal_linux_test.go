package blackbox

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// answered runs the program at a terminal where a person types an answer.
func (h *Home) answered(t *testing.T, answer string, args ...string) (string, int) {
	t.Helper()
	master, slave := pty(t, 100)
	if _, err := master.WriteString(answer); err != nil {
		t.Fatal(err)
	}
	sent := make(chan string, 1)
	go func() {
		var all strings.Builder
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			all.Write(b[:n])
			if err != nil {
				sent <- all.String()
				return
			}
		}
	}()
	r := h.Do(Run{Args: args, Stdout: slave, Within: 20 * time.Second, Each: func(cmd *exec.Cmd) { cmd.Stdin, cmd.Stderr = slave, slave }})
	slave.Close()
	return <-sent, r.Code
}

// At a terminal --reveal asks, and goes by the answer alone.
func TestRevealAsks(t *testing.T) {
	h, _, values := leaky(t)
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "n\n": false, "\n": false, "sure\n": false} {
		out, code := h.answered(t, answer, "grep", "please", "--reveal", "--color", "never")
		if !strings.Contains(out, "[y/N]") || strings.Contains(out, values[0]) != want || (code == 0) != want {
			t.Errorf("%q gives %d and %q", answer, code, out)
		}
	}
	// An agent may type an answer too.
	h.Vars["GEMINI_CLI"] = "1"
	if out, code := h.answered(t, "y\n", "grep", "please", "--reveal"); code != 2 || strings.Contains(out, values[0]) || strings.Contains(out, "[y/N]") {
		t.Errorf("an agent gets %d and %q", code, out)
	}
}

// Nothing is shown in columns of any width either, where everything is cut to fit.
func TestNarrowTerminalsShowNoSecret(t *testing.T) {
	h, list := planted(t)
	hidden := values(list)
	for _, columns := range []int{40, 77, 100} {
		for _, args := range [][]string{{"sessions", "--all"}, {"search", "needle", "--limit", "0"}, {"projects"}, {"grep", "needle"}, {"expiring", "--within", "100y"}, {"find", "-l"}, {"secrets"}} {
			out, _ := h.onTerminal(t, columns, args...)
			if piece := (Result{Stdout: out}).shows(hidden); piece != "" {
				t.Errorf("%v at %d columns: %s", args, columns, piece)
			}
		}
	}
}
