package claude

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// count is what one pass over a transcript with encoding/json tells of it. It
// follows the format page and the contract and shares no code with the reader.
type count struct {
	damaged    []int          // lines
	kinds      map[string]int // records by kind that nothing supersedes, of undamaged lines
	superseded int
	failed     int      // results that are errors
	models     []string // most used first, of the session's own records
	custom, ai string   // the last of each
	roots      int      // sidechains that begin inside the file
	uuids      map[string]bool
	unknown    map[string]bool // types
}

// counted is one record that the count expects.
type counted struct {
	kind, text, group string // texts of a group supersede their beginnings
	model             string
	gone, side        bool
	failed            bool
}

func (c counted) own(subagent bool) bool { return !c.gone && (subagent || !c.side) }

// countTranscript makes the pass.
func countTranscript(data []byte, subagent bool) count {
	c := count{kinds: map[string]int{}, uuids: map[string]bool{}, unknown: map[string]bool{}}
	var all []*counted
	byUUID := map[string][][]*counted{} // by line
	var takenBack []string
	queue := newCountedQueue()
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var o map[string]any
		if json.Unmarshal(line, &o) != nil || o == nil {
			c.damaged = append(c.damaged, i+1)
			continue
		}
		recs := c.line(o, subagent, queue)
		all = append(all, recs...)
		uuid := str(o["uuid"])
		if t := str(o["type"]); uuid != "" && (t == "user" || t == "assistant" || t == "system" || t == "attachment") {
			byUUID[uuid] = append(byUUID[uuid], recs)
			c.uuids[uuid] = true
		}
		for _, list := range []any{o["supersedesUuids"], o["retractedMessageUuids"]} {
			ids, _ := list.([]any)
			for _, id := range ids {
				takenBack = append(takenBack, str(id))
			}
		}
	}
	for _, versions := range byUUID {
		last := versions[len(versions)-1]
		for _, recs := range versions[:len(versions)-1] {
			for _, r := range recs {
				if r.gone = true; slices.ContainsFunc(last, func(l *counted) bool { return l.kind == r.kind && l.text == r.text }) {
					r.kind = "" // the same again
				}
			}
		}
	}
	for _, uuid := range takenBack {
		for _, r := range slices.Concat(byUUID[uuid]...) {
			r.gone = true
		}
	}
	groups := map[string][]*counted{}
	for _, r := range all {
		if r.group == "" || r.kind == "" || r.gone {
			continue
		}
		for _, old := range groups[r.group] {
			if old.kind == r.kind && strings.HasPrefix(r.text, old.text) {
				if old.gone = true; old.text == r.text {
					old.kind = ""
				}
			}
		}
		groups[r.group] = append(groups[r.group], r)
	}
	c.finish(append(all, queue.left()...), subagent)
	return c
}

func (c *count) finish(all []*counted, subagent bool) {
	used := map[string]int{}
	for _, r := range all {
		switch {
		case r.kind == "":
			continue
		case r.gone:
			c.superseded++
			continue
		case r.own(subagent) && r.model != "":
			used[r.model]++
		}
		c.kinds[r.kind]++
		if r.failed {
			c.failed++
		}
	}
	for m := range used {
		c.models = append(c.models, m)
	}
	sort.Slice(c.models, func(i, j int) bool {
		a, b := c.models[i], c.models[j]
		return used[a] > used[b] || used[a] == used[b] && a < b
	})
}

func str(v any) string             { s, _ := v.(string); return s }
func member(v any, key string) any { o, _ := v.(map[string]any); return o[key] }
func blank(s string) bool          { return strings.TrimSpace(s) == "" }

// line counts the records of one line.
func (c *count) line(o map[string]any, subagent bool, q *countedQueue) []*counted {
	side := o["isSidechain"] == true
	if side && (c.roots == 0 || str(o["parentUuid"]) == "" && o["type"] == "user") {
		c.roots++
	}
	var recs []*counted
	switch typ := str(o["type"]); typ {
	case "custom-title":
		c.custom = lastOf(c.custom, o["customTitle"])
	case "ai-title":
		c.ai = lastOf(c.ai, o["aiTitle"])
	case "user":
		recs = countUser(o, subagent || side, q)
	case "assistant":
		recs = countAnswer(o)
	case "system":
		recs = countSystem(o)
	case "attachment":
		recs = countAttachment(o, q)
	case "queue-operation":
		q.operation(str(o["operation"]), str(o["content"]))
	default:
		if !slices.Contains(append(recordless, "started", "result"), typ) {
			c.unknown[typ] = true
		}
	}
	for _, r := range recs {
		r.side = side
	}
	return recs
}

