package secret

import "math"

// entropy is Shannon's, in bits for each byte of a text.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// mix is what a text is made of.
type mix struct {
	lower, upper, digits, other int
	distinct                    int
	changes                     int // from one of these kinds to another
	steps                       int // to the next character of the alphabet, or to the same
}

func mixOf(s string) (m mix) {
	var seen [256]bool
	var last class
	for i := range len(s) {
		c := s[i]
		if !seen[c] {
			seen[c] = true
			m.distinct++
		}
		var kind class
		switch set := classOf[c]; {
		case set&lower != 0:
			m.lower++
			kind = lower
		case set&upper != 0:
			m.upper++
			kind = upper
		case set&digits != 0:
			m.digits++
			kind = digits
		default:
			m.other++
		}
		if i > 0 && kind != last {
			m.changes++
		}
		if i > 0 && (c == s[i-1] || c == s[i-1]+1 || c+1 == s[i-1] || s[i-1] == '9' && c == '0') {
			m.steps++
		}
		last = kind
	}
	return m
}

// kinds counts the kinds of characters that a text has.
func (m mix) kinds() (n int) {
	for _, k := range []int{m.lower, m.upper, m.digits, m.other} {
		if k > 0 {
			n++
		}
	}
	return n
}

// Least entropies, in bits for each byte: random digits of base 16 have about 3.6 at
// 32 of them, prose about 4, "aaaabbbb" 1.
const (
	leastToken    = 2.2
	leastAssigned = 2.9
	leastPassword = 2.5
)

// random reports whether a text looks as if a machine had drawn it: kinds of
// characters change often, and no alphabet is counted through.
func random(s string) bool {
	m := mixOf(s)
	letters := m.lower + m.upper
	switch {
	case m.steps*2 > len(s), entropy(s) < leastAssigned, letters == 0:
		return false
	case m.digits >= 2:
		return m.changes*5 >= len(s)
	}
	if m.lower == 0 || m.upper == 0 {
		return false
	}
	return len(s) >= 20 && m.changes*3 >= len(s) || len(s) >= 12 && m.changes*5 >= len(s)*2
}

// mixed reports whether a text that was cut is no plain word.
func mixed(s string) bool {
	m := mixOf(s)
	return m.digits > 0 || m.changes >= 2
}

// strong reports whether a text looks like a password that somebody chose with care.
func strong(s string) bool {
	m := mixOf(s)
	if m.steps*2 > len(s) || entropy(s) < leastPassword || m.lower+m.upper == 0 {
		return false
	}
	return m.kinds() >= 3 && m.digits+m.other >= 2 || m.kinds() >= 2 && m.digits >= 2 && m.changes >= 3
}
