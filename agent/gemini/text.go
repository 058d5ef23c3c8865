package gemini

import (
	"strings"

	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// mainArguments name the argument of a tool that a person would look for first.
var mainArguments = map[string][]string{
	"run_shell_command": {"command"}, "read_file": {"file_path", "absolute_path"}, "write_file": {"file_path", "absolute_path"},
	"replace": {"file_path", "absolute_path"}, "glob": {"pattern"}, "web_fetch": {"prompt", "url"}, "list_directory": {"dir_path", "path"},
	"read_many_files": {"include"}, "save_memory": {"fact"}, "activate_skill": {"name"},
}

// mainOf lists the names that a tool's main argument can have.
func mainOf(tool string) []string {
	if names := mainArguments[tool]; names != nil || !strings.Contains(tool, "search") && !strings.Contains(tool, "grep") {
		return names
	}
	return []string{"pattern", "query"}
}

// callText gives the text of a tool call: its main argument, then every other
// string of its input as a line "key: value", so that every string occurs.
func callText(tool string, args jsonscan.Value) string {
	main := ""
	for _, key := range mainOf(tool) {
		if v := args.Get(key); main == "" && v.Kind() == jsonscan.String && v.Text() != "" {
			main = key
		}
	}
	return jsonscan.MainFirst(args, main)
}

// parts yields the parts of a content: a string, a part, or a list of both.
func parts(content jsonscan.Value) []jsonscan.Value {
	switch content.Kind() {
	case jsonscan.String, jsonscan.Object:
		return []jsonscan.Value{content}
	}
	var out []jsonscan.Value
	for p := range content.Elems() {
		out = append(out, p)
	}
	return out
}

// toolParts are the keys of parts that belong to tools.
var toolParts = []string{"functionCall", "functionResponse", "executableCode", "codeExecutionResult"}

// silentParts are keys of parts beside the one that says what the part is.
var silentParts = map[string]bool{"thought": true, "thoughtSignature": true, "videoMetadata": true, "partMetadata": true}

// proseOf gives the text of a part that is prose or media; a thought is not, nor
// is a part that belongs to a tool. Of a part that no reader knows, strange is
// its key and text all of its strings.
func proseOf(part jsonscan.Value) (text, strange string) {
	switch {
	case part.Kind() == jsonscan.String:
		return part.Text(), ""
	case part.Kind() != jsonscan.Object || part.Get("thought").True():
		return "", ""
	case part.Get("text").Kind() == jsonscan.String:
		return part.Get("text").Text(), ""
	}
	if text := mediaText(part); text != "" {
		return text, ""
	}
	for _, key := range toolParts {
		if part.Get(key).Kind() == jsonscan.Object {
			return "", ""
		}
	}
	var texts []string
	for key, val := range part.Members() {
		if !silentParts[key] {
			if texts = jsonscan.AppendStrings(texts, key, val); strange == "" {
				strange = key
			}
		}
	}
	return strings.Join(texts, "\n"), strange
}

// contentText gives the prose of a content, its parts joined by a blank line.
func contentText(content jsonscan.Value) string {
	var texts []string
	for _, p := range parts(content) {
		if text, _ := proseOf(p); strings.TrimSpace(text) != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// mediaText gives a placeholder such as [image image/png 12 KB] for a part that
// is media, or "". Base64 is never text.
func mediaText(part jsonscan.Value) string {
	if data := part.Get("inlineData"); data.Kind() == jsonscan.Object {
		return placeholder(data, data.Get("data"))
	}
	if file := part.Get("fileData"); file.Kind() == jsonscan.Object {
		return strings.TrimSpace(placeholder(file, nil) + " " + file.Get("fileUri").Text())
	}
	return ""
}

func placeholder(media, data jsonscan.Value) string {
	mime := media.Get("mimeType").Text()
	words := []string{"document"}
	if kind, _, ok := strings.Cut(mime, "/"); ok && (kind == "image" || kind == "audio" || kind == "video") {
		words[0] = kind
	}
	if mime != "" {
		words = append(words, mime)
	}
	if data.Kind() == jsonscan.String {
		words = append(words, record.Size(data.Base64Size()))
	}
	text := "[" + strings.Join(words, " ") + "]"
	if name := media.Get("displayName").Text(); name != "" {
		text += " " + name
	}
	return text
}
