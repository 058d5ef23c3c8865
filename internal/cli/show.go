package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// maxShown is how many lines of a tool's result are printed unless --full.
const maxShown = 12

func (a *app) showCommand() *cobra.Command {
	var q seshat.ShowQuery
	var f form
	var kinds []string
	var full bool
	cmd := &cobra.Command{
		Use:   "show HANDLE[:LINE]",
		Short: "Show a session, or the records around one",
		Long: "show prints a session in the order of its file. HANDLE is the first characters of its id (four or\n" +
			"more), AGENT:ID, the id of a subagent or of a record, or a path. With :LINE, or the id of a\n" +
			"record, only the records around it are shown. Long tool results are cut unless --full.\n\n" +
			"Exit codes: 0 it was shown; 1 it holds no such records; 2 an error, no such session, or more than one.",
		Example: "  seshat show 4d7d11a9\n  seshat show 4d7d11a9:12 -C 3\n  seshat show 4d7d11a9 --kind prompt,reply",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			q.Handle, q.Full = args[0], full
			if err := notNegative("-C", q.Context); err != nil {
				return err
			}
			if q.Kinds, err = among("kind", kinds, record.Kinds()); err != nil {
				return err
			}
			lib, err := a.library()
			if err != nil {
				return err
			}
			shown, ans, err := lib.Show(cmd.Context(), q)
			if err != nil {
				return err
			}
			if f.structured() {
				return a.objects(f, len(shown.Records), func(i int) any { return shown.Records[i].JSON(a.path) }, ans)
			}
			a.showText(shown, full)
			a.note("%s", missedLine(shown))
			return a.finish(ans)
		},
	}
	cmd.Flags().IntVarP(&q.Context, "context", "C", 2, "so many records before and after the one that is named")
	kindFlag(cmd, &kinds)
	cmd.Flags().BoolVar(&full, "full", false, "cut nothing, and read results that were moved to a file")
	cmd.Flags().BoolVar(&q.Superseded, "superseded", false, "also what its agent took back or rewrote")
	f.flags(cmd)
	return cmd
}

// missedLine says that a line that was named holds no record.
func missedLine(shown *seshat.Shown) string {
	nearest := 0
	for _, r := range shown.Records {
		if r.Line == shown.Line || shown.Line == 0 {
			return ""
		}
		if r.Line > shown.Line && (nearest == 0 || r.Line < nearest) {
			nearest = r.Line
		}
	}
	switch {
	case shown.Line == 0:
		return ""
	case nearest == 0:
		return fmt.Sprintf("line %d holds no record, nor does any line behind it", shown.Line)
	}
	return fmt.Sprintf("line %d holds no record; the next is on line %d", shown.Line, nearest)
}

func (a *app) showText(shown *seshat.Shown, full bool) {
	s := &shown.Session
	if s.ID == "" {
		return
	}
	fmt.Fprintln(a.out, a.paint.Paint(term.Title, sessionTitle(s)))
	var facts []string
	for _, fact := range []string{s.Project.Name, a.path(s.Origin.CWD), s.Origin.Branch, strings.Join(s.Models, ", ")} {
		if fact != "" {
			facts = append(facts, term.Line(fact))
		}
	}
	if !s.LastActive.IsZero() {
		facts = append(facts, minute(s.Started)+" to "+minute(s.LastActive))
	}
	fmt.Fprintln(a.out, a.paint.Paint(term.Dim, strings.Join(facts, " · ")))
	fmt.Fprintln(a.out, a.paint.Paint(term.Dim, strings.TrimSpace(term.Line(s.Handle)+"  "+term.Line(a.path(s.Path)))))
	switch {
	case s.State == record.StatePromptsOnly && s.Counts.Prompts == 0:
		fmt.Fprintln(a.out, a.paint.Paint(term.Warn, "The transcript is not on disk: only the mention in this file is left."))
	case s.State == record.StatePromptsOnly:
		fmt.Fprintln(a.out, a.paint.Paint(term.Warn, "The transcript is not on disk: only the prompts are left."))
	case s.State == record.StateArchived:
		fmt.Fprintln(a.out, a.paint.Paint(term.Warn, archivedCopy))
	}
	if s.Copied > 0 {
		fmt.Fprintln(a.out, a.paint.Paint(term.Dim, fmt.Sprintf("%s inherited from %s", plural(s.Copied, "record"), term.Line(s.CopiedFrom))))
	}
	for _, pr := range s.PRs {
		fmt.Fprintln(a.out, a.paint.Paint(term.Dim, term.Line(pr)))
	}
	for _, r := range shown.Records {
		a.showRecord(r, full, s.State == record.StateArchived)
	}
	if !shown.Part && len(shown.Subagents) > 0 {
		fmt.Fprintln(a.out, "\n"+a.paint.Paint(term.Dim, "subagents:"))
		for _, sub := range shown.Subagents {
			fmt.Fprintf(a.out, "  %s  %s  %s\n", term.Line(sub.ID), term.Line(sub.Type), term.Line(sub.Title))
		}
	}
}

// archivedCopy says what is left of a session that its agent deleted.
const archivedCopy = "The transcript is not on disk any more: this is the archived copy."

func (a *app) showRecord(r *record.Record, full, archived bool) {
	head := []string{string(r.Kind)}
	if r.Tool != "" {
		head = append(head, term.Line(r.Tool))
	}
	if r.Model != "" && r.Kind == record.Reply {
		head = append(head, term.Line(r.Model))
	}
	for _, flag := range r.Flags.Names() {
		if flag != "print" && flag != "background" && (flag != "archived" || !archived) {
			head = append(head, flag)
		}
	}
	when := ""
	if !r.Time.IsZero() {
		when = r.Time.Local().Format("2006-01-02 15:04:05")
	}
	fmt.Fprintf(a.out, "\n%s %s\n", a.paint.Paint(styleOf(r.Kind), "── "+strings.Join(head, " · ")),
		a.paint.Paint(term.Dim, fmt.Sprintf("%s L%d", when, r.Line)))
	text := term.Text(strings.TrimRight(r.Text, "\n"))
	if cut, n := firstLines(text, maxShown); n > 0 && !full && (r.Kind == record.ToolResult || r.Kind == record.ToolCall || r.Kind == record.Notice) {
		text = cut + "\n" + a.paint.Paint(term.Dim, fmt.Sprintf("… %s more (--full)", plural(n, "line")))
	}
	fmt.Fprintln(a.out, text)
}

func styleOf(k record.Kind) term.Style {
	switch k {
	case record.Prompt, record.Command, record.Dispatch:
		return term.Title
	case record.Reply:
		return term.Bold
	}
	return term.Dim
}

// firstLines gives the first n lines of a text and how many follow.
func firstLines(text string, n int) (string, int) {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text, 0
		}
		at += i + 1
	}
	return text[:at-1], strings.Count(text[at:], "\n") + 1
}
