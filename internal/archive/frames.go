package archive

import (
	"container/list"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxFrame is the most that one frame holds, unpacked.
const maxFrame = 4 << 20

// place is where a frame lies.
type place struct {
	Pack, Offset, Stored, Raw int64
}

// frames unpacks frames and keeps those that were needed last.
type frames struct {
	packs   *packs
	decoder *zstd.Decoder

	mu   sync.Mutex
	kept map[[32]byte]*list.Element
	last *list.List // of *unpacked, the one needed last in front
	size int
}

// unpacked is the content of a frame, or what keeps it from being had.
type unpacked struct {
	hash [32]byte
	once sync.Once
	raw  []byte
	err  error
	size int
}

// buffers are what a frame is read into.
type buffers struct{ stored, raw []byte }

// keepUnpacked is how many bytes of frames are kept.
const keepUnpacked = 32 << 20

func newFrames(p *packs) *frames {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxFrame), zstd.WithDecoderLowmem(true), zstd.IgnoreChecksum(true))
	if err != nil {
		panic(err) // the options are ours
	}
	return &frames{packs: p, decoder: d, kept: map[[32]byte]*list.Element{}, last: list.New()}
}

// get gives what a frame holds; it is not to be changed.
func (f *frames) get(hash [32]byte, at place) ([]byte, error) {
	f.mu.Lock()
	e, ok := f.kept[hash]
	if ok {
		f.last.MoveToFront(e)
	} else {
		e = f.last.PushFront(&unpacked{hash: hash, size: int(min(max(at.Raw, 0), maxFrame))})
		f.kept[hash] = e
		f.size += e.Value.(*unpacked).size
		for f.size > keepUnpacked && f.last.Len() > 1 {
			f.drop(f.last.Back())
		}
	}
	f.mu.Unlock()
	u := e.Value.(*unpacked)
	u.once.Do(func() { u.raw, u.err = f.read(hash, at, new(buffers)) })
	if u.err != nil { // it may lie elsewhere by now
		f.mu.Lock()
		if f.kept[hash] == e {
			f.drop(e)
		}
		f.mu.Unlock()
	}
	return u.raw, u.err
}

func (f *frames) drop(e *list.Element) {
	u := f.last.Remove(e).(*unpacked)
	delete(f.kept, u.hash)
	f.size -= u.size
}

// read unpacks a frame and holds it against its hash. What it gives lies in the buffers.
func (f *frames) read(hash [32]byte, at place, bufs *buffers) ([]byte, error) {
	if at.Pack != 0 && (at.Raw < 0 || at.Raw > maxFrame || at.Stored < 0 || at.Stored > maxFrame+maxFrame/128+1024) {
		return nil, errors.New("its lengths in the manifest are impossible")
	}
	if at.Pack == 0 {
		return nil, errors.New("no pack holds it")
	}
	if int64(cap(bufs.stored)) < at.Stored {
		bufs.stored = make([]byte, at.Stored)
	}
	stored := bufs.stored[:at.Stored]
	if err := f.packs.read(at.Pack, at.Offset, stored); err != nil {
		return nil, readingFailed(err)
	}
	if int64(cap(bufs.raw)) < at.Raw {
		bufs.raw = make([]byte, 0, at.Raw)
	}
	raw, err := f.decoder.DecodeAll(stored, bufs.raw[:0])
	bufs.raw = raw
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot be unpacked: %w", err)
	case int64(len(raw)) != at.Raw:
		return nil, errors.New("holds more or less than it should")
	case sha256.Sum256(raw) != hash:
		return nil, errors.New("does not hold what its hash says")
	}
	return raw, nil
}

// readingFailed says what it means that a pack could not be read.
func readingFailed(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the pack ends before it")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the pack is missing: %w", err)
	}
	return err
}

// where finds a frame by its hash.
func (a *Archive) where(ctx context.Context, hash [32]byte) (at place, err error) {
	err = a.db.QueryRowContext(ctx, "SELECT pack, offset, stored, raw FROM frame WHERE sha256 = ?", hash[:]).Scan(&at.Pack, &at.Offset, &at.Stored, &at.Raw)
	if errors.Is(err, sql.ErrNoRows) {
		err = errors.New("no pack holds it")
	}
	return at, err
}
