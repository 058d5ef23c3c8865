package seshat

import (
	"regexp/syntax"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/rank"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/snippet"
	"github.com/seshat-dev/seshat/record"
)

// Query is what somebody asked for in the query language.
type Query = query.Query

// Hint is something that somebody may have meant otherwise.
type Hint = query.Hint

// Field is a field of the query language.
type Field = query.Field

// Fields lists the fields of the query language.
func Fields() []Field { return query.Fields() }

// CompleteQuery gives what a word of a query that is being typed may become.
func (l *Library) CompleteQuery(word string) []string {
	return query.Complete(word, func(field string) []string {
		switch field {
		case "agent":
			return Agents()
		case "store":
			var ids []string
			for _, s := range l.Stores() {
				ids = append(ids, s.ID)
			}
			return ids
		}
		return nil
	})
}

// ParseQuery reads a query. The only error it gives is that of a regular expression
// which is none.
func (l *Library) ParseQuery(text string) (*Query, error) {
	q, err := query.Parse(text, l.queryOptions())
	if err != nil {
		return nil, UsageError(err.Error())
	}
	return q, nil
}

func (l *Library) queryOptions() query.Options {
	return query.Options{Now: time.Now(), Home: l.opts.Home, Regexp: func(source string) (query.Matcher, error) {
		p, err := search.Compile([]string{"(?m:" + source + ")"}, search.Flags{IgnoreCase: true})
		if err != nil {
			return nil, err
		}
		return p, nil
	}}
}

// question is a query made ready for a scan.
type question struct {
	query *query.Query
	plan  *query.Plan
	terms []*query.Plan // what a record's text is looked through for, one by one
	words *query.Plan   // any of these; nil where there are none
	near  *query.Plan   // all of them side by side; nil where there is but one
	parts []*query.Plan // what a session may hold in several records, likewise
	heads []*query.Plan // the parts without the fields, for titles
	texts []string      // the words and phrases among the terms

	late   bool // records are judged when their place is known
	varied bool // a copy may match where its original does not
	bare   bool // no more of a record is asked for than its text and its kind
}

// newQuestion compiles a query.
func newQuestion(q *query.Query, o query.Options) (*question, error) {
	plan, err := query.Compile(q.Expr, o)
	if err != nil {
		return nil, UsageError(err.Error())
	}
	out := &question{query: q, plan: plan}
	c := compiler{o: o}
	out.addTerms(q.Expr, &c)
	out.addParts(query.Simplify(q.Expr), &c)
	out.late = out.uses("cwd", "repo", "worktree", "branch", "project")
	out.varied = len(out.parts) > 0
	for _, f := range query.Fields() {
		out.varied = out.varied || q.Uses(f.Name) && !slices.Contains(sameInCopies, f.Name)
	}
	out.bare = !out.uses("cwd", "repo", "worktree", "branch", "model", "tool", "role", "is", "file")
	return out, c.err
}

// sameInCopies are the fields that a record and its copies have in common.
var sameInCopies = []string{"text", "kind", "scope", "role", "tool", "agent", "file"}

// compiler compiles parts of a query that compiles as a whole.
type compiler struct {
	o   query.Options
	err error
}

func (c *compiler) plan(e query.Expr) *query.Plan {
	p, err := query.Compile(e, c.o)
	if err != nil && c.err == nil {
		c.err = UsageError(err.Error())
	}
	return p
}

func (x *question) uses(fields ...string) bool {
	return slices.ContainsFunc(fields, x.query.Uses)
}

// addTerms finds what is looked for in texts.
func (x *question) addTerms(e query.Expr, c *compiler) {
	var all query.Or
	query.Terms(e, func(term query.Expr, negated bool) {
		if !inText(term) || negated || slices.Contains(all, term) {
			return
		}
		all = append(all, term)
		x.terms = append(x.terms, c.plan(term))
		if t, ok := term.(query.Text); ok {
			x.texts = append(x.texts, t.Value)
		}
	})
	if len(all) == 0 {
		return
	}
	x.words = c.plan(all)
	if len(x.texts) > 1 && len(x.texts) == len(all) {
		together := x.texts[0]
		for _, t := range x.texts[1:] {
			together += " " + t
		}
		x.near = c.plan(query.Text{Value: together})
	}
}

// inText reports whether a term is looked for in the text of a record.
func inText(term query.Expr) bool {
	switch t := term.(type) {
	case query.Text, query.Regexp:
		return true
	case query.Filter:
		return t.Field == "text" && t.Op == query.Is
	}
	return false
}

// addParts takes a query apart that a session may answer with several records: what
// is joined by AND and asks for text, each with all that asks for none.
func (x *question) addParts(e query.Expr, c *compiler) {
	all, _ := e.(query.And)
	var texts, rest query.And
	for _, part := range all {
		wordy := false
		query.Terms(part, func(term query.Expr, negated bool) { wordy = wordy || inText(term) && !negated })
		if wordy {
			texts = append(texts, part)
		} else {
			rest = append(rest, part)
		}
	}
	if len(texts) < 2 || len(texts) > 64 {
		return
	}
	for _, part := range texts {
		x.parts = append(x.parts, c.plan(append(query.And{part}, rest...)))
		x.heads = append(x.heads, c.plan(part))
	}
}

