package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/internal/when"
	"github.com/seshat-dev/seshat/record"
)

func (a *app) expiringCommand() *cobra.Command {
	var q seshat.ExpiringQuery
	var f form
	var within string
	cmd := &cobra.Command{
		Use:   "expiring",
		Short: "List what the agents' own clean-up will delete, and when",
		Long: "expiring lists the sessions that lose something within some days: the transcript, or what belongs\n" +
			"to it and ages on its own. Nothing goes on the date itself: Claude Code deletes after it is next\n" +
			"started, anywhere; Gemini CLI when it is next started in that project. A date is the earliest that\n" +
			"settings on this disk allow. Where it is not sure that something is spared, it counts as deleted.\n" +
			"\"from\" stands before a date that settings which cannot be seen may move.\n\n" +
			"Each session says whether seshat archive has it already, wholly or in part. The settings that would\n" +
			"keep more are printed; expiring edits nothing.\n\n" +
			"Exit codes: 0 something expires; 1 nothing does, and that is certain; 2 an error, or nothing was found and\n" +
			"not everything could be read.",
		Example: "  seshat expiring\n  seshat expiring --within 2w --here\n  seshat expiring --within 100y --json | jq -r '.items[] | [.expires, .path] | @tsv'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			now := time.Now()
			var err error
			if q.Until, err = when.Ahead(within, now); err != nil {
				return fmt.Errorf("--within: %w", err)
			}
			if err := notEmpty(cmd, "project"); err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			exp, ans, err := lib.Expiring(cmd.Context(), q)
			if err != nil {
				return err
			}
			if f.structured() {
				var fates []any
				for _, loss := range exp.Losses {
					fates = append(fates, exp.LossJSON(loss, a.path)...)
				}
				return a.objects(f, len(fates), func(i int) any { return fates[i] }, ans)
			}
			a.expiry(exp, now)
			return a.finish(ans)
		},
	}
	cmd.Flags().StringVar(&within, "within", "7d", "what may go until then: 12h, 7d, 2w, 6m, 1y ...")
	cmd.Flags().BoolVar(&q.Here, "here", false, "only of the repository or folder that you are in, whatever its worktree")
	cmd.Flags().StringVar(&q.Project, "project", "", "only of this project: its name, or with a slash its path; globs allowed")
	f.flags(cmd)
	return cmd
}

// expiry prints what goes, what that comes to, and how to keep more.
func (a *app) expiry(exp *seshat.Expiring, now time.Time) {
	if len(exp.Losses) == 0 {
		return
	}
	names := lossNames(exp.Losses)
	for i, loss := range exp.Losses {
		a.loss(names[i], loss, exp.Held(loss), now)
	}
	a.totals(exp.Totals, now)
	a.keeping(exp)
}

// lossNames gives what names each loss in the list: the beginning of the session's
// id, and nothing where there is no session.
func lossNames(losses []*seshat.Loss) []string {
	var sessions []record.Session
	var at []int
	names := make([]string, len(losses))
	for i, l := range losses {
		if l.Session != nil {
			sessions, at = append(sessions, *l.Session), append(at, i)
		} else if id := l.Fates[0].Session; l.Family != "" {
			names[i] = term.Line(id)
		}
	}
	for n, name := range shortHandles(sessions) {
		names[at[n]] = name
	}
	return names
}

// loss prints a session with what it loses, or what goes of no session.
func (a *app) loss(name string, loss *seshat.Loss, held seshat.Held, now time.Time) {
	var head []string
	add := func(style term.Style, text string) {
		if text != "" {
			head = append(head, a.paint.Paint(style, text))
		}
	}
	add(term.Count, name)
	add(term.Place, projectName(loss.Project.Name))
	add(term.Plain, term.Line(loss.Agent))
	add(term.Dim, heldText[held])
	if loss.Session != nil {
		add(term.Bold, sessionTitle(loss.Session))
	} else if loss.Family == "" {
		add(term.Bold, "of no session: "+term.Line(loss.Fates[0].Source.Store.ID))
	}
	fmt.Fprintln(a.out, strings.Join(head, "  "))
	for _, g := range grouped(loss.Fates, now) {
		fmt.Fprintf(a.out, "    %s  %s: %s\n", a.paint.Paint(term.Dim, g.when), g.what(), a.why(g.fates[0]))
	}
}

