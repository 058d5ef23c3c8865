package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// selection holds the flags that say which records are wanted.
type selection struct {
	stores     []string
	scope      string
	kinds      []string
	superseded bool
	copies     bool
	also       bool
}

func (s *selection) flags(cmd *cobra.Command, scope record.Scope) {
	s.scope = string(scope)
	cmd.Flags().StringSliceVar(&s.stores, "store", nil, "only these stores (see seshat stores)")
	cmd.Flags().StringVar(&s.scope, "scope", string(scope), "prompts, conversation or all")
	cmd.Flags().StringSliceVar(&s.kinds, "kind", nil, "only records of these kinds: "+kindList())
	cmd.Flags().BoolVar(&s.superseded, "superseded", false, "also what its agent took back or rewrote")
	cmd.Flags().BoolVar(&s.copies, "copies", false, "also copies of records that stand in an earlier session, flagged")
	cmd.Flags().BoolVar(&s.also, "also", false, "name the copies of each record (in JSON; reads everything twice)")
	_ = cmd.RegisterFlagCompletionFunc("scope", fixed("prompts", "conversation", "all"))
	_ = cmd.RegisterFlagCompletionFunc("kind", fixed(strings.Split(kindList(), ", ")...))
}

func kindList() string {
	var names []string
	for _, k := range record.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

func (s *selection) query() (seshat.Selection, error) {
	q := seshat.Selection{
		Stores: s.stores, Scope: record.Scope(s.scope), Superseded: s.superseded, Copies: s.copies, Also: s.also,
	}
	switch q.Scope {
	case record.ScopePrompts, record.ScopeConversation, record.ScopeAll:
	default:
		return q, fmt.Errorf("--scope takes prompts, conversation or all, not %q", s.scope)
	}
	var err error
	q.Kinds, err = parseKinds(s.kinds)
	return q, err
}

func parseKinds(names []string) ([]record.Kind, error) {
	var kinds []record.Kind
	for _, name := range names {
		known := false
		for _, k := range record.Kinds() {
			known = known || string(k) == name
		}
		if !known {
			return nil, fmt.Errorf("there is no kind %q; the kinds are %s", name, kindList())
		}
		kinds = append(kinds, record.Kind(name))
	}
	return kinds, nil
}

// grepFlags are the flags of grep, with ripgrep's meaning.
type grepFlags struct {
	selection
	pattern                 seshat.PatternFlags
	expressions             []string
	sensitive, count, files bool
	number, noNumber        bool
	heading, noHeading      bool
	max, limit              int
	ndjson                  bool
}

func (a *app) grepCommand() *cobra.Command {
	var g grepFlags
	cmd := &cobra.Command{
		Use:   "grep PATTERN",
		Short: "Print every line of every record that matches a pattern",
		Long: "grep prints the text lines of records that match a regular expression, in the order of\n" +
			"sessions, oldest first. Flags mean what they mean in ripgrep. Text and pattern are compared in\n" +
			"Unicode's composed form. Line numbers are those of the record's line in its file.\n\n" +
			"Exit codes: 0 a line matched; 1 none did, and everything was read; 2 an error, or none did and\n" +
			"something could not be read.",
		Example: "  seshat grep -F 'websocket'\n  seshat grep -i -c timeout\n  seshat grep -l --scope prompts deploy",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.grep(cmd, &g, args) },
	}
	g.selection.flags(cmd, record.ScopeConversation)
	f := cmd.Flags()
	f.BoolVarP(&g.pattern.Fixed, "fixed-strings", "F", false, "the pattern is plain text")
	f.BoolVarP(&g.pattern.IgnoreCase, "ignore-case", "i", false, "upper and lower case are the same")
	f.BoolVarP(&g.pattern.SmartCase, "smart-case", "S", false, "ignore case unless the pattern has a capital letter")
	f.BoolVarP(&g.sensitive, "case-sensitive", "s", false, "upper and lower case differ (the default)")
	f.StringArrayVarP(&g.expressions, "regexp", "e", nil, "a pattern; may be given several times")
	f.BoolVarP(&g.count, "count", "c", false, "print only the number of matching lines of each file that has any")
	f.BoolVarP(&g.files, "files-with-matches", "l", false, "print only the absolute path of each file with a match")
	f.IntVarP(&g.max, "max-count", "m", 0, "at most so many matching lines of each file")
	f.IntVar(&g.limit, "limit", 0, "at most so many matching lines overall")
	f.BoolVarP(&g.number, "line-number", "n", false, "print line numbers (the default on a terminal)")
	f.BoolVarP(&g.noNumber, "no-line-number", "N", false, "print no line numbers")
	f.BoolVar(&g.heading, "heading", false, "print each path once, above its matches (the default on a terminal)")
	f.BoolVar(&g.noHeading, "no-heading", false, "print the path on every line")
	f.BoolVar(&g.ndjson, "ndjson", false, "print the matching records, one JSON object a line, the summary last")
	cmd.MarkFlagsMutuallyExclusive("count", "files-with-matches", "ndjson")
	cmd.MarkFlagsMutuallyExclusive("ignore-case", "smart-case", "case-sensitive")
	return cmd
}

