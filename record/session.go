package record

import (
	"strings"
	"time"
	"unicode/utf8"
)

// SessionKind says how a session was run.
type SessionKind string

// The session kinds.
const (
	KindInteractive SessionKind = "interactive"
	KindPrint       SessionKind = "print"
	KindBackground  SessionKind = "background"
	KindSubagent    SessionKind = "subagent"
)

// SessionState says what is left of a session.
type SessionState string

// The session states.
const (
	StateLive        SessionState = "live"         // on disk
	StateArchived    SessionState = "archived"     // only the archive has it
	StatePromptsOnly SessionState = "prompts-only" // only a prompt log remembers it
	StateDamaged     SessionState = "damaged"      // on disk, no record readable
)

// TitleSource says where a session's title comes from.
type TitleSource string

// The title sources, strongest first.
const (
	TitleCustom  TitleSource = "custom"
	TitleAI      TitleSource = "ai"
	TitleSummary TitleSource = "summary"
	TitlePrompt  TitleSource = "prompt"
)

// Project is the repository, or folder, that a session worked in.
type Project struct {
	Name     string `json:"name"`
	Root     string `json:"root,omitempty"`
	Worktree string `json:"worktree,omitempty"`
}

// Counts are the numbers of records in a session's own transcript, copies
// included, superseded ones and subagents left out.
type Counts struct {
	Prompts     int `json:"prompts"`
	Replies     int `json:"replies"`
	ToolCalls   int `json:"tool_calls"`
	ToolResults int `json:"tool_results"`
}

// Add counts one record of kind k.
func (c *Counts) Add(k Kind) {
	switch k {
	case Prompt, Command:
		c.Prompts++
	case Reply:
		c.Replies++
	case ToolCall:
		c.ToolCalls++
	case ToolResult:
		c.ToolResults++
	}
}

// Sum adds the numbers of another part of a session.
func (c *Counts) Sum(other Counts) {
	c.Prompts += other.Prompts
	c.Replies += other.Replies
	c.ToolCalls += other.ToolCalls
	c.ToolResults += other.ToolResults
}

// Session is one conversation, as a list shows it.
type Session struct {
	Agent       string
	Handle      string
	Short       string // a beginning of the id that names it among all sessions that are there, else the handle; set by lists
	ID          string
	Kind        SessionKind
	State       SessionState
	Title       string
	TitleSource TitleSource
	Project     Project
	Origin      Origin
	Models      []string // most used first
	Started     time.Time
	LastActive  time.Time
	Counts      Counts
	Subagents   int
	Path        string // absolute path of the transcript
	Bytes       int64  // size of the transcript
	Expires     time.Time
	PRs         []string
	Copied      int
	CopiedFrom  string
}

// MaxTitle is how many characters of a prompt serve as a title.
const MaxTitle = 200

// FirstWords makes a title of the beginning of a text: one line, not too long.
func FirstWords(text string) string {
	const enough = utf8.UTFMax*MaxTitle + utf8.UTFMax // bytes that hold more characters
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(word[:min(enough, len(word))]); b.Len() > enough {
			break
		}
	}
	words, runes := b.String(), 0
	for i := range words {
		if runes++; runes > MaxTitle {
			return words[:i] + "…"
		}
	}
	return words
}
