package seshat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// members is a JSON object with its keys in order, repeated ones included.
type members []any

// spelling writes JSON as programs do that do not agree how.
type spelling struct {
	rng  *rand.Rand
	odd  int // of so many characters one is written in another way
	room int // of so many places one has white space
}

func (s spelling) pick(n int) bool { return n > 0 && s.rng.IntN(n) == 0 }

func (s spelling) space() string {
	if s.pick(s.room) {
		return []string{" ", "\t", "  ", "\r"}[s.rng.IntN(4)]
	}
	return ""
}

func (s spelling) write(v any) string {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case members:
		var parts []string
		for i := 0; i < len(v); i += 2 {
			parts = append(parts, s.space()+s.key(v[i].(string))+s.space()+":"+s.space()+s.write(v[i+1]))
		}
		return "{" + strings.Join(parts, ","+s.space()) + s.space() + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, s.space()+s.write(e))
		}
		return "[" + strings.Join(parts, ",") + s.space() + "]"
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// key writes a key. Ids are looked for as every writer spells their keys.
func (s spelling) key(key string) string {
	switch key {
	case "uuid", "id", "supersedesUuids", "retractedMessageUuids":
		s.odd = 0
	}
	return s.text(key)
}

func (s spelling) text(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`, '/': `\/`}[r]
		switch {
		case s.pick(s.odd) && s.pick(9):
			out.WriteString("\xff") // no UTF-8
		case s.pick(s.odd):
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, []string{`\u%04x`, `\u%04X`}[s.rng.IntN(2)], u)
			}
		case r == '/' && !s.pick(s.odd):
			out.WriteRune(r)
		case short != "":
			out.WriteString(short)
		case r < ' ':
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// countedWords are what the texts of these worlds are made of.
var countedWords = []string{
	"needle", "Needle", "nneedle", "needles", "need", "le", "caf\u00e9", "cafe\u0301", "needle\u0301", "\u00fcber", "検索", " ", "\n", "\n", "\\n", `\`, "n", "\t", `"`, "/", "ab/cd",
	"\x1b[0m", "\u2028", "😀", "path", "agentId: x", "", "[image", "<system-reminder>", "key: ", "K", "\u212a", "ſ", "\u3000",
}

// countedPatterns are what is counted in them.
var countedPatterns = []struct {
	pattern string
	flags   seshat.PatternFlags
}{
	{"needle", seshat.PatternFlags{}}, {"needle", seshat.PatternFlags{IgnoreCase: true}}, {"needle", seshat.PatternFlags{Word: true}}, {"nneedle", seshat.PatternFlags{}},
	{"le", seshat.PatternFlags{}}, {"ab/cd", seshat.PatternFlags{}}, {"caf\u00e9", seshat.PatternFlags{}}, {"検索", seshat.PatternFlags{}}, {"needle.*need", seshat.PatternFlags{}},
	{"^needle", seshat.PatternFlags{}}, {"needle$", seshat.PatternFlags{}}, {"needle|path", seshat.PatternFlags{}}, {`needle\W+le`, seshat.PatternFlags{}}, {"path: ", seshat.PatternFlags{}},
	{"need le", seshat.PatternFlags{}}, {"needle key", seshat.PatternFlags{}}, {"Kneedle", seshat.PatternFlags{IgnoreCase: true}}, {"\u3000", seshat.PatternFlags{}}, {`"needle`, seshat.PatternFlags{}},
	{"image", seshat.PatternFlags{}}, {`\\need`, seshat.PatternFlags{}}, {"path.*needle", seshat.PatternFlags{}}, {"00need", seshat.PatternFlags{}},
}

// teller makes up the lines of transcripts.
type teller struct{ spelling }

func (t *teller) words() string {
	var out strings.Builder
	for range t.rng.IntN(9) {
		out.WriteString(countedWords[t.rng.IntN(len(countedWords))])
	}
	return out.String()
}

func choose[T any](t *teller, list ...T) T { return list[t.rng.IntN(len(list))] }

// input is what a tool was given.
func (t *teller) input() any {
	var in members
	for range t.rng.IntN(4) {
		key := choose(t, "path", "file_path", "command", "needle", "needle key", "edits", "", "n\nneedle")
		in = append(in, key, choose[any](t, t.words(), t.words(), t.words(), 12, nil, []any{t.words(), members{"old", t.words()}}, members{"needle", t.words()}))
	}
	return in
}