func lastOf(old string, v any) string {
	if s := strings.TrimSpace(str(v)); s != "" {
		return s
	}
	return old
}

// countAnswer counts an assistant line: its texts, its thoughts, its calls.
func countAnswer(o map[string]any) []*counted {
	message := o["message"]
	model, id := str(member(message, "model")), str(member(message, "id"))
	kind := "reply"
	if o["isCompactSummary"] == true {
		kind = "summary"
	} else if o["isApiErrorMessage"] == true || model == "<synthetic>" {
		kind = "notice"
	}
	if model == "<synthetic>" {
		model = ""
	}
	var texts, thoughts []string
	var recs []*counted
	texts = addTo(texts, member(message, "content"))
	blocks, _ := member(message, "content").([]any)
	for _, b := range blocks {
		switch typ := str(member(b, "type")); typ {
		case "text":
			texts = addTo(texts, member(b, "text"))
		case "thinking":
			thoughts = addTo(thoughts, member(b, "thinking"))
		case "tool_use":
			call := &counted{kind: "tool_call", model: model}
			if use := str(member(b, "id")); id != "" && use != "" {
				call.group = id + " " + use
			}
			recs = append(recs, call)
		case "redacted_thinking", "fallback":
		default:
			texts = addTo(texts, member(b, "text"))
		}
	}
	group := func(what string) string {
		if id == "" {
			return ""
		}
		return id + " " + what
	}
	if len(texts) > 0 {
		recs = append(recs, &counted{kind: kind, text: strings.Join(texts, "\n\n"), group: group("text"), model: model})
	}
	if len(thoughts) > 0 {
		recs = append(recs, &counted{kind: "thinking", text: strings.Join(thoughts, "\n\n"), group: group("thinking"), model: model})
	}
	return recs
}

func addTo(texts []string, v any) []string {
	if s := str(v); !blank(s) {
		return append(texts, s)
	}
	return texts
}

// countUser counts a user line: its results, and what stands where a person types.
func countUser(o map[string]any, dispatched bool, q *countedQueue) []*counted {
	content := member(o["message"], "content")
	texts := addTo(nil, content)
	var recs []*counted
	blocks, _ := content.([]any)
	for _, b := range blocks {
		switch str(member(b, "type")) {
		case "tool_result":
			recs = append(recs, &counted{kind: "tool_result", failed: member(b, "is_error") == true})
		case "image", "document":
			texts = append(texts, "[media]")
		default:
			texts = addTo(addTo(texts, b), member(b, "text"))
		}
	}
	text := strings.Join(texts, "\n\n")
	if text == "" {
		return recs
	}
	q.became(text)
	origin := str(member(o["origin"], "kind"))
	switch {
	case o["isCompactSummary"] == true:
		return append(recs, &counted{kind: "summary", text: text})
	case o["isMeta"] == true, o["isVisibleInTranscriptOnly"] == true, str(o["interruptedMessageId"]) != "", str(o["planContent"]) != "",
		origin != "" && origin != "human" && origin != "cli" && origin != "user":
		return append(recs, &counted{kind: "notice", text: text})
	}
	return append(recs, countSpoken(text, dispatched)...)
}

var (
	injectedLead = regexp.MustCompile(`(?s)^[\s\x{feff}]*<(?:system-reminder>.*?</system-reminder|ide_opened_file>.*?</ide_opened_file|ide_selection>.*?</ide_selection)>[\s\x{feff}]*`)
	slashMarkup  = regexp.MustCompile(`(?s)^\s*(?:<command-(?:name|message|args|contents)>.*?</command-(?:name|message|args|contents)>\s*)+$`)
	shellMarkup  = regexp.MustCompile(`(?s)^\s*<bash-input>.*</bash-input>\s*$`)
	silence      = regexp.MustCompile(`^\s*(?:<(?:local-command|bash)-std(?:out|err)>\s*</(?:local-command|bash)-std(?:out|err)>\s*)+$`)
	noPrompt     = regexp.MustCompile(`^[\s\x{feff}]*(?:<local-command-(?:stdout|stderr|caveat)>|Caveat: The messages below were generated by the user while running local commands|<bash-std(?:out|err)>|\[Request interrupted by user|<task-notification>|` +
		`<system-reminder>|<ide_opened_file>|<ide_selection>|<user-prompt-submit-hook>|Stop hook feedback:|Base directory for this skill:|<teammate-message|<fork-boilerplate>|<user-memory-input>|Implement the following plan:)`)
)

