package jsonscan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// tree turns a value into what encoding/json decodes into, numbers kept as text.
func tree(v Value) any {
	switch v.Kind() {
	case Object:
		m := map[string]any{}
		for k, val := range v.Members() {
			m[k] = tree(val)
		}
		return m
	case Array:
		a := []any{}
		for e := range v.Elems() {
			a = append(a, tree(e))
		}
		return a
	case String:
		return v.Text()
	case Number:
		return json.Number(v)
	case Bool:
		return v.True()
	}
	return nil
}

// fromNode does the same with a node of a Tree.
func fromNode(n Node) any {
	switch n.Kind() {
	case Object:
		m := map[string]any{}
		for k, val := range n.Members() {
			m[validUTF8(string(k))] = fromNode(val)
		}
		return m
	case Array:
		a := []any{}
		for e := range n.Elems() {
			a = append(a, fromNode(e))
		}
		return a
	}
	return tree(n.Value())
}

func standard(b []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	return v, json.Valid(b)
}

// agree checks the promise of the package: on valid JSON the answers are those
// of encoding/json, and what is called strict is valid.
func agree(t *testing.T, b []byte) {
	t.Helper()
	v, rest, strict, ok := First(b)
	whole := ok && space(rest, 0) == len(rest)
	want, valid := standard(b)
	if valid && !(whole && strict) {
		t.Fatalf("valid JSON is not taken: %q (whole %v, strict %v)", b, whole, strict)
	}
	if !valid && whole && strict && !tooDeep(b) {
		t.Fatalf("strict although encoding/json refuses: %q", b)
	}
	if valid {
		for depth := range 4 {
			var t2 Tree
			if _, _, _, ok := t2.Parse(b, depth); !ok || !reflect.DeepEqual(fromNode(t2.Root()), want) {
				t.Fatalf("%q taken apart to depth %d reads as %v, want %v", b, depth, fromNode(t2.Root()), want)
			}
		}
	}
	if valid && !reflect.DeepEqual(tree(v), want) {
		t.Fatalf("%q reads as %v, want %v", b, tree(v), want)
	}
	Objects(b, `{"type"`, `{"uuid"`)
}

// tooDeep reports whether nesting alone can make encoding/json refuse.
func tooDeep(b []byte) bool { return bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) > 9000 }

var seeds = []string{
	`{}`, `[]`, `""`, `null`, `true`, `-1.5e+10`, `01`, `1.`, `.5`, `-`, `1e999`, `9007199254740993`, ` { "a" : [ 1 , 2 ] } `,
	`{"a":1,"a":2}`, `{"a":{"b":[{},[],"x"]},"c":null}`, `{"\u0061":1}`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`,
	`"\x"`, `"\u12"`, `"a\"b\\"`, `"\\\""`, "\"\x01\"", "\"\xff\"", `{"a" 1}`, `{"a":}`, `{,}`, `[1,]`, `{"a":1,}`, `[1 2]`, `tru`, `{"a":1}}`,
	`{"type":"x","t":"cut{"uuid":"1"}`, "\x00\x00{\"uuid\":1}", "\ufeff{}", `{"type":1}{"uuid":2}`, `"\/"`, "\"\u2028\"", `{"type":{"type":{"type":`,
}

func TestAgainstStandard(t *testing.T) {
	for _, s := range seeds {
		agree(t, []byte(s))
	}
}

func FuzzAgainstStandard(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { agree(t, b) })
}

func TestLenient(t *testing.T) {
	for in, want := range map[string]string{
		"\"a\xffb\"":      "a\ufffdb",
		`"\ud83dx"`:       "\ufffdx",
		`"\ud83d\u0041"`:  "\ufffdA",
		"\"tab\there\"":   "tab\there",
		`"\q\u00zz\u12"`:  `\q\u00zz\u12`,
		`"\ud83d\ude00!"`: "\U0001F600!",
	} {
		v, _, _, ok := First([]byte(in))
		if !ok || v.Text() != want {
			t.Errorf("%s reads %q, want %q", in, v.Text(), want)
		}
	}
	v, _, _, _ := First([]byte(`{"a":1,"b":"x","a":[true]}`))
	if got := string(v.Get("a")); got != "[true]" {
		t.Errorf("the last of two keys wins, got %s", got)
	}
	if v.Get("none").Kind() != Absent || v.Get("none").Text() != "" {
		t.Error("an absent member is absent")
	}
}

