package corpus

// tally counts what queries have to find.
type tally struct {
	byMarks [256]int64 // text lines of filler
	planted []int64    // lines that were planted, by needle query
	lines   int64      // of transcripts
	bytes   int64
	files   int
}

func newTally() *tally { return &tally{planted: make([]int64, len(needleQueries))} }

func (t *tally) count(ls ...line) {
	for _, l := range ls {
		t.byMarks[l.marks]++
	}
}

// add takes in what another tally has counted.
func (t *tally) add(o *tally) {
	for i, n := range o.byMarks {
		t.byMarks[i] += n
	}
	for i, n := range o.planted {
		t.planted[i] += n
	}
	t.lines += o.lines
	t.bytes += o.bytes
	t.files += o.files
}

// queries gives all queries with what they have to find.
func (t *tally) queries() []Query {
	var out []Query
	for i, q := range needleQueries {
		q.Want = t.planted[i]
		out = append(out, q)
	}
	for bit, q := range common {
		for m, n := range t.byMarks {
			if m>>bit&1 == 1 {
				q.Want += n
			}
		}
		out = append(out, q)
	}
	return out
}
