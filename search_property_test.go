package seshat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/record"
)

// anyQuery writes a query of words that the random worlds hold.
func anyQuery(rng *rand.Rand) string {
	word := func() string {
		w := dictionary[rng.IntN(len(dictionary))]
		switch rng.IntN(6) {
		case 0:
			return strings.ToUpper(w)
		case 1:
			return w[1:4] // inside of it
		}
		return w
	}
	words := []string{word(), word(), word()}[:1+rng.IntN(3)]
	q := strings.Join(words, " ")
	switch rng.IntN(8) {
	case 0:
		q = strings.Join(words, " OR ")
	case 1:
		q = `"` + word() + " " + word() + `"`
	case 2:
		q += " -" + word()
	case 3:
		q = "/" + word() + "( |$)/ " + q
	}
	fields := []string{"kind:prompt", "-kind:prompt", "kind:notice", "is:superseded", "-is:subagent", "branch:main", "title:" + word(), "cwd:/srv/app", "project:app", "role:assistant", "scope:all", "agent:gemini", "since:2026-01-02", "session:1*"}
	if rng.IntN(2) == 0 {
		q += " " + fields[rng.IntN(len(fields))]
	}
	return q
}

// slow answers a query by looking at every record there is.
type slow struct {
	records  []*record.Record
	sessions []record.Session
	asked    *query.Query
	opts     query.Options
	inspect  map[string]bool // stores that are not read unless asked for
}

func (s *slow) subject(r *record.Record) *query.Subject {
	subject := &query.Subject{Known: query.KnowsAll, State: record.StatePromptsOnly}
	if r.Session == "" { // its place is its own
		subject.State, subject.Project = record.StateLive, record.Project{Name: "app", Root: "/srv/app"}
	}
	for _, sess := range s.sessions {
		if sess.ID == r.Session {
			subject.Project, subject.State = sess.Project, sess.State
		}
	}
	return subject.Of(r)
}

func (s *slow) matches(e query.Expr, r *record.Record) bool {
	p, err := query.Compile(e, s.opts)
	return err == nil && p.Match(s.subject(r))
}

// wants says whether a record is one that is looked at: of a conversation, or of a
// kind that the query names.
func (s *slow) wants(r *record.Record) bool {
	if record.ScopeConversation.Has(r.Kind) && s.inspect[r.Store] {
		return s.asked.AsksFor("scope", "all")
	}
	return record.ScopeConversation.Has(r.Kind) || s.asked.AsksFor("kind", string(r.Kind)) || s.asked.AsksFor("scope", "all")
}

// hits names the records that match.
func (s *slow) hits() []string {
	var out []string
	for _, r := range s.records {
		if s.wants(r) && s.matches(s.asked.Expr, r) {
			out = append(out, nameOf(r))
		}
	}
	return out
}

func nameOf(r *record.Record) string { return fmt.Sprintf("%s %s %s:%d", r.ID, r.Kind, r.Path, r.Line) }

// titled names the sessions that match without a record.
func (s *slow) titled() []string {
	p, _ := query.Compile(s.asked.Expr, s.opts)
	var out []string
	for i := range s.sessions {
		sess := &s.sessions[i]
		if sess.TitleSource != record.TitlePrompt && p.Eval(query.OfSession(sess, "claude.projects.session")) == query.True && !s.any(sess, s.asked.Expr) {
			out = append(out, sess.Handle)
		}
	}
	return out
}

func (s *slow) any(sess *record.Session, e query.Expr) bool {
	return slices.ContainsFunc(s.records, func(r *record.Record) bool { return r.Session == sess.ID && s.wants(r) && s.matches(e, r) })
}

// loose names the sessions that hold the words of a query in several records.
func (s *slow) loose(words []string) []string {
	var out []string
	for i := range s.sessions {
		sess := &s.sessions[i]
		inRecords := 0
		all := !s.any(sess, s.asked.Expr) && !slices.Contains(s.titled(), sess.Handle)
		for _, w := range words {
			stands := s.any(sess, query.Text{Value: w})
			if stands {
				inRecords++
			}
			all = all && (stands || strings.Contains(sess.Title, w))
		}
		if all && inRecords > 1 {
			out = append(out, sess.Handle)
		}
	}
	return out
}

