// Package record defines what a search can return: the normalised record, the
// session it belongs to, and the words that describe both.
//
// A reader of this package may rely on the following. The types are plain
// values without behaviour that touches a disk. Text is what the agent or the
// person saw, unchanged but for the markers that the library puts in the place of
// credentials: it may hold any character, control characters
// included, so whoever shows it must pass it through internal/term. JSON keys
// stand in one fixed order and are absent when a value is unknown.
package record

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Kind says what a record is. Exactly one applies to each record.
type Kind string

// The record kinds. A scope names a set of them.
const (
	Prompt     Kind = "prompt"      // what a person typed, pastes expanded
	Command    Kind = "command"     // slash and shell-mode input
	Dispatch   Kind = "dispatch"    // what an agent told its subagent
	Reply      Kind = "reply"       // what the agent answered
	Thinking   Kind = "thinking"    // its reasoning, where the agent wrote it down
	ToolCall   Kind = "tool_call"   // a tool asked for, with its input
	ToolResult Kind = "tool_result" // what the tool gave back
	Summary    Kind = "summary"     // compaction, away and session summaries
	Notice     Kind = "notice"      // injected text, hook output, errors
	Document   Kind = "document"    // memory, plans, todos and other inspected files
)

// Kinds lists every kind in the order used by help pages and completions.
func Kinds() []Kind {
	return []Kind{Prompt, Command, Dispatch, Reply, Thinking, ToolCall, ToolResult, Summary, Notice, Document}
}

// Role says who speaks in a record.
type Role string

// The roles. Calls belong to the assistant, their results to the tool.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
	System    Role = "system"
)

// RoleOf gives the role that a record of kind k has.
func RoleOf(k Kind) Role {
	switch k {
	case Prompt, Command, Dispatch:
		return User
	case Reply, Thinking, ToolCall:
		return Assistant
	case ToolResult:
		return Tool
	}
	return System
}

// Scope is a named set of kinds: what a search looks at.
type Scope string

// The scopes, from narrow to wide.
const (
	ScopePrompts      Scope = "prompts"
	ScopeConversation Scope = "conversation"
	ScopeAll          Scope = "all"
)

// Has reports whether records of kind k are in scope s. An empty scope is
// ScopeConversation.
func (s Scope) Has(k Kind) bool {
	switch s {
	case ScopeAll:
		return true
	case ScopePrompts:
		return k == Prompt || k == Command
	}
	return k != Notice && k != Document
}

// Flags is a set of marks on a record.
type Flags uint16

// The marks. Their order is the order in JSON.
const (
	Subagent   Flags = 1 << iota // from a subagent's transcript
	Print                        // from a print-mode or SDK run
	Background                   // from a background session
	Superseded                   // taken back or rewritten by its agent
	Replaced                     // dropped from the agent's view by compression
	Archived                     // only the archive holds it
	Error                        // the agent marked it as failed
	Queued                       // typed while the agent was busy
	Copy                         // the same record stands at an earlier place
	Cut                          // printed shorter than it is
)

var flagNames = [...]string{"subagent", "print", "background", "superseded", "replaced", "archived", "error", "queued", "copy", "cut"}

// Names lists the marks that are set, in their fixed order.
func (f Flags) Names() []string {
	var names []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Origin says where a record ran, as the agent wrote it down.
type Origin struct {
	CWD      string `json:"cwd,omitempty"`
	Repo     string `json:"repo,omitempty"`
	Worktree string `json:"worktree,omitempty"`
	Branch   string `json:"branch,omitempty"`
	CWDHash  string `json:"cwd_hash,omitempty"` // hex SHA-256 of the folder where only that is known
}

// SubagentRef names the subagent that a record comes from.
type SubagentRef struct {
	ID     string `json:"id"`
	Type   string `json:"type,omitempty"`
	Parent string `json:"parent,omitempty"` // id of the agent that started it, when nested
	Model  string `json:"model,omitempty"`  // the alias that was asked for, not the resolved model
}

// Record is the smallest thing a search can return, with its place.
type Record struct {
	Agent    string
	Store    string
	Handle   string // AGENT:ID, unique on this machine
	Session  string // id of the session; a subagent's record names the parent session
	ID       string
	Parent   string // id of the record before it, as the agent wrote it; may dangle
	Kind     Kind
	Role     Role
	Time     time.Time // zero when nothing tells
	Model    string
	Tool     string
	Title    string
	Origin   Origin
	Path     string // absolute path of the source
	Line     int    // 1-based line in the source; 0 in a source without lines
	Key      string // database key, for a source without lines
	Subagent *SubagentRef
	Flags    Flags
	Also     []string // handles of copies
	Text     string

	// Spill is the name of the file that holds the whole of a tool's result,
	// where the result itself only says so. It is not printed.
	Spill string
	// Typed is what a person typed where Text is what it was expanded to. It is not
	// printed.
	Typed string
	// Preamble says that the record stands at the head of every session of its
	// agent, so that no session copied it from another. It is not printed.
	Preamble bool
	// Alias are the ids of later lines whose text became this record's. It is not
	// printed.
	Alias []string
	// Offset is where the line of the source begins, in bytes. It is not printed.
	Offset int64
	// Verbatim says that the lines of Text are lines of the source, the first of
	// them being Line.
	Verbatim bool
}

// Named reports whether the agent itself gave the record its id. Other ids stand
// for a place: L and the number of a line, perhaps with #n behind it.
func (r *Record) Named() bool {
	digits, ok := strings.CutPrefix(r.ID, "L")
	if !ok || digits == "" {
		return true
	}
	digits, _, _ = strings.Cut(digits, "#")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return true
		}
	}
	return digits == ""
}

// maxText is how many bytes of a text are printed. A longer one is searched whole
// and printed cut.
const maxText = 16 << 20

// Shorten cuts the text where it is too long to print, and flags the record.
func (r *Record) Shorten() {
	if len(r.Text) <= maxText {
		return
	}
	r.Text = CutText(r.Text)
	r.Flags |= Cut
}

// CutText gives as much of a text as is printed. It never cuts inside a character.
func CutText(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}
