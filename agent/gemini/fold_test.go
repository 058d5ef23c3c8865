package gemini

import (
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

func TestFold(t *testing.T) {
	tests := []struct {
		name  string
		lines []string // behind the metadata, which is line 1
		want  []string
	}{
		{"plain", []string{gu("m1", "ask"), ga("m2", "answer", "")}, []string{"prompt m1:2 ask", "reply m2:3 answer"}},
		{"a repeated id keeps the first place and the last text",
			[]string{ga("g", "old", ""), gu("m", "next"), ga("g", "new", "")},
			[]string{"reply g:4 new", "reply+superseded g#1:2 old", "prompt m:3 next"}},
		{"the same text again is no older version",
			[]string{ga("g", "text", ""), ga("g", "text", `,"tokens":{"input":1}`)},
			[]string{"reply g:3 text"}},
		{"a message that grew by a tool call is one message",
			[]string{ga("g", "text", ""), ga("g", "text", `,"toolCalls":[`+call("c", "run_shell_command", `{"command":"ls"}`, "a.go")+`]`)},
			[]string{"reply g:3 text", "tool_call g#1:3 ls", "tool_result g#2:3 a.go"}},
		{"three versions, the first again at the end",
			[]string{ga("g", "one", ""), ga("g", "two", ""), ga("g", "one", `,"tokens":null`)},
			[]string{"reply g:4 one", "reply+superseded g#1:3 two"}},
		{"rewind to a known id",
			[]string{gu("a", "keep"), gu("b", "gone"), ga("c", "gone too", ""), `{"$rewindTo":"b"}`, gu("d", "again")},
			[]string{"prompt a:2 keep", "prompt+superseded b:3 gone", "reply+superseded c:4 gone too", "prompt d:6 again"}},
		{"rewind to an unknown id drops all",
			[]string{gu("a", "one"), gu("b", "two"), `{"$rewindTo":"nobody"}`},
			[]string{"prompt+superseded a:2 one", "prompt+superseded b:3 two"}},
		{"an id that was rewound and comes again",
			[]string{gu("a", "one"), gu("b", "two"), `{"$rewindTo":"a"}`, gu("b", "two"), gu("a", "other")},
			[]string{"prompt b:3 two", "prompt a:6 other", "prompt+superseded a#1:2 one"}},
		{"a history written anew replaces what it leaves out",
			[]string{gu("a", "early"), ga("b", "answer", ""), setMessages(gu("s", "<state_snapshot>sum</state_snapshot>"), ga("b", "answer", ""))},
			[]string{"prompt+replaced a:2 early", "summary s:4 <state_snapshot>sum</state_snapshot>", "reply b:3 answer"}},
		{"a text that a new history masked is replaced",
			[]string{ga("b", "whole", ""), setMessages(ga("b", "short", ""))},
			[]string{"reply b:3 short", "reply+replaced b#1:2 whole"}},
		{"what was replaced and comes again is there",
			[]string{gu("a", "one"), setMessages(gu("b", "two")), gu("a", "one")},
			[]string{"prompt b:3 two", "prompt a:2 one"}},
		{"an id twice in a new history: the last counts",
			[]string{setMessages(gu("a", "one"), gu("b", "two"), gu("a", "three"))},
			[]string{"prompt a:2 three", "prompt+replaced a#1:2 one", "prompt b:2 two"}},
		{"rewound behind a new history",
			[]string{gu("a", "one"), setMessages(gu("b", "two")), `{"$rewindTo":"b"}`},
			[]string{"prompt+replaced a:2 one", "prompt+superseded b:3 two"}},
		{"a masked text that was taken back later",
			[]string{ga("b", "whole", ""), setMessages(ga("b", "short", "")), `{"$rewindTo":"b"}`},
			[]string{"reply+superseded b:3 short", "reply+superseded b#1:2 whole"}},
		{"clobbered by a client that saw only the preamble",
			[]string{gu("a", "one"), ga("b", "two", ""), setMessages(gu("p", "<session_context>tree</session_context>"))},
			[]string{"prompt+replaced a:2 one", "reply+replaced b:3 two", "notice p:4 <session_context>tree</session_context>"}},
		{"a record with an id and a $set is a message",
			[]string{`{"id":"a",` + stamp + `,"type":"user","content":"x","$set":{"messages":[]}}`}, []string{"prompt a:2 x"}},
		{"numeric ids are ignored",
			[]string{`{"id":5,"type":"user","content":"x"}`, gu("a", "y")}, []string{"prompt a:3 y"}},
		{"a whole object on one line, then more",
			[]string{`{"sessionId":"S1","projectHash":"app","messages":[` + gu("a", "one") + `]}`, gu("b", "two")},
			[]string{"prompt a:2 one", "prompt b:3 two"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newWorld(t).chat(tt.lines...).read(mainChat, agent.Plan{})
			got.expect(t, tt.want...)
			if len(got.damage) > 0 {
				t.Errorf("damage: %+v", got.damage)
			}
		})
	}
}

func TestPatch(t *testing.T) {
	first := []string{gu("a", "one"), ga("b", "whole", `,"toolCalls":[`+call("c", "x", `{"command":"go"}`, "long output")+`]`), gu("d", "three")}
	tests := []struct{ name, patch, want string }{
		{"content", `{"$patch":{"id":"b","content":"short"}}`,
			"prompt a:2 one|reply b:5 short|tool_call b#1:5 command: go|tool_result b#2:5 long output|reply+replaced b#3:3 whole|prompt d:4 three"},
		{"result", `{"$patch":{"updates":[{"id":"b","toolCalls":[{"id":"c","result":"masked"}]}]}}`,
			"prompt a:2 one|reply b:5 whole|tool_call b#1:5 command: go|tool_result b#2:5 masked|tool_result+replaced b#3:3 long output|prompt d:4 three"},
		{"remove", `{"$patch":{"removeIds":["a","d"]}}`,
			"prompt+replaced a:2 one|reply b:3 whole|tool_call b#1:3 command: go|tool_result b#2:3 long output|prompt+replaced d:4 three"},
		{"order", `{"$patch":{"orderIds":["a","nobody"]}}`,
			"reply b:3 whole|tool_call b#1:3 command: go|tool_result b#2:3 long output|prompt d:4 three|prompt a:2 one"},
		{"upsert", `{"$patch":{"updates":[` + gu("e", "five") + `]}}`,
			"prompt a:2 one|reply b:3 whole|tool_call b#1:3 command: go|tool_result b#2:3 long output|prompt d:4 three|prompt e:5 five"},
		{"of nobody", `{"$patch":{"id":"z","content":"x"}}`,
			"prompt a:2 one|reply b:3 whole|tool_call b#1:3 command: go|tool_result b#2:3 long output|prompt d:4 three"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newWorld(t).chat(append(first[:3:3], tt.patch)...).read(mainChat, agent.Plan{})
			got.expect(t, split(tt.want)...)
			if len(got.unknown) != 1 || got.unknown[0].What != "all that a $patch record can mean" || got.unknown[0].Line != 5 {
				t.Errorf("a $patch is counted: %+v", got.unknown)
			}
		})
	}
}

func TestUnknownRecords(t *testing.T) {
	got := newWorld(t).chat(`{"$frob":1}`, `{"$frob":2}`, `{"id":"a",`+stamp+`,"type":"oracle","content":"says"}`, `{"x":1}`, `{"type":"user","content":"lost"}`).read(mainChat, agent.Plan{})
	got.expect(t, "notice a:4 says")
	want := []string{`record "$frob"`, "record without an id", `record type "user" without an id`, `message type "oracle"`}
	if len(got.unknown) != len(want) {
		t.Fatalf("unknown: %+v", got.unknown)
	}
	for i, w := range want {
		if got.unknown[i].What != w {
			t.Errorf("unknown %d is %+v, want %s", i, got.unknown[i], w)
		}
	}
}

func split(s string) []string {
	var out []string
	for from, i := 0, 0; i <= len(s); i++ {
		if i == len(s) || s[i] == '|' {
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return out
}