func (t *teller) media() any {
	return members{"type", "image", "source", members{"type", "base64", "media_type", "image/needle", "data", "AAAA"}}
}

func (t *teller) result() members {
	content := choose[any](t, t.words(), t.words(), []any{members{"type", "text", "text", t.words()}, members{"type", "text", "text", t.words()}}, []any{t.words()}, nil, []any{t.media()}, members{"type", "text", "text", t.words()})
	r := members{"type", "tool_result", "tool_use_id", "toolu_" + t.words(), "content", content}
	if t.pick(9) {
		r = append(r, choose(t, "content", "type", "text"), t.words())
	}
	return r
}

func (t *teller) block() any {
	switch t.rng.IntN(12) {
	case 0, 1, 2:
		return members{"type", "text", "text", t.words()}
	case 3, 4:
		return members{"type", "thinking", "thinking", t.words(), "signature", t.words()}
	case 5, 6, 7:
		return members{"type", "tool_use", "id", choose(t, "toolu_1", "toolu_2", t.words()), "name", choose(t, "Bash", "Read", "Edit", "Other", t.words()), "input", t.input()}
	case 8:
		return t.result()
	case 9:
		return members{"input", t.input(), "name", "Bash", "text", t.words(), "type", choose(t, "tool_use", "text", "web_search_tool_result", "fallback", "odd")}
	case 10:
		return t.media()
	}
	return choose[any](t, t.words(), 1, members{"type", "text", "text", t.words(), "text", t.words()}, members{"type", "text", "text", 1})
}

func (t *teller) content(block func() any) any {
	if t.pick(4) {
		return t.words()
	}
	var out []any
	for range t.rng.IntN(4) {
		out = append(out, block())
	}
	return out
}

// line gives the members of one line.
func (t *teller) line(session string, nth int) members {
	uuid := fmt.Sprintf("%s-%d-%d", session[:2], nth, t.rng.IntN(1000))
	if t.pick(8) {
		uuid = choose(t, "L3", "", "u1", "u2", "needle")
	}
	var m members
	add := func(key string, v any) { m = append(m, key, v) }
	if !t.pick(30) {
		add("uuid", uuid)
	}
	add("timestamp", at(t.rng.IntN(50)).Format("2006-01-02T15:04:05.000Z"))
	add("sessionId", session)
	add("cwd", "/srv/needle")
	switch t.rng.IntN(12) {
	case 0, 1, 2, 3:
		msg := members{"role", "assistant", "id", choose(t, fmt.Sprint("msg_", nth), fmt.Sprint("msg_", nth-1), "msg_1", "msg_1", t.words()), "content", t.content(t.block)}
		if t.pick(5) {
			msg = append(msg, "model", choose(t, "<synthetic>", "m", t.words()))
		}
		add("message", msg)
		add("type", "assistant")
	case 4, 5, 6:
		add("type", "user")
		add("message", members{"role", "user", "content", t.content(func() any { return t.result() })})
		add("toolUseResult", choose[any](t, t.words(), members{"stdout", t.words()}, members{"answers", members{t.words(), t.words()}}, members{"x", members{"answers", t.words()}}))
	case 7:
		add("type", "user")
		add("message", members{"role", "user", "content", t.content(t.block)})
	case 8:
		add("type", choose(t, "summary", "progress", "odd", "system", t.words()))
		add("content", t.words())
		add("data", members{"message", members{"id", "msg_1"}, "uuid", choose(t, uuid, "u1")})
	case 9:
		add("type", "queue-operation")
		add("operation", choose(t, "enqueue", "enqueue", "remove", "popAll"))
		add("content", t.words())
	case 10:
		add("type", "attachment")
		add("attachment", members{"type", choose(t, "queued_command", "hook_success", "other"), "prompt", t.words(), "content", t.words()})
	default:
		add("type", "system")
		add("content", t.words())
		if t.pick(6) {
			add("retractedMessageUuids", []any{choose(t, "u1", "u2")})
		}
	}
	for _, extra := range []members{{"isMeta", true}, {"isCompactSummary", true}, {"isApiErrorMessage", true}, {"supersedesUuids", []any{"u1"}}, {"supersedesUuids", []any{}}, {"isSidechain", true}, {"type", "user"}, {"uuid", "u2"}} {
		if t.pick(40) {
			m = append(m, extra...)
		}
	}
	return m
}

