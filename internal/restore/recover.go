package restore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// Recovered is what became of a run that was killed.
type Recovered struct {
	Target   string
	Files    []string // paths of what it was to put back, absolute
	Finished bool     // they are there; else everything is as it was before
}

// Recover finishes or undoes the runs that were killed. Runs that are under way are let
// alone. An error tells of those that could be neither; they are tried again next time.
func (js Journals) Recover(ctx context.Context) ([]Recovered, error) {
	names, err := js.left()
	js.sweep()
	var all []Recovered
	for _, name := range names {
		if ctx.Err() != nil {
			return all, errors.Join(err, ctx.Err())
		}
		j, openErr := js.open(name)
		switch {
		case errors.Is(openErr, own.ErrBusy):
			continue
		case errors.Is(openErr, os.ErrNotExist): // it has just come to its end
			_ = os.Remove(filepath.Join(js.Dir, strings.TrimSuffix(name, journalEnd)+lockEnd))
			continue
		case openErr != nil:
			err = errors.Join(err, fmt.Errorf("the journal %s of a restore that broke off cannot be read, and what it left cannot be cleared away: %w", filepath.Join(js.Dir, name), openErr))
			continue
		}
		finished, endErr := j.resolve(js)
		if endErr != nil {
			err = errors.Join(err, fmt.Errorf("a restore into %s that broke off could be neither finished nor undone: %w", j.Target, endErr), j.release())
			continue
		}
		rec := Recovered{Target: string(j.Target), Finished: finished}
		for _, s := range j.Steps {
			rec.Files = append(rec.Files, j.full(s))
		}
		all = append(all, rec)
		err = errors.Join(err, j.end())
	}
	return all, err
}

// tornAge is the age at which a journal that is half written is nobody's any more.
const tornAge = time.Minute

// sweep removes journals that were killed before they had their names. Nothing was done
// by then that an older journal does not tell.
func (js Journals) sweep() {
	entries, _ := os.ReadDir(js.Dir)
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && own.Temporary(e.Name()) && fi.Mode().IsRegular() && time.Since(fi.ModTime()) > tornAge {
			_ = os.Remove(filepath.Join(js.Dir, e.Name()))
		}
	}
}

// resolve finishes a run whose bytes are all there, and undoes any other.
func (j *journal) resolve(js Journals) (finished bool, err error) {
	root, err := os.OpenRoot(string(j.Target))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil // gone with all that was in it
	}
	if err != nil {
		return false, err
	}
	defer root.Close()
	r := &run{journal: j, root: names{root, js.plain}, now: js.now}
	switch {
	case j.Stage == published:
		return true, r.clear()
	case j.Stage == publishing && !r.replaces() && r.finish() == nil:
		return true, nil
	}
	return false, r.undo()
}

// replaces reports whether a file gives way. What its agent wrote into it at the last
// moment is then known to nobody, so such a run is undone.
func (r *run) replaces() bool {
	for _, s := range r.Steps {
		if s.Over {
			return true
		}
	}
	return false
}

// finish gives their names to the files that have none yet.
func (r *run) finish() error {
	for _, s := range r.Steps {
		temp, err := r.root.Lstat(string(s.Temp))
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue // it has its name
		case err != nil:
			return err
		}
		if name, err := r.root.Lstat(string(s.Name)); err == nil && os.SameFile(temp, name) {
			err = r.root.Remove(string(s.Temp)) // broken off between its two names
			if err != nil {
				return err
			}
			continue
		}
		if err := r.publish(s, File{}); err != nil {
			return err
		}
	}
	return r.settle()
}

// undo makes everything as it was before. It notes first which names were given: it may be
// killed too.
func (r *run) undo() error {
	if r.Stage == publishing {
		for i, s := range r.Steps {
			_, err := r.root.Lstat(string(s.Temp))
			r.Steps[i].Given = errors.Is(err, os.ErrNotExist)
		}
		r.Stage = undoing
		_ = r.write() // on a full disk it is undone all the same
	}
	var errs []error
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if err := r.undoStep(r.Steps[i]); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.full(r.Steps[i]), err))
		}
	}
	for i := len(r.Folders) - 1; i >= 0; i-- {
		// One that somebody has put something into stays.
		_ = r.root.Remove(string(r.Folders[i]))
	}
	return errors.Join(errs...)
}

// undoStep takes the name of one file back.
func (r *run) undoStep(s step) error {
	temp, tempErr := r.root.Lstat(string(s.Temp))
	if s.Over && r.Stage != staging {
		return r.giveBack(s, tempErr == nil)
	}
	if tempErr == nil {
		if name, err := r.root.Lstat(string(s.Name)); err == nil && os.SameFile(temp, name) {
			if err := r.root.Remove(string(s.Name)); err != nil {
				return err
			}
		}
		return r.root.Remove(string(s.Temp))
	}
	if !s.Given {
		return nil
	}
	// It got its name. What its agent has added to since is not taken away.
	if state, err := look(r.root.Root, string(s.Name), s.Size, s.sum()); err != nil || state != Same {
		return err
	}
	return r.root.Remove(string(s.Name))
}

// giveBack gives its name back to a file that gave way. temp says that something
// stands under the name that new bytes have for now.
func (r *run) giveBack(s step, temp bool) error {
	name, err := look(r.root.Root, string(s.Name), s.Size, s.sum())
	if err != nil {
		return err
	}
	if _, err := r.root.Lstat(s.aside()); err == nil {
		if name == Same {
			if err := r.root.Remove(string(s.Name)); err != nil {
				return err
			}
		}
		if err := r.root.give(s.aside(), string(s.Name)); err != nil {
			return r.stranded(s.aside(), err)
		}
	}
	if !temp {
		return nil
	}
	state, err := look(r.root.Root, string(s.Temp), s.Size, s.sum())
	switch {
	case err != nil:
		return err
	case state == Same:
		return r.root.Remove(string(s.Temp)) // the names were not exchanged
	case name != Same:
		return r.stranded(string(s.Temp), ErrTaken)
	}
	if err := r.root.exchange(string(s.Temp), string(s.Name)); err != nil {
		return r.stranded(string(s.Temp), err)
	}
	return r.root.Remove(string(s.Temp))
}

// stranded says where a file lies that gave way and cannot get its name back.
func (r *run) stranded(at string, err error) error {
	return fmt.Errorf("the file that stood there lies in %s now: %w", filepath.Join(string(r.Target), at), err)
}
