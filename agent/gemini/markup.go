package gemini

import (
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

// sessionContext begins the context that the client opens a session with.
const sessionContext = "<session_context>"

// injectedPrefixes begin text that the client put where a person types.
var injectedPrefixes = []string{
	sessionContext, hookOpen,
	"This is the Gemini CLI. We are setting up the context for our chat.", // before v0.29, in checkpoints
}

// snapshot begins the summary that a compressed history opens with.
const snapshot = "<state_snapshot>"

// hookOpen and hookClose stand around what a hook added behind a prompt.
const (
	hookOpen  = "<hook_context>"
	hookClose = "</hook_context>"
)

// userText tells what the text of a user message is. Where a hook added to what
// the person typed, hook is that and kind and text are of the rest.
func userText(text string, dispatched bool) (kind record.Kind, rest, hook string) {
	lead := strings.TrimSpace(text)
	for _, p := range injectedPrefixes {
		if strings.HasPrefix(lead, p) {
			return record.Notice, text, ""
		}
	}
	if strings.HasPrefix(lead, snapshot) {
		return record.Summary, text, ""
	}
	rest, hook = cutHook(text)
	if dispatched {
		return record.Dispatch, rest, hook
	}
	kind, rest = typed(rest)
	return kind, rest, hook
}

// fitting gives the kind that a record of a store can have. What was saved in a
// checkpoint went to the model, so it is no command there; the summary that a
// compressed history opens with is a notice where the store tells no summaries.
func fitting(s *catalog.Store, k record.Kind) record.Kind {
	if !slices.Contains(s.Records, k) {
		switch k {
		case record.Command:
			return record.Prompt
		case record.Summary:
			return record.Notice
		}
	}
	return k
}

// cutHook takes what a hook added off the end of a text.
func cutHook(text string) (rest, hook string) {
	trimmed := strings.TrimRight(text, " \t\r\n")
	if !strings.HasSuffix(trimmed, hookClose) {
		return text, ""
	}
	i := strings.LastIndex(trimmed, "\n\n"+hookOpen)
	if i < 0 || strings.TrimSpace(trimmed[:i]) == "" {
		return text, ""
	}
	return trimmed[:i], trimmed[i+2:]
}

// typed tells whether what was typed at the prompt line is a command: a slash
// command when its first word has no second slash, a shell command behind an
// exclamation mark. Paths and questions are prompts, although Gemini CLI itself
// drops what begins with / or ?.
func typed(text string) (record.Kind, string) {
	trimmed := strings.TrimSpace(text)
	if shell, ok := strings.CutPrefix(trimmed, "!"); ok && strings.TrimSpace(shell) != "" {
		return record.Command, "! " + strings.TrimSpace(shell)
	}
	first := trimmed
	if i := strings.IndexAny(trimmed, " \t\r\n"); i >= 0 {
		first = trimmed[:i]
	}
	if len(first) > 1 && first[0] == '/' && !strings.Contains(first[1:], "/") {
		return record.Command, trimmed
	}
	return record.Prompt, text
}
