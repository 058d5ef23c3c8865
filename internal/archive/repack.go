package archive

import (
	"context"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	// idleAfter is how long a file must not have changed until its frames are merged. One
	// that grows later all the same has lost nothing by it.
	idleAfter   = time.Hour
	repackLevel = zstd.SpeedBetterCompression
)

// Repacked says what a call of Writer.Repack did.
type Repacked struct {
	Sources       int   // of which frames were merged or compressed anew
	Before, After int64 // bytes of the archive on the disk
}

// Repack merges the frames of files that have been idle into larger ones, compresses
// them better, and frees what nobody needs. Every frame is verified on the way; one that
// is damaged stays as it is. Before the old packs are removed the archive may take twice
// its size. It commits, step by step. progress, which may be nil, is told of bytes of
// content.
func (w *Writer) Repack(ctx context.Context, progress func(done, total int64)) (Repacked, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var done Repacked
	if err := w.begin(ctx); err != nil {
		return done, err
	}
	var err error
	if done.Before, err = sizeOnDisk(w.dir); err != nil {
		return done, err
	}
	r := repacking{w: w, progress: progress}
	if err := r.find(ctx); err != nil {
		return done, w.archive.explain(err)
	}
	if err := r.all(ctx); err != nil {
		return done, err
	}
	if err := w.begin(ctx); err != nil {
		return done, err
	}
	if _, err := w.revise(ctx, nothing, wastefulPacks); err != nil {
		return done, err
	}
	if err := w.cutUnnamed(ctx); err != nil {
		return done, err
	}
	done.Sources = len(r.touched)
	done.After, err = sizeOnDisk(w.dir)
	return done, err
}

func nothing(context.Context, *transaction) error { return nil }

// run is a row of pieces of a version that become one frame.
type run struct {
	source *held
	number int
	pieces []placed
	raw    int64
	made   piece
	at     place
}

type repacking struct {
	w           *Writer
	runs        []*run
	touched     map[int64]bool
	done, total int64
	progress    func(done, total int64)
	bufs        buffers
}

// find finds the runs that are worth it.
func (r *repacking) find(ctx context.Context) error {
	r.touched = map[int64]bool{}
	users := map[[32]byte]int{}
	repacked := map[[32]byte]bool{}
	pieces := map[versionID][]placed{}
	var order []versionID
	err := each(ctx, r.w.db, func(scan func(...any) error) error {
		var id versionID
		var again bool
		p, err := scanPlaced(func(into ...any) error { return scan(append([]any{&id.source, &id.number, &again}, into...)...) })
		if len(pieces[id]) == 0 {
			order = append(order, id)
		}
		pieces[id] = append(pieces[id], p)
		users[p.SHA256]++
		repacked[p.SHA256] = again
		return err
	}, "SELECT p.source, p.version, coalesce(f.repacked, 1), "+placedColumns+" ORDER BY p.source, p.version, p.offset")
	if err != nil {
		return err
	}
	for _, id := range order {
		h := r.w.sources[id.source]
		if h == nil || !r.w.idle(h, id.number) {
			continue
		}
		for _, group := range groups(pieces[id], users, r.w.limits.merged) {
			first := group.pieces[0].SHA256
			if len(group.pieces) == 1 && repacked[first] {
				continue
			}
			repacked[first] = true
			group.source, group.number = h, id.number
			r.runs = append(r.runs, group)
			r.total += group.raw
		}
	}
	return nil
}

// idle reports whether a version will not grow, as far as its file tells.
func (w *Writer) idle(h *held, number int) bool {
	return number != h.Versions[len(h.Versions)-1].Number || !h.Gone.IsZero() || w.now().Sub(h.Versions[len(h.Versions)-1].MTime) > idleAfter
}

// groups joins pieces that only one version needs, up to a size. The first piece of a
// large file stays by itself.
func groups(pieces []placed, users map[[32]byte]int, most int64) (list []*run) {
	var open *run
	for _, p := range pieces {
		first := p.Offset == 0 && p.Raw <= 2*firstFrame && p.Raw > firstFrame/2
		alone := users[p.SHA256] > 1 || p.at.Stored < 0 || first
		if open == nil || alone || open.raw+p.Raw > most {
			open = &run{}
			list = append(list, open)
		}
		open.pieces = append(open.pieces, p)
		open.raw += p.Raw
		if alone {
			open = nil
		}
	}
	return list
}

