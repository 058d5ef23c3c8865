package claude

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/search"
)

func TestCallText(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"ls -l","description":"List"}`, "ls -l\ndescription: List"},
		{"Bash", `{"description":"List","command":"ls -l","timeout":5,"background":true}`, "ls -l\ndescription: List"},
		{"Read", `{"offset":1,"file_path":"/srv/a.go"}`, "/srv/a.go"},
		{"Edit", `{"replace_all":false,"file_path":"/srv/a.go","old_string":"a\nb","new_string":"c"}`, "/srv/a.go\nold_string: a\nb\nnew_string: c"},
		{"Write", `{"content":"text","file_path":"/srv/a.go"}`, "/srv/a.go\ncontent: text"},
		{"Grep", `{"glob":"*.go","pattern":"TODO","path":"/srv"}`, "TODO\nglob: *.go\npath: /srv"},
		{"NotebookEdit", `{"new_source":"x","notebook_path":"/n.ipynb"}`, "/n.ipynb\nnew_source: x"},
		{"WebFetch", `{"prompt":"sum up","url":"https://example.com"}`, "https://example.com\nprompt: sum up"},
		{"mcp__x__y", `{"b":"2","a":"1"}`, "b: 2\na: 1"},
		{"TodoWrite", `{"todos":[{"content":"one","done":false},{"content":"two"}]}`, "todos[0].content: one\ntodos[1].content: two"},
		{"AskUserQuestion", `{"questions":[{"options":["a","b"]}],"answers":{"Which one?":"a"}}`, "questions[0].options[0]: a\nquestions[0].options[1]: b\nanswers.Which one?: a"},
		{"Bash", `{"command":{"cmd":"ls"},"description":"List"}`, "command.cmd: ls\ndescription: List"}, // not a string
		{"Bash", `{"command":["ls","-l"]}`, "command[0]: ls\ncommand[1]: -l"},
		{"Bash", `"ls -l"`, "ls -l"},
		{"Bash", `["ls",{"a":"b"}]`, "[0]: ls\n[1].a: b"},
		{"Bash", `{}`, ""},
		{"Bash", `null`, ""},
		{"Bash", ``, ""},
		{"Bash", `{"command":"caf\u00e9 \"x\"\tend"}`, "café \"x\"\tend"},
		{"Other", `{"command":"ls"}`, "command: ls"},
	} {
		if got := callText(c.tool, jsonscan.Value(c.input)); got != c.want {
			t.Errorf("%s %s\ngives %q\nwant  %q", c.tool, c.input, got, c.want)
		}
	}
}

// Every string of an input occurs, and a repeated main argument is no exception.
func TestCallTextHoldsEveryString(t *testing.T) {
	deep := strings.Repeat(`{"k":[`, 80) + `"needle"` + strings.Repeat(`]}`, 80)
	for input, words := range map[string][]string{
		`{"command":"one","command":"two"}`:                 {"one", "two"},
		`{"command":"","description":"two"}`:                {"two"},
		`{"a":{"command":"one"},"command":"two","b":["c"]}`: {"one", "two", "c"},
		deep:                           {"needle"},
		`{"a":` + deep + `,"b":"end"}`: {"needle", "end"},
	} {
		got := callText("Bash", jsonscan.Value(input))
		for _, w := range words {
			if !strings.Contains(got, w) {
				t.Errorf("%.80s: %q does not occur in %.200q", input, w, got)
			}
		}
	}
}

func TestResultText(t *testing.T) {
	for content, want := range map[string]string{
		`"plain\ntext"`: "plain\ntext",
		`""`:            "",
		``:              "",
		`null`:          "",
		`[]`:            "",
		`[{"type":"text","text":"one"},{"type":"text","text":"two"}]`:                                     "one\ntwo",
		`[{"type":"text","text":""},{"type":"text","text":"two"}]`:                                        "two",
		`[{"type":"tool_reference","tool_name":"WebFetch"},{"type":"tool_reference","tool_name":"Grep"}]`: "WebFetch\nGrep",
		`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]`:            "[image image/png 3 B]",
		`["one","two"]`:                "one\ntwo",
		`{"type":"text","text":"one"}`: "one",
		`[{"type":"text","text":5},7]`: "",
	} {
		if got := resultText(jsonscan.Value(content)); got != want {
			t.Errorf("%s\ngives %q\nwant  %q", content, got, want)
		}
	}
}

func TestBlockText(t *testing.T) {
	for block, want := range map[string]string{
		`"string"`: "string",
		`{"type":"text","text":"one","citations":[{"cited_text":"x"}]}`:       "one",
		`{"type":"tool_reference","tool_name":"Grep"}`:                        "Grep",
		`{"type":"new_block","text":"one"}`:                                   "one",
		`{"type":"new_block","content":"one"}`:                                "one",
		`{"type":"new_block","content":[{"type":"text","text":"one"},"two"]}`: "one\ntwo",
		`{"type":"new_block","data":"QUJD"}`:                                  "",
		`{"text":"one"}`:                                                      "one",
		`{"type":"text"}`:                                                     "",
		`{}`:                                                                  "",
		`[]`:                                                                  "",
		`5`:                                                                   "",
		``:                                                                    "",
	} {
		if got := blockText(jsonscan.Value(block)); got != want {
			t.Errorf("%s\ngives %q\nwant  %q", block, got, want)
		}
	}
}

// Of a block that nobody knows, any text and any content is kept.
func TestBlockTextKeepsTextAndContent(t *testing.T) {
	for _, block := range []string{
		`{"type":"new_block","text":"one","content":"two"}`,
		`{"type":"new_block","text":"","content":"two"}`,
		`{"type":"new_block","content":[{"type":"text","text":"two"}],"text":"one"}`,
	} {
		got := blockText(jsonscan.Value(block))
		if !strings.Contains(got, "two") || strings.Contains(block, "one") && !strings.Contains(got, "one") {
			t.Errorf("%s gives %q", block, got)
		}
	}
}

// base64Of gives base64 that stands for n bytes.
func base64Of(n int) string {
	return strings.Repeat("AAAA", n/3) + []string{"", "AA==", "AAA="}[n%3]
}

func TestMediaText(t *testing.T) {
	image := func(n int) string {
		return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64Of(n) + `"}}`
	}
	for _, c := range []struct{ what, block, want string }{
		{"image", image(0), "[image image/png 0 B]"},
		{"image", image(1), "[image image/png 1 B]"},
		{"image", image(2), "[image image/png 2 B]"},
		{"image", image(3), "[image image/png 3 B]"},
		{"image", image(1023), "[image image/png 1023 B]"},
		{"image", image(1024), "[image image/png 1 KB]"},
		{"image", image(12 * 1024), "[image image/png 12 KB]"},
		{"image", image(12*1024 + 511), "[image image/png 12 KB]"},
		{"image", image(12*1024 + 512), "[image image/png 13 KB]"},
		{"image", image(1 << 20), "[image image/png 1 MB]"},
		{"image", image(5<<20 + 10), "[image image/png 5 MB]"},
		{"image", `{"source":{"type":"url","url":"https://example.com/x.png"}}`, "[image]\nhttps://example.com/x.png"},
		{"image", `{"source":{"type":"file","file_id":"file_1"}}`, "[image]"},
		{"image", `{"source":{"data":"QUJD"}}`, "[image 3 B]"},
		{"image", `{"source":"x"}`, "[image]"},
		{"image", `{}`, "[image]"},
		{"document", `{"title":"Spec","source":{"type":"base64","media_type":"application/pdf","data":"QUJD"}}`, "[document application/pdf 3 B] Spec"},
		{"document", `{"source":{"type":"text","media_type":"text/plain","data":"hello"}}`, "[document text/plain 5 B]\nhello"},
		{"document", `{"title":"N","source":{"type":"text","media_type":"text/plain","data":"é\n"}}`, "[document text/plain 3 B] N\né\n"},
		{"document", `{"source":{"type":"content","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}}`, "[document]\none\ntwo"},
	} {
		if got := mediaText(c.what, jsonscan.Value(c.block), 0); got != c.want {
			t.Errorf("%.100s\ngives %q\nwant  %q", c.block, got, c.want)
		}
	}
	if got := blockText(jsonscan.Value(`{"type":"document","title":"T","source":{"type":"url","url":"https://e/x"}}`)); got != "[document] T\nhttps://e/x" {
		t.Errorf("a document block gives %q", got)
	}
}

