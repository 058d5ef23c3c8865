package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
)

func (a *app) archiveVerifyCommand() *cobra.Command {
	var f form
	rebuild := false
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Hold everything in the archive against its hashes",
		Long: "verify reads the whole archive and holds every byte against the hash that it was kept with. Damage\n" +
			"costs only the spot it hits: verify names the file, the session and the bytes that are lost; archive\n" +
			"export gives all the rest back. It writes nothing, but with --rebuild: where the manifest, which says\n" +
			"what is where, is damaged or gone, that is made anew first from what the rest of the archive tells.\n" +
			"The old one is put aside.\n\n" +
			"Exit codes: 0 all is sound; 3 something is damaged; 2 an error, or there is no archive.",
		Example: "  seshat archive verify\n  seshat archive verify --ndjson | jq -r 'select(.path) | .path'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lib, err := a.library()
			if err != nil {
				return err
			}
			if rebuild {
				if err := a.rebuild(cmd, lib); err != nil {
					return err
				}
			}
			var progress func(seshat.ArchiveProgress)
			if a.watched() {
				progress = func(p seshat.ArchiveProgress) { a.progress.bytes("verified", p.Done, p.Total) }
			}
			faults, ans, err := lib.VerifyArchive(cmd.Context(), progress)
			if err != nil {
				return err
			}
			if f.structured() {
				err = a.objects(f, len(faults), func(i int) any { return faults[i].JSON(a.path) }, ans)
			} else {
				a.faults(faults, ans.Sources.Read)
				err = exitOf(ans)
			}
			if code, ok := err.(codeError); ok && code == exitNothing {
				return nil // nothing is damaged
			}
			return foundIsFault(ans, err)
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "first make the manifest anew, where it is damaged or gone")
	f.flags(cmd)
	return cmd
}

// rebuild makes the manifest anew and says what became of it.
func (a *app) rebuild(cmd *cobra.Command, lib *seshat.Library) error {
	done, err := lib.RebuildArchive(cmd.Context())
	if err != nil {
		return err
	}
	text := "the manifest was made anew: " + plural(done.Files, "file")
	if done.Nameless > 0 {
		text += fmt.Sprintf(", %d without their names", done.Nameless)
	}
	if done.Broken > 0 {
		text += fmt.Sprintf(", too little is left of %s", plural(done.Broken, "version"))
	}
	if done.Aside != "" {
		text += "; the old one is " + a.path(done.Aside)
	}
	a.note("%s", text)
	return nil
}

// faults prints what is damaged, and whom it hurts.
func (a *app) faults(list []seshat.ArchiveFault, sound int) {
	for _, f := range list {
		where := "no file that is kept"
		if f.Path != "" {
			where = fmt.Sprintf("%s, version %d, bytes %d to %d", a.path(f.Path), f.Version, f.Offset, f.Offset+f.Length)
		}
		if f.Session != "" {
			where += ", of session " + f.Agent + ":" + f.Session
		}
		if f.Pack != "" {
			where += " (" + f.Pack + ")"
		}
		fmt.Fprintf(a.out, "%s: %s: %s\n", a.paint.Paint(term.Bold, "damaged"), term.Line(where), term.Line(f.Reason))
	}
	fmt.Fprintf(a.out, "%s sound, %s\n", plural(sound, "file"), plural(len(list), "damaged spot"))
}
