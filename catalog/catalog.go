// Package catalog describes what agents keep on a disk: one Store per kind of
// file, and the patterns that say which store a path belongs to.
//
// A reader may rely on this. A catalogue is data: it is never changed after it
// was built. Every path below an agent's folder has at most one store. A path
// that no pattern matches is unknown and is not read by anyone. Whether a file
// may be opened at all is decided by its store's coverage, and by nothing else.
package catalog

import (
	"fmt"

	"github.com/seshat-dev/seshat/record"
)

// Coverage says how far a store is read.
type Coverage string

// The coverages. Private files are never opened.
const (
	Search    Coverage = "search"    // read by default
	Inspect   Coverage = "inspect"   // read when asked
	Catalogue Coverage = "catalogue" // known and counted, only safe metadata shown
	Private   Coverage = "private"   // counted by name, never opened
)

// Coverages lists the coverages from most to least open.
func Coverages() []Coverage { return []Coverage{Search, Inspect, Catalogue, Private} }

// Format says how a file of a store is read.
type Format string

// The formats. Directory means that a whole tree is one row; Opaque means bytes
// or a mixture.
const (
	JSONL               Format = "jsonl"
	JSON                Format = "json"
	JSONArray           Format = "json_array"
	Markdown            Format = "markdown"
	MarkdownFrontmatter Format = "markdown_frontmatter"
	Text                Format = "text"
	SQLite              Format = "sqlite"
	Directory           Format = "directory"
	Opaque              Format = "opaque"
)

// Retention says what the agent does with a store over time.
type Retention string

// The retentions.
const (
	Kept          Retention = "kept"           // until the user deletes it
	SweptMTime    Retention = "swept:mtime"    // by the age of the file or folder
	SweptContent  Retention = "swept:content"  // by a date inside the file
	WithSession   Retention = "with-session"   // when its session goes
	AtExit        Retention = "at-exit"        // when the process or team ends
	Rotating      Retention = "rotating"       // bounded by number
	AtEveryStart  Retention = "at-every-start" // emptied at each start of the agent
	LegacyEmptied Retention = "legacy-emptied" // no longer written, cleared by the sweep
	Unknown       Retention = "unknown"
)

// Family says whether a store's files belong to one session.
type Family string

// The families: kept and restored with a session, kept only where a session
// refers to the file, or neither.
const (
	FamilyYes Family = "yes"
	FamilyRef Family = "ref"
	FamilyNo  Family = "no"
)

// Sensitivity is the worst thing that is normally inside.
type Sensitivity string

// The sensitivities. Secret stores hold credentials by design and are always
// private.
const (
	None   Sensitivity = "none"
	Low    Sensitivity = "low"
	Medium Sensitivity = "medium"
	High   Sensitivity = "high"
	Secret Sensitivity = "secret"
)

// Observed says with which version of the agent, and when, a store's shape was
// last confirmed.
type Observed struct {
	Version string `json:"version,omitempty"`
	Date    string `json:"date"` // YYYY-MM-DD
}

// Store is one row of a catalogue: a kind of file that an agent keeps.
type Store struct {
	ID            string   // stable name, AGENT.STORE
	Agent         string   // the agent that writes it
	Paths         []string // patterns, see the package's Pattern
	Format        Format
	Role          string // what it is to its agent: primary_chat, prompt_history, app_state ...
	Coverage      Coverage
	Records       []record.Kind // kinds it can yield; empty unless searched or inspected
	Retention     Retention
	Family        Family
	Sensitivity   Sensitivity
	DuplicateOf   []string // stores whose content it can repeat
	Distinguishes string   // one sentence that tells it from its neighbours, with the trap
	SchemaNotes   string   // what stands in a file of it
	SearchNotes   string   // how it is searched, or why it is not
	Observed      Observed
	Evidence      []string // where each claim comes from
}

// Readable reports whether records can come from the store.
func (s *Store) Readable() bool { return s.Coverage == Search || s.Coverage == Inspect }

// JSON gives the value that encoding/json writes as a seshat.store/1 object.
func (s *Store) JSON() any {
	return struct {
		Schema        string      `json:"schema"`
		ID            string      `json:"id"`
		Agent         string      `json:"agent"`
		Role          string      `json:"role"`
		Format        Format      `json:"format"`
		Paths         []string    `json:"paths"`
		Coverage      Coverage    `json:"coverage"`
		Retention     Retention   `json:"retention"`
		Sensitivity   Sensitivity `json:"sensitivity"`
		Distinguishes string      `json:"distinguishes,omitempty"`
		SchemaNotes   string      `json:"schema_notes,omitempty"`
		SearchNotes   string      `json:"search_notes,omitempty"`
		Observed      Observed    `json:"observed"`
		Evidence      []string    `json:"evidence"`
	}{
		record.StoreSchema, s.ID, s.Agent, s.Role, s.Format, s.Paths, s.Coverage, s.Retention, s.Sensitivity,
		s.Distinguishes, s.SchemaNotes, s.SearchNotes, s.Observed, s.Evidence,
	}
}

// Catalog is the set of an agent's stores.
type Catalog struct {
	Stores []*Store
	byID   map[string]*Store
	pats   []*pattern
}

// New builds a catalogue from rows. It fails on a repeated id or a pattern that
// does not parse: both are mistakes in the program, not in a user's files.
func New(stores []Store) (*Catalog, error) {
	c := &Catalog{byID: make(map[string]*Store, len(stores))}
	for i := range stores {
		s := &stores[i]
		if c.byID[s.ID] != nil {
			return nil, fmt.Errorf("catalogue: %s stands twice", s.ID)
		}
		c.byID[s.ID] = s
		c.Stores = append(c.Stores, s)
		for _, text := range s.Paths {
			p, err := parsePattern(text, s)
			if err != nil {
				return nil, fmt.Errorf("catalogue: %s: %w", s.ID, err)
			}
			c.pats = append(c.pats, p)
		}
	}
	return c, nil
}

// Store gives the row with that id, or nil.
func (c *Catalog) Store(id string) *Store { return c.byID[id] }