// countedWorld makes sessions whose lines are in every form, some of which copy others
// and spell what they copy in their own way.
func countedWorld(rng *rand.Rand) map[string]string {
	files := map[string]string{}
	var base []members
	for _, session := range []string{one, two, three} {
		t := &teller{spelling: spelling{rng: rng, odd: []int{0, 0, 40, 8}[rng.IntN(4)], room: []int{0, 0, 20}[rng.IntN(3)]}}
		talk := slices.Clone(base[:rng.IntN(len(base)+1)])
		for j := range 1 + rng.IntN(8) {
			talk = append(talk, t.line(session, j))
			if t.pick(9) {
				talk = append(talk, grown(t, talk[rng.IntN(len(talk))]))
			}
		}
		base = talk
		var out strings.Builder
		for _, m := range talk {
			l := t.write(m)
			if t.pick(40) {
				l = l[:rng.IntN(len(l))]
			}
			if t.pick(40) {
				l += "}"
			}
			out.WriteString(l + choose(t, "\n", "\n", "\n", "\r\n", "\n\n"))
		}
		name := appDir + session + ".jsonl"
		if t.pick(4) {
			name = appDir + one + "/subagents/agent-" + session[:2] + ".jsonl"
		}
		files[name] = strings.TrimSuffix(out.String(), choose(t, "", "\n"))
	}
	t := &teller{spelling: spelling{rng: rng}}
	files["history.jsonl"] = t.write(members{"display", t.words(), "timestamp", at(3).UnixMilli(), "project", "/srv/needle", "sessionId", one}) + "\n"
	return files
}

// grown is a line that says again what another one says, and perhaps more.
func grown(t *teller, m members) members {
	again := slices.Clone(m)
	for i := 0; i < len(again); i += 2 {
		if again[i] == "uuid" && !t.pick(3) {
			again[i+1] = fmt.Sprint("again-", t.rng.IntN(1000))
		}
	}
	if t.pick(2) {
		again = append(again, "x", t.words())
	}
	return again
}

// What is counted is what the records hold, by source, and the answer is as complete.
func TestCountingEqualsRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range rounds(150) {
		files := countedWorld(rng)
		l := library(t, newWorld(claudeRoot(files)), "", nil)
		for _, q := range []seshat.Selection{{}, {Scope: record.ScopeAll}, {Kinds: []record.Kind{record.ToolResult}}, {Superseded: true, Copies: true}, {Newest: true}} {
			for _, want := range []int{rng.IntN(len(countedPatterns)), rng.IntN(6)} {
				w := countedPatterns[want]
				p, err := seshat.CompilePattern([]string{w.pattern}, w.flags)
				if err != nil {
					t.Fatal(err)
				}
				checkCounts(t, l, q, p, fmt.Sprintf("%q %+v in %+v of %s", w.pattern, w.flags, q, spoken(files)))
			}
		}
	}
}

func spoken(files map[string]string) string {
	var out []string
	for name, data := range files {
		out = append(out, "\n"+name+"\n"+strconv.Quote(data))
	}
	sort.Strings(out)
	return strings.ReplaceAll(strings.Join(out, ""), `\n`, "\\n\n")
}

func checkCounts(t *testing.T, l *seshat.Library, q seshat.Selection, p *seshat.Pattern, what string) {
	t.Helper()
	want := map[string]int{}
	if _, err := l.Records(context.Background(), q, func(r *record.Record) error {
		for line := range strings.SplitSeq(r.Text, "\n") {
			if p.Match(line) {
				want[r.Path]++
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	got, records := map[string]int{}, 0
	counted, err := l.Grep(context.Background(), seshat.GrepQuery{Selection: q, Pattern: p, Count: true}, func(m *seshat.Match) error {
		got[m.Record.Path] += m.Count
		records += m.Of
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("counted %v, want %v: %s", got, want, what)
	}
	of := 0
	printed, err := l.Grep(context.Background(), seshat.GrepQuery{Selection: q, Pattern: p}, func(*seshat.Match) error { of++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	// A line that no match can stand on is looked at more closely by one of them.
	counted.DamagedLines, counted.Warnings, printed.DamagedLines, printed.Warnings = 0, nil, 0, nil
	if records != of || !reflect.DeepEqual(counted, printed) {
		t.Fatalf("counted in %d records, printed of %d; the answers are %+v and %+v: %s", records, of, counted, printed, what)
	}
}
