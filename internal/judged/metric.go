package judged

import (
	"math"
	"slices"
)

// depth is how far down a list of results people look.
const depth = 10

// helps is the lowest grade of a session that a person would stop at.
const helps = 2

// reciprocalRank is 1/n where the first result that is helpful or better is the nth;
// 0 where none is. Its mean over queries is the MRR.
func reciprocalRank(results []string, grades map[string]int) float64 {
	for i, id := range results {
		if grades[id] >= helps {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// ndcg is the normalised discounted cumulative gain of the first ten results: each
// gains 2^grade-1, divided by log2(1+its place), and the sum is divided by that of
// the best order there is of all graded sessions. A session that comes twice gains
// once. It is 0 where nothing is graded.
func ndcg(results []string, grades map[string]int) float64 {
	var got, best float64
	seen := map[string]bool{}
	for i, id := range results[:min(depth, len(results))] {
		if !seen[id] {
			got += gain(grades[id], i)
		}
		seen[id] = true
	}
	var ideal []int
	for _, g := range grades {
		ideal = append(ideal, g)
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	for i, g := range ideal[:min(depth, len(ideal))] {
		best += gain(g, i)
	}
	if best == 0 {
		return 0
	}
	return got / best
}

func gain(grade, place int) float64 {
	return (math.Exp2(float64(grade)) - 1) / math.Log2(float64(place+2))
}
