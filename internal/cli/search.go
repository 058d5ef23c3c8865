package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// searchFlags are the flags of search.
type searchFlags struct {
	selection
	form
	queryFlags
	here, onlyHere  bool
	sort            string
	limit           int
	noGroup, reason bool
}

// defaultLimit is how many sessions are printed as text unless --limit says.
const defaultLimit = 10

func (a *app) searchCommand() *cobra.Command {
	var s searchFlags
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find what was said about something, best first",
		Long: "search ranks what matches a query and groups it by session. Words are joined by AND, in any order, in\n" +
			"either case, inside other words too; \"a phrase\", /a regex/, OR, NOT, -word, parentheses and fields\n" +
			"such as kind:prompt, project:shop, since:3d narrow it (doc/query.md). A title that holds all words makes\n" +
			"its session a match. When few sessions hold all words in one record, those follow that hold them in\n" +
			"several, marked. The handle before each piece of text is one that seshat show takes.\n\n" +
			fieldHelp() + "\nPut -- before a query that begins with a dash.\n\n" +
			"Exit codes: 0 something was found; 1 nothing was, and everything was read; 2 an error, or nothing was\n" +
			"found and something could not be read.",
		Example: "  seshat search websocket reconnect\n  seshat search --here 'flaky OR timeout' since:2w\n  seshat search 'kind:prompt deploy -staging' --json | jq '.items[].text'",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.search(cmd, &s, args) },
	}
	s.selection.flags(cmd, record.ScopeConversation)
	_ = cmd.Flags().MarkHidden("also") // search does so anyway
	f := cmd.Flags()
	s.queryFlags.flags(cmd)
	f.BoolVar(&s.here, "here", false, "sessions of the repository that you are in come first")
	f.BoolVar(&s.onlyHere, "only-here", false, "only sessions of the repository that you are in")
	f.StringVar(&s.sort, "sort", string(seshat.ByScore), "score, newest or oldest")
	f.IntVar(&s.limit, "limit", 0, "at most so many sessions (10 as text, all as JSON); 0 prints all")
	f.BoolVar(&s.noGroup, "no-group", false, "every record for itself, not by session")
	f.BoolVar(&s.reason, "explain", false, "say how each score came about")
	s.form.flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("here", "only-here")
	_ = cmd.RegisterFlagCompletionFunc("sort", fixed(names(seshat.Sorts())...))
	return cmd
}

// searchQuery reads the flags and the query of a search.
func (a *app) searchQuery(cmd *cobra.Command, s *searchFlags, lib *seshat.Library, args []string) (seshat.SearchQuery, error) {
	q := seshat.SearchQuery{
		Here: s.here, OnlyHere: s.onlyHere, Sort: seshat.Sort(s.sort), Limit: s.limit, Flat: s.noGroup, Whole: s.structured(), Explain: s.reason,
	}
	if err := notNegative("--limit", s.limit); err != nil {
		return q, err
	}
	if !slices.Contains(seshat.Sorts(), q.Sort) {
		return q, fmt.Errorf("--sort takes %s, not %q", strings.Join(names(seshat.Sorts()), ", "), s.sort)
	}
	if !cmd.Flags().Changed("limit") && !s.structured() {
		q.Limit = defaultLimit
	}
	var err error
	if q.Selection, err = s.selection.query(); err != nil {
		return q, err
	}
	if !cmd.Flags().Changed("scope") {
		q.Scope = "" // so that kind: and store: may widen it
	}
	q.Query, err = a.readQuery(cmd, lib, &s.queryFlags, args)
	if err == nil && q.Query.Empty() {
		err = fmt.Errorf("search needs a query, for example: seshat search websocket")
	}
	return q, err
}

func (a *app) search(cmd *cobra.Command, s *searchFlags, args []string) error {
	lib, err := a.library()
	if err != nil {
		return err
	}
	q, err := a.searchQuery(cmd, s, lib, args)
	if err != nil {
		return err
	}
	if s.structured() {
		return a.searchJSON(cmd, s, lib, q)
	}
	p := &searchPrinter{a: a, q: q, width: term.Columns(a.p.Stdout)}
	ans, err := lib.Search(cmd.Context(), q, p.found)
	if err != nil {
		return err
	}
	if err := a.out.Flush(); err != nil {
		return err
	}
	if left := ans.Sessions - p.sessions; !q.Flat && left > 0 && q.Limit > 0 {
		a.note("%d of %s shown; --limit says how many", p.sessions, plural(ans.Sessions, "session"))
	}
	a.hints(q.Query, ans.Matches)
	return a.endSearch(q, ans)
}

// endSearch prints what a search has to say about itself, on stderr, and gives the
// exit code.
func (a *app) endSearch(q seshat.SearchQuery, ans *seshat.SearchAnswer) error {
	err := a.finish(ans.Answer)
	if ans.Matches > 0 {
		return err
	}
	if q.Scope == "" && len(q.Kinds) == 0 && ans.Sources.Read > 0 {
		a.note("looked at what was said and done; --scope all also reads memory, plans, tasks and hook output")
	}
	for _, n := range ans.Near {
		a.note("did you mean %q? It stands in %s", n.Word, plural(n.Records, "record"))
	}
	for _, s := range ans.Titles {
		a.note("a title with some of the words: %s  %s", s.Handle, s.Title)
	}
	if ans.Loose > 0 {
		return nil // something was printed, though it is no match
	}
	return err
}
