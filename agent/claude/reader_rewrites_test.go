package claude

import (
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/record"
)

// An answer that was saved while it grew: first position, last content, and what
// stood there before superseded.
func TestGrowingAnswers(t *testing.T) {
	grow := func(uuid string, blocks ...any) string { return ans("m1", uuid, int(uuid[1]-'0'), blocks) }
	checkRules(t, []rule{
		{"a text grows", []string{grow("a1", txt("Hel")), grow("a2", txt("Hello")), grow("a3", txt("Hello world"))},
			[]string{"3 a1 reply: Hello world", "1 a1#1 reply +superseded: Hel", "2 a2 reply +superseded: Hello"}},
		{"a text grows with others between", []string{grow("a1", txt("Hel")), usr("u1", 2, "wait"), grow("a3", txt("Hello"))},
			[]string{"3 a1 reply: Hello", "1 a1#1 reply +superseded: Hel", "2 u1 prompt: wait"}},
		{"a thought grows", []string{grow("a1", think("hm")), grow("a2", think("hm, yes"))}, []string{"2 a1 thinking: hm, yes", "1 a1#1 thinking +superseded: hm"}},
		{"a snapshot repeats what it had", []string{grow("a1", txt("one")), grow("a2", txt("one"), use("t1", "Bash", obj{"command": "ls"}))},
			[]string{"2 a1 reply: one", "2 a2 tool_call Bash: ls"}},
		{"a snapshot has more texts", []string{grow("a1", txt("one")), grow("a2", txt("one"), txt("two"))}, []string{"2 a1 reply: one\n\ntwo", "1 a1#1 reply +superseded: one"}},
		{"a call gets its input", []string{grow("a1", use("t1", "Bash", obj{})), grow("a2", use("t1", "Bash", obj{"command": "ls"}))},
			[]string{"2 a1 tool_call Bash: ls", "1 a1#1 tool_call Bash +superseded: "}},
		{"a thought does not grow into a text", []string{grow("a1", think("hm")), grow("a2", txt("hm, yes"))}, []string{"1 a1 thinking: hm", "2 a2 reply: hm, yes"}},
		{"other texts of the answer", []string{grow("a1", txt("one")), grow("a2", txt("two")), grow("a3", txt("on"))}, []string{"1 a1 reply: one", "2 a2 reply: two", "3 a3 reply: on"}},
		{"other answers", []string{ans("m1", "a1", 1, list(txt("Hel"))), ans("m2", "a2", 2, list(txt("Hello")))}, []string{"1 a1 reply: Hel", "2 a2 reply: Hello"}},
		{"answers without an id", []string{ans("", "a1", 1, list(txt("Hel"))), ans("", "a2", 2, list(txt("Hello")))}, []string{"1 a1 reply: Hel", "2 a2 reply: Hello"}},
		{"two texts of one answer grow", []string{grow("a1", txt("A")), grow("a2", txt("B")), grow("a3", txt("AA")), grow("a4", txt("BB"))},
			[]string{"3 a1 reply: AA", "1 a1#1 reply +superseded: A", "4 a2 reply: BB", "2 a2#1 reply +superseded: B"}},
	})
}

// Two later texts begin with one earlier text: whatever is chosen for the first
// position, no text is lost.
func TestNoTextOfAGrowingAnswerIsLost(t *testing.T) {
	for _, c := range [][]string{
		{"A", "AB", "AC"}, {"A", "AB", "A"}, {"A", "AB", "ABC", "AD"}, {"A", "A", "AB", "A"}, {"AB", "A", "ABC", "AC"},
	} {
		var lines []string
		for i, s := range c {
			lines = append(lines, ans("m1", "a"+string(rune('1'+i)), i, list(txt(s))))
		}
		f := readLines(t, lines...)
		for _, s := range c {
			if !slices.ContainsFunc(f.records, func(r *record.Record) bool { return r.Text == s }) {
				t.Errorf("%q: %q is in no record:\n\t%s", c, s, strings.Join(f.tell(), "\n\t"))
			}
		}
	}
}

