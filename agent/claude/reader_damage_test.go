package claude

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// readRaw reads a transcript with those bytes.
func readRaw(t testing.TB, data string) found {
	t.Helper()
	return readFrom(t, at(t, disk(map[string]string{script: data}), script), agent.Plan{})
}

// A damaged line is reported with its number and length, and costs only itself.
func TestDamage(t *testing.T) {
	whole, cut := usr("u1", 1, "one"), usr("u2", 2, "two")[:60]
	other := `{"parentUuid":null,"type":"assistant","uuid":"a1","message":{"id":"m1","content":[{"type":"text","text":"reply"}]}}`
	one, reply := "u1 prompt: one", "a1 reply: reply"
	for name, c := range map[string]struct {
		data    string
		records []string
		damaged []int // lines
		pending bool
	}{
		"none":                         {whole + "\n" + other + "\n", []string{"1 " + one, "2 " + reply}, nil, false},
		"no newline at the end":        {whole + "\n" + other, []string{"1 " + one, "2 " + reply}, nil, false},
		"carriage returns":             {whole + "\r\n" + other + "\r\n", []string{"1 " + one, "2 " + reply}, nil, false},
		"a cut last line":              {whole + "\n" + cut, []string{"1 " + one}, []int{2}, true},
		"a cut last line that ended":   {whole + "\n" + cut + "\n", []string{"1 " + one}, []int{2}, false},
		"a cut line inside":            {cut + "\n" + whole + "\n", []string{"2 " + one}, []int{1}, false},
		"a cut record and a whole one": {cut + other + "\n" + whole + "\n", []string{"1 " + reply, "2 " + one}, []int{1}, false},
		"two whole records":            {whole + other + "\n", []string{"1 " + one, "1 " + reply}, []int{1}, false},
		"NUL bytes before a record":    {strings.Repeat("\x00", 300) + whole + "\n" + other + "\n", []string{"1 " + one, "2 " + reply}, []int{1}, false},
		"only NUL bytes":               {"\x00\x00\x00\n" + whole + "\n", []string{"2 " + one}, []int{1}, false},
		"a byte order mark":            {"\ufeff" + whole + "\n", []string{"1 " + one}, []int{1}, false},
		"values that are no objects":   {"[1,2]\n\"x\"\n5\nnull\ntrue\n" + whole + "\n", []string{"6 " + one}, []int{1, 2, 3, 4, 5}, false},
		"an unknown escape":            {`{"type":"user","uuid":"u1","message":{"content":"a\qb"}}` + "\n", []string{`1 u1 prompt: a\qb`}, []int{1}, false},
		"a raw control character":      {"{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"content\":\"a\x01b\"}}\n", []string{"1 u1 prompt: a\x01b"}, []int{1}, false},
		"half a surrogate pair":        {`{"type":"user","uuid":"u1","message":{"content":"a\ud83d"}}` + "\n", []string{"1 u1 prompt: a\ufffd"}, nil, false},
		"no UTF-8":                     {"{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"content\":\"a\xff\"}}\n", []string{"1 u1 prompt: a\ufffd"}, nil, false},
		"cut inside a block":           {`{"type":"assistant","uuid":"x","message":{"content":[{"type":"text","text":"in"},{"ty` + other + "\n", []string{"1 " + reply}, []int{1}, false},
		"blank lines":                  {"\n \n\t\r\n" + whole + "\n\n", []string{"4 " + one}, nil, false},
		"nothing":                      {"", nil, nil, false},
	} {
		f := readRaw(t, c.data)
		checkSame(t, f.tell(), c.records)
		lines := strings.SplitAfter(c.data, "\n")
		var damaged []int
		for i, d := range f.damage {
			damaged = append(damaged, d.Line)
			if d.Bytes != int64(len(strings.TrimSuffix(lines[d.Line-1], "\n"))) || d.Reason == "" || d.Pending != (c.pending && i == len(f.damage)-1) || d.Cleared {
				t.Errorf("%s: %+v", name, d)
			}
		}
		if fmt.Sprint(damaged) != fmt.Sprint(c.damaged) {
			t.Errorf("%s: lines %v are damaged, want %v", name, damaged, c.damaged)
		}
	}
}