// byteTest gives the test that the bytes of every record pass which may be wanted,
// or nil.
func (x *question) byteTest() agent.ByteTest {
	plans := x.parts
	if len(plans) == 0 {
		plans = []*query.Plan{x.plan}
	}
	var all []needle.Literal
	for _, p := range plans {
		best := needle.Best(literals(p.Required(regexLiterals)))
		if best == nil {
			return nil
		}
		all = append(all, best...)
	}
	if set := needle.New(all); set != nil {
		return set
	}
	return nil
}

// literals writes what a plan requires as what is looked for in bytes.
func literals(required []query.Alternatives) [][]needle.Literal {
	out := make([][]needle.Literal, len(required))
	for i, list := range required {
		for _, l := range list {
			out[i] = append(out[i], needle.Literal{Text: l.Text, Fold: l.Fold})
		}
	}
	return out
}

func regexLiterals(re *syntax.Regexp) [][]query.Literal {
	var out [][]query.Literal
	for _, list := range search.Required(re) {
		var same []query.Literal
		for _, l := range list {
			same = append(same, query.Literal{Text: l.Text, Fold: l.Fold})
		}
		out = append(out, same)
	}
	return out
}

// features gives what of a record counts for its score, and where its terms stand.
func (x *question) features(r *record.Record) (rank.Record, []snippet.Range) {
	out := rank.Record{Kind: r.Kind, Time: r.Time, Subagent: r.Flags&record.Subagent != 0}
	var places []snippet.Range
	out.Terms, places = x.occurrences(r.Text)
	if x.near != nil && !slices.ContainsFunc(out.Terms, func(o rank.Occurrence) bool { return o.Count == 0 }) {
		out.Phrase = x.near.Match((&query.Subject{Known: query.KnowsAll}).Of(&record.Record{Text: r.Text}))
	}
	return out, places
}

// occurrences counts the terms in a text, and gives the places of all of them in
// order.
func (x *question) occurrences(text string) ([]rank.Occurrence, []snippet.Range) {
	out := make([]rank.Occurrence, len(x.terms))
	var all []query.Range
	for i, t := range x.terms {
		found := t.Highlights(text)
		for _, r := range found {
			out[i].Count++
			out[i].Whole = out[i].Whole || wholeWord(text, r.From, r.To)
		}
		all = append(all, found[:min(len(found), maxPlaces)]...)
	}
	var places []snippet.Range
	for _, r := range query.Joined(all) {
		places = append(places, snippet.Range(r))
	}
	return out, places
}

// maxPlaces is how many places of a term a snippet is chosen among.
const maxPlaces = 500

// wholeWord reports whether a stretch of a text does not stand inside a longer word.
func wholeWord(text string, from, to int) bool {
	first, _ := utf8.DecodeRuneInString(text[from:to])
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !(wordly(first) && from > 0 && wordly(before)) && !(wordly(last) && to < len(text) && wordly(after))
}

// wordly reports whether a character makes words longer. Scripts that write no
// spaces have no longer words.
func wordly(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// snippetSize is about how many bytes of a record's text a snippet shows.
const snippetSize = 240

// widen lets a selection read what the query asks for by name, and gives the test for
// the records that it asks for. A scope that somebody chose stays.
func (l *Library) widen(q *Selection, asked *query.Query) func(*record.Record) bool {
	q.Superseded = q.Superseded || asked.AsksFor("is", "superseded")
	chosen := *q
	if q.Scope != "" || len(q.Kinds) > 0 || len(q.Stores) > 0 {
		return func(r *record.Record) bool { return chosen.wants(r.Kind) }
	}
	all, byStore := asked.AsksFor("scope", string(record.ScopeAll)), false
	named := map[record.Kind]bool{}
	for _, k := range record.Kinds() {
		named[k] = asked.AsksFor("kind", string(k))
	}
	inspect, stores := map[string]bool{}, map[string]bool{}
	for _, s := range l.Stores() {
		inspect[s.ID] = s.Coverage == catalog.Inspect
		stores[s.ID] = inspect[s.ID] && asked.AsksFor("store", s.ID)
		byStore = byStore || stores[s.ID]
	}
	if all || byStore || named[record.Notice] || named[record.Document] {
		q.Scope = record.ScopeAll
	}
	return func(r *record.Record) bool {
		switch {
		case all || stores[r.Store]:
			return true
		case inspect[r.Store]: // to name what is also read elsewhere opens no further store
			return named[r.Kind] && !record.ScopeConversation.Has(r.Kind)
		}
		return named[r.Kind] || chosen.wants(r.Kind)
	}
}
