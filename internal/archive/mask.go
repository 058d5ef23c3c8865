package archive

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// Masked says what a call of Writer.Mask did.
type Masked struct {
	Sources, Versions int
	Freed             int64 // bytes of packs
}

// Mask gives versions of sources other content of the same length. with is called for
// each version of each source and gives the new content, or nil where the version stays
// as it is. The old content is removed from the packs as Forget does it, but for frames
// that other versions need: a caller masks those too. A version that was masked goes on
// to stand for the file it was kept from, so that a Put of the file adds only what is
// new. Mask commits.
func (w *Writer) Mask(ctx context.Context, ids []int64, with func(s *Source, v Version, content io.ReaderAt) (io.ReaderAt, error)) (Masked, error) {
	return w.maskAll(ctx, ids, with, false)
}

// Blot does so and keeps no hash of what the versions were: they stand for files with
// the new content, so that a Put of such a file, blotted likewise, adds only what is new.
// All packs that tell of the sources are written anew.
func (w *Writer) Blot(ctx context.Context, ids []int64, with func(s *Source, v Version, content io.ReaderAt) (io.ReaderAt, error)) (Masked, error) {
	return w.maskAll(ctx, ids, with, true)
}

func (w *Writer) maskAll(ctx context.Context, ids []int64, with func(s *Source, v Version, content io.ReaderAt) (io.ReaderAt, error), blot bool) (Masked, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var done Masked
	if err := w.begin(ctx); err != nil {
		return done, err
	}
	var list []masked
	for _, id := range ids {
		h := w.sources[id]
		if h == nil {
			continue
		}
		before := len(list)
		for i, v := range h.Versions {
			s := h.Source
			content, err := with(&s, v, w.archive.File(&s, v))
			if err == nil && content != nil {
				var m masked
				m, err = w.mask(ctx, h, i, content)
				m.blot = blot
				list = append(list, m)
			}
			if err != nil {
				return done, err
			}
		}
		if len(list) > before {
			done.Sources++
		}
	}
	if len(list) == 0 {
		return done, nil
	}
	if err := w.pipe.drain(); err != nil {
		return done, w.broken(err)
	}
	for _, m := range list {
		m.apply()
	}
	freed, err := w.revise(ctx, func(ctx context.Context, tx *transaction) error {
		for _, m := range list {
			if err := m.note(ctx, tx, w); err != nil {
				return err
			}
		}
		return nil
	}, func(ctx context.Context, tx *transaction) ([]int64, error) {
		victims, err := garbagePacks(ctx, tx)
		for i := 0; blot && err == nil && i < len(list); i++ {
			var telling []int64
			telling, err = packsTelling(ctx, tx, list[i].held.ID)
			victims = append(victims, telling...)
		}
		slices.Sort(victims)
		return slices.Compact(victims), err
	})
	if err != nil {
		return Masked{}, err
	}
	done.Versions, done.Freed = len(list), freed
	return done, w.cutUnnamed(ctx)
}

// masked is a version with new content that is not committed.
type masked struct {
	held  *held
	index int
	plan  plan
	blot  bool
}

// mask keeps the new content of a version.
func (w *Writer) mask(ctx context.Context, h *held, index int, content io.ReaderAt) (masked, error) {
	v := h.Versions[index]
	if n, err := content.ReadAt(make([]byte, 1), v.Size); n > 0 || err == nil {
		return masked{}, fmt.Errorf("%s: what version %d is masked with is longer than it", h.Key, v.Number)
	}
	m := masked{held: h, index: index, plan: newPlan(v.Number)}
	if err := w.keep(ctx, h, &m.plan, content, v.Size); err != nil {
		return masked{}, fmt.Errorf("%s: masking version %d: %w", h.Key, v.Number, err)
	}
	return m, nil
}

// apply changes what the writer knows of the version.
func (m *masked) apply() {
	v := &m.held.Versions[m.index]
	sum := [32]byte(m.plan.sum.Sum(nil))
	switch {
	case m.blot:
		m.held.live[m.index] = sum
	case !v.Masked:
		m.held.live[m.index] = versionSum(v.SHA256)
	}
	v.Masked, v.SHA256 = true, sum
}

// note tells the manifest, and the new pack.
func (m *masked) note(ctx context.Context, tx *transaction, w *Writer) error {
	h, v := m.held, m.held.Versions[m.index]
	if _, err := tx.ExecContext(ctx, "DELETE FROM piece WHERE source = ? AND version = ?", h.ID, v.Number); err != nil {
		return err
	}
	state := versionState{Source: h.uid, Seq: w.nextSeq(), Version: v, LiveSHA256: h.live[m.index]}
	for _, q := range m.plan.pieces {
		if err := notePiece(ctx, tx, h.ID, v.Number, q); err != nil {
			return err
		}
		state.Pieces = append(state.Pieces, *q)
	}
	if err := noteVersion(ctx, tx, h, v.Number); err != nil {
		return err
	}
	return w.packing.record(w.archive.db, h.ID, state.append(nil))
}
