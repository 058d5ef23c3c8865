package secret

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The least precision and recall on the labelled set.
const (
	leastPrecision = 0.98
	leastRecall    = 0.95
)

func TestPrecisionAndRecall(t *testing.T) {
	right, wrong, missed, n, negatives := 0, 0, 0, 0, 0
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, c := range append(positives(r), nearMisses(r)...) {
			found := Find(c.text)
			if c.rule == "" {
				negatives++
				if wrong += len(found); len(found) > 0 && seed == 0 {
					t.Logf("%s in a near miss: %q", found[0].Rule.ID, c.text)
				}
				continue
			}
			n++
			if hit(c, found) {
				right++
				wrong += len(found) - 1
				if len(found) > 1 && seed == 0 {
					t.Logf("%s and %s too: %q", found[0].Rule.ID, found[1].Rule.ID, c.text)
				}
			} else {
				missed++
				wrong += len(found)
				if seed == 0 {
					t.Logf("%s is missed: %q gives %v", c.rule, c.text, ids(found))
				}
			}
		}
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("%d texts with a credential and %d near misses: precision %.4f, recall %.4f", n, negatives, precision, recall)
	if precision < leastPrecision || recall < leastRecall {
		t.Errorf("precision %.4f, recall %.4f; at least %.2f and %.2f are wanted", precision, recall, leastPrecision, leastRecall)
	}
}

// hit reports whether a finding is of the right rule and of the very value.
func hit(c labelled, found []Finding) bool {
	for _, f := range found {
		if f.Rule.ID == c.rule && (c.value == "" || strings.TrimRight(c.text[f.From:f.To], ".-") == strings.TrimRight(c.value, ".-")) {
			return true
		}
	}
	return false
}

func ids(found []Finding) (out []string) {
	for _, f := range found {
		out = append(out, f.Rule.ID)
	}
	return out
}
