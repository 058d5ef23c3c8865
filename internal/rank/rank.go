// Package rank says how well a record, and a session, answers a query.
//
// A reader may rely on this. A score follows from what a search sees while it
// reads, and from nothing else: it takes neither the clock nor the number of all
// records, so an index or a cache cannot change it. Equal input gives an equal
// score, to the last bit. All numbers that can be tuned stand in Weights.
//
// With N the number of records that hold any term, and n those that hold the term t,
//
//	rarity(t) = ln(1 + N/n)
//	term(t)   = rarity(t) * (1 if t stands as a whole word, else Inside) * (1 + Repeat*(1 - 1/count))
//	fresh(d)  = 1 + Recency * 2^(-days before the newest match / HalfLife)
//	record    = weight of its kind * sum of term(t) * (Phrase if all terms stand together) * fresh * (Subagent if one's)
//	title     = Title * sum of term(t) in it * (FirstPrompt if it is only the beginning of one) * fresh
//	session   = (best record + title) * (1 + More*ln(records)) * (Here) * (Print)
//
// where a factor in parentheses with a condition is 1 when the condition does not
// hold. A session that only its title speaks for has no records: ln(records) is 0
// then, and fresh is that of its last activity.
package rank

import (
	"math"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// Weights are the numbers of the formula.
type Weights struct {
	Title      float64
	Prompt     float64 // and commands
	Reply      float64 // and summaries
	Dispatch   float64
	Document   float64
	Thinking   float64
	ToolCall   float64
	ToolResult float64
	Notice     float64

	FirstPrompt float64 // of a title that only repeats the first prompt

	Inside   float64 // of a term that stands only inside longer words
	Repeat   float64 // what a term gains, at most, by standing there again
	Phrase   float64 // all terms together, as they were typed
	Recency  float64 // what the newest match gains
	HalfLife float64 // days in which half of that is lost
	More     float64 // what further records add to a session
	Here     float64 // a session of the current project, where that was asked for
	Print    float64 // a session that nobody sat at
	Subagent float64 // a record that no person saw come about
}

// Default gives the weights that searches use.
func Default() Weights {
	return Weights{
		Title: 1.5, Prompt: 1.3, Reply: 1, Dispatch: 0.7, Document: 0.7, Thinking: 0.6, ToolCall: 0.55, ToolResult: 0.4, Notice: 0.3,
		FirstPrompt: 0.3, Inside: 0.6, Repeat: 0.4, Phrase: 1.5, Recency: 0.5, HalfLife: 30, More: 0.15, Here: 2, Print: 0.6, Subagent: 0.7,
	}
}

// Corpus is what a search saw of all matches.
type Corpus struct {
	Records int       // that hold any term
	Terms   []int     // that hold each
	Newest  time.Time // of them
}

// See counts a record.
func (c *Corpus) See(r Record) {
	held := false
	for i, t := range r.Terms {
		if i == len(c.Terms) {
			c.Terms = append(c.Terms, 0)
		}
		if t.Count > 0 {
			c.Terms[i]++
			held = true
		}
	}
	if held {
		c.Records++
	}
	if r.Time.After(c.Newest) {
		c.Newest = r.Time
	}
}

// Occurrence is how a term stands in a text.
type Occurrence struct {
	Count int  // how often
	Whole bool // at least once as a whole word
}

// Record is what counts of a record.
type Record struct {
	Kind     record.Kind
	Time     time.Time
	Terms    []Occurrence // one for each term of the query
	Phrase   bool         // all terms stand together
	Subagent bool
}

// Session is what counts of a session beside its records.
type Session struct {
	Title   []Occurrence // the terms in its title
	Prompt  bool         // which is only the beginning of its first prompt
	Time    time.Time    // of its best record, or when it was last active
	Records int          // how many match
	Here    bool
	Print   bool
}

// Part is a number that went into a score, for people who ask why.
type Part struct {
	Name  string
	Value float64
}

// Score is a sum with what it was made of.
type Score struct {
	Value float64
	Parts []Part
}

func (s *Score) times(name string, factor float64) {
	if factor != 1 {
		s.Value *= factor
		s.Parts = append(s.Parts, Part{name, factor})
	}
}

// Record scores a record.
func (w Weights) Record(r Record, c Corpus) Score {
	s := Score{Value: w.terms(r.Terms, c), Parts: make([]Part, 0, 5)}
	s.Parts = append(s.Parts, Part{"terms", s.Value})
	s.times(string(r.Kind), w.kind(r.Kind))
	if r.Phrase {
		s.times("phrase", w.Phrase)
	}
	s.times("recency", w.fresh(r.Time, c))
	if r.Subagent {
		s.times("subagent", w.Subagent)
	}
	return s
}

// Session scores a session of which that is the best record's score.
func (w Weights) Session(best float64, x Session, c Corpus) Score {
	s := Score{Value: best}
	if best > 0 {
		s.Parts = append(s.Parts, Part{"record", best})
	}
	title := w.Title * w.terms(x.Title, c) * w.fresh(x.Time, c)
	if x.Prompt {
		title *= w.FirstPrompt
	}
	if title > 0 {
		s.Value += title
		s.Parts = append(s.Parts, Part{"title", title})
	}
	if x.Records > 1 {
		s.times("records", 1+w.More*math.Log(float64(x.Records)))
	}
	if x.Here {
		s.times("here", w.Here)
	}
	if x.Print {
		s.times("print", w.Print)
	}
	return s
}

func (w Weights) terms(all []Occurrence, c Corpus) float64 {
	sum := 0.0
	for i, t := range all {
		if t.Count == 0 {
			continue
		}
		v := c.rarity(i) * (1 + w.Repeat*(1-1/float64(t.Count)))
		if !t.Whole {
			v *= w.Inside
		}
		sum += v
	}
	return sum
}

// rarity of a term that no record holds is that of one that a single record does.
func (c Corpus) rarity(term int) float64 {
	n := 1
	if term < len(c.Terms) {
		n = max(1, c.Terms[term])
	}
	return math.Log(1 + float64(max(1, c.Records))/float64(n))
}

func (w Weights) fresh(t time.Time, c Corpus) float64 {
	if t.IsZero() || c.Newest.IsZero() || w.HalfLife <= 0 {
		return 1
	}
	days := max(0, c.Newest.Sub(t).Hours()/24)
	return 1 + w.Recency*math.Exp2(-days/w.HalfLife)
}

func (w Weights) kind(k record.Kind) float64 {
	switch k {
	case record.Prompt, record.Command:
		return w.Prompt
	case record.Reply, record.Summary:
		return w.Reply
	case record.Dispatch:
		return w.Dispatch
	case record.Document:
		return w.Document
	case record.Thinking:
		return w.Thinking
	case record.ToolCall:
		return w.ToolCall
	case record.ToolResult:
		return w.ToolResult
	}
	return w.Notice
}
