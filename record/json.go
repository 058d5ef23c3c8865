package record

import (
	"encoding/json"
	"time"
)

// The schema names. Within /1 keys are only ever added.
const (
	RecordSchema  = "seshat.record/1"
	SessionSchema = "seshat.session/1"
	StoreSchema   = "seshat.store/1"
	SourceSchema  = "seshat.source/1"
	SummarySchema = "seshat.summary/1"
	ProjectSchema = "seshat.project/1"

	// ExpiringSchema is of one source that its agent will delete.
	ExpiringSchema = "seshat.expiring/1"
	// HookSchema is of the hook that has ended sessions archived.
	HookSchema = "seshat.hook/1"
	// RestoredSchema is of one file that was put back.
	RestoredSchema = "seshat.restored/1"
	// SecretSchema is of one credential with its places.
	SecretSchema = "seshat.secret/1"
	// ArchivedSchema is of what became of one file in a run of archive.
	ArchivedSchema = "seshat.archived/1"
	// ArchiveSchema is of the archive as a whole.
	ArchiveSchema = "seshat.archive/1"
	// FaultSchema is of one damaged spot in the archive.
	FaultSchema = "seshat.fault/1"
	// ExportedSchema is of one file that was written back out of the archive.
	ExportedSchema = "seshat.exported/1"
	// ForgottenSchema is of one file that the archive was made to forget.
	ForgottenSchema = "seshat.forgotten/1"
	// ScrubbedSchema is of one file that credentials were masked in, or still stand in.
	ScrubbedSchema = "seshat.scrubbed/1"
)

// Stamp is a time as JSON shows it: RFC 3339 in UTC with milliseconds. The zero
// time is absent under omitzero.
type Stamp time.Time

// IsZero reports whether the time is unknown.
func (s Stamp) IsZero() bool { return time.Time(s).IsZero() }

