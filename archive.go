package seshat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// ArchiveQuery says what Archive keeps.
type ArchiveQuery struct {
	Include  []string             // what is kept only when it is asked for, such as file-history
	Only     []record.SessionKind // only sessions of these kinds
	Projects []string             // only these projects: names, or paths, globs allowed
	Here     bool                 // only the project of the current folder
	Since    time.Time            // only sessions that were active at or after this time
	DryRun   bool                 // nothing is kept, and nothing is opened to be kept

	Progress func(ArchiveProgress) // told now and then how far it is; may be nil

	of   func(search.Source) bool       // which sources of sessions; all when nil
	free func(dir string) (int64, bool) // bytes that may still be written; tests have their own
}

// narrow reports whether only some sessions are kept.
func (q ArchiveQuery) narrow() bool {
	return len(q.Only) > 0 || !q.Since.IsZero() || len(q.Projects) > 0 || q.Here
}

// ArchiveProgress tells how far a run is, in bytes of what is read.
type ArchiveProgress struct{ Done, Total int64 }

// What became of a file in a run of Archive.
const (
	ArchiveKept      = "kept"      // it was not in the archive
	ArchiveGrown     = "grown"     // it was, and what was appended is there now too
	ArchiveVersion   = "rewritten" // it was, with other bytes: these stay as an older version
	ArchiveMoved     = "moved"     // it lies in another folder now
	ArchiveGone      = "gone"      // it is on the disk no more; the archive keeps it
	ArchivePending   = "pending"   // not all of it can be kept yet
	ArchiveFailed    = "failed"    // it could not be read
	ArchiveForgotten = "forgotten" // it was forgotten and is not kept again
)

// ArchiveItem is what became of one file.
type ArchiveItem struct {
	Agent, Store, Session string
	Path                  string // absolute
	Did                   string
	Size                  int64  // of the file
	Added                 int64  // bytes that are kept now and were not before; in a dry run an estimate
	Version               int    // the archive's number for what the file holds now
	Pending               string // why not all of it is kept yet
	Reason                string // why it failed
}

// ArchiveRun is what Archive did.
type ArchiveRun struct {
	Items     []ArchiveItem // of all files but those that are as they were
	Unchanged int
	Added     int64  // bytes that are kept now and were not before
	Stopped   string // why the run ended early: a sentence; empty when it did not
}

// Count tells of how many files something became.
func (r *ArchiveRun) Count(did string) (n int) {
	for i := range r.Items {
		if r.Items[i].Did == did || did == ArchivePending && r.Items[i].Pending != "" {
			n++
		}
	}
	return n
}

// Archive copies what agents may delete into seshat's own archive, byte for byte: what
// belongs to sessions, what kept sessions refer to, prompt logs and memory. It changes
// nothing that an agent owns. A deletion is never mirrored: what is gone from the disk
// stays in the archive and is marked. A file that cannot be read costs only itself. The
// answer's matches are files of which something was kept.
func (l *Library) Archive(ctx context.Context, q ArchiveQuery) (*ArchiveRun, *record.Answer, error) {
	k, err := l.newKeeper(q)
	if err != nil {
		return nil, nil, err
	}
	err = k.run(ctx)
	if cerr := k.close(ctx); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, nil, err
	}
	return l.redaction().ranAndAnswer(k.out, k.answer())
}

// archiveName is the folder of the archive in the data folder.
const archiveName = "archive"

// ArchiveDir gives the folder of the archive, made or not.
func (l *Library) ArchiveDir() (string, error) {
	dir, err := l.dataDir("the archive needs")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, archiveName), nil
}

// ErrNoArchive says that nothing was archived yet.
var ErrNoArchive = errors.New("there is no archive yet; seshat archive makes one")

// openArchive opens the archive for reading.
func (l *Library) openArchive() (*archive.Archive, error) {
	dir, err := l.ArchiveDir()
	if err != nil {
		return nil, err
	}
	a, err := archive.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoArchive
	}
	return a, err
}

// writeArchive opens the archive for writing, and makes it where there is none.
func (l *Library) writeArchive() (*archive.Writer, string, error) {
	dir, err := l.ArchiveDir()
	if err != nil {
		return nil, "", err
	}
	machine, err := own.Machine(filepath.Dir(dir))
	if err != nil {
		return nil, "", err
	}
	w, err := archive.Write(dir, machine, time.Now)
	if err != nil && !strings.Contains(err.Error(), dir) {
		err = fmt.Errorf("the archive %s cannot be written to: %w", dir, err)
	}
	return w, machine, err
}

// sameFile reports whether two looks at a file saw the same.
func sameFile(a, b agent.Info) bool {
	return a.Size == b.Size && a.MTime.Equal(b.MTime) && a.CTime.Equal(b.CTime) && a.Dev == b.Dev && a.Ino == b.Ino
}

// machine gives the id of this machine, or nothing where none was made yet.
func (l *Library) machine() (string, error) {
	dir, err := l.dataDir("the archive needs")
	if err != nil {
		return "", err
	}
	return own.KnownMachine(dir)
}
