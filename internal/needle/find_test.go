package needle

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// places gives all places before a limit that a search gives, one found after the other.
func places(from, limit int, find func(from int) found) (p, q []int) {
	for from < limit {
		f := find(from)
		for i := range 32 {
			if at := f.at + i; at < limit {
				if f.p>>i&1 != 0 {
					p = append(p, at)
				}
				if f.q>>i&1 != 0 {
					q = append(q, at)
				}
			}
		}
		from = f.next
	}
	return p, q
}

// Vectors find what is found without them: at every length, offset and limit, at the
// edges of blocks, in either case.
func TestVectorsFindTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 3000 {
		b := make([]byte, rng.IntN(400))
		for i := range b {
			b[i] = "abAB\\u0z1-"[rng.IntN(10)]
		}
		one := func() *pair {
			p := &pair{o1: rng.IntN(9), o2: rng.IntN(9), v1: "ab\\"[rng.IntN(3)], v2: "abu0"[rng.IntN(4)]}
			if rng.IntN(2) == 0 {
				p.m1, p.m2 = foldBit(p.v1), foldBit(p.v2)
			}
			return p
		}
		p, q := one(), one()
		from := rng.IntN(len(b) + 1)
		limit := from + rng.IntN(len(b)-from+1)
		wantP, wantQ := places(from, limit, func(at int) found { return findSlow(b, at, limit, p, q) })
		narrowly(func() {
			gotP, gotQ := places(from, limit, func(at int) found { return find(b, at, limit, p, q) })
			if !slices.Equal(gotP, wantP) || !slices.Equal(gotQ, wantQ) {
				t.Fatalf("round %d, %q from %d to %d, %+v and %+v: %v and %v, want %v and %v", round, b, from, limit, *p, *q, gotP, gotQ, wantP, wantQ)
			}
		})
	}
}

func TestVectorsFindTheSameSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	classes := []string{"A-Z", "0-9", "a-z", "A-Za-z", "a", "_", "0-9a-f", "aA"}
	some := 0
	for range 3000 {
		r := &Run{}
		for range 4 + rng.IntN(6) {
			r.Classes = append(r.Classes, class(classes[rng.IntN(len(classes))]))
		}
		s := &Set{}
		if !s.addClasses(r) {
			continue
		}
		x := s.runs[0]
		b := make([]byte, rng.IntN(400))
		for i := range b {
			b[i] = "ABab012_-\xc3"[rng.IntN(10)]
		}
		from := rng.IntN(len(b) + 1)
		limit := from + rng.IntN(len(b)-from+1)
		want, _ := places(from, limit, func(at int) found { return findSpansSlow(b, at, limit, x) })
		got, _ := places(from, limit, func(at int) found { return findSpans(b, at, limit, x) })
		if !slices.Equal(got, want) {
			t.Fatalf("%q from %d to %d, %+v: %v, want %v", b, from, limit, x.spans, got, want)
		}
		some += len(want)
	}
	if some < 200 {
		t.Errorf("only %d places were there to be found", some)
	}
}

// class reads ranges as they stand in brackets.
func class(ranges string) (c Class) {
	for len(ranges) > 0 {
		to := ranges[0]
		if len(ranges) > 2 && ranges[1] == '-' {
			to = ranges[2]
		}
		for b := ranges[0]; b <= to; b++ {
			c.Add(b)
		}
		if ranges = ranges[1:]; len(ranges) > 1 && ranges[0] == '-' {
			ranges = ranges[2:]
		}
	}
	return c
}

func runOf(classes string) *Run {
	r := &Run{}
	for c := range strings.FieldsSeq(classes) {
		r.Classes = append(r.Classes, class(c))
	}
	return r
}

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		classes, line string
		want          int
	}{
		{"A-Z A-Z A-Z 0-9 0-9 0-9", `{"t":"id ABC123, ABC124"}`, 9},
		{"A-Z A-Z A-Z 0-9 0-9 0-9", `{"t":"id ABC12, ab"}`, -1},
		{"A-Z A-Z A-Z 0-9 0-9 0-9", `{"t":"AB\u0043123"}`, 8},     // an escape hides a part
		{"A-Z A-Z A-Z 0-9 0-9 0-9", "{\"t\":\"AB\u212a123\"}", 8}, // the Kelvin sign composes to K
		{"0-9 0-9 0-9 0-9 0-9 0-9", `{"type":"image"}`, 8},        // its size is made up
		{"a-z a-z 0-9 0-9 A-Z", `{"t":"xab12Z"}`, 7},
	} {
		s := New([]Literal{{Run: runOf(c.classes)}})
		if s == nil {
			t.Errorf("%s: no set", c.classes)
		} else if got := s.Next([]byte(c.line), 0); got != c.want {
			t.Errorf("%s in %s: at %d, want %d", c.classes, c.line, got, c.want)
		}
	}
	for _, classes := range []string{"a-z a-z", "a-z a-z a-z a-z", "0-9 0-9", "- - - - -", "0-9- 0-9- 0-9- 0-9- 0-9-"} {
		if New([]Literal{{Run: runOf(classes)}}) != nil {
			t.Errorf("%s is looked for, and stands nearly everywhere or may be made up", classes)
		}
	}
}

// Compared are the rarest four in a row, and of equally rare ones those that differ.
func TestBestWindow(t *testing.T) {
	for classes, want := range map[string]int{
		"a-z a-z a-z a-z a-z A-Z A-Z 0-9 0-9":   5,
		"A-Z A-Z A-Z 0-9 0-9 0-9 0-9 0-9 0-9":   1,
		"a-z A-Z":                               0,
		"A-Z 0-9 A-Z 0-9 a-zA-Z0-9_ a-zA-Z0-9_": 0,
	} {
		if got := bestWindow(runOf(classes).Classes); got != want {
			t.Errorf("%s: %d, want %d", classes, got, want)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	text := []byte(strings.Repeat(`{"type":"assistant","message":{"content":[{"type":"text","text":"Parsed 17 files in 2026-01-02T03:04:05Z, see AbC12"}]}}`+"\n", 10000))
	s := New([]Literal{{Run: runOf("A-Z A-Z A-Z 0-9 0-9 0-9 0-9 0-9 0-9")}})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if s.Next(text, 0) >= 0 {
			b.Fatal("found")
		}
	}
}
