package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/internal/when"
	"github.com/seshat-dev/seshat/record"
)

// forgetFlags are the flags of archive forget.
type forgetFlags struct {
	form
	q     seshat.ForgetQuery
	older string
	yes   bool
}

func (a *app) archiveForgetCommand() *cobra.Command {
	var f forgetFlags
	cmd := &cobra.Command{
		Use:   "forget [SESSION...]",
		Short: "Delete sessions from the archive, for good",
		Long: "forget deletes sessions from the archive with all that belongs to them and what nothing else that is\n" +
			"kept refers to. What was typed in them becomes blank in archived prompt logs. No byte of them is left,\n" +
			"and they are not archived again. It changes the archive only, and lists what is out of its reach: what\n" +
			"is still on the disk. Backups of yours, and what you exported, it cannot know. A session that was\n" +
			"copied into another, by a fork, stays there.\n\n" +
			"It asks first; without a terminal it needs --yes.\n\n" +
			"Exit codes: 0 they are forgotten; 1 nothing was forgotten; 2 an error.",
		Example: "  seshat archive forget 4d7d11a9 --dry-run\n  seshat archive forget --project lighthouse --older-than 6m --dry-run\n  seshat archive forget --older-than 2y --yes",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.forget(cmd, &f, args) },
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.q.Projects, "project", nil, "all sessions of this project: its name, or with a slash its path; globs allowed (repeatable)")
	fl.StringVar(&f.older, "older-than", "", "of these, or of all, those that were not active since: 2025-12-31, 90d, 6m, 1y ...")
	fl.BoolVar(&f.q.DryRun, "dry-run", false, "say what would be forgotten, and forget nothing")
	fl.BoolVar(&f.yes, "yes", false, "do not ask")
	f.form.flags(cmd)
	return cmd
}

func (a *app) forget(cmd *cobra.Command, f *forgetFlags, args []string) error {
	if err := notEmpty(cmd, "project", "older-than"); err != nil {
		return err
	}
	if len(args) > 0 && (len(f.q.Projects) > 0 || f.older != "") {
		return errors.New("forget takes sessions, or --project and --older-than, but not both")
	}
	if f.older != "" {
		span, err := when.Parse(f.older, time.Now())
		if err != nil {
			return fmt.Errorf("--older-than: %w", err)
		}
		f.q.OlderThan = span.From
	}
	f.q.Sessions = args
	f.q.Ask = func(x *seshat.Forgetting) (bool, error) { return a.sure(f, x) }
	lib, err := a.library()
	if err != nil {
		return err
	}
	x, err := lib.Forget(cmd.Context(), f.q)
	if err != nil {
		return err
	}
	ans := &record.Answer{Complete: true}
	if x.Done || f.q.DryRun {
		ans.Matches = x.Sessions
	}
	if f.structured() {
		return a.objects(f.form, len(x.Items), func(i int) any { return x.Items[i].JSON(a.path) }, ans)
	}
	if x.Done || f.q.DryRun || x.Sessions == 0 {
		a.forgotten(x, f.q.DryRun, !f.yes && !f.q.DryRun)
	}
	return exitOf(ans)
}

// sure asks whether sessions are to be forgotten.
func (a *app) sure(f *forgetFlags, x *seshat.Forgetting) (bool, error) {
	if f.yes {
		return true, nil
	}
	return a.confirmed(irreversible{
		command: "forget", before: "deletes", shown: "go", list: func() { a.forgetItems(x) },
		question: fmt.Sprintf("Forget %s, %s in the archive?", plural(x.Sessions, "session"), bytesText(x.Bytes())),
	})
}

// forgotten prints what was forgotten, or would be. asked says that the files were
// listed with the question.
func (a *app) forgotten(x *seshat.Forgetting, dry, asked bool) {
	if !asked {
		a.forgetItems(x)
	}
	verb := "forgot"
	if dry {
		verb = "would forget"
	}
	fmt.Fprintf(a.out, "%s %s, %s in %s", verb, plural(x.Sessions, "session"), bytesText(x.Bytes()),
		plural(x.Count(seshat.ForgetFile)+x.Count(seshat.ForgetRef), "file"))
	if n := x.Count(seshat.ForgetMask); n > 0 {
		fmt.Fprintf(a.out, "; prompts masked in %s", plural(n, "log"))
	}
	if x.Done {
		fmt.Fprintf(a.out, "; the archive is %s smaller", bytesText(x.Freed))
	}
	fmt.Fprintln(a.out)
	if x.Sessions > 0 {
		fmt.Fprintln(a.out, "Backups of yours, copies on other machines and what was exported are out of reach.")
	}
}

func (a *app) forgetItems(x *seshat.Forgetting) {
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for i := range x.Items {
		it := &x.Items[i]
		text := term.Line(a.path(it.Path))
		if it.Reason != "" {
			text += ": " + term.Line(it.Reason)
		}
		t.add(cell{it.Did, term.Count}, cell{bytesText(it.Bytes), term.Plain}, cell{text, term.Place})
	}
	t.print(a.out)
}
