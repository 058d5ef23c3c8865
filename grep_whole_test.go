package seshat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// call is a tool's call, result what it gave back.
func call(session, uuid, message, id, command string, minute int) object {
	return env("assistant", session, "/srv/app", uuid, minute).with("message", object{
		"id": message, "role": "assistant", "content": []object{{"type": "tool_use", "id": id, "name": "Bash", "input": object{"command": command}}},
	})
}

func result(session, uuid, id, text string, minute int) object {
	return env("user", session, "/srv/app", uuid, minute).with("message", object{
		"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": id, "content": text}},
	})
}

// takes is an answer that takes another one back.
func takes(session, uuid, back string, minute int) object {
	return env("assistant", session, "/srv/app", uuid, minute).with("supersedesUuids", []string{back}).with("message", object{
		"id": "m-" + uuid, "role": "assistant", "content": []object{{"type": "text", "text": "again"}},
	})
}

// Looking only at lines that may match gives what reading everything gives.
func TestGrepOfSingleLinesIsThatOfWholeFiles(t *testing.T) {
	ls := []object{user(one, "/srv/app", "u1", 1, "hi"), call(one, "a1", "m1", "toolu_1", "ls", 2), result(one, "u2", "toolu_1", "needle here", 3)}
	for name, c := range map[string]struct {
		files   map[string]string
		pattern string
		want    []string
	}{
		"a related line whose own uuid is rewritten": {map[string]string{one: lines(
			call(one, "a1", "m1", "toolu_1", "needle", 1), user(one, "/srv/app", "u1", 2, "hi"), call(one, "u1", "m1", "toolu_1", "other", 3),
		)}, "needle", []string{"1: needle"}},
		"a uuid that is mentioned before it is rewritten": {map[string]string{one: lines(
			env("progress", one, "/srv/app", "p1", 1).with("data", object{"uuid": "u1"}), user(one, "/srv/app", "u1", 2, "needle"), user(one, "/srv/app", "u1", 3, "other"),
		)}, "needle", nil},
		"a copied result where one file is read whole": {map[string]string{one: lines(ls...), two: lines(append(slices.Clone(ls), takes(two, "a9", "a8", 9))...)},
			"needle", []string{"3: needle here"}},
		"a copied result without its call": {map[string]string{one: lines(ls...), two: lines(user(two, "/srv/app", "u0", 2, "later"), ls[2])},
			"needle", []string{"3: needle here"}},
		"what was taken back there stands here": {map[string]string{
			one: lines(user(one, "/srv/app", "u1", 1, "hi"), assistant(one, "/srv/app", "a1", 2, text("needle")), takes(one, "a2", "a1", 3)),
			two: lines(user(two, "/srv/app", "u1", 1, "hi"), assistant(two, "/srv/app", "a1", 2, text("needle")), user(two, "/srv/app", "u3", 9, "go on")),
		}, "needle", []string{"2: needle"}},
		"markup with brackets as escapes": {map[string]string{one: strings.ReplaceAll(strings.ReplaceAll(lines(
			user(one, "/srv/app", "u1", 1, "<command-name>/deploy</command-name>\n<command-args>production now</command-args>"),
		), "<", `\u003c`), ">", `\u003e`)}, "/deploy production", []string{"1: /deploy production now"}},
	} {
		files := map[string]string{}
		for session, content := range c.files {
			files[appDir+session+".jsonl"] = content
		}
		l := library(t, newWorld(claudeRoot(files)), "", nil)
		got, _ := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, c.pattern, seshat.PatternFlags{Fixed: true})})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: grep finds %q, want %q", name, got, c.want)
		}
		whole, _ := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, c.pattern, seshat.PatternFlags{Fixed: true}), Whole: true})
		if !slices.Equal(whole, c.want) {
			t.Errorf("%s: whole records: %q, want %q", name, whole, c.want)
		}
	}
}

// Sessions with one time are told apart also where what matches is put together from
// several lines of a file.
func TestGrepOrdersChatsThatAreLaidOut(t *testing.T) {
	m := &rootfs.Memory{Folder: geminiDir}
	for name, minute := range map[string]string{"aaaaaaaa": "09", "bbbbbbbb": "01"} {
		m.File("tmp/g/chats/session-2026-01-01T00-00-"+name+".json", `{
  "sessionId": "`+name+`",
  "projectHash": "h",
  "startTime": "2026-01-01T00:00:00.000Z",
  "lastUpdated": "2026-01-01T01:00:00.000Z",
  "messages": [
    {"id": "m0", "timestamp": "2026-01-01T00:00:00.000Z", "type": "user", "content": "hello"},
    {"id": "own-`+name+`", "timestamp": "2026-01-01T00:`+minute+`:00.000Z", "type": "gemini", "content": "",
     "toolCalls": [{"id": "c", "name": "run", "args": {"a": "b"}, "resultDisplay": [[
       {"text": "alpha `+name+` "},
       {"text": "beta"}]]}]}
  ]
}`, at(59))
	}
	l := library(t, newWorld(m), "", both)
	for _, p := range []string{"alpha.*beta", "alpha", "."} {
		got, _ := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, p, seshat.PatternFlags{})})
		first := slices.IndexFunc(got, func(s string) bool { return strings.Contains(s, "alpha") })
		if first < 0 || !strings.Contains(got[first], "bbbbbbbb") {
			t.Errorf("%s: %q", p, got)
		}
	}
}
