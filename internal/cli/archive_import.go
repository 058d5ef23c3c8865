package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
)

func (a *app) archiveImportCommand() *cobra.Command {
	var f form
	var q seshat.ImportQuery
	cmd := &cobra.Command{
		Use:   "import DIR",
		Short: "Take sessions from a backup or another machine into the archive",
		Long: "import puts sessions into the archive that lie in DIR: a data folder such as a copy of ~/.claude, a\n" +
			"backup that holds one somewhere below, what archive export wrote, or plain *.jsonl files, which are\n" +
			"placed by the folder that stands in them. They count as this machine's, where the agent's folder is\n" +
			"now; --machine keeps them apart, as those of a machine of that name. What the archive has is never\n" +
			"replaced by an older state. import writes to the archive and nothing else, DIR included.\n\n" +
			"Exit codes: 0 something was kept; 1 the archive has it all; 2 an error, or a file could not be read.",
		Example: "  seshat archive import ~/backup-2026-01 --dry-run\n  seshat archive import /media/usb/.claude --machine laptop",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Dir = args[0]; q.Dir == "" {
				return errors.New("import takes a folder to read from")
			}
			if err := notEmpty(cmd, "machine"); err != nil {
				return err
			}
			if strings.ContainsAny(q.Machine, `/\`) || strings.HasPrefix(q.Machine, ".") || len(q.Machine) > 64 || term.Line(q.Machine) != q.Machine {
				return fmt.Errorf("--machine takes a short name without slashes, not %q", q.Machine)
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			if a.watched() {
				q.Progress = func(p seshat.ArchiveProgress) { a.progress.bytes("imported", p.Done, p.Total) }
			}
			run, ans, err := lib.ImportArchive(cmd.Context(), q)
			if err != nil {
				return err
			}
			if f.structured() {
				return archiveCode(run, ans, a.objects(f, len(run.Items), func(i int) any { return run.Items[i].JSON(a.path) }, ans))
			}
			a.archiveItems(run, q.DryRun)
			a.archiveSum(run, q.DryRun)
			return archiveCode(run, ans, a.finishQuietly(ans))
		},
	}
	cmd.Flags().StringVar(&q.Machine, "machine", "", "a name for the machine that they come from, which keeps them apart from this one's")
	cmd.Flags().BoolVar(&q.DryRun, "dry-run", false, "say what would be kept, and keep nothing")
	f.flags(cmd)
	return cmd
}
