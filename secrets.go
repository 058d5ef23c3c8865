package seshat

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/config"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/secret"
	"github.com/seshat-dev/seshat/record"
)

// SecretQuery says where Secrets looks and what it leaves out.
type SecretQuery struct {
	Projects []string  // only these projects: names, or paths, globs allowed
	Here     bool      // only the project of the current folder
	Since    time.Time // only places in records since then; records without a time count
	Copies   bool      // places in copies of records count too
	Baseline *Baseline // leaves out what is known already; may be nil
}

// Secret is one credential with every place that it stands at. The value is in none of
// its fields.
type Secret struct {
	Rule        string // the kind of credential, such as github-token
	Provider    string // who gave it out; empty where its shape does not tell
	Revoke      string // how it is made worthless, a sentence
	Fingerprint string // 16 hexadecimal digits, the same for the same value under one key
	KeyID       string // 8 hexadecimal digits that name the key of the fingerprint
	First, Last time.Time
	Places      []SecretPlace // in the order of all answers; never none
}

// SecretPlace is a record that a credential stands in.
type SecretPlace struct {
	Agent, Store, Session string
	ID                    string // of the record
	Kind                  record.Kind
	Tool                  string
	Time                  time.Time
	Path                  string // absolute, of the source
	Line                  int    // 1-based line in the source; 0 in a source without lines
	Key                   string // database key, for a source without lines
	Flags                 record.Flags
	Cut                   bool // the record ends inside the value
}

// sighting is what is kept of a finding until the record's turn comes.
type sighting struct {
	rule        *secret.Rule
	fingerprint string
	line        int // lines of the record's text before it
	cut         bool
}

// Secrets finds credentials in the records of every store that can be read, inspect
// stores among them, and what agents took back. Each is given to visit once, in the
// order of its first place. The answer's matches are credentials. The key of
// fingerprints is made in seshat's data folder when the first is needed.
func (l *Library) Secrets(ctx context.Context, q SecretQuery, visit func(*Secret) error) (*record.Answer, error) {
	key := l.key
	if err := q.Baseline.check(key); err != nil {
		return nil, err
	}
	keep := func(r *record.Record) (search.Hit, bool) {
		found := secret.Find(r.Text)
		if len(found) == 0 {
			return search.Silent(r, false)
		}
		h := search.NewHit(r)
		k, err := key()
		if err != nil {
			h.Note = err
		} else {
			h.Note = sightings(k, r.Text, found)
		}
		r.Text, r.Typed = "", ""
		return h, true
	}
	x := l.redaction()
	byPrint := map[string]*Secret{}
	var order []*Secret
	sel := Selection{Scope: record.ScopeAll, Projects: q.Projects, Here: q.Here, Superseded: true, Copies: q.Copies, unscanned: true}
	plan := agent.Plan{Candidate: secret.Candidates{}}
	var tally *search.Tally
	ans, err := l.run(ctx, sel, plan, keep, func(t *search.Tally, _ search.Source, h search.Hit) error {
		tally = t
		seen, ok := h.Note.([]sighting)
		if !ok {
			return h.Note.(error)
		}
		if !h.Record.Time.IsZero() && h.Record.Time.Before(q.Since) {
			return nil
		}
		for _, f := range seen {
			if q.Baseline.has(f.fingerprint) {
				continue
			}
			s := byPrint[f.fingerprint]
			if s == nil {
				s = &Secret{Rule: f.rule.ID, Provider: f.rule.Provider, Revoke: f.rule.Revoke, Fingerprint: f.fingerprint}
				byPrint[f.fingerprint] = s
				order = append(order, s)
			}
			s.add(x, h.Record, f)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(order) > 0 {
		k, err := key()
		if err != nil {
			return nil, err
		}
		tally.Match(len(order))
		ans = tally.Answer()
		for _, s := range order {
			s.KeyID = k.ID()
			if err := visit(s); err != nil {
				return nil, err
			}
		}
	}
	return x.answer(ans), nil
}

// sightings gives what is kept of the findings in a text, each value once.
func sightings(k *secret.Key, text string, found []secret.Finding) []sighting {
	out := make([]sighting, 0, len(found))
	line, past := 0, 0
	for _, f := range found {
		line += strings.Count(text[past:f.From], "\n")
		past = f.From
		print := k.Fingerprint(secret.Canonical(text, f))
		if !slices.ContainsFunc(out, func(s sighting) bool { return s.fingerprint == print }) {
			out = append(out, sighting{f.Rule, print, line, f.Cut})
		}
	}
	return out
}

// add notes a place of a credential.
func (s *Secret) add(x *redaction, r *record.Record, f sighting) {
	line := r.Line
	if r.Verbatim {
		line += f.line
	}
	s.Places = append(s.Places, SecretPlace{
		Agent: r.Agent, Store: r.Store, Session: x.line(r.Session), ID: x.id(r.ID), Kind: r.Kind, Tool: x.line(r.Tool), Time: r.Time,
		Path: x.line(r.Path), Line: line, Key: x.id(r.Key), Flags: r.Flags, Cut: f.cut,
	})
	if r.Time.IsZero() {
		return
	}
	if s.First.IsZero() || r.Time.Before(s.First) {
		s.First = r.Time
	}
	if r.Time.After(s.Last) {
		s.Last = r.Time
	}
}

// SecretRule is a kind of credential that Secrets finds.
type SecretRule struct{ ID, Provider, Revoke string }

// SecretRules lists the kinds, and how a credential of each is made worthless.
func SecretRules() (out []SecretRule) {
	for _, r := range secret.Rules() {
		out = append(out, SecretRule{r.ID, r.Provider, r.Revoke})
	}
	return out
}

// secretKey opens the key of fingerprints in the data folder, and makes it where there is
// none.
func (l *Library) secretKey() (*secret.Key, error) { return l.openKey(secret.OpenKey) }

// fingerprintKey opens it for markers. A library without a build writes nothing, so that
// it makes none either.
func (l *Library) fingerprintKey() (*secret.Key, error) {
	if l.opts.Build == "" {
		return l.openKey(secret.ReadKey)
	}
	return l.key()
}

func (l *Library) openKey(open func(dir string) (*secret.Key, error)) (*secret.Key, error) {
	dir, err := l.dataDir("fingerprints need")
	if err != nil {
		return nil, err
	}
	return open(dir)
}

// dataDir gives seshat's data folder, which is never below a folder of an agent. needs
// begins the error where none is known.
func (l *Library) dataDir(needs string) (string, error) {
	dir := config.DataDir(l.opts.GOOS, l.opts.Home, l.opts.WorkDir, l.opts.Vars)
	switch {
	case dir == "" || !filepath.IsAbs(dir):
		return "", fmt.Errorf("%s a data folder, and none is known; name one with SESHAT_DATA_DIR", needs)
	case !l.outsideAgents(dir):
		return "", fmt.Errorf("the data folder %s lies below a folder of an agent, where seshat writes nothing; name another with SESHAT_DATA_DIR", dir)
	}
	return dir, nil
}
