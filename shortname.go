package seshat

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// idList is the ids of all sessions and subagents, sorted.
type idList []string

// sessionIDs gives the ids that stand in a world, and those of some sessions.
func (w *world) sessionIDs(all []listed) idList {
	ids := make(idList, 0, len(w.sources)+len(all))
	for _, s := range w.sources {
		if id := idOf(s); id != "" && inSession(s) {
			ids = append(ids, id)
		}
	}
	for i := range all {
		if s := &all[i]; s.family == "" && s.ID != "" { // else a source of it has the id
			ids = append(ids, s.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// shortest is how many characters of an id are shown at least.
const shortest = 8

// prefix shortens an id: to eight characters, or more where another begins like it.
func (l idList) prefix(id string) string {
	at, _ := slices.BinarySearch(l, id)
	size := shortest
	for _, i := range []int{at - 1, at, at + 1} {
		if i >= 0 && i < len(l) && l[i] != id {
			size = max(size, 1+inCommon(l[i], id))
		}
	}
	return id[:min(size, len(id))]
}

// handle gives the short handle of a session; where it has no id, or shares it with
// another, its whole handle.
func (l idList) handle(s *record.Session) string {
	if s.ID == "" || strings.Contains(s.Handle, "@") {
		return s.Handle
	}
	return l.prefix(s.ID)
}

// shortNames makes handles of records that people like to type: the beginning of the id
// of a session or a subagent, and a line.
type shortNames struct {
	ids  idList
	lead map[string]search.Source // the one transcript that each names; none where several are called so
}

func newShortNames(w *world, lead map[string]search.Source) *shortNames {
	n := &shortNames{lead: map[string]search.Source{}}
	for _, s := range w.sources {
		id := idOf(s)
		if id == "" || !inSession(s) || s.Subagent == "" && lead[s.Family].Source != s.Source {
			continue
		}
		if _, known := n.lead[id]; known {
			n.lead[id] = search.Source{}
			continue
		}
		n.lead[id] = s
		n.ids = append(n.ids, id)
	}
	slices.Sort(n.ids)
	return n
}

// idOf gives the id that names a transcript.
func idOf(s search.Source) string {
	if s.Subagent != "" {
		return s.Subagent
	}
	return s.Session
}

// inCommon is how many bytes two texts begin with alike.
func inCommon(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// of names a record by its line where that names it: in the transcript that its id
// stands for, else in the file.
func (n *shortNames) of(s search.Source, r *record.Record) string {
	switch id := idOf(s); {
	case r.Line == 0 || strings.HasSuffix(s.Name, ".json"):
		return r.Handle
	case inSession(s) && id != "" && n.lead[id].Source == s.Source:
		return n.ids.prefix(id) + ":" + strconv.Itoa(r.Line)
	}
	return s.Path + ":" + strconv.Itoa(r.Line)
}
