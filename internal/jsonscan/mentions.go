package jsonscan

import "bytes"

// Mentions reports whether a line has a member of that name, at any depth, whose
// value is one of the strings. Strings written with escapes are not recognised.
func Mentions(line []byte, name string, values map[string]bool) bool {
	key := []byte(`"` + name + `"`)
	for {
		i := bytes.Index(line, key)
		if i < 0 {
			return false
		}
		line = line[i+len(key):]
		rest := line[space(line, 0):]
		if len(rest) == 0 || rest[0] != ':' {
			continue
		}
		rest = rest[space(rest, 1):]
		if len(rest) == 0 || rest[0] != '"' {
			continue
		}
		if end, _ := skipString(rest, 0); end > 0 && values[string(rest[1:end-1])] {
			return true
		}
	}
}
