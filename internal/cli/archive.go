package cli

import "github.com/spf13/cobra"

func (a *app) archiveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "Keep sessions before their agents delete them",
		Long: "archive has a command for each thing that it does.\n\n" +
			"Exit codes: 0 it printed this page; 2 wrong usage. Its commands tell their own.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(a.newArchiveHook(nil))
	return cmd
}
