package secret

import "strings"

// harmless are what stands in a name at or behind the word for a secret where its value
// is none, in lower case: password_hash, token_type, secret_name.
var harmless = []string{
	"tokens", "tokeniz", "hash", "sha1", "sha256", "digest", "checksum", "_id", "-id", "tokenid", "keyid", "secretid", "name", "path", "file", "dir", "url", "uri",
	"endpoint", "type", "length", "_len", "count", "size", "field", "expir", "ttl", "regex", "pattern", "prefix", "label", "placeholder", "hint", "header", "limit",
	"arn", "version", "timeout", "policy", "index", "reset", "format", "parser", "class", "column", "error", "message", "uuid", "etag", "fingerprint", "source", "ref",
}

// harmlessBefore are what stands before it: nextPageToken, public_access_key.
var harmlessBefore = []string{"public", "page", "next", "cancel", "sync", "continuation", "cursor", "csrf", "xsrf", "lock", "hash", "commit", "idempotency"}

// assign examines the place of a word such as password for a value that is given to
// the name it stands in: NAME=value, "name": "value", name := 'value'.
func (s *scan) assign(at int) {
	nameClass := word | dash | dot
	from, end := nameClass.start(s.text, at, at-maxName), nameClass.end(s.text, at, at+maxName)
	if s.text[max(from, 0):end] == "" || end == at+maxName {
		return
	}
	if i := strings.LastIndexByte(s.text[from:at], '.'); i >= 0 {
		from += i + 1
	}
	name := s.text[from:end]
	if from > 0 && s.text[from-1] == '$' || holdsAny(s.text[at:end], harmless) || holdsAny(s.text[from:at], harmlessBefore) || strings.EqualFold(name, "pwd") || strings.EqualFold(name, "oldpwd") {
		return
	}
	i, quoted, ok := s.operator(end)
	if !ok {
		return
	}
	var to int
	if quoted {
		to = quotedEnd(s.text, i)
	} else {
		to = bareEnd(s.text, i)
	}
	if to < 0 {
		return
	}
	if v := s.text[i:to]; s.valuable(name, v, quoted) {
		s.add(assignment, i, to, to == len(s.text) && !quoted && len(v) < 16)
	}
}

// operator passes over what stands between a name and its value.
func (s *scan) operator(end int) (value int, quoted, ok bool) {
	text := s.text
	i := skip(text, end, "\"'`]\\", 4)
	i = skip(text, i, " \t", 20)
	op := i
	for i < len(text) && i < op+3 && (text[i] == '=' || text[i] == ':' || i > op && text[i] == '>') {
		i++
	}
	if i == op || strings.HasPrefix(text[op:], "::") || strings.HasPrefix(text[op:], "==") {
		return 0, false, false
	}
	i = skip(text, i, " \t", 20)
	quote := i
	if i+1 < len(text) && strings.IndexByte("brf@", text[i]) >= 0 && (text[i+1] == '"' || text[i+1] == '\'') {
		quote++ // b"..."
	}
	first := skip(text, quote, "\\", 3)
	if first < len(text) && strings.IndexByte("\"'`", text[first]) >= 0 {
		return skip(text, first, "\"'`", 3), true, true
	}
	return i, false, i < len(text)
}

// quotedEnd gives where a value in quotes ends, or -1 when it goes over several lines,
// has white space in it, or is longer than any.
func quotedEnd(s string, from int) int {
	limit := min(len(s), from+maxValue)
	for i := from; i < limit; i++ {
		switch c := s[i]; {
		case strings.IndexByte("\"'`", c) >= 0:
			for i > from && s[i-1] == '\\' {
				i--
			}
			return i
		case c <= ' ' || c >= 0x7f:
			return -1
		}
	}
	if limit == len(s) {
		return limit
	}
	return -1
}

// bareEnd gives where a value without quotes ends.
func bareEnd(s string, from int) int {
	limit := min(len(s), from+maxValue)
	for i := from; i < limit; i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"'`,;&)}]<>|\\", c) >= 0 {
			return i
		}
	}
	if limit == len(s) {
		return limit
	}
	return -1
}

// valuable reports whether the value of a name is a secret and no word, path,
// expression or placeholder.
func (s *scan) valuable(name, v string, quoted bool) bool {
	if len(v) < 8 || refers(v) || digest(v) || holdsAny(v, placeholders) || !quoted && strings.ContainsAny(v, "([{") {
		return false
	}
	if slug(v) {
		return false
	}
	if holdsAny(name, []string{"passw", "pwd", "passphrase"}) {
		return strong(v) && !holdsAny(v, weak) || len(v) >= 16 && random(v)
	}
	return len(v) >= 16 && random(v)
}

// mayAssign reports whether raw JSON may hold a value for the name that a word stands
// in: a name, an operator, and a value that is long enough or goes on behind an escape.
func mayAssign(b []byte, at int) bool {
	i := at
	for i < len(b) && i < at+maxName && (word | dash | dot).has(b[i]) {
		i++
	}
	if i-at == len("tokens") && b[i-1] == 's' {
		return false // how many were used
	}
	op := false
	for n := 0; i < len(b) && n < 64; n++ {
		switch b[i] {
		case '=', ':', '>':
			op = true
		case '"', '\'', '`', ']', '[', '{', '\\', ' ', '\t', '\n', '\r':
		default:
			if !op {
				return (b[i] == 't' || b[i] == 'u') && b[i-1] == '\\' // an escape
			}
			return mayValue(b[i:])
		}
		i++
	}
	return op
}

// mayValue reports whether a value is long enough and more than a number.
func mayValue(b []byte) bool {
	const least = 8
	number := true
	for _, c := range b[:min(len(b), least)] {
		switch {
		case c == '\\':
			return true
		case c <= ' ' || c == '"' || c == '\'' || c == '`':
			return false
		case c == ',' || c == '}':
			if number {
				return false
			}
		}
		number = number && digits.has(c)
	}
	return len(b) >= least
}
