package seshat_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// On what agents really wrote, a search finds what looking at every record finds.
func TestSearchEqualsRecordsOfTheCorpora(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	homes := collectedHomes(t)
	for _, dir := range slices.Sorted(maps.Keys(homes)) {
		searchHome(t, rng, library(t, newWorld(homes[dir]), "", nil), 5)
	}
	for _, dir := range []string{"generated", "home01", "home03"} {
		home, err := filepath.Abs("agent/gemini/testdata/" + dir)
		if err != nil {
			t.Fatal(err)
		}
		l, err := seshat.Open(seshat.Options{Home: home, GOOS: "linux", WorkDir: home, Agents: []string{"gemini"}, Open: rootfs.Live})
		if err != nil {
			t.Fatal(err)
		}
		searchHome(t, rng, l, 12)
	}
}

// A kind that is read anyway opens no store that is only read when it is asked for:
// alone, beside a kind that does, or by turns with it.
func TestAKindOpensNoOtherStore(t *testing.T) {
	home, err := filepath.Abs("agent/gemini/testdata/generated")
	if err != nil {
		t.Fatal(err)
	}
	l, err := seshat.Open(seshat.Options{Home: home, GOOS: "linux", WorkDir: home, Agents: []string{"gemini"}, Open: rootfs.Live})
	if err != nil {
		t.Fatal(err)
	}
	for src, want := range map[string]int{ // "checkpointed answer" stands in a checkpoint alone
		"checkpointed kind:reply": 0, "checkpointed (kind:reply OR kind:document)": 0, "checkpointed kind:*": 0,
		"checkpointed scope:all": 2, "checkpointed kind:reply scope:all": 1, "checkpointed kind:reply store:gemini.tmp.checkpoints": 1,
	} {
		asked, err := l.ParseQuery(src)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := searched(t, l, seshat.SearchQuery{Query: asked}); len(got.hits) != want {
			t.Errorf("%s finds %q, want %d", src, got.hits, want)
		}
	}
}

// searchHome asks for words that stand in the records of a home.
func searchHome(t *testing.T, rng *rand.Rand, l *seshat.Library, rounds int) {
	t.Helper()
	any, err := l.ParseQuery("kind:*")
	if err != nil {
		t.Fatal(err)
	}
	records := naive(t, l, any).records
	slices.SortFunc(records, func(a, b *record.Record) int { // not by time, which is that of the checkout where a store tells none
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line, strings.Compare(a.ID, b.ID))
	})
	word := func() string {
		for range 100 {
			words := strings.Fields(records[rng.IntN(len(records))].Text)
			if len(words) == 0 {
				continue
			}
			if w := words[rng.IntN(len(words))]; utf8.ValidString(w) && len(w) > 2 && len(w) < 40 && !strings.ContainsAny(w, `"\-/:()`) {
				return w
			}
		}
		return "text"
	}
	for range rounds {
		src := []string{word(), word() + " " + word(), `"` + word() + `" OR ` + word(), word() + " kind:reply", word() + " -" + word(), word() + " is:subagent"}[rng.IntN(6)]
		asked, err := l.ParseQuery(src)
		if err != nil {
			t.Fatal(err)
		}
		s := naive(t, l, asked)
		want := s.hits()
		slices.Sort(want)
		whole, _ := searched(t, l, seshat.SearchQuery{Query: asked, Whole: true})
		part, _ := searched(t, l, seshat.SearchQuery{Query: asked})
		if !slices.Equal(whole.hits, want) || !slices.Equal(part.hits, want) {
			t.Errorf("%s gives\n\t%q\nwhole,\n\t%q\nin part, where all records give\n\t%q", src, whole.hits, part.hits, want)
		}
	}
}
