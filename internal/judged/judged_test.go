package judged_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/judged"
)

// searchRanker gives the ranking that people get: the ids of the sessions that
// Library.Search answers with, best first.
func searchRanker(t testing.TB) judged.Ranker {
	l, err := seshat.Open(options(t))
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) ([]string, error) {
		q, err := l.ParseQuery(text)
		if err != nil {
			return nil, err
		}
		var ids []string
		_, err = l.Search(context.Background(), seshat.SearchQuery{Query: q}, func(f *seshat.Found) error {
			if !slices.Contains(ids, f.Session.ID) {
				ids = append(ids, f.Session.ID)
			}
			return nil
		})
		return ids, err
	}
}

// The floor of search: what it reached when its ranking was last changed on purpose.
// Raise it with the ranking, and write the figures to doc/ranking.md.
const (
	floorMRR  = 0.9575
	floorNDCG = 0.9505
)

func TestSearch(t *testing.T) {
	r := measure(t, "search", searchRanker(t))
	compare(t, figures(t), "search", r)
	if r.All.MRR < floorMRR || r.All.NDCG < floorNDCG {
		t.Errorf("MRR %.3f, nDCG@10 %.3f; the floor is %.3f and %.3f", r.All.MRR, r.All.NDCG, floorMRR, floorNDCG)
	}
	if len(r.Stray) > 0 {
		t.Errorf("nothing answers these, and something came: %q", r.Stray)
	}
}

func measure(t *testing.T, name string, rank judged.Ranker) *judged.Report {
	t.Helper()
	r, err := judged.Measure(rank)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", name, r)
	return r
}

// The page holds the figures that the rankers of baseline_test.go have, overall and by
// kind; so the set did not change unnoticed, and it tells rankers apart.
func TestBaselines(t *testing.T) {
	w := read(t)
	written := figures(t)
	all := map[string]judged.Figures{}
	for name, less := range map[string]func(string, found, found) int{
		"chance": chance, "oldest first": oldest, "newest first": newest, "most records": mostRecords, "ideal": ideal(t),
	} {
		r := measure(t, name, w.by(less))
		all[name] = r.All
		compare(t, written, name, r)
		if len(r.Stray) > 0 {
			t.Errorf("%s: nothing answers these, and something came: %q", name, r.Stray)
		}
	}
	for _, name := range []string{"chance", "oldest first", "newest first", "most records"} {
		if room := all["ideal"].NDCG - all[name].NDCG; room < 0.1 {
			t.Errorf("between %s and the best order of what matches lies %.3f of nDCG@10: too little to see a ranking get better", name, room)
		}
	}
}

// compare holds a ranker's figures against those of the page: overall and of every
// kind, no kind left out and none beside.
func compare(t *testing.T, written map[string]judged.Figures, name string, r *judged.Report) {
	t.Helper()
	measured := map[string]judged.Figures{name + ", all": r.All}
	for kind, f := range r.Kinds {
		measured[name+", "+kind] = f
	}
	for key, f := range measured {
		page, ok := written[key]
		if !ok || page.Queries != f.Queries || math.Abs(page.MRR-f.MRR) > 0.0006 || math.Abs(page.NDCG-f.NDCG) > 0.0006 {
			t.Errorf("doc/ranking.md has other figures of %s: %+v; measured %+v", key, page, f)
		}
	}
	for key := range written {
		if _, ok := measured[key]; !ok && strings.HasPrefix(key, name+", ") {
			t.Errorf("doc/ranking.md has figures of %s, and nothing was measured", key)
		}
	}
}

var cell = regexp.MustCompile(`^(\d\.\d{3}) / (\d\.\d{3})$`)

// figures reads the tables of doc/ranking.md whose first column is a kind, whose second
// says of how many queries, and whose others are rankers, "MRR / nDCG@10".
func figures(t *testing.T) map[string]judged.Figures {
	t.Helper()
	page, err := os.ReadFile("../../doc/ranking.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]judged.Figures{}
	var head []string
	for line := range strings.Lines(strings.ReplaceAll(string(page), "\r\n", "\n")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "queries" {
			head = cells
		}
		for i := range cells {
			if m := cell.FindStringSubmatch(cells[i]); m != nil && i < len(head) {
				queries, _ := strconv.Atoi(cells[1])
				mrr, _ := strconv.ParseFloat(m[1], 64)
				ndcg, _ := strconv.ParseFloat(m[2], 64)
				out[fmt.Sprintf("%s, %s", head[i], cells[0])] = judged.Figures{Queries: queries, MRR: mrr, NDCG: ndcg}
			}
		}
	}
	return out
}
