package archive

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/own"
)

const lockName = "lock"

// Writer is the one writer of an archive. Its methods may be called at the same time,
// and wait for each other. After an error of the disk nothing more can be written; what
// was committed stays.
type Writer struct {
	dir     string
	machine string
	now     func() time.Time
	disk    disk
	limits  limits
	lock    *own.Lock
	db      *sql.DB
	archive *Archive

	mu       sync.Mutex
	loaded   bool // all sources
	complete bool // and what is needed to change them
	sources  map[int64]*held
	byKey    map[Key]*held
	nextID   int64
	seq      uint64
	pipe     *pipeline
	packing  packing
	changed  changes
	mark     *Mark // to be noted by the next commit
	err      error // nothing is written after it
}

// held is a source as a writer knows it, with what is not committed yet.
type held struct {
	Source
	uid  uid
	live []versionSum // per version; what a masked one stands for
}

type versionSum [32]byte

// Write opens an archive for writing and makes it when there is none. machine is the id
// of this machine. The error is ErrBusy while another run writes to it.
func Write(dir string, machine string, now func() time.Time) (*Writer, error) {
	journal, err := journalFor(dir)
	if err != nil {
		return nil, err
	}
	return write(dir, machine, now, osDisk{}, journal, usual)
}

func write(dir, machine string, now func() time.Time, d disk, journal string, l limits) (*Writer, error) {
	if err := own.MakeFolder(filepath.Join(dir, packFolder)); err != nil {
		return nil, err
	}
	locked, err := takeLock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, machine: machine, now: now, disk: d, limits: l, lock: locked}
	if err := w.start(journal); err != nil {
		return nil, errors.Join(err, w.stop())
	}
	return w, nil
}

func (w *Writer) start(journal string) error {
	path := filepath.Join(w.dir, manifestName)
	// SQLite gives the files beside it the mode of this one.
	if err := own.Create(path, nil); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	var err error
	if w.db, err = openForWriting(path, journal); err != nil {
		return err
	}
	if w.archive, err = open(w.dir, w.disk); err != nil {
		return err
	}
	w.packing = packing{dir: filepath.Join(w.dir, packFolder), disk: w.disk, most: w.limits.pack}
	_ = w.finishRemovals() // else the next one will
	return nil
}

// stop lets go of everything.
func (w *Writer) stop() error {
	var errs []error
	if w.pipe != nil {
		errs = append(errs, w.pipe.close())
		w.pipe = nil
	}
	errs = append(errs, w.packing.close())
	if w.archive != nil {
		errs = append(errs, w.archive.Close())
	}
	if w.db != nil {
		errs = append(errs, w.db.Close())
	}
	return errors.Join(append(errs, w.lock.Release())...)
}

// Archive gives the same archive for reading: what is committed. It is closed with the
// writer.
func (w *Writer) Archive() *Archive { return w.archive }

// Close ends writing and gives the lock free. What was not committed is dropped.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lock == nil {
		return nil
	}
	err := w.stop()
	w.lock = nil
	if w.err == nil {
		w.err = errClosed
	}
	return err
}

// ready loads what the manifest knows, once, and starts the workers.
func (w *Writer) ready(ctx context.Context) error {
	if w.err != nil {
		return w.err
	}
	if err := w.load(ctx); err != nil {
		return err
	}
	if err := w.loadRest(ctx); err != nil {
		return w.archive.explain(err)
	}
	if w.pipe == nil {
		p, err := newPipeline(8, func() (*zstd.Encoder, error) { return newEncoder(putLevel, frameTarget) })
		if err != nil {
			return err
		}
		w.pipe = p
	}
	return nil
}

func (w *Writer) load(ctx context.Context) error {
	if w.loaded {
		return nil
	}
	list, err := loadSources(ctx, w.db, w.archive.db)
	if err == nil {
		w.sources, w.byKey = make(map[int64]*held, len(list)), make(map[Key]*held, len(list))
		for i := range list {
			h := &held{Source: list[i], live: make([]versionSum, len(list[i].Versions))}
			w.sources[h.ID], w.byKey[h.Key] = h, h
		}
	}
	if err != nil {
		return w.archive.explain(err)
	}
	w.loaded = true
	return nil
}