func TestDeepNesting(t *testing.T) {
	const depth = 100_000
	b := []byte(strings.Repeat(`{"a":[`, depth) + strings.Repeat(`]}`, depth))
	if _, rest, strict, ok := First(b); !ok || !strict || len(rest) != 0 {
		t.Error("deep nesting must be taken")
	}
}

func TestInt(t *testing.T) {
	for in, want := range map[string]int64{"1": 1, "-5": -5, "1767323045000": 1767323045000, "1.9": 1, "1e3": 1000} {
		if n, ok := Value(in).Int(); !ok || n != want {
			t.Errorf("%s is %d %v, want %d", in, n, ok, want)
		}
	}
	for _, in := range []string{"1e999", `"1"`, "null", ""} {
		if _, ok := Value(in).Int(); ok {
			t.Errorf("%s is no integer", in)
		}
	}
}

func TestObjects(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       []string
		whole      bool
	}{
		{"clean", `{"type":"a"}`, []string{`{"type":"a"}`}, true},
		{"trailing space", "{\"type\":\"a\"} \r", []string{`{"type":"a"}`}, true},
		{"back to back", `{"type":"a"}{"type":"b"}`, []string{`{"type":"a"}`, `{"type":"b"}`}, false},
		{"cut, then whole", `{"type":"a","m":{"type":"t","x":"y"},"text":"gam{"uuid":"b","n":1}`, []string{`{"uuid":"b","n":1}`}, false},
		{"cut inside a string, then two", `{"type":"a","text":"ga{"uuid":"b"}{"type":"c"}`, []string{`{"uuid":"b"}`, `{"type":"c"}`}, false},
		{"whole, then cut", `{"type":"a"}{"type":"b","te`, []string{`{"type":"a"}`}, false},
		{"NUL run", "\x00\x00\x00{\"type\":\"a\"}", []string{`{"type":"a"}`}, false},
		{"NUL run behind", "{\"type\":\"a\"}\x00\x00", []string{`{"type":"a"}`}, false},
		{"BOM", "\ufeff{\"type\":\"a\"}", []string{`{"type":"a"}`}, false},
		{"array", `[1,2,3]`, nil, false},
		{"null", `null`, nil, false},
		{"torn", `{"type":"a","m":{"type":"b","x"`, nil, false},
		{"torn behind an inner object", `{"type":"a","m":{"type":"b"}`, []string{`{"type":"b"}`}, false}, // the caller judges
		{"raw control character", "{\"type\":\"a\x01\"}", []string{"{\"type\":\"a\x01\"}"}, false},
		{"only NULs", "\x00\x00", nil, false},
	} {
		objs, whole := Objects([]byte(tc.line), `{"type"`, `{"uuid"`)
		var got []string
		for _, o := range objs {
			got = append(got, string(o))
		}
		if !reflect.DeepEqual(got, tc.want) || whole != tc.whole {
			t.Errorf("%s: got %q whole %v, want %q whole %v", tc.name, got, whole, tc.want, tc.whole)
		}
	}
}

// A line made to look like thousands of cut records must not cost their square.
func TestObjectsHostileLineEnds(t *testing.T) {
	line := []byte(strings.Repeat(`{"type":`, 200_000))
	if objs, whole := Objects(line, `{"type"`); len(objs) != 0 || whole {
		t.Error("nothing whole stands on the line")
	}
}

func BenchmarkFirst(b *testing.B) {
	line := []byte(`{"parentUuid":"a","message":{"role":"user","content":[{"type":"text","text":"` + strings.Repeat("some words of text, ", 150) + `"}]},"uuid":"b"}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		First(line)
	}
}
