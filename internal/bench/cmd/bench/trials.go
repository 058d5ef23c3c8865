package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/internal/bench/corpus"
	"github.com/seshat-dev/seshat/internal/bench/measure"
)

// timed are the queries whose times are of interest; of the others only the
// counts are checked.
var timed = []string{
	"rare literal", "rare literal -i", "CJK", "with quotes", "common word", "common word -i", "very common word", "commonest word",
	"rare regex with a literal", "regex, common", "regex, no literal",
}

// run makes all measurements, and fails when a count was wrong.
func (b *bench) run(ctx context.Context) error {
	if err := errors.Join(b.putBack(), b.fresh()); err != nil {
		return err
	}
	b.header(ctx)
	for _, step := range []func(context.Context) error{b.start, b.queries, b.cold, b.sessions, b.searches, b.records, b.archive} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if b.wrong > 0 {
		return fmt.Errorf("%d counts are wrong", b.wrong)
	}
	return nil
}

// fresh takes away what seshat keeps.
func (b *bench) fresh() error {
	return errors.Join(os.RemoveAll(b.own), os.MkdirAll(b.own, 0o700))
}

func (b *bench) asked(name string) bool { return b.only.MatchString(name) }

func (b *bench) ours(args ...string) measure.Command {
	return measure.Command{Path: b.seshat, Args: args, Env: b.env()}
}

// theirs is ripgrep, which is told to look into folders that are hidden, and to
// mind no ignore file above the tree.
func (b *bench) theirs(args ...string) measure.Command {
	if b.rg == "" {
		return measure.Command{}
	}
	return measure.Command{Path: b.rg, Args: append([]string{"--hidden", "--no-ignore"}, args...), Env: b.env()}
}

// count is the two commands that count what a query matches.
func (b *bench) count(q corpus.Query) (ours, theirs measure.Command) {
	args := slices.Concat(q.Flags, []string{"-c", "-e", q.Pattern})
	return b.ours(append([]string{"grep"}, args...)...), b.theirs(append(args, b.folder())...)
}

// start is how long the program takes to do nothing.
func (b *bench) start(ctx context.Context) error {
	if !b.asked("--version") {
		return nil
	}
	p, err := measure.Turns(ctx, b.ours("--version"), b.theirs("--version"), 4*b.runs, nil)
	b.row("--version", p, "")
	return err
}

// queries checks every count, and times some.
func (b *bench) queries(ctx context.Context) error {
	for _, q := range b.tree.Queries {
		if !b.asked(q.Name) {
			continue
		}
		ours, theirs := b.count(q)
		first, err := measure.Run(ctx, ours) // which also warms up
		if err != nil {
			return err
		}
		got, err := measure.Sum(first.Output)
		if err != nil {
			return err
		}
		note := fmt.Sprintf("%d lines", got)
		if got != q.Want {
			b.wrong++
			note = fmt.Sprintf("**%d lines, %d are planted**", got, q.Want)
		}
		if !slices.Contains(timed, q.Name) {
			if got != q.Want {
				b.row(q.Name+" `"+q.Pattern+"`", measure.Pairs{A: []measure.Sample{first}}, note)
			}
			continue
		}
		if theirs.Path != "" {
			if _, err := measure.Run(ctx, theirs); err != nil {
				return err
			}
		}
		p, err := measure.Turns(ctx, ours, theirs, b.runs, nil)
		if err != nil {
			return err
		}
		b.row(q.Name+" `"+strings.Join(append(slices.Clone(q.Flags), q.Pattern), " ")+"`", p, note)
	}
	return nil
}

// cold is a rare literal, each time with the tree out of the page cache.
func (b *bench) cold(ctx context.Context) error {
	if !measure.CanEvict || !b.asked("rare literal, cold page cache") {
		return nil
	}
	ours, theirs := b.count(b.tree.Queries[0])
	p, err := measure.Turns(ctx, ours, theirs, min(b.runs, 3), func() error { return measure.Evict(b.home) })
	b.row("rare literal, cold page cache", p, "")
	return err
}

// list is the command that fills seshat's cache.
func (b *bench) list() measure.Command {
	c := b.ours("sessions", "--json")
	c.Drop = true
	return c
}

// sessions is the list, without what seshat remembers of an earlier one, and with.
func (b *bench) sessions(ctx context.Context) error {
	if !b.asked("sessions") {
		return nil
	}
	list := b.list()
	first, err := measure.Turns(ctx, list, measure.Command{}, min(b.runs, 3), b.fresh)
	if err != nil {
		return err
	}
	b.row("`sessions`, first run", first, "")
	second, err := measure.Turns(ctx, list, measure.Command{}, b.runs, nil)
	b.row("`sessions`, again", second, "")
	return err
}

// searched are the queries whose pattern, a word, is also searched for.
var searched = []string{"rare literal", "common word"}

// searches is the ranked search of a word, by turns with counting its lines: without
// what a list of sessions keeps, and with it.
func (b *bench) searches(ctx context.Context) error {
	if !b.asked("search") {
		return nil
	}
	for _, q := range b.tree.Queries {
		if !slices.Contains(searched, q.Name) {
			continue
		}
		if err := b.search(ctx, q.Pattern, "no cache", min(b.runs, 3), b.fresh); err != nil {
			return err
		}
		if _, err := measure.Run(ctx, b.list()); err != nil {
			return err
		}
		if err := b.search(ctx, q.Pattern, "after `sessions`", b.runs, nil); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) search(ctx context.Context, word, when string, runs int, before func() error) error {
	p, err := measure.Turns(ctx, b.ours("search", word), b.ours("grep", "-c", "-i", "-e", word), runs, before)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("%.2f times `grep -c -i`", p.Ratio())
	if slices.ContainsFunc(p.A, func(s measure.Sample) bool { return s.Exit != 0 }) {
		b.wrong++
		note = "**nothing found**"
	}
	b.row(fmt.Sprintf("`search %s`, %s", word, when), measure.Pairs{A: p.A}, note)
	return nil
}

// records is everything read and printed.
func (b *bench) records(ctx context.Context) error {
	if !b.asked("records") {
		return nil
	}
	all := b.ours("records")
	all.Drop = true
	p, err := measure.Turns(ctx, all, measure.Command{}, min(b.runs, 3), nil)
	if err != nil {
		return err
	}
	speed := float64(b.tree.Bytes) / 1e6 / measure.Median(p.A).Seconds()
	b.row("`records`", p, fmt.Sprintf("%.0f MB/s of input", speed))
	return nil
}
