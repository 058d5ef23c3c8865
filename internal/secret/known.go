package secret

import "strings"

// Known are the values that were found in an answer so far. Wherever one stands again, a
// marker takes its place, also where nothing around it tells that it is a secret. The zero
// Known is empty; it is not for several goroutines at once.
//
// Values are found by their ends: many tokens begin alike, and hardly two end alike.
type Known struct {
	flags  []uint8            // whether a value ends with bytes of that hash
	tails  map[string][]Value // by the last bytes
	starts map[string][]Value // by so many bytes that a part counts, from the beginning
	ends   map[string][]Value // and from the end
	have   map[string]bool
	bytes  int
}

const (
	knownBits  = 13
	tailSize   = leastAgain // bytes that values are found by
	knownBytes = 4 << 20    // about how many are kept of all values; the first are
	mostAlike  = 64         // values that end alike: more are no chance
)

// Ends says where a text was cut, so that only a part of a value may stand there.
type Ends struct{ Start, End bool }

// Len is how many values are known.
func (k *Known) Len() int { return len(k.have) }

// Add notes values, and reports whether any was new.
func (k *Known) Add(values []Value) (more bool) {
	for _, v := range values {
		if k.have[v.text] || k.bytes+len(v.text) > knownBytes {
			continue
		}
		if k.have == nil {
			k.flags = make([]uint8, 1<<knownBits/8)
			k.have, k.tails, k.starts, k.ends = map[string]bool{}, map[string][]Value{}, map[string][]Value{}, map[string][]Value{}
		}
		more = true
		k.have[v.text] = true
		k.bytes += len(v.text)
		tail := v.text[len(v.text)-tailSize:]
		h := knownHash(tail, 0)
		k.flags[h/8] |= 1 << (h % 8)
		note(k.tails, tail, v)
		if len(v.text) > leastCut {
			note(k.starts, v.text[:leastCut], v)
			note(k.ends, v.text[len(v.text)-leastCut:], v)
		}
	}
	return more
}

func note(by map[string][]Value, key string, v Value) {
	if len(by[key]) < mostAlike {
		by[key] = append(by[key], v)
	}
}

func knownHash(s string, i int) uint32 {
	_ = s[i+3]
	x := uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
	return x * 0x9e3779b1 >> (32 - knownBits)
}

// Look gives what has to be changed in a text. cut says which ends of it are cuts.
func (k *Known) Look(text string, cut Ends) Edits {
	if len(k.have) == 0 {
		return nil
	}
	var out Edits
	for i := 0; i+tailSize <= len(text); i++ {
		if h := knownHash(text, i); k.flags[h/8]&(1<<(h%8)) == 0 {
			continue
		}
		e := k.endingAt(text, i+tailSize)
		if e.To == 0 || marked(text, e.From, e.To) {
			continue
		}
		for len(out) > 0 && e.From < out[len(out)-1].To {
			last := out[len(out)-1]
			e = Edit{min(e.From, last.From), max(e.To, last.To), last.Marker}
			out = out[:len(out)-1]
		}
		out = append(out, e)
	}
	if cut.Start {
		out = out.With(k.startingCut(text))
	}
	if cut.End {
		out = out.With(k.endingCut(text))
	}
	return out
}

// endingAt gives the longest value that ends at a place.
func (k *Known) endingAt(text string, at int) (e Edit) {
	for _, v := range k.tails[text[at-tailSize:at]] {
		from, to := at-len(v.text), at
		if from < 0 || e.To > 0 && from >= e.From || text[from:at] != v.text {
			continue
		}
		if len(v.text) < leastBare && (from > 0 && alnum.has(text[from-1]) || at < len(text) && alnum.has(text[at])) {
			continue
		}
		if v.cut {
			to = (std64 | url64 | dot | tilde).end(text, at, len(text))
		}
		e = Edit{from, to, v.marker}
	}
	return e
}

// startingCut gives the end of a value that a cut text begins with.
func (k *Known) startingCut(text string) Edits {
	for to := min(len(text), maxHeader); to >= leastCut; to-- {
		for _, v := range k.ends[text[to-leastCut:to]] {
			if strings.HasSuffix(v.text, text[:to]) {
				return Edits{{0, to, v.marker}}
			}
		}
	}
	return nil
}

// endingCut gives the beginning of a value that a cut text ends with.
func (k *Known) endingCut(text string) Edits {
	for from := max(0, len(text)-maxHeader); from+leastCut <= len(text); from++ {
		for _, v := range k.starts[text[from:from+leastCut]] {
			if strings.HasPrefix(v.text, text[from:]) {
				return Edits{{from, len(text), v.marker}}
			}
		}
	}
	return nil
}
