package corpus

import (
	"strconv"
	"time"
)

// page is a transcript while it is written, whichever agent's: its bytes so far,
// the time it has reached, and what it is made of.
type page struct {
	*rng
	lib   *library
	tally *tally
	out   []byte
	now   int64 // milliseconds

	passage []line // used again for every text
	history []entry
}

// entry is a line of a prompt log.
type entry struct {
	at   int64
	cwd  string
	json []byte
}

func (s *page) add(texts ...string) {
	for _, t := range texts {
		s.out = append(s.out, t...)
	}
}

func (s *page) int(n int) { s.out = strconv.AppendInt(s.out, int64(n), 10) }

// stamp adds the time as JavaScript writes it.
func (s *page) stamp() { s.out = stamped(s.out, s.now) }

func stamped(out []byte, ms int64) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(out, "2006-01-02T15:04:05.000Z")
}

// wait lets time go on.
func (s *page) wait(fromMs, toMs int) { s.now += int64(s.between(fromMs, toMs)) }

// lines adds text lines, joined as JSON joins them.
func (s *page) lines(ls []line) {
	for i, l := range ls {
		if i > 0 {
			s.add(`\n`)
		}
		s.out = append(s.out, l.json...)
	}
}

// joined gives text lines as they stand in a JSON string.
func (s *page) joined(ls []line) []byte {
	from := len(s.out)
	s.lines(ls)
	text := append([]byte(nil), s.out[from:]...)
	s.out = s.out[:from]
	return text
}

// choose gives lines of filler of about so many bytes; they are good until the
// next call.
func (s *page) choose(p *pool, bytes int) []line {
	s.passage = s.lib.passage(s.rng, p, bytes, s.passage[:0])
	return s.passage
}

// with puts a planted line among others and counts all of them.
func (s *page) with(p *plant, ls []line) []line {
	if p != nil {
		at := s.n(len(ls) + 1)
		ls = append(ls, line{})
		copy(ls[at+1:], ls[at:])
		ls[at] = p.line
		s.found(p, 1)
	}
	s.tally.count(ls...)
	return ls
}

// found counts a needle where it has to be found.
func (s *page) found(p *plant, times int64) {
	for _, q := range p.hits {
		s.tally.planted[q] += times
	}
}
