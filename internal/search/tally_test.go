package search

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

func at(path string) *agent.Source {
	return &agent.Source{Agent: "a", Path: path, Store: &catalog.Store{ID: "a.store"}}
}

func warnings(a *record.Answer) []string {
	var out []string
	for _, w := range a.Warnings {
		out = append(out, fmt.Sprintf("%s:%d: %s", w.Path, w.Line, w.Reason))
	}
	return out
}

func TestTallyComplete(t *testing.T) {
	fault := &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}
	for name, c := range map[string]struct {
		hear                         func(*Tally)
		complete                     bool
		read, failed, lines, pending int
		warns                        []string
	}{
		"nothing":  {func(*Tally) {}, true, 0, 0, 0, 0, nil},
		"all read": {func(y *Tally) { y.End(at("/a"), nil); y.End(at("/b"), nil) }, true, 2, 0, 0, 0, nil},
		"one failed": {func(y *Tally) { y.End(at("/a"), nil); y.End(at("/b"), fault) }, false, 1, 1, 0, 0,
			[]string{"/b:0: permission denied"}},
		"a place that cannot be looked into": {func(y *Tally) { y.Problem(agent.Problem{Path: "/d", Reason: "is not there"}) },
			false, 0, 1, 0, 0, []string{"/d:0: is not there"}},
		"damage that may hold a match": {func(y *Tally) { y.Damage(at("/a"), &agent.Damage{Line: 3, Reason: "broken"}) },
			false, 0, 0, 1, 0, []string{"/a:3: broken"}},
		"damage that cannot hold one": {func(y *Tally) { y.Damage(at("/a"), &agent.Damage{Line: 3, Reason: "broken", Cleared: true}) },
			true, 0, 0, 1, 0, []string{"/a:3: broken"}},
		"pending bytes that may": {func(y *Tally) { y.Damage(at("/a"), &agent.Damage{Line: 9, Reason: "unfinished", Pending: true}) },
			false, 0, 0, 0, 1, []string{"/a:9: unfinished"}},
		"pending bytes that cannot": {func(y *Tally) {
			y.Damage(at("/a"), &agent.Damage{Line: 9, Reason: "unfinished", Pending: true, Cleared: true})
		}, true, 0, 0, 0, 1, []string{"/a:9: unfinished"}},
		"an unknown thing": {func(y *Tally) {
			y.Unknown(at("/a"), &agent.Unknown{What: `record type "x"`, Line: 4})
			y.Unknown(at("/b"), &agent.Unknown{What: `record type "x"`, Line: 1})
			y.Unknown(at("/b"), &agent.Unknown{What: `record type "y"`, Line: 2})
		}, true, 0, 0, 0, 0, []string{
			`/a:4: record type "x" is not known; it stands in 2 files`,
			`/b:2: record type "y" is not known; it stands in 1 file`}},
		"stores without a reader": {func(y *Tally) {
			y.End(at("/a"), agent.ErrNoReader)
			y.End(at("/b"), fmt.Errorf("reading: %w", agent.ErrNoReader))
		}, false, 0, 2, 0, 0, []string{"a.store:0: seshat cannot read this store yet: 2 files not searched"}},
	} {
		var tally Tally
		c.hear(&tally)
		for range 2 { // an answer can be asked for twice
			a := tally.Answer()
			if a.Complete != c.complete || a.Sources.Read != c.read || a.Sources.Failed != c.failed || a.DamagedLines != c.lines || a.Pending != c.pending {
				t.Errorf("%s: %+v", name, a)
			}
			if got := warnings(a); !slices.Equal(got, c.warns) {
				t.Errorf("%s: warnings\n\t%s\nwant\n\t%s", name, strings.Join(got, "\n\t"), strings.Join(c.warns, "\n\t"))
			}
		}
	}
}

func TestTallyCounts(t *testing.T) {
	var done []int
	tally := Tally{Progress: func(n int) { done = append(done, n) }}
	tally.Match(3)
	tally.Match(4)
	tally.Hidden().Print += 2
	tally.End(at("/a"), nil)
	tally.End(at("/b"), errors.New("x"))
	a := tally.Answer()
	if a.Matches != 7 || a.Hidden.Print != 2 {
		t.Errorf("%+v", a)
	}
	if !slices.Equal(done, []int{1, 2}) {
		t.Errorf("progress %v", done)
	}
}

func TestTallyBoundsWarnings(t *testing.T) {
	var tally Tally
	for n := range maxWarnings + 25 {
		tally.End(at(fmt.Sprint("/", n)), errors.New("fault"))
	}
	a := tally.Answer()
	if a.Sources.Failed != maxWarnings+25 || len(a.Warnings) != maxWarnings+1 {
		t.Errorf("%d failed, %d warnings", a.Sources.Failed, len(a.Warnings))
	}
	if last := a.Warnings[len(a.Warnings)-1].Reason; !strings.HasPrefix(last, "25 more warnings") {
		t.Errorf("the last warning is %q", last)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files"} {
		if got := Count(n, "file"); got != want {
			t.Errorf("%d gives %q", n, got)
		}
	}
}
