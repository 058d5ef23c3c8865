package corpus

import "strings"

// escape adds a text as it stands between the quotes of a JSON string written by
// JavaScript's JSON.stringify: what must be escaped is, all else is raw.
func escape(out []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c >= ' ':
			out = append(out, c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\t':
			out = append(out, '\\', 't')
		case c == '\r':
			out = append(out, '\\', 'r')
		case c == '\b':
			out = append(out, '\\', 'b')
		case c == '\f':
			out = append(out, '\\', 'f')
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return out
}

// folder is the name of a project's folder: every character of its path that is
// neither an ASCII letter nor a digit is a dash. Paths of this package are ASCII.
func folder(cwd string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			return c
		}
		return '-'
	}, cwd)
}