var words = regexp.MustCompile(`[A-Za-z0-9]{3,}`)

// Every word of a text that is made of a block is in the raw bytes of the block,
// or the byte test could refuse a line with a match. Adding characters between
// words is fine, making words up is not.
func TestTextsMakeNoWordsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	check := func(raw, text string) {
		t.Helper()
		for _, w := range words.FindAllString(text, -1) {
			p, err := search.Compile([]string{w}, search.Flags{Fixed: true, IgnoreCase: rng.IntN(2) == 0})
			if err != nil {
				t.Fatal(err)
			}
			if test := p.ByteTest(); test != nil && test.Next([]byte(raw), 0) < 0 {
				t.Errorf("%q is in the text %q and not in the block %s", w, text, raw)
			}
		}
	}
	for range 3000 {
		raw := randomValue(rng, 4)
		check(raw, callText([]string{"Bash", "Read", "Other"}[rng.IntN(3)], jsonscan.Value(raw)))
		check(raw, resultText(jsonscan.Value(raw)))
		check(raw, blockText(jsonscan.Value(raw)))
		if t.Failed() {
			return
		}
	}
	for _, text := range []string{
		"<command-name>/deploy</command-name><command-args>gateway</command-args>", "<bash-input>deploy gateway</bash-input>",
		reminder + "deploy the gateway", continued, "Warmup",
	} {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, injected := userText(text, true)
		check(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(raw)), rest+"\n"+injected)
	}
}

