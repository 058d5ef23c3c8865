package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/when"
)

// notNegative refuses a number below zero.
func notNegative(flag string, n int) error {
	if n < 0 {
		return fmt.Errorf("%s takes a number that is not negative, not %d", flag, n)
	}
	return nil
}

// notEmpty refuses flags that were given without a value: what would be meant by one
// is everything, and by the other nothing.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is given without a value", name)
		}
	}
	return nil
}

// sinceTime reads a --since, which is the zero time where none was given.
func sinceTime(cmd *cobra.Command, value string) (time.Time, error) {
	if !cmd.Flags().Changed("since") {
		return time.Time{}, nil
	}
	if err := notEmpty(cmd, "since"); err != nil {
		return time.Time{}, err
	}
	span, err := when.Parse(value, time.Now())
	if err != nil {
		return time.Time{}, fmt.Errorf("--since: %w", err)
	}
	return span.From, nil
}

// among reads words of which each must be one of a list.
func among[T ~string](what string, typed []string, list []T) ([]T, error) {
	var out []T
	for _, word := range typed {
		if !slices.Contains(list, T(word)) {
			return nil, fmt.Errorf("there is no %s %q; they are %s", what, word, strings.Join(names(list), ", "))
		}
		out = append(out, T(word))
	}
	return out, nil
}

func names[T ~string](list []T) []string {
	var out []string
	for _, word := range list {
		out = append(out, string(word))
	}
	return out
}

// coverageFlag adds the choice of stores by how far they are read.
func coverageFlag(cmd *cobra.Command, into *[]string, what string) {
	list := names(catalog.Coverages())
	cmd.Flags().StringSliceVar(into, "coverage", nil, "only "+what+" that are read so far: "+strings.Join(list, ", "))
	_ = cmd.RegisterFlagCompletionFunc("coverage", fixed(list...))
}

// input reads a file that a flag names; - is standard input.
func (a *app) input(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.p.Stdin)
	}
	return os.ReadFile(name)
}

func fixed(words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
