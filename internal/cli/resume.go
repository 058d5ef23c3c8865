package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/shell"
)

func (a *app) resumeCommand() *cobra.Command {
	var q seshat.ResumeQuery
	var print bool
	var in string
	cmd := &cobra.Command{
		Use:   "resume ID",
		Short: "Open a session again in its own agent",
		Long: "resume starts the agent of a session with that session, in the folder that it ran in and with the\n" +
			"data folder that it lies in. Where that folder is gone, the agent starts in the repository, or\n" +
			"in the current folder with --here. A session that is open already is refused: two processes that\n" +
			"write one transcript spoil it. ID is the first characters of an id (four or more), AGENT:ID, the\n" +
			"id of a subagent, whose session is opened, or a path.\n\n" +
			"The session is archived first, and put back where only the archive has it. Then seshat becomes the\n" +
			"agent, which writes into its own folders as ever. With --print nothing is archived, put back or\n" +
			"started: the command is printed.\n\n" +
			"Exit codes: those of the agent; 0 the command was printed; 2 an error, no such session, more than\n" +
			"one, or one that cannot be opened.",
		Example: "  seshat resume 4d7d11a9 --here\n  seshat resume 4d7d11a9 --here --print\n  seshat resume 4d7d11a9 --here --print --ask 'what is left to do?'",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Handle = args[0]
			if err := notEmpty(cmd, "ask"); err != nil {
				return err
			}
			if q.Ask != "" && !print {
				return errors.New("--ask only prints a command; give --print with it")
			}
			if cmd.Flags().Changed("shell") && !print {
				return errors.New("--shell says how a command is printed; give --print with it")
			}
			sh, err := among("shell", []string{in}, shell.Shells())
			if err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			q.Print = print
			r, err := lib.Resume(cmd.Context(), q)
			if err != nil {
				return err
			}
			a.resumeNotes(r)
			if print {
				return a.printCommand(r, sh[0])
			}
			return a.resume(cmd.Context(), lib, r)
		},
	}
	cmd.Flags().BoolVar(&print, "print", false, "print the command instead of running it")
	cmd.Flags().StringVar(&q.Ask, "ask", "", "with --print: the command that has the agent answer this and end")
	cmd.Flags().BoolVar(&q.Here, "here", false, "start in the current folder")
	cmd.Flags().StringVar(&in, "shell", string(shell.Of(runtime.GOOS)), "with --print: the shell to write for: "+strings.Join(names(shell.Shells()), ", "))
	_ = cmd.RegisterFlagCompletionFunc("shell", fixed(names(shell.Shells())...))
	return cmd
}

// resumeNotes prints what a person should know, and each of it once.
func (a *app) resumeNotes(r *seshat.Resumption) {
	for _, note := range r.Notes {
		a.note("%s", a.tilde(note))
	}
	r.Notes = nil
}

// printCommand prints the command that opens a session.
func (a *app) printCommand(r *seshat.Resumption, sh shell.Shell) error {
	args := append([]string{r.Launch.Program}, r.Launch.Args...)
	line, err := sh.Line(shell.Command{Dir: r.Dir, Vars: r.Launch.Vars, Args: args})
	if err == nil {
		err = a.runnable("the command", line, append(args, r.Dir)...)
	}
	if err != nil {
		return fmt.Errorf("%w; without --print the session can be opened all the same", err)
	}
	fmt.Fprintln(a.out, line)
	return nil
}

// resume starts the agent of a session. It comes back only where seshat stays to look
// at what the agent leaves.
func (a *app) resume(ctx context.Context, lib *seshat.Library, r *seshat.Resumption) error {
	path, err := a.lookPath(r.Launch.Program)
	if err != nil {
		return err
	}
	if err := a.out.Flush(); err != nil {
		return err
	}
	p := child{path: path, args: append([]string{r.Launch.Program}, r.Launch.Args...), dir: r.Dir, vars: a.varsOf(r)}
	if r.Launch.Leftover == nil {
		if err := lib.Close(); err != nil { // nothing comes after
			return err
		}
		code, err := p.become(a.p)
		a.agentRan = err == nil
		return ended(code, err)
	}
	code, err := p.run(a.p)
	a.agentRan = err == nil
	lib.KeepResumed(context.WithoutCancel(ctx), r) // a key that interrupts was the agent's
	a.resumeNotes(r)
	left, leftErr := lib.Leftovers(r)
	for _, name := range left {
		a.note("%s left %s, by which its next start takes the session for damaged and deletes it; remove that file before", r.Launch.Program, a.path(name))
	}
	return ended(code, errors.Join(err, leftErr))
}

// ended gives the exit code of an agent.
func ended(code int, err error) error {
	if err != nil {
		return fmt.Errorf("the agent could not be started: %w", err)
	}
	if code != 0 {
		return codeError(code)
	}
	return nil
}

// varsOf gives the environment of an agent: that of seshat with what the session needs.
func (a *app) varsOf(r *seshat.Resumption) []string {
	var out []string
	needed := map[string]string{}
	for _, v := range r.Launch.Vars {
		needed[v[0]] = v[1]
	}
	for name, value := range a.p.Vars {
		if _, other := needed[name]; !other {
			out = append(out, name+"="+value)
		}
	}
	for name, value := range needed {
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// lookPath finds an agent's program on the path. A program in the current folder is
// taken only where the path names that folder.
func (a *app) lookPath(name string) (string, error) {
	for _, dir := range filepath.SplitList(a.p.Vars["PATH"]) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the program %s is on no folder of PATH; install it, or print the command with --print", name)
}
