package agent

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// Head is what the head of a source tells.
type Head struct {
	Time       time.Time // the first that stands in it; zero when it tells none
	CWD        string    // the first working folder
	Background bool      // the first line that tells says that a background process wrote it
	Info       Info      // of the file, as it was when opened; zero where none had to be read
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
	Places
}

// Places are what a transcript tells of where its session ran.
type Places struct {
	Worktrees []Worktree // that it says belong to a repository
	Branches  []string   // that its lines name, in order
}

// Worktree is a working tree with a folder of the repository that it is of.
type Worktree struct{ Path, Repo string }

// Marked is what a summary keeps of a record.
type Marked struct {
	Mark  Mark
	Stamp Stamp
	ID    uint64 // what IDHash gives for its id; 0 where Mark is
	Kind  record.Kind
	Count bool // it counts towards its session: not superseded, not a subagent's
}

// Brief is what a list of sessions needs of a transcript.
type Brief struct {
	// Session is that of the transcript alone: what counts towards it does, whether
	// or not it stands in another transcript too.
	Session record.Session
	Damage  []Damage
	Inline  int  // subagents whose lines stand inside the transcript
	Head    Head // as Adapter.Head gives it
	Clock        // zero where the agent goes by the file's own times
	Places
	// IDs are what IDHash gives for the ids of its records, each once. A transcript
	// has records in common with another only where they have such a hash in common.
	IDs []uint64
}

// BriefOf gives the brief that follows from a summary.
func BriefOf(sum Summary, head Head) Brief {
	b := Brief{Session: sum.Session, Damage: sum.Damage, Inline: sum.Inline, Head: head, Places: sum.Places}
	b.Session.Counts = record.Counts{}
	seen := map[Stamp]bool{}
	ids := map[uint64]bool{}
	for _, m := range sum.Records {
		if m.ID != 0 && !ids[m.ID] {
			ids[m.ID] = true
			b.IDs = append(b.IDs, m.ID)
		}
		if m.Count && (m.Stamp == 0 || !seen[m.Stamp]) {
			b.Session.Counts.Add(m.Kind)
		}
		seen[m.Stamp] = true
	}
	return b
}

// Stamp tells records apart as a Mark does, and is the same in every process: it
// can be kept. It costs more.
type Stamp uint64

// StampOf gives the stamp of a record; it is 0 where the mark is.
func StampOf(r *record.Record) Stamp {
	if !r.Named() || r.Preamble {
		return 0
	}
	var b []byte
	for _, s := range identity(r) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	sum := sha256.Sum256(b)
	return Stamp(binary.LittleEndian.Uint64(sum[:]) | 1)
}

// IDHash stands for the id that an agent gave a line, whatever stands behind a #
// left out. It is never 0 and the same in every process.
func IDHash[T string | []byte](id T) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(id) && id[i] != '#'; i++ {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h | 1
}
