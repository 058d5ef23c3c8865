package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"github.com/seshat-dev/seshat/agent"
)

// File gives a version of a source as an open file. It reads only the frames that
// are needed. Where bytes are damaged, reading them gives a *DamageError, and reading
// others does not; where the version was forgotten or masked since, ErrChanged. It may
// be read by several at the same time, and needs no closing.
func (a *Archive) File(s *Source, v Version) agent.File {
	return &keptFile{archive: a, source: s.ID, key: s.Key, version: v}
}

// Skim gives a version as File does, for reading much of it at once, as a search does:
// frames are held against the checksum of 32 bits that stands in each, not against their
// hashes, which takes a third of the time longer.
func (a *Archive) Skim(s *Source, v Version) agent.File {
	return &keptFile{archive: a, source: s.ID, key: s.Key, version: v, quick: true}
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
	quick   bool // frames are held against their own checksums alone

	mu     sync.Mutex
	pieces []placed // nil until they are loaded; a slice that was given out is not changed
	err    error
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
	switch {
	case off < 0:
		return 0, errors.New("a negative offset")
	case off >= f.version.Size:
		return 0, io.EOF
	}
	short := false
	if int64(len(b)) > f.version.Size-off {
		b, short = b[:f.version.Size-off], true
	}
	n, err = f.readFull(b, off)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

// readFull fills b, which does not reach over the end.
func (f *keptFile) readFull(b []byte, off int64) (n int, err error) {
	pieces, err := f.load(nil)
	for again := 0; err == nil; again++ {
		if n, err = f.fill(b, off, pieces); err == nil || again == 3 {
			break
		}
		// A writer may have put the bytes into other frames since, or frames elsewhere.
		now, changed := f.load(pieces)
		if changed != nil {
			err = changed
		}
		if changed != nil || slices.Equal(now, pieces) {
			break
		}
		pieces, err = now, nil
	}
	return n, err
}

func (f *keptFile) fill(b []byte, off int64, pieces []placed) (n int, err error) {
	i := sort.Search(len(pieces), func(i int) bool { return pieces[i].Offset+pieces[i].Raw > off })
	for ; n < len(b); i++ {
		p := &pieces[i]
		u, err := f.archive.frames.get(p.SHA256, p.at, f.quick)
		if errors.Is(err, errClosed) {
			return n, err
		}
		if err != nil {
			return n, &DamageError{ID: f.source, Key: f.key, Version: f.version.Number, Offset: p.Offset, Length: p.Raw, Pack: packFolder + "/" + packName(p.at.Pack), Reason: err.Error()}
		}
		n += copy(b[n:], u.raw[off+int64(n)-p.Offset:])
		f.archive.frames.done(u, f.quick && off+int64(n) == p.Offset+p.Raw)
	}
	return n, nil
}

// load gives the pieces of the version, others than some that were of no use.
func (f *keptFile) load(useless []placed) ([]placed, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	if f.pieces != nil && (useless == nil || !slices.Equal(f.pieces, useless)) {
		return f.pieces, nil
	}
	pieces, err := f.look(context.Background())
	if err != nil {
		f.err = err
		return nil, err
	}
	f.pieces = pieces
	return pieces, nil
}

// look finds the pieces in the manifest and holds them against each other.
func (f *keptFile) look(ctx context.Context) ([]placed, error) {
	tx, err := f.archive.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, f.archive.explain(err)
	}
	defer tx.Rollback()
	var masked bool
	err = tx.QueryRowContext(ctx, "SELECT masked FROM version WHERE source = ? AND number = ?", f.source, f.version.Number).Scan(&masked)
	if errors.Is(err, sql.ErrNoRows) || err == nil && masked != f.version.Masked {
		return nil, fmt.Errorf("%s: version %d: %w", f.key, f.version.Number, ErrChanged)
	}
	var pieces []placed
	if err == nil {
		pieces, err = placedPieces(ctx, tx, f.source, f.version.Number)
	}
	if err != nil {
		return nil, f.archive.explain(err)
	}
	return pieces, f.check(pieces)
}

// check holds the pieces of the version against each other.
func (f *keptFile) check(pieces []placed) error {
	if reason := contiguous(pieces, f.version.Size); reason != "" {
		return &DamageError{ID: f.source, Key: f.key, Version: f.version.Number, Length: f.version.Size, Reason: reason}
	}
	return nil
}

func placedPieces(ctx context.Context, q queryer, source int64, version int) (list []placed, err error) {
	err = each(ctx, q, func(scan func(...any) error) error {
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
