package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// selection holds the flags that say which records are wanted.
type selection struct {
	stores     []string
	scope      string
	kinds      []string
	projects   []string
	branches   []string
	superseded bool
	copies     bool
	also       bool
	sort       string
}

// orderFlag adds the choice of which sessions come first.
func (s *selection) orderFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.sort, "sort", "oldest", "which sessions come first: oldest or newest; of copies the first is shown")
	_ = cmd.RegisterFlagCompletionFunc("sort", fixed("oldest", "newest"))
}

func (s *selection) flags(cmd *cobra.Command, scope record.Scope) {
	s.scope = string(scope)
	cmd.Flags().StringSliceVar(&s.stores, "store", nil, "only these stores (see seshat stores)")
	cmd.Flags().StringVar(&s.scope, "scope", string(scope), "prompts, conversation or all")
	kindFlag(cmd, &s.kinds)
	cmd.Flags().StringArrayVar(&s.projects, "project", nil, "only of this project: its name, or with a slash its path; globs allowed (repeatable)")
	cmd.Flags().StringArrayVar(&s.branches, "branch", nil, "only records of this branch; globs allowed (repeatable)")
	cmd.Flags().BoolVar(&s.superseded, "superseded", false, "also what its agent took back or rewrote")
	cmd.Flags().BoolVar(&s.copies, "copies", false, "also copies of records that stand in an earlier session, flagged")
	cmd.Flags().BoolVar(&s.also, "also", false, "name the copies of each record (in JSON; reads everything twice)")
	_ = cmd.RegisterFlagCompletionFunc("scope", fixed("prompts", "conversation", "all"))
}

// kindFlag adds the choice of kinds.
func kindFlag(cmd *cobra.Command, into *[]string) {
	list := names(record.Kinds())
	cmd.Flags().StringSliceVar(into, "kind", nil, "only records of these kinds: "+strings.Join(list, ", "))
	_ = cmd.RegisterFlagCompletionFunc("kind", fixed(list...))
}

func (s *selection) query() (seshat.Selection, error) {
	q := seshat.Selection{
		Stores: s.stores, Scope: record.Scope(s.scope), Superseded: s.superseded, Copies: s.copies, Also: s.also,
		Projects: s.projects, Branches: s.branches,
	}
	switch q.Scope {
	case record.ScopePrompts, record.ScopeConversation, record.ScopeAll:
	default:
		return q, fmt.Errorf("--scope takes prompts, conversation or all, not %q", s.scope)
	}
	switch s.sort {
	case "", "oldest":
	case "newest":
		q.Newest = true
	default:
		return q, fmt.Errorf("--sort takes oldest or newest, not %q", s.sort)
	}
	var err error
	q.Kinds, err = among("kind", s.kinds, record.Kinds())
	return q, err
}
