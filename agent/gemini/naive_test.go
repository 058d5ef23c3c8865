package gemini

import (
	"bytes"
	"encoding/json"
	"slices"
)

// naiveMessage is a message as encoding/json reads it.
type naiveMessage = map[string]any

// naiveFold is a second, plain reading of a chat: the ids of the history in order
// and their messages, and every message that was ever written.
type naiveFold struct {
	order   []string
	byID    map[string]naiveMessage
	written []naiveMessage
	gone    map[string]string // by id, what dropped it last
}

func foldNaively(data []byte) *naiveFold {
	f := &naiveFold{byID: map[string]naiveMessage{}, gone: map[string]string{}}
	var session, hash any
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var rec map[string]any
		if json.Unmarshal(line, &rec) != nil {
			continue
		}
		set, isSet := rec["$set"].(map[string]any)
		_, isMessage := rec["id"].(string)
		to, isRewind := rec["$rewindTo"].(string)
		s, hasSession := rec["sessionId"].(string)
		h, hasHash := rec["projectHash"].(string)
		switch {
		case isRewind:
			f.rewind(to)
		case isMessage:
			f.write(rec)
		case isSet:
			if v, ok := set["sessionId"]; ok {
				session = v
			}
			if v, ok := set["projectHash"]; ok {
				hash = v
			}
			if list, ok := set["messages"].([]any); ok {
				for _, id := range f.order {
					f.gone[id] = "replaced"
				}
				f.order, f.byID = nil, map[string]naiveMessage{}
				f.list(list)
			}
		case hasSession && hasHash:
			session, hash = s, h
			list, _ := rec["messages"].([]any)
			f.list(list)
		}
	}
	if session != nil && session != "" && hash != nil && hash != "" {
		return f
	}
	var whole map[string]any
	if json.Unmarshal(data, &whole) == nil && whole["sessionId"] != nil {
		f = &naiveFold{byID: map[string]naiveMessage{}, gone: map[string]string{}}
		list, _ := whole["messages"].([]any)
		f.list(list)
	}
	return f
}

func (f *naiveFold) list(list []any) {
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			if _, ok := m["id"].(string); ok {
				f.write(m)
			}
		}
	}
}

func (f *naiveFold) write(m naiveMessage) {
	id := m["id"].(string)
	if f.byID[id] == nil {
		f.order = append(f.order, id)
	}
	f.byID[id] = m
	f.written = append(f.written, m)
}

func (f *naiveFold) rewind(to string) {
	i := max(0, slices.Index(f.order, to))
	for _, id := range f.order[i:] {
		delete(f.byID, id)
		f.gone[id] = "superseded"
	}
	f.order = f.order[:i]
}
