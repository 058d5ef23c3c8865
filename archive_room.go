package seshat

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
)

// spareRoom is how much of a disk a run leaves free.
const spareRoom = 512 << 20

// room watches how large the archive is and how much the disk has left. Between two
// looks at the disk it counts what was kept as if nothing of it were saved.
type room struct {
	dir   string
	limit int64 // of the archive's size; 0 for none
	free  func(dir string) (int64, bool)

	looked bool
	size   int64 // of the archive, at the last look
	left   int64 // on the disk, likewise
	sure   bool  // whether that is known
	since  int64 // bytes kept since
}

func newRoom(dir string, limit int64, free func(string) (int64, bool)) *room {
	if free == nil {
		free = own.Free
	}
	return &room{dir: dir, limit: limit, free: free}
}

// stops says in a sentence why so many more bytes are not kept, or nothing.
func (r *room) stops(ctx context.Context, w *archive.Writer, more int64) (string, error) {
	if r.looked && r.says(more) == "" {
		return "", nil
	}
	if r.looked {
		if err := w.Commit(ctx); err != nil {
			return "", err
		}
	}
	r.look()
	return r.says(more), nil
}

func (r *room) says(more int64) string {
	switch {
	case r.limit > 0 && r.size+r.since+more > r.limit:
		return fmt.Sprintf("the archive takes %s and archive.max_size allows %s, so that what is left was not kept; raise it in the config, or make room with seshat archive repack or seshat archive forget", megabytes(r.size), megabytes(r.limit))
	case r.sure && r.left-r.since-more < spareRoom:
		return fmt.Sprintf("the disk of the archive %s has %s left, of which %s stay free, so that what is left was not kept; make room and run seshat archive again", r.dir, megabytes(r.left), megabytes(spareRoom))
	}
	return ""
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

// look finds out how large the archive is, and what is left.
func (r *room) look() {
	r.looked, r.since, r.size = true, 0, folderSize(r.dir)
	r.left, r.sure = r.free(r.dir)
}

func (r *room) took(n int64) { r.since += n }

// folderSize sums the sizes of the files below a folder.
func folderSize(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if fi, err := d.Info(); err == nil {
				size += fi.Size()
			}
		}
		return nil
	})
	return size
}
