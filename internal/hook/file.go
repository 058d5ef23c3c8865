package hook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// maxSettings is how large settings may be, in bytes: what is larger are none.
const maxSettings = 8 << 20

// ErrChanged says that somebody else wrote the settings at the same time.
var ErrChanged = errors.New("has changed meanwhile")

// Editor reads and edits settings files.
type Editor struct {
	Backups string                 // folder of seshat's own for what files held before; made when it is needed
	Now     func() time.Time       // for the names of backups
	Private func(path string) bool // reports whether a file, all links followed, must not be opened; may be nil
	Last    func()                 // called last before the look that precedes the replacing; may be nil
}

// Edited tells what became of a settings file.
type Edited struct {
	Changed bool
	Made    bool   // there was none
	Backup  string // the file that keeps what it held; empty where it was made, or not changed
}

// Read gives what a settings file holds; nil where there is none.
func (e Editor) Read(path string) ([]byte, error) {
	s, err := e.open(path)
	if err != nil || s.real == "" {
		return nil, err
	}
	return s.data, nil
}

// Plan tells what Edit would do, and changes nothing.
func (e Editor) Plan(path string, change func([]byte) ([]byte, error)) (Edited, error) {
	old, err := e.open(path)
	if err != nil {
		return Edited{}, err
	}
	_, done, err := old.changed(change)
	return done, err
}

// Edit puts what change makes of a settings file in its place. A link stays and what
// it leads to is replaced; the mode stays. A file that is not there is taken for an
// empty object and made, when that changes, for its owner alone. Errors are about the
// file and do not name it.
func (e Editor) Edit(path string, change func([]byte) ([]byte, error)) (Edited, error) {
	old, err := e.open(path)
	if err != nil {
		return Edited{}, err
	}
	data, done, err := old.changed(change)
	if err != nil || !done.Changed {
		return done, err
	}
	if done.Made {
		return done, e.create(old, data)
	}
	if done.Backup, err = e.backup(old); err != nil {
		return Edited{}, fmt.Errorf("was not changed, since what it holds cannot be kept first: %w", err)
	}
	if err := e.replace(old, data); err != nil {
		return Edited{Backup: done.Backup}, err
	}
	return done, nil
}

// settings is a settings file as it was read.
type settings struct {
	path string // as it was named
	real string // where its bytes are; empty when there is none
	info fs.FileInfo
	data []byte
}

// none is what settings that are not there are taken for.
const none = "{}\n"

// open reads a settings file. It waits for no writer of a FIFO.
func (e Editor) open(path string) (*settings, error) {
	s := &settings{path: path, data: []byte(none)}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	var err error
	if s.real, err = filepath.EvalSymlinks(path); err != nil {
		return nil, fmt.Errorf("leads to no file that can be read: %w", plainError(err))
	}
	if s.info, err = os.Stat(s.real); err != nil {
		return nil, fmt.Errorf("cannot be looked at: %w", plainError(err))
	}
	switch {
	case !s.info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case e.Private != nil && e.Private(s.real):
		return nil, errors.New("leads to a file that is private and never opened")
	case s.info.Size() > maxSettings:
		return nil, errors.New("is too large for settings")
	}
	if s.data, err = os.ReadFile(s.real); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", plainError(err))
	}
	return s, nil
}

// changed gives what a change makes of settings.
func (s *settings) changed(change func([]byte) ([]byte, error)) ([]byte, Edited, error) {
	data, err := change(s.data)
	if err != nil {
		return nil, Edited{}, err
	}
	if err := valid(data); err != nil {
		return nil, Edited{}, fmt.Errorf("would not be JSON any more: %w", err)
	}
	if bytes.Equal(data, s.data) {
		return data, Edited{}, nil
	}
	if s.real == "" {
		return data, Edited{Changed: true, Made: true}, nil
	}
	if s.info.Mode().Perm()&0o200 == 0 {
		return nil, Edited{}, errors.New("is read-only")
	}
	return data, Edited{Changed: true}, replaceable(s.info)
}

// create makes settings where there are none.
func (e Editor) create(s *settings, data []byte) error {
	if e.Last != nil {
		e.Last()
	}
	err := own.Create(s.path, data)
	switch {
	case errors.Is(err, fs.ErrExist):
		return ErrChanged
	case err != nil:
		return fmt.Errorf("cannot be made: %w", plainError(err))
	}
	return nil
}

// backup keeps what settings hold in a folder of seshat's own.
func (e Editor) backup(s *settings) (string, error) {
	if err := own.MakeFolder(e.Backups); err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(s.path+"\x00"), s.data...))
	path := filepath.Join(e.Backups, fmt.Sprintf("settings-%s-%s.json", e.Now().UTC().Format("20060102T150405Z"), hex.EncodeToString(sum[:4])))
	if err := own.Create(path, s.data); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return path, nil
}

// replace puts other bytes in the place of settings, if they are still what was read.
func (e Editor) replace(s *settings, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(s.real), "."+filepath.Base(s.real)+"-seshat-*")
	if err != nil {
		return fmt.Errorf("cannot be replaced in its folder: %w", plainError(err))
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(s.info.Mode().Perm()), keepOwner(f, s.info), f.Sync())
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("cannot be written anew: %w", plainError(err))
	}
	if e.Last != nil {
		e.Last()
	}
	if !e.same(s) {
		return ErrChanged
	}
	if err := os.Rename(f.Name(), s.real); err != nil {
		return fmt.Errorf("cannot be replaced: %w", plainError(err))
	}
	syncFolder(filepath.Dir(s.real))
	return nil
}

// same reports whether the settings are what was read, at the same place.
func (e Editor) same(s *settings) bool {
	now, err := e.open(s.path)
	return err == nil && now.real == s.real && os.SameFile(now.info, s.info) && now.info.Mode() == s.info.Mode() && bytes.Equal(now.data, s.data)
}

// syncFolder makes a new name in a folder last, where that can be.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// plainError leaves the path out of an error: who gets it names the file.
func plainError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
