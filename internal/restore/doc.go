// Package restore puts files back into the data folder of an agent: all of them, or
// none.
//
// A reader may rely on this. Nothing is written but the files of an order and the
// folders above them, below one target folder, through an os.Root: no name and no
// link leads out of it. What is written is complete and on the disk before it gets
// its name, under a name that no agent takes for its own until then. A name that is
// taken is never overwritten, also when somebody takes it at the last moment; only a
// file that the order itself names as replaced gives way, and is kept open meanwhile.
// The files get their names in the order's order, so that what an agent finds a
// session by comes last.
//
// What a run is about to do stands in a journal, outside of the target. A run that was
// killed is finished or undone by the next one (Recover), so nothing stays half there.
//
// The package knows neither agents nor the archive: bytes come from the order.
package restore

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// File is a file to be put back.
type File struct {
	Name string // slash-separated, below the target; any bytes
	Size int64  // in bytes
	Sum  [sha256.Size]byte
	Open func() (io.ReadCloser, error) // its bytes, Size of them
	// Over is the file that stands under the name and may give way. Nothing may where
	// it is nil.
	Over os.FileInfo
}

// State is what stands in the place of a file.
type State int

// The states of a place.
const (
	Free  State = iota // nothing
	Same               // the same bytes
	Grown              // the same bytes and more behind them
	Other              // something else
)

// ErrTaken says that something stands under a name that must be free.
var ErrTaken = errors.New("something else stands there by now")

// place checks a file's name and gives it as a path of this system.
func (f File) place() (string, error) {
	path := filepath.FromSlash(f.Name)
	if strings.ContainsRune(f.Name, 0) || !filepath.IsLocal(path) || filepath.Clean(path) != path {
		return "", fmt.Errorf("%q is no name of a file below a folder", f.Name)
	}
	return path, nil
}

// Look tells what stands below a target folder, made or not, in the place of each file.
func Look(target string, files []File) ([]State, error) {
	states := make([]State, len(files))
	root, err := openTarget(target)
	if errors.Is(err, os.ErrNotExist) {
		return states, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for i, f := range files {
		path, err := f.place()
		if err == nil {
			states[i], err = look(root, path, f.Size, f.Sum)
		}
		if link := leadsOut(root, path); err != nil && link != "" {
			return nil, fmt.Errorf("%w: %s", ErrOutside, filepath.Join(target, link))
		}
		if err != nil {
			return nil, fmt.Errorf("what stands in the place of %s cannot be looked at: %w", filepath.Join(target, path), err)
		}
	}
	return states, nil
}

// ErrOutside says that a link on the way to a file leads out of the target folder, where
// nothing is ever written.
var ErrOutside = errors.New("a link leads out of the folder that is restored into")

// leadsOut gives the link on the way to a name that cannot be followed inside a folder, or
// nothing.
func leadsOut(root *os.Root, path string) string {
	for i, c := range path + string(filepath.Separator) {
		if c != filepath.Separator {
			continue
		}
		fi, err := root.Lstat(path[:i])
		if err != nil {
			return ""
		}
		if fi.Mode()&os.ModeSymlink != 0 {
			if _, err := root.Stat(path[:i]); err != nil && !errors.Is(err, os.ErrNotExist) {
				return path[:i]
			}
		}
	}
	return ""
}

// Touch gives files below a target folder a date.
func Touch(target string, names []string, date time.Time) error {
	root, err := openTarget(target)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names {
		if err := root.Chtimes(filepath.FromSlash(name), date, date); err != nil {
			return fmt.Errorf("%s did not get the date of now: %w", filepath.Join(target, filepath.FromSlash(name)), err)
		}
	}
	return nil
}

// openTarget opens a target folder, links on the way to it followed.
func openTarget(target string) (*os.Root, error) {
	real, err := filepath.EvalSymlinks(target)
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(real)
}

// look compares what stands under a name with what a file's bytes should be.
func look(root *os.Root, path string, size int64, sum [sha256.Size]byte) (State, error) {
	fi, err := root.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := root.Lstat(path); err == nil {
			return Other, nil // a link that leads nowhere
		}
		return Free, nil
	case err != nil:
		return Other, err
	case !fi.Mode().IsRegular() || fi.Size() < size:
		return Other, nil
	}
	f, err := root.Open(path)
	if err != nil {
		return Other, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, size))
	switch {
	case err != nil:
		return Other, err
	case n != size || [sha256.Size]byte(h.Sum(nil)) != sum:
		return Other, nil
	}
	if more, _ := f.Read(make([]byte, 1)); more > 0 {
		return Grown, nil
	}
	return Same, nil
}
