package seshat_test

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
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

// searchHome asks for words that stand in the records of a home.
func searchHome(t *testing.T, rng *rand.Rand, l *seshat.Library, rounds int) {
	t.Helper()
	any, err := l.ParseQuery("kind:*")
	if err != nil {
		t.Fatal(err)
	}
	records := naive(t, l, any).records
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
