package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
)

var errPower = errors.New("the power is gone")

// shakyDisk is a disk in memory that keeps apart what was synced, and of which an
// operation fails when its time has come. After a crash it holds some of what was not
// synced, in any order.
type shakyDisk struct {
	mu     sync.Mutex
	files  map[string]*shakyFile // as a running program sees them
	synced map[string]*shakyFile // the names that are durable
	left   int                   // operations until one fails; negative when none does
	after  bool                  // and all after that one
	fault  error
}

type shakyFile struct {
	disk   *shakyDisk
	data   []byte
	synced []byte
	writes []shakyWrite // since the last sync
}

type shakyWrite struct {
	at   int64
	data []byte
}

func newShakyDisk() *shakyDisk {
	return &shakyDisk{files: map[string]*shakyFile{}, synced: map[string]*shakyFile{}, left: -1}
}

// op counts an operation that changes something.
func (d *shakyDisk) op() error {
	switch {
	case d.left > 0:
		d.left--
	case d.left == 0:
		if !d.after {
			d.left = -1
		}
		return d.fault
	}
	return nil
}

// crash leaves what a disk may hold after the power was gone.
func (d *shakyDisk) crash(rng *rand.Rand) {
	names := map[string]*shakyFile{}
	for name, f := range d.synced {
		names[name] = f
	}
	for name, f := range d.files {
		if rng.IntN(2) == 0 {
			names[name] = f
		}
	}
	d.files, d.synced, d.left = map[string]*shakyFile{}, map[string]*shakyFile{}, -1
	for name, f := range names {
		data := append([]byte(nil), f.synced...)
		for _, i := range rng.Perm(len(f.writes)) {
			w := f.writes[i]
			if rng.IntN(2) == 0 {
				continue
			}
			if w.at < 0 {
				data = data[:min(len(data), len(w.data))]
				continue
			}
			part := w.data[:rng.IntN(len(w.data)+1)]
			data = append(data, make([]byte, max(0, int(w.at)+len(part)-len(data)))...)
			copy(data[w.at:], part)
		}
		d.files[name] = &shakyFile{disk: d, data: data, synced: append([]byte(nil), data...)}
		d.synced[name] = d.files[name]
	}
}

func (d *shakyDisk) open(path string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok := d.files[path]; ok {
		return f, nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func (d *shakyDisk) extend(path string) (file, error) { return d.open(path) }

func (d *shakyDisk) create(path string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op(); err != nil {
		return nil, err
	}
	if d.files[path] != nil {
		return nil, fs.ErrExist
	}
	d.files[path] = &shakyFile{disk: d}
	return d.files[path], nil
}

func (d *shakyDisk) remove(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op(); err != nil {
		return err
	}
	if d.files[path] == nil {
		return fs.ErrNotExist
	}
	delete(d.files, path)
	return nil
}

func (d *shakyDisk) syncFolder(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op(); err != nil {
		return err
	}
	clear(d.synced)
	for name, f := range d.files {
		d.synced[name] = f
	}
	return nil
}

func (d *shakyDisk) list(string) (names []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for path := range d.files {
		names = append(names, filepath.Base(path))
	}
	return names, nil
}

func (f *shakyFile) ReadAt(b []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if off >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *shakyFile) WriteAt(b []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.disk.op()
	if err != nil {
		b = b[:len(b)/2] // a full disk takes what fits
	}
	f.data = append(f.data, make([]byte, max(0, int(off)+len(b)-len(f.data)))...)
	copy(f.data[off:], b)
	f.writes = append(f.writes, shakyWrite{off, append([]byte(nil), b...)})
	return len(b), err
}

// Sync loses what it fails to sync: a second one would succeed and mean nothing.
func (f *shakyFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.disk.op()
	if err == nil {
		f.synced = append([]byte(nil), f.data...)
	}
	f.writes = nil
	return err
}

func (f *shakyFile) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.op(); err != nil {
		return err
	}
	f.data = f.data[:size]
	f.writes = append(f.writes, shakyWrite{at: -1, data: make([]byte, size)}) // cuts, when it comes to the disk
	return nil
}

func (f *shakyFile) Size() (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return int64(len(f.data)), nil
}

func (f *shakyFile) Close() error { return nil }

// After the power was gone at any moment, or an operation of the disk failed, what was
// committed is there, and what was not is there as a whole or not at all.
func TestCrashes(t *testing.T) {
	seeds := uint64(24)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		if err := crashThrice(t, seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func crashThrice(t *testing.T, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 99))
	dir, d, m := t.TempDir(), newShakyDisk(), newModel()
	for range 3 {
		w, err := write(dir, "here", clock(), d, "WAL", small)
		if err != nil {
			return err
		}
		after := rng.IntN(2) == 0 // or only one operation fails
		d.left, d.after, d.fault = rng.IntN(40), after, errPower
		var before *model
		for n := 0; err == nil && n < 12; n++ {
			before = m.clone()
			err = step(rng, m, w)
		}
		failed := err != nil
		if failed && !errors.Is(err, errPower) {
			return err
		}
		_ = w.Close()
		d.left = -1
		if after {
			d.crash(rng)
		}
		w, err = write(dir, "here", clock(), d, "WAL", small) // as the next run does
		if err != nil {
			return err
		}
		err = sameContents(t, w.Archive(), m)
		if err != nil && failed {
			if err2 := sameContents(t, w.Archive(), before); err2 == nil {
				m, err = before, nil
			} else {
				err = fmt.Errorf("neither the state before the failure nor that after it:\n%w\n%w", err2, err)
			}
		}
		_ = w.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
