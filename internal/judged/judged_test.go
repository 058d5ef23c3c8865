package judged_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/judged"
)

// searchRanker gives the ranking that people get: the ids of the sessions that
// Library.Search answers with, best first. It is nil as long as there is no Search.
// To connect it: open a Library with options(t), ask it with today for the present
// time and no limit, and give the id of each session once, in the order of the answer.
func searchRanker(testing.TB) judged.Ranker { return nil }

// The floor of search: what it reached when its ranking was last changed on purpose.
// Raise it with the ranking, and write the figures to doc/ranking.md.
const (
	floorMRR  = 0.0
	floorNDCG = 0.0
)

func TestSearch(t *testing.T) {
	rank := searchRanker(t)
	if rank == nil {
		t.Skip("search is not connected yet: see searchRanker")
	}
	r := measure(t, "search", rank)
	written := figures(t)
	compare(t, written, "search", "all", r.All)
	for kind, f := range r.Kinds {
		compare(t, written, "search", kind, f)
	}
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
		compare(t, written, name, "all", r.All)
		for kind, f := range r.Kinds {
			compare(t, written, name, kind, f)
		}
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

// compare holds a ranker's figures against those of the page.
func compare(t *testing.T, written map[string][2]float64, name, kind string, f judged.Figures) {
	t.Helper()
	key := name + ", " + kind
	page, ok := written[key]
	if !ok || math.Abs(page[0]-f.MRR) > 0.0006 || math.Abs(page[1]-f.NDCG) > 0.0006 {
		t.Errorf("doc/ranking.md has other figures of %s: %v; measured MRR %.3f, nDCG@10 %.3f", key, page, f.MRR, f.NDCG)
	}
}

var cell = regexp.MustCompile(`^(\d\.\d{3}) / (\d\.\d{3})$`)

// figures reads the tables of doc/ranking.md whose first column is a kind and whose
// others are rankers, "MRR / nDCG@10".
func figures(t *testing.T) map[string][2]float64 {
	t.Helper()
	page, err := os.ReadFile("../../doc/ranking.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][2]float64{}
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
				mrr, _ := strconv.ParseFloat(m[1], 64)
				ndcg, _ := strconv.ParseFloat(m[2], 64)
				out[fmt.Sprintf("%s, %s", head[i], cells[0])] = [2]float64{mrr, ndcg}
			}
		}
	}
	return out
}
