package corpus

// rng is splitmix64: a sequence that is the same on every machine and with every
// version of Go, and cheap to start anew for each session.
type rng struct{ state uint64 }

// newRNG gives the sequence that belongs to a part of a tree.
func newRNG(seed uint64, part int) *rng {
	r := &rng{seed*0x9E3779B97F4A7C15 + uint64(part)*0xD1342543DE82EF95}
	r.next()
	return r
}

func (r *rng) next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	z := r.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// n gives a number of 0 to n-1.
func (r *rng) n(n int) int { return int((r.next() >> 33) % uint64(n)) }

// between gives a number of lo to hi.
func (r *rng) between(lo, hi int) int { return lo + r.n(hi-lo+1) }

// percent is true that often in a hundred.
func (r *rng) percent(p int) bool { return r.n(100) < p }

// of gives one of the strings.
func (r *rng) of(list []string) string { return list[r.n(len(list))] }

// step is a point of a distribution: that many of ten thousand are smaller.
type step struct{ below, value int }

// sample draws from a distribution given by points, evenly between them. Whole
// numbers only: logarithms may differ in the last bit from machine to machine.
func (r *rng) sample(steps []step) int {
	at := r.n(10_000)
	for i := 1; i < len(steps); i++ {
		lo, hi := steps[i-1], steps[i]
		if at < hi.below {
			return lo.value + r.n(hi.value-lo.value+1)
		}
	}
	return steps[len(steps)-1].value
}

const hexDigits = "0123456789abcdef"

// hex adds so many hexadecimal digits.
func (r *rng) hex(out []byte, digits int) []byte {
	for digits > 0 {
		v := r.next()
		for i := 0; i < 16 && digits > 0; i++ {
			out = append(out, hexDigits[v&15])
			v >>= 4
			digits--
		}
	}
	return out
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// token adds a prefix and so many letters and digits, as in the ids of an API.
func (r *rng) token(out []byte, prefix string, n int) []byte {
	out = append(out, prefix...)
	for range n {
		out = append(out, base62[r.n(62)])
	}
	return out
}

// uuid gives a version 4 UUID.
func (r *rng) uuid() string {
	b := r.hex(make([]byte, 0, 36), 36)
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	b[14], b[19] = '4', "89ab"[r.n(4)]
	return string(b)
}
