package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// secretFlags are the flags of secrets.
type secretFlags struct {
	form
	q        seshat.SecretQuery
	since    string
	baseline string
	guide    bool
}

func (a *app) secretsCommand() *cobra.Command {
	var s secretFlags
	cmd := &cobra.Command{
		Use:   "secrets",
		Short: "List the credentials in transcripts, by place and kind, never by value",
		Long: "secrets looks through the records of every store that can be read for tokens, private keys and\n" +
			"passwords, and lists each once with the places that it stands at. Its value is never shown: a\n" +
			"fingerprint tells one from another, by a key that is made for this installation and stays in\n" +
			"seshat's data folder.\n\n" +
			"Exit codes: 3 there are credentials; 1 there are none, and everything was read; 2 an error, or none\n" +
			"were found and something could not be read. --guide exits with 0.",
		Example: "  seshat secrets\n  seshat secrets --since 2w --project lighthouse\n  seshat secrets --guide\n" +
			"  seshat secrets --json >known.json; seshat secrets --baseline known.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 { // which may be a credential
				return errors.New("secrets takes no argument: it looks for every kind of credential by itself")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.secrets(cmd, &s) },
	}
	f := cmd.Flags()
	f.StringVar(&s.since, "since", "", "only places in records since then: 2026-05-22, 3d, 2w, yesterday ...")
	f.StringArrayVar(&s.q.Projects, "project", nil, "only of this project: its name, or with a slash its path; globs allowed (repeatable)")
	f.BoolVar(&s.q.Here, "here", false, "only of the repository or folder that you are in, whatever its worktree")
	f.BoolVar(&s.q.Copies, "copies", false, "also places in copies of records that stand in an earlier session")
	f.StringVar(&s.baseline, "baseline", "", "leave out what an earlier answer of --json or --ndjson lists")
	f.BoolVar(&s.guide, "guide", false, "say where each kind is revoked, and how agents are kept from key files")
	s.form.flags(cmd)
	cmd.AddCommand(a.scrubCommand())
	cmd.MarkFlagsMutuallyExclusive("guide", "json", "ndjson")
	return cmd
}

func (a *app) secrets(cmd *cobra.Command, s *secretFlags) (err error) {
	if s.guide {
		return a.secretGuide()
	}
	if err := notEmpty(cmd, "baseline"); err != nil {
		return err
	}
	if s.q.Since, err = sinceTime(cmd, s.since); err != nil {
		return err
	}
	if s.baseline != "" {
		if s.q.Baseline, err = seshat.ReadBaseline(s.baseline); err != nil {
			return err
		}
	}
	lib, err := a.library()
	if err != nil {
		return err
	}
	var list []*seshat.Secret
	ans, err := lib.Secrets(cmd.Context(), s.q, func(x *seshat.Secret) error {
		list = append(list, x)
		return nil
	})
	if err != nil {
		return err
	}
	if s.structured() {
		return foundIsFault(ans, a.objects(s.form, len(list), func(i int) any { return list[i].JSON(a.path) }, ans))
	}
	a.secretTable(list)
	if err := foundIsFault(ans, a.finish(ans)); err != codeError(exitFault) {
		return err
	}
	a.note("%s at %s; seshat secrets --guide says where each is revoked", plural(len(list), "credential"), plural(places(list), "place"))
	return codeError(exitFault)
}

// foundIsFault gives the exit code of an answer in which a match is a fault.
func foundIsFault(ans *record.Answer, err error) error {
	if err == nil && ans.Matches > 0 {
		return codeError(exitFault)
	}
	return err
}

func places(list []*seshat.Secret) (n int) {
	for _, s := range list {
		n += len(s.Places)
	}
	return n
}

// maxPlaces is how many places of a credential are listed for people; JSON has all.
const maxPlaces = 5

// secretTable prints each credential on a line, and below it its places.
func (a *app) secretTable(list []*seshat.Secret) {
	heads := table{paint: a.paint, width: 0}
	for _, s := range list {
		heads.add(cell{s.Fingerprint, term.Count}, cell{s.Rule, term.Bold}, cell{provider(s), term.Plain},
			cell{plural(len(s.Places), "place"), term.Plain}, cell{minute(s.Last), term.Dim})
	}
	lines := heads.lines()
	for i, s := range list {
		fmt.Fprintln(a.out, lines[i])
		for n, p := range s.Places {
			if n == maxPlaces {
				fmt.Fprintf(a.out, "  and %s; --json has them all\n", plural(len(s.Places)-n, "more place"))
				break
			}
			fmt.Fprintf(a.out, "  %s  %s\n", a.paint.Paint(term.Place, a.secretPlace(p)), a.paint.Paint(term.Dim, placeNote(p)))
		}
	}
}

func provider(s *seshat.Secret) string {
	if s.Provider == "" {
		return "-"
	}
	return s.Provider
}

// secretPlace writes where a credential stands: PATH:LINE, or the key in a database.
func (a *app) secretPlace(p seshat.SecretPlace) string {
	path := term.Line(a.path(p.Path))
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s:%d", path, p.Line)
	case p.Key != "":
		return path + ":" + term.Line(p.Key)
	}
	return path
}

// placeNote writes what kind of record a place is.
func placeNote(p seshat.SecretPlace) string {
	note := string(p.Kind)
	if p.Tool != "" {
		note += " " + term.Line(p.Tool)
	}
	if p.Flags&record.Archived != 0 {
		note += " (archived)"
	}
	if p.Cut {
		note += " (cut)"
	}
	return note
}
