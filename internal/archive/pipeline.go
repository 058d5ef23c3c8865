package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/seshat-dev/seshat/internal/crash"
)

// pipeline turns content into frames of a pack on several cores: workers hash and
// compress, one goroutine puts what they made into the pack in the order in which it
// came. Only so many pieces are under way at a time, so that memory stays bounded.
type pipeline struct {
	work    chan *job
	ordered chan *job
	workers sync.WaitGroup
	store   sync.WaitGroup
	raws    sync.Pool
	storeds sync.Pool

	mu  sync.Mutex
	err error // the first one; nothing is stored after it
}

// job is one thing that is stored, in order.
type job struct {
	raw    []byte
	piece  *piece // its hash is filled in
	hashed bool   // the hash is known
	stored []byte
	err    error
	done   chan struct{} // closed when the frame is ready; nil when there is none
	passed chan struct{} // closed when all is over, also after an error
	// then is called in order when the frame is ready. It alone touches the pack.
	then func(*job) error
}

// newPipeline starts workers, one for each core but not more than some number. They
// stop at close.
func newPipeline(most int, encoder func() (*zstd.Encoder, error)) (*pipeline, error) {
	n := max(2, min(runtime.GOMAXPROCS(0), most))
	p := &pipeline{work: make(chan *job, 2*n), ordered: make(chan *job, 6*n)}
	check, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(n), zstd.WithDecoderMaxMemory(maxFrame))
	if err != nil {
		return nil, err
	}
	encoders := make([]*zstd.Encoder, n)
	for i := range encoders {
		if encoders[i], err = encoder(); err != nil {
			return nil, err
		}
	}
	for _, e := range encoders {
		p.workers.Go(func() {
			var scratch []byte
			for j := range p.work {
				if err := crash.Caught(func() error { scratch = p.compress(j, e, check, scratch); return nil }); err != nil {
					j.err = err
				}
				close(j.done)
			}
		})
	}
	p.store.Go(p.run)
	go func() {
		p.store.Wait()
		check.Close()
	}()
	return p, nil
}

// compress makes the frame of a job, and sees that it unpacks to what it was made of.
func (p *pipeline) compress(j *job, e *zstd.Encoder, check *zstd.Decoder, scratch []byte) []byte {
	if !j.hashed {
		j.piece.SHA256 = sha256.Sum256(j.raw)
	}
	buffer, _ := p.storeds.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	j.stored = e.EncodeAll(j.raw, (*buffer)[:0])
	back, err := check.DecodeAll(j.stored, scratch[:0])
	if err == nil && !bytes.Equal(back, j.raw) {
		err = errors.New("the compressor made a frame that does not unpack to its content")
	}
	j.err = err
	return back
}

// run stores what is ready, in order.
func (p *pipeline) run() {
	for j := range p.ordered {
		if j.done != nil {
			<-j.done
		}
		err := p.failed()
		if err == nil && j.err != nil {
			err = fmt.Errorf("compressing: %w", j.err)
		}
		if err == nil {
			err = crash.Caught(func() error { return j.then(j) })
		}
		p.fail(err)
		if j.raw != nil {
			raw, stored := j.raw, j.stored
			p.raws.Put(&raw)
			p.storeds.Put(&stored)
		}
		if j.passed != nil {
			close(j.passed)
		}
	}
}

func (p *pipeline) failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// buffer gives room for n bytes of content.
func (p *pipeline) buffer(n int) []byte {
	if b, _ := p.raws.Get().(*[]byte); b != nil && cap(*b) >= n {
		return (*b)[:n]
	}
	if n <= 64<<10 {
		return make([]byte, n, 64<<10)
	}
	return make([]byte, n, max(n, frameTarget))
}

// frame stores content, which belongs to the pipeline from now on. hashed tells that
// the hash of the piece is known.
func (p *pipeline) frame(raw []byte, of *piece, hashed bool, then func(*job) error) {
	j := &job{raw: raw, piece: of, hashed: hashed, done: make(chan struct{}), then: then}
	p.work <- j
	p.ordered <- j
}

// after calls a function when everything that came before is stored.
func (p *pipeline) after(then func() error) {
	p.ordered <- &job{then: func(*job) error { return then() }}
}

// drain waits until everything is stored, and gives the first error.
func (p *pipeline) drain() error {
	passed := make(chan struct{})
	p.ordered <- &job{passed: passed, then: func(*job) error { return nil }}
	<-passed
	return p.failed()
}

// close stops the workers. What is under way is stored.
func (p *pipeline) close() error {
	close(p.work)
	close(p.ordered)
	p.workers.Wait()
	p.store.Wait()
	return p.failed()
}
