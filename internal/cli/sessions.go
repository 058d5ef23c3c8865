package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

func (a *app) sessionsCommand() *cobra.Command {
	var q seshat.SessionQuery
	var f form
	var since string
	var places placeFlags
	var asked queryFlags
	cmd := &cobra.Command{
		Use:   "sessions [QUERY]",
		Short: "List the sessions, newest first",
		Long: "sessions lists the conversations that agents left here, the last active first. Runs of claude -p\n" +
			"and of the SDK are left out and counted; --all shows them too. All worktrees of a repository are\n" +
			"one project; seshat projects lists them. With a QUERY, in the language of search, only those are listed\n" +
			"of which a record or the title matches.\n\n" +
			"Exit codes: 0 there are sessions; 1 there are none; 2 an error, or none and something could not be read.",
		Example: "  seshat sessions\n  seshat sessions --here\n  seshat sessions --since 2w --project 'web-*'\n  seshat sessions 'deploy -staging' kind:prompt\n  seshat sessions --all --json | jq '.items[].title'",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notNegative("--limit", q.Limit); err != nil {
				return err
			}
			if cmd.Flags().Changed("pr") && !regexp.MustCompile(pullRequest).MatchString(q.PR) {
				return fmt.Errorf("--pr takes the number or the URL of a pull request, not %q", q.PR)
			}
			var err error
			if q.Since, err = sinceTime(cmd, since); err != nil {
				return err
			}
			places.query(&q)
			lib, err := a.library()
			if err != nil {
				return err
			}
			if q.Query, err = a.readQuery(cmd, lib, &asked, args); err != nil {
				return err
			}
			list, ans, err := lib.Sessions(cmd.Context(), q)
			if err != nil {
				return err
			}
			a.hints(q.Query, ans.Matches)
			if f.structured() {
				return a.objects(f, len(list), func(i int) any { return list[i].JSON(a.path) }, ans)
			}
			a.sessionTable(list)
			return a.finish(ans)
		},
	}
	cmd.Flags().BoolVarP(&q.All, "all", "a", false, "also print-mode runs and lone subagents")
	places.flags(cmd, "sessions")
	asked.flags(cmd)
	cmd.Flags().StringVar(&q.PR, "pr", "", "only sessions linked to this pull request: its URL or number")
	cmd.Flags().StringVar(&since, "since", "", "only sessions active since then: 2026-05-22, 3d, 2w, yesterday ...")
	cmd.Flags().IntVar(&q.Limit, "limit", 0, "at most so many sessions")
	f.flags(cmd)
	return cmd
}

// pullRequest is what names a pull request: its number or its URL.
const pullRequest = `^(#?\d+|https?://\S+)$`

// sessionTable prints one line for each session.
func (a *app) sessionTable(list []record.Session) {
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for i := range list {
		s := &list[i]
		t.add(
			cell{term.Line(s.Short), term.Count},
			cell{minute(s.LastActive), term.Dim},
			cell{projectName(s.Project.Name), term.Place},
			cell{plural(s.Counts.Prompts, "prompt"), term.Plain},
			cell{sessionTitle(s), term.Bold},
		)
	}
	t.print(a.out)
}

// sessionTitle is a session's title with what sets it apart in front.
func sessionTitle(s *record.Session) string {
	marks := sessionMarks(s)
	if s.Subagents > 0 && s.Kind != record.KindSubagent {
		marks = append(marks, plural(s.Subagents, "subagent"))
	}
	title := term.Line(s.Title)
	if title == "" {
		title = "(no title)"
	}
	return marked(marks) + title
}

// sessionMarks are the words that set a session apart from one that is live and that a
// person led.
func sessionMarks(s *record.Session) []string {
	var marks []string
	if s.Kind != record.KindInteractive && s.Kind != "" {
		marks = append(marks, string(s.Kind))
	}
	if s.State != record.StateLive {
		marks = append(marks, string(s.State))
	}
	return marks
}

// marked writes marks as they stand before a title.
func marked(marks []string) string {
	if len(marks) == 0 {
		return ""
	}
	return "[" + strings.Join(marks, ", ") + "] "
}
