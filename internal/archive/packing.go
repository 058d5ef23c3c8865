package archive

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
)

// packing puts records and frames into packs. While a pipeline is at work, only what
// the pipeline calls in order may use it.
type packing struct {
	dir  string
	disk disk
	most int64 // size at which the next pack is begun

	current *packWriter
	full    []*packWriter // written to since the last commit, and to be synced too
	created bool          // a file is new, and the folder to be synced
	fresh   bool          // the next record goes into a new pack

	uncertain bool // a commit failed, and may have happened all the same

	frames   map[[32]byte]place // that no manifest names yet
	mentions map[mention]bool   // likewise
	scratch  []byte
	lookup   *sql.Stmt
}

// mention says that a pack holds a record that names a source.
type mention struct{ pack, source int64 }

// frame puts a frame into a pack, if no pack holds the same content.
func (p *packing) frame(db *sql.DB, source int64, h frameHeader, stored []byte) error {
	if _, ok := p.frames[h.SHA256]; ok {
		return nil
	}
	known, err := p.known(db, h.SHA256)
	if known || err != nil {
		return err
	}
	at, err := p.put(db, source, h, stored)
	if err != nil {
		return err
	}
	if p.frames == nil {
		p.frames = map[[32]byte]place{}
	}
	p.frames[h.SHA256] = at
	return nil
}

// known reports whether the manifest names a frame.
func (p *packing) known(db *sql.DB, hash [32]byte) (bool, error) {
	if p.lookup == nil {
		lookup, err := db.Prepare("SELECT 1 FROM frame WHERE sha256 = ?")
		if err != nil {
			return false, err
		}
		p.lookup = lookup // closed with the database
	}
	var one int
	err := p.lookup.QueryRow(hash[:]).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// put puts a frame into the pack in any case.
func (p *packing) put(db *sql.DB, source int64, h frameHeader, stored []byte) (place, error) {
	p.scratch = h.append(p.scratch[:0])
	if err := p.record(db, source, p.scratch); err != nil {
		return place{}, err
	}
	at := place{Pack: p.current.number, Offset: p.current.at(), Stored: int64(len(stored)), Raw: int64(h.Raw)}
	return at, p.current.write(stored)
}

// record puts a record that names a source into the pack.
func (p *packing) record(db *sql.DB, source int64, record []byte) error {
	if p.current != nil && p.current.at() >= p.most {
		if err := p.current.flush(); err != nil {
			return err
		}
		p.full = append(p.full, p.current)
		p.current = nil
	}
	if p.current == nil {
		if err := p.choose(db); err != nil {
			return err
		}
	}
	if p.mentions == nil {
		p.mentions = map[mention]bool{}
	}
	p.mentions[mention{p.current.number, source}] = true
	return p.current.write(record)
}

// choose opens the last pack where it may be added to, and else begins one.
func (p *packing) choose(db *sql.DB) error {
	var number, size int64
	err := db.QueryRow("SELECT number, size FROM pack ORDER BY number DESC LIMIT 1").Scan(&number, &size)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil && size < p.most && len(p.full) == 0 && !p.fresh {
		if p.current, err = p.extend(number, size); p.current != nil || err != nil {
			return err
		}
	}
	return p.begin(db)
}

// extend opens a pack that ends where the manifest says. One that goes on after that,
// because a run broke off, or that is shorter or missing, is left as it is.
func (p *packing) extend(number, size int64) (*packWriter, error) {
	path := p.path(number)
	f, err := p.disk.extend(path)
	if err != nil {
		return nil, nil
	}
	if real, err := f.Size(); err != nil || real != size {
		f.Close()
		return nil, nil
	}
	return &packWriter{number: number, path: path, file: f, size: size, synced: size, named: size}, nil
}

func (p *packing) path(number int64) string { return (&packs{dir: p.dir}).path(number) }

// begin makes a pack with a number that none had before.
func (p *packing) begin(db *sql.DB) error {
	var last int64
	if err := db.QueryRow("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'pack'), 0)").Scan(&last); err != nil {
		return err
	}
	names, err := p.disk.list(p.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if n, ok := packNumber(name); ok {
			last = max(last, n)
		}
	}
	number := last + 1
	f, err := p.disk.create(p.path(number))
	if err != nil {
		return err
	}
	var id uid
	rand.Read(id[:])
	p.current, p.created, p.fresh = &packWriter{number: number, path: p.path(number), file: f}, true, false
	return p.current.write(appendPackHeader(nil, id))
}

// sync makes all that was put durable.
func (p *packing) sync() error {
	for _, w := range p.writers() {
		if err := w.sync(); err != nil {
			return err
		}
	}
	if p.created {
		if err := p.disk.syncFolder(p.dir); err != nil {
			return fmt.Errorf("%s: what was written is not safe on the disk: %w", p.dir, err)
		}
		p.created = false
	}
	return nil
}

// writers gives the packs that were written to since the last commit.
func (p *packing) writers() []*packWriter {
	if p.current == nil {
		return p.full
	}
	return append(p.full[:len(p.full):len(p.full)], p.current)
}

// note tells the manifest of what was put.
func (p *packing) note(ctx context.Context, tx *transaction) error {
	for _, w := range p.writers() {
		if _, err := tx.ExecContext(ctx, "INSERT INTO pack (number, size) VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET size = excluded.size", w.number, w.size); err != nil {
			return err
		}
	}
	for hash, at := range p.frames {
		if _, err := tx.ExecContext(ctx, "INSERT INTO frame (sha256, pack, offset, stored, raw) VALUES (?, ?, ?, ?, ?)", hash[:], at.Pack, at.Offset, at.Stored, at.Raw); err != nil {
			return err
		}
	}
	for m := range p.mentions {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO mention (pack, source) VALUES (?, ?)", m.pack, m.source); err != nil {
			return err
		}
	}
	return nil
}

// noted forgets what the manifest knows now.
func (p *packing) noted() error {
	var errs []error
	for _, w := range p.writers() {
		w.named = w.size
	}
	for _, w := range p.full {
		errs = append(errs, w.file.Close())
	}
	p.full = nil
	clear(p.frames)
	clear(p.mentions)
	return errors.Join(errs...)
}

// close closes the packs, and takes back what no manifest names, so that a full disk has
// room again. Where it could not be told whether the manifest names it, it stays.
func (p *packing) close() error {
	var errs []error
	for _, w := range p.writers() {
		if size, err := w.file.Size(); err == nil && size > w.named && w.named > 0 && !p.uncertain {
			_ = w.file.Truncate(w.named)
		}
		errs = append(errs, w.file.Close())
		if !p.uncertain && w.named == 0 {
			_ = p.disk.remove(w.path)
		}
	}
	p.current, p.full = nil, nil
	return errors.Join(errs...)
}
