// Package cache keeps what was found out about transcripts from one run to the
// next, so that a list of sessions reads only what has changed.
//
// A reader may rely on this. A cache changes how long an answer takes and nothing
// else: what it tells of a file is what reading the file would tell, for it is
// believed only while the file, and the files beside it that count, are the very
// same by size, modification time, change time, device and inode; one that had
// just changed when it was read is not kept at all. A cache that is missing,
// damaged, of another version or of another build of the program tells nothing. A
// cache that cannot be read or written is done without, silently. It may be
// deleted at any time, and several runs may share it. No credential stands in it: of a
// source whose title, folder or name holds one nothing is kept, and it is read anew.
package cache

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/secret"
)

// Identity says which bytes a file holds, as far as a look at its name tells.
// Where a platform knows no change time, size and modification time decide. The
// zero Identity stands for a file that is not there.
type Identity struct {
	Size         int64
	MTime, CTime int64 // in nanoseconds since 1970; 0 when not known
	Dev, Ino     uint64
}

// IdentityOf gives the identity of what info tells about.
func IdentityOf(info agent.Info) Identity {
	id := Identity{Size: info.Size, MTime: nanoseconds(info.MTime)}
	if !info.CTime.IsZero() {
		id.CTime, id.Dev, id.Ino = nanoseconds(info.CTime), info.Dev, info.Ino
	}
	return id
}

func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// settling is how old the last change of a file must be when it is read. In less
// time it may change again without its times telling.
const settling = 2 * time.Second

// settled reports whether a file had its bytes long enough at a moment. One that
// was changed in the future was not.
func (id Identity) settled(at time.Time) bool {
	changed := id.CTime
	if changed == 0 {
		changed = id.MTime
	}
	return at.UnixNano()-changed >= int64(settling)
}

// Entry is what is kept of one source.
type Entry struct {
	// What the source was taken for, and what discovery learnt of it elsewhere.
	Store, Session, Subagent, Elsewhere string
	File                                Identity
	Head                                agent.Head
	Ties                                []agent.Identified // as Adapter.IDs gives them; nil when not known
	Brief                               *agent.Brief       // nil when not known; its IDs are in the entry
	Beside                              []Identity         // of the files beside it that the brief depends on
	// Marks are those of the records, of which Stamp, Kind and Count are kept. They
	// are nil when not known, and known of every brief that shares an id with another.
	Marks []agent.Marked

	ids  []byte   // the brief's, eight bytes each, as they were kept
	list []uint64 // or as they were read
	used bool     // it was given out
}

// IDs gives the ids of the brief, in order, until yield is false.
func (e *Entry) IDs(yield func(uint64) bool) {
	for b := e.ids; len(b) >= 8; b = b[8:] {
		if !yield(number(b)) {
			return
		}
	}
	for _, id := range e.list {
		if !yield(id) {
			return
		}
	}
}

// SetBrief puts a brief into an entry, which holds on to its ids.
func (e *Entry) SetBrief(b agent.Brief) {
	e.ids, e.list = nil, b.IDs
	b.IDs = nil
	e.Brief, e.Head = &b, b.Head
}

// count is how many ids there are.
func (e *Entry) count() int { return len(e.ids)/8 + len(e.list) }

// Shelf is the entries of one agent's sources. Its methods may be called at the
// same time; an entry that was given out is not changed.
type Shelf struct {
	file  string // where it is kept; empty when it is not
	build string

	mu      sync.Mutex
	entries map[string]*Entry // by path
	changed bool
}

// Current gives the entry of a source while that is the same, or nil.
func (s *Shelf) Current(src *agent.Source, elsewhere string) *Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[src.Path]
	if e == nil || e.File != IdentityOf(src.Info) || e.Store != src.Store.ID || e.Session != src.Session || e.Subagent != src.Subagent || e.Elsewhere != elsewhere {
		return nil
	}
	if !e.used { // else others may be reading it
		e.used = true
	}
	return e
}

// Settled reports whether nothing is to be kept or forgotten: nothing has changed,
// every entry is that of a source that was asked for, and all that have a brief are
// those so many.
func (s *Shelf) Settled(briefs int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed {
		return false
	}
	for _, e := range s.entries {
		if !e.used {
			return false
		}
		if e.Brief != nil {
			briefs--
		}
	}
	return briefs == 0
}

// Fits reports whether the files beside a source are those that the entry's brief
// depends on. names are those files.
func (e *Entry) Fits(src *agent.Source, names []string) bool {
	if e.Brief == nil || len(e.Beside) != len(names) {
		return false
	}
	for i, name := range names {
		if e.Beside[i] == (Identity{}) && rootfs.Absent(src.Root, name) {
			continue
		}
		id, err := lookAt(src, name)
		if err != nil || id != e.Beside[i] {
			return false
		}
	}
	return true
}

// LookBeside gives the identities of files beside a source. ok is false when one
// of them can be neither looked at nor missed.
func LookBeside(src *agent.Source, names []string) (ids []Identity, ok bool) {
	for _, name := range names {
		id, err := lookAt(src, name)
		if err != nil {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

func lookAt(src *agent.Source, name string) (Identity, error) {
	info, err := src.Root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Identity{}, nil
	}
	return IdentityOf(info), err
}

// Put keeps an entry for a source from now on, if nothing that it tells of had
// changed shortly before it was read at that moment, and no credential stands in it. Else
// what was kept of the source is dropped.
func (s *Shelf) Put(src *agent.Source, e Entry, read time.Time) {
	e.Store, e.Session, e.Subagent, e.used = src.Store.ID, src.Session, src.Subagent, false
	unsettled := func(id Identity) bool { return !id.settled(read) }
	leaks := secret.Holds(src.Path) || e.leaks()
	s.mu.Lock()
	defer s.mu.Unlock()
	if leaks || unsettled(e.File) || e.Brief != nil && slices.ContainsFunc(e.Beside, unsettled) {
		_, had := s.entries[src.Path]
		delete(s.entries, src.Path)
		s.changed = s.changed || had
		return
	}
	if s.entries == nil {
		s.entries = map[string]*Entry{}
	}
	s.entries[src.Path], s.changed = &e, true
}

// leaks reports whether a credential stands in any text that would be written. A marker
// in its place would not do: titles are looked through as they are, and what a marker
// says depends on a key that may change.
func (e *Entry) leaks() bool {
	w := writer{look: true}
	w.entry(e)
	return w.leak
}

// Drop forgets the source at a path.
func (s *Shelf) Drop(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, had := s.entries[path]; had {
		delete(s.entries, path)
		s.changed = true
	}
}

// HeadsOnly forgets all but the heads of sources at certain paths.
func (s *Shelf) HeadsOnly(of func(path string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, e := range s.entries {
		if e.Brief != nil && of(path) {
			head := *e
			head.Brief, head.Beside, head.Marks, head.ids, head.list = nil, nil, nil, nil, nil
			s.entries[path], s.changed = &head, true
		}
	}
}

// Keep drops what is kept of sources that are no longer there or no longer the
// same. srcs are all there are, elsewhere what discovery learnt of each.
func (s *Shelf) Keep(srcs []*agent.Source, elsewhere func(*agent.Source) string) {
	current := make([]*Entry, len(srcs))
	n := 0
	for i, src := range srcs {
		if current[i] = s.Current(src, elsewhere(src)); current[i] != nil {
			n++
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n == len(s.entries) {
		return
	}
	s.entries, s.changed = make(map[string]*Entry, n), true
	for i, e := range current {
		if e != nil {
			s.entries[srcs[i].Path] = e
		}
	}
}
