package archive

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/seshat-dev/seshat/internal/crash"
	"github.com/seshat-dev/seshat/internal/sums"
)

// Fault is damage that Verify found: of a source when it has an ID, and else of a place
// in the archive that hurts none.
type Fault = DamageError

// Verify reads everything and holds it against its hashes: every frame, every version
// as a whole, and what the manifest says against what the packs say themselves. A fault
// of a frame is given once for each version that needs it. progress, which may be nil,
// is told of bytes of versions.
func (a *Archive) Verify(ctx context.Context, progress func(done, total int64)) ([]Fault, error) {
	for again := 0; ; again++ {
		v := verifier{archive: a, progress: progress}
		if err := v.run(ctx); err != nil {
			return nil, err
		}
		// Where a writer was at work, what is missing may only lie elsewhere by now.
		if len(v.faults) == 0 || again == 3 || !v.changed(ctx) {
			return v.faults, nil
		}
	}
}

func (v *verifier) run(ctx context.Context) error {
	if err := v.load(ctx); err != nil {
		return v.archive.explain(err)
	}
	if err := v.versions(ctx); err != nil {
		return err
	}
	if err := v.records(ctx); err != nil {
		return err
	}
	slices.SortFunc(v.faults, func(x, y Fault) int {
		return cmp.Or(compareKeys(x.Key, y.Key), cmp.Compare(x.Version, y.Version), cmp.Compare(x.Pack, y.Pack), cmp.Compare(x.Offset, y.Offset))
	})
	return nil
}

const askSeq = "SELECT coalesce((SELECT value FROM meta WHERE key = 'seq'), 0)"

// changed reports whether the manifest has changed since it was loaded.
func (v *verifier) changed(ctx context.Context) bool {
	var seq int64
	return v.archive.db.QueryRowContext(ctx, askSeq).Scan(&seq) == nil && seq != v.seq
}

type verifier struct {
	archive  *Archive
	sources  []Source
	uids     map[int64]uid
	pieces   map[versionID][]placed
	packs    map[int64]int64
	total    int64
	seq      int64
	progress func(done, total int64)

	mu     sync.Mutex
	done   int64
	faults []Fault
}

type versionID struct {
	source int64
	number int
}

// load takes one look at the whole manifest.
func (v *verifier) load(ctx context.Context) error {
	tx, err := v.archive.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, askSeq).Scan(&v.seq); err != nil {
		return err
	}
	var verdict string
	if err := tx.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("is damaged: %s; seshat archive verify --rebuild makes it anew from the packs", verdict)
	}
	if v.sources, err = loadSources(ctx, tx, tx); err != nil {
		return err
	}
	v.uids, v.packs, v.pieces = map[int64]uid{}, map[int64]int64{}, map[versionID][]placed{}
	return errors.Join(
		each(ctx, tx, func(scan func(...any) error) error {
			var id int64
			var name []byte
			err := scan(&id, &name)
			v.uids[id] = uid(append(name, make([]byte, 16)...)[:16])
			return err
		}, "SELECT id, uid FROM source"),
		each(ctx, tx, func(scan func(...any) error) error {
			var number, size int64
			err := scan(&number, &size)
			v.packs[number] = size
			return err
		}, "SELECT number, size FROM pack"),
		each(ctx, tx, func(scan func(...any) error) error {
			var id versionID
			p, err := scanPlaced(func(into ...any) error { return scan(append([]any{&id.source, &id.number}, into...)...) })
			v.pieces[id] = append(v.pieces[id], p)
			return err
		}, "SELECT p.source, p.version, "+placedColumns+" ORDER BY p.source, p.version, p.offset"),
	)
}

func (v *verifier) fault(f Fault) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.faults = append(v.faults, f)
}

func (v *verifier) advance(n int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done += n
	if v.progress != nil {
		v.progress(v.done, v.total)
	}
}

// versions verifies all versions, the largest first, on all cores.
func (v *verifier) versions(ctx context.Context) error {
	type one struct {
		source *Source
		Version
	}
	var list []one
	for i := range v.sources {
		for _, version := range v.sources[i].Versions {
			list = append(list, one{&v.sources[i], version})
			v.total += version.Size
		}
	}
	slices.SortStableFunc(list, func(a, b one) int { return cmp.Compare(b.Size, a.Size) })
	work := make(chan one)
	var workers sync.WaitGroup
	crashes := make([]error, runtime.GOMAXPROCS(0))
	for w := range crashes {
		workers.Go(func() {
			var bufs buffers
			for o := range work {
				err := crash.Caught(func() error { return v.version(ctx, o.source, o.Version, &bufs) })
				crashes[w] = cmp.Or(crashes[w], err)
			}
		})
	}
	for _, o := range list {
		if ctx.Err() != nil {
			break
		}
		work <- o
	}
	close(work)
	workers.Wait()
	return cmp.Or(cmp.Or(crashes...), ctx.Err())
}

