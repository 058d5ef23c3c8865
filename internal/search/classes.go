package search

import (
	"fmt"
	"strings"
	"unicode"
)

// classes are what ripgrep means by the Perl classes: all of Unicode, where Go's
// engine knows ASCII only. The ranges that are written out are letters that
// Unicode counts among the symbols.
var classes = map[byte]string{
	'w': `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200C}\x{200D}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}`,
	'd': `\p{Nd}`,
	's': `\t\n\v\f\r\x{85}\p{Z}`,
}

// unicodeClasses rewrites \w, \d and \s and their opposites so that they cover
// Unicode.
func unicodeClasses(p string) string {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		if c != '\\' || i+1 == len(p) {
			switch {
			case c == '[' && !inClass:
				inClass = true
				if strings.HasPrefix(p[i+1:], "^]") || strings.HasPrefix(p[i+1:], "]") {
					n := strings.IndexByte(p[i+1:], ']') + 2
					out.WriteString(p[i : i+n])
					i += n - 1
					continue
				}
			case c == '[' && strings.HasPrefix(p[i:], "[:"):
				if n := strings.Index(p[i:], ":]"); n > 0 {
					out.WriteString(p[i : i+n+2])
					i += n + 1
					continue
				}
			case c == ']':
				inClass = false
			}
			out.WriteByte(c)
			continue
		}
		i++
		writeEscape(&out, p, &i, inClass)
	}
	return out.String()
}

// writeEscape writes the escape whose letter stands at *i.
func writeEscape(out *strings.Builder, p string, i *int, inClass bool) {
	c := p[*i]
	lower := c | 0x20
	set, known := classes[lower]
	switch {
	case c == 'Q':
		end := strings.Index(p[*i:], `\E`)
		if end < 0 { // it runs to the end of this pattern
			out.WriteString(`\` + p[*i:] + `\E`)
			*i = len(p)
			return
		}
		out.WriteString(`\` + p[*i:*i+end])
		*i += end - 1
	case !known:
		out.WriteByte('\\')
		out.WriteByte(c)
	case inClass && c == lower:
		out.WriteString(set)
	case inClass:
		out.WriteString(outside(lower))
	case c == lower:
		out.WriteString("[" + set + "]")
	default:
		out.WriteString("[^" + set + "]")
	}
}

// outside writes the ranges of the characters that are not in a class, for use
// inside brackets, where a class cannot be negated.
func outside(class byte) string {
	in := wordRune
	switch class {
	case 'd':
		in = func(r rune) bool { return unicode.Is(unicode.Nd, r) }
	case 's':
		in = func(r rune) bool { return unicode.Is(unicode.White_Space, r) }
	}
	var out strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if in(r) {
			continue
		}
		from := r
		for r < unicode.MaxRune && !in(r+1) {
			r++
		}
		fmt.Fprintf(&out, `\x{%X}-\x{%X}`, from, r)
	}
	return out.String()
}
