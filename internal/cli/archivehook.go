package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// newArchiveHook gives the command for the hook.
func (a *app) newArchiveHook() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Have Claude Code tell seshat when a session ends, so that it is archived at once",
		Long: "hook puts an entry into Claude Code's settings that starts seshat when a session ends, takes it out\n" +
			"again, and tells how it stands. The entry only notes that a session ended, in seshat's own folder, and\n" +
			"starts the archive in the background, which waits until the transcript has been quiet for 5 seconds.\n\n" +
			"Exit codes: 0 it printed this page; 2 wrong usage. Its commands tell their own.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(a.hookInstallCommand(), a.hookRemoveCommand(), a.hookStatusCommand(), a.hookRunCommand(), a.hookDrainCommand())
	return cmd
}

// hookWrites is what the help pages of commands that write below an agent's folder say.
const hookWrites = "With --write it CHANGES A FILE OF CLAUDE CODE'S: settings.json in each of its data folders (CLAUDE_CONFIG_DIR,\n" +
	"else ~/.claude; --root claude=DIR names others), in one step, with every other byte as it was. A link stays, and\n" +
	"what it leads to is changed. What the file held before is kept in seshat's data folder. A file that is read-only,\n" +
	"is not plain JSON, or changes meanwhile is left alone. Without --write nothing is written.\n\n"

func (a *app) hookInstallCommand() *cobra.Command {
	var write, start bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Print the entry for Claude Code's settings, or with --write put it there",
		Long: "install prints what to put into Claude Code's settings so that it starts seshat when a session ends.\n\n" +
			hookWrites +
			"Exit codes: 0 it was printed, or put in; 1 it was there already; 2 an error, or a file was left alone.",
		Example: "  seshat archive hook install\n  seshat archive hook install --write --session-start\n  seshat --root claude=~/.claude-work archive hook install --write",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.hookProgram()
			if err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			events := seshat.HookEvents(start)
			edits, err := lib.InstallHook(p, events, write)
			if err != nil {
				return err
			}
			if !write {
				if err := a.runnable("the entry", p.Snippet(events), p.Path); err != nil {
					return fmt.Errorf("%w; --write puts it in all the same", err)
				}
				return a.hookSnippet(p, events, edits)
			}
			err = a.hookEdits(edits, "has the hook now", "has the hook already", `put what "seshat archive hook install" prints into it by hand`)
			a.hookHints(cmd.Context(), lib, p)
			return err
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "change Claude Code's settings.json")
	cmd.Flags().BoolVar(&start, "session-start", false, "also when a session starts, which is when Claude Code deletes old ones")
	return cmd
}

func (a *app) hookRemoveCommand() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "remove",
		Short: "Tell where the entry is, or with --write take it out of Claude Code's settings",
		Long: "remove tells which settings of Claude Code hold seshat's entry.\n\n" +
			hookWrites +
			"Exit codes: 0 there is one, or it was taken out; 1 there is none; 2 an error, or a file was left alone.",
		Example: "  seshat archive hook remove\n  seshat archive hook remove --write",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := a.hookProgram()
			if err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			edits, err := lib.RemoveHook(p, write)
			if err != nil {
				return err
			}
			done := "has the hook no longer"
			if !write {
				done = "has the hook; --write takes it out"
			}
			return a.hookEdits(edits, done, "does not have the hook", `take the entry that runs "archive hook run" out by hand`)
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "change Claude Code's settings.json")
	return cmd
}

// hookProgram is the program as an entry starts it.
func (a *app) hookProgram() (seshat.HookProgram, error) {
	p := seshat.HookProgram{Path: a.p.Program, GOOS: runtime.GOOS}
	if p.Path == "" {
		return p, errors.New("the path of this program is not known, and the hook needs it")
	}
	if err := p.Check(); err != nil {
		return p, fmt.Errorf("the hook cannot start %s: %w", p.Path, err)
	}
	return p, nil
}

// hookSnippet prints what to put where.
func (a *app) hookSnippet(p seshat.HookProgram, events []string, edits []seshat.HookEdit) error {
	var where []string
	for _, e := range edits {
		where = append(where, term.Line(a.path(e.Path)))
	}
	fmt.Fprintf(a.out, "Put this into %s, beside what it holds, or have\nseshat archive hook install --write do so:\n\n%s", strings.Join(where, " and "),
		term.JSON([]byte(p.Snippet(events))))
	if err := a.out.Flush(); err != nil {
		return err
	}
	for _, e := range edits {
		switch {
		case e.Err != nil:
			a.note("%s %v; --write would leave it alone", a.path(e.Path), e.Err)
		case !e.Changed:
			a.note("%s has the hook already", a.path(e.Path))
		}
	}
	return nil
}

// hookEdits prints what became of each file, and gives the exit code.
func (a *app) hookEdits(edits []seshat.HookEdit, done, same, byHand string) error {
	changed, failed := 0, 0
	for _, e := range edits {
		path := term.Line(a.path(e.Path))
		switch {
		case e.Err != nil:
			failed++
		case !e.Changed:
			fmt.Fprintf(a.out, "%s %s\n", path, same)
		case e.Backup != "":
			changed++
			fmt.Fprintf(a.out, "%s %s; what it held before is in %s\n", path, done, term.Line(a.path(e.Backup)))
		default:
			changed++
			fmt.Fprintf(a.out, "%s %s\n", path, done)
		}
	}
	if err := a.out.Flush(); err != nil {
		return err
	}
	for _, e := range edits {
		switch {
		case errors.Is(e.Err, seshat.ErrHookChanged):
			a.complain("%s %v, so that it was left alone; run this again", a.path(e.Path), e.Err)
		case e.Err != nil:
			a.complain("%s %v, so that it was left alone; mend that, or %s", a.path(e.Path), e.Err, byHand)
		}
	}
	switch {
	case failed > 0:
		return codeError(exitError)
	case changed == 0:
		return codeError(exitNothing)
	}
	return nil
}