// version verifies one version. Its hash as a whole is that of its frame where there is
// only one. The error is of seshat; what is wrong with the version is a fault.
func (v *verifier) version(ctx context.Context, s *Source, version Version, bufs *buffers) error {
	pieces := v.pieces[versionID{s.ID, version.Number}]
	fault := Fault{ID: s.ID, Key: s.Key, Version: version.Number, Length: version.Size}
	reason := contiguous(pieces, version.Size)
	if reason == "" && len(pieces) > 0 && pieces[len(pieces)-1].Offset+pieces[len(pieces)-1].Raw != version.Size {
		reason = "it has more pieces than bytes"
	}
	if reason != "" {
		fault.Reason = reason
		v.fault(fault)
		v.advance(version.Size)
		return nil
	}
	h := hashing{v: v, fault: fault, sum: sums.New(), single: len(pieces) == 1, whole: true}
	if version.Size > v.total/largeShare && len(pieces) > 8 {
		if err := v.ahead(ctx, &h, pieces); err != nil {
			return err
		}
	} else {
		for i := range pieces {
			raw, err := v.unpack(ctx, &pieces[i], bufs)
			h.frame(ctx, &pieces[i], raw, err)
		}
	}
	if h.whole && h.got(pieces) != version.SHA256 && ctx.Err() == nil {
		fault.Reason = "its frames are whole but it does not have the hash that it should"
		v.fault(fault)
	}
	return nil
}

// largeShare is the part of all bytes from which on one version keeps a core busy when
// the others have nothing left to do.
const largeShare = 4

// hashing holds the frames of a version against their hashes, and makes its own.
type hashing struct {
	v      *verifier
	fault  Fault
	sum    *sums.Whole
	single bool // the hash of the version is that of its one frame
	whole  bool // so far
}

// frame takes what a frame holds, or what is wrong with it, which is noted.
func (h *hashing) frame(ctx context.Context, p *placed, raw []byte, err error) {
	defer h.v.advance(p.Raw)
	if ctx.Err() != nil {
		h.whole = false
		return
	}
	switch {
	case err != nil:
	case h.single:
		err = holds(raw, p.SHA256)
	case h.sum.Part(raw) != p.SHA256:
		err = errHash
	}
	if err == nil {
		return
	}
	h.whole = false
	fault := h.fault
	fault.Offset, fault.Length, fault.Pack, fault.Reason = p.Offset, p.Raw, packFolder+"/"+packName(p.at.Pack), err.Error()
	h.v.fault(fault)
}

func (h *hashing) got(pieces []placed) [32]byte {
	if h.single {
		return pieces[0].SHA256
	}
	return h.sum.Sum()
}

// ahead unpacks the frames of a large version while those before them are hashed.
func (v *verifier) ahead(ctx context.Context, h *hashing, pieces []placed) (err error) {
	type content struct {
		raw  []byte
		err  error
		bufs *buffers
	}
	ready, free := make(chan content), make(chan *buffers, 2)
	free <- new(buffers)
	free <- new(buffers)
	go func() {
		defer close(ready)
		err = crash.Caught(func() error {
			for i := range pieces {
				c := content{bufs: <-free}
				c.raw, c.err = v.unpack(ctx, &pieces[i], c.bufs)
				ready <- c
			}
			return nil
		})
	}()
	next := 0
	for c := range ready {
		h.frame(ctx, &pieces[next], c.raw, c.err)
		free <- c.bufs
		next++
	}
	return err
}

// unpack unpacks a frame, whatever its hash is.
func (v *verifier) unpack(ctx context.Context, p *placed, bufs *buffers) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f := v.archive.frames
	return f.unpack(f.decoder, p.SHA256, p.at, bufs)
}

// records holds what the packs say of themselves against the manifest.
func (v *verifier) records(ctx context.Context) error {
	c := newCollected()
	for number, size := range v.packs {
		if err := c.collect(ctx, v.archive.packs, number, size); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			v.faults = append(v.faults, Fault{Pack: packFolder + "/" + packName(number), Length: size, Reason: err.Error()})
			c.damaged = append(c.damaged, Fault{})
		}
	}
	damaged := len(c.damaged) > 0
	v.faults = append(v.faults, slices.DeleteFunc(c.damaged, func(f Fault) bool { return f == Fault{} })...)
	if damaged {
		return nil // what the packs say is not all
	}
	for i := range v.sources {
		v.agree(c, &v.sources[i])
	}
	return nil
}

// agree notes where the manifest and the packs say different things of a source.
func (v *verifier) agree(c *collected, s *Source) {
	id := v.uids[s.ID]
	fault := Fault{ID: s.ID, Key: s.Key}
	if told := c.sources[id]; told.Key != s.Key || told.Label != s.Label {
		fault.Reason = "the manifest and the packs do not agree on what it is"
		v.faults = append(v.faults, fault)
	}
	for _, version := range s.Versions {
		state, ok := latest(c.versions[id][version.Number])
		same := ok && state.Version.same(version) && slices.EqualFunc(state.Pieces, v.pieces[versionID{s.ID, version.Number}], func(p piece, q placed) bool { return p == q.piece })
		if same {
			continue
		}
		fault.Version, fault.Length, fault.Reason = version.Number, version.Size, "the manifest and the packs do not agree on what this version is made of"
		v.faults = append(v.faults, fault)
	}
}

// same reports whether two descriptions of a version are the same.
func (v Version) same(o Version) bool {
	return v.Number == o.Number && v.Size == o.Size && v.SHA256 == o.SHA256 && v.MTime.Equal(o.MTime) && v.Mode == o.Mode && v.Kept.Equal(o.Kept) && v.Masked == o.Masked
}
