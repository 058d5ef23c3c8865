package blackbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// Session ids.
const (
	S1 = "11111111-1111-4111-8111-111111111111"
	S2 = "22222222-2222-4222-8222-222222222222"
	S3 = "33333333-3333-4333-8333-333333333333"
	S4 = "44444444-4444-4444-8444-444444444444"
	S5 = "55555555-5555-4555-8555-555555555555"
)

// Stamps that stand in a line until it is written to a file: they are put in by
// Home.Claude and Home.Gemini as JSON strings. A line made by hand may use them.
const (
	CWD     = "%CWD%"
	Session = "%SESSION%"
	Time    = "%TIME%"
)

// Quote writes a text as JSON. Bytes that are not UTF-8 become U+FFFD; a line
// that needs them is made by hand.
func Quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // no string does this
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func quoteOrNull(s string) string {
	if s == "" {
		return "null"
	}
	return Quote(s)
}

// Line is a record of a Claude Code transcript with a message made by hand.
func Line(typ, uuid, parent, extra, message string) string {
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":%s,"sessionId":%s,"version":"2.1.200",`+
		`"gitBranch":"main","type":%s,%s"message":%s,"uuid":%s,"timestamp":%s}`,
		quoteOrNull(parent), CWD, Session, Quote(typ), extra, message, Quote(uuid), Time)
}

// U is a user record with a text.
func U(uuid, parent, text string) string {
	return Line("user", uuid, parent, "", `{"role":"user","content":`+Quote(text)+`}`)
}

// UB is a user record with blocks.
func UB(uuid, parent string, blocks ...string) string {
	return Line("user", uuid, parent, "", `{"role":"user","content":[`+strings.Join(blocks, ",")+`]}`)
}

// A is an assistant record with one block. An empty usage is left out.
func A(uuid, parent, msgid, block, usage string) string {
	if usage != "" {
		usage = `,"usage":` + usage
	}
	return Line("assistant", uuid, parent, `"requestId":`+Quote("req_"+msgid)+`,`,
		`{"id":`+Quote(msgid)+`,"type":"message","role":"assistant","model":"test-model-1","content":[`+block+`],"stop_reason":null`+usage+`}`)
}

// T is a text block.
func T(text string) string { return `{"type":"text","text":` + Quote(text) + `}` }

// Thinking is a block of reasoning.
func Thinking(text string) string { return `{"type":"thinking","thinking":` + Quote(text) + `}` }

// ToolUse is a block that calls a tool; input is JSON.
func ToolUse(id, name, input string) string {
	return `{"type":"tool_use","id":` + Quote(id) + `,"name":` + Quote(name) + `,"input":` + input + `}`
}

// ToolResult is a block that answers a call.
func ToolResult(id, text string) string {
	return `{"type":"tool_result","tool_use_id":` + Quote(id) + `,"content":` + Quote(text) + `}`
}

// Image is a block with an image; data is its base64.
func Image(media, data string) string {
	return `{"type":"image","source":{"type":"base64","media_type":` + Quote(media) + `,"data":` + Quote(data) + `}}`
}

// CustomTitle is the record of a title that a person chose.
func CustomTitle(title string) string {
	return `{"type":"custom-title","customTitle":` + Quote(title) + `,"sessionId":` + Session + `}`
}

// P is the name that Claude Code gives the folder of a project: every UTF-16
// unit that is no ASCII letter or digit is a dash.
func P(cwd string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(cwd)) {
		if unit < 0x80 && (unit >= '0' && unit <= '9' || unit|0x20 >= 'a' && unit|0x20 <= 'z') {
			out.WriteByte(byte(unit))
		} else {
			out.WriteByte('-')
		}
	}
	return out.String()
}

// Claude writes a transcript to the default root, every line ended, and gives
// its path.
func (h *Home) Claude(cwd, session string, lines ...string) string {
	h.t.Helper()
	return h.ClaudeIn(".claude", cwd, session, lines...)
}

// ClaudeIn writes a transcript below a root of that name.
func (h *Home) ClaudeIn(root, cwd, session string, lines ...string) string {
	h.t.Helper()
	return h.Write(root+"/projects/"+P(cwd)+"/"+session+".jsonl", h.Fill(cwd, session, lines...), 0o600)
}

// Fill puts the stamps into lines and ends each.
func (h *Home) Fill(cwd, session string, lines ...string) string {
	var out strings.Builder
	for i, line := range lines {
		out.WriteString(h.fill(cwd, session, i+1, line) + "\n")
	}
	return out.String()
}

func (h *Home) fill(cwd, session string, no int, line string) string {
	return strings.NewReplacer(CWD, Quote(cwd), Session, Quote(session), Time, Quote(h.TimeOf(no))).Replace(line)
}

// TimeOf is the time of the line with that number.
func (h *Home) TimeOf(no int) string {
	return h.Start.Add(time.Duration(no) * time.Second).Format("2006-01-02T15:04:05.000Z")
}
