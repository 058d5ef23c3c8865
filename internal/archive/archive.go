// Package archive keeps copies of files, byte for byte, and knows of no agent.
//
// A reader may rely on this. A source is a file that was kept: a name in a data
// folder of an agent on a machine. It has versions; one that only grew is one version
// that grew, and is kept by its new bytes alone. The bytes lie in packs, files that
// are only added to, as zstd frames of one source each, named by the SHA-256 of what
// they hold; a manifest, which is an SQLite database, says which frames make up which
// version. Every frame is held against its hash when it is read: what comes out is
// what went in, or an error that names whom the damage hurts, and everything else is
// read as before. What the manifest names is on the disk before it names it, so that a
// crash at any moment loses what was not committed and nothing else. One writer at a
// time holds a lock, which a crash releases; a reader never waits for it. A writer
// deletes nothing but by Forget, Mask and Blot, and by Repack of what nobody needs.
// doc/archive-format.md describes the files.
package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// Key names a source: the data folder it was found in, and its name there.
type Key struct {
	Machine string // id of the machine it was kept from; to a Writer "" is its own
	Agent   string
	Dir     string // absolute path of the data folder
	Name    string // any bytes, slash-separated, below Dir
}

// String gives the path that a key stands for.
func (k Key) String() string { return strings.TrimSuffix(k.Dir, "/") + "/" + k.Name }

// Label is what the catalogue and the adapter say of a source.
type Label struct{ Store, Session, Subagent, Family string }

// Source is what the archive knows of one file.
type Source struct {
	ID int64 // never used again for another
	Key
	Label
	Live     agent.Info // the file as it was when last looked at; zero for one that was never seen here
	Gone     time.Time  // the first run that did not find it; zero while it is on the disk
	Pending  string     // why not all of it is kept yet; empty when it is
	Versions []Version  // oldest first; the last one is current
}

// Version is one state of a source.
type Version struct {
	Number int // 1, 2 ...
	Size   int64
	SHA256 [32]byte // of all bytes
	MTime  time.Time
	Mode   fs.FileMode
	Kept   time.Time // when it was last added to
	Masked bool      // not the bytes of the file any more: something in them was blotted out
}

// Stats counts what an archive holds.
type Stats struct {
	Sources, Versions int
	Raw               int64 // bytes of all versions
	Stored            int64 // bytes of the archive on the disk
	Garbage           int64 // of those, bytes of packs that nothing needs; Repack frees them
	Frames            int
	Tombstones        int
	LastRun           time.Time // the last commit; zero when there was none
}

// ErrBusy is what Write gives while another writer is at work.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrChanged is what reading a version gives that was forgotten or masked since it was
// listed.
var ErrChanged = errors.New("was forgotten or masked in the archive while it was read")

// DamageError says that bytes of a version cannot be had any more.
type DamageError struct {
	ID      int64 // of the source; 0 when none is hurt
	Key     Key
	Version int
	Offset  int64 // in the version, or in the pack when no source is hurt
	Length  int64
	Pack    string // the file that is damaged; empty when it is the manifest
	Reason  string
}

func (e *DamageError) Error() string {
	if e.ID == 0 {
		return fmt.Sprintf("%s: bytes %d to %d: %s", e.where(), e.Offset, e.Offset+e.Length, e.Reason)
	}
	return fmt.Sprintf("%s: bytes %d to %d of version %d are damaged in the archive (%s): %s",
		e.Key, e.Offset, e.Offset+e.Length, e.Version, e.where(), e.Reason)
}

func (e *DamageError) where() string {
	if e.Pack == "" {
		return manifestName
	}
	return e.Pack
}

// Archive is an archive that is read. Its methods may be called at the same time.
type Archive struct {
	dir    string
	db     *sql.DB
	packs  *packs
	frames *frames
}

// Open opens an archive for reading. The error is fs.ErrNotExist when there is none.
// It never waits for a writer, and sees what that commits.
func Open(dir string) (*Archive, error) {
	return open(dir, osDisk{})
}

func open(dir string, d disk) (*Archive, error) {
	path := filepath.Join(dir, manifestName)
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if fi.Size() == 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist} // a first run broke off before it kept anything
	}
	db, err := openForReading(path)
	if err != nil {
		return nil, err
	}
	p := &packs{dir: filepath.Join(dir, packFolder), disk: d, open: map[int64]file{}}
	return &Archive{dir: dir, db: db, packs: p, frames: newFrames(p)}, nil
}

// Close closes what is open. Files of the archive cannot be read any more.
func (a *Archive) Close() error {
	return errors.Join(a.packs.close(), a.db.Close())
}

// Dir gives the folder of the archive.
func (a *Archive) Dir() string { return a.dir }

// Stats counts what there is.
func (a *Archive) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	var last int64
	err := a.db.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM source), (SELECT count(*) FROM version), (SELECT coalesce(sum(size), 0) FROM version),
		(SELECT count(*) FROM frame), (SELECT count(*) FROM tombstone), coalesce((SELECT value FROM meta WHERE key = 'last_run'), 0),
		(SELECT coalesce(sum(stored), 0) FROM frame WHERE sha256 NOT IN (SELECT sha256 FROM piece))`).
		Scan(&s.Sources, &s.Versions, &s.Raw, &s.Frames, &s.Tombstones, &last, &s.Garbage)
	if err != nil {
		return s, a.explain(err)
	}
	s.LastRun = timeOf(last)
	s.Stored, err = sizeOnDisk(a.dir)
	return s, err
}

// sizeOnDisk sums the sizes of all files below a folder.
func sizeOnDisk(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return ignoreAbsent(err)
		}
		fi, err := d.Info()
		if err == nil {
			size += fi.Size()
		}
		return ignoreAbsent(err)
	})
	return size, err
}

// ignoreAbsent drops the error of a file that went away.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Sources gives all sources, sorted by machine, agent, folder and name.
func (a *Archive) Sources(ctx context.Context) ([]Source, error) {
	tx, err := a.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, a.explain(err)
	}
	defer tx.Rollback()
	list, err := loadSources(ctx, tx, tx)
	if err != nil {
		return nil, a.explain(err)
	}
	slices.SortFunc(list, func(x, y Source) int { return compareKeys(x.Key, y.Key) })
	return list, nil
}

func compareKeys(x, y Key) int {
	for _, pair := range [...][2]string{{x.Machine, y.Machine}, {x.Agent, y.Agent}, {x.Dir, y.Dir}, {x.Name, y.Name}} {
		if c := strings.Compare(pair[0], pair[1]); c != 0 {
			return c
		}
	}
	return 0
}

// explain says of an error of the manifest where it is.
func (a *Archive) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", filepath.Join(a.dir, manifestName), err)
}
