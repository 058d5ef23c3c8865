package query

import (
	"slices"

	"github.com/seshat-dev/seshat/record"
)

// Match says how the values of a field are compared.
type Match int

// The ways to compare. All but times fold case.
const (
	BySubstring Match = iota // the value stands anywhere in the field
	ByPathPart               // likewise in a path, where / and \ are one; a * asks for the path's end
	ByWhole                  // the whole field, with * and ? as globs
	ByFolder                 // the whole path, or its last part where the value has no slash, with globs
	ByProject                // the project's name; where the value has a slash, its path part by part
	ByTime                   // a moment, or a stretch of time
	ByNumber                 // a number or an address that ends in it
)

// Field is one row of the registry that the parser, help pages, completions and
// other faces read.
type Field struct {
	Name    string
	Help    string // one line, without a full stop
	Takes   string // what a value is, for people
	Match   Match
	Values  []string // all there are, where that is known
	Example string
}

// Globs reports whether * and ? in an unquoted value are wildcards.
func (f Field) Globs() bool { return f.Match != BySubstring && f.Match != ByTime }

// Ordered reports whether the field takes >, <, and [a TO b].
func (f Field) Ordered() bool {
	switch f.Match {
	case ByWhole, ByNumber:
		return true
	case ByTime:
		return f.Name == "time"
	}
	return false
}

// Fields lists the fields in the order of help pages.
func Fields() []Field { return slices.Clone(fields) }

// Lookup finds a field by its name.
func Lookup(name string) (Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

var fields = []Field{
	{Name: "agent", Help: "the program that wrote the record", Takes: "an agent", Match: ByWhole, Example: "agent:claude"},
	{Name: "store", Help: "the kind of file that holds the record", Takes: "a store's id", Match: ByWhole, Example: "store:claude.*"},
	{Name: "path", Help: "the file that holds the record", Takes: "part of a path", Match: ByPathPart, Example: "path:~/.claude/projects"},
	{Name: "kind", Help: "what the record is", Takes: "a kind", Match: ByWhole, Values: kinds(), Example: "kind:tool_*"},
	{Name: "scope", Help: "a named set of kinds", Takes: "a scope", Match: ByWhole, Values: names(scopes()), Example: "scope:prompts"},
	{Name: "role", Help: "who speaks", Takes: "a role", Match: ByWhole, Values: names(roles()), Example: "role:assistant"},
	{Name: "model", Help: "the model that answered", Takes: "a model", Match: ByWhole, Example: "model:*opus*"},
	{Name: "tool", Help: "the tool that was called, or gave the result", Takes: "a tool", Match: ByWhole, Example: "tool:Bash"},
	{Name: "text", Help: "the record's own text, never the title", Takes: "text", Match: BySubstring, Example: `text:"connection reset"`},
	{Name: "title", Help: "the title of the session", Takes: "text", Match: BySubstring, Example: "title:deploy"},
	{Name: "session", Help: "the session, by its whole id or a glob", Takes: "an id, or AGENT:ID", Match: ByWhole, Example: "session:3f2a*"},
	{Name: "project", Help: "the project of the session: where it began", Takes: "a name, or a path", Match: ByProject, Example: "project:shop"},
	{Name: "repo", Help: "the repository that the record ran in", Takes: "a path, or a folder's name", Match: ByFolder, Example: "repo:shop"},
	{Name: "cwd", Help: "the folder that the record ran in", Takes: "a path, or a folder's name", Match: ByFolder, Example: "cwd:/srv/shop/*"},
	{Name: "worktree", Help: "the worktree that the record ran in", Takes: "a path, or a folder's name", Match: ByFolder, Example: "worktree:blue"},
	{Name: "branch", Help: "the branch that the record ran on", Takes: "a branch", Match: ByWhole, Example: "branch:feature/*"},
	{Name: "time", Help: "when the record was written", Takes: "a time", Match: ByTime, Values: []string{"today", "yesterday"}, Example: "time:[2026-05-01 TO 2026-05-22]"},
	{Name: "since", Help: "written then or later", Takes: "a time", Match: ByTime, Values: []string{"today", "yesterday"}, Example: "since:3d"},
	{Name: "until", Help: "written then or earlier, the day included", Takes: "a time", Match: ByTime, Values: []string{"today", "yesterday"}, Example: "until:2026-05-22"},
	{Name: "is", Help: "what is particular about the record", Takes: "a mark", Match: ByWhole, Values: marks(), Example: "is:error"},
	{Name: "file", Help: "a path that a tool was asked to work on", Takes: "part of a path", Match: ByPathPart, Example: "file:*.go"},
	{Name: "pr", Help: "a pull request that the session is linked to", Takes: "a number, or an address", Match: ByNumber, Example: "pr:42"},
}

func kinds() []string { return names(record.Kinds()) }

func scopes() []record.Scope {
	return []record.Scope{record.ScopePrompts, record.ScopeConversation, record.ScopeAll}
}

func roles() []record.Role {
	return []record.Role{record.User, record.Assistant, record.Tool, record.System}
}

func names[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// mark is a value of is:. It holds for a record by a flag, or for all records of
// a session by its kind or state.
type mark struct {
	name  string
	flag  record.Flags
	kind  record.SessionKind
	state record.SessionState
}

var markTable = []mark{
	{name: "subagent", flag: record.Subagent, kind: record.KindSubagent},
	{name: "print", flag: record.Print, kind: record.KindPrint},
	{name: "archived", flag: record.Archived, state: record.StateArchived},
	{name: "prompts-only", state: record.StatePromptsOnly},
	{name: "superseded", flag: record.Superseded},
	{name: "replaced", flag: record.Replaced},
	{name: "error", flag: record.Error},
}

func marks() []string {
	var out []string
	for _, m := range markTable {
		out = append(out, m.name)
	}
	return out
}
