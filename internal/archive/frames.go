package archive

import (
	"container/list"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
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
	most    int // bytes that are kept
	decoder *zstd.Decoder
	checker *zstd.Decoder // also holds what it unpacks against the checksum in the frame
	bufs    sync.Pool     // of *buffers, without content

	mu     sync.Mutex
	kept   map[[32]byte]*list.Element
	last   *list.List // of *unpacked, the one needed last in front
	size   int
	spent  []*unpacked // of those that are kept, the ones that were read to their ends, in order
	spares spares
}

// unpacked is the content of a frame, or what keeps it from being had.
type unpacked struct {
	hash [32]byte
	once sync.Once
	raw  []byte
	err  error
	size int

	users   int  // who read raw now
	spent   bool // it was read to its end
	dropped bool // it is not kept any more

	held  bool      // against its hash when it was unpacked
	later sync.Once // it is held against its hash after that
	wrong error
}

// buffers are what a frame is read into.
type buffers struct{ stored, raw []byte }

const (
	// keepUnpacked is how many bytes of frames are kept,
	keepUnpacked = 32 << 20
	// keepSpent is how many of them were read to their ends: whoever reads a file from
	// end to end seldom comes back, but the beginnings of many files, which are read for
	// their heads first, are read on soon.
	keepSpent = 4
)

// leastDecoders is how many frames are unpacked at once on a small machine: as many files
// are read at once, and one that had to wait for another would find what it unpacked last
// gone from the processor's cache.
const leastDecoders = 8

func newFrames(p *packs) *frames {
	decoder := func(ignore bool) *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(max(leastDecoders, runtime.GOMAXPROCS(0))), zstd.WithDecoderMaxMemory(maxFrame), zstd.WithDecoderLowmem(true), zstd.IgnoreChecksum(ignore))
		if err != nil {
			panic(err) // the options are ours
		}
		return d
	}
	return &frames{packs: p, most: keepUnpacked, decoder: decoder(true), checker: decoder(false), kept: map[[32]byte]*list.Element{}, last: list.New()}
}

// get gives what a frame holds, until it is given back with done; it is not to be changed.
// Quick holds it against its own checksum alone.
func (f *frames) get(hash [32]byte, at place, quick bool) (*unpacked, error) {
	u := f.use(hash, at)
	u.once.Do(func() {
		bufs, _ := f.bufs.Get().(*buffers)
		if bufs == nil {
			bufs = new(buffers)
		}
		if u.held = !quick; quick {
			u.raw, u.err = f.unpack(f.checker, hash, at, bufs)
		} else {
			u.raw, u.err = f.read(hash, at, bufs)
		}
		bufs.raw = nil
		f.bufs.Put(bufs)
	})
	err := u.err
	if err == nil && !quick && !u.held {
		u.later.Do(func() { u.wrong = holds(u.raw, hash) })
		err = u.wrong
	}
	if err == nil {
		return u, nil
	}
	f.mu.Lock()
	if e := f.kept[hash]; e != nil && e.Value.(*unpacked) == u { // it may lie elsewhere by now
		f.drop(e)
	}
	f.mu.Unlock()
	f.done(u, false)
	return nil, err
}

// use finds the content of a frame among what is kept, or puts it there.
func (f *frames) use(hash [32]byte, at place) *unpacked {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, ok := f.kept[hash]
	if ok {
		f.last.MoveToFront(e)
	} else {
		e = f.last.PushFront(&unpacked{hash: hash, size: roomFor(min(max(at.Raw, 0), maxFrame))})
		f.kept[hash] = e
		f.size += e.Value.(*unpacked).size
		for f.size > f.most && f.last.Len() > 1 {
			f.drop(f.last.Back())
		}
	}
	u := e.Value.(*unpacked)
	u.users++
	return u
}

// done gives back what get gave. Spent tells that it was read to its end.
func (f *frames) done(u *unpacked, spent bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	u.users--
	if spent && !u.spent && !u.dropped {
		u.spent = true
		f.spent = append(f.spent, u)
		for len(f.spent) > keepSpent {
			f.drop(f.kept[f.spent[0].hash])
		}
	}
	f.free(u)
}

// free takes the memory of content that is neither kept nor read for other content: to
// touch new memory costs more than to unpack into some that was just used.
func (f *frames) free(u *unpacked) {
	if u.dropped && u.users == 0 {
		f.spares.give(u.raw)
		u.raw = nil
	}
}

func (f *frames) drop(e *list.Element) {
	u := f.last.Remove(e).(*unpacked)
	delete(f.kept, u.hash)
	f.size -= u.size
	u.dropped = true
	if u.spent {
		f.spent = slices.DeleteFunc(f.spent, func(other *unpacked) bool { return other == u })
	}
	f.free(u)
}

// read unpacks a frame and holds it against its hash. What it gives lies in the buffers.
func (f *frames) read(hash [32]byte, at place, bufs *buffers) ([]byte, error) {
	raw, err := f.unpack(f.decoder, hash, at, bufs)
	if err == nil {
		err = holds(raw, hash)
	}
	if err != nil {
		return nil, err
	}
	return raw, nil
}

var errHash = errors.New("does not hold what its hash says")

// holds reports an error where content has another hash.
func holds(raw []byte, hash [32]byte) error {
	if sha256.Sum256(raw) != hash {
		return errHash
	}
	return nil
}

// checksummed is the bit of the first byte behind a zstd frame's magic number that says
// that a checksum stands at its end.
const checksummed = 1 << 2

// unpack unpacks a frame. One without a checksum of its own is held against its hash.
func (f *frames) unpack(d *zstd.Decoder, hash [32]byte, at place, bufs *buffers) ([]byte, error) {
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
	if int64(cap(bufs.raw)) < at.Raw+slack {
		f.mu.Lock()
		bufs.raw = f.spares.take(at.Raw)
		f.mu.Unlock()
	}
	raw, err := d.DecodeAll(stored, bufs.raw[:0])
	bufs.raw = raw
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot be unpacked: %w", err)
	case int64(len(raw)) != at.Raw:
		return nil, errors.New("holds more or less than it should")
	case d == f.checker && stored[4]&checksummed == 0: // it was unpacked, so that there are more bytes
		return raw, holds(raw, hash)
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
