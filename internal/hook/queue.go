package hook

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/own"
)

// Queue is a folder with a file for each session that ended and was not archived
// since. Whoever puts one in waits for nobody.
type Queue struct{ Dir string }

// Entry is one file of it.
type Entry struct {
	Time       time.Time `json:"time"`
	Event      string    `json:"event"`
	Transcript string    `json:"transcript,omitempty"` // to wait for; absolute, links followed
	name       string
}

// full is how many entries are enough: each has the archive look at everything, so that
// a further one would add nothing.
const full = 1000

// Put adds an entry.
func (q Queue) Put(e Entry) error {
	if names, _ := q.names(); len(names) >= full {
		return nil
	}
	if err := own.MakeFolder(q.Dir); err != nil {
		return err
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	var unique [8]byte
	if _, err := rand.Read(unique[:]); err != nil {
		return err
	}
	return own.Create(filepath.Join(q.Dir, fmt.Sprintf("%020d-%s.json", e.Time.UnixNano(), hex.EncodeToString(unique[:]))), append(b, '\n'))
}

// List gives the entries, the oldest first. One that cannot be read is an entry
// without a transcript: somebody wanted the archive to run.
func (q Queue) List() ([]Entry, error) {
	names, err := q.names()
	var out []Entry
	for _, name := range names {
		var e Entry
		path := filepath.Join(q.Dir, name)
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Size() < maxInput {
			if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &e) != nil {
				e = Entry{}
			}
		}
		e.name = name
		out = append(out, e)
	}
	return out, err
}

// Len gives how many entries there are.
func (q Queue) Len() int {
	names, _ := q.names()
	return len(names)
}

// names lists the files of entries that are whole.
func (q Queue) names() (out []string, err error) {
	entries, err := os.ReadDir(q.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !e.IsDir() {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return out, err
}

// Done takes an entry out.
func (q Queue) Done(e Entry) error {
	err := os.Remove(filepath.Join(q.Dir, e.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
