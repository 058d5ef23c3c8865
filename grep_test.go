package seshat_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/demo"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

func pattern(t *testing.T, p string, f seshat.PatternFlags) *seshat.Pattern {
	t.Helper()
	compiled, err := seshat.CompilePattern([]string{p}, f)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// grep gives "line of the source: text" of every match.
func grep(t *testing.T, l *seshat.Library, q seshat.GrepQuery) ([]string, *record.Answer) {
	t.Helper()
	var out []string
	ans, err := l.Grep(context.Background(), q, func(m *seshat.Match) error {
		for _, line := range m.Lines {
			out = append(out, fmt.Sprintf("%d: %s", m.Record.Line, line.Text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, ans
}

// manyLines is a world of two sessions whose records have several lines.
func manyLines() *rootfs.Memory {
	return claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl": lines(
			user(one, "/srv/app", "a1", 1, "needle 1\nhay\nneedle 2"),
			assistant(one, "/srv/app", "a2", 2, text("no such thing")),
			assistant(one, "/srv/app", "a3", 3, text("needle 3"), text("needle 4"))),
		"projects/-srv-app/" + two + ".jsonl": lines(
			user(two, "/srv/app", "b1", 5, "Needle 5"),
			user(two, "/srv/app", "b2", 6, "needle 6\nneedle 7\nneedle 8").with("isMeta", true),
			user(two, "/srv/app", "b3", 7, "needle 9")),
	})
}

func TestGrep(t *testing.T) {
	l := library(t, newWorld(manyLines()), "", nil)
	needle := pattern(t, "needle", seshat.PatternFlags{})
	for name, c := range map[string]struct {
		q    seshat.GrepQuery
		want []string
	}{
		"a literal":   {seshat.GrepQuery{Pattern: needle}, []string{"1: needle 1", "1: needle 2", "3: needle 3", "3: needle 4", "3: needle 9"}},
		"ignore case": {seshat.GrepQuery{Pattern: pattern(t, "NEEDLE", seshat.PatternFlags{IgnoreCase: true})}, []string{"1: needle 1", "1: needle 2", "3: needle 3", "3: needle 4", "1: Needle 5", "3: needle 9"}},
		"a regex":     {seshat.GrepQuery{Pattern: pattern(t, `\w+ [29]$`, seshat.PatternFlags{})}, []string{"1: needle 2", "3: needle 9"}},
		"all":         {seshat.GrepQuery{Pattern: needle, Selection: seshat.Selection{Kinds: []record.Kind{record.Notice}}}, []string{"2: needle 6", "2: needle 7", "2: needle 8"}},
		"nothing":     {seshat.GrepQuery{Pattern: pattern(t, "absent", seshat.PatternFlags{})}, nil},

		"two a source":             {seshat.GrepQuery{Pattern: needle, PerSource: 2}, []string{"1: needle 1", "1: needle 2", "3: needle 9"}},
		"one a source":             {seshat.GrepQuery{Pattern: needle, PerSource: 1}, []string{"1: needle 1", "3: needle 9"}},
		"three a source":           {seshat.GrepQuery{Pattern: needle, PerSource: 3}, []string{"1: needle 1", "1: needle 2", "3: needle 3", "3: needle 9"}},
		"more than there are":      {seshat.GrepQuery{Pattern: needle, PerSource: 99}, []string{"1: needle 1", "1: needle 2", "3: needle 3", "3: needle 4", "3: needle 9"}},
		"one in all":               {seshat.GrepQuery{Pattern: needle, Limit: 1}, []string{"1: needle 1"}},
		"three in all":             {seshat.GrepQuery{Pattern: needle, Limit: 3}, []string{"1: needle 1", "1: needle 2", "3: needle 3"}},
		"five in all":              {seshat.GrepQuery{Pattern: needle, Limit: 5}, []string{"1: needle 1", "1: needle 2", "3: needle 3", "3: needle 4", "3: needle 9"}},
		"one a source, two in all": {seshat.GrepQuery{Pattern: needle, PerSource: 1, Limit: 2}, []string{"1: needle 1", "3: needle 9"}},
		"one a source, one in all": {seshat.GrepQuery{Pattern: needle, PerSource: 1, Limit: 1}, []string{"1: needle 1"}},
	} {
		got, ans := grep(t, l, c.q)
		if !slices.Equal(got, c.want) || ans.Matches != len(c.want) {
			t.Errorf("%s: %q and %d matches, want %q", name, got, ans.Matches, c.want)
		}
		if c.q.Limit == 0 && (ans.Sources.Read != 2 || !ans.Complete) {
			t.Errorf("%s: the answer is %+v", name, ans)
		}
	}
}

func TestGrepRanges(t *testing.T) {
	m := claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": lines(user(one, "/srv/app", "a1", 1, "xü üx\nü"))})
	var got []string
	_, err := library(t, newWorld(m), "", nil).Grep(context.Background(), seshat.GrepQuery{Pattern: pattern(t, "ü", seshat.PatternFlags{})}, func(m *seshat.Match) error {
		for _, line := range m.Lines {
			got = append(got, fmt.Sprintf("%q %v", line.Text, line.Ranges))
		}
		return nil
	})
	if want := []string{`"xü üx" [[1 3] [4 6]]`, `"ü" [[0 2]]`}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// "Nothing" is certain only when everything was read and nothing that is damaged
// could have held a match. Of a file in which no match can stand, damage is not
// looked for.
func TestGrepIsCompleteOrSaysSo(t *testing.T) {
	absent := pattern(t, "absentword", seshat.PatternFlags{})
	whole := chat(one, "/srv/app", 1, "question", "answer")
	for name, c := range map[string]struct {
		content        string
		fault          error
		complete       bool
		lines, pending int
	}{
		"whole":                          {whole, nil, true, 0, 0},
		"without a line end":             {strings.TrimSuffix(whole, "\n"), nil, true, 0, 0},
		"damage that cannot match":       {whole + "garbage\n" + whole, nil, true, 0, 0},
		"damage that may match":          {whole + "{\"absentword\n" + whole, nil, false, 1, 0},
		"damage with a spelt-out word":   {whole + "{\"x\\u0061bsent\n", nil, false, 1, 0},
		"unfinished and cannot match":    {whole + `{"type":"user","mess`, nil, true, 0, 0},
		"unfinished and may match":       {whole + `{"type":"user","message":{"content":"absentword`, nil, false, 0, 1},
		"one that cannot be opened":      {whole, fs.ErrPermission, false, 0, 0},
		"a blank line and white space":   {whole + "\n  \n" + whole, nil, true, 0, 0},
		"a line that is JSON, no object": {whole + "[1,2,3]\n", nil, true, 0, 0},
	} {
		m := claudeRoot(map[string]string{"projects/-srv-app/" + one + ".jsonl": c.content})
		if c.fault != nil {
			m.Fail("projects/-srv-app/"+one+".jsonl", c.fault)
		}
		got, ans := grep(t, library(t, newWorld(m), "", nil), seshat.GrepQuery{Pattern: absent})
		if len(got) != 0 || ans.Complete != c.complete || ans.DamagedLines != c.lines || ans.Pending != c.pending {
			t.Errorf("%s: %q and %+v", name, got, ans)
		}
	}
}

func TestCompilePatternErrors(t *testing.T) {
	for _, p := range []string{"(", "a\nb"} {
		if _, err := seshat.CompilePattern([]string{p}, seshat.PatternFlags{}); err == nil {
			t.Errorf("%q is accepted", p)
		} else if _, ok := err.(seshat.UsageError); !ok {
			t.Errorf("%q gives %T", p, err)
		}
	}
}

// Grep finds what stands in the records, no more and no less, although it looks
// at the bytes first: over the sample home, for words and cuts of its own text.
func TestGrepFindsWhatRecordsHold(t *testing.T) {
	home := t.TempDir() + "/home"
	if err := demo.Unpack(home); err != nil {
		t.Fatal(err)
	}
	l := library(t, newWorld(), "", func(o *seshat.Options) { o.Home, o.WorkDir, o.Open = home, home, rootfs.Live })
	q := seshat.Selection{Scope: record.ScopeAll}
	var texts []string // the lines of all records, with where they stand
	var places []string
	_, err := l.Records(context.Background(), q, func(r *record.Record) error {
		for text := range strings.SplitSeq(r.Text, "\n") {
			texts = append(texts, text)
			places = append(places, fmt.Sprintf("%s:%d %s %s", r.Path, r.Line, r.ID, text))
		}
		return nil
	})
	if err != nil || len(texts) < 100 {
		t.Fatalf("%d lines, %v", len(texts), err)
	}
	rng := rand.New(rand.NewPCG(13, 14))
	for range 120 {
		flags := seshat.PatternFlags{Fixed: true, IgnoreCase: rng.IntN(2) == 0}
		from := []rune(texts[rng.IntN(len(texts))])
		i := rng.IntN(len(from) + 1)
		cut := string(from[i : i+rng.IntN(min(len(from)-i, 16)+1)])
		if flags.IgnoreCase {
			cut = strings.ToUpper(cut)
		}
		p := pattern(t, cut, flags)
		var want, got []string
		for i, text := range texts {
			if p.Match(text) {
				want = append(want, places[i])
			}
		}
		_, err := l.Grep(context.Background(), seshat.GrepQuery{Selection: q, Pattern: p}, func(m *seshat.Match) error {
			for _, line := range m.Lines {
				got = append(got, fmt.Sprintf("%s:%d %s %s", m.Record.Path, m.Record.Line, m.Record.ID, line.Text))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q with %+v: grep finds %d lines, the records hold %d\n%s\nand\n%s", cut, flags, len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