// MarshalJSON writes the time, or null when it is unknown.
func (s Stamp) MarshalJSON() ([]byte, error) {
	t := time.Time(s)
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return []byte("null"), nil
	}
	return []byte(t.UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

// Home shortens the paths of this package's values for output. It is given an
// absolute path and returns what is printed; nil leaves paths as they are.
type Home func(path string) string

// Short gives what is printed of a path; of none, nothing.
func (h Home) Short(p string) string {
	if h == nil || p == "" {
		return p
	}
	return h(p)
}

func (h Home) origin(o Origin) Origin {
	o.CWD, o.Repo, o.Worktree = h.Short(o.CWD), h.Short(o.Repo), h.Short(o.Worktree)
	return o
}

type recordJSON struct {
	Schema   string       `json:"schema"`
	Agent    string       `json:"agent"`
	Store    string       `json:"store"`
	Handle   string       `json:"handle"`
	Session  string       `json:"session,omitempty"`
	ID       string       `json:"id"`
	Parent   string       `json:"parent,omitempty"`
	Kind     Kind         `json:"kind"`
	Role     Role         `json:"role"`
	Time     Stamp        `json:"time,omitzero"`
	Model    string       `json:"model,omitempty"`
	Tool     string       `json:"tool,omitempty"`
	Title    string       `json:"title,omitempty"`
	Origin   Origin       `json:"origin,omitzero"`
	Path     string       `json:"path"`
	Line     int          `json:"line,omitempty"`
	Key      string       `json:"key,omitempty"`
	Subagent *SubagentRef `json:"subagent,omitempty"`
	Flags    []string     `json:"flags,omitempty"`
	Also     []string     `json:"also,omitempty"`
	Text     string       `json:"text"`
}

// JSON gives the value that encoding/json writes as a seshat.record/1 object.
func (r *Record) JSON(h Home) any {
	return recordJSON{
		Schema: RecordSchema, Agent: r.Agent, Store: r.Store, Handle: r.Handle, Session: r.Session,
		ID: r.ID, Parent: r.Parent, Kind: r.Kind, Role: r.Role, Time: Stamp(r.Time), Model: r.Model,
		Tool: r.Tool, Title: r.Title, Origin: h.origin(r.Origin), Path: h.Short(r.Path), Line: r.Line,
		Key: r.Key, Subagent: r.Subagent, Flags: r.Flags.Names(), Also: r.Also, Text: r.Text,
	}
}

type sessionJSON struct {
	Schema      string       `json:"schema"`
	Agent       string       `json:"agent"`
	Handle      string       `json:"handle"`
	ID          string       `json:"id"`
	Kind        SessionKind  `json:"kind"`
	State       SessionState `json:"state"`
	Title       string       `json:"title,omitempty"`
	TitleSource TitleSource  `json:"title_source,omitempty"`
	Project     Project      `json:"project,omitzero"`
	Origin      Origin       `json:"origin,omitzero"`
	Models      []string     `json:"models,omitempty"`
	Started     Stamp        `json:"started,omitzero"`
	LastActive  Stamp        `json:"last_active,omitzero"`
	Counts      Counts       `json:"counts"`
	Subagents   *int         `json:"subagents,omitempty"` // pointers: a zero that is known is there
	Path        string       `json:"path,omitempty"`
	Bytes       *int64       `json:"bytes,omitempty"`
	Expires     Stamp        `json:"expires,omitzero"`
	PRs         []string     `json:"prs,omitempty"`
	Copied      *int         `json:"copied,omitempty"`
	CopiedFrom  string       `json:"copied_from,omitempty"`
}

// JSON gives the value that encoding/json writes as a seshat.session/1 object.
func (s *Session) JSON(h Home) any {
	p := s.Project
	p.Root, p.Worktree = h.Short(p.Root), h.Short(p.Worktree)
	out := sessionJSON{
		Schema: SessionSchema, Agent: s.Agent, Handle: s.Handle, ID: s.ID, Kind: s.Kind, State: s.State,
		Title: s.Title, TitleSource: s.TitleSource, Project: p, Origin: h.origin(s.Origin), Models: s.Models,
		Started: Stamp(s.Started), LastActive: Stamp(s.LastActive), Counts: s.Counts,
		Path: h.Short(s.Path), Expires: Stamp(s.Expires), PRs: s.PRs, CopiedFrom: s.CopiedFrom,
	}
	if s.State != StatePromptsOnly {
		out.Subagents, out.Bytes, out.Copied = &s.Subagents, &s.Bytes, &s.Copied
	}
	return out
}

// Warning is one thing that an answer had to say about a source.
type Warning struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// SourceCounts says how many sources an answer read and how many it could not.
type SourceCounts struct {
	Read   int `json:"read"`
	Failed int `json:"failed"`
}

// Hidden counts what a default left out.
type Hidden struct {
	Print      int `json:"print"`
	Subagent   int `json:"subagent"`
	Superseded int `json:"superseded"`
	Copy       int `json:"copy"`
	Excluded   int `json:"excluded"`
}

// Answer is the seshat.summary/1 object: how complete an answer is.
type Answer struct {
	Matches      int
	Sources      SourceCounts
	DamagedLines int
	Pending      int // unterminated last lines that do not parse yet
	Hidden       Hidden
	Complete     bool
	Warnings     []Warning
	Bytes        int64 // size of the sources that were read; not printed in JSON
}

type answerJSON struct {
	Schema       string       `json:"schema"`
	Matches      int          `json:"matches"`
	Sources      SourceCounts `json:"sources"`
	DamagedLines int          `json:"damaged_lines"`
	Pending      int          `json:"pending"`
	Hidden       Hidden       `json:"hidden"`
	Complete     bool         `json:"complete"`
	Warnings     []Warning    `json:"warnings"`
}

// JSON gives the value that encoding/json writes as a seshat.summary/1 object.
func (a *Answer) JSON(h Home) any {
	warnings := make([]Warning, len(a.Warnings))
	for i, w := range a.Warnings {
		w.Path = h.Short(w.Path)
		warnings[i] = w
	}
	return answerJSON{
		Schema: SummarySchema, Matches: a.Matches, Sources: a.Sources, DamagedLines: a.DamagedLines,
		Pending: a.Pending, Hidden: a.Hidden, Complete: a.Complete, Warnings: warnings,
	}
}

var _ json.Marshaler = Stamp{}
