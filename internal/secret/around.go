package secret

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
)

// Bounds of what is looked at around a word, in bytes.
const (
	maxUserinfo = 512
	maxValue    = 512
	maxHeader   = 4096
	maxName     = 64
)

// databases are the schemes of connection strings.
var databases = []string{"postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss", "amqp", "amqps", "sqlserver", "mssql", "clickhouse", "cockroachdb", "oracle", "kafka", "nats", "ldap", "ldaps"}

// userinfo examines the :// of a URL for a password: scheme://user:password@host. The
// text may end inside the password.
func (s *scan) userinfo(at int) {
	from := at + len("://")
	colon, end := -1, -1
	limit := min(len(s.text), from+maxUserinfo)
	for i := from; i < limit && end < 0; i++ {
		switch c := s.text[i]; {
		case c == ':' && colon < 0:
			colon = i
		case c == '@':
			end = i
		case !inUserinfo(c):
			return
		}
	}
	cut := end < 0 && limit == len(s.text) && limit-from < maxUserinfo
	if cut {
		end = limit // the @ and what follows would come now
	}
	if colon < 0 || end < 0 || cut && end-colon-1 < leastCut || !cut && !s.hostAt(end+1) {
		return
	}
	user, password := s.text[from:colon], unescaped(s.text[colon+1:end])
	if len(password) < 6 || strings.EqualFold(user, password) || len(user) > 4 && strings.Contains(password, user) || !isPassword(password) && !(s.cut && cut && !refers(password) && mixed(password)) {
		return
	}
	scheme := s.text[(alnum|slashPlus|dot).start(s.text, at, at-20):at]
	rule := basicAuth
	for _, db := range databases {
		if base, _, _ := strings.Cut(scheme, "+"); strings.EqualFold(scheme, db) || strings.EqualFold(base, db) {
			rule = connection
		}
	}
	s.add(rule, colon+1, end, cut)
}

// unescaped puts what a URL spells as %2F and the like into characters.
func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// inUserinfo reports whether a byte may stand before the @ of a URL.
func inUserinfo(c byte) bool {
	return c > ' ' && c < 0x7f && c != '/' && c != '?' && c != '#' && c != '"' && c != '\'' && c != '<' && c != '>' && c != '`' && c != '\\' && c != ',' && c != '|'
}

// hostAt reports whether a host begins at a place, or may where the text was cut.
func (s *scan) hostAt(at int) bool {
	if at >= len(s.text) {
		return s.cut
	}
	return hostStart(s.text[at])
}

func hostStart(c byte) bool {
	return alnum.has(c) || c == '[' || c == '$' || c == '{' || c == '<' || c == '%'
}

// mayUserinfo reports whether an @ stands where a password's would in raw JSON, or the
// text ends where one could follow.
func mayUserinfo(b []byte, at int) bool {
	from := at + len("://")
	for i := from; i < len(b) && i <= at+maxUserinfo+3; i++ {
		if b[i] == '@' || b[i] == '\\' {
			return b[i] == '@'
		}
		if !inUserinfo(b[i]) {
			return b[i] == '"' && i-from > leastCut && bytes.IndexByte(b[from:i-leastCut], ':') >= 0
		}
	}
	return false
}

// isPassword reports whether a value may be a password of worth.
func isPassword(v string) bool {
	return !refers(v) && !digest(v) && !holdsAny(v, placeholders) && !holdsAny(v, weak) && (strong(v) && !slug(v) || len(v) >= 16 && random(v))
}

// header examines the name of an Authorization header for its value.
func (s *scan) header(at int) {
	i := skip(s.text, at+len("authorization"), "\"'`]\\ ", 8)
	if i >= len(s.text) || s.text[i] != ':' && s.text[i] != '=' && s.text[i] != ',' {
		return
	}
	i = skip(s.text, i, ":=,> \"'`\\", 12)
	scheme := ""
	if end := (alnum | dash).end(s.text, i, i+20); end < len(s.text) && end > i && s.text[end] == ' ' {
		scheme = s.text[i:end]
		i = skip(s.text, end, " ", 4)
	}
	if stands("aws4-", scheme, 0) || strings.EqualFold(scheme, "digest") {
		return
	}
	end := (alnum | slashPlus | url64 | dot | tilde).end(s.text, i, i+maxHeader)
	for end > i && s.text[end-1] == '.' {
		end--
	}
	end = equals.end(s.text, end, end+2)
	v := s.text[i:end]
	switch {
	case strings.EqualFold(scheme, "basic"):
		if ends := end == len(s.text); basicPair(v) || s.cut && ends && len(v) >= leastCut && mixed(v) {
			s.add(header, i, end, ends)
		}
	case end == len(s.text) && len(v) >= leastCut && scheme != "" && plausible(v) && (s.cut && mixed(v) || strong(v) && !slug(v)),
		len(v) >= 16 && !refers(v) && !digest(v) && plausible(v) && !slug(v) && random(v):
		s.add(header, i, end, end == len(s.text) && len(v) < 16)
	}
}

