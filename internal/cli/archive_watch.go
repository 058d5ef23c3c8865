package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
)

// watchEvery is how often watch looks, if nothing else is asked for, and least how often
// it may.
const (
	watchEvery = time.Minute
	watchLeast = time.Second
)

func (a *app) archiveWatchCommand() *cobra.Command {
	var q seshat.ArchiveQuery
	every := watchEvery
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Archive whenever something has changed, until stopped",
		Long: "watch archives now, and then whenever something has changed. Once a minute it looks at the sizes and\n" +
			"times of files, and opens none while they are as they were. Ctrl-C ends it. What it writes is what\n" +
			"seshat archive writes. A timer that starts seshat archive does as well: see archive schedule.\n\n" +
			"Exit codes: 130 it was stopped; 2 it could not begin.",
		Example: "  seshat archive watch\n  seshat archive watch --every 10s --include file-history",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every < watchLeast {
				return fmt.Errorf("--every takes %v or more, not %v", watchLeast, every)
			}
			if _, err := among("archive --include", q.Include, seshat.ArchiveIncludes()); err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			if _, err := lib.ArchiveDir(); err != nil {
				return err
			}
			ticker := time.NewTicker(every)
			defer ticker.Stop()
			return lib.WatchArchive(cmd.Context(), q, ticker.C, a.watchedRun)
		},
	}
	cmd.Flags().DurationVar(&every, "every", watchEvery, "how often to look: 10s, 5m ...")
	cmd.Flags().StringSliceVar(&q.Include, "include", nil, "also keep file-history")
	_ = cmd.RegisterFlagCompletionFunc("include", fixed(seshat.ArchiveIncludes()...))
	return cmd
}

// watchedRun prints what a run of watch did, if it did something.
func (a *app) watchedRun(run *seshat.ArchiveRun, err error) {
	if err != nil {
		a.note("%s", a.tilde(err.Error()))
		return
	}
	for i := range run.Items {
		if it := &run.Items[i]; it.Did == seshat.ArchiveFailed {
			a.note("%s: %s", a.path(it.Path), it.Reason)
		}
	}
	if run.Stopped != "" {
		a.note("%s", a.tilde(run.Stopped))
	}
	if run.Added > 0 {
		fmt.Fprintf(a.out, "%s  ", time.Now().Format("15:04:05"))
		a.archiveSum(run, false)
		_ = a.out.Flush()
	}
}
