package cli

import "os/exec"

// become runs a program and waits for its end: a process of Windows cannot turn into
// another.
func (p child) become(as Process) (int, error) { return p.run(as) }

// exitCode is the exit code of a program.
func exitCode(e *exec.ExitError) int { return e.ExitCode() }
