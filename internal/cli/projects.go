package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
)

func (a *app) projectsCommand() *cobra.Command {
	var q seshat.SessionQuery
	var f form
	var places placeFlags
	cmd := &cobra.Command{
		Use:   "projects",
		Short: "List the repositories and folders that sessions worked on",
		Long: "projects lists the repositories that sessions worked on, the last active first, with the worktrees\n" +
			"of each: all worktrees of a repository are one project. Runs of claude -p and of the SDK count too.\n" +
			"A word before the path says how each was decided:\n\n" +
			"  rule    a [[projects]] rule of the config\n" +
			"  layout  the place of the worktree, such as REPO/.claude/worktrees/NAME\n" +
			"  git     a .git there or above, or git's list of worktrees; git itself is never run\n" +
			"  agent   the agent wrote down which repository the worktree is of\n" +
			"  folder  nothing tells of a repository, so that the folder itself is the project\n\n" +
			"Exit codes: 0 there are projects; 1 there are none; 2 an error, or none and something could not be read.",
		Example: "  seshat projects\n  seshat projects --here\n  seshat projects --json | jq -r '.items[] | select(.decided == [\"folder\"]) | .root'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := places.query(cmd, &q); err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			list, ans, err := lib.Projects(cmd.Context(), q)
			if err != nil {
				return err
			}
			if f.structured() {
				return a.objects(f, len(list), func(i int) any { return list[i].JSON(a.path) }, ans)
			}
			a.projectTable(list)
			return a.finish(ans)
		},
	}
	places.flags(cmd, "projects")
	f.flags(cmd)
	return cmd
}

// placeFlags are the flags that choose sessions by where they ran.
type placeFlags struct {
	here            bool
	project, branch string
}

func (p *placeFlags) flags(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&p.here, "here", false, "only "+what+" of the repository or folder that you are in, whatever its worktree")
	cmd.Flags().StringVar(&p.project, "project", "", "only "+what+" of this project: its name, or with a slash its path; globs allowed")
	if what != "projects" {
		cmd.Flags().StringVar(&p.branch, "branch", "", "only "+what+" that ran on this branch; globs allowed")
	}
}

func (p *placeFlags) query(cmd *cobra.Command, q *seshat.SessionQuery) error {
	q.Here, q.Project, q.Branch = p.here, p.project, p.branch
	return notEmpty(cmd, "project", "branch")
}

// projectTable prints one line for each project and one for each of its worktrees.
func (a *app) projectTable(list []*seshat.Project) {
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, p := range list {
		root := term.Line(a.path(p.Root))
		if root == "" {
			root = "-"
		}
		var decided []string
		for _, by := range p.Decided {
			decided = append(decided, string(by))
		}
		t.add(
			cell{projectName(p.Name), term.Bold},
			cell{minute(p.LastActive), term.Dim},
			cell{sessionCount(p), term.Count},
			cell{strings.Join(p.Agents, ","), term.Plain},
			cell{strings.Join(decided, ","), term.Dim},
			cell{root, term.Place},
		)
		for _, w := range p.Worktrees {
			t.add(cell{"  " + a.worktree(w), term.Place})
		}
	}
	t.print(a.out)
}

// sessionCount writes how many sessions a project has.
func sessionCount(p *seshat.Project) string {
	if p.Archived == 0 {
		return plural(p.Sessions, "session")
	}
	return fmt.Sprintf("%s (%d archived)", plural(p.Sessions, "session"), p.Archived)
}

// worktree writes a worktree with its branch.
func (a *app) worktree(w seshat.Worktree) string {
	var notes []string
	if w.Branch != "" {
		notes = append(notes, term.Line(w.Branch))
	}
	if w.Gone {
		notes = append(notes, "gone")
	}
	if len(notes) == 0 {
		return term.Line(a.path(w.Path))
	}
	return fmt.Sprintf("%s (%s)", term.Line(a.path(w.Path)), strings.Join(notes, ", "))
}
