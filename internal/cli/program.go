package cli

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// child is a program to be started in the place of seshat.
type child struct {
	path string
	args []string // its name first
	dir  string
	vars []string
}

// run starts a program and waits for its end. Keys that interrupt are the program's
// alone: the terminal sends them to both.
func (p child) run(as Process) (int, error) {
	keys := make(chan os.Signal, 1)
	signal.Notify(keys, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(keys)
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ends)

	cmd := exec.Cmd{Path: p.path, Args: p.args, Dir: p.dir, Env: p.vars, Stdin: as.Stdin, Stdout: as.Stdout, Stderr: as.Stderr}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case <-keys:
		case s := <-ends:
			_ = cmd.Process.Signal(s) // it may have ended
		case err := <-done:
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				return exitCode(exit), nil
			}
			return 0, err
		}
	}
}
