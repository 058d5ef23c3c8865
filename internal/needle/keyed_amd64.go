package needle

// keyedHit is what was found in a block of 64 bytes: a bit for each place.
type keyedHit struct{ block, newlines, ids, escapes, raw uint64 }

// keyedBlocks looks at blocks of 64 bytes from p on, and at two bytes behind the last and
// as far as the offsets go, for newlines, id" and ids, escapes, and the needle. It notes
// every block that has one, up to the first with one of the latter two or until there is
// no room for more, and gives the block to go on with.
//
//go:noescape
func keyedBlocks(p *byte, blocks int, t *probe, hits *[hitRoom]keyedHit) (block, n int)

// keyed looks through b for keys and for the set as far as blocks go. It gives the first
// place of the set, or -1 and the place to go on at.
func (s *Set) keyed(b []byte, at int, k *Keys) (hit, next int) {
	p := s.probe
	if !wide || p == nil {
		return -1, at
	}
	var hits [hitRoom]keyedHit
	for {
		blocks := (len(b) - p.reach() - at) / 64
		if blocks <= 0 {
			return -1, at
		}
		block, n := keyedBlocks(&b[at], blocks, p, &hits)
		for i := range hits[:n] {
			h := &hits[i]
			from := at + 64*int(h.block)
			before := s.first(b, from, h.escapes, h.raw)
			k.noteWide(b, from, h.newlines&before, h.ids&before)
			if before != ^uint64(0) {
				return from + bitsOf(before), from
			}
		}
		at += 64 * block
	}
}
