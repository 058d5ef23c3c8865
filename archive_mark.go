package seshat

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/seshat-dev/seshat/internal/archive"
)

// A run that found nothing left to do leaves a mark in the archive: a number for all
// files that there were and how they looked. While the next look at the disk gives the
// same number, and nothing else has changed the archive, there is nothing to be learnt
// from it.

// mark gives the number of a set of files; ok is false where the files do not tell
// everything: where only some are asked for, or some could not be looked at.
func (k *keeper) mark(set *keepSet) (mark int64, ok bool) {
	if k.w == nil || k.l.opts.Build == "" || k.q.narrow() || k.q.of != nil || len(k.l.config.Exclude) > 0 || set.tally.Answer().Sources.Failed > 0 {
		return 0, false
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%s\x00%q\x00%d\n", k.l.opts.Build, k.machine, k.q.Include, len(set.files))
	for i := range set.files {
		f := &set.files[i]
		if f.Problem != "" {
			return 0, false
		}
		info := f.info()
		fmt.Fprintf(sum, "%s\x00%s\x00%s\x00%s\x00%s\x00", f.key.Agent, f.key.Dir, f.key.Name, f.label.Store, f.label.Session)
		for _, n := range [...]int64{info.Size, info.MTime.UnixNano(), info.CTime.UnixNano(), int64(info.Dev), int64(info.Ino)} {
			_ = binary.Write(sum, binary.LittleEndian, n) // a hash takes everything
		}
	}
	return int64(binary.LittleEndian.Uint64(sum.Sum(nil))), true
}

// still reports whether everything is as the last run left it.
func (k *keeper) still(ctx context.Context, set *keepSet) bool {
	if k.w == nil {
		return false
	}
	was, known := k.w.Mark(ctx)
	now, ok := k.mark(set)
	if !known || !ok || was.Sum != now {
		return false
	}
	k.set, k.looked, k.out.Unchanged = set, int(was.Files), int(was.Files)
	k.w.SetMark(was)
	return true
}

// leave leaves a mark where a run has done all that there was to do. A file that changed
// only just now may change again without a sign.
func (k *keeper) leave(first *keepSet) {
	mark, ok := k.mark(first)
	if !ok || k.out.Stopped != "" || k.set.tally.Answer().Sources.Failed > 0 {
		return
	}
	for i := range k.out.Items {
		switch it := &k.out.Items[i]; {
		case it.Did == ArchiveFailed, it.Did == ArchiveForgotten, it.Pending != "":
			return
		}
	}
	now := time.Now()
	for i := range first.files {
		info := first.files[i].info()
		if now.Sub(info.MTime) < restless || now.Sub(info.CTime) < restless {
			return
		}
	}
	k.w.SetMark(archive.Mark{Sum: mark, Files: int64(k.looked)})
}
