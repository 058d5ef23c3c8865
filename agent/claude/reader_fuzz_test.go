package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// realLines gives a short line of the corpus for each type, role of content and
// subtype that it holds.
func realLines(f testing.TB) []string {
	f.Helper()
	files, err := filepath.Glob("testdata/corpus/*/projects/*/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatal("there is no corpus: ", err)
	}
	seen := map[string]bool{}
	var out []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			var o map[string]any
			if len(line) > 3000 || json.Unmarshal([]byte(line), &o) != nil {
				continue
			}
			key := fmt.Sprint(o["type"], o["subtype"], member(o["attachment"], "type"))
			if blocks, ok := member(o["message"], "content").([]any); ok && len(blocks) > 0 {
				key += fmt.Sprint(member(blocks[0], "type"))
			}
			if !seen[key] {
				seen[key] = true
				out = append(out, line)
			}
		}
	}
	return out
}

func FuzzTranscript(f *testing.F) {
	lines := realLines(f)
	for i, line := range lines {
		f.Add([]byte(line))
		next := lines[(i+1)%len(lines)]
		f.Add([]byte(line + "\n" + next + "\n" + line + "\n"))
		f.Add([]byte(line[:len(line)/2] + next))
		f.Add([]byte(line + next[:len(next)/3]))
		f.Add([]byte("\x00\x00" + strings.ReplaceAll(line, `"`, `'`) + "\n" + strings.Replace(line, `"type":`, `"kind":`, 1)))
	}
	for _, s := range []string{
		usr("u1", 1, "one") + "\n" + usr("u1", 2, "two") + "\n" + usr("u1", 3, ""), enqueue(1, "a") + "\n" + operation("popAll", 2) + "\n" + usr("u1", 3, "a"),
		ans("m1", "a1", 1, list(txt("A"))) + "\n" + ans("m1", "a2", 1, list(txt("AB"))), `{"type":"user","message":{"content":"<system-reminder>"}}`, "", "\n", "null", "[]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := like(t, disk(map[string]string{script: string(data)}), script)
		got := readFrom(t, src, agent.Plan{Titles: true})
		checkDamage(t, data, got.damage)
		checkWellFormed(t, data, got.records)
		checkSpokenTexts(t, data, got.records)

		if again := readFrom(t, src, agent.Plan{Titles: true}).tell(); !slices.Equal(again, got.tell()) {
			t.Errorf("read again it gives %q, not %q", again, got.tell())
		}
		nothing := readFrom(t, src, agent.Plan{Candidate: agent.LineTest(func([]byte) bool { return false })})
		if len(nothing.records) > 0 || slices.ContainsFunc(nothing.damage, func(d agent.Damage) bool { return !d.Cleared }) {
			t.Errorf("when nothing is wanted: %q and damage %+v", nothing.tell(), nothing.damage)
		}
		sum, err := adapter(t).Summarize(context.Background(), src)
		if err != nil || len(sum.Records) != len(got.records) || len(sum.Damage) != len(got.damage) {
			t.Errorf("the summary has %d records and %d damaged lines, reading gives %d and %d; error %v", len(sum.Records), len(sum.Damage), len(got.records), len(got.damage), err)
		}
		if _, err := adapter(t).Head(context.Background(), src); err != nil {
			t.Error(err)
		}
		quick, full := briefs(t, src)
		equal(t, quick, full)
		readFrom(t, like(t, disk(map[string]string{folder + "agent-a1.jsonl": string(data), script: string(data), folder + "agent-a1.meta.json": string(data)}), folder+"agent-a1.jsonl"), agent.Plan{Titles: true})
	})
}

// checkDamage holds the damage against encoding/json: every line that is neither
// blank nor one whole object, and no other. Nesting that encoding/json refuses is
// left out.
func checkDamage(t *testing.T, data []byte, damage []agent.Damage) {
	t.Helper()
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > 9000 {
		return
	}
	var got, want []int
	for _, d := range damage {
		got = append(got, d.Line)
	}
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) > 0 && (!json.Valid(line) || trimmed[0] != '{') {
			want = append(want, i+1)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines %v are damaged, want %v", got, want)
	}
	for _, d := range damage {
		if d.Pending && d.Line != len(lines) {
			t.Errorf("line %d of %d is pending", d.Line, len(lines))
		}
	}
}

func checkWellFormed(t *testing.T, data []byte, records []*record.Record) {
	t.Helper()
	ids := map[string]bool{}
	lines := bytes.Count(data, []byte("\n")) + 1
	for _, r := range records {
		if ids[r.ID] {
			t.Errorf("two records are called %q", r.ID)
		}
		ids[r.ID] = true
		if r.Line < 1 || r.Line > lines || r.Role != record.RoleOf(r.Kind) || !utf8.ValidString(r.Text) || r.Time.IsZero() || r.ID == "" || r.Session == "" {
			t.Errorf("not well formed: %+v", r)
		}
	}
}

// checkSpokenTexts looks for the text of every user and assistant line whose
// content is a string. Markup that is taken apart is left out.
func checkSpokenTexts(t *testing.T, data []byte, records []*record.Record) {
	t.Helper()
	for i, line := range bytes.Split(data, []byte("\n")) {
		var o map[string]any
		if json.Unmarshal(line, &o) != nil {
			continue
		}
		text := str(member(o["message"], "content"))
		typ := str(o["type"])
		if strings.TrimSpace(text) == "" || typ != "user" && typ != "assistant" || strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "<") {
			continue
		}
		if !slices.ContainsFunc(records, func(r *record.Record) bool { return strings.Contains(r.Text, text) }) {
			t.Errorf("line %d says %q, which is in no record", i+1, text)
		}
	}
}

func FuzzHistory(f *testing.F) {
	for _, line := range []string{
		typedAt(1, "hello"), typedAt(1, "/clear"), typedAt(1, "!ls"), typedAt(1, "[Pasted text #1 +2 lines]", "pastedContents", obj{"1": inline(1, "x")}),
		typedAt(1, "[...Truncated text #2 +2 lines...] [Image #1]", "pastedContents", obj{"2": cached(2, hashOf("hello")), "1": obj{"type": "image"}}),
		typedAt(1, "x", "sessionId", drop{}), typedAt(1, "x", "timestamp", "y", "project", 5), `{"display":"cut`, "\x00" + typedAt(1, "nul"), "[]", "null", "{}",
	} {
		f.Add([]byte(line))
		f.Add([]byte(line + "\n" + typedAt(2, "next") + "\n" + line))
		f.Add([]byte(line[:len(line)*2/3] + typedAt(3, "spliced")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := disk(map[string]string{"history.jsonl": string(data), "paste-cache/" + hashOf("hello") + ".txt": "hello"})
		src := like(t, m, "history.jsonl")
		got := readFrom(t, src, agent.Plan{})
		checkDamage(t, data, got.damage)
		ids := map[string]bool{}
		for _, r := range got.records {
			if ids[r.ID] || r.Line < 1 || r.Kind != record.Prompt && r.Kind != record.Command || r.Time.IsZero() || !utf8.ValidString(r.Text) {
				t.Errorf("not well formed: %+v", r)
			}
			ids[r.ID] = true
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			var o map[string]any
			if json.Unmarshal(line, &o) != nil {
				continue
			}
			text := str(o["display"])
			if text == "" || strings.Contains(text, "[") || strings.HasPrefix(text, "!") {
				continue
			}
			if !slices.ContainsFunc(got.records, func(r *record.Record) bool { return r.Text == text }) {
				t.Errorf("line %d says %q, which is in no record", i+1, text)
			}
		}
	})
}
