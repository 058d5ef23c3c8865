package archive

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// Rebuilt says what a call of Rebuild did.
type Rebuilt struct {
	Sources  int
	Nameless int    // of those, how many have lost their names: they lie in the folder Lost
	Broken   int    // versions of which the packs do not tell enough any more
	Aside    string // where the manifest that was there lies now; empty when there was none
}

// Lost is the folder of sources whose names are lost.
const Lost = "/lost"

// Rebuild makes the manifest anew from what the packs tell of themselves, for one that
// is damaged or gone. The one that is there is put aside. What only the manifest knew is
// lost: what the files looked like when they were last looked at. Sources get other
// numbers.
func Rebuild(ctx context.Context, dir, machine string, now func() time.Time) (Rebuilt, error) {
	var done Rebuilt
	journal, err := journalFor(dir)
	if err != nil {
		return done, err
	}
	if fi, err := os.Stat(filepath.Join(dir, packFolder)); err != nil || !fi.IsDir() {
		return done, &fs.PathError{Op: "open", Path: filepath.Join(dir, packFolder), Err: fs.ErrNotExist}
	}
	locked, err := takeLock(filepath.Join(dir, lockName))
	if err != nil {
		return done, err
	}
	w := &Writer{dir: dir, machine: machine, now: now, disk: osDisk{}, limits: usual, lock: locked}
	defer w.Close()
	c, err := collectAll(ctx, &packs{dir: filepath.Join(dir, packFolder), disk: w.disk, open: map[int64]file{}})
	if err != nil {
		return done, err
	}
	if done.Aside, err = putAside(dir); err != nil {
		return done, err
	}
	if err := w.start(journal); err != nil {
		return done, err
	}
	return done, w.transact(ctx, func(ctx context.Context, tx *transaction) error { return c.note(ctx, tx, w, &done) })
}

// collectAll reads the records of all packs that are there.
func collectAll(ctx context.Context, p *packs) (*collected, error) {
	defer p.close()
	names, err := p.disk.list(p.dir)
	if err != nil {
		return nil, err
	}
	c := newCollected()
	for _, name := range names {
		number, ok := packNumber(name)
		if !ok {
			continue
		}
		f, err := p.file(number)
		if err != nil {
			return nil, err
		}
		size, err := f.Size()
		if err == nil {
			err = c.collect(ctx, p, number, size)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.path(number), err)
		}
	}
	return c, nil
}

// putAside gives the manifest another name.
func putAside(dir string) (string, error) {
	path := filepath.Join(dir, manifestName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	aside := path
	for n := 1; ; n++ {
		aside = fmt.Sprintf("%s.damaged-%d", path, n)
		if err := own.Create(aside, nil); err == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	for _, suffix := range []string{"-shm", "-wal", "-journal", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}

// note fills a manifest that is empty.
func (c *collected) note(ctx context.Context, tx *transaction, w *Writer, done *Rebuilt) error {
	for number, size := range c.sizes {
		if _, err := tx.ExecContext(ctx, "INSERT INTO pack (number, size) VALUES (?, ?)", number, size); err != nil {
			return err
		}
	}
	for hash, at := range c.frames {
		if _, err := tx.ExecContext(ctx, "INSERT INTO frame (sha256, pack, offset, stored, raw) VALUES (?, ?, ?, ?, ?)", hash[:], at.Pack, at.Offset, at.Stored, at.Raw); err != nil {
			return err
		}
	}
	for _, t := range c.tombs {
		if err := noteTombstone(ctx, tx, t); err != nil {
			return err
		}
	}
	folders := map[Key]int64{}
	for i, id := range slices.SortedFunc(maps.Keys(c.packOf), func(a, b uid) int { return cmp.Compare(string(a[:]), string(b[:])) }) {
		h := &held{Source: Source{ID: int64(i + 1)}, uid: id}
		pieces := c.versionsOf(h, done)
		if len(h.Versions) == 0 || c.buried(h) {
			continue
		}
		done.Sources++
		if state, ok := c.sources[id]; ok {
			h.Key, h.Label = state.Key, state.Label
		} else {
			h.Key = Key{Machine: w.machine, Dir: Lost, Name: hex.EncodeToString(id[:])}
			done.Nameless++
		}
		if err := c.noteOne(ctx, tx, h, pieces, folders); err != nil {
			return err
		}
	}
	return noteMeta(ctx, tx, "seq", int64(c.seq), "last_run", nanoseconds(w.now()))
}

// versionsOf puts the versions that are known into a source, and gives their pieces.
func (c *collected) versionsOf(h *held, done *Rebuilt) (pieces [][]piece) {
	states := c.versions[h.uid]
	for _, number := range slices.Sorted(maps.Keys(states)) {
		v, ok := latest(states[number])
		if !ok {
			done.Broken++
			continue
		}
		h.Versions, h.live = append(h.Versions, v.Version), append(h.live, versionSum(v.LiveSHA256))
		pieces = append(pieces, v.Pieces)
	}
	return pieces
}

// buried reports whether a source was forgotten: a run that broke off may have left a
// pack that tells of it.
func (c *collected) buried(h *held) bool {
	state, ok := c.sources[h.uid]
	if !ok {
		return false
	}
	var kept time.Time
	for _, v := range h.Versions {
		if v.Kept.After(kept) {
			kept = v.Kept
		}
	}
	return slices.ContainsFunc(c.tombs, func(t Tombstone) bool {
		return t.Agent == state.Agent && (t.Session == state.Session && t.Session != "" || t.Session == hashOfKey(state.Key)) && !kept.After(t.Time)
	})
}

func (c *collected) noteOne(ctx context.Context, tx *transaction, h *held, pieces [][]piece, folders map[Key]int64) error {
	if err := noteSource(ctx, tx, h, folders); err != nil {
		return err
	}
	for i, v := range h.Versions {
		if err := noteVersion(ctx, tx, h, v.Number); err != nil {
			return err
		}
		for j := range pieces[i] {
			if err := notePiece(ctx, tx, h.ID, v.Number, &pieces[i][j]); err != nil {
				return err
			}
		}
	}
	for pack := range c.packOf[h.uid] {
		if _, err := tx.ExecContext(ctx, "INSERT INTO mention (pack, source) VALUES (?, ?)", pack, h.ID); err != nil {
			return err
		}
	}
	return nil
}
