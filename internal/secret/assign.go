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

// opens are the words before key in the names of keys that open something; a
// primary_key or a cache-key opens nothing.
var opens = []string{
	"api", "access", "private", "secret", "auth", "encryption", "signing", "master", "service", "admin", "license", "account", "app", "storage", "shared", "webhook", "encrypt", "deploy",
}

// assign examines the place of a word such as password for a value that is given to
// the name it stands in: NAME=value, "name": "value", name := 'value'.
func (s *scan) assign(at int) {
	if at < s.value {
		if s.inner++; s.inner > maxInner {
			return
		}
	} else {
		s.inner = 0
	}
	nameClass := word | dash | dot
	from, end := nameClass.start(s.text, at, at-maxName), nameClass.end(s.text, at, at+maxName)
	if s.text[max(from, 0):end] == "" || end == at+maxName {
		return
	}
	if i := strings.LastIndexByte(s.text[from:at], '.'); i >= 0 {
		from += i + 1
	}
	i, quoted, ok := s.operator(end)
	if !ok {
		return
	}
	to := bareEnd(s.text, i)
	if quoted {
		to = quotedEnd(s.text, i)
	}
	if to-i < leastValue || from > 0 && s.text[from-1] == '$' || !opensSomething(s.text, from, at, end) {
		return
	}
	s.value = max(s.value, to)
	v, ends := s.text[i:to], to == len(s.text)
	switch {
	case valuable(s.text[from:end], v, quoted):
		s.add(assignment, i, to, ends && !quoted && len(v) < leastRandom)
	case s.cut && ends && len(v) >= leastCut && !doubtful(v, quoted) && mixed(v):
		s.add(assignment, i, to, true)
	}
}

// maxInner is how many names inside the value of another are looked at, as in that of a
// connection string: were it all, a text of names would take a square of the time.
const maxInner = 4

// leastValue is how many characters a value has at the least.
const leastValue = 8

// opensSomething reports whether a name, in which the word at a place was found, is
// that of a secret.
func opensSomething(s string, from, at, end int) bool {
	name := s[from:end]
	if strings.EqualFold(name, "pwd") || strings.EqualFold(name, "oldpwd") || holdsAny(s[at:end], harmless) || holdsAny(s[from:at], harmlessBefore) {
		return false
	}
	key := keyword(s[:end], at)
	return key == 0 || holdsAny(s[from:key], opens)
}

// keyword gives where the key of a name begins that was found by it, or 0.
func keyword(s string, at int) int {
	for i := at; i < len(s) && i < at+4; i++ {
		if stands("key", s, i) {
			return i
		}
	}
	return 0
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

// bareEnd gives where a value without quotes ends, or -1 when it is longer than any.
func bareEnd(s string, from int) int {
	limit := min(len(s), from+maxValue)
	for i := from; i < limit; i++ {
		if bareEnds(s[i]) {
			return i
		}
	}
	if limit == len(s) {
		return limit
	}
	return -1
}

// bareEnds reports whether a byte ends a value that has no quotes.
func bareEnds(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("\"'`,;&)}]<>|\\", c) >= 0
}

// valuable reports whether the value of a name is a secret and no word, path,
// expression or placeholder.
func valuable(name, v string, quoted bool) bool {
	if doubtful(v, quoted) {
		return false
	}
	if holdsAny(name, passwords) && strong(v) && !holdsAny(v, weak) {
		return mixOf(v).kinds() == 4 || !slug(v)
	}
	return len(v) >= leastRandom && random(v) && !slug(v)
}

// leastRandom is how many characters a value has at the least that a machine drew.
const leastRandom = 16

// doubtful reports whether a value is an expression, an id or a placeholder.
func doubtful(v string, quoted bool) bool {
	return refers(v) || digest(v) || !quoted && strings.ContainsAny(v, "([{") || holdsAny(v, placeholders)
}

// passwords are the words by which a name is that of something a person chose.
var passwords = []string{"passw", "pwd", "passphrase"}

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
	op, bare := false, true
	for n := 0; i < len(b) && n < 64; n++ {
		switch b[i] {
		case '=', ':', '>':
			op = true
		case '"', '\'', '`':
			bare = bare && !op
		case ']', '[', '{', '\\', ' ', '\t', '\n', '\r':
		default:
			if !op {
				return (b[i] == 't' || b[i] == 'u') && b[i-1] == '\\' // an escape
			}
			return mayValue(b[i:], bare)
		}
		i++
	}
	return op
}

// mayValue reports whether a value is long enough, more than a number, and, without
// quotes, no call.
func mayValue(b []byte, bare bool) bool {
	if bare {
		return mayBare(b)
	}
	number := true
	for _, c := range b[:min(len(b), leastValue)] {
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
	return len(b) >= leastValue
}

// mayBare reports it of a value that has no quotes.
func mayBare(b []byte) bool {
	b = b[:min(len(b), maxValue)]
	for i, c := range b {
		switch {
		case i == 1 && (c == '\\' || c == '\''): // b"...", with its quote perhaps escaped
			return true
		case c == '(' || c == '[' || c == '{':
			return false
		case c == '\\' && i+1 < len(b) && b[i+1] == '/':
			return true
		case bareEnds(c):
			return i >= leastValue
		}
	}
	return len(b) >= leastValue
}
