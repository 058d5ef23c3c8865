package archive

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// rewriting makes packs anew without what nobody needs. It happens inside a transaction
// of the manifest: new packs are written and synced, the manifest is switched to them,
// and only then the old ones are removed. A run that breaks off in between leaves new
// packs that no manifest names, or old ones that it says are to be removed.
type rewriting struct {
	w       *Writer
	tx      *transaction
	victims []int64        // packs
	told    map[int64]bool // sources that the new packs tell of
	freed   int64
}

// revise changes the manifest by a function that may make frames unneeded, and then
// removes them from the packs: those packs are written anew that choose names, which
// is asked when the change is done.
func (w *Writer) revise(ctx context.Context, change func(context.Context, *transaction) error, choose func(context.Context, *transaction) ([]int64, error)) (freed int64, err error) {
	r := rewriting{w: w, told: map[int64]bool{}}
	err = w.transact(ctx, func(ctx context.Context, tx *transaction) error {
		r.tx = tx
		if err := change(ctx, tx); err != nil {
			return err
		}
		var err error
		if r.victims, err = choose(ctx, tx); err != nil {
			return err
		}
		return r.run(ctx)
	})
	if err != nil {
		// Frames that were put into new packs are named by nobody.
		w.broken(err)
		return 0, err
	}
	w.changed = changes{}
	if err := w.packing.noted(); err != nil {
		return 0, w.broken(err)
	}
	if err := w.finishRemovals(); err != nil {
		return 0, w.broken(err)
	}
	return r.freed, nil
}

func (r *rewriting) run(ctx context.Context) error {
	w := r.w
	for _, number := range r.victims {
		if err := r.pack(ctx, number); err != nil {
			return err
		}
	}
	if len(r.victims) > 0 {
		if err := r.tombstones(ctx); err != nil {
			return err
		}
	}
	if err := w.packing.sync(); err != nil {
		return err
	}
	if err := w.packing.note(ctx, r.tx); err != nil {
		return err
	}
	for _, p := range w.packing.writers() {
		r.freed -= p.size
	}
	pairs := []any{"seq", int64(w.seq)}
	if len(r.victims) > 0 {
		pairs = append(pairs, "compact", 1)
	}
	return noteMeta(ctx, r.tx, pairs...)
}

// kept is a frame that outlives its pack.
type kept struct {
	hash     [32]byte
	at       place
	repacked bool
	header   frameHeader // of one that needs it
	source   int64
}

// pack moves what is needed of a pack into a new one.
func (r *rewriting) pack(ctx context.Context, number int64) error {
	w := r.w
	needed, err := r.needed(ctx, number)
	if err != nil {
		return err
	}
	for i := range needed {
		if err := r.frame(ctx, &needed[i]); err != nil {
			return err
		}
	}
	var sources []int64
	err = each(ctx, r.tx, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		sources = append(sources, id)
		return err
	}, "SELECT source FROM mention WHERE pack = ?", number)
	if err != nil {
		return err
	}
	for _, id := range sources {
		if h := w.sources[id]; h != nil && !r.told[id] {
			r.told[id] = true
			if err := r.tell(ctx, h); err != nil {
				return err
			}
		}
	}
	var size int64
	if err := r.tx.QueryRowContext(ctx, "SELECT size FROM pack WHERE number = ?", number).Scan(&size); err != nil {
		return err
	}
	r.freed += size
	for _, statement := range []string{"DELETE FROM frame WHERE pack = ?", "DELETE FROM mention WHERE pack = ?", "DELETE FROM pack WHERE number = ?", "INSERT INTO removed (pack) VALUES (?)"} {
		if _, err := r.tx.ExecContext(ctx, statement, number); err != nil {
			return err
		}
	}
	return nil
}

// needed gives the frames of a pack that a version needs, in the order in which they lie.
func (r *rewriting) needed(ctx context.Context, number int64) (list []kept, err error) {
	err = each(ctx, r.tx, func(scan func(...any) error) error {
		var k kept
		var sum []byte
		err := scan(&sum, &k.at.Offset, &k.at.Stored, &k.at.Raw, &k.repacked, &k.source, &k.header.Version, &k.header.Offset)
		k.at.Pack, k.hash = number, [32]byte(append(sum, make([]byte, 32)...)[:32])
		if h := r.w.sources[k.source]; h != nil {
			k.header.Source = h.uid
		}
		list = append(list, k)
		return err
	}, `SELECT f.sha256, f.offset, f.stored, f.raw, f.repacked, p.source, p.version, p.offset FROM frame f JOIN piece p ON p.sha256 = f.sha256
		WHERE f.pack = ? ORDER BY f.offset, p.source, p.version, p.offset`, number)
	list = slices.CompactFunc(list, func(a, b kept) bool { return a.hash == b.hash })
	slices.SortFunc(list, func(a, b kept) int { return cmp.Compare(a.at.Offset, b.at.Offset) })
	return list, err
}

