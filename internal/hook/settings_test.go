package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

var here = Program{Path: "/opt/seshat", GOOS: "linux"}

// entry is what Install adds for here, laid out on one line without spaces.
const entry = `{"hooks":[{"type":"command","command":"'/opt/seshat' archive hook run","timeout":5}]}`

// What Install makes of settings is written down by hand, byte for byte.
func TestInstall(t *testing.T) {
	spaced := `{"hooks": [{"type": "command", "command": "'/opt/seshat' archive hook run", "timeout": 5}]}`
	for _, c := range []struct{ what, before, after string }{
		{"nothing in it", "{}\n", "{\n" +
			"  \"hooks\": {\n    \"SessionEnd\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n" +
			"            \"command\": \"'/opt/seshat' archive hook run\",\n            \"timeout\": 5\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
		{"one line", `{"model":"opus"}`, `{"model":"opus","hooks":{"SessionEnd":[` + entry + `]}}`},
		{"tabs and no line end at the end", "{\n\t\"model\":\t\"opus\"\n}", "{\n\t\"model\":\t\"opus\",\n" +
			"\t\"hooks\":\t{\n\t\t\"SessionEnd\":\t[\n\t\t\t{\n\t\t\t\t\"hooks\":\t[\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\":\t\"command\",\n" +
			"\t\t\t\t\t\t\"command\":\t\"'/opt/seshat' archive hook run\",\n\t\t\t\t\t\t\"timeout\":\t5\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}"},
		{"CRLF", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n" +
			"  \"hooks\": {\r\n    \"SessionEnd\": [\r\n      {\r\n        \"hooks\": [\r\n          {\r\n            \"type\": \"command\",\r\n" +
			"            \"command\": \"'/opt/seshat' archive hook run\",\r\n            \"timeout\": 5\r\n          }\r\n        ]\r\n      }\r\n    ]\r\n  }\r\n}\r\n"},
		{"no hooks yet", "{\n  \"hooks\": {}\n}", "{\n  \"hooks\": { \"SessionEnd\": [" + spaced + "] }\n}"},
		{"no entry yet", `{"hooks":{"SessionEnd":[]}}`, `{"hooks":{"SessionEnd":[ ` + entry + ` ]}}`},
		{"an entry of somebody else's", `{"hooks":{"SessionEnd":[{"matcher":"x","hooks":[]}],"Stop":[]},"a":1}`,
			`{"hooks":{"SessionEnd":[{"matcher":"x","hooks":[]},` + entry + `],"Stop":[]},"a":1}`},
		{"another event", `{"hooks":{"Stop":[]}}`, `{"hooks":{"Stop":[],"SessionEnd":[` + entry + `]}}`},
		{"the key in escapes", `{"h\u006foks":{"Stop":[]}}`, `{"h\u006foks":{"Stop":[],"SessionEnd":[` + entry + `]}}`},
		{"installed already", `{"hooks":{"SessionEnd":[` + entry + `]}}`, `{"hooks":{"SessionEnd":[` + entry + `]}}`},
		{"installed by a program that has moved", `{"hooks":{"SessionEnd":[{"hooks":[{"command":"/old/seshat archive hook run", "type":"command"}]}]}}`,
			`{"hooks":{"SessionEnd":[{"hooks":[{"command":"'/opt/seshat' archive hook run", "type":"command"}]}]}}`},
		{"installed twice", `{"hooks":{"SessionEnd":[` + entry + `, {"hooks":[1]},{"hooks":[{"type":"command","command":"\"/b/Seshat-2\" archive hook run"}]}]}}`, ""},
		{"installed on Windows", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"C:\\seshat.exe","args":["archive","hook","run"]}]}]}}`,
			`{"hooks":{"SessionEnd":[` + entry + `]}}`},
	} {
		got, err := Install([]byte(c.before), here, []string{SessionEnd})
		if c.after == "" {
			if err == nil {
				t.Errorf("%s: no error", c.what)
			}
			continue
		}
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.what, err, got, c.after)
		}
		again, err := Install(got, here, []string{SessionEnd})
		if err != nil || string(again) != string(got) {
			t.Errorf("%s: a second time changes it: %v\n%s", c.what, err, again)
		}
	}
}

// Of several entries of seshat's one stays.
func TestInstallTakesOutDoubles(t *testing.T) {
	old := `{"type":"command","command":"\"/b/Seshat-2\" archive hook run"}`
	got, err := Install([]byte(`{"hooks":{"SessionEnd":[{"hooks":[{"type":"http"},`+old+`]},{"hooks":[`+old+`,`+old+`]},{"hooks":[`+old+`]}]}}`), here, []string{SessionEnd})
	want := `{"hooks":{"SessionEnd":[{"hooks":[{"type":"http"},{"type":"command","command":"'/opt/seshat' archive hook run"}]}]}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct{ what, before, after string }{
		{"nothing of seshat's", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"/usr/bin/borg archive hook run"}]}]}}`, "="},
		{"no hooks", ` {"a":1} `, "="},
		{"beside others", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"http"}, ` + entry[10:len(entry)-2] + `]}]}}`, `{"hooks":{"SessionEnd":[{"hooks":[{"type":"http"}]}]}}`},
		{"before others", `{"hooks":{"SessionEnd":[` + entry + ` , {"hooks":[]}]}}`, `{"hooks":{"SessionEnd":[{"hooks":[]}]}}`},
		{"laid out by somebody else", "{\n  \"hooks\": {\n    \"SessionEnd\": [" + entry + "]\n  }, \"a\": 1\n}", "{\n  \"a\": 1\n}"},
		{"the only thing there is", `{"hooks":{"SessionEnd":[` + entry + `]}}`, `{}`},
		{"at two events", `{"hooks":{"SessionEnd":[` + entry + `],"Stop":[` + entry + `]}}`, `{}`},
		{"an event that is not understood", `{"hooks":{"Stop":7,"SessionEnd":[` + entry + `]}}`, `{"hooks":{"Stop":7}}`},
	} {
		got, err := Remove([]byte(c.before), here)
		if c.after == "=" {
			c.after = c.before
		}
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.what, err, got, c.after)
		}
	}
}

