package hook

import "os/exec"

// Detach starts a program that outlives this process and everybody that waits for it:
// it reads and writes nothing of theirs, stands in a folder of its own and belongs to
// no terminal.
func Detach(program string, args, env []string, dir string) error {
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = env, dir, detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
