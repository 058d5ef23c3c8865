package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// claudeLine is what a naive reader looks at of a line.
type claudeLine struct {
	Type, UUID, Operation string
	Content               json.RawMessage
	Message               struct{ Content json.RawMessage }
	Attachment            struct{ Type, Prompt string }
}

type claudeBlock struct {
	Type, Text, Thinking, Name string
	Input                      map[string]any
	Content                    json.RawMessage
}

func (l claudeLine) blocks() (text string, blocks []claudeBlock) {
	if json.Unmarshal(l.Message.Content, &text) != nil {
		_ = json.Unmarshal(l.Message.Content, &blocks)
	}
	return text, blocks
}

// sort names the kind of a line.
func (l claudeLine) sort() string {
	text, blocks := l.blocks()
	switch {
	case text != "":
		return "prompt"
	case len(blocks) > 0:
		return blocks[0].Type
	}
	return l.Type
}

var commandMarkup = regexp.MustCompile(`(?s)^<command-name>(.*)</command-name>.*<command-args>(.*)</command-args>$`)

// claudeRecords reads a tree of Claude Code.
func claudeRecords(t *testing.T, files memory) (out []counted) {
	t.Helper()
	typed := map[string]bool{} // texts of prompts
	for _, name := range transcripts(files) {
		var waiting []string
		for raw := range bytes.Lines(files[name]) {
			var l claudeLine
			if err := json.Unmarshal(raw, &l); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var said string
			switch {
			case l.Type == "queue-operation" && l.Operation == "enqueue":
				var text string
				_ = json.Unmarshal(l.Content, &text)
				waiting = append(waiting, text)
			case l.Type == "queue-operation" && l.Operation == "remove":
				var text string
				_ = json.Unmarshal(l.Content, &text)
				waiting = slices.DeleteFunc(waiting, func(w string) bool { return w == text })
			case l.Type == "attachment" && l.Attachment.Type == "queued_command":
				said = l.Attachment.Prompt
			case l.Type == "user" || l.Type == "assistant":
				text, blocks := l.blocks()
				if m := commandMarkup.FindStringSubmatch(text); m != nil {
					text = m[1] + " " + m[2]
				}
				said = text
				out = append(out, blockRecords(l.UUID, blocks)...)
			}
			if said != "" {
				out = append(out, counted{l.UUID, said})
				typed[said] = true
				waiting = slices.DeleteFunc(waiting, func(w string) bool { return w == said })
			}
		}
		for i, w := range waiting {
			out = append(out, counted{fmt.Sprint(name, i), w})
		}
	}
	for raw := range bytes.Lines(files[".claude/history.jsonl"]) {
		var e struct{ Display string }
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		if !typed[e.Display] {
			out = append(out, counted{string(raw), e.Display})
		}
	}
	return out
}

// blockRecords gives the records of one line: its texts, and each call and result.
func blockRecords(id string, blocks []claudeBlock) (out []counted) {
	var texts []string
	for i, b := range blocks {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "thinking":
			texts = append(texts, b.Thinking)
		case "tool_use":
			out = append(out, counted{fmt.Sprint(id, i), callLines(b.Name, b.Input)})
		case "tool_result":
			out = append(out, counted{fmt.Sprint(id, i), resultLines(b.Content)})
		}
	}
	if len(texts) > 0 {
		out = append(out, counted{id, strings.Join(texts, "\n\n")})
	}
	return out
}

// callLines is the text of a call: its main argument, then "key: value".
func callLines(tool string, input map[string]any) string {
	main := map[string]string{
		"Bash": "command", "Read": "file_path", "Edit": "file_path", "Write": "file_path", "Grep": "pattern",
		"run_shell_command": "command", "read_file": "file_path", "replace": "file_path", "write_file": "file_path",
	}[tool]
	first, _ := input[main].(string)
	texts := []string{first}
	for key, value := range input {
		if s, ok := value.(string); ok && key != main {
			texts = append(texts, key+": "+s)
		}
	}
	return strings.Join(texts, "\n")
}

func resultLines(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []claudeBlock
	_ = json.Unmarshal(content, &blocks)
	var texts []string
	for _, b := range blocks {
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n\n")
}
