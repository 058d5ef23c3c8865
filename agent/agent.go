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
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"strconv"
	"strings"

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
	// Brief tells of a transcript what a list of sessions needs. It says the same as
	// Head and Summarize and is as quick as it can be: where it can do without, no
	// text is decoded.
	Brief(ctx context.Context, src *Source) (Brief, error)
	// Beside names the files of a source's root that Brief looks into where they are
	// there, and Elsewhere tells what discovery learnt that Head and Brief use. While
	// these and the bytes of the source stay the same, so do Head and Brief.
	Beside(src *Source) []string
	Elsewhere(src *Source) string
	// Place tells what a transcript itself says of where its session ran. It says the
	// same as Summarize and Brief, and is quicker where less of the file tells it.
	Place(ctx context.Context, src *Source) Told
	// Locate tells where a transcript's session ran from what stands elsewhere than in
	// its head: in the rest of the file, and in what is near. It tells as much as it
	// is sure of, and is asked only where the head does not settle it.
	Locate(ctx context.Context, src *Source, near Near) record.Origin
	// Remember gives the sessions that a store beside the transcripts names: their
	// ids, and what it tells of them. Most stores name none.
	Remember(ctx context.Context, src *Source) ([]record.Session, error)
	// Retention tells which sources the agent's own clean-up will delete, when and
	// why. Of settings only the keys on retention are looked at, and nothing that is
	// private. It asks for no time: dates that have passed are given too.
	Retention(ctx context.Context, env Env, q Cleaning) (Retention, error)
	// Launch tells how the agent is started with the session of a transcript. It is an
	// *IDError where the agent would not take the session's id.
	Launch(env Env, src *Source, how Start) (Launch, error)
	// Running lists the processes that say they have the session of a transcript open.
	// They may have ended without saying so, or have gone on to another.
	Running(ctx context.Context, src *Source) ([]Running, error)
	// Return tells what putting a session back would do to it and to others there.
	Return(ctx context.Context, env Env, r Returning) (Return, error)
	// Keeping tells what an archive keeps of the agent beside the sources whose store is
	// of family yes.
	Keeping() Keeping
	// Belongs gives the id of the session that a source goes with, whatever its store;
	// empty where its place tells none.
	Belongs(src *Source) string
	// Lone gives the name that a transcript has in a data folder, of which only the file
	// itself is left with its own name; empty where it tells too little, or is another
	// agent's.
	Lone(ctx context.Context, name string, f File) string
	// Prompts finds, in a log of the prompts of many sessions, the bytes that tell what
	// was typed in some of them, by their ids. Where they are blank the log says as much
	// of all others as before. Of a source of another store there are none.
	Prompts(ctx context.Context, store *catalog.Store, f File, of map[string]bool) ([]Stretch, error)
}

// Near is what stands beside a source whose place is looked for.
type Near struct {
	Sources []*Source            // of all agents
	CWD     func(*Source) string // the working folder that the head of a transcript tells
	// Told gives what Place tells of a source where that is known. It may be nil.
	Told func(*Source) (Told, bool)
}

// Place gives what a source itself says of its place, and asks its adapter only where
// that is not known.
func (n Near) Place(ctx context.Context, a Adapter, src *Source) Told {
	if n.Told != nil {
		if t, known := n.Told(src); known {
			return t
		}
	}
	return a.Place(ctx, src)
}

// Told is what a transcript says of where its session ran.
type Told struct {
	Origin    record.Origin
	Worktrees []Worktree // that it says belong to a repository
}

