package seshat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// printedFound is all that a search tells of one session.
func printedFound(t *testing.T, f *seshat.Found) string {
	t.Helper()
	var out []any
	for i := range f.Hits {
		h := &f.Hits[i]
		out = append(out, h.Record.JSON(nil), h.Name, h.Snippet, h.Score, h.Why, h.Record.Offset)
	}
	b, err := json.Marshal([]any{f.Session.JSON(nil), f.Title, f.Score, f.Why, f.Loose, out})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// wholly gives all that a search tells. What it was not asked for is left out: looking at
// lines more closely may tell of damage that no match can stand on.
func wholly(t *testing.T, l *seshat.Library, q seshat.SearchQuery) ([]string, *seshat.SearchAnswer) {
	t.Helper()
	var out []string
	ans, err := l.Search(context.Background(), q, func(f *seshat.Found) error {
		out = append(out, printedFound(t, f))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ans.DamagedLines, ans.Warnings = 0, nil
	return out, ans
}

// scoredWords are what is looked for in worlds of countedWords, and scoredElse in those of
// the dictionary.
var scoredWords = []string{"needle", "NEEDLE", "need", "le", "nneedle", "ab/cd", "path", "path:", "image", "u212a", "k", "s", "needleneedle", "edl", "00need", "K", "text", "key"}

func scoredWord(rng *rand.Rand, world int) string {
	if world%2 == 0 {
		return scoredWords[rng.IntN(len(scoredWords))]
	}
	w := dictionary[rng.IntN(len(dictionary))]
	if rng.IntN(3) == 0 {
		w = w[1:4]
	}
	return w
}

// A search that shows few sessions, for which records are scored where they stand and
// sessions that cannot be shown are not looked at, gives the beginning of what a search
// gives that shows all.
func TestFewSessionsAreTheFirstOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for world := range rounds(60) {
		files := countedWorld(rng)
		if world%2 == 1 {
			files = randomWorld(rng)
		}
		for _, session := range []string{one, two, three} {
			name := appDir + session + ".jsonl"
			if rng.IntN(3) == 0 && files[name] != "" {
				files[name] += "\n" + line(object{"type": "custom-title", "customTitle": scoredWord(rng, world) + " title", "sessionId": session})
			}
			if rng.IntN(9) == 0 {
				files[appDir+session+"/custom-title.json"] = `{"customTitle":"` + scoredWord(rng, 1) + ` needle"}`
			}
		}
		l := library(t, newWorld(claudeRoot(files)), "", nil)
		for range 6 {
			asked, err := l.ParseQuery(scoredWord(rng, world))
			if err != nil {
				t.Fatal(err)
			}
			all := seshat.SearchQuery{Query: asked, Explain: true, Flat: rng.IntN(3) == 0, Whole: rng.IntN(4) == 0}
			all.Sort = []seshat.Sort{"", "", seshat.ByScore, seshat.Newest, seshat.Oldest}[rng.IntN(5)]
			all.Selection = []seshat.Selection{{}, {}, {Copies: true}, {Superseded: true}, {Kinds: []record.Kind{record.ToolResult, record.ToolCall}}, {Scope: record.ScopeAll}}[rng.IntN(6)]
			want, wantAns := wholly(t, l, all)
			for _, few := range []int{100, 1, 2} {
				q := all
				q.Limit = few
				got, ans := wholly(t, l, q)
				what := fmt.Sprintf("%+v %q in %s", q, asked, spoken(files))
				if want := want[:min(few, len(want))]; !slices.Equal(got, want) {
					t.Fatalf("of few sessions there are\n%s\nwant\n%s\nfor %s", strings.Join(got, "\n"), strings.Join(want, "\n"), what)
				}
				if !reflect.DeepEqual(ans, wantAns) {
					t.Fatalf("the answer is\n%+v\nwant\n%+v\nfor %s", ans.Answer, wantAns.Answer, what)
				}
			}
		}
	}
}
