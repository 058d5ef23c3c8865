package gemini

import (
	"bytes"
	"strings"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

func containsAny(b []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(b, []byte(w)) {
			return true
		}
	}
	return false
}

// present reports whether a value is there and not null.
func present(v jsonscan.Value) bool {
	return v.Kind() != jsonscan.Absent && v.Kind() != jsonscan.Null
}

// hasResult reports whether a tool call holds what the tool gave back.
func hasResult(call jsonscan.Value) bool {
	return present(call.Get("result")) || present(call.Get("resultDisplay"))
}

// callResult gives the text of what a tool gave back, as the agent saw it, else
// as a person saw it.
func callResult(call, result jsonscan.Value) string {
	if text := resultText(result, call.Get("id").Text()); text != "" {
		return text
	}
	return displayText(call.Get("resultDisplay"))
}

// resultText gives the text of a result. One that holds the answers to several
// calls, as a rewritten history does, gives only that to the call with the id.
func resultText(result jsonscan.Value, id string) string {
	all := parts(result)
	mine := false
	for _, p := range all {
		mine = mine || id != "" && p.Get("functionResponse").Get("id").Text() == id
	}
	var texts []string
	for _, p := range all {
		text := ""
		if r := p.Get("functionResponse"); r.Kind() == jsonscan.Object {
			if mine && r.Get("id").Text() != id {
				continue
			}
			text = responseText(r)
		} else {
			text, _ = proseOf(p)
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// responseText gives the text of a functionResponse: its output, then its error,
// then whatever else it says, and a placeholder for each of its media.
func responseText(r jsonscan.Value) string {
	response := r.Get("response")
	var texts []string
	if response.Kind() == jsonscan.String {
		texts = append(texts, response.Text())
	}
	for _, key := range []string{"output", "error"} {
		switch v := response.Get(key); v.Kind() {
		case jsonscan.String:
			if v.Text() != "" {
				texts = append(texts, v.Text())
			}
		default:
			texts = jsonscan.AppendStrings(texts, key, v)
		}
	}
	for key, v := range response.Members() {
		if key != "output" && key != "error" {
			texts = jsonscan.AppendStrings(texts, key, v)
		}
	}
	for p := range r.Get("parts").Elems() {
		if text, _ := proseOf(p); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// displayText gives the text of a result as the screen showed it: a string, a
// diff, lines of styled words, or any other shape string by string.
func displayText(v jsonscan.Value) string {
	switch v.Kind() {
	case jsonscan.String:
		return v.Text()
	case jsonscan.Object:
		if diff := v.Get("fileDiff"); diff.Kind() == jsonscan.String {
			return diff.Text()
		}
	case jsonscan.Array:
		if text, ok := styledText(v); ok {
			return text
		}
	}
	return strings.Join(jsonscan.AppendStrings(nil, "", v), "\n")
}

// styledText joins lines of words that carry a style each.
func styledText(v jsonscan.Value) (string, bool) {
	var lines []string
	for line := range v.Elems() {
		if line.Kind() != jsonscan.Array {
			return "", false
		}
		text := ""
		for word := range line.Elems() {
			text += word.Get("text").Text()
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n"), true
}
