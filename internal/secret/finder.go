package secret

import (
	"strings"
	"sync"
)

// meaning is what a word that was found may be the beginning of.
type meaning struct {
	kind  kind
	rule  *Rule
	shape *shape
	raw   func(b []byte, at int) bool // whether raw JSON may hold a finding here; nil when it always may
}

// kind says what stands at a word.
type kind uint8

const (
	ofToken kind = iota
	ofPEM
	ofURL
	ofHeader
	ofName
)

// finder is what texts are looked through for. The tables are made when a text is: it
// takes longer than all else at the start of a program that may not need them.
var finder = sync.OnceValue(func() table { return newFinder(false) })

// rawFinder looks through raw JSON, in which a character may be spelt as an escape and
// a slash may have a backslash before it.
var rawFinder = sync.OnceValue(func() table { return newFinder(true) })

type table struct {
	words    *words
	meanings []meaning
}

// assigned are words that the name of a secret has in it, or has at the end of a word:
// what stands before Key, so that few other texts are looked at.
var assigned = []string{
	"passw", "passphrase", "_pwd", "pwd=", "secret", "token", "credential",
	"_key", "-key", "apikey", "sskey", "tekey", "thkey", "onkey", "ngkey", "erkey", "ntkey",
}

func newFinder(raw bool) table {
	var list []string
	var t table
	add := func(word string, m meaning) {
		list = append(list, strings.ToLower(word))
		t.meanings = append(t.meanings, m)
	}
	for _, rule := range tokens {
		for i := range rule.shapes {
			sh := &rule.shapes[i]
			add(sh.prefix, meaning{rule: rule, shape: sh, raw: mayFollow(sh)})
		}
	}
	add("-----begin", meaning{kind: ofPEM})
	add("://", meaning{kind: ofURL, raw: mayUserinfo})
	add("authorization", meaning{kind: ofHeader})
	for _, word := range assigned {
		add(word, meaning{kind: ofName, raw: mayAssign})
	}
	if raw {
		add(`\u00`, meaning{raw: func(b []byte, at int) bool { return at+4 < len(b) && '2' <= b[at+4] && b[at+4] <= '7' }})
		add(`:\/\/`, meaning{})
		add(`hooks.slack.com\/`, meaning{})
	}
	t.words = newWords(list)
	return t
}

// mayFollow gives the test for raw bytes behind a prefix: enough of its class to be a
// token, or one that was cut.
func mayFollow(sh *shape) func(b []byte, at int) bool {
	least := min(sh.min, max(leastCut-len(sh.prefix)-sh.beforeMax, 1))
	return func(b []byte, at int) bool {
		body := at + len(sh.prefix)
		if len(b)-body < least {
			return false
		}
		for i := range sh.prefix {
			if b[at+i] != sh.prefix[i] {
				return false
			}
		}
		for _, c := range b[body : body+least] {
			if !sh.body.has(c) {
				return c == '\\'
			}
		}
		return true
	}
}

// Candidates is the byte test for lines of raw JSON in which a credential may stand.
type Candidates struct{}

// Next gives the first place of b from an index on where a credential may begin, or -1.
func (Candidates) Next(b []byte, from int) int {
	first, after, t := from, -1, rawFinder()
	for {
		at, nth := next(t.words, b, from, after)
		if at < 0 {
			return -1
		}
		begin := at - t.words.rare[nth]
		if m := &t.meanings[nth]; m.raw == nil || m.raw(b, begin) {
			return max(begin, first)
		}
		from, after = at, nth
	}
}
