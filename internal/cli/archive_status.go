package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
)

func (a *app) archiveStatusCommand() *cobra.Command {
	var f form
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what the archive holds, and what is at risk now",
		Long: "status says how many sessions and bytes the archive holds, when something was kept last, and what\n" +
			"the agents may delete within a week that is not in the archive, or not wholly. It writes nothing.\n\n" +
			"The archive holds whatever secrets the transcripts held. It is not encrypted; its folders and files\n" +
			"are for you alone.\n\n" +
			"Exit codes: 0 there is an archive; 1 there is none yet; 2 an error.",
		Example: "  seshat archive status\n  seshat archive status --json | jq .items[0].at_risk",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lib, err := a.library()
			if err != nil {
				return err
			}
			st, ans, err := lib.ArchiveStatus(cmd.Context())
			if err != nil {
				return err
			}
			if f.structured() {
				err = a.objects(f, 1, func(int) any { return st.JSON(a.path) }, ans)
			} else {
				a.statusText(st)
				err = a.out.Flush()
			}
			var code codeError
			if err != nil && !errors.As(err, &code) {
				return err
			}
			if st.None {
				return codeError(exitNothing)
			}
			return nil
		},
	}
	f.flags(cmd)
	return cmd
}

// statusText prints how the archive is.
func (a *app) statusText(st *seshat.ArchiveStatus) {
	t := table{paint: a.paint}
	row := func(name, text string) { t.add(cell{name, term.Dim}, cell{text, term.Plain}) }
	row("archive", term.Line(a.path(st.Dir)))
	if st.None {
		row("holds", "nothing yet; seshat archive makes it")
	} else {
		row("holds", fmt.Sprintf("%s, %s in %s", plural(st.Sessions, "session"), plural(st.Files, "file"), plural(st.Versions, "version")))
		row("size", sizeText(st))
		row("last run", lastRun(st.LastRun))
	}
	if st.Machines > 1 {
		row("machines", fmt.Sprint(st.Machines))
	}
	if st.Gone > 0 {
		row("only here", plural(st.Gone, "file")+" that the disk does not hold any more")
	}
	if st.Pending > 0 {
		row("not whole", plural(st.Pending, "file")+" that was still being written; the next run catches up")
	}
	if st.Forgotten > 0 {
		row("forgotten", plural(st.Forgotten, "session")+", not kept again")
	}
	row("at risk", riskText(st.Risk))
	t.print(a.out)
	if !st.None {
		fmt.Fprintln(a.out, "\nThe archive holds whatever secrets the transcripts held: keys, tokens, passwords. It is not encrypted; its\nfolders and files are for you alone.")
	}
}

func sizeText(st *seshat.ArchiveStatus) string {
	text := fmt.Sprintf("%s of files in %s", bytesText(st.Bytes), bytesText(st.Stored))
	if st.Bytes > 0 {
		text += fmt.Sprintf(" (%.0f%%)", 100*float64(st.Stored)/float64(st.Bytes))
	}
	if st.Free > st.Stored/10 && st.Free > 1<<20 {
		text += fmt.Sprintf(", of which seshat archive repack frees %s", bytesText(st.Free))
	}
	return text
}

func lastRun(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return minute(t)
}

// riskText says what may go soon and is not archived.
func riskText(r seshat.ArchiveRisk) string {
	if r.Files == 0 {
		return fmt.Sprintf("nothing: what may go by %s is archived", r.Until.Local().Format("2006-01-02"))
	}
	first := "now, at the next start of the agent"
	if r.Earliest.After(time.Now()) {
		first = "on " + r.Earliest.Local().Format("2006-01-02")
	}
	return fmt.Sprintf("%s, %s (%s) that may go by %s, the first %s; seshat archive keeps them",
		plural(r.Sessions, "session"), plural(r.Files, "file"), bytesText(r.Bytes), r.Until.Local().Format("2006-01-02"), first)
}
