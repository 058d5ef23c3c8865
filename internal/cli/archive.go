package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// archiveFlags are the flags of archive.
type archiveFlags struct {
	form
	q     seshat.ArchiveQuery
	only  []string
	since string
}

// archiveCommand is the archive and all that is done with it. A command of it is added
// here and stands in a file of its own.
func (a *app) archiveCommand() *cobra.Command {
	var f archiveFlags
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "Copy sessions into seshat's own archive, before their agents delete them",
		Long: "archive copies what agents may delete into an archive of seshat's own, byte for byte: transcripts\n" +
			"with all that belongs to them, what these refer to (plans, pastes, tool outputs), prompt logs,\n" +
			"memory and registries. A file that grew is caught up, one that was rewritten becomes another\n" +
			"version, and one that is gone from the disk stays in the archive. What is as it was is not opened.\n\n" +
			"It writes to the folder archive in seshat's data folder, and to nothing of an agent. The archive\n" +
			"holds whatever secrets the transcripts hold. Credentials that agents store are never archived.\n\n" +
			"Exit codes: 0 something was kept; 1 nothing was new; 2 an error, a file could not be read, or there\n" +
			"was no room.",
		Example: "  seshat archive\n  seshat archive --dry-run --project lighthouse\n  seshat archive --only interactive --since 2w --include file-history",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownArchive(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.archive(cmd, &f) },
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.q.Include, "include", nil, "also keep "+strings.Join(seshat.ArchiveIncludes(), ", ")+", which is large and not needed to read a session")
	fl.StringSliceVar(&f.only, "only", nil, "only sessions of these kinds: "+strings.Join(names(seshat.ArchiveKinds()), ", "))
	fl.StringArrayVar(&f.q.Projects, "project", nil, "only of this project: its name, or with a slash its path; globs allowed (repeatable)")
	fl.BoolVar(&f.q.Here, "here", false, "only of the repository or folder that you are in, whatever its worktree")
	fl.StringVar(&f.since, "since", "", "only sessions active since then: 2026-05-22, 3d, 2w, yesterday ...")
	fl.BoolVar(&f.q.DryRun, "dry-run", false, "say what would be kept, and keep nothing")
	f.form.flags(cmd)
	cmd.AddCommand(a.archiveStatusCommand(), a.archiveVerifyCommand(), a.archiveExportCommand(), a.archiveForgetCommand(),
		a.archiveImportCommand(), a.archiveRepackCommand(), a.archiveWatchCommand(), a.archiveScheduleCommand(),
		a.newArchiveHook())
	_ = cmd.RegisterFlagCompletionFunc("include", fixed(seshat.ArchiveIncludes()...))
	_ = cmd.RegisterFlagCompletionFunc("only", fixed(names(seshat.ArchiveKinds())...))
	return cmd
}

// unknownArchive names the command of archive that is nearest to what was typed.
func unknownArchive(cmd *cobra.Command, typed string) error {
	near, best := "", 4
	for _, c := range cmd.Commands() {
		if d := seshat.Distance(typed, c.Name()); d < best && d < len(typed) {
			near, best = c.Name(), d
		}
	}
	if near == "" {
		return fmt.Errorf("archive takes no argument %q; seshat archive --help lists what it does", typed)
	}
	return fmt.Errorf("there is no command archive %s; did you mean seshat archive %s?", typed, near)
}

func (a *app) archive(cmd *cobra.Command, f *archiveFlags) (err error) {
	if f.q.Only, err = among("kind of session", f.only, seshat.ArchiveKinds()); err != nil {
		return err
	}
	if _, err := among("archive --include", f.q.Include, seshat.ArchiveIncludes()); err != nil {
		return err
	}
	if err := notEmpty(cmd, "project"); err != nil {
		return err
	}
	if f.q.Since, err = sinceTime(cmd, f.since); err != nil {
		return err
	}
	lib, err := a.library()
	if err != nil {
		return err
	}
	if a.watched() {
		f.q.Progress = func(p seshat.ArchiveProgress) { a.progress.bytes("kept", p.Done, p.Total) }
	}
	run, ans, err := lib.Archive(cmd.Context(), f.q)
	if err != nil {
		return err
	}
	if f.structured() {
		err := a.objects(f.form, len(run.Items), func(i int) any { return run.Items[i].JSON(a.path) }, ans)
		return archiveCode(run, ans, err)
	}
	a.archiveItems(run, f.q.DryRun)
	a.archiveSum(run, f.q.DryRun)
	return archiveCode(run, ans, a.finishQuietly(ans))
}

// archiveCode is the exit code of a run: what could not be kept is an error, whatever
// else was.
func archiveCode(run *seshat.ArchiveRun, ans *record.Answer, err error) error {
	var code codeError
	switch {
	case err != nil && !errors.As(err, &code):
		return err
	case run.Stopped != "" || ans.Sources.Failed > 0:
		return codeError(exitError)
	case code == exitError: // what is not whole yet is caught up by the next run
		return codeError(exitNothing)
	}
	return err
}

// archiveItems prints what became of files that did not simply grow, and in a dry run
// all that would be kept.
func (a *app) archiveItems(run *seshat.ArchiveRun, all bool) {
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for i := range run.Items {
		it := &run.Items[i]
		did := it.Did
		switch {
		case did == seshat.ArchiveFailed:
			continue // the notes say so
		case it.Pending != "":
			did = seshat.ArchivePending
		case !all && (did == seshat.ArchiveKept || did == seshat.ArchiveGrown):
			continue
		}
		text := term.Line(a.path(it.Path))
		if why := it.Pending + it.Reason; why != "" {
			text += ": " + term.Line(why)
		}
		t.add(cell{did, term.Count}, cell{bytesText(it.Size), term.Plain}, cell{text, term.Place})
	}
	t.print(a.out)
}

// archiveSum prints what a run did in one line.
func (a *app) archiveSum(run *seshat.ArchiveRun, dry bool) {
	var parts []string
	for _, p := range []struct{ did, text string }{
		{seshat.ArchiveKept, "new"}, {seshat.ArchiveGrown, "grown"}, {seshat.ArchiveVersion, "rewritten"}, {seshat.ArchiveMoved, "moved"},
		{seshat.ArchiveGone, "gone from the disk"}, {seshat.ArchivePending, "not whole yet"}, {seshat.ArchiveForgotten, "forgotten"}, {seshat.ArchiveSkipped, "left alone"}, {seshat.ArchiveFailed, "not read"},
	} {
		if n := run.Count(p.did); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, p.text))
		}
	}
	parts = append(parts, fmt.Sprintf("%d as before", run.Unchanged))
	verb := "kept "
	if dry {
		verb = "would keep "
	}
	fmt.Fprintf(a.out, "%s%s: %s\n", verb, bytesText(run.Added), strings.Join(parts, ", "))
}

// watched reports whether somebody sees how far a run is.
func (a *app) watched() bool {
	return !a.noProgress && !a.quiet && term.IsTerminal(a.p.Stderr)
}
