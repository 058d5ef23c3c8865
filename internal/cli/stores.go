package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

func (a *app) storesCommand() *cobra.Command {
	var f form
	var coverages []string
	var summary bool
	cmd := &cobra.Command{
		Use:   "stores [ID]",
		Short: "List what agents keep on disk, and how far seshat reads it",
		Long: "stores lists the catalogue: every kind of file that an agent keeps, what it is for, whether it is\n" +
			"searched (search), read when asked (inspect), only known (catalogue) or never opened (private).\n" +
			"With an ID it shows one row whole. With --summary it looks at the real files of that row and\n" +
			"prints names, sizes, lines and key names, never a value.\n\n" +
			"Exit codes: 0 there are rows (or files); 1 there are none; 2 an error.",
		Example: "  seshat stores --coverage search\n  seshat stores claude.history\n  seshat stores claude.projects.session --summary",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib, err := a.library()
			if err != nil {
				return err
			}
			switch {
			case len(args) == 1 && cmd.Flags().Changed("coverage"):
				return fmt.Errorf("--coverage chooses from the list of stores, and %s is one", args[0])
			case summary && len(args) == 0:
				return fmt.Errorf("--summary needs the ID of a store; seshat stores lists them")
			case summary:
				return a.storeSummary(cmd, lib, f, args[0])
			case len(args) == 1:
				return a.store(lib, f, args[0])
			}
			return a.storeList(lib, f, coverages)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.storeIDs(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	coverageFlag(cmd, &coverages, "rows")
	cmd.Flags().BoolVar(&summary, "summary", false, "look at the real files: names, sizes, lines, key names; never values")
	f.flags(cmd)
	return cmd
}

func (a *app) storeIDs() []string {
	lib, err := a.library()
	if err != nil {
		return nil
	}
	var ids []string
	for _, s := range lib.Stores() {
		ids = append(ids, s.ID)
	}
	return ids
}

func (a *app) storeList(lib *seshat.Library, f form, coverages []string) error {
	wanted, err := among("coverage", coverages, catalog.Coverages())
	if err != nil {
		return err
	}
	var rows []*catalog.Store
	for _, s := range lib.Stores() {
		if len(wanted) == 0 || slices.Contains(wanted, s.Coverage) {
			rows = append(rows, s)
		}
	}
	ans := &record.Answer{Matches: len(rows), Complete: true}
	if f.structured() {
		return a.storesJSON(f, rows, ans)
	}
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, s := range rows {
		t.add(cell{s.ID, term.Bold}, cell{string(s.Coverage), coverageStyle(s.Coverage)}, cell{string(s.Format), term.Dim},
			cell{s.Role, term.Plain}, cell{strings.Join(s.Paths, "; "), term.Place})
	}
	t.print(a.out)
	return exitOf(ans)
}

func coverageStyle(c catalog.Coverage) term.Style {
	switch c {
	case catalog.Search:
		return term.Count
	case catalog.Private:
		return term.Warn
	}
	return term.Plain
}

func (a *app) storesJSON(f form, rows []*catalog.Store, ans *record.Answer) error {
	return a.objects(f, len(rows), func(i int) any { return rows[i].JSON() }, ans)
}

func (a *app) store(lib *seshat.Library, f form, id string) error {
	s, err := lib.Store(id)
	if err != nil {
		return err
	}
	if f.structured() {
		return a.storesJSON(f, []*catalog.Store{s}, &record.Answer{Matches: 1, Complete: true})
	}
	fmt.Fprintln(a.out, a.paint.Paint(term.Title, s.ID))
	for _, line := range [][2]string{
		{"what", s.Distinguishes}, {"agent", s.Agent}, {"role", s.Role}, {"format", string(s.Format)},
		{"paths", strings.Join(s.Paths, "\n")}, {"coverage", string(s.Coverage)}, {"records", strings.Join(names(s.Records), ", ")},
		{"retention", string(s.Retention)}, {"sensitivity", string(s.Sensitivity)}, {"repeats", strings.Join(s.DuplicateOf, ", ")},
		{"schema", s.SchemaNotes}, {"search", s.SearchNotes}, {"observed", strings.TrimSpace(s.Observed.Version + " " + s.Observed.Date)},
		{"evidence", strings.Join(s.Evidence, "\n")},
	} {
		a.field(line[0], line[1])
	}
	return nil
}

// field prints a name and a value that may have several lines, wrapped to the
// terminal.
func (a *app) field(name, value string) {
	if value == "" {
		return
	}
	const indent = 13
	width := term.Columns(a.p.Stdout)
	if width == 0 || width > 110 {
		width = 110
	}
	label := a.paint.Paint(term.Dim, term.Pad(name, indent))
	for _, para := range strings.Split(value, "\n") {
		for _, line := range wrap(term.Line(para), width-indent) {
			fmt.Fprintln(a.out, label+line)
			label = strings.Repeat(" ", indent)
		}
	}
}

// wrap breaks a safe text into lines at spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && term.Width(line)+1+term.Width(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func (a *app) storeSummary(cmd *cobra.Command, lib *seshat.Library, f form, id string) error {
	sum, ans, err := lib.Summary(cmd.Context(), id)
	if err != nil {
		return err
	}
	if f.structured() {
		return a.objects(f, 1, func(int) any { return sum.JSON(a.path) }, ans)
	}
	fmt.Fprintf(a.out, "%s  %s, %s\n", a.paint.Paint(term.Title, sum.Store.ID), plural(len(sum.Files), "file"), bytesText(sum.Bytes))
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, file := range sum.Files {
		lines := ""
		if file.Lines > 0 {
			lines = plural(file.Lines, "line")
		}
		t.add(cell{bytesText(file.Bytes), term.Count}, cell{lines, term.Plain}, cell{term.Line(a.path(file.Path)), term.Place})
	}
	t.print(a.out)
	keys := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, k := range sum.Keys {
		keys.add(cell{k.Name, term.Bold}, cell{fmt.Sprint(k.Count), term.Count}, cell{strings.Join(k.Types, ", "), term.Plain})
	}
	if len(sum.Keys) > 0 {
		fmt.Fprintln(a.out, a.paint.Paint(term.Dim, "keys:"))
		keys.print(a.out)
	}
	if sum.Data > 0 {
		fmt.Fprintln(a.out, a.paint.Paint(term.Dim, plural(sum.Data, "further key")+" that may be data and are not named"))
	}
	for _, n := range sum.New {
		fmt.Fprintf(a.out, "unknown: %s, in %s, first at %s:%d\n", term.Line(n.What), plural(n.Files, "file"), term.Line(a.path(n.Path)), n.Line)
	}
	return a.finish(ans)
}

// bytesText writes a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}
