//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// become turns this process into a program. It comes back only where that fails.
func (p child) become(Process) (int, error) {
	if err := os.Chdir(p.dir); err != nil {
		return 0, err
	}
	return 0, syscall.Exec(p.path, p.args, p.vars)
}

// exitCode is the exit code of a program as a shell gives it.
func exitCode(e *exec.ExitError) int {
	if s, ok := e.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return e.ExitCode()
}