// complain prints a line about an error, also where notes are not wanted.
func (a *app) complain(format string, args ...any) {
	fmt.Fprintf(a.p.Stderr, "seshat: %s\n", term.Line(a.mask(a.tilde(fmt.Sprintf(format, args...)))))
}

// hookHints says what keeps a hook that was just put in from working.
func (a *app) hookHints(ctx context.Context, lib *seshat.Library, p seshat.HookProgram) {
	st, err := lib.HookStatus(ctx, p)
	if err != nil {
		return
	}
	for _, s := range st.Settings {
		if s.Rule.Setting != "" {
			a.note("%s", a.hookOff(s))
		}
	}
	for _, f := range st.Off {
		a.note("Claude Code runs no hooks in %s: %s says %s", a.path(f.Folder), a.path(f.Rule.Path), f.Rule.Setting)
	}
}

// hookOff says which setting keeps the hook from running.
func (a *app) hookOff(s seshat.HookSettings) string {
	return fmt.Sprintf("Claude Code does not run the hooks in %s: %s says %s", a.path(s.Path), a.path(s.Rule.Path), s.Rule.Setting)
}

func (a *app) hookStatusCommand() *cobra.Command {
	var f form
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell whether the hook is installed and works",
		Long: "status tells which settings of Claude Code hold seshat's entry, whether the program in it is there, which\n" +
			"settings keep hooks from running, how many ended sessions wait to be archived, and how the last attempt\n" +
			"ended. It changes nothing.\n\n" +
			"Exit codes: 0 the hook is installed and can work; 1 it is not installed; 2 an error, or it is installed and\n" +
			"cannot work, in some data folder at least: it is turned off, its program was moved, its settings cannot be\n" +
			"read, or the last attempt to archive failed.",
		Example: "  seshat archive hook status\n  seshat archive hook status --json | jq -r '.items[0].state'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := seshat.HookProgram{Path: a.p.Program, GOOS: runtime.GOOS}
			lib, err := a.library()
			if err != nil {
				return err
			}
			st, err := lib.HookStatus(cmd.Context(), p)
			if err != nil {
				return err
			}
			ans := st.Answer()
			if f.structured() {
				err = a.objects(f, 1, func(int) any { return st.JSON(a.path) }, ans)
			} else {
				a.hookState(st)
				ans.Matches = 1                                                                                     // of which there is something to say
				ans.Warnings = slices.DeleteFunc(ans.Warnings, func(w record.Warning) bool { return w.Path == "" }) // which are always the same
				err = a.finish(ans)
			}
			var code codeError
			if err != nil && !errors.As(err, &code) {
				return err
			}
			return hookCode(st.State)
		},
	}
	f.flags(cmd)
	return cmd
}

// hookCode is the exit code of a state.
func hookCode(s seshat.HookState) error {
	switch s {
	case seshat.HookInstalled:
		return nil
	case seshat.HookMissing:
		return codeError(exitNothing)
	}
	return codeError(exitError)
}

// hookState prints how the hook stands.
func (a *app) hookState(st *seshat.HookStatus) {
	say := func(format string, args ...any) { fmt.Fprintln(a.out, term.Line(fmt.Sprintf(format, args...))) }
	for _, s := range st.Settings {
		switch {
		case s.Problem != "":
			say("%s %s", a.path(s.Path), s.Problem)
		case len(s.Entries) == 0:
			say("%s does not have the hook; seshat archive hook install puts it in", a.path(s.Path))
		default:
			say("%s has the hook", a.path(s.Path))
		}
		for _, e := range s.Entries {
			say("  %s starts %s%s", e.Event, a.path(e.Program), hookRuns(e.Runs))
		}
		if s.Rule.Setting != "" && len(s.Entries) > 0 {
			say("  %s", a.hookOff(s))
		}
	}
	for _, f := range st.Off {
		say("No hooks run in %s: %s says %s", a.path(f.Folder), a.path(f.Rule.Path), f.Rule.Setting)
	}
	if st.Queue > 0 {
		say("Not archived yet: what %s named", plural(st.Queue, "hook"))
	}
	if l := st.Last; l != nil {
		how := "archived what " + plural(l.Entries, "hook") + " named"
		if l.Failed {
			how = "failed"
		}
		say("Last run, %s: %s", l.Ended.Local().Format(time.DateTime), how)
	}
	if f := st.Failure; f != nil {
		say("Last failure, %s: %s", f.Time.Local().Format(time.DateTime), f.Message)
	}
}

func hookRuns(r seshat.HookRuns) string {
	switch r {
	case seshat.RunsOther:
		return ", which is not this seshat"
	case seshat.RunsNone:
		return ", which is not there or cannot be run; seshat archive hook install --write puts that right"
	}
	return ""
}
