package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seshat-dev/seshat/internal/bench/measure"
)

// archive is what the archive does with the tree: the first run, one with nothing to do,
// a look at every hash, and making it smaller.
func (b *bench) archive(ctx context.Context) error {
	if !b.asked("archive") {
		return nil
	}
	speed := func(p measure.Pairs) string {
		return fmt.Sprintf("%.0f MB/s of input", float64(b.tree.Bytes)/1e6/measure.Median(p.A).Seconds())
	}
	first, err := measure.Turns(ctx, b.ours("archive"), measure.Command{}, min(b.runs, 3), b.fresh)
	if err != nil {
		return err
	}
	b.row("`archive`, first run", first, speed(first)+b.share())
	if err := b.alone(ctx); err != nil {
		return err
	}
	again, err := measure.Turns(ctx, b.ours("archive"), measure.Command{}, b.runs, nil)
	if err != nil {
		return err
	}
	b.row("`archive`, again", again, "")
	verify, err := measure.Turns(ctx, b.ours("archive", "verify"), measure.Command{}, min(b.runs, 3), nil)
	if err != nil {
		return err
	}
	b.row("`archive verify`", verify, speed(verify))
	repack, err := measure.Turns(ctx, b.ours("archive", "repack"), measure.Command{}, 1, nil)
	b.row("`archive repack`", repack, speed(repack)+b.share())
	return err
}

// alone searches what stands in the archive alone, next to the same on the disk: the
// folder of the agent is out of the way meanwhile.
func (b *bench) alone(ctx context.Context) (err error) {
	q := b.tree.Queries[0]
	ours, _ := b.count(q)
	live, err := measure.Turns(ctx, ours, measure.Command{}, b.runs, nil)
	if err != nil {
		return err
	}
	if err := os.Rename(b.folder(), b.aside()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.putBack()) }()
	if err := os.Mkdir(b.folder(), 0o700); err != nil {
		return err
	}
	kept, err := measure.Turns(ctx, ours, measure.Command{}, b.runs, nil)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("%.1f times as long as on the disk", measure.Median(kept.A).Seconds()/measure.Median(live.A).Seconds())
	if got, err := measure.Sum(kept.A[0].Output); err != nil || got != q.Want {
		b.wrong++
		note = fmt.Sprintf("**%d lines, %d are planted**", got, q.Want)
	}
	b.row(q.Name+" `"+q.Pattern+"`, from the archive alone", kept, note)
	return nil
}

// folder is the agent's, and aside where it is meanwhile.
func (b *bench) folder() string { return filepath.Join(b.home, "."+b.tree.Spec.Agent) }
func (b *bench) aside() string  { return b.home + ".aside" }

// putBack puts the agent's folder back where it was, also after a run that was killed.
func (b *bench) putBack() error {
	if _, err := os.Stat(b.aside()); err != nil {
		return nil
	}
	if err := os.Remove(b.folder()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // it holds something
	}
	return os.Rename(b.aside(), b.folder())
}

// share says how much of its input the archive takes.
func (b *bench) share() string {
	var size int64
	_ = filepath.WalkDir(filepath.Join(b.own, "data"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if fi, ferr := d.Info(); ferr == nil {
				size += fi.Size()
			}
		}
		return nil // what is missing counts as nothing
	})
	return fmt.Sprintf(", kept in %.1f %%", 100*float64(size)/float64(b.tree.Bytes))
}
