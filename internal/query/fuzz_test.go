package query

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/record"
)

// Whatever is typed is a query, unless it holds a regular expression that is none,
// and prints as what is read alike.
func FuzzParse(f *testing.F) {
	for _, c := range parsed {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, err := Parse(src, Options{})
		var wrong *Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Column < 1 || !strings.Contains(valid(src), "/"+wrong.Source+"/")) {
			t.Fatalf("%q: %v", src, err)
		}
		printsBack(t, src)
	})
}

// A plan agrees with an evaluator that follows the words of doc/query.md and knows
// nothing of plans; it decides alike in stages; and a record that it matches holds
// what it requires.
func FuzzEval(f *testing.F) {
	f.Add("a -b", "a", "b", uint16(0))
	f.Add("(a OR kind:reply) NOT (b title:c)", "xA", "C", uint16(7))
	f.Add("kelvin session café", "\u212aelvin ſession cafe\u0301", "x", uint16(1))
	f.Add("/a.c/ OR text:b role:tool", "abc", "B", uint16(3))
	f.Add("agent:g* -tool:bash ПРИВЕТ", "привет", "", uint16(9))
	f.Fuzz(func(t *testing.T, src, body, title string, bits uint16) {
		q, err := Parse(src, Options{Now: now})
		if err != nil || len(src) > 200 {
			return
		}
		agree(t, q.Expr, fuzzRecord(body, bits), title)
	})
}