// A member of the wrong type is as good as absent. It never hides the text.
func TestEnvelopeOfWrongTypes(t *testing.T) {
	wrong := []any{nil, 5, -1.5e300, true, "x", list(), list("x", list()), obj{}, obj{"kind": 5, "content": "x"}}
	for _, key := range []string{
		"uuid", "parentUuid", "sessionId", "session_id", "timestamp", "cwd", "gitBranch", "version", "isSidechain", "userType", "entrypoint", "slug",
		"sessionKind", "agentId", "agentName", "isMeta", "origin", "promptSource", "promptId", "toolUseResult", "isCompactSummary",
		"isVisibleInTranscriptOnly", "interruptedMessageId", "planContent", "forkedFrom", "permissionMode",
	} {
		for _, v := range wrong {
			switch {
			case v == true && (key == "isMeta" || key == "isCompactSummary" || key == "isVisibleInTranscriptOnly" || key == "isSidechain"):
				continue // the right type
			case v == "x" && (key == "interruptedMessageId" || key == "planContent"):
				continue
			}
			f := readLines(t, usr("u1", 1, "needle", key, v), usr("u9", 2, "next"))
			if len(f.records) != 2 || f.records[0].Text != "needle" || f.records[0].Kind != record.Prompt || f.records[1].ID != "u9" || len(f.damage)+len(f.unknown) > 0 {
				t.Errorf("%s: %v gives %q", key, v, f.tell())
			}
		}
	}
	for _, key := range []string{"uuid", "supersedesUuids", "isApiErrorMessage", "requestId", "error", "apiBlockIndex", "wireToolInputs", "costUSD", "isCompactSummary"} {
		for _, v := range wrong {
			if v == true && (key == "isApiErrorMessage" || key == "isCompactSummary") {
				continue
			}
			f := readLines(t, ast("a1", 1, list(txt("needle")), key, v))
			if len(f.records) != 1 || f.records[0].Text != "needle" || f.records[0].Kind != record.Reply {
				t.Errorf("%s: %v gives %q", key, v, f.tell())
			}
		}
	}
}

func TestMessagesOfWrongTypes(t *testing.T) {
	numeric := obj{"content": list()}
	for i := range 10_000 {
		numeric[fmt.Sprint(i)] = "needle"
	}
	for _, message := range []any{nil, 5, true, "needle", list("needle"), obj{"content": 5}, obj{"content": true}, obj{"content": obj{"text": "x"}}, numeric} {
		for _, typ := range []string{"user", "assistant"} {
			f := readLines(t, ln(typ, "x1", 1, "message", message), usr("u9", 2, "next"))
			if len(f.records) != 1 || f.records[0].Text != "next" || len(f.damage)+len(f.unknown) > 0 {
				t.Errorf("%s of %.40v gives %.200q", typ, message, f.tell())
			}
		}
	}
	for _, block := range []any{nil, 5, true, list("x"), obj{}, obj{"type": 5}, obj{"type": "text"}, obj{"type": "text", "text": 5}, obj{"type": "thinking", "thinking": list()},
		obj{"type": "image", "source": 5}, obj{"type": "tool_use"}, obj{"type": "tool_use", "id": 5, "name": list(), "input": 7}, obj{"type": "tool_result", "tool_use_id": 5, "content": 7}} {
		for _, line := range []string{ast("x1", 1, list(block, txt("needle"))), usr("x1", 1, list(block, txt("needle")))} {
			f := readLines(t, line, usr("u9", 2, "next"))
			if all := strings.Join(f.tell(), "\n"); !strings.Contains(all, "needle") || !strings.Contains(all, "u9 prompt: next") {
				t.Errorf("%v gives %q", block, f.tell())
			}
		}
	}
}

// Values of other lines that have the wrong type harm nothing either.
func TestOtherLinesOfWrongTypes(t *testing.T) {
	for _, v := range []any{nil, 5, true, "x", list("x", 5), obj{"type": 5}, obj{"type": "queued_command", "prompt": 5, "origin": "x"}} {
		var lines []string
		for _, typ := range append([]string{"system", "attachment", "queue-operation"}, recordless...) {
			o := obj{"type": typ}
			for _, key := range []string{"attachment", "content", "operation", "subtype", "customTitle", "aiTitle", "summary", "leafUuid", "worktreeSession", "prUrl",
				"prNumber", "relocatedCwd", "retractedMessageUuids", "data", "snapshot", "sessionId", "timestamp", "level"} {
				o[key] = v
			}
			lines = append(lines, js(o))
		}
		f := readLines(t, append(lines, usr("u9", 2, "next"))...)
		if n := len(f.records); n == 0 || f.records[n-1].Text != "next" || len(f.damage) > 0 {
			t.Errorf("%v gives %q", v, f.tell())
		}
		summary(t, nil, lines...)
	}
}

func TestDuplicateKeys(t *testing.T) {
	f := readRaw(t, `{"type":"system","type":"user","uuid":"u0","uuid":"u1","message":5,"message":{"content":"a","content":"b"}}`)
	checkSame(t, f.tell(), []string{"1 u1 prompt: b"})
}