// basicPair reports whether a value is the base64 of a user and a password.
func basicPair(v string) bool {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil || len(raw) < 8 {
		return false
	}
	user, password, ok := strings.Cut(string(raw), ":")
	for i := range len(raw) {
		if raw[i] < ' ' || raw[i] > '~' {
			return false
		}
	}
	if ok && password == "" {
		password = user // a key as the user's name
	}
	return ok && len(password) >= 6 && !strings.EqualFold(user, password+"x") && isPassword(password)
}

// skip passes over some characters, no more than so many.
func skip(s string, from int, set string, most int) int {
	for n := 0; n < most && from < len(s) && strings.IndexByte(set, s[from]) >= 0; n++ {
		from++
	}
	return from
}

// pem examines the place of -----BEGIN for a private key.
func (s *scan) pem(at int) {
	label := at + len("-----BEGIN")
	end := label
	for end < len(s.text) && end < label+48 && (upper.has(s.text[end]) || digits.has(s.text[end]) || s.text[end] == ' ') {
		end++
	}
	if s.text[at:label] != "-----BEGIN" || !strings.Contains(s.text[label:end], "PRIVATE KEY") || !strings.HasPrefix(s.text[end:], "-----") {
		return
	}
	body := end + len("-----")
	stop := strings.Index(s.text[body:], "-----")
	cut := stop < 0
	if stop = body + stop; cut {
		stop = len(s.text)
	}
	value := keyBody(s.text[body:stop])
	if len(value) < leastCut || !cut && len(value) < leastKey || holdsAny(value, placeholders[:10]) || mixOf(value).distinct < 8 {
		return
	}
	if cut {
		s.add(privateKey, at, body+lastKeyByte(s.text[body:stop]), true)
		return
	}
	if tail := strings.Index(s.text[stop+5:min(len(s.text), stop+60)], "-----"); strings.HasPrefix(s.text[stop+5:], "END") && tail >= 0 {
		stop += 5 + tail + 5
	}
	s.add(privateKey, at, stop, false)
}

// leastKey is how many characters of base64 a whole private key has at the least.
const leastKey = 32

// leastLine is how long a run of base64 must be to be a line of a key; the last may be
// shorter.
const leastLine = 16

// keyBody gives the base64 of a private key without its armour, line breaks, escapes,
// quotes and what tools put before lines. It is empty where something else stands.
func keyBody(s string) string {
	var b strings.Builder
	if i := strings.Index(s, "KEY-----"); i >= 0 {
		s = s[i+len("KEY-----"):]
	} else if i := strings.Index(s, "BLOCK-----"); i >= 0 {
		s = s[i+len("BLOCK-----"):]
	}
	s, _, _ = strings.Cut(s, "-----")
	other := 0
	eachRun(s, func(from, to int) {
		switch line := s[from:to]; {
		case len(line) >= leastLine && keyLine(line), b.Len() > 0 && len(line) > 1 && to >= len(s)-8:
			b.WriteString(line)
		default:
			other += len(line)
		}
	})
	if other > b.Len() {
		return ""
	}
	return b.String()
}

// lastKeyByte gives where the last line of a key that was cut ends.
func lastKeyByte(s string) (end int) {
	eachRun(s, func(from, to int) {
		if to-from >= leastLine || to == len(s) {
			end = to
		}
	})
	return end
}

// keyLine tells base64 from long names.
func keyLine(line string) bool {
	m := mixOf(line)
	return m.distinct >= 2 && (m.kinds() >= 2 && m.changes*6 >= len(line) || len(line) == 64 || len(line) == 70)
}

// eachRun gives the runs of base64 in a text, escapes of line breaks left out.
func eachRun(s string, visit func(from, to int)) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\':
			if i++; i < len(s) && (s[i] == 'n' || s[i] == 'r' || s[i] == 't') {
				i++
			}
		case std64.has(c):
			to := std64.end(s, i, len(s))
			visit(i, to)
			i = to
		default:
			i++
		}
	}
}
