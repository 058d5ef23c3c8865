package seshat

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// keptFile is a file of the archive that reads on behind damage.
type keptFile struct {
	agent.File
	note func(error)

	mu   sync.Mutex
	hurt error
}

var _ agent.Hurt = (*keptFile)(nil)

// file opens the current version of a source that is shown in a folder.
func (k *keptView) file(s *archive.Source, dir string) agent.File {
	return &keptFile{File: k.skimmed(s), note: func(err error) { k.damaged(rootfs.PathIn(dir, s.Name), err) }}
}

// many is how many files are opened one by one before it is looked up where the bytes
// of all lie.
const many = 32

// skimmed gives the current version of a source, the same each time: it knows where its
// bytes lie once it was read.
func (k *keptView) skimmed(s *archive.Source) agent.File {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f := k.files[s.ID]; f != nil {
		return f
	}
	if len(k.files) == many {
		if all, err := k.archive.SkimAll(context.Background(), k.list); err == nil { // else each says what is wrong
			k.files = all
		}
	}
	f := k.files[s.ID]
	if f == nil {
		f = k.archive.Skim(s, current(s))
		k.files[s.ID] = f
	}
	return f
}

// Hurt says which bytes cannot be had.
func (f *keptFile) Hurt() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hurt
}

// ReadAt reads bytes. In the place of damaged ones it gives zeros between two newlines.
func (f *keptFile) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for {
		m, err := f.File.ReadAt(p[n:], off+int64(n))
		n += m
		var d *archive.DamageError
		if !errors.As(err, &d) {
			return n, err
		}
		lost := d.Offset + d.Length - (off + int64(n))
		if off+int64(n) < d.Offset || lost <= 0 {
			return n, err // the damage is not where the reading ended
		}
		f.damaged(d)
		for end := n + int(min(lost, int64(len(p)-n))); n < end; n++ {
			p[n] = 0
			if at := off + int64(n); at == d.Offset || at == d.Offset+d.Length-1 {
				p[n] = '\n'
			}
		}
		if n == len(p) {
			return n, nil
		}
	}
}

// damaged notes the first damage.
func (f *keptFile) damaged(d *archive.DamageError) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hurt == nil {
		place := d.Pack
		if place == "" {
			place = "the manifest"
		}
		f.hurt = fmt.Errorf("bytes %d to %d are damaged in the archive (%s: %s), and what stood there is not in this answer; seshat archive verify lists all damage", d.Offset, d.Offset+d.Length, place, d.Reason)
		f.note(f.hurt)
	}
}
