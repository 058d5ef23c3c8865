package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

func (a *app) archiveExportCommand() *cobra.Command {
	var f form
	var q seshat.ExportQuery
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write plain files back out of the archive",
		Long: "export writes every file of the archive to a folder, byte for byte and with its time:\n" +
			"DIR/MACHINE/AGENT/ the folder it was kept from / its name. It needs nothing but the archive. Folders\n" +
			"are made 0700 and files 0600. Nothing that is there is replaced, nothing is written outside of DIR,\n" +
			"and DIR cannot be below a folder of an agent.\n\n" +
			"Exit codes: 0 everything was written, or was there already; 1 the archive is empty; 2 an error, or some\n" +
			"file could not be written or is damaged in the archive.",
		Example: "  seshat archive export ~/sessions-backup\n  seshat archive export ~/sessions-backup --versions",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Dir = args[0]; q.Dir == "" {
				return errors.New("export takes a folder to write to")
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			if a.watched() {
				q.Progress = func(p seshat.ArchiveProgress) { a.progress.bytes("wrote", p.Done, p.Total) }
			}
			items := a.start(f)
			var bytes int64
			masked := 0
			ans, err := lib.ExportArchive(cmd.Context(), q, func(x *seshat.ExportedFile) error {
				if x.Reason == "" {
					bytes += x.Bytes
					if x.Masked {
						masked++
					}
				}
				if f.structured() {
					return items.add(x.JSON(a.path))
				}
				return nil
			})
			if err != nil {
				return err
			}
			if f.structured() {
				err = items.end(ans)
			} else {
				fmt.Fprintf(a.out, "wrote %s, %s\n", plural(ans.Matches, "file"), bytesText(bytes))
				if masked > 0 {
					fmt.Fprintf(a.out, "%s not as they were: what was forgotten is blank in them\n", plural(masked, "file"))
				}
				err = a.finishQuietly(ans)
			}
			return failedIsError(ans, err)
		},
	}
	cmd.Flags().BoolVar(&q.Versions, "versions", false, "older versions too, as NAME~1, NAME~2 ...")
	f.flags(cmd)
	return cmd
}

// finishQuietly prints the warnings of an answer that is no search, and gives its exit
// code.
func (a *app) finishQuietly(ans *record.Answer) error {
	if err := a.out.Flush(); err != nil {
		return err
	}
	for i, w := range ans.Warnings {
		if i == maxNotes {
			a.note("%d more such notes; --json has them all", len(ans.Warnings)-maxNotes)
			break
		}
		a.note("%s", a.tilde(a.warning(w)))
	}
	return exitOf(ans)
}

// failedIsError gives the exit code of a command that has failed when it failed in part.
func failedIsError(ans *record.Answer, err error) error {
	var code codeError
	if (err == nil || errors.As(err, &code)) && ans.Sources.Failed > 0 {
		return codeError(exitError)
	}
	return err
}