// A uuid that comes again: first position, last content.
func TestRepeatedLines(t *testing.T) {
	checkRules(t, []rule{
		{"the same again", []string{usr("u1", 1, "one"), usr("u2", 2, "two"), usr("u1", 1, "one")}, []string{"3 u1 prompt: one", "2 u2 prompt: two"}},
		{"another text", []string{usr("u1", 1, "one"), usr("u2", 2, "two"), usr("u1", 3, "three")}, []string{"3 u1 prompt: three", "1 u1#1 prompt +superseded: one", "2 u2 prompt: two"}},
		{"three texts", []string{usr("u1", 1, "one"), usr("u1", 2, "two"), usr("u1", 3, "three")},
			[]string{"3 u1 prompt: three", "1 u1#1 prompt +superseded: one", "2 u1#2 prompt +superseded: two"}},
		{"back to the first", []string{usr("u1", 1, "one"), usr("u1", 2, "two"), usr("u1", 3, "one")}, []string{"3 u1 prompt: one", "2 u1#1 prompt +superseded: two"}},
		{"an answer", []string{ans("m1", "a1", 1, list(txt("one"), use("t1", "Bash", obj{"command": "ls"}))), ans("m1", "a1", 2, list(txt("one and more"), use("t1", "Bash", obj{"command": "ls"})))},
			[]string{"2 a1 reply: one and more", "2 a1#1 tool_call Bash: ls", "1 a1#2 reply +superseded: one"}},
		{"the last has nothing", []string{usr("u1", 1, "one"), usr("u1", 2, "")}, []string{"1 u1 prompt +superseded: one"}},
		{"the first had nothing", []string{usr("u1", 1, ""), usr("u2", 2, "two"), usr("u1", 3, "one")}, []string{"3 u1 prompt: one", "2 u2 prompt: two"}},
		{"a snapshot's messageId is no uuid", []string{js(obj{"type": "file-history-snapshot", "messageId": "u1", "snapshot": obj{}}), usr("u1", 1, "one")}, []string{"2 u1 prompt: one"}},
		{"a progress line's uuid", []string{ln("progress", "u1", 1, "data", obj{}), usr("u1", 1, "one")}, []string{"2 u1 prompt: one"}},
	})
}

// Nor is one lost where a line of the answer is written again under its uuid.
func TestNoTextOfAGrowingAnswerWithARepeatedLineIsLost(t *testing.T) {
	for name, again := range map[string]string{
		"the same":    ans("m1", "a1", 1, list(txt("A"))),
		"nothing":     ans("m1", "a1", 1, list()),
		"without id":  ans("", "a1", 1, list(txt("A"))),
		"another end": ans("m1", "a1", 1, list(txt("AC"))),
	} {
		f := readLines(t, ans("m1", "a1", 1, list(txt("A"))), ans("m1", "a2", 2, list(txt("AB"))), again)
		if !slices.ContainsFunc(f.records, func(r *record.Record) bool { return r.Text == "AB" }) {
			t.Errorf("%s: AB is in no record:\n\t%s", name, strings.Join(f.tell(), "\n\t"))
		}
	}
}

// The same file gives the same records in the same order every time: nothing
// hangs on the order of a map.
func TestRewritesAreReadTheSameEveryTime(t *testing.T) {
	call := func(id, command string) obj { return use(id, "Bash", obj{"command": command}) }
	for name, lines := range map[string][]string{
		"a line emptied after its parts grew": {
			ans("m1", "a1", 1, list(txt("A"), call("t1", "ls"))), ans("m1", "a2", 2, list(txt("AB"), call("t1", "ls -l"))), ans("m1", "a1", 3, list())},
		"a line whose parts grew into a line that is written again": {
			ans("m1", "a1", 1, list(txt("A"), call("t1", "ls"))), ans("m1", "a1", 2, list(txt("X"), call("t2", "pwd"))),
			ans("m1", "a2", 3, list(txt("A"), call("t1", "ls"))), ans("m2", "a2", 4, list(txt("Y"), call("t2", "pwd")))},
	} {
		first := readLines(t, lines...).tell()
		for range 40 {
			if again := readLines(t, lines...).tell(); !slices.Equal(again, first) {
				t.Errorf("%s: once\n\t%s\nonce\n\t%s", name, strings.Join(first, "\n\t"), strings.Join(again, "\n\t"))
				break
			}
		}
	}
}

