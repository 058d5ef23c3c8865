package judged

import (
	"math"
	"testing"
)

// Worked by hand: places discount by log2(2)=1, log2(3)=1.585, log2(4)=2,
// log2(5)=2.3219; grades 3, 2, 1 gain 7, 3, 1.
func TestMetrics(t *testing.T) {
	grades := map[string]int{"a": 3, "b": 2, "c": 1}
	const best = 7 + 3/1.5849625 + 0.5 // 9.3928
	for _, test := range []struct {
		name     string
		results  []string
		grades   map[string]int
		rr, ndcg float64
	}{
		{"the best order", []string{"a", "b", "c"}, grades, 1, 1},
		{"turned round", []string{"c", "b", "a"}, grades, 0.5, (1 + 3/1.5849625 + 3.5) / best},
		{"two strangers first", []string{"x", "y", "a"}, grades, 1.0 / 3, 3.5 / best},
		{"a stranger between", []string{"b", "x", "a", "c"}, grades, 1, (3 + 3.5 + 1/2.3219281) / best},
		{"a touch is no help", []string{"x", "c"}, grades, 0, (1 / 1.5849625) / best},
		{"one session twice gains once", []string{"a", "a"}, grades, 1, 7 / best},
		{"nothing found", nil, grades, 0, 0},
		{"nothing to find", []string{"x"}, nil, 0, 0},
		{"the eleventh place gains nothing", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a"}, grades, 1.0 / 11, 0},
		{"ten of twelve equals are all one can show", twelve(10), grade(twelve(12), 2), 1, 1},
		{"five of them", twelve(5), grade(twelve(12), 2), 1, 2.9484591 / 4.5435598},
	} {
		if got := reciprocalRank(test.results, test.grades); math.Abs(got-test.rr) > 1e-6 {
			t.Errorf("%s: reciprocal rank %v, want %v", test.name, got, test.rr)
		}
		if got := ndcg(test.results, test.grades); math.Abs(got-test.ndcg) > 1e-6 {
			t.Errorf("%s: nDCG %v, want %v", test.name, got, test.ndcg)
		}
	}
}

func twelve(n int) []string {
	return []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}[:n]
}

func grade(ids []string, g int) map[string]int {
	m := map[string]int{}
	for _, id := range ids {
		m[id] = g
	}
	return m
}

// The report's means are those of the queries, each counted once.
func TestMeans(t *testing.T) {
	var f Figures
	for _, q := range [][2]float64{{1, 0.5}, {0.5, 0.25}, {0, 0}} {
		f.add(q[0], q[1])
	}
	if want := (Figures{3, 0.5, 0.25}); math.Abs(f.MRR-want.MRR) > 1e-9 || math.Abs(f.NDCG-want.NDCG) > 1e-9 || f.Queries != 3 {
		t.Errorf("means %v, want %v", f, want)
	}
}
