package scrub

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how often escapes are undone: JSON in a string of JSON is spelt twice.
const maxDepth = 6

// spelling is a text, and where in the raw bytes each byte of it comes from.
type spelling struct {
	text string
	at   []int32 // where what a byte was spelt by begins; one more for the end. nil: the text is the raw bytes
}

// raw gives the raw bytes that a stretch of the text is spelt by.
func (s *spelling) raw(from, to int) (int, int) {
	if s.at == nil || from >= to {
		return from, to
	}
	end := to
	for end < len(s.text) && s.at[end] == s.at[to-1] {
		end++
	}
	return int(s.at[from]), int(s.at[end])
}

// part gives a piece of the text.
func (s *spelling) part(from, to int) spelling {
	p := spelling{text: s.text[from:to]}
	if s.at != nil {
		p.at = s.at[from : to+1]
		return p
	}
	p.at = make([]int32, to-from+1)
	for i := range p.at {
		p.at[i] = int32(from + i)
	}
	return p
}

// undone undoes the escapes of a text once. It reports whether there were any.
func (s *spelling) undone() (spelling, bool) {
	in := s.text
	i := strings.IndexByte(in, '\\')
	if i < 0 {
		return spelling{}, false
	}
	out := make([]byte, 0, len(in))
	at := make([]int32, 0, len(in)+1)
	changed := false
	from := 0
	for ; i >= 0; i = next(in, from) {
		out = append(out, in[from:i]...)
		at = s.places(at, from, i)
		char, n := escape(in[i:])
		if n == 0 {
			char, n = `\`, 1
		} else {
			changed = true
		}
		out = append(out, char...)
		for range len(char) {
			at = append(at, s.place(i))
		}
		from = i + n
	}
	out = append(out, in[from:]...)
	at = s.places(at, from, len(in)+1)
	return spelling{string(out), at}, changed
}

func next(s string, from int) int {
	if i := strings.IndexByte(s[from:], '\\'); i >= 0 {
		return from + i
	}
	return -1
}

func (s *spelling) place(i int) int32 {
	if s.at == nil {
		return int32(i)
	}
	return s.at[i]
}

func (s *spelling) places(at []int32, from, to int) []int32 {
	if s.at != nil {
		return append(at, s.at[from:to]...)
	}
	for i := from; i < to; i++ {
		at = append(at, int32(i))
	}
	return at
}

// escape gives the character that an escape at the beginning of a text stands for, and
// the length of the escape: 0 where there is none.
func escape(s string) (string, int) {
	if len(s) < 2 {
		return "", 0
	}
	switch s[1] {
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'b':
		return "\b", 2
	case 'f':
		return "\f", 2
	case '"', '\\', '/':
		return s[1:2], 2
	case 'u':
		r, ok := hex4(s)
		if !ok {
			return "", 0
		}
		if low, ok := hex4(s[6:]); ok && utf16.IsSurrogate(r) {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return string(both), 12
			}
		}
		return string(r), 6
	}
	return "", 0
}

// hex4 reads \uXXXX.
func hex4(s string) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// spellings gives a text as it stands, and with its escapes undone once, twice ...
func spellings(raw string) []spelling {
	all := []spelling{{text: raw}}
	for len(all) <= maxDepth {
		more, changed := all[len(all)-1].undone()
		if !changed {
			break
		}
		all = append(all, more)
	}
	return all
}

// eachString gives the inside of each string in quotes, escapes and all. No string goes
// over a line end.
func eachString(text string, visit func(from, to int)) {
	from := -1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if from >= 0 && i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '\n':
			if from >= 0 && i > from {
				visit(from, i)
			}
			from = -1
		case '"':
			if from < 0 {
				from = i + 1
				continue
			}
			if i > from {
				visit(from, i)
			}
			from = -1
		}
	}
	if from >= 0 && from < len(text) {
		visit(from, len(text))
	}
}
