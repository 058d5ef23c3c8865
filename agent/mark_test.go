package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// A mark of a text in parts, some of them written as JSON, is that of the record.
func TestMarkOfWrittenParts(t *testing.T) {
	texts := []string{"", "plain", "two\nlines", `a "quote" and a \ backslash`, "\x00\x01\b\t\n\f\r\x1f\x7f", "é 検索 \u2028 <&>", "\ufffd"}
	for _, a := range texts {
		for _, b := range texts {
			r := &record.Record{Agent: "claude", ID: "u1#2", Kind: record.ToolCall, Role: record.Assistant, Tool: "Bash", Text: a + "\n\n" + b}
			var m agent.Marker
			for _, written := range []func(string){m.Text, func(s string) { m.Written(inside(t, s)) }} {
				m.Begin()
				written(a)
				m.Text("\n\n")
				written(b)
				if got, want := m.Mark("claude", "u1", 2, record.ToolCall, "Bash"), agent.MarkOf(r); got != want {
					t.Errorf("the mark of %q and %q is %x, want %x", a, b, got, want)
				}
			}
			m.Begin()
			m.Written(inside(t, r.Text))
			if got, want := m.Mark("claude", "u1", 2, record.ToolCall, "Bash"), agent.MarkOf(r); got != want {
				t.Errorf("the mark of %q, written, is %x, want %x", r.Text, got, want)
			}
		}
	}
}

// inside writes a text as JSON, as programs in JavaScript do.
func inside(t *testing.T, s string) []byte {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	raw := strings.TrimSuffix(b.String(), "\n")
	return []byte(strings.ReplaceAll(raw[1:len(raw)-1], `\u2028`, "\u2028"))
}

// Texts that differ have other marks, and so have records that differ otherwise.
func TestMarksDiffer(t *testing.T) {
	seen := map[agent.Mark]record.Record{}
	for _, r := range []record.Record{
		{ID: "u", Kind: record.Reply, Text: "a\nb"}, {ID: "u", Kind: record.Reply, Text: `a\nb`}, {ID: "u", Kind: record.Reply, Text: `a\\nb`}, {ID: "u#1", Kind: record.Reply, Text: "a\nb"},
		{ID: "u", Kind: record.Thinking, Text: "a\nb"}, {ID: "u", Kind: record.ToolCall, Text: "a\nb"}, {ID: "u", Kind: record.ToolCall, Tool: "x", Text: "a\nb"}, {ID: "u", Kind: record.Reply},
	} {
		m := agent.MarkOf(&r)
		if old, known := seen[m]; known {
			t.Errorf("%+v and %+v have one mark", old, r)
		}
		seen[m] = r
	}
}
