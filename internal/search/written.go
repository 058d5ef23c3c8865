package search

import (
	"bytes"
	"iter"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// Lines yields where the matching lines of a text begin and end. It needs a byte test
// and looks only at lines that it points at.
func (p *Pattern) Lines(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for from := 0; from <= len(text); {
			hit := p.Next(text[from:])
			if hit < 0 {
				return
			}
			start, end := from+strings.LastIndexByte(text[from:from+hit], '\n')+1, len(text)
			if i := strings.IndexByte(text[from+hit:], '\n'); i >= 0 {
				end = from + hit + i
			}
			if p.Match(text[start:end]) && !yield(start, end) {
				return
			}
			from = end + 1
		}
	}
}

// CountWritten gives the number of lines that match in a text: a prefix without line
// breaks, and what the inside of a JSON string stands for. It needs a byte test, and
// decodes only lines that it points at and that do not plainly match. It is negative
// where a line matches that is blank.
func (p *Pattern) CountWritten(prefix, raw []byte) int {
	n, from := 0, 0
	if len(prefix) > 0 && p.aside(prefix) {
		if n, ok := p.counter.Count(raw); ok {
			return n
		}
	}
	if len(prefix) > 0 {
		end, next := lineEnd(raw, 0)
		if n = p.countDecoded(string(prefix) + jsonscan.Unquote(raw[:end])); n < 0 {
			return n
		}
		from = next
	}
	if p.counter != nil && from < len(raw) {
		if more, ok := p.counter.Count(raw[from:]); ok {
			return n + more
		}
	}
	for from < len(raw) {
		at := p.within.Next(raw, from)
		if at < 0 {
			return n
		}
		if end := p.plainly(raw, from, at); end > 0 {
			n++
			_, from = lineEnd(raw, end)
			continue
		}
		start := lineStart(raw, from, at)
		end, next := lineEnd(raw, start)
		more := p.countDecoded(jsonscan.Unquote(raw[start:end]))
		if more < 0 {
			return more
		}
		n, from = n+more, next
	}
	return n
}

// aside reports whether a prefix plainly has no part in any match: it is ASCII and ends
// with a space, and the literal has none.
func (p *Pattern) aside(prefix []byte) bool {
	if p.counter == nil || prefix[len(prefix)-1] != ' ' || strings.IndexByte(p.plain, ' ') >= 0 || !ascii(string(prefix)) {
		return false
	}
	if p.fold {
		prefix = bytes.ToLower(prefix)
	}
	return !bytes.Contains(prefix, []byte(p.plain))
}

// countDecoded counts matching lines; it is negative where one is blank.
func (p *Pattern) countDecoded(text string) (n int) {
	for start, end := range p.Lines(text) {
		if strings.TrimSpace(text[start:end]) == "" {
			return -1
		}
		n++
	}
	return n
}

// plainly gives the end of a literal that stands as it is near a place in the inside of
// a JSON string, or 0 where that is not sure: an escape before it may reach into it, and
// what follows may compose with its last character. No character begins before from.
func (p *Pattern) plainly(raw []byte, from, at int) int {
	if p.plain == "" {
		return 0
	}
	begin := at
	if !p.stands(raw, begin) {
		for begin = max(from, at-len(p.plain)+1); begin < at && !p.stands(raw, begin); begin++ {
		}
		if begin == at {
			return 0
		}
	}
	end := begin + len(p.plain)
	if end < len(raw) && (raw[end] >= 0x80 || raw[end] == '\\' && end+1 < len(raw) && raw[end+1] == 'u') {
		return 0
	}
	for i := max(from, begin-longestEscape+1); i < begin; i++ {
		if raw[i] == '\\' && (i == begin-1 || raw[i+1] == 'u') {
			return 0
		}
	}
	return end
}

// longestEscape is the length of the longest escape, \uXXXX.
const longestEscape = 6

// stands reports whether the literal stands at a place, as it is.
func (p *Pattern) stands(raw []byte, at int) bool {
	if at+len(p.plain) > len(raw) {
		return false
	}
	if !p.fold {
		return string(raw[at:at+len(p.plain)]) == p.plain
	}
	for i := range len(p.plain) {
		c := raw[at+i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != p.plain[i] {
			return false
		}
	}
	return true
}

// lineEnd gives the next place from i on where the inside of a JSON string breaks the
// line, and where it goes on behind that. A character begins at i.
func lineEnd(raw []byte, i int) (end, next int) {
	for i < len(raw) {
		n := bytes.IndexByte(raw[i:], '\\')
		if n < 0 {
			break
		}
		if i += n; i+1 < len(raw) && raw[i+1] == 'n' {
			return i, i + 2
		}
		if i+longestEscape <= len(raw) && (string(raw[i:i+longestEscape]) == `\u000a` || string(raw[i:i+longestEscape]) == `\u000A`) {
			return i, i + longestEscape
		}
		i += 2
	}
	return len(raw), len(raw) + 1
}

// lineStart gives where a line begins that holds a place: at from or behind it. A
// character begins at from. It may give the start of an earlier line.
func lineStart(raw []byte, from, at int) int {
	for i := at - 1; i > from; i-- {
		if raw[i] != 'n' || raw[i-1] != '\\' {
			continue
		}
		first := i - 1
		for first > from && raw[first-1] == '\\' {
			first--
		}
		if (i-first)%2 == 1 {
			return i + 1
		}
	}
	return from
}

// within gives the byte test for the inside of one string.
func within(test agent.ByteTest) agent.ByteTest {
	if test == nil {
		return nil
	}
	return agent.Loose(test)
}

// plainText reports whether a literal is written in JSON as it is, if it is not written
// with escapes that need not be, and says something.
func plainText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return strings.TrimSpace(s) != ""
}
