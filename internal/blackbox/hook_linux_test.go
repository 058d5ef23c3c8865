package blackbox

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The hook opens nothing of Claude Code's: neither the transcript that it is told of nor
// the settings that it stands in.
func TestHookRunOpensNothing(t *testing.T) {
	h, path, transcript := hooked(t, "{}")
	input := `{"transcript_path":` + jsonString(transcript) + `,"hook_event_name":"SessionEnd"}`
	watched := []string{transcript, filepath.Dir(transcript), filepath.Dir(filepath.Dir(transcript)), path, filepath.Dir(path)}
	var opened []string
	h.Do(Run{
		Args: []string{"archive", "hook", "run"}, Each: func(cmd *exec.Cmd) { cmd.Stdin = strings.NewReader(input) },
		Around: func(run func()) { opened = opens(t, watched, func() { run(); h.settle() }) },
	}).exits(t, 0)
	if len(opened) > 0 {
		t.Errorf("it opened %q", opened)
	}
	if q := h.queue(t); len(q) != 1 || q[0]["transcript"] != transcript {
		t.Errorf("the queue holds %v", q)
	}
}