// What cannot be edited is refused, with the reason.
func TestRefused(t *testing.T) {
	for settings, says := range map[string]string{
		"":                               "is empty",
		" \n":                            "is empty",
		"\xef\xbb\xbf{}":                 "byte order mark",
		"\xff\xfe{\x00}\x00":             "byte order mark",
		"{\n  // mine\n}":                "has comments",
		`{"a":"//" /* b */}`:             "has comments",
		"{\n  \"a\": 1,\n}":              "line 3",
		`{"a":1`:                         "is not JSON",
		`{} {}`:                          "is not JSON",
		`[]`:                             "is not a JSON object",
		`"x"`:                            "is not a JSON object",
		`{"hooks":{},"hooks":{}}`:        `has "hooks" twice`,
		`{"hooks":{},"\u0068ooks":{}}`:   `has "hooks" twice`,
		`{"hooks":null}`:                 `"hooks" in it is not of the shape`,
		`{"hooks":[]}`:                   `"hooks" in it is not of the shape`,
		`{"hooks":{"SessionEnd":{}}}`:    `SessionEnd in it is not of the shape`,
		`{"hooks":{"SessionEnd":["x"]}}`: `what stands in "SessionEnd" is not of the shape`,
		`{"hooks":{"SessionEnd":[{}]}}`:  `what stands in "SessionEnd" is not of the shape`,
		`{"hooks":{"SessionEnd":[{"hooks":[1]}]}}`:              `what stands in "SessionEnd" is not of the shape`,
		`{"hooks":{"SessionEnd":[{"hooks":{}}]}}`:               `what stands in "SessionEnd" is not of the shape`,
		`{"hooks":{"SessionEnd":[{"hooks":[],"hooks":[]}]}}`:    `what stands in "SessionEnd" is not of the shape`,
		`{"hooks":{"SessionEnd":[],"SessionEnd":[]}}`:           `has SessionEnd twice`,
		strings.Repeat("[", 20000) + strings.Repeat("]", 20000): "is not JSON",
	} {
		for what, edit := range map[string]func() ([]byte, error){
			"install": func() ([]byte, error) { return Install([]byte(settings), here, []string{SessionEnd}) },
			"remove":  func() ([]byte, error) { return Remove([]byte(settings), here) },
		} {
			if got, err := edit(); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s of %.60q gives %q, %v; want an error with %q", what, settings, got, err, says)
			}
		}
	}
}