// randomValue writes a random JSON value with the members that blocks have.
func randomValue(rng *rand.Rand, depth int) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	text := func() string {
		return `"` + pick("deploy", "gate", "way", "a b", `tab\tbed`, `line\nfeed`, `\/usr\/bin`, "text/plain", "image/png", "QUJD", "über", `q\"uote`, "") +
			pick("deploy", " ", `\n`, "1234", "x", "") + `"`
	}
	switch n := rng.IntN(8); {
	case depth == 0 || n < 2:
		return text()
	case n == 2:
		return pick("1", "true", "null", "3.14")
	case n < 5:
		var elems []string
		for range rng.IntN(4) {
			elems = append(elems, randomValue(rng, depth-1))
		}
		return "[" + strings.Join(elems, ",") + "]"
	}
	members := []string{fmt.Sprintf(`"type":%q`, pick("text", "image", "document", "tool_reference", "other"))}
	for range rng.IntN(5) {
		key := pick("text", "content", "source", "title", "tool_name", "command", "description", "file_path", "data", "media_type", "url", "type", "weird key")
		members = append(members, fmt.Sprintf("%q:%s", key, randomValue(rng, depth-1)))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Blocks may stand inside each other to any depth: reading them ends, since the
// work for a line does not grow with the square of its depth.
func TestDeepBlocks(t *testing.T) {
	for _, level := range [][2]string{
		{`{"type":"x","content":`, `}`},
		{`[{"content":`, `}]`},
		{`{"type":"document","source":{"type":"content","content":`, `}}`},
		{`{"a":`, `}`},
		{`[`, `]`},
	} {
		v := jsonscan.Value(strings.Repeat(level[0], 10_000) + `"deep-needle"` + strings.Repeat(level[1], 10_000))
		for name, text := range map[string]string{"resultText": resultText(v), "callText": callText("Bash", v)} {
			if !strings.Contains(text, "deep-needle") && level[0] != `[` && level[0] != `{"a":` {
				t.Errorf("%s loses what stands under %s", name, level[0])
			}
		}
	}
}
