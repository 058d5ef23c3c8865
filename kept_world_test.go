package seshat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/agent/claude"
	"github.com/seshat-dev/seshat/agent/gemini"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// attic is a data folder of seshat with an archive in it.
type attic struct {
	t   testing.TB
	dir string
}

func newAttic(t testing.TB) attic { return attic{t, t.TempDir()} }

// archive is the folder of the archive.
func (a attic) archive() string { return a.dir + "/archive" }

// options makes a library read the archive.
func (a attic) options(o *seshat.Options) { o.Vars["SESHAT_DATA_DIR"] = a.dir }

// library is one over a world and the archive.
func (a attic) library(w *world, change ...func(*seshat.Options)) *seshat.Library {
	a.t.Helper()
	l := library(a.t.(*testing.T), w, "", func(o *seshat.Options) {
		a.options(o)
		for _, f := range change {
			f(o)
		}
	})
	a.t.Cleanup(func() { l.Close() })
	return l
}

// stores are the catalogues of agents.
func catalogueOf(t testing.TB, name string) *catalog.Catalog {
	t.Helper()
	var a agent.Adapter
	var err error
	if name == claude.Name {
		a, err = claude.New()
	} else {
		a, err = gemini.New()
	}
	if err != nil {
		t.Fatal(err)
	}
	return a.Catalog()
}

// write hands a writer of the archive to f. An empty machine is this one.
func (a attic) write(machine string, f func(w *archive.Writer)) {
	a.t.Helper()
	here, err := own.Machine(a.dir)
	if err != nil {
		a.t.Fatal(err)
	}
	if machine == "" {
		machine = here
	}
	w, err := archive.Write(a.archive(), machine, time.Now)
	if err != nil {
		a.t.Fatal(err)
	}
	f(w)
	if err := w.Commit(context.Background()); err != nil {
		a.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		a.t.Fatal(err)
	}
}

// keep archives files of a data folder, each as it was changed at minute 59.
func (a attic) keep(machine, name, dir string, files map[string]string) {
	a.t.Helper()
	cat := catalogueOf(a.t, name)
	a.write(machine, func(w *archive.Writer) {
		for file, data := range files {
			label := archive.Label{}
			if s := cat.Match(catalog.Data, file); s != nil {
				label.Store = s.ID
			}
			info := agent.Info{Mode: 0o600, Size: int64(len(data)), MTime: at(59), CTime: at(59), Dev: 1, Ino: 1}
			if _, err := w.Put(context.Background(), archive.Key{Agent: name, Dir: dir, Name: file}, label, strings.NewReader(data), info.Size, info); err != nil {
				a.t.Fatal(err)
			}
		}
	})
}

// recordsWithout writes all records of a selection as JSON, without a flag. flagged
// tells which of them had it, by path.
func recordsWithout(t *testing.T, l *seshat.Library, q seshat.Selection, flag record.Flags) (out []string, flagged map[string]bool, ans *record.Answer) {
	t.Helper()
	flagged = map[string]bool{}
	ans, err := l.Records(context.Background(), q, func(r *record.Record) error {
		if was, known := flagged[r.Path]; known && was != (r.Flags&flag != 0) {
			t.Errorf("some records of %s have the flag, and some have not", r.Path)
		}
		flagged[r.Path] = r.Flags&flag != 0
		r.Flags &^= flag
		out = append(out, jsonOf(t, r.JSON(nil)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, flagged, ans
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sessionsWithout lists all sessions as JSON, without their states and dates of expiry,
// and gives the states by path.
func sessionsWithout(t *testing.T, l *seshat.Library) (out []string, states map[string]record.SessionState) {
	t.Helper()
	states = map[string]record.SessionState{}
	list, ans := sessions(t, l, seshat.SessionQuery{All: true})
	for _, s := range list {
		states[s.Path] = s.State
		s.State, s.Expires = "", time.Time{}
		out = append(out, jsonOf(t, s.JSON(nil)))
	}
	return append(out, jsonOf(t, ans.JSON(nil))), states
}

// shownWithout writes what is shown of a session, likewise.
func shownWithout(t *testing.T, l *seshat.Library, handle string) string {
	t.Helper()
	shown, ans, err := l.Show(context.Background(), seshat.ShowQuery{Handle: handle, Full: true, Superseded: true})
	if err != nil {
		return err.Error()
	}
	s := shown.Session
	s.State, s.Expires = "", time.Time{}
	out := []string{jsonOf(t, s.JSON(nil)), fmt.Sprintf("%+v", shown.Subagents), jsonOf(t, ans.JSON(nil))}
	for _, r := range shown.Records {
		r.Flags &^= record.Archived
		out = append(out, jsonOf(t, r.JSON(nil)))
	}
	return strings.Join(out, "\n")
}

// foundWithout writes what a query finds, likewise.
func foundWithout(t *testing.T, l *seshat.Library, text string) string {
	t.Helper()
	q, err := l.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ans, err := l.Search(context.Background(), seshat.SearchQuery{Query: q, Whole: true}, func(f *seshat.Found) error {
		f.Session.State, f.Session.Expires = "", time.Time{}
		out = append(out, fmt.Sprintf("%s %v %v %v", jsonOf(t, f.Session.JSON(nil)), f.Title, f.Loose, f.Score))
		for _, h := range f.Hits {
			h.Record.Flags &^= record.Archived
			out = append(out, fmt.Sprintf("%s %s %v %v", jsonOf(t, h.Record.JSON(nil)), h.Name, h.Snippet, h.Score))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(append(out, jsonOf(t, ans.JSON(nil))), "\n")
}

// grepLines gives the lines that a word stands in.
func grepLines(t *testing.T, l *seshat.Library, word string) (out []string, ans *record.Answer) {
	t.Helper()
	p, err := seshat.CompilePattern([]string{word}, seshat.PatternFlags{Fixed: true})
	if err != nil {
		t.Fatal(err)
	}
	ans, err = l.Grep(context.Background(), seshat.GrepQuery{Pattern: p}, func(m *seshat.Match) error {
		for _, line := range m.Lines {
			out = append(out, fmt.Sprintf("%s:%d:%s", m.Record.Path, line.No, line.Text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, ans
}

// without gives a world of some files of a data folder; of none, one in which the
// folder is gone.
func without(dir string, files map[string]string, gone func(name string) bool) *world {
	m := &rootfs.Memory{Folder: dir}
	left := 0
	for name, data := range files {
		if !gone(name) {
			m.File(name, data, at(59))
			left++
		}
	}
	if left == 0 {
		return newWorld()
	}
	return newWorld(m)
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