// A line of a growing answer that is also written twice is still one text.
func TestAGrownAndRepeatedLineCountsOnce(t *testing.T) {
	f := readLines(t, ans("m1", "a1", 1, list(txt("Hel"))), ans("m1", "a2", 2, list(txt("Hello"))), ans("m1", "a2", 2, list(txt("Hello"))))
	n := 0
	for _, r := range f.records {
		if r.Text == "Hello" && r.Flags&record.Superseded == 0 {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d records of one text are not superseded:\n\t%s", n, strings.Join(f.tell(), "\n\t"))
	}
}

func TestTakenBack(t *testing.T) {
	checkRules(t, []rule{
		{"superseded by an answer", []string{usr("u1", 1, "q"), ast("a1", 2, list(think("hm"), txt("one"))), ast("a2", 3, list(txt("two")), "supersedesUuids", list("a1"))},
			[]string{"1 u1 prompt: q", "2 a1 thinking +superseded: hm", "2 a1#1 reply +superseded: one", "3 a2 reply: two"}},
		{"retracted", []string{usr("u1", 1, "q"), ast("a1", 2, list(txt("one"))), ln("system", "s1", 3, "subtype", "api_refusal", "content", "refused", "retractedMessageUuids", list("a1"), "refusedUserMessageUuid", "u1")},
			[]string{"1 u1 prompt: q", "2 a1 reply +superseded: one", "3 s1 notice: refused"}},
		{"retracted by a line without content", []string{ast("a1", 2, list(txt("one"))), ln("system", "s1", 3, "subtype", "model_refusal_fallback", "retractedMessageUuids", list("a1"))},
			[]string{"1 a1 reply +superseded: one"}},
		{"wrong types", []string{ast("a1", 2, list(txt("one"))), ast("a2", 3, list(txt("two")), "supersedesUuids", "a1"), ln("system", "s1", 3, "retractedMessageUuids", list(5, nil, obj{}))},
			[]string{"1 a1 reply: one", "2 a2 reply: two"}},
		{"nothing by parentUuid", []string{usr("u1", 1, "q"), usr("u2", 2, "first try", "parentUuid", "u1"), usr("u3", 3, "second try", "parentUuid", "u1"), usr("u4", 4, "x", "parentUuid", "nowhere")},
			[]string{"1 u1 prompt: q", "2 u2 prompt: first try", "3 u3 prompt: second try", "4 u4 prompt: x"}},
	})
	f := readLines(t, usr("u2", 2, "x", "parentUuid", "u1"))
	if f.records[0].Parent != "u1" {
		t.Errorf("the parent is %q", f.records[0].Parent)
	}
}

// Compaction: old turns stay, the boundary is none, the summary is a summary, and
// lines that are written again behind it are rewrites.
func TestCompaction(t *testing.T) {
	checkRules(t, []rule{{"", []string{
		usr("u1", 1, "old"), ast("a1", 2, list(txt("reply"))),
		ln("system", "b1", 3, "subtype", "compact_boundary", "content", "Conversation compacted", "logicalParentUuid", "a1", "compactMetadata", obj{"trigger": "auto", "preservedMessages": obj{"uuids": list("a1")}}),
		usr("u2", 3, "This session is being continued from a previous conversation.", "isCompactSummary", true, "isVisibleInTranscriptOnly", true, "parentUuid", "b1"),
		ast("a1", 2, list(txt("reply")), "parentUuid", "u2"), usr("u3", 4, "new"),
	}, []string{"1 u1 prompt: old", "5 a1 reply: reply", "4 u2 summary: This session is being continued from a previous conversation.", "6 u3 prompt: new"}}})
}
