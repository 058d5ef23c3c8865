package secret

import "strings"

// Known are the values that were found in an answer so far. Wherever one stands again, a
// marker takes its place, also where nothing around it tells that it is a secret. The zero
// Known is empty; it is not for several goroutines at once.
type Known struct {
	flags  [1 << knownBits / 8]uint8 // whether a value begins with bytes of that hash
	heads  map[string][]Value        // by the first bytes
	longer []Value                   // all that can be cut so that enough is left
	have   map[string]bool
	bytes  int
}

const (
	knownBits  = 13
	headSize   = 4       // bytes that values are found by
	knownBytes = 4 << 20 // about how many are kept of all values; the first are
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
			k.have, k.heads = map[string]bool{}, map[string][]Value{}
		}
		more = true
		k.have[v.text] = true
		k.bytes += len(v.text)
		h := knownHash(v.text, 0)
		k.flags[h/8] |= 1 << (h % 8)
		k.heads[v.text[:headSize]] = append(k.heads[v.text[:headSize]], v)
		if len(v.text) > leastCut {
			k.longer = append(k.longer, v)
		}
	}
	return more
}

func knownHash(s string, i int) uint32 {
	_ = s[i+3]
	x := uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
	return x * 0x9e3779b1 >> (32 - knownBits)
}

// Look gives what has to be changed in a text. Ends says which ends of it are cuts.
func (k *Known) Look(text string, ends Ends) Edits {
	if len(k.have) == 0 {
		return nil
	}
	var out Edits
	for i := 0; i+headSize <= len(text); {
		if h := knownHash(text, i); k.flags[h/8]&(1<<(h%8)) == 0 {
			i++
			continue
		}
		v, to := k.at(text, i)
		if to == 0 {
			i++
			continue
		}
		if !marked(text, i, to) {
			out = append(out, Edit{i, to, v.marker})
		}
		i = to
	}
	if ends.Start || ends.End {
		return out.With(k.parts(text, ends))
	}
	return out
}

// at gives the longest value that stands at a place, and where it ends; 0 where none does.
func (k *Known) at(text string, i int) (best Value, to int) {
	for _, v := range k.heads[text[i:i+headSize]] {
		end := i + len(v.text)
		if end <= to || !strings.HasPrefix(text[i:], v.text) {
			continue
		}
		if len(v.text) < leastBare && (i > 0 && alnum.has(text[i-1]) || end < len(text) && alnum.has(text[end])) {
			continue
		}
		if v.cut {
			end = (std64 | url64 | dot | tilde).end(text, end, len(text))
		}
		best, to = v, end
	}
	return best, to
}

// parts gives the pieces of values, long enough to tell, that stand at the ends of a text
// that was cut there.
func (k *Known) parts(text string, ends Ends) Edits {
	first, last := Edit{}, Edit{From: len(text), To: len(text)}
	for _, v := range k.longer {
		most := min(len(v.text)-1, len(text))
		for n := most; ends.Start && n >= leastCut && n > first.To; n-- {
			if strings.HasPrefix(text, v.text[len(v.text)-n:]) {
				first = Edit{0, n, v.marker}
			}
		}
		for n := most; ends.End && n >= leastCut && len(text)-n < last.From; n-- {
			if strings.HasSuffix(text, v.text[:n]) {
				last = Edit{len(text) - n, len(text), v.marker}
			}
		}
	}
	var out Edits
	if first.To > 0 {
		out = out.With(Edits{first})
	}
	if last.From < len(text) {
		out = out.With(Edits{last})
	}
	return out
}