// naive reads everything for a query.
func naive(t *testing.T, l *seshat.Library, asked *query.Query) *slow {
	t.Helper()
	s := &slow{asked: asked, opts: query.Options{Now: time.Now(), Home: "/home/sam"}, inspect: map[string]bool{}}
	for _, store := range l.Stores() {
		s.inspect[store.ID] = store.Coverage == catalog.Inspect
	}
	var err error
	if s.sessions, _, err = l.Sessions(context.Background(), seshat.SessionQuery{All: true}); err != nil {
		t.Fatal(err)
	}
	p, err := query.Compile(asked.Expr, s.opts)
	if err != nil {
		t.Fatal(err)
	}
	owned := map[agent.Mark]bool{}
	sel := seshat.Selection{Scope: record.ScopeAll, Superseded: asked.AsksFor("is", "superseded"), Copies: true}
	if _, err := l.Records(context.Background(), sel, func(r *record.Record) error {
		mark := agent.MarkOf(r)
		if p.Eval(s.source(r)) != query.False && (mark == 0 || !owned[mark]) {
			owned[mark] = true
			s.records = append(s.records, r)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

// source is what is known of all records of a source: copies are folded among those
// that it lets through.
func (s *slow) source(r *record.Record) *query.Subject {
	full := s.subject(r)
	out := &query.Subject{Known: query.KnowsSource, Agent: full.Agent, Store: full.Store, Path: full.Path}
	if r.Store != "claude.history" {
		out.Known, out.SessionID, out.Project, out.State = query.KnowsAll, full.SessionID, full.Project, full.State
		if out.Title = r.Title; !s.asked.Uses("title") {
			out.Known &^= query.KnowsTitle
		}
	}
	return out
}

// answer is what a search gave, sorted.
type answered struct{ hits, titled, loose []string }

func searched(t *testing.T, l *seshat.Library, q seshat.SearchQuery) (answered, *seshat.SearchAnswer) {
	t.Helper()
	var out answered
	ans, err := l.Search(context.Background(), q, func(f *seshat.Found) error {
		switch {
		case f.Loose:
			out.loose = append(out.loose, f.Session.Handle)
		case len(f.Hits) == 0:
			out.titled = append(out.titled, f.Session.Handle)
		}
		for _, h := range f.Hits {
			if !f.Loose {
				out.hits = append(out.hits, nameOf(h.Record))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]string{out.hits, out.titled, out.loose} {
		slices.Sort(list)
	}
	return out, ans
}

// A search finds exactly what looking at every record finds, whether it reads
// records whole or not; and it counts what it finds.
func TestSearchEqualsRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range rounds(60) {
		files := randomWorld(rng)
		for _, session := range []string{one, two, three} {
			if rng.IntN(3) == 0 {
				files[appDir+session+".jsonl"] += line(object{"type": "custom-title", "customTitle": dictionary[rng.IntN(5)] + " " + dictionary[rng.IntN(5)], "sessionId": session})
			}
		}
		l := library(t, newWorld(claudeRoot(files)), "", nil)
		for range 8 {
			src := anyQuery(rng)
			asked, err := l.ParseQuery(src)
			if err != nil {
				t.Fatal(err)
			}
			s := naive(t, l, asked)
			want := answered{hits: s.hits(), titled: s.titled()}
			slices.Sort(want.hits)
			slices.Sort(want.titled)
			whole, ans := searched(t, l, seshat.SearchQuery{Query: asked, Whole: true})
			if !slices.Equal(whole.hits, want.hits) || !slices.Equal(whole.titled, want.titled) {
				t.Fatalf("%s gives\n\t%q\nwhere all records give\n\t%q\nin %q", src, whole, want, files)
			}
			if ans.Matches != len(want.hits)+len(want.titled) {
				t.Fatalf("%s counts %d matches of %q", src, ans.Matches, want)
			}
			if !asked.Uses("title") && !asked.Uses("session") && !asked.Uses("agent") && !asked.Uses("is") && !asked.Uses("project") {
				compareHandles(t, l, asked, src)
			}
			part, _ := searched(t, l, seshat.SearchQuery{Query: asked})
			if !slices.Equal(part.hits, whole.hits) || !slices.Equal(part.titled, whole.titled) || !slices.Equal(part.loose, whole.loose) {
				t.Fatalf("%s gives\n\t%q\nof records in part and\n\t%q\nof whole ones in %q", src, part, whole, files)
			}
			if words := strings.Fields(src); len(words) > 1 && !strings.ContainsAny(src, `"/:-`) && !strings.Contains(src, "OR") && src == strings.ToLower(src) {
				slices.Sort(words)
				loose := s.loose(slices.Compact(words))
				slices.Sort(loose)
				if !slices.Equal(whole.loose, loose) {
					t.Fatalf("%s holds loosely in %q, want %q, in %q", src, whole.loose, loose, files)
				}
			}
		}
	}
}

// compareHandles holds the records of a search against those that Records gives: they
// are the same in every respect.
func compareHandles(t *testing.T, l *seshat.Library, asked *query.Query, src string) {
	t.Helper()
	all := map[string]string{}
	sel := seshat.Selection{Scope: record.ScopeAll, Superseded: true}
	show := func(r *record.Record) string {
		one := *r
		one.Also = nil // Records does not look for copies
		b, err := json.Marshal(one.JSON(nil))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if _, err := l.Records(context.Background(), sel, func(r *record.Record) error {
		all[nameOf(r)+r.Text] = show(r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Search(context.Background(), seshat.SearchQuery{Query: asked, Whole: true}, func(f *seshat.Found) error {
		for _, h := range f.Hits {
			if got, want := show(h.Record), all[nameOf(h.Record)+h.Record.Text]; got != want {
				t.Fatalf("%s gives\n\t%s\nwhere it is\n\t%s", src, got, want)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
