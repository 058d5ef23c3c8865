package query

import (
	"strings"
	"unicode/utf8"
)

// globMatch reports whether a pattern stands for the whole of a value, in either
// case: * is any text, ? one character. Both are in composed form.
func globMatch(pattern, value string) bool {
	star, retry := -1, 0 // where the last * stands, and what it was tried on
	p, v := 0, 0
	for v < len(value) || p < len(pattern) {
		if p < len(pattern) && pattern[p] == '*' {
			star, retry = p, v
			p++
			continue
		}
		if np, nv, ok := step(pattern[p:], value[v:]); ok {
			p, v = p+np, v+nv
			continue
		}
		if star < 0 || retry >= len(value) {
			return false
		}
		_, n := utf8.DecodeRuneInString(value[retry:])
		retry += n
		p, v = star+1, retry
	}
	return true
}

// step compares the first characters of a pattern and a value.
func step(pattern, value string) (inPattern, inValue int, ok bool) {
	if pattern == "" || value == "" {
		return 0, 0, false
	}
	want, np := utf8.DecodeRuneInString(pattern)
	got, nv := utf8.DecodeRuneInString(value)
	invalid := got == utf8.RuneError && nv == 1 // no character, so that only ? stands for it
	return np, nv, want == '?' || !invalid && foldRune(got) == foldRune(want)
}

// componentsMatch compares patterns with the parts of a path, one by one; ** is any
// number of parts.
func componentsMatch(patterns, parts []string, same func(pattern, part string) bool) bool {
	star, retry := -1, 0
	p, v := 0, 0
	for v < len(parts) || p < len(patterns) {
		switch {
		case p < len(patterns) && patterns[p] == "**":
			star, retry = p, v
			p++
		case p < len(patterns) && v < len(parts) && same(patterns[p], parts[v]):
			p, v = p+1, v+1
		case star < 0 || retry >= len(parts):
			return false
		default:
			retry++
			p, v = star+1, retry
		}
	}
	return true
}

// slashed writes a path with / and without one at its end.
func slashed(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	for len(p) > 1 && p[len(p)-1] == '/' {
		p = p[:len(p)-1]
	}
	return p
}