// all makes the new frames, some at a time.
func (r *repacking) all(ctx context.Context) error {
	pipe, err := newPipeline(4, func() (*zstd.Encoder, error) { return newEncoder(repackLevel, maxFrame) })
	if err != nil {
		return err
	}
	defer pipe.close()
	for len(r.runs) > 0 {
		var made []*run
		var raw int64
		for len(r.runs) > 0 && raw < r.w.limits.repacking {
			next := r.runs[0]
			r.runs = r.runs[1:]
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.make(pipe, next) {
				made = append(made, next)
			}
			raw += next.raw
			r.done += next.raw
			if r.progress != nil {
				r.progress(r.done, r.total)
			}
		}
		if err := pipe.drain(); err != nil {
			return r.w.broken(err)
		}
		_, err := r.w.revise(ctx, func(ctx context.Context, tx *transaction) error { return r.note(ctx, tx, made) },
			func(context.Context, *transaction) ([]int64, error) { return nil, nil })
		if err != nil {
			return err
		}
	}
	return nil
}

// make sends the content of a run into the pipeline, unless it is damaged.
func (r *repacking) make(pipe *pipeline, next *run) bool {
	raw := pipe.buffer(int(next.raw))
	n := 0
	for _, p := range next.pieces {
		content, err := r.w.archive.frames.read(p.SHA256, p.at, &r.bufs)
		if err != nil || int64(len(content)) != p.Raw {
			return false
		}
		n += copy(raw[n:], content)
	}
	first := next.pieces[0]
	next.made = piece{Offset: first.Offset, Raw: next.raw, SHA256: first.SHA256}
	header := frameHeader{Source: next.source.uid, Version: uint32(next.number), Offset: uint64(first.Offset), Raw: uint32(next.raw)}
	pipe.frame(raw, &next.made, len(next.pieces) == 1, func(j *job) (err error) {
		header.SHA256, header.Stored = next.made.SHA256, uint32(len(j.stored))
		next.at, err = r.w.packing.put(r.w.archive.db, next.source.ID, header, j.stored)
		return err
	})
	return true
}

// note tells the manifest of new frames.
func (r *repacking) note(ctx context.Context, tx *transaction, made []*run) error {
	changed := map[versionID]*run{}
	for _, m := range made {
		r.touched[m.source.ID] = true
		if _, err := tx.ExecContext(ctx, `INSERT INTO frame (sha256, pack, offset, stored, raw, repacked) VALUES (?, ?, ?, ?, ?, 1)
			ON CONFLICT (sha256) DO UPDATE SET pack = excluded.pack, offset = excluded.offset, stored = excluded.stored, repacked = 1`,
			m.made.SHA256[:], m.at.Pack, m.at.Offset, m.at.Stored, m.at.Raw); err != nil {
			return err
		}
		if len(m.pieces) == 1 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM piece WHERE source = ? AND version = ? AND offset >= ? AND offset < ?",
			m.source.ID, m.number, m.made.Offset, m.made.Offset+m.made.Raw); err != nil {
			return err
		}
		if err := notePiece(ctx, tx, m.source.ID, m.number, &m.made); err != nil {
			return err
		}
		changed[versionID{m.source.ID, m.number}] = m
	}
	tell := rewriting{w: r.w, tx: tx}
	for _, m := range changed {
		if err := tell.version(ctx, m.source, m.number); err != nil {
			return err
		}
	}
	return nil
}

// wastefulPacks gives the packs of which much is needed by nobody.
func wastefulPacks(ctx context.Context, tx *transaction) (list []int64, err error) {
	err = each(ctx, tx, func(scan func(...any) error) error {
		var number int64
		err := scan(&number)
		list = append(list, number)
		return err
	}, `SELECT number FROM pack p WHERE 20 * (SELECT coalesce(sum(stored), 0) FROM frame WHERE pack = p.number AND sha256 IN (SELECT sha256 FROM piece)) < 19 * p.size ORDER BY number`)
	return list, err
}
