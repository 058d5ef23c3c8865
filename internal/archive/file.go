package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"sync"

	"github.com/seshat-dev/seshat/agent"
)

// File gives a version of a source as an open file. It reads only the frames that
// are needed. Where bytes are damaged, reading them gives a *DamageError, and reading
// others does not.
func (a *Archive) File(s *Source, v Version) agent.File {
	return &keptFile{archive: a, source: s.ID, key: s.Key, version: v}
}

// device stands for the archive where a file's device would.
const device = 0x5345534841540000

// Info tells about a version as agent.Root tells about a file. Two versions that differ
// differ in it.
func Info(s *Source, v Version) agent.Info {
	return agent.Info{Name: lastName(s.Name), Mode: v.Mode, Size: v.Size, MTime: v.MTime, CTime: v.Kept,
		Dev: device + uint64(v.Number), Ino: little.Uint64(v.SHA256[:]) ^ uint64(s.ID)}
}

type keptFile struct {
	archive *Archive
	source  int64
	key     Key
	version Version

	once   sync.Once
	err    error
	pieces []placed
}

// placed is a piece of a version and where its frame lies.
type placed struct {
	piece
	at place
}

func (f *keptFile) Close() error { return nil }

func (f *keptFile) Info() agent.Info {
	return Info(&Source{ID: f.source, Key: f.key}, f.version)
}

func (f *keptFile) ReadAt(b []byte, off int64) (n int, err error) {
	f.once.Do(f.load)
	switch {
	case f.err != nil:
		return 0, f.err
	case off < 0:
		return 0, errors.New("a negative offset")
	case off >= f.version.Size:
		return 0, io.EOF
	}
	short := false
	if int64(len(b)) > f.version.Size-off {
		b, short = b[:f.version.Size-off], true
	}
	i := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].Offset+f.pieces[i].Raw > off })
	for n < len(b) {
		content, err := f.content(&f.pieces[i])
		if err != nil {
			return n, err
		}
		n += copy(b[n:], content[off+int64(n)-f.pieces[i].Offset:])
		i++
	}
	if short {
		return n, io.EOF
	}
	return n, nil
}

// content gives what a piece holds.
func (f *keptFile) content(p *placed) ([]byte, error) {
	content, err := f.archive.frames.get(p.SHA256, p.at)
	if err != nil {
		// A writer may have put the frame into another pack since.
		if at, again := f.archive.where(context.Background(), p.SHA256); again == nil && at != p.at {
			content, err = f.archive.frames.get(p.SHA256, at)
		}
	}
	if errors.Is(err, errClosed) {
		return nil, err
	}
	if err != nil {
		return nil, &DamageError{ID: f.source, Key: f.key, Version: f.version.Number, Offset: p.Offset, Length: p.Raw, Pack: packFolder + "/" + packName(p.at.Pack), Reason: err.Error()}
	}
	return content, nil
}

// load finds the pieces of the version, and holds them against each other.
func (f *keptFile) load() {
	f.pieces, f.err = f.archive.placedPieces(context.Background(), f.source, f.version.Number)
	if f.err != nil {
		f.err = f.archive.explain(f.err)
		return
	}
	if reason := contiguous(f.pieces, f.version.Size); reason != "" {
		f.err = &DamageError{ID: f.source, Key: f.key, Version: f.version.Number, Length: f.version.Size, Reason: reason}
	}
}

func (a *Archive) placedPieces(ctx context.Context, source int64, version int) (list []placed, err error) {
	err = each(ctx, a.db, func(scan func(...any) error) error {
		p, err := scanPlaced(scan)
		list = append(list, p)
		return err
	}, "SELECT "+placedColumns+" WHERE p.source = ? AND p.version = ? ORDER BY p.offset", source, version)
	return list, err
}

// placedColumns are what scanPlaced scans, and where they come from. A piece without a
// frame has one of negative length.
const placedColumns = `p.offset, p.raw, p.sha256, coalesce(f.pack, 0), coalesce(f.offset, 0), coalesce(f.stored, -1), coalesce(f.raw, -1)
	FROM piece p LEFT JOIN frame f ON f.sha256 = p.sha256`

func scanPlaced(scan func(...any) error) (p placed, err error) {
	var sum []byte
	err = scan(&p.Offset, &p.Raw, &sum, &p.at.Pack, &p.at.Offset, &p.at.Stored, &p.at.Raw)
	copy(p.SHA256[:], sum)
	return p, err
}

// contiguous says what is wrong with the pieces of a version of some size, or nothing.
// There may be more: a version that grew since.
func contiguous(pieces []placed, size int64) string {
	var at int64
	for _, p := range pieces {
		if p.Offset != at || p.Raw <= 0 || p.at.Stored >= 0 && p.at.Raw != p.Raw {
			return fmt.Sprintf("its pieces do not fit together at byte %d", at)
		}
		at += p.Raw
	}
	if at < size {
		return fmt.Sprintf("only %d of its %d bytes have a piece", at, size)
	}
	return ""
}
