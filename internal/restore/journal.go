package restore

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// Journals is the folder of seshat's own in which a run notes what it does.
type Journals struct {
	Dir string
	Now func() time.Time // the modification time of what is put back; time.Now when nil

	plain bool // names are given as on systems that cannot do it in one step
}

func (js Journals) now() time.Time {
	if js.Now == nil {
		return time.Now()
	}
	return js.Now()
}

// stage is how far a run is.
type stage string

const (
	staging    stage = "staging"    // bytes are written under other names; nothing is to be seen yet
	publishing stage = "publishing" // all bytes are there, names are being given
	published  stage = "published"  // all names are given; what gave way may go
	undoing    stage = "undoing"    // names are being taken back: those of the steps that are Given
)

// journal is what one run is about to do. Names may be any bytes, which is why they
// are not written as text.
type journal struct {
	Version int      `json:"version"`
	Target  []byte   `json:"target"` // absolute, links followed
	Stage   stage    `json:"stage"`
	Folders [][]byte `json:"folders,omitempty"` // that are made, outer ones first
	Steps   []step   `json:"steps"`

	lock *own.Lock
	path string
}

// step is one file of a run.
type step struct {
	Name []byte `json:"name"` // path below the target
	Temp []byte `json:"temp"` // where its bytes are written first, in the same folder
	Size int64  `json:"size"`
	Sum  []byte `json:"sum"`
	Over bool   `json:"over,omitempty"` // another file gives way
	// Given says, once a run is being undone, that the file had its name before. By then
	// the missing of its other name tells nothing.
	Given bool `json:"given,omitempty"`
}

// aside is the name that a file which gives way has for a moment, where the system
// cannot exchange two names.
func (s step) aside() string { return string(s.Temp) + ".old" }

func (s step) sum() (sum [sha256.Size]byte) {
	copy(sum[:], s.Sum)
	return sum
}

const (
	journalVersion = 1
	journalEnd     = ".json"
	lockEnd        = ".lock"
)

// begin makes a journal and takes its lock.
func (js Journals) begin(target string, files []File) (*journal, error) {
	if err := own.MakeFolder(js.Dir); err != nil {
		return nil, fmt.Errorf("the journal cannot be written: %w", err)
	}
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	name := hex.EncodeToString(id[:])
	j := &journal{Version: journalVersion, Target: []byte(target), Stage: staging, path: filepath.Join(js.Dir, name+journalEnd)}
	for i, f := range files {
		path, err := f.place()
		if err != nil {
			return nil, err
		}
		// The end of the name is none that an agent looks for.
		temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".seshat-restore-%s-%d.part", name, i))
		j.Steps = append(j.Steps, step{Name: []byte(path), Temp: []byte(temp), Size: f.Size, Sum: f.Sum[:], Over: f.Over != nil})
	}
	lock, err := own.TakeLock(j.lockPath())
	for tries := 0; errors.Is(err, own.ErrBusy) && tries < 100; tries++ { // Recover looks at it
		time.Sleep(time.Millisecond)
		lock, err = own.TakeLock(j.lockPath())
	}
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be locked: %w", err)
	}
	j.lock = lock
	return j, nil
}

func (j *journal) lockPath() string { return strings.TrimSuffix(j.path, journalEnd) + lockEnd }

// write puts the journal on the disk.
func (j *journal) write() error {
	text, err := json.Marshal(j)
	if err == nil {
		err = own.ReplaceDurably(j.path, text)
	}
	if err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	return nil
}

// end removes a journal whose run is done or undone.
func (j *journal) end() error {
	err := os.Remove(j.path)
	if errors.Is(err, os.ErrNotExist) {
		err = nil // it was not written yet
	}
	return errors.Join(err, j.release(), os.Remove(j.lockPath()))
}

func (j *journal) release() error { return j.lock.Release() }

// open reads a journal that another run left and takes its lock.
func (js Journals) open(name string) (*journal, error) {
	j := &journal{path: filepath.Join(js.Dir, name)}
	lock, err := own.TakeLock(j.lockPath())
	if err != nil {
		return nil, err
	}
	j.lock = lock
	text, err := os.ReadFile(j.path)
	if err == nil {
		if err = json.Unmarshal(text, j); err == nil && j.Version != journalVersion {
			err = fmt.Errorf("is of version %d, and this seshat knows only %d", j.Version, journalVersion)
		}
	}
	if err != nil {
		return nil, errors.Join(err, j.release())
	}
	return j, nil
}

// left lists the journals that are there, and those of which only a lock is.
func (js Journals) left() ([]string, error) {
	entries, err := os.ReadDir(js.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, isLock := strings.CutSuffix(e.Name(), lockEnd); isLock {
			names = append(names, name+journalEnd)
		}
	}
	return names, err
}
