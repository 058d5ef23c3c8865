package archive

import (
	"context"
	"database/sql"
	"errors"
)

// changes are what the manifest does not know yet.
type changes struct {
	sources  map[*held]bool
	versions map[changedVersion]bool
	pieces   []changedPiece
	bytes    int64
}

type changedVersion struct {
	source *held
	number int
}

type changedPiece struct {
	changedVersion
	*piece
}

func (c *changes) source(h *held) {
	if c.sources == nil {
		c.sources = map[*held]bool{}
	}
	c.sources[h] = true
}

func (c *changes) version(h *held, number int) {
	if c.versions == nil {
		c.versions = map[changedVersion]bool{}
	}
	c.versions[changedVersion{h, number}] = true
}

func (c *changes) piece(h *held, number int, p *piece) {
	c.pieces = append(c.pieces, changedPiece{changedVersion{h, number}, p})
}

// Commit makes everything that was put, looked at and moved since the last one safe:
// first the packs, then the manifest, in one transaction.
func (w *Writer) Commit(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	return w.commit(ctx)
}

func (w *Writer) commit(ctx context.Context) error {
	if w.pipe != nil {
		if err := w.pipe.drain(); err != nil {
			return w.broken(err)
		}
	}
	if err := w.packing.sync(); err != nil {
		return w.broken(err)
	}
	if err := w.transact(ctx, w.note); err != nil {
		return err
	}
	w.changed, w.mark = changes{}, nil
	return w.packing.noted()
}

// Where a mark stands in the manifest.
const (
	markKey      = "mark"
	markFilesKey = "mark_files"
)

// Mark stands for all that the archive was made of.
type Mark struct {
	Sum   int64 // of how the files looked
	Files int64 // how many of them are kept
}

// Mark gives what SetMark had the last commit note, if anything. It loads nothing of the
// archive.
func (w *Writer) Mark(ctx context.Context) (m Mark, ok bool) {
	err := w.db.QueryRowContext(ctx, "SELECT a.value, b.value FROM meta a, meta b WHERE a.key = ? AND b.key = ?", markKey, markFilesKey).Scan(&m.Sum, &m.Files)
	return m, err == nil // without one everything is looked at
}

// SetMark has the next commit note a mark. Any other change of the archive takes it away.
func (w *Writer) SetMark(mark Mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mark = &mark
}

// broken notes an error after which nothing is written any more.
func (w *Writer) broken(err error) error {
	if w.err == nil {
		w.err = err
	}
	return w.err
}

// transaction is one of the manifest's. It prepares each statement once.
type transaction struct {
	*sql.Tx
	prepared map[string]*sql.Stmt
}

// ExecContext executes a statement.
func (t *transaction) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	s, ok := t.prepared[statement]
	if !ok {
		var err error
		if s, err = t.PrepareContext(ctx, statement); err != nil {
			return nil, err
		}
		t.prepared[statement] = s
	}
	return s.ExecContext(ctx, args...)
}

// transact changes the manifest in one step.
func (w *Writer) transact(ctx context.Context, change func(context.Context, *transaction) error) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err == nil {
		t := &transaction{tx, map[string]*sql.Stmt{}}
		// Whatever it was that stood still, something moves now.
		if _, err = t.ExecContext(ctx, "DELETE FROM meta WHERE key IN (?, ?)", markKey, markFilesKey); err == nil {
			err = change(ctx, t)
		}
		if err == nil {
			err = tx.Commit()
			w.packing.uncertain = err != nil
		}
		for _, s := range t.prepared {
			_ = s.Close()
		}
		_ = tx.Rollback()
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return ctx.Err()
	}
	return w.broken(w.archive.explain(err))
}

// note tells the manifest of all changes.
func (w *Writer) note(ctx context.Context, tx *transaction) error {
	if err := w.packing.note(ctx, tx); err != nil {
		return err
	}
	folders := map[Key]int64{}
	for h := range w.changed.sources {
		if err := noteSource(ctx, tx, h, folders); err != nil {
			return err
		}
	}
	for v := range w.changed.versions {
		if err := noteVersion(ctx, tx, v.source, v.number); err != nil {
			return err
		}
	}
	for _, p := range w.changed.pieces {
		if err := notePiece(ctx, tx, p.source.ID, p.number, p.piece); err != nil {
			return err
		}
	}
	pairs := []any{"last_run", nanoseconds(w.now())}
	if w.mark != nil {
		pairs = append(pairs, markKey, w.mark.Sum, markFilesKey, w.mark.Files)
	}
	if w.complete {
		pairs = append(pairs, "seq", int64(w.seq))
	}
	return noteMeta(ctx, tx, pairs...)
}

func notePiece(ctx context.Context, tx *transaction, source int64, version int, p *piece) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO piece (source, version, offset, raw, sha256) VALUES (?, ?, ?, ?, ?)", source, version, p.Offset, p.Raw, p.SHA256[:])
	return err
}

func noteMeta(ctx context.Context, tx *transaction, pairs ...any) error {
	for len(pairs) > 0 {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", pairs[0], pairs[1]); err != nil {
			return err
		}
		pairs = pairs[2:]
	}
	return nil
}

func noteSource(ctx context.Context, tx *transaction, h *held, folders map[Key]int64) error {
	at := Key{Machine: h.Machine, Agent: h.Agent, Dir: h.Dir}
	folder, ok := folders[at]
	if !ok {
		err := tx.QueryRowContext(ctx, `INSERT INTO folder (machine, agent, dir) VALUES (?, ?, ?)
			ON CONFLICT (machine, agent, dir) DO UPDATE SET dir = excluded.dir RETURNING id`, at.Machine, at.Agent, []byte(at.Dir)).Scan(&folder)
		if err != nil {
			return err
		}
		folders[at] = folder
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO source (id, uid, folder, name, store, session, subagent, family,
			live, gone, pending)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET folder = excluded.folder, name = excluded.name, store = excluded.store, session = excluded.session,
			subagent = excluded.subagent, family = excluded.family, live = excluded.live, gone = excluded.gone, pending = excluded.pending`,
		h.ID, h.uid[:], folder, []byte(h.Name), h.Store, h.Session, h.Subagent, h.Family,
		appendInfo([]byte{}, h.Live), nanoseconds(h.Gone), h.Pending)
	return err
}

func noteVersion(ctx context.Context, tx *transaction, h *held, number int) error {
	for i, v := range h.Versions {
		if v.Number != number {
			continue
		}
		var live []byte
		if v.Masked {
			live = h.live[i][:]
		}
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO version (source, number, size, sha256, mtime, mode, kept, masked, live_sha256)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			h.ID, v.Number, v.Size, v.SHA256[:], nanoseconds(v.MTime), int64(v.Mode), nanoseconds(v.Kept), v.Masked, live)
		if err != nil {
			return err
		}
	}
	return nil
}
