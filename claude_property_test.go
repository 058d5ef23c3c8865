package seshat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

var dictionary = []string{"gateway", "deploy", "cave", "needle", "branch"}

// randomWorld makes sessions that copy each other's beginnings, subagents, and a
// log that repeats some of what was typed.
func randomWorld(rng *rand.Rand) map[string]string {
	pick := func(n int) bool { return rng.IntN(n) == 0 }
	words := func() string {
		return dictionary[rng.IntN(len(dictionary))] + " " + dictionary[rng.IntN(len(dictionary))]
	}
	files := map[string]string{}
	var base []object // what was said so far, to be forked
	var log []object
	for i, session := range []string{one, two, three} {
		talk := forked(session, pick(4), base[:rng.IntN(len(base)+1)]...)
		for j := range 1 + rng.IntN(4) {
			id, minute := fmt.Sprintf("%d%d-%d", i, j, rng.IntN(2)), 1+rng.IntN(50)
			switch text := words(); rng.IntN(5) {
			case 0, 1:
				talk = append(talk, user(session, "/srv/app", "u"+id, minute, text))
				if pick(2) {
					log = append(log, logged([]string{session, ""}[rng.IntN(2)], "/srv/app", text, minute, time.Duration(rng.IntN(20))*time.Second))
				}
			case 2:
				talk = append(talk, assistant(session, "/srv/app", "a"+id, minute, object{"type": "text", "text": text}))
			case 3:
				talk = append(talk, user(session, "/srv/app", "u"+id, minute, text).with("isMeta", true))
			default:
				talk = append(talk, user(session, "/srv/app", "u"+id, minute, text), user(session, "/srv/app", "u"+id, minute, text+" "+words()))
			}
		}
		base = talk
		files[appDir+session+".jsonl"] = lines(talk...)
		if pick(3) {
			files[appDir+session+"/subagents/agent-x.jsonl"] = line(user(session, "/srv/app", "s"+session[:1], 7, words()).with("isSidechain", true))
		}
	}
	log = append(log, logged(one, "/srv/app", words(), 3, 0), logged(four, "/srv/app", words(), 4, 0))
	files["history.jsonl"] = lines(log...)
	return files
}

// grep finds a word in exactly those records of the full answer that hold it, in
// the same order and under the same handles, copies and twins folded alike.
func TestClaudeGrepEqualsRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range rounds(60) {
		files := randomWorld(rng)
		l := library(t, newWorld(claudeRoot(files)), "", nil)
		for _, q := range []seshat.Selection{{}, {Scope: record.ScopeAll}, {Scope: record.ScopePrompts}, {Superseded: true, Copies: true}} {
			all := map[string][]string{}
			_, err := l.Records(context.Background(), q, func(r *record.Record) error {
				for _, w := range dictionary {
					if strings.Contains(r.Text, w) {
						all[w] = append(all[w], fmt.Sprintf("%s %q %q", r.Handle, r.Flags.Names(), r.Text))
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range dictionary {
				p, err := seshat.CompilePattern([]string{w}, seshat.PatternFlags{})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				if _, err := l.Grep(context.Background(), seshat.GrepQuery{Selection: q, Pattern: p, Whole: true}, func(m *seshat.Match) error {
					got = append(got, fmt.Sprintf("%s %q %q", m.Record.Handle, m.Record.Flags.Names(), m.Record.Text))
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, all[w]) {
					t.Fatalf("%+v: grep %s gives\n\t%s\nwhere records give\n\t%s\nin %q", q, w, strings.Join(got, "\n\t"), strings.Join(all[w], "\n\t"), files)
				}
			}
		}
	}
}
