package archive

import (
	"cmp"
	"context"
	"slices"
)

// collected is what the records of packs tell, without the manifest.
type collected struct {
	frames   map[[32]byte]place
	sources  map[uid]sourceState
	versions map[uid]map[int][]versionState
	packOf   map[uid]map[int64]bool
	tombs    []Tombstone
	sizes    map[int64]int64
	damaged  []Fault
	seq      uint64
}

// collect reads the records of a pack up to a size.
func (c *collected) collect(ctx context.Context, p *packs, number, size int64) error {
	f, err := p.file(number)
	if err != nil {
		return readingFailed(err)
	}
	c.sizes[number] = size
	damaged, err := walk(f, size, func(r walked) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.record(number, size, r)
		return nil
	})
	for _, d := range damaged {
		c.damaged = append(c.damaged, Fault{Pack: packFolder + "/" + packName(number), Offset: d.from, Length: d.to - d.from, Reason: "no record of the archive can be read there"})
	}
	return err
}

func newCollected() *collected {
	return &collected{frames: map[[32]byte]place{}, sources: map[uid]sourceState{}, versions: map[uid]map[int][]versionState{},
		packOf: map[uid]map[int64]bool{}, sizes: map[int64]int64{}}
}

func (c *collected) record(number, size int64, r walked) {
	var err error
	switch r.Kind {
	case frameRecord:
		var h frameHeader
		if h, err = parseFrameHeader(r.Body); err == nil {
			at := place{Pack: number, Offset: r.at + int64(r.Size), Stored: int64(h.Stored), Raw: int64(h.Raw)}
			if at.Offset+at.Stored <= size {
				c.frames[h.SHA256] = at
			}
			c.mention(h.Source, number)
		}
	case sourceRecord:
		var s sourceState
		if s, err = parseSourceState(r.Body); err == nil {
			if s.Seq >= c.sources[s.Source].Seq {
				c.sources[s.Source] = s
			}
			c.mention(s.Source, number)
			c.seq = max(c.seq, s.Seq)
		}
	case versionRecord:
		var v versionState
		if v, err = parseVersionState(r.Body); err == nil {
			if c.versions[v.Source] == nil {
				c.versions[v.Source] = map[int][]versionState{}
			}
			c.versions[v.Source][v.Number] = append(c.versions[v.Source][v.Number], v)
			c.mention(v.Source, number)
			c.seq = max(c.seq, v.Seq)
		}
	case tombRecord:
		var t Tombstone
		if t, err = parseTombstone(r.Body); err == nil {
			c.tombs = append(c.tombs, t)
		}
	}
	if err != nil {
		c.damaged = append(c.damaged, Fault{Pack: packFolder + "/" + packName(number), Offset: r.at, Length: int64(r.Size), Reason: err.Error()})
	}
}

func (c *collected) mention(id uid, pack int64) {
	if c.packOf[id] == nil {
		c.packOf[id] = map[int64]bool{}
	}
	c.packOf[id][pack] = true
}

// latest gives the last state of a version, with all of its pieces. ok is false when
// records are missing.
func latest(states []versionState) (v versionState, ok bool) {
	slices.SortFunc(states, func(a, b versionState) int { return cmp.Compare(a.Seq, b.Seq) })
	var pieces []piece
	var end int64
	for _, s := range states {
		for len(pieces) > 0 && pieces[len(pieces)-1].Offset >= int64(s.From) {
			end = pieces[len(pieces)-1].Offset
			pieces = pieces[:len(pieces)-1]
		}
		if end != int64(s.From) {
			return v, false
		}
		for _, p := range s.Pieces {
			p.Offset = end
			end += p.Raw
			pieces = append(pieces, p)
		}
		v = s
	}
	v.From, v.Pieces = 0, pieces
	return v, end == v.Size
}
