package cli

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
)

// hookLimit is how long the hook may take at most, whatever hangs: Claude Code gives all
// hooks together 1.5 seconds. It takes a small part of that.
const hookLimit = time.Second

// hookRunCommand is what the entry starts. It takes no flag, prints nothing and exits
// with 0, whatever happens.
func (a *app) hookRunCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "run",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				_ = seshat.RunHook(a.options(), a.p.Stdin, a.startDrain)
			}()
			select {
			case <-done:
			case <-time.After(hookLimit):
			}
			return nil
		},
	}
}

// startDrain starts a drain that outlives this process, in a folder that nobody wants to
// remove.
func (a *app) startDrain(dir string) error {
	var env []string
	for name, value := range a.p.Vars {
		switch name {
		case "SESHAT_DATA_DIR", "SESHAT_CACHE_DIR", "SESHAT_CONFIG", "CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME":
			if value != "" && value[0] != '~' && !filepath.IsAbs(value) { // it would mean another folder there
				value = filepath.Join(a.p.WorkDir, value)
			}
		}
		env = append(env, name+"="+value)
	}
	return seshat.Detach(a.p.Program, []string{"archive", "hook", "drain"}, env, dir)
}

// hookDrainCommand is what the hook starts in the background.
func (a *app) hookDrainCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "drain",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := seshat.DrainHook(cmd.Context(), a.options())
			if errors.Is(err, seshat.ErrHookBusy) {
				return codeError(exitNothing)
			}
			return err
		},
	}
}
