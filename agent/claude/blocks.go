package claude

import (
	"strings"

	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// mainArguments name the argument of a tool that a person would look for first.
var mainArguments = map[string]string{
	"Bash": "command", "Read": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path",
	"NotebookEdit": "notebook_path", "Grep": "pattern", "Glob": "pattern", "LS": "path", "WebFetch": "url",
	"WebSearch": "query", "ToolSearch": "query", "Task": "prompt", "Agent": "prompt", "Skill": "skill",
	"TaskCreate": "subject", "Workflow": "name",
}

// callText gives the text of a tool call: its main argument, then every other
// string of its input as a line "key: value", so that every string occurs.
func callText(tool string, input jsonscan.Value) string {
	return jsonscan.MainFirst(input, mainArguments[tool])
}

// resultText gives the text of a tool result as the agent saw it: a string, or
// the texts of its blocks one under the other.
func resultText(content jsonscan.Value) string { return contentText(content, 0) }

func contentText(content jsonscan.Value, depth int) string {
	switch content.Kind() {
	case jsonscan.String:
		return content.Text()
	case jsonscan.Object:
		return nestedText(content, depth)
	}
	var parts []string
	for block := range content.Elems() {
		if text := nestedText(block, depth); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// blockText gives the readable text of a content block: text as it is, media as a
// placeholder, and of a block of another type whatever text it carries.
func blockText(block jsonscan.Value) string { return nestedText(block, 0) }

func nestedText(block jsonscan.Value, depth int) string {
	switch block.Kind() {
	case jsonscan.String:
		return block.Text()
	case jsonscan.Object:
	default:
		return ""
	}
	if depth >= jsonscan.MaxNesting {
		return string(block)
	}
	switch block.Get("type").Text() {
	case "text":
		return block.Get("text").Text()
	case "image":
		return mediaText("image", block, depth)
	case "document":
		return mediaText("document", block, depth)
	case "tool_reference":
		return block.Get("tool_name").Text()
	}
	var parts []string
	for _, name := range readableMembers {
		if text := contentText(block.Get(name), depth+1); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// readableMembers hold what is for people in blocks of other types: results of
// searches, of fetches and of code that ran.
var readableMembers = []string{"title", "url", "text", "content", "stdout", "stderr", "error_code"}

// mediaText gives a placeholder such as [image image/png 12 KB], and behind it
// what is readable of the block: its title, its address, or its text.
func mediaText(what string, block jsonscan.Value, depth int) string {
	source := block.Get("source")
	media := source.Get("media_type").Text()
	data := source.Get("data")
	var words []string
	words = append(words, what)
	if media != "" {
		words = append(words, media)
	}
	var readable []string
	switch source.Get("type").Text() {
	case "text":
		readable = append(readable, data.Text())
		words = append(words, record.Size(int64(len(data.Text()))))
	case "url":
		readable = append(readable, source.Get("url").Text())
	case "content":
		readable = append(readable, contentText(source.Get("content"), depth+1))
	default:
		if data.Kind() == jsonscan.String {
			words = append(words, record.Size(data.Base64Size()))
		}
	}
	text := "[" + strings.Join(words, " ") + "]"
	if title := block.Get("title").Text(); title != "" {
		text += " " + title
	}
	for _, r := range readable {
		if r != "" {
			text += "\n" + r
		}
	}
	return text
}
