package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// geminiLine is what a naive reader looks at of a line of a chat.
type geminiLine struct {
	ID, Type string
	Content  json.RawMessage
	Thoughts []struct{ Subject, Description string }
	Calls    []struct {
		Name   string
		Args   map[string]any
		Result []struct {
			FunctionResponse struct{ Response struct{ Output string } }
		}
	} `json:"toolCalls"`
	RewindTo string `json:"$rewindTo"`
}

// geminiRecords reads a tree of Gemini CLI.
func geminiRecords(t *testing.T, files memory) (out []counted) {
	t.Helper()
	typed := map[string]bool{}
	for _, name := range transcripts(files) {
		for _, m := range folded(t, files[name]) {
			out = append(out, messageRecords(m, typed)...)
		}
	}
	for name, data := range files {
		if !strings.HasSuffix(name, "/logs.json") {
			continue
		}
		var log []struct{ Message, SessionID string }
		if err := json.Unmarshal(data, &log); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, e := range log {
			if !typed[e.Message] {
				out = append(out, counted{fmt.Sprint(name, i), e.Message})
			}
		}
	}
	return out
}

// folded gives the messages of an event log: the last version of each, none that
// was taken back.
func folded(t *testing.T, data []byte) (out []geminiLine) {
	t.Helper()
	for raw := range bytes.Lines(data) {
		var l geminiLine
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(out, func(m geminiLine) bool { return m.ID == l.ID+l.RewindTo })
		switch {
		case l.RewindTo != "":
			out = out[:at]
		case l.ID == "":
		case at >= 0:
			out[at] = l
		default:
			out = append(out, l)
		}
	}
	return out
}

func messageRecords(m geminiLine, typed map[string]bool) (out []counted) {
	var text string
	if json.Unmarshal(m.Content, &text) != nil {
		var parts []struct{ Text string }
		_ = json.Unmarshal(m.Content, &parts)
		text = parts[0].Text
		typed[text] = true
	}
	out = append(out, counted{m.ID, text})
	for _, t := range m.Thoughts {
		out = append(out, counted{m.ID + "thoughts", t.Subject + "\n" + t.Description})
	}
	for i, c := range m.Calls {
		out = append(out, counted{fmt.Sprint(m.ID, "call", i), callLines(c.Name, c.Args)},
			counted{fmt.Sprint(m.ID, "result", i), c.Result[0].FunctionResponse.Response.Output})
	}
	return out
}
