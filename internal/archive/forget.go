package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Forgotten says what a call of Writer.Forget did.
type Forgotten struct {
	Sources int
	Bytes   int64 // of all their versions
	Freed   int64 // bytes of packs
}

// Forget deletes sources with all their versions and leaves a tombstone, so that
// Archive.Forgotten and Archive.ForgottenKey tell that they are not to be kept again.
// No byte of a pack is left that only they needed, nor their names in the manifest.
// What other sources need too stays with those. It commits.
func (w *Writer) Forget(ctx context.Context, ids []int64, why string) (Forgotten, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var done Forgotten
	if err := w.begin(ctx); err != nil {
		return done, err
	}
	going := map[int64]bool{}
	for _, id := range ids {
		if h := w.sources[id]; h != nil && !going[id] {
			going[id] = true
			done.Sources++
			for _, v := range h.Versions {
				done.Bytes += v.Size
			}
		}
	}
	if done.Sources == 0 {
		return done, nil
	}
	tombs := w.tombstones(going, why)
	for id := range going { // so that none of the packs written anew tells of them
		delete(w.byKey, w.sources[id].Key)
		delete(w.sources, id)
	}
	var mentioned []int64
	freed, err := w.revise(ctx, func(ctx context.Context, tx *transaction) (err error) {
		mentioned, err = deleteSources(ctx, tx, going)
		if err != nil {
			return err
		}
		for _, t := range tombs {
			if err := noteTombstone(ctx, tx, t); err != nil {
				return err
			}
			if err := w.packing.record(w.archive.db, 0, t.append(nil)); err != nil {
				return err
			}
		}
		return nil
	}, func(ctx context.Context, tx *transaction) ([]int64, error) {
		garbage, err := garbagePacks(ctx, tx)
		victims := append(garbage, mentioned...)
		slices.Sort(victims)
		return slices.Compact(victims), err
	})
	if err != nil {
		return Forgotten{}, err
	}
	done.Freed = freed
	return done, w.cutUnnamed(ctx)
}

// begin prepares a change of packs: everything is committed, and what is written from
// here on goes into a new pack.
func (w *Writer) begin(ctx context.Context) error {
	if err := w.ready(ctx); err != nil {
		return err
	}
	if err := w.commit(ctx); err != nil {
		return err
	}
	if err := w.packing.close(); err != nil {
		return w.broken(err)
	}
	w.packing.fresh = true
	return nil
}

// deleteSources deletes from the manifest all that it knows of sources, and gives the
// packs that tell of them.
func deleteSources(ctx context.Context, tx *transaction, ids map[int64]bool) (packs []int64, err error) {
	for id := range ids {
		telling, err := packsTelling(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		packs = append(packs, telling...)
		for _, statement := range []string{"DELETE FROM mention WHERE source = ?", "DELETE FROM piece WHERE source = ?", "DELETE FROM version WHERE source = ?", "DELETE FROM source WHERE id = ?"} {
			if _, err := tx.ExecContext(ctx, statement, id); err != nil {
				return nil, err
			}
		}
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM folder WHERE id NOT IN (SELECT folder FROM source)")
	return packs, err
}

// packsTelling gives the packs that tell of a source.
func packsTelling(ctx context.Context, tx *transaction, id int64) (packs []int64, err error) {
	err = each(ctx, tx, func(scan func(...any) error) error {
		var number int64
		err := scan(&number)
		packs = append(packs, number)
		return err
	}, "SELECT m.pack FROM mention m JOIN pack ON pack.number = m.pack WHERE m.source = ?", id)
	return packs, err
}

// tombstones gives those of some sources: one for each session that loses all of its
// sources, and one for each other source.
func (w *Writer) tombstones(going map[int64]bool, why string) (list []Tombstone) {
	type session struct{ agent, id string }
	stays := map[session]bool{}
	for id, h := range w.sources {
		if !going[id] {
			stays[session{h.Agent, h.Session}] = true
		}
	}
	seen := map[session]bool{}
	for id := range going {
		h := w.sources[id]
		of := session{h.Agent, h.Session}
		if h.Session == "" || stays[of] {
			of.id = hashOfKey(h.Key)
		}
		if !seen[of] {
			seen[of] = true
			list = append(list, Tombstone{Agent: of.agent, Session: of.id, Time: w.now(), Why: why})
		}
	}
	slices.SortFunc(list, func(a, b Tombstone) int { return strings.Compare(a.Agent+a.Session, b.Agent+b.Session) })
	return list
}

// hashOfKey stands for a key in a tombstone, which does not tell the name.
func hashOfKey(k Key) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%d:%s%d:%s%d:%s", len(k.Machine), k.Machine, len(k.Agent), k.Agent, len(k.Dir), k.Dir, len(k.Name), k.Name))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Tombstones gives all, by agent and session.
func (a *Archive) Tombstones(ctx context.Context) (list []Tombstone, err error) {
	err = each(ctx, a.db, func(scan func(...any) error) error {
		t, err := scanTombstone(scan)
		list = append(list, t)
		return err
	}, "SELECT agent, session, time, why FROM tombstone ORDER BY agent, session")
	return list, a.explain(err)
}

func noteTombstone(ctx context.Context, tx *transaction, t Tombstone) error {
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO tombstone (agent, session, time, why) VALUES (?, ?, ?, ?)", t.Agent, t.Session, nanoseconds(t.Time), t.Why)
	return err
}

func scanTombstone(scan func(...any) error) (t Tombstone, err error) {
	var at int64
	err = scan(&t.Agent, &t.Session, &at, &t.Why)
	t.Time = timeOf(at)
	return t, err
}

// Forgotten reports whether a session was forgotten. When it cannot be told, it was.
func (a *Archive) Forgotten(agent, session string) bool {
	if session == "" {
		return false
	}
	return a.buried(agent, session)
}

// ForgottenKey reports whether a source was forgotten that no session owned, or one of
// a session of which others stayed. The key names its machine.
func (a *Archive) ForgottenKey(k Key) bool { return a.buried(k.Agent, hashOfKey(k)) }

func (a *Archive) buried(agent, session string) bool {
	var n int
	err := a.db.QueryRow("SELECT count(*) FROM tombstone WHERE agent = ? AND session = ?", agent, session).Scan(&n)
	return err != nil || n > 0
}