// Place is a folder that patterns of a head start in.
type Place struct {
	Dir  string
	Head catalog.Head
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
	// Candidate, when set, is the byte test: a line that it refuses holds no record
	// that is wanted. It may pass too much. It is nil when no text is looked for.
	//
	// Damage is reported wherever a line was looked at: of a source in which no line
	// passes, and of lines that look whole by their ends, it need not be.
	Candidate ByteTest
	// Barren says that the byte test let nothing of the source pass a moment ago, so that
	// a reading for what passes alone need not look again.
	Barren bool
	// Every asks for the records of every line all the same: the byte test then only
	// tells whether damage may hold what is looked for.
	Every bool
	// Bare says that of a record only its id, kind, place, text and time are wanted,
	// and whether it was superseded.
	Bare bool
	// Count, where it is set beside Bare and a byte test, says that of records only the
	// numbers of lines that match are wanted. Those that it can count without making a
	// record of them an adapter gives as Counted, all others as records.
	Count LineCounter
	// Score, where it is set beside Bare and a byte test, says that of a record only is
	// wanted how a term stands in it. Those of which it can tell without decoding them an
	// adapter gives as Scored, all others as records.
	Score TermScorer
	// Unnamed, where it is set beside Score, is called where nothing that names a session
	// has the term, files beside the transcript aside. byPrompt says that its title may
	// have it all the same where that is of record.TitlePrompt. It need not be called.
	Unnamed func(byPrompt bool)
	// Only, where it is set beside Bare, asks for the records of these lines alone, of
	// which an earlier reading gave all as Scored. They are in the order of the file.
	Only []Scored
	// Drift asks for everything that is new in a source to be reported as unknown,
	// also what holds no record: keys, versions, types of attachments.
	Drift bool
	// Titles asks for the session's title on every record, which may take a
	// pass over the source of its own.
	Titles bool
	// Told, when set, is given what Place would give, by a reading that passes over all
	// of a source and finds no line in it that is wanted. Other readings need not, but may.
	Told func(Told)
}

// Passes applies the byte test; without one everything passes.
func (p Plan) Passes(line []byte) bool { return p.Candidate == nil || p.Candidate.Next(line, 0) >= 0 }

// ByteTest looks over raw bytes for places where what is wanted may stand.
type ByteTest interface {
	// Next gives the first such place from an index on, or -1. b holds whole lines,
	// and from is the start of one or stands behind an earlier place.
	Next(b []byte, from int) int
}

// Loose gives the byte test for files in which what stands on one line of a text may
// be taken from several lines of the file, such as JSON that is laid out for people.
func Loose(t ByteTest) ByteTest {
	if strict, ok := t.(interface{ Loose() ByteTest }); ok {
		return strict.Loose()
	}
	return t
}

// LineTest is a byte test that looks at each line as a whole.
type LineTest func(line []byte) bool

// Next gives the start of the first line from an index on that passes, or -1.
func (t LineTest) Next(b []byte, from int) int {
	for from < len(b) || from == 0 {
		end := bytes.IndexByte(b[from:], '\n')
		if end < 0 {
			end = len(b) - from
		}
		if t(b[from : from+end]) {
			return from
		}
		from += end + 1
	}
	return -1
}

// LineCounter counts matching lines in texts that are still JSON. It can be used by
// several readers at once.
type LineCounter interface {
	// Wants reports whether records of a kind are wanted.
	Wants(kind record.Kind) bool
	// Count gives the number of lines that match in a text: a prefix without line
	// breaks and then what the inside of a JSON string stands for. It is negative where
	// only the whole text would tell.
	Count(prefix, raw []byte) int
}

// Counted is what is left of a record of which only the number of its matching lines
// is wanted. There is at least one, and its agent did not take it back.
type Counted struct {
	Mark  Mark
	Lines int
}

// Item is one thing, or a number of counted or scored records, that stands in a source:
// exactly one field is set.
type Item struct {
	Record  *record.Record
	Damage  *Damage
	Unknown *Unknown
	Counted []Counted
	Scored  []Scored
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

// Quoted writes a word of a file for a message: quoted, and of one that is longer than
// any name only its beginning. A piece of a credential could not be told for what it is,
// so that it is shorter than would help anybody.
func Quoted(word string) string {
	if r := []rune(word); len(r) > 40 {
		word = string(r[:10]) + "…"
	}
	return strconv.Quote(word)
}

// Count writes a number with its word for a message, in the plural where it must be.
func Count(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Unknown is a type, block or key that no reader knows, with one place of it.
type Unknown struct {
	What string // for example "record type foo"
	Line int
	Lost bool // the plan's byte test lets its line pass: what is wanted may stand in it unread
}
