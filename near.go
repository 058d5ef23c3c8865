package seshat

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// Near is a word that stands in records and is spelt almost like one that was asked
// for.
type Near struct {
	Asked   string
	Word    string // in small letters
	Records int    // that hold it, among those that were looked at
}

// Bounds of looking for near spellings.
const (
	nearWords   = 3     // of the query
	nearLetters = 5     // that a word needs to have near ones
	nearLong    = 7     // letters from which on two may differ
	nearRecords = 20000 // that are looked at
	nearShown   = 3     // for each word
)

// near is a word with how far a spelling may be from it.
type near struct {
	word     string
	distance int
	pieces   []string // of which one stands in every near spelling
}

// nearSpellings looks, where nothing was found, for words that are spelt almost like
// the ones that were asked for, in what people and agents said.
func (s *scan) nearSpellings(ctx context.Context) ([]Near, error) {
	words, test := nearTest(s.texts)
	if test == nil {
		return nil, ctx.Err()
	}
	seen := map[Near]int{}
	looked := 0
	reading := func(_ context.Context, src search.Source) search.Reading[spellings] {
		return search.Reading[spellings]{Plan: agent.Plan{Candidate: test, Bare: true}, Keep: func(r *record.Record) (spellings, bool) {
			if !s.wants(r) || r.Kind == record.ToolCall || r.Kind == record.ToolResult {
				return nil, false
			}
			return spelt(s.l.withoutSecrets(r.Text), words), true
		}}
	}
	err := search.EachAs(ctx, s.srcs, s.l.opts.Workers, &search.Tally{}, reading, func(_ search.Source, found spellings) error {
		for _, n := range found {
			seen[n]++
		}
		if looked++; looked >= nearRecords {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return nearest(words, seen), nil
}

// withoutSecrets gives a text in which nothing stands in the place of a credential: what
// is spelt almost like a key that was asked for is a key too.
func (l *Library) withoutSecrets(text string) string {
	edits, _ := l.credentialsIn(text)
	for i := range edits {
		edits[i].Marker = " "
	}
	return edits.Apply(text)
}

// spellings are the near words of one record, each once.
type spellings []Near

// Weight is about how many bytes they hold.
func (s spellings) Weight() int { return 64 * len(s) }

// nearTest gives the words that near spellings are looked for of, and the byte test
// for them: of a word that is cut into one more piece than letters may differ, a
// piece stands in every near spelling.
func nearTest(texts []string) ([]near, agent.ByteTest) {
	var words []near
	var pieces []needle.Literal
	for _, t := range texts {
		r := []rune(strings.ToLower(t))
		if len(r) < nearLetters || strings.ContainsFunc(t, func(c rune) bool { return !wordly(c) }) || len(words) == nearWords {
			continue
		}
		n := near{word: string(r), distance: 1}
		if len(r) >= nearLong {
			n.distance = 2
		}
		for i := range n.distance + 1 {
			piece := string(r[i*len(r)/(n.distance+1) : (i+1)*len(r)/(n.distance+1)])
			n.pieces = append(n.pieces, piece)
			pieces = append(pieces, needle.Literal{Text: piece, Fold: true})
		}
		words = append(words, n)
	}
	if len(pieces) == 0 {
		return nil, nil
	}
	if set := needle.New(pieces); set != nil {
		return words, set
	}
	return words, agent.LineTest(func([]byte) bool { return true }) // some letters cannot be found by their bytes
}

// spelt finds the near words of a text.
func spelt(text string, words []near) spellings {
	var out spellings
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !wordly(r) }) {
		size := utf8.RuneCountInString(w)
		for _, n := range words {
			if d := size - utf8.RuneCountInString(n.word); d > n.distance || d < -n.distance {
				continue
			}
			w := strings.ToLower(w)
			if !slices.ContainsFunc(n.pieces, func(p string) bool { return strings.Contains(w, p) }) || strings.Contains(w, n.word) || Distance(w, n.word) > n.distance {
				continue
			}
			if found := (Near{Asked: n.word, Word: strings.Clone(w)}); !slices.Contains(out, found) {
				out = append(out, found)
			}
		}
	}
	return out
}

// nearest chooses what is offered: for each word the nearest spellings, of equally
// near ones those that stand in most records.
func nearest(words []near, seen map[Near]int) []Near {
	var out []Near
	for _, n := range words {
		var all []Near
		for k, records := range seen {
			if k.Asked == n.word {
				k.Records = records
				all = append(all, k)
			}
		}
		slices.SortFunc(all, func(a, b Near) int {
			return cmp.Or(Distance(a.Word, n.word)-Distance(b.Word, n.word), b.Records-a.Records, strings.Compare(a.Word, b.Word))
		})
		out = append(out, all[:min(nearShown, len(all))]...)
	}
	return out
}
