package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
)

// queryFlags say where a query comes from when it is not on the command line.
type queryFlags struct{ file string }

func (q *queryFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&q.file, "file", "f", "", "read the query from a file; - is standard input")
	cmd.ValidArgsFunction = completeQuery
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; put -- before a query that begins with a dash, and see %s --help for the flags", err, cmd.CommandPath())
	})
}

// completeQuery completes the names and values of fields. It looks at nothing on the
// disk.
func completeQuery(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	lib, err := seshat.Open(seshat.Options{Vars: map[string]string{}})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return lib.CompleteQuery(word), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// fieldHelp lists the fields of the query language for a help page.
func fieldHelp() string {
	var out strings.Builder
	for _, f := range seshat.Fields() {
		fmt.Fprintf(&out, "  %-9s %-51s %s\n", f.Name, f.Help, f.Example)
	}
	return "Fields:\n" + out.String()
}

// sameAsFields are the flags that say what a field of the query can say.
var sameAsFields = []string{"agent", "store", "scope", "kind", "project", "branch", "since", "pr"}

// readQuery reads the query of a command, and refuses one that says again what a flag
// says. It is empty where none was given.
func (a *app) readQuery(cmd *cobra.Command, lib *seshat.Library, from *queryFlags, args []string) (*seshat.Query, error) {
	text := strings.Join(args, " ")
	if cmd.Flags().Changed("file") {
		if len(args) > 0 {
			return nil, fmt.Errorf("the query is given twice: on the command line, and with -f")
		}
		b, err := a.input(from.file)
		if err != nil {
			return nil, fmt.Errorf("the query file %s cannot be read: %w", from.file, err)
		}
		text = string(b)
	}
	q, err := lib.ParseQuery(text)
	if err != nil {
		return nil, err
	}
	var given []string
	for _, name := range sameAsFields {
		if cmd.Flags().Changed(name) {
			given = append(given, name)
		}
	}
	return q, q.Clash(given)
}

// hints prints what a query may have been meant as.
func (a *app) hints(q *seshat.Query, matches int) {
	if q == nil {
		return
	}
	for _, h := range q.Hints {
		if h.Always || matches == 0 {
			a.note("%s", h.Text)
		}
	}
}

// patternOnly are the flags of grep that say how a pattern is meant.
var patternOnly = []string{"regexp", "fixed-strings", "ignore-case", "smart-case", "case-sensitive", "word-regexp", "invert-match"}

// grepWhat reads what grep looks for: a query, or patterns.
func (a *app) grepWhat(cmd *cobra.Command, lib *seshat.Library, g *grepFlags, q *seshat.GrepQuery, args []string) error {
	if !g.query {
		patterns, err := a.patterns(g, args)
		if err == nil {
			q.Pattern, err = seshat.CompilePattern(patterns, g.pattern)
		}
		return err
	}
	for _, name := range patternOnly {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--query and --%s cannot be given together: a query says itself how its words are meant", name)
		}
	}
	from := queryFlags{}
	if len(g.files) > 1 {
		return fmt.Errorf("--query takes one -f")
	} else if len(g.files) == 1 {
		from.file = g.files[0]
	}
	var err error
	if q.Query, err = a.readQuery(cmd, lib, &from, args); err != nil {
		return err
	}
	if q.Query.Empty() {
		return fmt.Errorf("grep --query needs a query, for example: seshat grep --query 'websocket kind:reply'")
	}
	if !cmd.Flags().Changed("scope") {
		q.Scope = "" // so that kind: and store: may widen it
	}
	return nil
}
