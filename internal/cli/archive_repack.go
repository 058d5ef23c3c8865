package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

func (a *app) archiveRepackCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "repack",
		Short: "Make the archive smaller",
		Long: "repack compresses better what has not changed for an hour, and frees what nothing needs any more. Every\n" +
			"byte is verified on the way and none is lost. While it runs the archive may take up to twice its size.\n" +
			"It writes to the archive only.\n\n" +
			"Exit codes: 0 the archive is smaller; 1 there was nothing to gain; 2 an error, or there is no archive.",
		Example: "  seshat archive repack",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lib, err := a.library()
			if err != nil {
				return err
			}
			var progress func(seshat.ArchiveProgress)
			if a.watched() {
				progress = func(p seshat.ArchiveProgress) { a.progress.bytes("repacked", p.Done, p.Total) }
			}
			before, after, err := lib.RepackArchive(cmd.Context(), progress)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "the archive took %s and takes %s\n", bytesText(before), bytesText(after))
			ans := &record.Answer{Complete: true}
			if after < before {
				ans.Matches = 1
			}
			return exitOf(ans)
		},
	}
}