// Whatever the path of the program, a shell gets it as one word, and the entry is
// known again.
func TestPaths(t *testing.T) {
	for _, path := range []string{
		"/opt/my seshat/seshat", "/it's/seshat", `/a"b/seshat`, "/$(rm -rf x)/seshat", "/`id`/seshat", "/a\nb/seshat", `/back\slash/seshat`, "/${CLAUDE_PROJECT_DIR}/seshat",
		"/\x1b[31m/seshat", "/\u202e/seshat", "/新聞/🙂/seshat", "/a;b|c&d/seshat", "/*?[x]/seshat", "/'/seshat", "/~/seshat", "/ /seshat",
	} {
		for _, goos := range []string{"linux", "windows"} {
			p := Program{Path: path, GOOS: goos}
			got, err := Install([]byte(`{}`), p, []string{SessionEnd, SessionStart})
			if goos == "windows" && strings.Contains(path, "${") {
				if err == nil {
					t.Errorf("%q on Windows is not refused", path)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(string(got), "\x1b\u202e") || strings.Contains(string(got), "${") {
				t.Errorf("%q: raw in the settings: %q", path, got)
			}
			for _, q := range []Program{p, here} {
				found, err := Look(got, q)
				if want := []Found{{SessionEnd, path}, {SessionStart, path}}; err != nil || !reflect.DeepEqual(found, want) {
					t.Errorf("%q on %s: found %q, %v", path, goos, found, err)
				}
			}
		}
	}
	if _, err := Install([]byte(`{}`), Program{Path: "/\xff/seshat", GOOS: "linux"}, []string{SessionEnd}); err == nil {
		t.Error("a path that is not UTF-8 is not refused")
	}
}

// What is not seshat's entry is nobody's to change.
func TestOthers(t *testing.T) {
	for _, handler := range []string{
		`{"type":"command","command":"/usr/bin/borg archive hook run"}`,
		`{"type":"command","command":"/opt/seshat archive hook run; rm x"}`,
		`{"type":"command","command":"/opt/seshat archive hook run --all"}`,
		`{"type":"command","command":"/opt/seshat archive"}`,
		`{"type":"command","command":"\"$HOME/seshat\" archive hook run"}`,
		`{"type":"command","command":"echo '/opt/seshat archive hook run"}`,
		`{"type":"command","command":"/opt/seshat","args":["archive","hook","run","x"]}`,
		`{"type":"http","command":"/opt/seshat archive hook run"}`,
		`{"command":"/opt/seshat archive hook run"}`,
		`{"type":"command","command":["/opt/seshat archive hook run"]}`,
		`{"type":"command","command":""}`,
	} {
		settings := `{"hooks":{"SessionEnd":[{"hooks":[` + handler + `]}]}}`
		if got, err := Remove([]byte(settings), here); err != nil || string(got) != settings {
			t.Errorf("%s is taken out: %s, %v", handler, got, err)
		}
	}
	renamed := Program{Path: "/b/ss", GOOS: "linux"}
	if found, _ := Look([]byte(`{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"/a/ss archive hook run"}]}]}}`), renamed); len(found) != 1 {
		t.Error("a program of another name does not know its own entry")
	}
}

// value gives what settings mean, keys in order of the text left out.
func value(t testing.TB, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, b)
	}
	return v
}

