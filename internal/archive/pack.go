package archive

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const packFolder = "packs"

// packName gives the name of a pack's file.
func packName(number int64) string { return fmt.Sprintf("%06d.pack", number) }

// packNumber is the other way round.
func packNumber(name string) (number int64, ok bool) {
	digits, ok := strings.CutSuffix(name, ".pack")
	if !ok {
		return 0, false
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, err == nil && number > 0 && packName(number) == name
}

// packs are the packs of an archive, opened when they are first read.
type packs struct {
	dir  string
	disk disk

	mu     sync.Mutex
	open   map[int64]file
	closed bool
}

func (p *packs) path(number int64) string { return filepath.Join(p.dir, packName(number)) }

// read fills b with what a pack holds at an offset.
func (p *packs) read(number, offset int64, b []byte) error {
	f, err := p.file(number)
	if err != nil {
		return err
	}
	n, err := f.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	return err
}

var errClosed = errors.New("the archive is closed")

func (p *packs) file(number int64) (file, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f, ok := p.open[number]; ok {
		return f, nil
	}
	if p.closed {
		return nil, errClosed
	}
	f, err := p.disk.open(p.path(number))
	if err == nil {
		p.open[number] = f
	}
	return f, err
}

// forget closes a pack that is to be removed.
func (p *packs) forget(number int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f, ok := p.open[number]; ok {
		f.Close()
		delete(p.open, number)
	}
}

func (p *packs) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, f := range p.open {
		errs = append(errs, f.Close())
	}
	clear(p.open)
	p.closed = true
	return errors.Join(errs...)
}

// packWriter adds to one pack. It is not used further after an error.
type packWriter struct {
	number int64
	path   string
	file   file
	size   int64 // of what was written, without what waits
	synced int64 // size at the last sync
	named  int64 // size that the manifest names
	waits  []byte
}

const writeAtOnce = 1 << 20

// at is where the next byte will lie.
func (w *packWriter) at() int64 { return w.size + int64(len(w.waits)) }

func (w *packWriter) write(b []byte) error {
	w.waits = append(w.waits, b...)
	if len(w.waits) >= writeAtOnce {
		return w.flush()
	}
	return nil
}

func (w *packWriter) flush() error {
	if len(w.waits) == 0 {
		return nil
	}
	if _, err := w.file.WriteAt(w.waits, w.size); err != nil {
		return fmt.Errorf("%s: %w", w.path, err)
	}
	w.size += int64(len(w.waits))
	w.waits = w.waits[:0]
	return nil
}

// sync makes everything that was written durable.
func (w *packWriter) sync() error {
	if err := w.flush(); err != nil {
		return err
	}
	if w.synced == w.size {
		return nil
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("%s: what was written is not safe on the disk: %w", w.path, err)
	}
	w.synced = w.size
	return nil
}
