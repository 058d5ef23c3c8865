package main

import (
	"context"
	"fmt"
	"io/fs"
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