// frame copies a frame as it is, damaged or not. One that the disk has lost stays lost.
func (r *rewriting) frame(ctx context.Context, k *kept) error {
	stored := make([]byte, max(k.at.Stored, 0))
	if err := r.w.archive.packs.read(k.at.Pack, k.at.Offset, stored); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	k.header.Raw, k.header.Stored, k.header.SHA256 = uint32(k.at.Raw), uint32(k.at.Stored), k.hash
	to, err := r.w.packing.put(r.w.archive.db, k.source, k.header, stored)
	if err != nil {
		return err
	}
	_, err = r.tx.ExecContext(ctx, "UPDATE frame SET pack = ?, offset = ? WHERE sha256 = ?", to.Pack, to.Offset, k.hash[:])
	return err
}

// tell puts into the new pack what a source and its versions are.
func (r *rewriting) tell(ctx context.Context, h *held) error {
	w := r.w
	state := sourceState{Source: h.uid, Seq: w.nextSeq(), Key: h.Key, Label: h.Label}
	if err := w.packing.record(w.archive.db, h.ID, state.append(nil)); err != nil {
		return err
	}
	for _, v := range h.Versions {
		if err := r.version(ctx, h, v.Number); err != nil {
			return err
		}
	}
	return nil
}

// version puts into the new pack what a version is made of.
func (r *rewriting) version(ctx context.Context, h *held, number int) error {
	w := r.w
	for i, v := range h.Versions {
		if v.Number != number {
			continue
		}
		state := versionState{Source: h.uid, Seq: w.nextSeq(), Version: v, LiveSHA256: h.live[i]}
		err := each(ctx, r.tx, func(scan func(...any) error) error {
			p, err := scanPlaced(scan)
			state.Pieces = append(state.Pieces, p.piece)
			return err
		}, "SELECT "+placedColumns+" WHERE p.source = ? AND p.version = ? ORDER BY p.offset", h.ID, number)
		if err == nil {
			err = w.packing.record(w.archive.db, h.ID, state.append(nil))
		}
		return err
	}
	return nil
}

// tombstones puts all of them into the new pack: it is not known which the old one had.
func (r *rewriting) tombstones(ctx context.Context) error {
	return each(ctx, r.tx, func(scan func(...any) error) error {
		t, err := scanTombstone(scan)
		if err != nil {
			return err
		}
		return r.w.packing.record(r.w.archive.db, 0, t.append(nil))
	}, "SELECT agent, session, time, why FROM tombstone")
}

// garbagePacks gives the packs that hold a frame that nobody needs.
func garbagePacks(ctx context.Context, tx *transaction) (list []int64, err error) {
	err = each(ctx, tx, func(scan func(...any) error) error {
		var number int64
		err := scan(&number)
		list = append(list, number)
		return err
	}, "SELECT DISTINCT pack FROM frame WHERE sha256 NOT IN (SELECT sha256 FROM piece) AND pack IN (SELECT number FROM pack) ORDER BY pack")
	return list, err
}

// finishRemovals removes the packs that the manifest has done away with, and what is
// left in the manifest's file of what was deleted from it. What cannot be removed, as
// where a reader has it open on Windows, the next writer tries again.
func (w *Writer) finishRemovals() error {
	ctx := context.Background()
	var removed []int64
	err := each(ctx, w.db, func(scan func(...any) error) error {
		var number int64
		err := scan(&number)
		removed = append(removed, number)
		return err
	}, "SELECT pack FROM removed")
	if err != nil {
		return w.archive.explain(err)
	}
	var failed error
	for _, number := range removed {
		w.archive.packs.forget(number)
		if err := w.disk.remove(w.packing.path(number)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	if len(removed) > 0 && failed == nil {
		failed = w.disk.syncFolder(w.packing.dir)
	}
	if failed != nil {
		return fmt.Errorf("a pack with what is not to be kept any more could not be removed, which the next run tries again: %w", failed)
	}
	return w.archive.explain(w.compact(ctx))
}

// compact makes the manifest's file anew, so that nothing is left in it of what was
// deleted, if something was.
func (w *Writer) compact(ctx context.Context) error {
	var due int
	err := w.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'compact'").Scan(&due)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, statement := range []string{"DELETE FROM removed", "VACUUM"} {
		if _, err := w.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	var busy, ignored int
	if err := w.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &ignored, &ignored); err != nil || busy != 0 {
		return err // when a reader is in the way, the next writer tries again
	}
	_, err = w.db.ExecContext(ctx, "DELETE FROM meta WHERE key = 'compact'")
	return err
}

// cutUnnamed removes what no manifest names: packs of runs that broke off, and what
// such runs added to others.
func (w *Writer) cutUnnamed(ctx context.Context) error {
	named := map[int64]int64{}
	err := each(ctx, w.db, func(scan func(...any) error) error {
		var number, size int64
		err := scan(&number, &size)
		named[number] = size
		return err
	}, "SELECT number, size FROM pack")
	if err != nil {
		return w.archive.explain(err)
	}
	names, err := w.disk.list(w.packing.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		number, ok := packNumber(name)
		size, known := named[number]
		switch {
		case !ok:
		case !known:
			err = w.disk.remove(w.packing.path(number))
		default:
			err = w.cut(number, size)
		}
		if err != nil {
			return err
		}
	}
	return w.disk.syncFolder(w.packing.dir)
}

// cut cuts a pack off where the manifest says that it ends.
func (w *Writer) cut(number, size int64) error {
	f, err := w.disk.extend(w.packing.path(number))
	if err != nil {
		return err
	}
	defer f.Close()
	real, err := f.Size()
	if err != nil || real <= size {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}
