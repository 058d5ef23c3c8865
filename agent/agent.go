// Package agent is the one door to the programs that write sessions. It defines
// what an adapter for one of them must give, and the values that pass through
// that door: where to look (Env), the folders found there (Root), the files in
// them (Source), what is wanted of a file (Plan) and what comes out (Item).
//
// A reader may rely on this. An adapter gets its whole world from an Env value:
// it reads no environment variable, asks for no home folder and opens no file
// but through a Root, so a test can hand it any world. Everything that is
// particular to one agent lives in its adapter and nowhere else.
package agent

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

// Adapter reads the data of one agent.
type Adapter interface {
	// Name is the agent's word: claude, gemini ...
	Name() string
	// Catalog lists the stores that the agent keeps.
	Catalog() *catalog.Catalog
	// Discover finds the agent's sources in an environment. It opens only what
	// it needs to know where to look further, never blocks on a special file,
	// and puts what it could not look into among the Inventory's problems.
	Discover(ctx context.Context, env Env) (*Inventory, error)
	// Places lists the folders that the agent may keep data in, whether they are
	// there or not, with the head that patterns have there. Known repositories are
	// not among them.
	Places(env Env) []Place
	// Read yields what stands in a source, in the order of the file. A non-nil
	// error is the last thing yielded and is final for this source only.
	Read(ctx context.Context, src *Source, plan Plan) iter.Seq2[Item, error]
	// Head reads the head of a source: what places its session among the others.
	Head(ctx context.Context, src *Source) (Head, error)
	// Holds reports whether a source may hold a record with one of the ids. It is
	// quick, and may say yes too often.
	Holds(ctx context.Context, src *Source, ids map[string]bool) (bool, error)
	// IDs gives the ids that stand in a transcript with their times, in order. It is
	// what tells a session from its copies, and quicker than reading records.
	IDs(ctx context.Context, src *Source) ([]Identified, error)
	// Summarize reads a transcript once and tells about its session. The handle,
	// project and number of subagents are left to the caller.
	Summarize(ctx context.Context, src *Source) (Summary, error)
	// Locate tells where a transcript's session ran from what stands elsewhere than in
	// its head: in the rest of the file, and in what is near. It tells as much as it
	// is sure of, and is asked only where the head does not settle it.
	Locate(ctx context.Context, src *Source, near Near) record.Origin
	// Remember gives the sessions that a store beside the transcripts names: their
	// ids, and what it tells of them. Most stores name none.
	Remember(ctx context.Context, src *Source) ([]record.Session, error)
}

// Near is what stands beside a source whose place is looked for.
type Near struct {
	Sources []*Source            // of all agents
	CWD     func(*Source) string // the working folder that the head of a transcript tells
}

// Place is a folder that patterns of a head start in.
type Place struct {
	Dir  string
	Head catalog.Head
}

// Head is what the head of a source tells.
type Head struct {
	Time       time.Time // the first that stands in it; zero when it tells none
	CWD        string    // the first working folder
	Background bool      // the first line that tells says that a background process wrote it
}

// Identified is an id that an agent gave a record, and the record's time.
type Identified struct {
	ID   string
	Time time.Time
}

// Summary is what one pass over a transcript tells about its session.
type Summary struct {
	Session record.Session
	Damage  []Damage
	Records []Marked // one for each record, in order
	Inline  int      // subagents whose lines stand inside the transcript
	// Worktrees are those that the transcript says belong to a repository, and
	// Branches those that its lines name, in order.
	Worktrees []Worktree
	Branches  []string
}

// Worktree is a working tree with a folder of the repository that it is of.
type Worktree struct{ Path, Repo string }

// Marked is what a summary keeps of a record.
type Marked struct {
	Mark  Mark
	Time  time.Time
	Kind  record.Kind
	Count bool // it counts towards its session: not superseded, not a subagent's
}

// Mark tells records apart that are not the same and stands for their id, kind,
// role, tool and text. It is 0 for a record without an id of its agent,
// and for a preamble.
type Mark uint64

// markSeed makes marks of one process comparable; they are never stored.
var markSeed = maphash.MakeSeed()

