package claude

import "testing"

func enqueue(minute int, content string) string {
	return js(obj{"type": "queue-operation", "operation": "enqueue", "timestamp": stampOf(minute), "sessionId": mine, "content": content})
}

func operation(op string, minute int, members ...any) string {
	return js(change(obj{"type": "queue-operation", "operation": op, "timestamp": stampOf(minute), "sessionId": mine}, members...))
}

func stampOf(minute int) string { return moment(minute).Format("2006-01-02T15:04:05.000Z") }

func queuedCommand(uuid string, minute int, prompt any, members ...any) string {
	return ln("attachment", uuid, minute, "attachment", change(obj{"type": "queued_command", "prompt": prompt, "commandMode": "prompt"}, members...))
}

// A queued prompt is a record once, whatever became of it.
func TestQueuedPrompts(t *testing.T) {
	first := usr("u1", 1, "begin", "entrypoint", "cli")
	begun := "1 u1 prompt: begin"
	checkRules(t, []rule{
		{"became a user record", []string{first, enqueue(2, "do this"), operation("dequeue", 3), usr("u2", 3, "do this", "entrypoint", "cli")}, []string{begun, "4 u2 prompt +queued: do this"}},
		{"became one with other white space", []string{first, enqueue(2, "do\n this "), operation("dequeue", 3), usr("u2", 3, "do this")}, []string{begun, "4 u2 prompt +queued: do this"}},
		{"became an attachment", []string{first, enqueue(2, "do this"), operation("remove", 3), queuedCommand("q1", 3, "do this")}, []string{begun, "4 q1 prompt +queued: do this"}},
		{"became an attachment of blocks", []string{first, queuedCommand("q1", 3, list(txt("see"), png("QUJD")))}, []string{begun, "2 q1 prompt +queued: see\n[image image/png 3 B]"}},
		{"was taken back", []string{first, enqueue(2, "do this"), operation("remove", 3)}, []string{begun, "2 L2 prompt +superseded +queued: do this"}},
		{"was taken back by its text", []string{first, enqueue(2, "one"), enqueue(3, "two"), operation("remove", 4, "content", "two")},
			[]string{begun, "2 L2 prompt +queued: one", "3 L3 prompt +superseded +queued: two"}},
		{"were all taken back", []string{first, enqueue(2, "one"), enqueue(3, "two"), operation("popAll", 4, "content", "one\ntwo")},
			[]string{begun, "2 L2 prompt +superseded +queued: one", "3 L3 prompt +superseded +queued: two"}},
		{"was taken back and sent again", []string{first, enqueue(2, "one"), operation("popAll", 3), usr("u2", 4, "one")}, []string{begun, "4 u2 prompt +queued: one"}},
		{"was taken back and changed", []string{first, enqueue(2, "one"), operation("popAll", 3), usr("u2", 4, "one more")},
			[]string{begun, "2 L2 prompt +superseded +queued: one", "4 u2 prompt: one more"}},
		{"was left", []string{first, enqueue(2, "one")}, []string{begun, "2 L2 prompt +queued: one"}},
		{"was taken out and nothing more is known", []string{first, enqueue(2, "one"), operation("dequeue", 3)}, []string{begun, "2 L2 prompt +queued: one"}},
		{"twice the same, one became a record", []string{first, enqueue(2, "go on"), enqueue(3, "go on"), usr("u2", 4, "go on")}, []string{begun, "3 L3 prompt +queued: go on", "4 u2 prompt +queued: go on"}},
		{"a slash command", []string{first, enqueue(2, "/compact now")}, []string{begun, "2 L2 command +queued: /compact now"}},
		{"a path", []string{first, enqueue(2, "/srv/app is it")}, []string{begun, "2 L2 prompt +queued: /srv/app is it"}},
		{"a shell command", []string{first, queuedCommand("q1", 2, "ls -l", "commandMode", "bash")}, []string{begun, "2 q1 command +queued: ! ls -l"}},
		{"a notification", []string{first, enqueue(2, "<task-notification>done</task-notification>")}, []string{begun, "2 L2 notice: <task-notification>done</task-notification>"}},
		{"a notification that became an attachment", []string{first, enqueue(2, "<task-notification>done</task-notification>"), operation("remove", 2), queuedCommand("q1", 3, "<task-notification>done</task-notification>", "commandMode", "task-notification")},
			[]string{begun, "4 q1 notice: <task-notification>done</task-notification>"}},
		{"an injected attachment", []string{first, queuedCommand("q1", 2, "told", "isMeta", true)}, []string{begun, "2 q1 notice: told"}},
		{"an attachment of another origin", []string{first, queuedCommand("q1", 2, "told", "origin", obj{"kind": "peer"})}, []string{begun, "2 q1 notice: told"}},
		{"an attachment of a person", []string{first, queuedCommand("q1", 2, "told", "origin", obj{"kind": "human"})}, []string{begun, "2 q1 prompt +queued: told"}},
		{"marked on the user record", []string{first, usr("u2", 2, "told", "promptSource", "queued")}, []string{begun, "2 u2 prompt +queued: told"}},
		{"nothing in it", []string{first, operation("enqueue", 2), enqueue(3, ""), queuedCommand("q1", 3, ""), operation("dequeue", 4, "content", "needle")}, []string{begun}},
		{"content of another type", []string{first, operation("enqueue", 2, "content", 5), operation("remove", 3, "content", list("x"))}, []string{begun}},
	})
}

