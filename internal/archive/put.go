package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/seshat-dev/seshat/agent"
)

const (
	frameTarget = 1 << 20
	// firstFrame is the most that the first frame of a large file holds, and half of it the
	// least: what only the beginning of a file is read for costs no more than that. In older
	// archives it is twice that.
	firstFrame = 32 << 10
	// putLevel is what there is time for while transcripts are read; Repack has more.
	putLevel = zstd.SpeedFastest
)

// limits are what a writer holds itself to.
type limits struct {
	frame     int64 // bytes of content of a frame at first
	merged    int64 // and of one that Repack makes
	pack      int64 // size of a pack at which the next is begun
	commit    int64 // bytes of content that are kept before they are committed without being asked
	pieces    int   // likewise, pieces
	repacking int64 // bytes of content that Repack makes anew in one step
}

var usual = limits{frame: frameTarget, merged: maxFrame, pack: 256 << 20, commit: 512 << 20, pieces: 8192, repacking: 256 << 20}

func newEncoder(level zstd.EncoderLevel, window int) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window),
		zstd.WithEncoderCRC(true), // beside its hash: what Skim goes by
		zstd.WithLowerEncoderMem(true))
}

// Put says what a call of Writer.Put did.
type Put struct {
	ID      int64
	Added   int64 // bytes that no version of the source had so far
	Version int
	New     bool // the source is new
	Same    bool // nothing had changed
}

// Put keeps the bytes [0,size) of f as the newest state of a source. When the current
// version is the beginning of them, the rest is added to it; else there is a new
// version, which shares with the one before what both begin with. f is read before Put
// returns and not after. The bytes are safe when the next Commit has returned; now and
// then Put commits by itself.
func (w *Writer) Put(ctx context.Context, key Key, label Label, f io.ReaderAt, size int64, live agent.Info) (Put, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.ready(ctx); err != nil {
		return Put{}, err
	}
	h := w.find(w.here(key), label)
	known := w.byKey[h.Key] != nil
	next, err := w.plan(ctx, h, f, size)
	if err == nil && !next.same {
		err = w.keep(ctx, h, &next, f, size)
	}
	if err != nil {
		return Put{}, err
	}
	relabelled := h.Label != label
	h.Label, h.Live, h.Pending, h.Gone = label, live, "", time.Time{}
	w.sources[h.ID], w.byKey[h.Key] = h, h
	w.nextID = max(w.nextID, h.ID+1)
	w.changed.source(h)
	if !known || relabelled {
		w.tell(h)
	}
	if !next.same {
		if b, ok := f.(interface{ Blotted() bool }); ok {
			next.blotted = b.Blotted()
		}
		w.add(h, &next, size, live)
	}
	done := Put{ID: h.ID, Added: next.added, Version: next.number, New: !known, Same: next.same}
	if w.changed.bytes >= w.limits.commit || len(w.changed.pieces) >= w.limits.pieces {
		return done, w.commit(ctx)
	}
	return done, nil
}

// plan is what a Put does.
type plan struct {
	number int   // of the version
	grows  bool  // it is the current one, which grows
	same   bool  // and not even that
	from   int64 // the first byte that is read anew
	before []piece
	pieces []*piece
	added  int64
	sum    hash.Hash // of what the version holds
	live   hash.Hash // of the bytes of the file, where the version is masked

	blotted bool // the file is not given as it is
}

func newPlan(number int) plan { return plan{number: number, sum: sha256.New()} }

// plan finds out how the bytes of a file stand to the current version.
func (w *Writer) plan(ctx context.Context, h *held, f io.ReaderAt, size int64) (plan, error) {
	p := newPlan(1)
	if len(h.Versions) == 0 {
		return p, nil
	}
	last := len(h.Versions) - 1
	cur := h.Versions[last]
	want := cur.SHA256
	if cur.Masked {
		want = h.live[last]
	}
	if size >= cur.Size {
		if err := hashRange(ctx, p.sum, f, 0, cur.Size); err != nil {
			return p, err
		}
		if [32]byte(p.sum.Sum(nil)) == want {
			p.number, p.grows, p.same, p.from = cur.Number, true, size == cur.Size, cur.Size
			if cur.Masked && !p.same {
				return p, w.continueMasked(ctx, h, &p)
			}
			return p, nil
		}
	}
	p.number = cur.Number + 1
	p.sum.Reset()
	return p, w.share(ctx, h, &p, f, size)
}

// hashRange hashes bytes of a file.
func hashRange(ctx context.Context, sum hash.Hash, f io.ReaderAt, from, to int64) error {
	buf := make([]byte, min(to-from, 256<<10))
	for from < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(to-from, int64(len(buf)))]
		if err := readFull(f, b, from); err != nil {
			return err
		}
		sum.Write(b)
		from += int64(len(b))
	}
	return nil
}

func readFull(f io.ReaderAt, b []byte, off int64) error {
	n, err := f.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // it became shorter
	}
	return err
}

