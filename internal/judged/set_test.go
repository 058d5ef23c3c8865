package judged_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/internal/judged"
	"github.com/seshat-dev/seshat/record"
)

// Every query is asked once, says why, is of a known kind and has what a judged query
// needs; there are enough of each kind.
func TestQueriesAreSound(t *testing.T) {
	list, err := judged.Queries()
	if err != nil {
		t.Fatal(err)
	}
	kinds, asked := map[string]int{}, map[string]bool{}
	for _, q := range list {
		kinds[q.Kind]++
		best := 0
		for _, g := range q.Grades {
			best = max(best, g)
		}
		switch {
		case asked[q.Text]:
			t.Errorf("%s is asked twice", q.Text)
		case q.Why == "" || q.Kind == "":
			t.Errorf("%s does not say why it is asked, or of which kind it is", q.Text)
		case q.Kind == judged.Nothing && best > 0, q.Kind != judged.Nothing && best < 3:
			t.Errorf("%s: of kind %s, and its best grade is %d", q.Text, q.Kind, best)
		}
		asked[q.Text] = true
	}
	for _, kind := range judged.Kinds() {
		if kinds[kind] < 7 {
			t.Errorf("only %d queries of kind %s", kinds[kind], kind)
		}
	}
}

// What is graded can be found by what was typed, but for these: they say the same in
// other words, and are judged nevertheless, since people would want them.
func TestAnswersCanBeFound(t *testing.T) {
	hidden := map[string][]string{
		"memory leak":           {"kiosk-leak"},
		"index date query slow": {"cangku-slow-query"},
		"письмо":                {"pochta-dkim"},
	}
	w := read(t)
	names, err := judged.Names()
	if err != nil {
		t.Fatal(err)
	}
	list, _ := judged.Queries()
	for _, q := range list {
		got, err := w.find(q.Text)
		if err != nil {
			t.Fatal(err)
		}
		missing := maps.Clone(q.Grades)
		for _, f := range got {
			delete(missing, f.session.ID)
		}
		var left []string
		for id := range missing {
			left = append(left, names[id])
		}
		slices.Sort(left)
		if !slices.Equal(left, hidden[q.Text]) {
			t.Errorf("%s does not find %q, want %q", q.Text, left, hidden[q.Text])
		}
	}
}

// The home is read as it is meant: agents, kinds of sessions, projects, titles, forks
// and logs.
func TestHomeIsVaried(t *testing.T) {
	w := read(t)
	names, err := judged.Names()
	if err != nil {
		t.Fatal(err)
	}
	if len(w.sessions) != len(names) {
		t.Errorf("%d sessions are listed, want %d", len(w.sessions), len(names))
	}
	count := map[string]int{}
	first, last := today, time.Time{}
	for id, s := range w.sessions {
		if names[id] == "" {
			t.Errorf("a session nobody wrote: %s", id)
		}
		count["agent "+s.Agent]++
		count["kind "+string(s.Kind)]++
		count["state "+string(s.State)]++
		count["title "+string(s.TitleSource)]++
		count["project "+s.Project.Name]++
		if s.CopiedFrom != "" {
			count["forked"]++
		}
		if s.Subagents > 0 {
			count["with subagents"]++
		}
		if s.Started.Before(first) {
			first = s.Started
		}
		if s.LastActive.After(last) {
			last = s.LastActive
		}
	}
	for what, least := range map[string]int{
		"agent claude": 80, "agent gemini": 10, "kind print": 8, "kind background": 1, "state " + string(record.StatePromptsOnly): 3,
		"title custom": 5, "title ai": 50, "title prompt": 5, "forked": 2, "with subagents": 7,
		"project ledger": 8, "project kestrel": 8, "project kiosk-web": 8, "project quay": 8, "project norikae": 8,
		"project cangku": 8, "project pochta": 8, "project dotfiles": 8,
	} {
		if count[what] < least {
			t.Errorf("%d sessions of %s, want %d at least", count[what], what, least)
		}
	}
	if months := last.Sub(first).Hours() / 24 / 30; months < 13 || last.After(today) {
		t.Errorf("from %v to %v", first, last)
	}
	t.Log(count)
}

// Two homes are the same, and small enough to be made for each test.
func TestHomeIsAlwaysTheSame(t *testing.T) {
	a, size := files(t)
	b, _ := files(t)
	if !maps.Equal(a, b) {
		t.Error("two homes differ")
	}
	if size > 1_500_000 {
		t.Errorf("the home has %d bytes", size)
	}
}

// files gives the content of each file of a new home with its time, and their size.
func files(t *testing.T) (map[string]string, int) {
	t.Helper()
	dir := t.TempDir()
	if err := judged.Write(dir); err != nil {
		t.Fatal(err)
	}
	out, size := map[string]string{}, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = info.ModTime().UTC().String() + "\n" + string(data)
		size += len(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, size
}
