package needle

import (
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Run is several characters in a row, each of a class.
type Run struct {
	Classes []Class
	Beyond  []rune // characters beyond ASCII that are in one of the classes
}

// A run is looked for by as many of its classes as are compared at once, maxSpans. It
// must be rare enough to be worth a look at each of its places, and short enough for
// the bits of a table.
const (
	maxSpans = 4
	maxRun   = 32
	rare     = 1.0 / 2000
)

// span is a byte at an offset from a place, which must be one of a range once the bits of
// m are set in it: add brings the least of the range to 0, and most is then the greatest.
type span struct {
	off          int
	m, add, most byte
}

// holds reports whether a byte is in the range.
func (s *span) holds(c byte) bool { return (c|s.m)+s.add <= s.most }

// run is a run that is looked for.
type run struct {
	spans [maxSpans]span
	masks [256]uint32 // by byte, the places in the run that take it
	size  int
	reach int
}

// addClasses looks for a run of classes. It reports whether that finds them.
func (s *Set) addClasses(r *Run) bool {
	if len(r.Classes) > maxRun || runWeight(r) == 0 {
		return false
	}
	x := &run{size: len(r.Classes)}
	all := Class{}
	for i, c := range r.Classes {
		all[0], all[1] = all[0]|c[0], all[1]|c[1]
		for b := range byte(128) {
			if c.Has(b) {
				x.masks[b] |= 1 << i
			}
		}
	}
	from := bestWindow(r.Classes)
	for i := range x.spans {
		at := from + min(i, len(r.Classes)-from-1)
		x.spans[i] = spanOf(&r.Classes[at], at)
		x.reach = max(x.reach, at+1)
	}
	for b := range byte(128) {
		if all.Has(b) {
			s.spelt(rune(b))
		}
	}
	for _, c := range r.Beyond {
		s.spelt(c)
		s.addRaw(string(c))
	}
	if r.madeUp() {
		s.addMedia()
	}
	s.runs = append(s.runs, x)
	return true
}

// spelt notes what a character of a run may be spelt as.
func (s *Set) spelt(r rune) {
	s.unit(r)
	if x := asciiSources[r]; x != 0 {
		s.unit(x)
		s.addRaw(string(x))
	}
}

// spanOf gives the smallest range around a class, for lower and upper case at once where
// that is smaller.
func spanOf(c *Class, off int) span {
	narrow := func(m byte) (s span, size int) {
		least, most := byte(255), byte(0)
		for b := range byte(128) {
			if c.Has(b) {
				least, most = min(least, b|m), max(most, b|m)
			}
		}
		s = span{off: off, m: m, add: -least, most: most - least}
		for b := range 256 {
			if s.holds(byte(b)) {
				size++
			}
		}
		return s, size
	}
	plain, n := narrow(0)
	if folded, m := narrow(0x20); m < n {
		return folded
	}
	return plain
}

// share gives about how many bytes of transcripts are in what is compared for a class.
func share(c *Class) float64 {
	s, sum := spanOf(c, 0), 0
	for b := range 256 {
		if s.holds(byte(b)) {
			sum += ranks[b] + 1
		}
	}
	return float64(sum) / allRanks
}

var allRanks = func() (sum float64) {
	for _, n := range ranks {
		sum += float64(n + 1)
	}
	return sum
}()

// bestWindow gives where the classes begin that are compared: the rarest in a row, and
// rather different ones than one of which a word may be made.
func bestWindow(classes []Class) (from int) {
	least := math.Inf(1)
	for i := 0; i == 0 || i+maxSpans <= len(classes); i++ {
		window := classes[i:min(i+maxSpans, len(classes))]
		p, same := 1.0, 0
		for j := range window {
			p *= share(&window[j])
			if window[j] == window[0] {
				same++
			}
		}
		if p /= 1 + float64(min(same, len(window)-same)); p < least {
			least, from = p, i
		}
	}
	return from
}

// runWeight tells how much a run narrows a search, in letters of a literal; 0 where it
// does not.
func runWeight(r *Run) int {
	from := bestWindow(r.Classes)
	p := 1.0
	for i := range r.Classes[from:min(from+maxSpans, len(r.Classes))] {
		p *= share(&r.Classes[from+i])
	}
	if p > rare || !r.usable() {
		return 0
	}
	return 2 // a literal of three letters is found sooner
}

// usable reports whether no adapter makes up what the run may be: each way to fill it has
// a letter, or is a number longer than those that adapters write.
func (r *Run) usable() bool {
	digits, dashes := true, false
	for i := range r.Classes {
		c := &r.Classes[i]
		digit, dash := false, c.Has('_') || c.Has('-')
		for b := byte('0'); b <= '9'; b++ {
			digit = digit || c.Has(b)
		}
		digits, dashes = digits && (digit || dash), dashes || dash
	}
	return !digits || !dashes && len(r.Classes) >= 3
}

// madeUp reports whether the run may stand in the words that adapters put for images and
// documents.
func (r *Run) madeUp() bool {
	digits := true
	for i := range r.Classes {
		digit := false
		for b := byte('0'); b <= '9'; b++ {
			digit = digit || r.Classes[i].Has(b)
		}
		digits = digits && digit
	}
	const words = "image document audio video bytes kb mb gb"
	return digits || r.in(words) || r.in(strings.ToUpper(words))
}

// in reports whether the run stands somewhere in a text.
func (r *Run) in(text string) bool {
	for at := 0; at+len(r.Classes) <= len(text); at++ {
		all := true
		for i := range r.Classes {
			all = all && text[at+i] < utf8.RuneSelf && r.Classes[i].Has(text[at+i])
		}
		if all {
			return true
		}
	}
	return false
}

// stands reports whether the run stands at a place.
func (x *run) stands(b []byte, at int) bool {
	if at+x.size > len(b) {
		return false
	}
	for i, c := range b[at : at+x.size] {
		if x.masks[c]>>i&1 == 0 {
			return false
		}
	}
	return true
}

// next gives the first place of the run before a limit, else the limit.
func (x *run) next(b []byte, from, limit int) int {
	for from < limit {
		f := findSpans(b, from, limit, x)
		for m := f.p; m != 0; m &= m - 1 {
			if at := f.at + bits.TrailingZeros32(m); at >= limit {
				return limit
			} else if x.stands(b, at) {
				return at
			}
		}
		from = f.next
	}
	return limit
}

// findSpansSlow finds the first place that the spans of a run allow, without vectors.
func findSpansSlow(b []byte, from, limit int, x *run) found {
	for ; from < min(limit, len(b)-x.reach+1); from++ {
		if x.mayStand(b, from) {
			return found{at: from, next: from + 1, p: 1}
		}
	}
	return found{at: limit, next: limit}
}

func (x *run) mayStand(b []byte, at int) bool {
	for i := range x.spans {
		if !x.spans[i].holds(b[at+x.spans[i].off]) {
			return false
		}
	}
	return true
}
