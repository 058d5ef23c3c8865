// Package snippet cuts, out of a long text, the piece that shows best why it was
// found.
//
// A reader may rely on this. A snippet is one line of whole characters as people
// see them (grapheme clusters): nothing that combines is cut off what it stands
// on. White space is folded to single spaces, and nothing else of the text is
// changed; ranges are bytes of the snippet, in order and apart from each other. It
// is content all the same: whoever prints it makes it safe.
package snippet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Snippet is a piece of a text with what was looked for in it.
type Snippet struct {
	Text   string
	Ranges [][]int // of what was looked for
	Before bool    // the text begins earlier
	After  bool    // it goes on
}

// Range is a stretch of a text, in bytes.
type Range struct{ From, To int }

// lead is how much of a snippet stands before what was found, as a part of the
// whole.
const lead = 4

// Of cuts a snippet of about so many bytes. The ranges are those of the text, in
// order; the piece that holds most of different ones is chosen, the first of
// several. Where there are none it is the beginning of the text.
func Of(text string, ranges []Range, size int) Snippet {
	from, to := window(text, ranges, size)
	from, to = whole(text, from, to)
	var b builder
	at := from
	for _, r := range ranges {
		if r.To <= at || r.From >= to || r.From < at {
			continue
		}
		b.add(text[at:r.From])
		start := b.mark()
		b.add(text[r.From:min(r.To, to)])
		if end := b.out.Len(); end > start {
			b.ranges = append(b.ranges, []int{start, end})
		}
		at = min(r.To, to)
	}
	b.add(text[at:to])
	s := Snippet{Text: b.out.String(), Ranges: b.ranges}
	s.Before = strings.TrimSpace(text[:from]) != ""
	s.After = strings.TrimSpace(text[to:]) != ""
	return s
}

// window chooses where a snippet begins and ends, before characters are looked at.
func window(text string, ranges []Range, size int) (from, to int) {
	if len(ranges) == 0 {
		return 0, min(size, len(text))
	}
	best, most := ranges[0], 0
	for i, j := 0, 0; i < len(ranges); i++ {
		for j < len(ranges) && ranges[j].To-ranges[i].From <= size-size/lead {
			j++
		}
		if n := distinct(text, ranges[i:max(j, i+1)]); n > most {
			best, most = ranges[i], n
		}
	}
	from = max(0, best.From-size/lead)
	if to = from + size; to >= len(text) {
		to = len(text)
		from = min(from, max(0, to-size))
	}
	return wordStart(text, from, best.From), max(to, min(best.To, from+2*size))
}

// distinct counts how many different texts some ranges hold.
func distinct(text string, ranges []Range) int {
	var seen [8]string
	n := 0
next:
	for _, r := range ranges {
		s := text[r.From:r.To]
		for _, t := range seen[:n] {
			if strings.EqualFold(s, t) {
				continue next
			}
		}
		if n == len(seen) {
			break
		}
		seen[n] = s
		n++
	}
	return n
}

// wordStart moves a beginning to that of a word nearby, but not behind a limit.
func wordStart(text string, from, limit int) int {
	if from == 0 || unicode.IsSpace(rune(text[from-1])) {
		return from
	}
	near := text[from:min(limit, from+24)]
	if i := strings.IndexFunc(near, unicode.IsSpace); i >= 0 {
		return from + i
	}
	return from
}

// reach is how far around an end clusters are looked for. One that is longer is
// cut between its characters.
const reach = 64

// whole moves both ends to the edges of characters as people see them.
func whole(text string, from, to int) (int, int) {
	return edge(text, from, false), edge(text, to, true)
}

// edge gives the edge of a cluster at or before a place, or at or behind it.
func edge(text string, at int, behind bool) int {
	if at <= 0 || at >= len(text) {
		return min(max(at, 0), len(text))
	}
	start := at
	for start > 0 && at-start < reach && !(text[start] < utf8.RuneSelf && text[start-1] < utf8.RuneSelf) {
		start--
	}
	for start < at && !utf8.RuneStart(text[start]) {
		start++
	}
	g := displaywidth.StringGraphemes(text[start:min(len(text), at+reach)])
	for pos := start; g.Next(); {
		next := pos + len(g.Value())
		switch {
		case pos == at:
			return at
		case next > at && behind:
			return next
		case next > at:
			return pos
		}
		pos = next
	}
	return at
}

// builder folds white space while it writes.
type builder struct {
	out    strings.Builder
	ranges [][]int
	space  bool // one is due
}

func (b *builder) add(s string) {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if unicode.IsSpace(r) {
			b.space = b.out.Len() > 0
		} else {
			b.settle()
			b.out.WriteString(s[:n])
		}
		s = s[n:]
	}
}

// mark gives where the next text will stand.
func (b *builder) mark() int {
	b.settle()
	return b.out.Len()
}

func (b *builder) settle() {
	if b.space {
		b.out.WriteByte(' ')
		b.space = false
	}
}