// claude -p writes its prompt as a queue operation first. Nobody was busy then.
func TestPromptOfAPrintRunIsNotQueued(t *testing.T) {
	checkRules(t, []rule{
		{"sdk-cli", []string{enqueue(1, "sum up"), operation("dequeue", 1), usr("u1", 1, "sum up", "entrypoint", "sdk-cli")}, []string{"3 u1 prompt +print: sum up"}},
		{"old", []string{operation("dequeue", 1), usr("u1", 1, "sum up")}, []string{"2 u1 prompt +print: sum up"}},
	})
}

// Two writers can splice two queue operations onto one line. What became of one of
// the prompts says nothing about the other.
func TestQueuedPromptsOnOneDamagedLine(t *testing.T) {
	f := readLines(t, usr("u1", 1, "begin", "entrypoint", "cli"), enqueue(2, "one")+enqueue(2, "two"), usr("u2", 3, "two"))
	checkSame(t, f.tell(), []string{"1 u1 prompt: begin", "2 L2 prompt +queued: one", "3 u2 prompt +queued: two"})
	f = readLines(t, usr("u1", 1, "begin", "entrypoint", "cli"), enqueue(2, "one"), usr("u2", 3, "one")+usr("u3", 3, "typed later"))
	checkSame(t, f.tell(), []string{"1 u1 prompt: begin", "3 u2 prompt +queued: one", "3 u3 prompt: typed later"})
}

// However the type of a queue operation is spelt, its line says what happens in the
// queue; escapes that no part of it can be do not.
func TestLinesThatSayWhatHappensInTheQueue(t *testing.T) {
	for line, want := range map[string]bool{
		`{"type":"queue-operation"}`:           true,
		`{"type":"queue\u002doperation"}`:      true,
		`{"type":"queue\u002Doperation"}`:      true,
		`{"type":"q\u0075eue-operatio\u006e"}`: true,
		`{"t\u0079pe":"queue-operation"}`:      true,
		`{"type":"user","text":"\u001b[0m"}`:   false,
		`{"type":"user","text":"\u003c \u0026`: false,
		`{"type":"user","text":"queue`:         false,
		`{"type":"user","text":"\u00`:          false,
	} {
		if got := says([]byte(line)); got != want {
			t.Errorf("%s says it: %v", line, got)
		}
	}
}
