package judged_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/judged"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/record"
)

// options are the world of the judged home: it is UTC there, and the day after the
// last session.
func options(t testing.TB) seshat.Options {
	t.Helper()
	home := t.TempDir()
	if err := judged.Write(home); err != nil {
		t.Fatal(err)
	}
	return seshat.Options{Home: home, Vars: map[string]string{}, WorkDir: home, TempDir: t.TempDir()}
}

var today = time.Date(2026, 6, 29, 12, 0, 0, 0, time.UTC)

// world is all that rankers of this file look at: every record of a conversation,
// copies folded, and the sessions.
type world struct {
	records  []record.Record
	sessions map[string]record.Session
}

func read(t testing.TB) *world {
	t.Helper()
	lib, err := seshat.Open(options(t))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{sessions: map[string]record.Session{}}
	list, answer, err := lib.Sessions(context.Background(), seshat.SessionQuery{All: true})
	whole(t, answer, err)
	for _, s := range list {
		w.sessions[s.ID] = s
	}
	answer, err = lib.Records(context.Background(), seshat.Selection{Scope: record.ScopeConversation}, func(r *record.Record) error {
		w.records = append(w.records, *r)
		return nil
	})
	whole(t, answer, err)
	return w
}

func whole(t testing.TB, answer *record.Answer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !answer.Complete || answer.Pending > 0 || answer.DamagedLines > 0 {
		t.Fatalf("the home is not sound: %+v", answer)
	}
}

// found is what a ranker knows of a session that matches.
type found struct {
	session record.Session
	records int // that match; 0 where the title alone does
}

// find gives the sessions that match a query, in order of their ids.
func (w *world) find(text string) ([]found, error) {
	opts := query.Options{Now: today}
	q, err := query.Parse(text, opts)
	if err != nil {
		return nil, err
	}
	plan, err := query.Compile(q.Expr, opts)
	if err != nil {
		return nil, err
	}
	hits := map[string]int{}
	for i := range w.records {
		r := &w.records[i]
		s := w.sessions[r.Session]
		sub := query.Subject{Known: query.KnowsAll, Project: s.Project, Title: s.Title, PRs: s.PRs, State: s.State}
		if plan.Match(sub.Of(r)) {
			hits[r.Session]++
		}
	}
	for id, s := range w.sessions {
		if _, ok := hits[id]; !ok && plan.Match(query.OfSession(&s, "")) {
			hits[id] = 0
		}
	}
	var out []found
	for _, id := range slices.Sorted(maps.Keys(hits)) {
		out = append(out, found{w.sessions[id], hits[id]})
	}
	return out, nil
}

// by gives a ranker that puts the sessions that match in the order of less.
func (w *world) by(less func(text string, a, b found) int) judged.Ranker {
	return func(text string) ([]string, error) {
		list, err := w.find(text)
		slices.SortStableFunc(list, func(a, b found) int { return less(text, a, b) })
		var ids []string
		for _, f := range list {
			ids = append(ids, f.session.ID)
		}
		return ids, err
	}
}

func mostRecords(_ string, a, b found) int { return cmp.Compare(b.records, a.records) }
func newest(_ string, a, b found) int      { return b.session.LastActive.Compare(a.session.LastActive) }
func oldest(text string, a, b found) int   { return newest(text, b, a) }

// chance is an order without any reason: by a hash of the query and the session.
func chance(text string, a, b found) int {
	of := func(f found) string {
		sum := sha256.Sum256([]byte(text + f.session.ID))
		return string(sum[:])
	}
	return cmp.Compare(of(a), of(b))
}

// ideal is the best order of what matches: where it falls short of 1, it is not the
// order that is to blame but the language, which finds what was typed.
func ideal(t testing.TB) func(string, found, found) int {
	list, err := judged.Queries()
	if err != nil {
		t.Fatal(err)
	}
	grades := map[string]map[string]int{}
	for _, q := range list {
		grades[q.Text] = q.Grades
	}
	return func(text string, a, b found) int {
		return cmp.Compare(grades[text][b.session.ID], grades[text][a.session.ID])
	}
}
