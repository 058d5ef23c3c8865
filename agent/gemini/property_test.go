package gemini

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// writer makes up event logs.
type writer struct{ *rand.Rand }

func (w writer) id() string { return string(rune('a' + w.IntN(6))) }

func (w writer) message() naiveMessage {
	m := naiveMessage{"id": w.id(), "timestamp": "2026-01-02T03:04:05.000Z", "type": []string{"user", "gemini", "info"}[w.IntN(3)]}
	text := fmt.Sprintf("text %d", w.IntN(4))
	if m["content"] = any(text); w.IntN(2) == 0 {
		m["content"] = []any{map[string]any{"text": text}}
	}
	switch w.IntN(12) {
	case 0:
		m["id"] = w.IntN(5)
	case 1:
		m["$set"] = map[string]any{"messages": []any{}}
	}
	return m
}

func (w writer) event() any {
	switch n := w.IntN(20); {
	case n < 11:
		return w.message()
	case n < 14:
		return map[string]any{"$rewindTo": append([]string{"nobody"}, "a", "b", "c", "d", "e", "f")[w.IntN(7)]}
	case n < 16:
		list := make([]any, w.IntN(5))
		for i := range list {
			list[i] = w.message()
		}
		return map[string]any{"$set": map[string]any{"messages": list, "summary": "s"}}
	case n == 16:
		return map[string]any{"$set": map[string]any{"lastUpdated": "2026-01-02T04:00:00.000Z", "messages": "none"}}
	case n == 17:
		return map[string]any{"sessionId": "S1", "projectHash": "app", "messages": []any{w.message()}}
	case n == 18:
		return nil
	}
	return map[string]any{"$frob": 1}
}

func (w writer) log(t *testing.T) string {
	lines := []string{gm("S1")}
	for range w.IntN(20) {
		b, err := json.Marshal(w.event())
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestRandomLogs holds the reader against a plain fold: the history is the same,
// nothing that was written is lost, and what is flagged says what dropped it.
func TestRandomLogs(t *testing.T) {
	for seed := range uint64(3000) {
		data := writer{rand.New(rand.NewPCG(seed, 0))}.log(t)
		want := foldNaively([]byte(data))
		got := newWorld(t).file(mainChat, data).read(mainChat, agent.Plan{})
		if problem := differ(want, got); problem != "" {
			t.Fatalf("seed %d: %s\n%s", seed, problem, data)
		}
	}
}

// said is a message's id, type and text.
func said(m naiveMessage) string {
	text, _, _ := naiveContent(m["content"])
	kind := map[string]string{"user": "prompt", "gemini": "reply", "info": "notice"}[m["type"].(string)]
	return m["id"].(string) + " " + kind + " " + text
}

func differ(want *naiveFold, got found) string {
	var live, wantLive []string
	all := map[string]int{}
	for _, id := range want.order {
		wantLive = append(wantLive, said(want.byID[id]))
	}
	fate := map[string]record.Flags{"superseded": record.Superseded, "replaced": record.Replaced}
	for _, r := range got.records {
		base, _, older := strings.Cut(r.ID, "#")
		s := base + " " + string(r.Kind) + " " + r.Text
		if all[s]++; all[s] > 1 {
			return s + " comes twice"
		}
		switch {
		case r.Flags == 0:
			live = append(live, s)
		case want.byID[base] == nil && !older && r.Flags != fate[want.gone[base]]:
			return s + " should be " + want.gone[base]
		}
	}
	if !slices.Equal(live, wantLive) {
		return fmt.Sprintf("the history is %q, want %q", live, wantLive)
	}
	for _, m := range want.written {
		if all[said(m)] == 0 {
			return said(m) + " is lost"
		}
	}
	return ""
}
