package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// How long a drain waits, and how often it tries.
const (
	quiet   = 5 * time.Second  // a transcript that did not change for so long is whole
	step    = time.Second      // between two looks at it
	longest = 10 * time.Minute // after that the archive runs all the same: it takes whole lines only
)

// pauses stand between attempts of one drain to run the archive.
var pauses = []time.Duration{30 * time.Second, 2 * time.Minute}

// Drain empties the queue: it waits until the transcripts in it are quiet, has the
// archive run, and takes out what the run is for.
type Drain struct {
	Home    Home
	Archive func(context.Context) error // keeps everything that is at risk
	Now     func() time.Time
	Sleep   func(context.Context, time.Duration) error
	Trusted func(path string) string    // as for Hook
	Mask    func(message string) string // takes credentials out of a message; may be nil

	ending func() // called before the lock is given back; tests set it
}

// ErrBusy says that another drain runs. It sees to the entries of this one.
var ErrBusy = errors.New("another drain runs")

// Run drains the queue until it is empty, or the archive cannot run, which the log
// says. Of several at once one does the work, and the others end at once with ErrBusy.
func (d Drain) Run(ctx context.Context) error {
	for {
		began := d.Now()
		if err := d.once(ctx); err != nil {
			if !errors.Is(err, ErrBusy) {
				d.failed(began, err)
			}
			return err
		}
		// Between the last look and the end of the lock another may have come and gone.
		if d.Home.Queue().Len() == 0 {
			return nil
		}
	}
}

// once drains the queue under the lock.
func (d Drain) once(ctx context.Context) error {
	if err := own.MakeFolder(d.Home.Dir); err != nil {
		return err
	}
	unlock, err := lock(filepath.Join(d.Home.Dir, lockName))
	if err != nil {
		return err
	}
	defer func() {
		if d.ending != nil {
			d.ending()
		}
		unlock()
	}()
	for {
		entries, err := d.await(ctx)
		if err == nil && len(entries) == 0 {
			return nil
		}
		if err == nil {
			err = d.batch(ctx, entries)
		}
		if err != nil {
			return err
		}
	}
}

// batch has the archive run for some entries, and takes them out when it did.
func (d Drain) batch(ctx context.Context, entries []Entry) error {
	began := d.Now()
	err := d.run(ctx)
	for i := 0; err != nil && i < len(pauses) && ctx.Err() == nil; i++ {
		d.failed(began, err)
		if err := d.Sleep(ctx, pauses[i]); err != nil {
			return err
		}
		began = d.Now()
		err = d.run(ctx)
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := d.Home.Queue().Done(e); err != nil {
			return err
		}
	}
	d.Home.note(Outcome{Began: began, Ended: d.Now(), Entries: len(entries)})
	return nil
}

// run runs the archive. A crash of it is a failure like any other, of which only the
// place is kept: a message may hold anything.
func (d Drain) run(ctx context.Context) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the archive run crashed; seshat archive shows how")
		}
	}()
	return d.Archive(ctx)
}

// failed notes that an attempt failed.
func (d Drain) failed(began time.Time, err error) {
	message := err.Error()
	if d.Mask != nil {
		message = d.Mask(message)
	}
	d.Home.log(d.Now(), message)
	d.Home.note(Outcome{Began: began, Ended: d.Now(), Failed: true})
}

// seen is a transcript as it was last looked at.
type seen struct {
	size  int64
	mtime time.Time
	there bool
}

func look(path string) seen {
	fi, err := os.Stat(path)
	if err != nil {
		return seen{}
	}
	return seen{fi.Size(), fi.ModTime(), true}
}

// watched is a transcript as it is since some moment.
type watched struct {
	seen
	since time.Time
}

// await gives the entries of the queue when every transcript in them has been quiet for
// a while. What comes while it waits is among them. The clock of files is not believed:
// they may lie on another machine. A transcript that is gone is quiet, and so is one
// that is no longer below a known folder; an entry that names none gives whatever it
// is about the same time to end.
func (d Drain) await(ctx context.Context) ([]Entry, error) {
	all := map[string]watched{} // by what is waited for
	start := d.Now()
	for {
		entries, err := d.Home.Queue().List()
		if err != nil || len(entries) == 0 {
			return nil, err
		}
		now, ready := d.Now(), true
		for _, e := range entries {
			w, known := all[e.Transcript]
			key, is := e.Transcript, seen{}
			if e.Transcript != "" && (known || d.Trusted(e.Transcript) == e.Transcript) {
				is = look(e.Transcript)
			} else {
				key = "entry " + e.name
				w, known = all[key]
			}
			if !known || w.seen != is {
				w = watched{is, now}
				all[key] = w
			}
			ready = ready && now.Sub(w.since) >= quiet
		}
		if ready || now.Sub(start) >= longest {
			return entries, ctx.Err()
		}
		if err := d.Sleep(ctx, step); err != nil {
			return nil, fmt.Errorf("was stopped while it waited: %w", err)
		}
	}
}
