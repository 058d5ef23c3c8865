package secret

import "strings"

// placeholders are words by which people mark a value that is none, in lower case.
var placeholders = []string{
	"example", "placeholder", "your", "xxxx", "****", "....", "redacted", "changeme", "change-me", "change_me", "dummy", "fake", "sample", "insert",
	"replace", "todo", "fixme", "notreal", "not-real", "not_real", "undefined", "removed", "hidden", "masked", "elided", "1234567", "abcdefg", "0000000", "deadbeef",
}

// weak are words that no password of worth has in it, in lower case.
var weak = []string{
	"password", "passwd", "passw0rd", "ssword", "secret", "token", "test", "demo", "mock", "local", "admin", "default", "foobar", "qwerty", "letmein", "hunter2", "1234", "postgres", "mysql",
}

// holdsAny reports whether a text holds one of some words in lower case.
func holdsAny(s string, words []string) bool {
	for _, w := range words {
		for i := 0; i+len(w) <= len(s); i++ {
			if stands(w, s, i) {
				return true
			}
		}
	}
	return false
}

// plausible reports whether the body of a token may be one: it is no placeholder and no
// alphabet counted through.
func plausible(body string) bool {
	m := mixOf(body)
	return m.distinct >= min(6, len(body)*2/3) && m.steps*5 <= len(body)*3 && entropy(body) >= leastToken && !holdsAny(body, placeholders)
}

// refers reports whether a value only says where the real one is: a variable, a
// template, a call, a path, a format.
func refers(v string) bool {
	if v == "" || strings.ContainsAny(v[:1], "$<{[%@(*&|~.") || strings.Count(v, "/") > 3 || strings.HasSuffix(v, ")") && strings.Contains(v, "(") || strings.HasSuffix(v, "(") || strings.HasSuffix(v, ":") {
		return true
	}
	for _, mark := range []string{"${", "$(", "{{", "}}", "<%", "%s", "%v", "%d", "()", "://", "-----", "\\(", "[redacted", "op://", "env.", "environ", "getenv", "...", "…", "••"} {
		if strings.Contains(v, mark) {
			return true
		}
	}
	return false
}

// digest reports whether a text is an id or a checksum by its looks: a UUID, or the
// name of a hash before its value.
func digest(v string) bool {
	if len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-' && (anyHex | dash).all(v) {
		return true
	}
	for _, name := range []string{"sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:", "h1:", "data:", "arn:", "urn:"} {
		if stands(name, v, 0) {
			return true
		}
	}
	return false
}

// slug reports whether a text is words with separators between them, perhaps with
// numbers: my-service-v2, secrets/prod/db, settings.API_KEY, camelCaseName2.
func slug(v string) bool {
	mixed := 0
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune("-_./:@ ", r) }) {
		m := mixOf(part)
		switch letters := m.lower + m.upper; {
		case m.other > 0:
			return false
		case letters == 0 && m.digits > 4: // a number or a date has fewer
			mixed++
		case letters > 0 && m.digits > 2, letters > 0 && m.digits > 0 && m.changes > 2+letters/4:
			mixed++
		case m.upper > 0 && m.lower > 0 && m.changes*5 > len(part)*2 && len(part) > 6: // unlike camelCase
			mixed++
		}
	}
	return mixed == 0
}
