package catalog

import "strings"

// Place is a folder on the way through a tree: it knows which patterns can
// still match below it. The zero Place matches nothing.
type Place struct {
	live  []step
	under *Store // strongest row that claims everything below
	lits  int
}

// step is a pattern and the index of the part that the next name must match.
type step struct {
	p *pattern
	i int
}

// At gives the place at the top of a folder of the given head.
func (c *Catalog) At(head Head) Place {
	var pl Place
	for _, p := range c.pats {
		switch {
		case p.head != head:
		case len(p.parts) == 0:
			pl.claim(p)
		default:
			pl.live = appendStep(pl.live, p, 0)
		}
	}
	return pl
}

// appendStep adds a step and, where it stands at a **, the step behind it too,
// since ** may stand for no folder at all.
func appendStep(live []step, p *pattern, i int) []step {
	live = append(live, step{p, i})
	if p.parts[i].any && i+1 < len(p.parts) {
		return appendStep(live, p, i+1)
	}
	return live
}

// stronger reports whether a row with lits literal characters wins over the one
// that leads. A tie goes to the private row.
func stronger(s *Store, lits int, lead *Store, leadLits int) bool {
	if lead == nil || lits != leadLits {
		return lead == nil || lits > leadLits
	}
	return s.Coverage == Private && lead.Coverage != Private
}

func (pl *Place) claim(p *pattern) {
	if stronger(p.store, p.literals, pl.under, pl.lits) {
		pl.under, pl.lits = p.store, p.literals
	}
}

// File gives the store of a file of that name in this folder, or nil when no
// row knows it.
func (pl Place) File(name string) *Store {
	best, lits := pl.under, pl.lits
	for _, st := range pl.live {
		if st.p.below || st.i != len(st.p.parts)-1 || st.p.parts[st.i].any || !st.p.parts[st.i].match(name) {
			continue
		}
		if stronger(st.p.store, st.p.literals, best, lits) {
			best, lits = st.p.store, st.p.literals
		}
	}
	return best
}

// Folder gives the place inside a folder of that name. A name that some pattern
// writes out is not taken for a hole of another one: tmp/bin is no project, and
// projects/x/memory no session.
func (pl Place) Folder(name string) Place {
	next := Place{under: pl.under, lits: pl.lits}
	named := pl.names(name)
	for _, st := range pl.live {
		part := st.p.parts[st.i]
		last := st.i == len(st.p.parts)-1
		switch {
		case part.any:
			next.live = appendStep(next.live, st.p, st.i)
		case named && !part.literal(), !part.match(name):
		case !last:
			next.live = appendStep(next.live, st.p, st.i+1)
		case st.p.below:
			next.claim(st.p)
		}
	}
	next.live = dedupe(next.live)
	return next
}

// names reports whether a pattern writes that folder name out.
func (pl Place) names(name string) bool {
	for _, st := range pl.live {
		part := st.p.parts[st.i]
		folder := st.p.below || st.i < len(st.p.parts)-1
		if folder && !part.any && part.literal() && part.pieces[0] == name {
			return true
		}
	}
	return false
}

func dedupe(live []step) []step {
	out := live[:0]
	for i, st := range live {
		seen := false
		for _, prev := range live[:i] {
			seen = seen || prev == st
		}
		if !seen {
			out = append(out, st)
		}
	}
	return out
}

// Under gives the row that claims everything in this folder, or nil.
func (pl Place) Under() *Store { return pl.under }

// Whole reports whether the folder is one row that is not walked: a directory
// row or a private one.
func (pl Place) Whole() bool {
	return pl.under != nil && (pl.under.Format == Directory || pl.under.Coverage == Private)
}

// Dead reports whether nothing below the folder can belong to a store of its
// own.
func (pl Place) Dead() bool { return len(pl.live) == 0 && (pl.under == nil || pl.Whole()) }

// Reach gives the most open coverage of what can stand below the folder.
func (pl Place) Reach() Coverage {
	best := Private
	for _, c := range Coverages() {
		for _, st := range pl.live {
			if st.p.store.Coverage == c {
				return c
			}
		}
		if pl.under != nil && pl.under.Coverage == c {
			return c
		}
	}
	return best
}

// Names lists the names that can matter in this folder when patterns write all
// of them out; ok is false when the folder must be listed to know.
func (pl Place) Names() (names []string, ok bool) {
	if pl.under != nil && !pl.Whole() {
		return nil, false
	}
	seen := map[string]bool{}
	for _, st := range pl.live {
		part := st.p.parts[st.i]
		if !part.literal() {
			return nil, false
		}
		if name := part.pieces[0]; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, true
}

// Match gives the store of the file at a slash-separated path below a folder of
// the given head, or nil.
func (c *Catalog) Match(head Head, path string) *Store {
	pl := c.At(head)
	for {
		name, rest, more := strings.Cut(path, "/")
		if !more {
			return pl.File(name)
		}
		pl, path = pl.Folder(name), rest
	}
}