// continueMasked prepares that a masked version grows: the hash of what it holds is
// not that of the file.
func (w *Writer) continueMasked(ctx context.Context, h *held, p *plan) error {
	if err := w.settle(ctx, h); err != nil {
		return err
	}
	p.live, p.sum = p.sum, sha256.New()
	cur := h.Versions[len(h.Versions)-1]
	return hashRange(ctx, p.sum, w.archive.File(&h.Source, cur), 0, cur.Size)
}

// share finds what a file and the current version both begin with.
func (w *Writer) share(ctx context.Context, h *held, p *plan, f io.ReaderAt, size int64) error {
	if err := w.settle(ctx, h); err != nil {
		return err
	}
	pieces, err := placedPieces(ctx, w.archive.db, h.ID, p.number-1)
	if err != nil {
		return w.archive.explain(err)
	}
	var buf []byte
	for _, q := range pieces {
		if q.Offset != p.from || q.Offset+q.Raw > size || q.Raw > maxFrame || q.at.Stored < 0 || ctx.Err() != nil {
			break
		}
		if int64(cap(buf)) < q.Raw {
			buf = make([]byte, q.Raw)
		}
		buf = buf[:q.Raw]
		if err := readFull(f, buf, q.Offset); err != nil {
			return err
		}
		if sha256.Sum256(buf) != q.SHA256 {
			break
		}
		p.sum.Write(buf)
		p.before = append(p.before, q.piece)
		p.from = q.Offset + q.Raw
	}
	return ctx.Err()
}

// settle commits when a source has changes that the manifest does not know.
func (w *Writer) settle(ctx context.Context, h *held) error {
	if !w.changed.sources[h] {
		return nil
	}
	return w.commit(ctx)
}

// keep sends the bytes of a file from p.from on into the pipeline.
func (w *Writer) keep(ctx context.Context, h *held, p *plan, f io.ReaderAt, size int64) error {
	for at := p.from; at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.pipe.failed(); err != nil {
			return w.broken(err)
		}
		limit := w.limits.frame
		if at == 0 && size > 4*firstFrame {
			limit = min(limit, firstFrame)
		}
		raw := w.pipe.buffer(int(min(size-at, limit)))
		if err := readFull(f, raw, at); err != nil {
			return err
		}
		raw = cutAtLine(raw, at+int64(len(raw)) == size)
		p.sum.Write(raw)
		if p.live != nil {
			p.live.Write(raw)
		}
		q := &piece{Offset: at, Raw: int64(len(raw))}
		whole := q.Raw == size // then one hash is the other
		if whole {
			q.SHA256 = [32]byte(p.sum.Sum(nil))
		}
		header := frameHeader{Source: h.uid, Version: uint32(p.number), Offset: uint64(at), Raw: uint32(len(raw))}
		w.pipe.frame(raw, q, whole, func(j *job) error {
			header.SHA256, header.Stored = q.SHA256, uint32(len(j.stored))
			return w.packing.frame(w.archive.db, h.ID, header, j.stored)
		})
		p.pieces = append(p.pieces, q)
		at += q.Raw
		p.added += q.Raw
	}
	return nil
}

// cutAtLine cuts a full buffer after its last line end, if that leaves enough.
func cutAtLine(b []byte, last bool) []byte {
	if i := bytes.LastIndexByte(b, '\n'); !last && i >= len(b)/2 {
		return b[:i+1]
	}
	return b
}

// add puts what was kept into the source, and tells the pack of it.
func (w *Writer) add(h *held, p *plan, size int64, live agent.Info) {
	v := Version{Number: p.number, Size: size, SHA256: [32]byte(p.sum.Sum(nil)), MTime: live.MTime, Mode: live.Mode, Kept: w.now()}
	var liveSum versionSum
	if p.live != nil {
		v.Masked, liveSum = true, versionSum(p.live.Sum(nil))
	} else if p.blotted {
		v.Masked, liveSum = true, v.SHA256
	}
	if p.grows {
		h.Versions[len(h.Versions)-1], h.live[len(h.live)-1] = v, liveSum
	} else {
		h.Versions, h.live = append(h.Versions, v), append(h.live, liveSum)
	}
	for i := range p.before {
		w.changed.piece(h, v.Number, &p.before[i])
	}
	for _, q := range p.pieces {
		w.changed.piece(h, v.Number, q)
	}
	w.changed.version(h, v.Number)
	w.changed.bytes += p.added
	state := versionState{Source: h.uid, Seq: w.nextSeq(), Version: v, LiveSHA256: liveSum, From: uint64(p.from)}
	if !p.grows {
		state.From = 0
	}
	pieces := p.pieces
	state.Pieces = p.before
	w.pipe.after(func() error {
		for _, q := range pieces {
			state.Pieces = append(state.Pieces, *q)
		}
		return w.packing.record(w.archive.db, h.ID, state.append(nil))
	})
}

// tell puts into the pack what a source is.
func (w *Writer) tell(h *held) {
	state := sourceState{Source: h.uid, Seq: w.nextSeq(), Key: h.Key, Label: h.Label}
	id := h.ID
	w.pipe.after(func() error { return w.packing.record(w.archive.db, id, state.append(nil)) })
}