// heldText says how far a session is archived.
var heldText = map[seshat.Held]string{seshat.HeldWhole: "archived", seshat.HeldPart: "archived in part", seshat.HeldNot: "not archived"}

// alike are fates with one date for one reason.
type alike struct {
	when  string
	fates []agent.Fate
}

// grouped puts fates together that read the same.
func grouped(fates []agent.Fate, now time.Time) []*alike {
	var out []*alike
	for _, f := range fates {
		when := day(f.Span, now)
		i := slices.IndexFunc(out, func(g *alike) bool {
			o := g.fates[0]
			return g.when == when && o.Reason == f.Reason && o.Rule == f.Rule && o.Where == f.Where && o.Event == f.Event
		})
		if i < 0 {
			i, out = len(out), append(out, &alike{when: when})
		}
		out[i].fates = append(out[i].fates, f)
	}
	return out
}

// day writes when something may go, in days of the person's zone.
func day(s agent.Span, now time.Time) string {
	const form = "2006-01-02"
	first := s.Earliest.Local().Format(form)
	switch {
	case !s.Earliest.After(now):
		return "next start"
	case s.Latest.IsZero():
		return "from " + first
	case s.Latest.Local().Format(form) == first:
		return first
	}
	return first + " to " + s.Latest.Local().Format(form)
}

// what names the files of a group: how many of which store, and the one where there
// is only one.
func (g *alike) what() string {
	var stores []string
	n := map[string]int{}
	for _, f := range g.fates {
		id := f.Source.Store.ID
		if n[id] == 0 {
			stores = append(stores, id)
		}
		n[id]++
	}
	for i, id := range stores {
		_, name, _ := strings.Cut(id, ".")
		stores[i] = term.Line(name)
		if n[id] > 1 {
			stores[i] = fmt.Sprintf("%d × %s", n[id], stores[i])
		}
	}
	return strings.Join(stores, ", ")
}

// why writes the reason with the setting that decides and where it stands.
func (a *app) why(f agent.Fate) string {
	text := f.Reason
	if f.Rule.Setting != "" {
		text += " (" + f.Rule.Setting
		if f.Rule.Path != "" {
			text += " in " + a.path(f.Rule.Path)
		}
		text += ")"
	}
	switch {
	case f.Event != "":
		text += ", when " + f.Event
	case f.Where != "":
		text += ", at a start in " + a.path(f.Where)
	}
	return term.Line(text)
}

// totals prints what each project loses.
func (a *app) totals(list []*seshat.LossTotal, now time.Time) {
	fmt.Fprintln(a.out)
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, sum := range list {
		name := sum.Project.Name
		if name == "" {
			name = "(no project)"
		}
		t.add(
			cell{projectName(name), term.Place}, cell{plural(sum.Sessions, "session"), term.Count}, cell{plural(sum.Files, "file"), term.Plain},
			cell{bytesText(sum.Bytes), term.Plain}, cell{day(agent.Span{Earliest: sum.Earliest, Latest: sum.Earliest}, now), term.Dim}, cell{term.Line(a.path(sum.Project.Root)), term.Place},
		)
	}
	t.print(a.out)
}

// keeping prints the settings that keep more.
func (a *app) keeping(exp *seshat.Expiring) {
	fmt.Fprintln(a.out)
	if len(exp.Edits) == 0 {
		fmt.Fprintln(a.out, "No setting keeps more of this.")
	}
	for _, e := range exp.Edits {
		path := term.Line(a.path(e.Path))
		if e.JSON == "" {
			fmt.Fprintf(a.out, "%s: %s.\n", path, term.Line(e.Why))
			continue
		}
		fmt.Fprintf(a.out, "To keep more, put this into %s, beside what is there:\n  %s\n  %s.\n", path, e.JSON, term.Line(e.Why))
	}
	text := "seshat changes no settings."
	if slices.ContainsFunc(exp.Losses, func(l *seshat.Loss) bool { h := exp.Held(l); return h == seshat.HeldNot || h == seshat.HeldPart }) {
		text += " seshat archive keeps copies of what is not archived yet."
	}
	fmt.Fprintln(a.out, text)
}