// agree fails unless a plan decides a record as the naive evaluator does.
func agree(t *testing.T, e Expr, r *record.Record, title string) {
	t.Helper()
	want := naive(e, r, title)
	p, err := Compile(e, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	final := (&Subject{Known: KnowsAll, Title: title}).Of(r)
	if got := p.Match(final); got != want {
		t.Fatalf("%s in %+v, title %q: %v, want %v", show(e), r, title, got, want)
	}
	source := &Subject{Known: KnowsSource, Agent: r.Agent, Store: r.Store, Path: r.Path}
	titled := &Subject{Known: KnowsSource | KnowsTitle, Agent: r.Agent, Store: r.Store, Path: r.Path, Title: title}
	for _, early := range []*Subject{{}, source, titled, (&Subject{}).Of(r)} {
		if got := p.Eval(early); got != Unknown && got != triOf(want, true) {
			t.Fatalf("%s in %+v, title %q: %v too early", show(e), r, title, got)
		}
		given := p.Given(early)
		if got := given.Match(final); got != want {
			t.Fatalf("%s in %+v, title %q: %v when given, want %v", show(e), r, title, got, want)
		}
		if required := given.Required(nil); want && !meets(r.Text, required) {
			t.Fatalf("%s matches %q, title %q, which lacks %s", show(e), r.Text, title, showNeeds(required))
		}
	}
	checkHighlights(t, p, r.Text)
}

// The same on random queries and records of few words, where most parts matter.
func TestPlansAgree(t *testing.T) {
	rounds := 10000
	if testing.Short() {
		rounds = 1000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		e := randomExpr(rng, 4)
		printsBack(t, Print(e))
		agree(t, e, fuzzRecord(randomWords(rng), uint16(rng.Uint32())), randomWords(rng))
	}
}

var vocabulary = []string{"a", "B", "ſ", "s", "é", "e\u0301", "K", "ж", "ab"}

func randomWords(rng *rand.Rand) string {
	var out []string
	for range rng.IntN(4) {
		out = append(out, vocabulary[rng.IntN(len(vocabulary))])
	}
	return strings.Join(out, " ")
}

func randomExpr(rng *rand.Rand, depth int) Expr {
	if depth > 0 {
		switch rng.IntN(4) {
		case 0:
			return Not{randomExpr(rng, depth-1)}
		case 1:
			return And{randomExpr(rng, depth-1), randomExpr(rng, depth-1)}
		case 2:
			return Or{randomExpr(rng, depth-1), randomExpr(rng, depth-1), randomExpr(rng, depth-1)}
		}
	}
	w := vocabulary[rng.IntN(len(vocabulary))]
	filters := []Filter{{Field: "agent", Value: "claude"}, {Field: "kind", Op: Glob, Value: "*e*"}, {Field: "title", Value: w}, {Field: "text", Value: w}, {Field: "is", Value: "error"}, {Field: "branch", Op: Present}, {Field: "time", Op: Present}}
	switch rng.IntN(5) {
	case 0, 1:
		return filters[rng.IntN(len(filters))]
	case 2:
		return Regexp{w + "|xx"}
	}
	return Text{w}
}

// checkHighlights fails unless highlights are in order, apart, and cut no character.
func checkHighlights(t *testing.T, p *Plan, body string) {
	at := -1
	for _, h := range p.Highlights(body) {
		if h.From <= at || h.From >= h.To || h.To > len(body) {
			t.Fatalf("highlights of %q: %v", body, p.Highlights(body))
		}
		at = h.To
		if utf8.ValidString(body) && !utf8.ValidString(body[h.From:h.To]) {
			t.Fatalf("%v of %q cuts a character", h, body)
		}
		if next, _ := utf8.DecodeRuneInString(body[h.To:]); unicode.Is(unicode.M, next) {
			t.Fatalf("%v of %q cuts a mark off", h, body)
		}
	}
}

func fuzzRecord(body string, bits uint16) *record.Record {
	kinds := record.Kinds()
	k := kinds[int(bits)%len(kinds)]
	r := &record.Record{Agent: "claude", Store: "claude.x", Path: "/p", Kind: k, Role: record.RoleOf(k), Text: body}
	if bits&0x10 != 0 {
		r.Agent, r.Tool = "gemini", "Bash"
	}
	if bits&0x20 != 0 {
		r.Origin.Branch, r.Flags = "main", record.Error
	}
	if bits&0x40 != 0 {
		r.Time = now
	}
	return r
}

// proof is a way in which an expression holds: by words in the title, by words in
// the record's own text, both or neither.
type proof struct{ title, own bool }

// naive decides a record by all the ways in which an expression holds: one that
// uses words of the title has to use one of the record's own text too.
func naive(e Expr, r *record.Record, title string) bool {
	for p := range proofs(e, false, r, title) {
		if p.own || !p.title {
			return true
		}
	}
	return false
}

func proofs(e Expr, negated bool, r *record.Record, title string) map[proof]bool {
	switch e := e.(type) {
	case Not:
		return proofs(e.X, !negated, r, title)
	case Const:
		return plainly(bool(e) != negated)
	case And:
		if negated {
			return proveOne(e, true, r, title)
		}
		return proveAll(e, false, r, title)
	case Or:
		if negated {
			return proveAll(e, true, r, title)
		}
		return proveOne(e, false, r, title)
	case Text:
		return proveWord(naiveIndex(r.Text, e.Value) >= 0, naiveIndex(title, e.Value) >= 0, negated)
	case Regexp:
		re := regexp.MustCompile("(?im)" + norm.NFC.String(e.Source))
		return proveWord(re.MatchString(norm.NFC.String(r.Text)), re.MatchString(norm.NFC.String(title)), negated)
	}
	f := e.(Filter)
	if f.Field == "text" {
		found := naiveIndex(r.Text, f.Value) >= 0
		if f.Op == Present {
			found = r.Text != ""
		}
		return proveWord(found, false, negated)
	}
	return plainly(naiveFilter(f, r, title) != negated)
}

func plainly(holds bool) map[proof]bool {
	if holds {
		return map[proof]bool{{}: true}
	}
	return nil
}

func proveWord(own, title, negated bool) map[proof]bool {
	if negated {
		return plainly(!own)
	}
	out := map[proof]bool{}
	if own {
		out[proof{own: true}] = true
	}
	if title {
		out[proof{title: true}] = true
	}
	return out
}

func proveOne(parts []Expr, negated bool, r *record.Record, title string) map[proof]bool {
	out := map[proof]bool{}
	for _, x := range parts {
		for p := range proofs(x, negated, r, title) {
			out[p] = true
		}
	}
	return out
}

func proveAll(parts []Expr, negated bool, r *record.Record, title string) map[proof]bool {
	out := map[proof]bool{{}: true}
	for _, x := range parts {
		next := map[proof]bool{}
		for p := range proofs(x, negated, r, title) {
			for q := range out {
				next[proof{p.title || q.title, p.own || q.own}] = true
			}
		}
		out = next
	}
	return out
}

// naiveFilter decides the filters whose values the fuzzed records have; every other
// field of them is empty.
func naiveFilter(f Filter, r *record.Record, title string) bool {
	var values []string
	switch f.Field {
	case "title":
		return title != "" && (f.Op == Present || naiveIndex(title, f.Value) >= 0)
	case "path", "time", "since", "until", "file", "is":
		return planOf(f).Match((&Subject{Known: KnowsAll, Title: title}).Of(r)) // tables test them
	case "agent":
		values = []string{r.Agent}
	case "store":
		values = []string{r.Store}
	case "kind":
		values = []string{string(r.Kind)}
	case "role":
		values = []string{string(r.Role)}
	case "tool":
		values = []string{r.Tool}
	case "branch":
		values = []string{r.Origin.Branch}
	case "scope":
		for _, s := range []record.Scope{"prompts", "conversation", "all"} {
			if s.Has(r.Kind) {
				values = append(values, string(s))
			}
		}
	}
	for _, v := range values {
		if v != "" && naiveValue(f, v) {
			return true
		}
	}
	return false
}

func planOf(e Expr) *Plan {
	p, err := Compile(e, Options{Now: now})
	if err != nil {
		panic(err)
	}
	return p
}

func naiveValue(f Filter, v string) bool {
	v = naiveFold(v)
	want, to := naiveFold(f.Value), naiveFold(f.To)
	switch f.Op {
	case Present:
		return true
	case Is:
		return v == want
	case Glob:
		expr := regexp.QuoteMeta(want)
		expr = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(expr)
		return regexp.MustCompile("(?s)^(?:" + expr + ")$").MatchString(v)
	case Above:
		return v > want
	case AtLeast:
		return v >= want
	case Below:
		return v < want
	case AtMost:
		return v <= want
	}
	return (f.Value == "*" || v >= want) && (f.To == "*" || v <= to)
}

// naiveFold maps each character of the composed form to one of those that differ
// from it in case only. Bytes that are no text stay.
func naiveFold(s string) string {
	s = norm.NFC.String(s)
	var out strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError {
			out.WriteString(s[i : i+n])
		} else {
			low := r
			for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
				low = min(low, x)
			}
			out.WriteRune(low)
		}
		i += n
	}
	return out.String()
}

// naiveIndex looks for a needle as doc/query.md says.
func naiveIndex(s, needle string) int {
	return strings.Index(naiveFold(s), naiveFold(needle))
}

// A glob agrees with the regular expression that says the same.
func FuzzGlob(f *testing.F) {
	f.Add("a*b?c", "aXbYc")
	f.Add("**", "")
	f.Fuzz(func(t *testing.T, pattern, value string) {
		pattern, value = norm.NFC.String(pattern), norm.NFC.String(value)
		if !utf8.ValidString(pattern) || !utf8.ValidString(value) || len(pattern) > 100 {
			return
		}
		if got, want := globMatch(pattern, value), naiveValue(Filter{Op: Glob, Value: pattern}, value); got != want {
			t.Fatalf("%q on %q: %v, want %v", pattern, value, got, want)
		}
	})
}
