package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// scrubFlags are the flags of secrets scrub.
type scrubFlags struct {
	form
	q   seshat.ScrubQuery
	yes bool
}

func (a *app) scrubCommand() *cobra.Command {
	var f scrubFlags
	cmd := &cobra.Command{
		Use:   "scrub [SESSION|FINGERPRINT...]",
		Short: "Mask credentials in the archive, for good",
		Long: "scrub puts filler of the same length into the place of credentials in the archive: those of a session,\n" +
			"that of a fingerprint as secrets prints it, or with --all every one. A value is masked in every version\n" +
			"of every file that holds it, in forks, prompt logs and results of tools too, and later runs of\n" +
			"seshat archive mask it while it still stands on the disk. What is masked is no longer what the file was.\n\n" +
			"It changes the archive only, and lists what is on the disk. Backups, snapshots and what a disk keeps of\n" +
			"deleted files are out of its reach. Revoke the credential: seshat secrets --guide says where.\n\n" +
			"It asks first; without a terminal it needs --yes.\n\n" +
			"Exit codes: 0 they are masked; 1 nothing was masked; 2 an error, or something could not be masked.",
		Example: "  seshat secrets scrub 4d7d11a9 --dry-run\n  seshat secrets scrub --all --yes",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.scrub(cmd, &f, args) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.q.All, "all", false, "every credential that stands in the archive")
	fl.BoolVar(&f.q.DryRun, "dry-run", false, "say what would be masked, and mask nothing")
	fl.BoolVar(&f.yes, "yes", false, "do not ask")
	f.form.flags(cmd)
	return cmd
}

func (a *app) scrub(cmd *cobra.Command, f *scrubFlags, args []string) error {
	if (len(args) > 0) == f.q.All {
		return errors.New("scrub takes sessions or fingerprints, or --all")
	}
	f.q.Names = args
	f.q.Ask = func(s *seshat.Scrub) (bool, error) { return a.sureToScrub(f, s) }
	lib, err := a.library()
	if err != nil {
		return err
	}
	s, err := lib.Scrub(cmd.Context(), f.q)
	if err != nil {
		return err
	}
	ans := &record.Answer{Complete: s.Damaged == 0}
	if s.Done || f.q.DryRun {
		ans.Matches = len(s.Secrets)
	}
	ans.Sources.Failed = s.Damaged
	if f.structured() {
		err = a.objects(f.form, len(s.Items), func(i int) any { return s.Items[i].JSON(a.path) }, ans)
	} else {
		if s.Done || f.q.DryRun || len(s.Secrets) == 0 {
			a.scrubbed(s, f.q.DryRun, !f.yes && !f.q.DryRun && len(s.Secrets) > 0)
		}
		err = exitOf(ans)
	}
	if err == nil && s.Damaged > 0 {
		return codeError(exitError)
	}
	return err
}

// sureToScrub asks whether credentials are to be masked.
func (a *app) sureToScrub(f *scrubFlags, s *seshat.Scrub) (bool, error) {
	if f.yes {
		return true, nil
	}
	return a.confirmed(irreversible{
		command: "scrub", before: "changes the archive", shown: "be masked", list: func() { a.scrubItems(s) },
		question: fmt.Sprintf("Mask %s at %s in the archive?", plural(len(s.Secrets), "credential"), plural(s.Places(), "place")),
	})
}

// scrubbed prints what was masked, or would be. asked says that the files were listed
// with the question.
func (a *app) scrubbed(s *seshat.Scrub, dry, asked bool) {
	if !asked {
		a.scrubItems(s)
	}
	if len(s.Secrets) == 0 {
		fmt.Fprintln(a.out, "no such credential stands in the archive")
		return
	}
	verb := "masked"
	if dry {
		verb = "would mask"
	}
	fmt.Fprintf(a.out, "%s %s at %s in %s\n", verb, plural(len(s.Secrets), "credential"), plural(s.Places(), "place"), plural(s.Count(seshat.ScrubMasked), "file"))
	fmt.Fprintln(a.out, "Backups, snapshots, exports and what a disk keeps of deleted files are out of reach; seshat secrets --guide says where each is revoked.")
}

func (a *app) scrubItems(s *seshat.Scrub) {
	heads := table{paint: a.paint, width: 0}
	for _, x := range s.Secrets {
		provider := x.Provider
		if provider == "" {
			provider = "-"
		}
		heads.add(cell{x.Fingerprint, term.Count}, cell{x.Rule, term.Bold}, cell{provider, term.Plain})
	}
	heads.print(a.out)
	files := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for i := range s.Items {
		it := &s.Items[i]
		text := term.Line(a.path(it.Path))
		if it.Reason != "" {
			text += ": " + term.Line(it.Reason)
		}
		where := ""
		if it.Places > 0 {
			where = plural(it.Places, "place")
		}
		files.add(cell{it.Did, term.Count}, cell{where, term.Plain}, cell{text, term.Place})
	}
	files.print(a.out)
}