// countSpoken counts a text that stands where a person types.
func countSpoken(text string, dispatched bool) []*counted {
	var recs []*counted
	rest := text
	for injectedLead.MatchString(rest) {
		rest = rest[len(injectedLead.FindString(rest)):]
	}
	if rest != text {
		recs = append(recs, &counted{kind: "notice"})
	}
	kind := "prompt"
	switch {
	case rest == "", silence.MatchString(rest):
		return recs
	case slashMarkup.MatchString(rest), shellMarkup.MatchString(rest):
		kind = "command"
	case noPrompt.MatchString(rest), dispatched && strings.TrimSpace(rest) == "Warmup":
		kind = "notice"
	case strings.HasPrefix(strings.TrimSpace(rest), "This session is being continued from a previous conversation"):
		kind = "summary"
	case dispatched:
		kind = "dispatch"
	}
	return append(recs, &counted{kind: kind, text: rest})
}

func countSystem(o map[string]any) []*counted {
	text, kind := str(o["content"]), "notice"
	switch sub := str(o["subtype"]); {
	case blank(text), sub == "compact_boundary", sub == "turn_duration", sub == "stop_hook_summary":
		return nil
	case sub == "away_summary":
		kind = "summary"
	case sub == "local_command" && silence.MatchString(text):
		return nil
	case sub == "local_command" && slashMarkup.MatchString(text):
		kind = "command"
	}
	return []*counted{{kind: kind, text: text}}
}

// saidIn gives the text of a string or of a list of strings and blocks.
func saidIn(v any) string {
	texts := addTo(nil, v)
	blocks, _ := v.([]any)
	for _, b := range blocks {
		if t := str(member(b, "type")); t == "image" || t == "document" {
			texts = append(texts, "[media]")
		}
		texts = addTo(addTo(texts, b), member(b, "text"))
	}
	return strings.Join(texts, "\n")
}

func countAttachment(o map[string]any, q *countedQueue) []*counted {
	a := o["attachment"]
	switch str(member(a, "type")) {
	case "queued_command":
		text := saidIn(member(a, "prompt"))
		if text == "" {
			return nil
		}
		q.became(text)
		if origin := str(member(member(a, "origin"), "kind")); member(a, "isMeta") == true || member(a, "commandMode") == "task-notification" || origin != "" && origin != "human" {
			return []*counted{{kind: "notice", text: text}}
		}
		return countTyped(text)
	case "hook_success":
		if blank(str(member(a, "content"))) && blank(str(member(a, "stdout"))) && blank(str(member(a, "stderr"))) {
			return nil
		}
		return []*counted{{kind: "notice"}}
	case "hook_additional_context":
		if saidIn(member(a, "content")) == "" {
			return nil
		}
		return []*counted{{kind: "notice"}}
	}
	return nil
}

var slashTyped = regexp.MustCompile(`^(?:/[^\s/]+(?:\s|$)|!.*\S)`)

func countTyped(text string) []*counted {
	recs := countSpoken(text, false)
	for _, r := range recs {
		if r.kind == "prompt" && slashTyped.MatchString(r.text) {
			r.kind = "command"
		}
	}
	return recs
}

// countedQueue is the prompts that wait.
type countedQueue struct{ texts, taken []string }

func newCountedQueue() *countedQueue { return &countedQueue{} }

func (q *countedQueue) operation(op, content string) {
	folded := strings.Join(strings.Fields(content), " ")
	switch {
	case op == "enqueue" && folded != "":
		q.texts = append(q.texts, folded)
	case op == "popAll":
		q.taken, q.texts = append(q.taken, q.texts...), nil
	case op == "remove" && len(q.texts) > 0:
		i := 0
		if folded != "" {
			i = slices.Index(q.texts, folded)
		}
		if i >= 0 {
			q.taken, q.texts = append(q.taken, q.texts[i]), slices.Delete(q.texts, i, i+1)
		}
	}
}

func (q *countedQueue) became(text string) {
	folded := strings.Join(strings.Fields(text), " ")
	for _, list := range []*[]string{&q.taken, &q.texts} {
		if i := slices.Index(*list, folded); i >= 0 {
			*list = slices.Delete(*list, i, i+1)
			return
		}
	}
}

// left gives the prompts that became nothing.
func (q *countedQueue) left() []*counted {
	var out []*counted
	for i, text := range append(q.texts, q.taken...) {
		for _, r := range countTyped(text) {
			r.gone = i >= len(q.texts)
			out = append(out, r)
		}
	}
	return out
}
