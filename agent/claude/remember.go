package claude

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// Remember gives the sessions that an inventory of Claude Code or of its desktop
// app names. None of them is proof that a transcript exists: all are left behind
// when transcripts are deleted.
func (a *Adapter) Remember(_ context.Context, src *agent.Source) ([]record.Session, error) {
	var from func(jsonscan.Value) []record.Session
	switch src.Store.ID {
	case "claude.global_config":
		from = lastSessions
	case "claude.projects.index":
		from = indexedSessions
	case "claude.desktop.sessions", "claude.cowork.metadata":
		from = desktopSession
	default:
		return nil, nil
	}
	v, err := inventory(src)
	if err != nil {
		return nil, err
	}
	list := from(v)
	for i := range list {
		s := &list[i]
		s.Agent, s.Path, s.State, s.Kind = Name, src.Path, record.StatePromptsOnly, record.KindInteractive
		if s.Title != "" && s.TitleSource == "" {
			s.Title, s.TitleSource = record.FirstWords(s.Title), record.TitlePrompt
		}
		if s.LastActive.IsZero() {
			s.LastActive = s.Started
		}
		if s.Started.IsZero() {
			s.Started = s.LastActive
		}
	}
	return list, nil
}

// inventory reads a file that is one JSON object, of whatever size: the global
// config of a person with many projects has several megabytes.
func inventory(src *agent.Source) (jsonscan.Value, error) {
	f, err := src.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := agent.Whole(f)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	objects, _ := jsonscan.Objects(data)
	if len(objects) == 0 {
		return nil, errors.New("is not one JSON object; the sessions that it names are not listed")
	}
	return objects[0], nil
}

// lastSessions reads the projects of the global config. Nothing else of that file
// is looked at: the rest of it is about an account.
func lastSessions(v jsonscan.Value) []record.Session {
	var out []record.Session
	for dir, p := range v.Get("projects").Members() {
		id := p.Get("lastSessionId").Text()
		if id == "" {
			continue
		}
		s := record.Session{ID: id, Title: p.Get("lastSessionFirstPrompt").Text(), LastActive: anyTime(p.Get("lastSessionModified"))}
		s.Origin.CWD = filepath.FromSlash(dir)
		out = append(out, s)
	}
	return out
}

// indexedSessions reads the abandoned list of a project folder's sessions.
func indexedSessions(v jsonscan.Value) []record.Session {
	var out []record.Session
	for e := range v.Get("entries").Elems() {
		id := e.Get("sessionId").Text()
		if id == "" {
			continue
		}
		s := record.Session{
			ID: id, Title: e.Get("firstPrompt").Text(), Started: anyTime(e.Get("created")), LastActive: anyTime(e.Get("modified")),
		}
		if sum := e.Get("summary").Text(); sum != "" {
			s.Title, s.TitleSource = sum, record.TitleSummary
		}
		s.Origin = record.Origin{CWD: e.Get("projectPath").Text(), Branch: e.Get("gitBranch").Text()}
		out = append(out, s)
	}
	return out
}

func desktopSession(v jsonscan.Value) []record.Session {
	id := v.Get("cliSessionId").Text()
	if id == "" {
		return nil
	}
	s := record.Session{ID: id, Title: v.Get("title").Text(), Started: anyTime(v.Get("createdAt")), LastActive: anyTime(v.Get("lastActivityAt"))}
	if s.Title != "" {
		s.TitleSource = record.TitleAI
	}
	s.Origin.CWD = v.Get("cwd").Text()
	return []record.Session{s}
}

// anyTime reads a time that is a string or a number of milliseconds.
func anyTime(v jsonscan.Value) time.Time {
	if v.Kind() == jsonscan.Number {
		return millis(v)
	}
	return v.Time()
}
