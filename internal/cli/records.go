package cli

import (
	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat/record"
)

func (a *app) recordsCommand() *cobra.Command {
	var sel selection
	var f form
	cmd := &cobra.Command{
		Use:   "records",
		Short: "Print every record as NDJSON, for scripts",
		Long: "records prints every record of every session as one JSON object a line (seshat.record/1), oldest\n" +
			"session first, and a summary (seshat.summary/1) last. What was taken back or rewritten is flagged.\n\n" +
			"Exit codes: 0 there are records; 1 there are none; 2 an error, or none and something could not be read.",
		Example: "  seshat records | jq -r 'select(.kind == \"prompt\") | .text'\n  seshat records --scope prompts --agent claude",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, err := sel.query()
			if err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			f.ndjson, q.Superseded = !f.json, true
			items := a.start(f)
			ans, err := lib.Records(cmd.Context(), q, func(r *record.Record) error { return items.add(r.JSON(a.path)) })
			if err != nil {
				return err
			}
			return items.end(ans)
		},
	}
	sel.flags(cmd, record.ScopeAll)
	sel.orderFlag(cmd)
	f.flags(cmd)
	return cmd
}