// MarkOf gives the mark of a record.
func MarkOf(r *record.Record) Mark {
	if !r.Named() || r.Preamble {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(markSeed)
	for _, s := range []string{r.Agent, r.ID, string(r.Kind), string(r.Role), r.Tool, r.Text} {
		h.WriteString(s)
		h.WriteByte(0)
	}
	return Mark(h.Sum64() | 1)
}

// ErrNoReader says that a store is known but nothing can read it yet. Its
// sources count as failed, so that no answer claims to be complete.
var ErrNoReader = errors.New("seshat cannot read this store yet")

// Env is the world an adapter looks at, as plain values.
type Env struct {
	Home    string            // the user's home folder, absolute
	GOOS    string            // platform, as runtime.GOOS spells it
	Vars    map[string]string // environment variables; an empty one counts as unset
	TempDir string            // the system's temporary folder
	Roots   []Location        // folders named by flags or the config for this agent
	Replace bool              // Roots stand instead of the default ones, not beside them
	Wide    bool              // also look at side places: known repositories, machine-wide settings
	WorkDir string            // the current folder, to resolve relative paths
	// Private reports whether an absolute path, of a file or a folder, is of a
	// private store of any agent, so that no link or setting can lead into one. It
	// may be nil.
	Private func(path string, folder bool) bool
	// Open gives the folder at an absolute path as a Root. Side places and every
	// root of the agent are opened with it.
	Open func(dir string) (Root, error)
}

// Replaced reports whether flags name all the roots there are.
func (e Env) Replaced() bool { return e.Replace && len(e.Roots) > 0 }

// Abs resolves a path of a variable or flag: ~ is the home, a relative one is
// below the current folder.
func (e Env) Abs(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		return filepath.Join(e.Home, path[1:])
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.WorkDir, path)
}

// Location is a folder that an agent may keep its data in.
type Location struct {
	Dir   string // absolute
	Named string // who named it: a flag, a variable, the config; empty for a default place
}

// Inventory is what discovery found of one agent.
type Inventory struct {
	Agent    string
	Roots    []Location // the data folders that were looked at
	Sources  []*Source
	Problems []Problem
}

// Missing notes a data folder that could not be opened. A default one that is
// not there is simply not there; one that somebody named is a problem.
func (inv *Inventory) Missing(loc Location, err error) {
	if loc.Named == "" && errors.Is(err, fs.ErrNotExist) {
		return
	}
	why := "cannot be opened as a data folder: " + Reason(err)
	if loc.Named != "" {
		why = "named by " + loc.Named + ", " + why
	}
	inv.Problems = append(inv.Problems, Problem{Path: loc.Dir, Reason: why, Reach: catalog.Search})
}

// Problem is a place that discovery could not look into. It counts as a failed
// source.
type Problem struct {
	Path   string
	Reason string
	Reach  catalog.Coverage // the most open coverage of what the place may hold
}

// Source is one real file, or a folder that is one row of the catalogue.
type Source struct {
	Agent   string
	Store   *catalog.Store
	Root    Root
	Name    string // slash-separated, below the root
	Path    string // absolute, for people and other programs
	Info    Info
	Problem string // why it cannot be read; empty when nothing is known against it

	Session  string // id of the session it belongs to, if any
	Subagent string // id of the subagent whose transcript it is
	Family   string // what the sources of one session have in common; empty outside sessions
	Rank     int    // among the transcripts of one session, the lowest stands for it
}

// Transcript reports whether the source is a session's own transcript.
func (s *Source) Transcript() bool { return s.Store.Role == "primary_chat" && s.Subagent == "" }

// Open opens the source for reading.
func (s *Source) Open() (File, error) { return s.Root.Open(s.Name) }

// Plan says what is wanted of a source.
type Plan struct {
	// Candidate, when set, is the byte test: it is asked for the bytes of every
	// line before records are made of it, and a line that it refuses holds no
	// record that is wanted. It may pass too much. Damage is reported either way.
	// It is nil when no text is looked for.
	Candidate func(line []byte) bool
	// Every asks for the records of every line all the same: the byte test then only
	// tells whether damage may hold what is looked for.
	Every bool
	// Bare says that of a record only its id, kind, place, text and time are wanted,
	// and whether it was superseded.
	Bare bool
	// Drift asks for everything that is new in a source to be reported as unknown,
	// also what holds no record: keys, versions, types of attachments.
	Drift bool
	// Titles asks for the session's title on every record, which may take a
	// pass over the source of its own.
	Titles bool
}

// Passes applies the byte test; without one everything passes.
func (p Plan) Passes(line []byte) bool { return p.Candidate == nil || p.Candidate(line) }

// Item is one thing that stands in a source: exactly one field is set.
type Item struct {
	Record  *record.Record
	Damage  *Damage
	Unknown *Unknown
}

// Damage is a stretch of a source that could not be read as it should. What was
// salvaged from it is yielded as records all the same.
type Damage struct {
	Line    int   // 1-based
	Bytes   int64 // length of the line
	Reason  string
	Pending bool // an unterminated last line that may still be written
	Cleared bool // the plan's byte test refuses the line: no record that is wanted was lost
}

// Quoted writes a word of a file for a message: quoted, and no more than its first
// forty characters.
func Quoted(word string) string {
	if r := []rune(word); len(r) > 40 {
		word = string(r[:40])
	}
	return strconv.Quote(word)
}

// Unknown is a type, block or key that no reader knows, with one place of it.
type Unknown struct {
	What string // for example "record type foo"
	Line int
	Lost bool // the plan's byte test lets its line pass: what is wanted may stand in it unread
}
