package gemini

import (
	"path"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// meta is what the metadata of a chat tells, the later line winning.
type meta struct {
	session, hash, kind, summary string
	start, updated               time.Time
	dirs                         []string
	hasSession, hasHash          bool // as Gemini CLI's loader sees it
}

// complete reports whether Gemini CLI's loader takes the file for an event log.
func (m *meta) complete() bool { return m.hasSession && m.hasHash }

// merge takes over the members of a metadata record or of a $set.
func (m *meta) merge(v jsonscan.Value) {
	for key, val := range v.Members() {
		switch key {
		case "sessionId":
			m.session, m.hasSession = val.Text(), truthy(val)
		case "projectHash":
			m.hash, m.hasHash = val.Text(), truthy(val)
		case "kind":
			m.kind = val.Text()
		case "summary":
			m.summary = strings.TrimSpace(val.Text())
		case "startTime":
			m.start = val.Time()
		case "lastUpdated":
			m.updated = val.Time()
		case "directories":
			m.dirs = nil
			for dir := range val.Elems() {
				m.dirs = append(m.dirs, dir.Text())
			}
		}
	}
}

// truthy reports whether JavaScript takes a value for true.
func truthy(v jsonscan.Value) bool {
	switch v.Kind() {
	case jsonscan.String:
		return len(v) > 2
	case jsonscan.Bool:
		return v.True()
	case jsonscan.Number:
		mantissa, _, _ := strings.Cut(strings.ToLower(string(v)), "e")
		return strings.ContainsAny(mantissa, "123456789")
	case jsonscan.Array, jsonscan.Object:
		return true
	}
	return false
}

// workspaces lists the folders that a context preamble names.
func workspaces(context string) []string {
	_, list, ok := strings.Cut(context, "Workspace Directories:")
	if !ok {
		return nil
	}
	var dirs []string
	for i, line := range strings.Split(list, "\n") {
		dir, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok && i > 0 {
			break
		}
		if ok {
			dirs = append(dirs, strings.TrimSpace(dir))
		}
	}
	return dirs
}

// placeOf gives the one of some folders that a projectHash is of, or "". The hash
// is of the path as the platform spells it.
func placeOf(dirs []string, hash string) string {
	for _, dir := range dirs {
		for _, d := range []string{dir, path.Clean(dir)} {
			if dir != "" && hashOf(d) == hash {
				return d
			}
		}
	}
	return ""
}
