package judged

import (
	"fmt"
	"strings"
)

// Ranker answers a query with the ids of sessions, best first.
type Ranker func(query string) ([]string, error)

// Figures are the means over some queries.
type Figures struct {
	Queries int
	MRR     float64
	NDCG    float64 // at 10
}

// Report is how a ranker did.
type Report struct {
	All   Figures            // over all queries that something answers
	Kinds map[string]Figures // the same by kind
	Stray []string           // queries that nothing answers and that were answered
}

// Measure asks a ranker all judged queries.
func Measure(rank Ranker) (*Report, error) {
	list, err := Queries()
	if err != nil {
		return nil, err
	}
	r := &Report{Kinds: map[string]Figures{}}
	for _, q := range list {
		results, err := rank(q.Text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Text, err)
		}
		if q.Kind == Nothing {
			if len(results) > 0 {
				r.Stray = append(r.Stray, q.Text)
			}
			continue
		}
		rr, gained := reciprocalRank(results, q.Grades), ndcg(results, q.Grades)
		r.All.add(rr, gained)
		k := r.Kinds[q.Kind]
		k.add(rr, gained)
		r.Kinds[q.Kind] = k
	}
	return r, nil
}

// add takes one more query into the means.
func (f *Figures) add(rr, gained float64) {
	n := float64(f.Queries)
	f.MRR, f.NDCG = (f.MRR*n+rr)/(n+1), (f.NDCG*n+gained)/(n+1)
	f.Queries++
}

// String is a table for people: overall, then by kind.
func (r *Report) String() string {
	var b strings.Builder
	row := func(name string, f Figures) {
		fmt.Fprintf(&b, "%-11s %4d  MRR %.3f  nDCG@10 %.3f\n", name, f.Queries, f.MRR, f.NDCG)
	}
	row("all", r.All)
	for _, kind := range Kinds() {
		if f, ok := r.Kinds[kind]; ok {
			row(kind, f)
		}
	}
	fmt.Fprintf(&b, "answered although nothing answers: %q\n", r.Stray)
	return b.String()
}
