package secret

import (
	"encoding/base64"
	"slices"
	"strings"
)

// Finding is a credential in a text: text[From:To] is its value, in bytes.
type Finding struct {
	Rule     *Rule
	From, To int
	Cut      bool // the text ends inside it
}

// leastCut is how many characters of a token must stand at the end of a text for it to
// count as one that was cut there.
const leastCut = 12

// Find gives the credentials in a text, in order; none of them overlap. Where one is
// found in two ways, the way that tells most is kept.
func Find(text string) []Finding { return apart(search(text, false)) }

// search gives all that is found, in whatever way, apart or not. cut says that the text is
// known to go on behind its end.
func search(text string, cut bool) []Finding {
	s, t := scan{text: text, cut: cut}, finder()
	for at, nth := -1, 0; ; {
		from, after := at, nth
		if at < 0 {
			from, after = 0, -1
		}
		if at, nth = next(t.words, text, from, after); at < 0 {
			break
		}
		s.look(at-t.words.rare[nth], &t.meanings[nth])
	}
	if len(s.found) == 0 {
		return nil
	}
	return slices.DeleteFunc(s.found, func(f Finding) bool { return marked(text, f.From, f.To) })
}

// scan is one run over a text.
type scan struct {
	text  string
	cut   bool
	found []Finding
	runs  [4]run // of classes without a bound, so that none is walked twice
	turn  int

	weighed int // where the last body of a token without a bound ends that was looked at closely
	value   int // where the last value of a name ends
	inner   int // how many names inside it were looked at
}

// run is a stretch of characters of a class that was walked.
type run struct {
	class    class
	from, to int
}

// end gives where the run of a class from a place on ends. It walks over no stretch
// twice.
func (s *scan) end(c class, from int) int {
	for i := range s.runs {
		if r := &s.runs[i]; r.class == c && r.from <= from && from <= r.to {
			return r.to
		}
	}
	to := c.end(s.text, from, len(s.text))
	s.runs[s.turn%len(s.runs)] = run{c, from, to}
	s.turn++
	return to
}

func (s *scan) add(rule *Rule, from, to int, cut bool) {
	s.found = append(s.found, Finding{rule, from, to, cut})
}

// look examines the place of a word.
func (s *scan) look(at int, m *meaning) {
	switch m.kind {
	case ofToken:
		s.token(at, m.rule, m.shape)
	case ofPEM:
		s.pem(at)
	case ofURL:
		s.userinfo(at)
	case ofHeader:
		s.header(at)
	case ofName:
		s.assign(at)
	}
}

// token examines the place of a token's prefix.
func (s *scan) token(at int, rule *Rule, sh *shape) {
	body := at + len(sh.prefix)
	if s.text[at:body] != sh.prefix {
		return
	}
	from := at
	if sh.beforeMin > 0 {
		if from = sh.before.start(s.text, at, at-sh.beforeMax); at-from < sh.beforeMin {
			return
		}
	}
	if word.has(sh.prefix[0]) || sh.beforeMin > 0 {
		if !starts(s.text, from) {
			return
		}
	}
	to := s.bodyEnd(sh, body)
	if sh.max == 0 && at < s.weighed {
		return // a token inside what was no token: looking at each would take a square of the time
	}
	if sh.max == 0 && to-body >= sh.min {
		s.weighed = to
	}
	ends := to == len(s.text) || s.cut && strings.Trim(s.text[to:], ".-") == ""
	switch n := to - body; {
	case ends && to-from >= leastCut && (n < sh.min || sh.begins != nil && sh.begins(s.text[body:to], s.cut)) && s.begun(s.text[body:to]):
		s.add(rule, from, to, true)
	case n >= sh.min && (sh.max == 0 || n <= sh.max) && plausible(s.text[body:to]) && (sh.check == nil || sh.check(s.text[body:to])):
		if strings.HasSuffix(sh.prefix, "=") {
			from = body // the value alone
		}
		s.add(rule, from, to, false)
	}
}