// plus adds an entry to what settings mean, in the way that a person would.
func plus(v any, event string) any {
	top := v.(map[string]any)
	hooks, ok := top["hooks"].(map[string]any)
	if !ok {
		hooks = map[string]any{}
		top["hooks"] = hooks
	}
	list, _ := hooks[event].([]any)
	var e any
	_ = json.Unmarshal([]byte(entry), &e)
	hooks[event] = append(list, e)
	return top
}

// holds checks Install and Remove on any bytes: the result means the same plus the
// entry, no byte of the rest is gone, and Remove gives back what Install got.
func holds(t *testing.T, settings []byte, events []string) {
	t.Helper()
	got, err := Install(settings, here, events)
	if err != nil {
		if !json.Valid(settings) {
			if _, err := Remove(settings, here); err == nil {
				t.Errorf("Remove takes what is not JSON: %q", settings)
			}
		}
		return
	}
	if found, err := Look(settings, here); err != nil || len(found) > 0 {
		return // an entry was there: Remove takes that out too
	}
	want := value(t, settings)
	for _, event := range events {
		want = plus(want, event)
	}
	if !reflect.DeepEqual(value(t, got), want) {
		t.Fatalf("%q\nmeans something else now:\n%s", settings, got)
	}
	if !subsequence(settings, got) {
		t.Errorf("%q\nlost a byte:\n%s", settings, got)
	}
	if again, err := Install(got, here, events); err != nil || string(again) != string(got) {
		t.Errorf("a second time gives %q, %v", again, err)
	}
	if back, err := Remove(got, here); err != nil || string(back) != string(settings) {
		t.Errorf("%q\ncomes back as\n%q, %v\nfrom\n%s", settings, back, err, got)
	}
	outlives(t, settings, got)
}

// outlives checks that an entry is found and taken out when somebody laid the settings
// out anew.
func outlives(t *testing.T, settings, installed []byte) {
	t.Helper()
	for _, layOut := range []func(*bytes.Buffer, []byte) error{json.Compact, func(w *bytes.Buffer, b []byte) error { return json.Indent(w, b, "", "    ") }} {
		var w bytes.Buffer
		if err := layOut(&w, installed); err != nil {
			t.Fatal(err)
		}
		back, err := Remove(w.Bytes(), here)
		if err != nil {
			t.Fatalf("%v in\n%s", err, w.Bytes())
		}
		if got, want := bare(value(t, back)), bare(value(t, settings)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q\ncomes back as\n%s\nfrom\n%s", settings, back, w.Bytes())
		}
	}
}

