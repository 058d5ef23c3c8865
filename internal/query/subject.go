package query

import (
	"strings"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// Facts is a set of what is known of a subject.
type Facts uint8

// The facts. What stands in a record itself is known by its being there.
const (
	KnowsSource  Facts = 1 << iota // Agent, Store, Path
	KnowsSession                   // SessionID
	KnowsProject
	KnowsTitle
	KnowsPRs
	KnowsState

	KnowsAll = KnowsSource | KnowsSession | KnowsProject | KnowsTitle | KnowsPRs | KnowsState
)

// Subject is what is known, so far, of the record or the session that a plan is
// asked about. Fill in what is known and say so in Known; an empty value that is
// known is one that the record lacks. A subject serves one goroutine.
type Subject struct {
	Known     Facts
	Agent     string
	Store     string
	Path      string // absolute
	SessionID string
	Project   record.Project // the session's
	Title     string         // the session's
	PRs       []string       // addresses of the session's pull requests
	State     record.SessionState

	record  *record.Record
	session *record.Session // set where the session itself is the subject
	body    text
	heading text
}

// Of makes a record the subject. What is known of its source and session stays.
// The record tells its own agent, store, path and session, and its title where it
// has one, which then counts for it alone.
func (s *Subject) Of(r *record.Record) *Subject {
	s.record = r
	s.Agent, s.Store, s.Path, s.SessionID = r.Agent, r.Store, r.Path, r.Session
	s.Known |= KnowsSource | KnowsSession
	s.body = text{raw: r.Text}
	return s
}

// OfSession makes a subject of a session without any record: words are looked for
// in its title alone, and no field of a record has a value. store is the store of
// its transcript, and may be empty.
func OfSession(sess *record.Session, store string) *Subject {
	return &Subject{
		Known: KnowsAll, Agent: sess.Agent, Store: store, Path: sess.Path, SessionID: sess.ID, Project: sess.Project,
		Title: sess.Title, PRs: sess.PRs, State: sess.State, session: sess, body: text{raw: sess.Title},
	}
}

// read reports whether the record is known, or known not to be.
func (s *Subject) read() bool { return s.record != nil || s.session != nil }

func (s *Subject) knows(f Facts) bool { return s.Known&f == f }

// title gives the title to look through, and whether it is known: that of the
// record before that of the subject.
func (s *Subject) title() (title *text, known bool) {
	raw, known := s.Title, s.knows(KnowsTitle)
	if s.record != nil && s.record.Title != "" {
		raw, known = s.record.Title, true
	}
	if s.heading.raw != raw {
		s.heading = text{raw: raw}
	}
	return &s.heading, known
}

// origin gives where the subject ran.
func (s *Subject) origin() record.Origin {
	if s.session != nil {
		return s.session.Origin
	}
	return s.record.Origin
}

// times gives when the subject was written, from first to last; zero when that is
// not known.
func (s *Subject) times() (first, last time.Time) {
	if s.session != nil {
		return s.session.Started, s.session.LastActive
	}
	return s.record.Time, s.record.Time
}

// projectPath is project: with a path for its value.
const projectPath = "project path"

// each tests the values that the subject has of a field, until one passes. The
// result counts only if it is known.
func (s *Subject) each(field string, test func(string) bool) (passed, known bool) {
	switch field {
	case "agent":
		return test(s.Agent), s.knows(KnowsSource)
	case "store":
		return test(s.Store), s.knows(KnowsSource)
	case "path":
		return test(s.Path), s.knows(KnowsSource)
	case "session":
		return test(s.SessionID) || s.SessionID != "" && test(s.Agent+":"+s.SessionID), s.knows(KnowsSession | KnowsSource)
	case "project":
		return test(s.Project.Name), s.knows(KnowsProject)
	case projectPath:
		return test(s.Project.Root) || test(s.Project.Worktree), s.knows(KnowsProject)
	case "title":
		title, known := s.title()
		return test(title.raw), known
	case "pr":
		return anyOf(s.PRs, test), s.knows(KnowsPRs)
	case "is":
		return s.marked(test)
	}
	if !s.read() {
		return false, false
	}
	o := s.origin()
	switch field {
	case "repo":
		return test(o.Repo), true
	case "cwd":
		return test(o.CWD), true
	case "worktree":
		return test(o.Worktree), true
	case "branch":
		return test(o.Branch), true
	case "model":
		return s.models(test), true
	}
	return s.record != nil && ofRecord(s.record, field, test), true
}

// ofRecord tests the values of a field that only records have.
func ofRecord(r *record.Record, field string, test func(string) bool) bool {
	switch field {
	case "kind":
		return test(string(r.Kind))
	case "scope":
		for _, sc := range scopes() {
			if sc.Has(r.Kind) && test(string(sc)) {
				return true
			}
		}
	case "role":
		return test(string(r.Role))
	case "tool":
		return test(r.Tool)
	case "file":
		return touched(r, test)
	}
	return false
}

func (s *Subject) models(test func(string) bool) bool {
	if s.session != nil {
		return anyOf(s.session.Models, test)
	}
	return test(s.record.Model)
}

// marked tests the values of is: that hold.
func (s *Subject) marked(test func(string) bool) (passed, known bool) {
	known = true
	for _, m := range markTable {
		if !test(m.name) {
			continue
		}
		byFlag := m.flag != 0 && s.record != nil && s.record.Flags&m.flag != 0
		byKind := m.kind != "" && s.session != nil && s.session.Kind == m.kind
		byState := m.state != "" && s.knows(KnowsState) && s.State == m.state
		if byFlag || byKind || byState {
			return true, true
		}
		known = known && (m.flag == 0 || s.read()) && (m.state == "" || s.knows(KnowsState))
	}
	return false, known
}

func anyOf(values []string, test func(string) bool) bool {
	for _, v := range values {
		if test(v) {
			return true
		}
	}
	return false
}

// pathKeys are how tools call an argument that is a path.
var pathKeys = map[string]bool{
	"file_path": true, "absolute_path": true, "notebook_path": true, "dir_path": true, "path": true, "filePath": true,
	"target_file": true, "file": true, "filename": true, "old_path": true, "new_path": true,
}

// fileWords stand in the names of tools whose main argument is a path.
var fileWords = []string{"read", "write", "edit", "replace", "list_directory", "patch"}

// touched tests the paths in a tool's call. The text of a call begins with its main
// argument, and each further line is a key with its value.
func touched(r *record.Record, test func(string) bool) bool {
	if r.Kind != record.ToolCall {
		return false
	}
	tool := strings.ToLower(r.Tool)
	first := anyOf(fileWords, func(w string) bool { return strings.Contains(tool, w) })
	for line := range strings.SplitSeq(r.Text, "\n") {
		if key, value, ok := strings.Cut(line, ": "); ok && pathKeys[key] {
			if test(value) {
				return true
			}
		} else if first && test(line) {
			return true
		}
		first = false
	}
	return false
}