// loadRest loads what is needed to change something, once.
func (w *Writer) loadRest(ctx context.Context) error {
	if w.complete {
		return nil
	}
	err := each(ctx, w.db, func(scan func(...any) error) error {
		var id int64
		var name []byte
		err := scan(&id, &name)
		if h := w.sources[id]; h != nil && len(name) == len(h.uid) {
			copy(h.uid[:], name)
		}
		return err
	}, "SELECT id, uid FROM source")
	if err != nil {
		return err
	}
	err = each(ctx, w.db, func(scan func(...any) error) error {
		var id int64
		var number int
		var sum []byte
		err := scan(&id, &number, &sum)
		if h := w.sources[id]; h != nil {
			for i, v := range h.Versions {
				if v.Number == number {
					copy(h.live[i][:], sum)
				}
			}
		}
		return err
	}, "SELECT source, number, live_sha256 FROM version WHERE live_sha256 IS NOT NULL")
	if err != nil {
		return err
	}
	var last, seq int64
	if err := w.db.QueryRowContext(ctx, "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'source'), 0), coalesce((SELECT value FROM meta WHERE key = 'seq'), 0)").Scan(&last, &seq); err != nil {
		return err
	}
	w.nextID, w.seq, w.complete = last+1, uint64(seq), true
	return nil
}

// nextSeq numbers the records of packs: later ones count.
func (w *Writer) nextSeq() uint64 {
	w.seq++
	return w.seq
}

// find gives the source of a key, or makes one that is not in the maps yet.
func (w *Writer) find(key Key, label Label) *held {
	if h := w.byKey[key]; h != nil {
		return h
	}
	h := &held{Source: Source{ID: w.nextID, Key: key, Label: label}}
	rand.Read(h.uid[:])
	return h
}

// Look notes what a run saw of a source that needs no Put: the file as it is, why not
// all of it is kept, and, when it is gone, since when. An error shows at the next Commit.
func (w *Writer) Look(id int64, live agent.Info, pending string, gone time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	ctx := context.Background()
	if err := w.load(ctx); err != nil {
		w.broken(err)
		return
	}
	h := w.sources[id]
	if h == nil || sameInfo(h.Live, live) && h.Pending == pending && h.Gone.Equal(gone) {
		return
	}
	if err := w.loadRest(ctx); err != nil {
		w.broken(w.archive.explain(err))
		return
	}
	h.Live, h.Pending, h.Gone = live, pending, gone
	w.changed.source(h)
}

func sameInfo(a, b agent.Info) bool {
	return a.Mode == b.Mode && a.Size == b.Size && a.MTime.Equal(b.MTime) && a.CTime.Equal(b.CTime) && a.Dev == b.Dev && a.Ino == b.Ino
}

// Move gives a source another name or folder: the same file lies there now.
func (w *Writer) Move(id int64, to Key) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx := context.Background()
	if err := w.ready(ctx); err != nil {
		return err
	}
	h, to := w.sources[id], w.here(to)
	switch other := w.byKey[to]; {
	case h == nil:
		return fmt.Errorf("no source of the archive has the number %d", id)
	case other == h:
		return nil
	case other != nil:
		return fmt.Errorf("%s: the archive has another source of that name", to)
	}
	delete(w.byKey, h.Key)
	h.Key = to
	w.byKey[to] = h
	w.changed.source(h)
	w.tell(h)
	return nil
}

// here fills in this machine.
func (w *Writer) here(k Key) Key {
	if k.Machine == "" {
		k.Machine = w.machine
	}
	return k
}

// Sources gives all sources with what was not committed yet, in no order.
func (w *Writer) Sources(ctx context.Context) ([]Source, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.load(ctx); err != nil {
		return nil, err
	}
	list := make([]Source, 0, len(w.sources))
	for _, h := range w.sources {
		s := h.Source
		s.Versions = append([]Version(nil), s.Versions...)
		list = append(list, s)
	}
	return list, nil
}
