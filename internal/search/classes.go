package search

import (
	"fmt"
	"strings"
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
// Unicode. Word boundaries cannot be rewritten and are refused.
func unicodeClasses(p string) (string, error) {
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
		if err := writeEscape(&out, p, &i, inClass); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// writeEscape writes the escape whose letter stands at *i.
func writeEscape(out *strings.Builder, p string, i *int, inClass bool) error {
	c := p[*i]
	lower := c | 0x20
	set, known := classes[lower]
	switch {
	case c == 'b' || c == 'B':
		return fmt.Errorf("the pattern %q uses \\%c: word boundaries are not supported yet", p, c)
	case c == 'Q':
		end := strings.Index(p[*i:], `\E`)
		if end < 0 { // it runs to the end of this pattern
			out.WriteString(`\` + p[*i:] + `\E`)
			*i = len(p)
			return nil
		}
		out.WriteString(`\` + p[*i:*i+end])
		*i += end - 1
	case !known || c != lower && inClass && lower != 'd':
		if known {
			return fmt.Errorf("the pattern %q uses \\%c inside brackets, which is not supported yet", p, c)
		}
		out.WriteByte('\\')
		out.WriteByte(c)
	case c == 'D' && inClass:
		out.WriteString(`\P{Nd}`)
	case inClass:
		out.WriteString(set)
	case c == lower:
		out.WriteString("[" + set + "]")
	default:
		out.WriteString("[^" + set + "]")
	}
	return nil
}
