package claude

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// Whatever is written again, grows, is queued, taken back or cut: every text of an
// undamaged line is in some record, ids are not given twice, and reading the file
// again gives the same.
func TestNoTextIsLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 6))
	for range 2000 {
		data := randomTranscript(rng)
		src := like(t, disk(map[string]string{script: data}), script)
		f := readFrom(t, src, agent.Plan{})
		checkWellFormed(t, []byte(data), f.records)
		if again := readFrom(t, src, agent.Plan{}).tell(); !slices.Equal(again, f.tell()) {
			t.Errorf("read again it gives\n\t%s", strings.Join(again, "\n\t"))
		}
		for i, line := range strings.Split(data, "\n") {
			if slices.ContainsFunc(f.damage, func(d agent.Damage) bool { return d.Line == i+1 }) {
				continue
			}
			for _, text := range textsOf(t, line) {
				if !slices.ContainsFunc(f.records, func(r *record.Record) bool { return strings.Contains(r.Text, text) }) {
					t.Errorf("line %d: %q is in no record", i+1, text)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("in\n%s\nwhich gives\n\t%s", data, strings.Join(f.tell(), "\n\t"))
		}
	}
}

// textsOf gives the texts of a line that randomTranscript made.
func textsOf(t *testing.T, line string) []string {
	t.Helper()
	var o map[string]any
	if strings.TrimSpace(line) == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatal(err)
	}
	texts := addTo(nil, member(o["message"], "content"))
	texts = addTo(texts, member(o["attachment"], "prompt"))
	if o["operation"] == "enqueue" {
		texts = addTo(texts, o["content"])
	}
	blocks, _ := member(o["message"], "content").([]any)
	for _, b := range blocks {
		for _, v := range []any{member(b, "text"), member(b, "thinking"), member(b, "content"), member(member(b, "input"), "command")} {
			texts = addTo(texts, v)
		}
	}
	return texts
}
