package jsonscan

import (
	"bytes"
	"fmt"
	"testing"
)

// told writes what a sketch tells of a value, so many levels deep.
func told(p Part, levels int) string {
	v := p.Value()
	if levels == 0 || v.Kind() != Object && v.Kind() != Array {
		return string(v)
	}
	out := "("
	for key, val := range p.Inside() {
		out += fmt.Sprintf("%s=%s;", key, told(val, levels-1))
	}
	return out + ")"
}

// read writes the same with what values tell.
func read(v Value, levels int) string {
	if levels == 0 || v.Kind() != Object && v.Kind() != Array {
		return string(v)
	}
	out := "("
	for key, val := range v.members() {
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(decode(key))
		}
		out += fmt.Sprintf("%s=%s;", key, read(val, levels-1))
	}
	for val := range v.Elems() {
		out += fmt.Sprintf("=%s;", read(val, levels-1))
	}
	return out + ")"
}

// sketched holds a sketch against Objects and Value: it takes exactly what is one
// whole object, and tells the same of it.
func sketched(t *testing.T, s *Sketch, b []byte, levels int) {
	t.Helper()
	objects, whole := Objects(b)
	if got := s.Read(b, levels); got != whole {
		t.Fatalf("%q: read %v, want %v", b, got, whole)
	}
	if !whole {
		if s.Top().Value() != nil {
			t.Fatalf("%q: refused, and told of as %q", b, s.Top().Value())
		}
		return
	}
	if got, want := told(s.Top(), levels), read(objects[0], levels); got != want {
		t.Fatalf("%q, %d levels: %s, want %s", b, levels, got, want)
	}
}

var sketches = []string{
	`{}`, ` { } `, `{"a":1}`, "\t{\"a\":{\"b\":[1,{\"c\":\"x\"},[]]},\"a\":2}\r\n", `{"k\u0065y":"v","key":"w"}`, `{"a\"b":1}`, `{"":{"":[]}}`,
	`{"a":1}{"b":2}`, `[1]`, `"x"`, `null`, ``, ` `, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a":[1,]}`, `{"a":[1 2]}`, `{"a":01}`, `{"a":"\x"}`,
	"{\"a\":\"\x01\"}", "\x00{\"a\":1}", "\ufeff{\"a\":1}", `{"a":{"b":{"c":{"d":{"e":[{"f":1}]}}}}}`, `{"a":[[[[[1]]]]],"b":true}`, `{"a":tru}`,
}

func TestSketch(t *testing.T) {
	var s Sketch
	for _, text := range sketches {
		for levels := range 6 {
			sketched(t, &s, []byte(text), levels)
		}
	}
}

func TestSketchTells(t *testing.T) {
	var s Sketch
	if !s.Read([]byte(`{"type":"x","message":{"content":[{"type":"text"},{"n":1}],"id":"m"},"type":"user"}`), 4) {
		t.Fatal("refused")
	}
	top := s.Top()
	for path, got := range map[string]Value{
		`"user"`: top.Get("type").Value(), `"m"`: top.Get("message").Get("id").Value(), ``: top.Get("none").Get("of").Value(),
		`[{"type":"text"},{"n":1}]`: top.Get("message").Get("content").Value(),
	} {
		if string(got) != path {
			t.Errorf("got %q, want %q", got, path)
		}
	}
}

func FuzzSketch(f *testing.F) {
	for _, text := range sketches {
		f.Add([]byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, levels int) {
		var s Sketch
		sketched(t, &s, b, levels&7)
	})
}

func BenchmarkSketch(b *testing.B) {
	line := []byte(`{"parentUuid":"11111111-1111-4111-8111-111111111111","type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` +
		string(bytes.Repeat([]byte(`some output of a tool\n\twith \"quotes\" and more of it on the next line\n`), 40)) + `"}]},"toolUseResult":{"stdout":"` +
		string(bytes.Repeat([]byte(`some output of a tool\n\twith \"quotes\" and more of it on the next line\n`), 40)) + `","ok":true},"uuid":"x"}`)
	var s Sketch
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if !s.Read(line, 4) {
			b.Fatal("refused")
		}
	}
}
