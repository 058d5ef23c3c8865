package seshat

import (
	"github.com/seshat-dev/seshat/record"
)

type secretJSON struct {
	Schema      string            `json:"schema"`
	Rule        string            `json:"rule"`
	Provider    string            `json:"provider,omitempty"`
	Fingerprint string            `json:"fingerprint"`
	KeyID       string            `json:"key_id"`
	First       record.Stamp      `json:"first,omitzero"`
	Last        record.Stamp      `json:"last,omitzero"`
	Count       int               `json:"count"`
	Places      []secretPlaceJSON `json:"places"`
}

type secretPlaceJSON struct {
	Agent   string       `json:"agent"`
	Store   string       `json:"store"`
	Session string       `json:"session,omitempty"`
	ID      string       `json:"id"`
	Kind    record.Kind  `json:"kind"`
	Time    record.Stamp `json:"time,omitzero"`
	Tool    string       `json:"tool,omitempty"`
	Path    string       `json:"path"`
	Line    int          `json:"line,omitempty"`
	Key     string       `json:"key,omitempty"`
	Flags   []string     `json:"flags,omitempty"`
}

// JSON gives the value that encoding/json writes as a seshat.secret/1 object. A place
// whose record ends inside the value has the flag cut.
func (s *Secret) JSON(home record.Home) any {
	out := secretJSON{
		Schema: record.SecretSchema, Rule: s.Rule, Provider: s.Provider, Fingerprint: s.Fingerprint, KeyID: s.KeyID,
		First: record.Stamp(s.First), Last: record.Stamp(s.Last), Count: len(s.Places),
	}
	for _, p := range s.Places {
		if p.Cut {
			p.Flags |= record.Cut
		}
		out.Places = append(out.Places, secretPlaceJSON{
			Agent: p.Agent, Store: p.Store, Session: p.Session, ID: p.ID, Kind: p.Kind, Time: record.Stamp(p.Time), Tool: p.Tool,
			Path: home.Short(p.Path), Line: p.Line, Key: p.Key, Flags: p.Flags.Names(),
		})
	}
	return out
}