func (a *app) grep(cmd *cobra.Command, g *grepFlags, args []string) error {
	patterns := g.expressions
	if len(patterns) == 0 && len(args) > 0 {
		patterns, args = args[:1], args[1:]
	}
	switch {
	case len(patterns) == 0:
		return fmt.Errorf("grep needs a pattern, for example: seshat grep websocket")
	case len(args) > 0:
		return fmt.Errorf("grep takes one pattern and reads all sessions; quote a pattern with spaces, and give more patterns with -e")
	}
	if err := errors.Join(notNegative("-m", g.max), notNegative("--limit", g.limit)); err != nil {
		return err
	}
	sel, err := g.query()
	if err != nil {
		return err
	}
	pattern, err := seshat.CompilePattern(patterns, g.pattern)
	if err != nil {
		return err
	}
	lib, err := a.library()
	if err != nil {
		return err
	}
	q := seshat.GrepQuery{Selection: sel, Pattern: pattern, PerSource: g.max, Limit: g.limit, Whole: g.ndjson}
	if cmd.Flags().Changed("max-count") && g.max <= 0 {
		q.PerSource, q.Limit = -1, -1 // as in ripgrep, none are wanted
	}
	if g.ndjson {
		items := a.start(form{ndjson: true})
		ans, err := lib.Grep(cmd.Context(), q, func(m *seshat.Match) error { return items.add(m.Record.JSON(a.path)) })
		if err != nil {
			return err
		}
		return items.end(ans)
	}
	p := a.grepPrinter(g)
	if g.files {
		q.PerSource = 1
	}
	ans, err := lib.Grep(cmd.Context(), q, p.match)
	if err != nil {
		return err
	}
	p.endSource()
	return a.finish(ans)
}

// grepPrinter prints matches as ripgrep does.
type grepPrinter struct {
	a              *app
	count, files   bool
	number, header bool
	path           string // of the source that matches are printed of
	lines          int
	sources        int
}

func (a *app) grepPrinter(g *grepFlags) *grepPrinter {
	return &grepPrinter{
		a: a, count: g.count, files: g.files,
		number: (g.number || a.tty) && !g.noNumber,
		header: (g.heading || a.tty) && !g.noHeading,
	}
}

func (p *grepPrinter) match(m *seshat.Match) error {
	if m.Record.Path != p.path {
		p.endSource()
		p.beginSource(m.Record.Path)
	}
	p.lines += len(m.Lines)
	if p.count || p.files {
		return nil
	}
	for _, l := range m.Lines {
		p.line(l)
	}
	if p.a.tty {
		return p.a.out.Flush()
	}
	return nil
}

func (p *grepPrinter) beginSource(path string) {
	p.path, p.lines = path, 0
	switch {
	case p.files:
		fmt.Fprintln(p.a.out, term.Line(path))
	case p.count:
	case p.header:
		if p.sources > 0 {
			fmt.Fprintln(p.a.out)
		}
		fmt.Fprintln(p.a.out, p.a.paint.Paint(term.Place, term.Line(p.a.path(path))))
	}
	p.sources++
}

func (p *grepPrinter) endSource() {
	if p.count && p.lines > 0 {
		fmt.Fprintf(p.a.out, "%s:%d\n", p.a.paint.Paint(term.Place, term.Line(p.a.path(p.path))), p.lines)
	}
}

func (p *grepPrinter) line(l seshat.Line) {
	if !p.header {
		fmt.Fprintf(p.a.out, "%s:", p.a.paint.Paint(term.Place, term.Line(p.a.path(p.path))))
	}
	if p.number {
		fmt.Fprintf(p.a.out, "%s:", p.a.paint.Paint(term.Count, fmt.Sprint(l.No)))
	}
	fmt.Fprintln(p.a.out, p.a.highlight(l))
}

// highlight makes a line safe and sets its matches off.
func (a *app) highlight(l seshat.Line) string {
	text := strings.TrimSuffix(l.Text, "\r")
	if !a.paint {
		return term.Text(text)
	}
	var out strings.Builder
	at := 0
	for _, r := range l.Ranges {
		from, to := min(r[0], len(text)), min(r[1], len(text))
		if from < at || from == to {
			continue
		}
		out.WriteString(term.Text(text[at:from]))
		out.WriteString(a.paint.Paint(term.Hit, term.Text(text[from:to])))
		at = to
	}
	out.WriteString(term.Text(text[at:]))
	return out.String()
}