// bare leaves out of settings the brackets of hooks that hold nothing: whether they were
// there cannot be told any more.
func bare(v any) any {
	top := v.(map[string]any)
	hooks, ok := top["hooks"].(map[string]any)
	if !ok {
		return v
	}
	for event, list := range hooks {
		if list, ok := list.([]any); ok && len(list) == 0 {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(top, "hooks")
	}
	return v
}

// subsequence reports whether all bytes of a stand in b in their order, in two runs or
// more.
func subsequence(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

var seeds = []string{
	"{}", "{ }", "{\n}", "{\r\n}\r\n", " \t{\n\n}\n\n", `{"a":1}`, `{ "a": 1 }`, "{\n  \"a\": 1\n}\n", "{\n\t\"a\": [\n\t]\n}", "{\r\n \"a\" : {}\r\n}\r\n",
	`{"hooks":{}}`, `{"hooks": { } }`, "{\n  \"hooks\": {\n  }\n}", `{"hooks":{"SessionEnd":[]}}`, `{"hooks":{"SessionEnd":[ ]}}`, "{\n  \"hooks\": {\n    \"SessionEnd\": [\n    ]\n  }\n}",
	`{"hooks":{"Stop":[]}}`, "{\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"b\": 2\n}", `{"hooks":{"SessionEnd":[{"hooks":[]}]}}`, `{"hooks":{"SessionEnd":[ {"hooks":[] } ]},"x":{"hooks":1}}`,
	"{\n    \"hooks\": {\n        \"SessionEnd\": [\n            {\n                \"matcher\": \"clear\",\n                \"hooks\": [\n                    {\"type\": \"http\"}\n                ]\n            }\n        ]\n    }\n}\n",
	`{"h\u006foks":{"Session\u0045nd":[]}}`, `{"a":"\"}{]["}`, `{"hooks":{ "SessionEnd":[ ] , "SessionStart" : [ ] } , "a" : -1.5e3 }`, "{\"a\":1\r,\r\"b\":2\r}", "{\"a\":\ntrue}",
}

func TestHolds(t *testing.T) {
	for _, s := range seeds {
		for _, events := range [][]string{{SessionEnd}, {SessionEnd, SessionStart}, {SessionStart}} {
			holds(t, []byte(s), events)
		}
	}
}

// Settings of any shape and layout.
func TestHoldsOnRandomSettings(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 7))
		w := &writer{r: r}
		w.gap()
		w.object(0, true)
		w.gap()
		holds(t, []byte(w.String()), [][]string{{SessionEnd}, {SessionEnd, SessionStart}}[r.IntN(2)])
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// writer writes random settings.
type writer struct {
	strings.Builder
	r *rand.Rand
}

func (w *writer) gap() {
	for range w.r.IntN(3) * w.r.IntN(2) {
		w.WriteString([]string{" ", "\n", "\t", "\r\n", "  "}[w.r.IntN(5)])
	}
}

func (w *writer) list(open, closing string, n int, item func(i int)) {
	w.WriteString(open)
	w.gap()
	for i := range n {
		if i > 0 {
			w.WriteString(",")
			w.gap()
		}
		item(i)
		w.gap()
	}
	w.WriteString(closing)
}

func (w *writer) object(depth int, top bool) {
	hooks := -1
	n := w.r.IntN(4)
	if top && n > 0 && w.r.IntN(3) > 0 {
		hooks = w.r.IntN(n)
	}
	w.list("{", "}", n, func(i int) {
		if i == hooks {
			w.key("hooks")
			w.hooks()
			return
		}
		w.key(fmt.Sprintf("k%d", i))
		w.value(depth + 1)
	})
}

func (w *writer) key(name string) {
	fmt.Fprintf(w, "%q", name)
	w.gap()
	w.WriteString(":")
	w.gap()
}

func (w *writer) hooks() {
	all := []string{"Stop", SessionEnd, SessionStart, "PreCompact"}
	w.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	w.list("{", "}", w.r.IntN(4), func(i int) {
		w.key(all[i])
		w.list("[", "]", w.r.IntN(3), func(int) {
			w.list("{", "}", 1, func(int) {
				w.key("hooks")
				w.list("[", "]", w.r.IntN(2), func(int) { w.object(5, false) })
			})
		})
	})
}

func (w *writer) value(depth int) {
	switch n := w.r.IntN(6); {
	case n == 0 && depth < 4:
		w.object(depth, false)
	case n == 1 && depth < 4:
		w.list("[", "]", w.r.IntN(3), func(int) { w.value(depth + 1) })
	default:
		w.WriteString([]string{`"x"`, `"}\"]\\"`, "true", "null", "-0.5e+3", `"\u0068ooks"`}[n])
	}
}

func FuzzHolds(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, settings []byte, both bool) {
		events := []string{SessionEnd}
		if both {
			events = append(events, SessionStart)
		}
		holds(t, settings, events)
	})
}
