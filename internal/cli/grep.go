package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// grepFlags are the flags of grep, with ripgrep's meaning.
type grepFlags struct {
	selection
	pattern                seshat.PatternFlags
	expressions            []string
	files                  []string
	sensitive, invert      bool
	count, list, only      bool
	number, noNumber       bool
	column, vimgrep        bool
	heading, noHeading     bool
	before, after, context int
	max, limit             int
	stats, json, ndjson    bool
	query                  bool
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
		Example: "  seshat grep -F 'websocket'\n  seshat grep -i -c timeout\n  seshat grep -l --scope prompts deploy\n  seshat grep --query 'deploy -staging since:2w'",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.grep(cmd, &g, args) },
	}
	g.selection.flags(cmd, record.ScopeConversation)
	g.orderFlag(cmd)
	f := cmd.Flags()
	f.BoolVarP(&g.pattern.Fixed, "fixed-strings", "F", false, "the pattern is plain text")
	f.BoolVarP(&g.pattern.IgnoreCase, "ignore-case", "i", false, "upper and lower case are the same")
	f.BoolVarP(&g.pattern.SmartCase, "smart-case", "S", false, "ignore case unless the pattern has a capital letter")
	f.BoolVarP(&g.sensitive, "case-sensitive", "s", false, "upper and lower case differ (the default)")
	f.BoolVarP(&g.pattern.Word, "word-regexp", "w", false, "match whole words only")
	f.BoolVarP(&g.invert, "invert-match", "v", false, "print the lines that do not match")
	f.StringArrayVarP(&g.expressions, "regexp", "e", nil, "a pattern; may be given several times")
	f.StringArrayVarP(&g.files, "file", "f", nil, "read patterns from a file, one a line; - is standard input")
	f.BoolVar(&g.query, "query", false, "PATTERN is a query, in the language of search")
	f.BoolVarP(&g.count, "count", "c", false, "print only the number of matching lines of each file that has any")
	f.BoolVarP(&g.list, "files-with-matches", "l", false, "print only the absolute path of each file with a match")
	f.BoolVarP(&g.only, "only-matching", "o", false, "print only the parts of lines that match")
	f.IntVarP(&g.max, "max-count", "m", 0, "at most so many matching lines of each file")
	f.IntVar(&g.limit, "limit", 0, "at most so many matching lines overall")
	f.BoolVarP(&g.number, "line-number", "n", false, "print line numbers (the default on a terminal)")
	f.BoolVarP(&g.noNumber, "no-line-number", "N", false, "print no line numbers")
	f.BoolVar(&g.column, "column", false, "print the column of the first match, in bytes")
	f.BoolVar(&g.vimgrep, "vimgrep", false, "print each match as PATH:LINE:COLUMN:TEXT")
	f.IntVarP(&g.after, "after-context", "A", 0, "so many lines of the record behind each match")
	f.IntVarP(&g.before, "before-context", "B", 0, "so many lines of the record before each match")
	f.IntVarP(&g.context, "context", "C", 0, "so many lines of the record around each match")
	f.BoolVar(&g.heading, "heading", false, "print each path once, above its matches (the default on a terminal)")
	f.BoolVar(&g.noHeading, "no-heading", false, "print the path on every line")
	f.BoolVar(&g.stats, "stats", false, "print totals at the end")
	f.BoolVar(&g.json, "json", false, "print ripgrep's JSON events; seshat's own summary goes to stderr")
	f.BoolVar(&g.ndjson, "ndjson", false, "print the matching records, one JSON object a line, the summary last")
	cmd.MarkFlagsMutuallyExclusive("count", "files-with-matches", "json", "ndjson", "vimgrep")
	cmd.MarkFlagsMutuallyExclusive("ignore-case", "smart-case", "case-sensitive")
	return cmd
}

// grepQuery reads the flags and the pattern of a grep.
func (a *app) grepQuery(cmd *cobra.Command, lib *seshat.Library, g *grepFlags, args []string) (seshat.GrepQuery, error) {
	q := seshat.GrepQuery{Invert: g.invert, Before: g.before, After: g.after, PerSource: g.max, Limit: g.limit, Whole: g.ndjson}
	err := errors.Join(notNegative("-m", g.max), notNegative("--limit", g.limit), notNegative("-A", g.after), notNegative("-B", g.before), notNegative("-C", g.context))
	if err != nil {
		return q, err
	}
	if q.Selection, err = g.selection.query(); err != nil {
		return q, err
	}
	if err := a.grepWhat(cmd, lib, g, &q, args); err != nil {
		return q, err
	}
	if !cmd.Flags().Changed("before-context") {
		q.Before = g.context
	}
	if !cmd.Flags().Changed("after-context") {
		q.After = g.context
	}
	q.Only = g.only
	if q.Count = g.count || g.list; q.Count || g.only || g.vimgrep || g.ndjson {
		q.Before, q.After = 0, 0
	}
	switch {
	case cmd.Flags().Changed("max-count") && g.max == 0:
		q.PerSource = -1 // as in ripgrep, none are wanted
	case g.list:
		q.PerSource = 1
	}
	return q, nil
}

// patterns gives what is looked for: what -e and -f say, else the first argument.
func (a *app) patterns(g *grepFlags, args []string) ([]string, error) {
	patterns := append([]string(nil), g.expressions...)
	for _, name := range g.files {
		more, err := a.patternFile(name)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, more...)
	}
	if len(g.expressions)+len(g.files) == 0 && len(args) > 0 {
		patterns, args = args[:1], args[1:]
	}
	switch {
	case len(args) > 0:
		return nil, fmt.Errorf("grep takes one pattern and reads all sessions; quote a pattern with spaces, and give more patterns with -e")
	case len(patterns) == 0 && len(g.files) == 0:
		return nil, fmt.Errorf("grep needs a pattern, for example: seshat grep websocket")
	case len(patterns) == 0:
		return nil, fmt.Errorf("the pattern file %s is empty: nothing can match", strings.Join(g.files, ", "))
	}
	return patterns, nil
}

func (a *app) patternFile(name string) ([]string, error) {
	b, err := a.input(name)
	if err != nil {
		return nil, fmt.Errorf("the pattern file %s cannot be read: %w", name, err)
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}

// grepOutput prints what a grep finds.
type grepOutput interface {
	match(*seshat.Match) error
	end(*record.Answer, time.Duration) error
}

func (a *app) grep(cmd *cobra.Command, g *grepFlags, args []string) error {
	start := time.Now()
	lib, err := a.library()
	if err != nil {
		return err
	}
	q, err := a.grepQuery(cmd, lib, g, args)
	if err != nil {
		return err
	}
	var out grepOutput
	switch {
	case g.ndjson:
		out = grepRecords{a.start(form{ndjson: true}), a}
	case g.json:
		out = newEvents(a, start)
	default:
		out = a.grepPrinter(g)
	}
	ans, err := lib.Grep(cmd.Context(), q, out.match)
	if err != nil {
		return err
	}
	a.hints(q.Query, ans.Matches)
	return out.end(ans, time.Since(start))
}

// grepRecords prints whole records.
type grepRecords struct {
	items *items
	a     *app
}

func (o grepRecords) match(m *seshat.Match) error { return o.items.add(m.Record.JSON(o.a.path)) }

func (o grepRecords) end(ans *record.Answer, _ time.Duration) error { return o.items.end(ans) }