// begun reports whether what stands at the end of a text may be the beginning of a token's
// body. Where the text is known to go on nothing speaks for it being all.
func (s *scan) begun(body string) bool {
	return plausible(body) || s.cut && !holdsAny(body, placeholders)
}

// bodyEnd gives where the body of a token ends: at the end of its class, without the
// punctuation of the sentence it stands in.
func (s *scan) bodyEnd(sh *shape, body int) int {
	if sh.max > 0 {
		to := sh.body.end(s.text, body, body+sh.max)
		if to < len(s.text) && to-body == sh.max && word.has(s.text[to]) && (sh.body | alnum).has(s.text[to]) {
			return body // longer than any
		}
		return to
	}
	to := s.end(sh.body, body)
	for to > body && (s.text[to-1] == '.' || s.text[to-1] == '-' && sh.body&dash == 0) {
		to--
	}
	return to
}

// sampleSubject is what the base64 of the subject "1234567890" has in it, which is in the
// token that documentation shows.
const sampleSubject = "xMjM0NTY3ODkw"

// isJWT reports whether what follows eyJ is the rest of a signed or encrypted token:
// a header that is an object, a payload, a signature.
func isJWT(body string) bool {
	parts := strings.Count(body, ".")
	first, rest, _ := strings.Cut(body, ".")
	payload, signature, _ := strings.Cut(rest, ".")
	if strings.Contains(payload, sampleSubject) || parts != 2 && parts != 4 || len(first) < 10 || len(payload) < 10 && parts == 2 || len(signature) < 16 {
		return false
	}
	return isHeader(first)
}

// beginsJWT reports whether what follows eyJ is the beginning of such a token, which goes
// on behind its header.
func beginsJWT(body string, cut bool) bool {
	first, rest, _ := strings.Cut(body, ".")
	parts := strings.Count(rest, ".")
	_, signature, _ := strings.Cut(rest, ".")
	return (cut || len(rest) >= leastCut) && parts < 2 && len(signature) < 16 && !strings.Contains(rest, sampleSubject) && isHeader(first)
}

// isHeader reports whether what follows eyJ is the header of a token.
func isHeader(first string) bool {
	var head [40]byte
	var raw [30]byte
	k := copy(head[:], "eyJ")
	k += copy(head[k:], first)
	k = k / 4 * 4 // whole groups
	if got, err := base64.RawURLEncoding.Decode(raw[:], head[:k]); err != nil || got < 8 {
		return false
	}
	for _, key := range []string{`"alg"`, `"typ"`, `"kid"`, `"enc"`, `"cty"`, `"x5t"`, `"jku"`, `"zip"`, `"b64"`, `"iss"`, `"epk"`, `"ver"`, `"x5c"`, `"jwk"`} {
		if string(raw[1:6]) == key {
			return true
		}
	}
	return false
}

// isWebhook reports whether a path of hooks.slack.com names three things.
func isWebhook(path string) bool {
	return path[0] == 'T' && strings.Count(path, "/") >= 2
}

// apart leaves of findings those that do not overlap.
func apart(found []Finding) []Finding {
	if len(found) < 2 {
		return found
	}
	slices.SortFunc(found, func(a, b Finding) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return a.Rule.rank - b.Rule.rank
	})
	out := found[:1]
	for _, f := range found[1:] {
		switch last := &out[len(out)-1]; {
		case f.From >= last.To:
			out = append(out, f)
		case f.Rule.rank < last.Rule.rank, f.Rule.rank == last.Rule.rank && f.From == last.From && f.To > last.To:
			*last = f
		}
	}
	return out
}

// Canonical gives what a finding's value is told apart by: the same for a private key
// however its lines are broken and escaped.
func Canonical(text string, f Finding) string {
	if f.Rule == privateKey {
		return keyBody(text[f.From:f.To])
	}
	return text[f.From:f.To]
}
