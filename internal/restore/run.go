package restore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// Order is what is to be put back.
type Order struct {
	Target string // the folder that the files' names are below, absolute; made where it is not there
	Files  []File // in the order in which they get their names
	// Taken is given each file that gave way, still open, once another has its name, and
	// may read what its agent wrote into it until then. When it fails everything is as it
	// was before.
	Taken func(f File, old *os.File) error
}

// Run does what an order says. When it fails everything is as it was before, and the
// error says what is not, if anything. An error that is ErrTaken names a file whose
// place was taken.
func (js Journals) Run(ctx context.Context, o Order) error {
	made := missingAbove(o.Target)
	err := js.runIn(ctx, o)
	if err != nil {
		for _, dir := range made {
			_ = os.Remove(dir) // one that holds something stays
		}
	}
	return err
}

// missingAbove lists a folder and those above it that are not there, inner ones first.
func missingAbove(dir string) (missing []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			return missing
		}
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
}

// runIn does what an order says in a folder that it makes.
func (js Journals) runIn(ctx context.Context, o Order) error {
	real, err := makeTarget(o.Target)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return err
	}
	defer root.Close()
	j, err := js.begin(real, o.Files)
	if err != nil {
		return err
	}
	r := &run{journal: j, root: names{root, js.plain}, now: js.now, order: o}
	if err := r.do(ctx); err != nil {
		if r.Stage == published {
			return errors.Join(fmt.Errorf("everything is put back, but what gave way could not be cleared away: %w", err), j.release())
		}
		if undone := r.undo(); undone != nil {
			return errors.Join(err, undone, j.release()) // the journal stays for Recover
		}
		return errors.Join(err, j.end())
	}
	return j.end()
}

// makeTarget gives the folder that a target leads to, and makes it where it is not there.
func makeTarget(dir string) (string, error) {
	if err := own.MakeFolder(dir); err != nil {
		return "", fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	return filepath.EvalSymlinks(dir)
}

// run is a run under way.
type run struct {
	*journal
	root  names
	now   func() time.Time
	order Order
}

func (r *run) do(ctx context.Context) error {
	if err := r.plan(); err != nil {
		return err
	}
	for i, f := range r.order.Files {
		if err := r.fill(ctx, r.Steps[i], f); err != nil {
			return fmt.Errorf("%s cannot be put back: %w", r.full(r.Steps[i]), err)
		}
	}
	r.Stage = publishing
	if err := r.write(); err != nil {
		return err
	}
	for i, f := range r.order.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.publish(r.Steps[i], f); err != nil {
			return fmt.Errorf("%s cannot be put back: %w", r.full(r.Steps[i]), err)
		}
	}
	return r.settle()
}

// full is the path of a step for people.
func (j *journal) full(s step) string { return filepath.Join(string(j.Target), string(s.Name)) }

// plan notes which folders will be made, and makes them.
func (r *run) plan() error {
	missing := map[string]bool{}
	for _, s := range r.Steps {
		var chain []string
		for dir := filepath.Dir(string(s.Name)); dir != "." && !missing[dir]; dir = filepath.Dir(dir) {
			fi, err := r.root.Stat(dir)
			switch {
			case err == nil && !fi.IsDir():
				return fmt.Errorf("%s cannot be put back: %s is no folder", r.full(s), filepath.Join(string(r.Target), dir))
			case err == nil:
			case !errors.Is(err, os.ErrNotExist):
				return fmt.Errorf("%s cannot be put back: %w", r.full(s), err)
			}
			if err == nil {
				break
			}
			missing[dir] = true
			chain = append(chain, dir)
		}
		for i := len(chain) - 1; i >= 0; i-- {
			r.Folders = append(r.Folders, []byte(chain[i]))
		}
	}
	if err := r.write(); err != nil {
		return err
	}
	for _, dir := range r.Folders {
		err := r.root.Mkdir(string(dir), 0o700)
		if err == nil {
			err = r.root.Chmod(string(dir), 0o700) // whatever the umask
		}
		if err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("the folder %s cannot be made: %w", filepath.Join(string(r.Target), string(dir)), err)
		}
	}
	return nil
}

// fill writes the bytes of a file under the name that they have for now.
func (r *run) fill(ctx context.Context, s step, f File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := r.root.OpenFile(string(s.Temp), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), reader{ctx, in})
	if err == nil && (n != f.Size || [sha256.Size]byte(sum.Sum(nil)) != f.Sum) {
		err = errors.New("what was kept of it is not what it was: its bytes have another hash")
	}
	if err == nil {
		err = out.Chmod(0o600)
	}
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// reader reads until its context ends.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

// publish gives a file its name.
func (r *run) publish(s step, f File) error {
	now := r.now()
	if err := r.root.Chtimes(string(s.Temp), now, now); err != nil {
		return err
	}
	if f.Over == nil {
		return taken(r.root.give(string(s.Temp), string(s.Name)))
	}
	return r.replace(s, f)
}

// taken gives the error of this package for a name that is taken.
func taken(err error) error {
	if errors.Is(err, os.ErrExist) {
		return ErrTaken
	}
	return err
}

// replace gives a file the name of another, which is kept open meanwhile and goes only
// when what was written into it at the last moment is known.
func (r *run) replace(s step, f File) error {
	old, err := r.root.Open(string(s.Name))
	if err != nil {
		return err
	}
	defer old.Close()
	if fi, err := old.Stat(); err != nil || !os.SameFile(fi, f.Over) {
		return errors.Join(ErrTaken, err)
	}
	at, err := r.root.swap(s)
	if err != nil {
		return taken(err)
	}
	if fi, err := r.root.Stat(at); err != nil || !os.SameFile(fi, f.Over) {
		return errors.Join(ErrTaken, err) // somebody was quicker; undoing gives the name back
	}
	if r.order.Taken != nil {
		if err := r.order.Taken(f, old); err != nil {
			return err
		}
	}
	return nil
}

// settle waits until all names are on the disk; only then does what gave way go.
func (r *run) settle() error {
	folders := map[string]bool{"": true}
	for _, s := range r.Steps {
		folders[filepath.Dir(string(s.Name))] = true
	}
	for _, dir := range r.Folders {
		folders[filepath.Dir(string(dir))] = true
	}
	for dir := range folders {
		if err := own.SyncFolder(filepath.Join(string(r.Target), dir)); err != nil {
			return err
		}
	}
	if !r.replaces() {
		return nil
	}
	r.Stage = published
	if err := r.write(); err != nil {
		r.Stage = publishing
		return err
	}
	return r.clear()
}

// clear removes what gave way.
func (r *run) clear() error {
	for _, s := range r.Steps {
		if !s.Over {
			continue
		}
		for _, name := range []string{string(s.Temp), s.aside()} {
			if err := r.root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
