package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

func (a *app) restoreCommand() *cobra.Command {
	var q seshat.RestoreQuery
	var f form
	cmd := &cobra.Command{
		Use:   "restore ID",
		Short: "Put an archived session back where its agent finds it",
		Long: "restore writes an archived session and all that belongs to it back into the agent's data folder,\n" +
			"byte for byte: all of it or nothing, the transcript last, with the date of now, since agents go by\n" +
			"dates when they delete. It writes the files of that session and nothing else of the agent: no\n" +
			"settings, no instructions, no memory. A Gemini chat whose date inside is too old gets one more line.\n\n" +
			"Nothing is overwritten. A session whose id stands elsewhere, or that is there with other content, is\n" +
			"refused; --force replaces it once what stands there is archived. One that is there already, or has\n" +
			"grown since, is left as it is; --touch gives it the date of now. A restore that was killed is\n" +
			"finished or undone by the next one.\n\n" +
			"Exit codes: 0 something was put back; 1 all of it is there; 2 an error, or it was refused.",
		Example: "  seshat restore 4d7d11a9\n  seshat restore 4d7d11a9 --dry-run\n  seshat restore 4d7d11a9 --target ~/.claude-work --dry-run",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Handle = args[0]
			if err := notEmpty(cmd, "target"); err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			r, err := lib.Restore(cmd.Context(), q)
			if err != nil {
				for _, note := range r.Notes { // of what broke off before
					a.note("%s", a.tilde(note))
				}
				return err
			}
			if f.structured() {
				return a.restoredObjects(f, r)
			}
			a.restoredText(r, q.DryRun)
			if r.Changed() == 0 {
				return codeError(exitNothing)
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&q.DryRun, "dry-run", false, "say what would be done, and do nothing")
	fl.StringVar(&q.Target, "target", "", "put it into this data folder instead of the one it was last seen in")
	fl.BoolVar(&q.Force, "force", false, "replace what stands there, once that is archived")
	fl.BoolVar(&q.Touch, "touch", false, "give what is there already the date of now")
	fl.BoolVar(&q.Partial, "partial", false, "also where the transcript itself was never archived")
	f.flags(cmd)
	return cmd
}

func (a *app) restoredObjects(f form, r *seshat.Restored) error {
	objects := r.JSON(a.path)
	ans := &record.Answer{Matches: r.Changed(), Complete: true}
	for _, note := range r.Notes {
		ans.Warnings = append(ans.Warnings, record.Warning{Reason: note})
	}
	return a.objects(f, len(objects), func(i int) any { return objects[i] }, ans)
}

func (a *app) restoredText(r *seshat.Restored, dry bool) {
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, it := range r.Items {
		t.add(cell{it.Did, term.Count}, cell{bytesText(it.Size), term.Plain}, cell{term.Line(a.path(it.Path)), term.Place})
	}
	t.print(a.out)
	switch n := r.Changed(); {
	case n == 0:
		fmt.Fprintln(a.out, "all of it is there already")
	case dry:
		fmt.Fprintf(a.out, "%s would be written\n", plural(n, "file"))
	default:
		fmt.Fprintf(a.out, "%s of %s written%s\n", plural(n, "file"), term.Line(r.Session.Handle), a.until(r))
	}
	a.out.Flush()
	for _, note := range r.Notes {
		a.note("%s", a.tilde(note))
	}
}

// until says how long the agent will keep a session.
func (a *app) until(r *seshat.Restored) string {
	if r.Expires.IsZero() {
		return ""
	}
	return fmt.Sprintf("; %s keeps it until %s", term.Line(r.Session.Agent), r.Expires.Local().Format("2006-01-02"))
}
