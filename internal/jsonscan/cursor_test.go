package jsonscan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// walk goes over a value with a cursor and writes down what it meets.
func walk(c *Cursor, out *strings.Builder) {
	switch c.Kind() {
	case Object:
		for more := c.Open('{'); more; more = c.More('}') {
			out.Write(c.Key())
			out.WriteByte(':')
			walk(c, out)
		}
	case Array:
		for more := c.Open('['); more; more = c.More(']') {
			walk(c, out)
			out.WriteByte(',')
		}
	default:
		out.Write(c.Skip())
	}
}

// flat writes down the same of a value.
func flat(v Value, out *strings.Builder) {
	switch v.Kind() {
	case Object:
		for key, val := range v.members() {
			out.Write(key)
			out.WriteByte(':')
			flat(val, out)
		}
	case Array:
		for e := range v.Elems() {
			flat(e, out)
			out.WriteByte(',')
		}
	default:
		out.Write(v)
	}
}

// checkCursor holds a cursor against First: it takes what is valid and nothing else.
func checkCursor(t *testing.T, b []byte) {
	t.Helper()
	if tooDeep(b) {
		return
	}
	v, rest, strict, ok := First(b)
	valid := ok && strict && space(rest, 0) == len(rest)
	var got, want strings.Builder
	c := NewCursor(b)
	walk(&c, &got)
	if c.Whole() != valid {
		t.Fatalf("%q: whole is %v, want %v", b, c.Whole(), valid)
	}
	skip := NewCursor(b)
	if s := skip.Skip(); skip.Whole() != valid || valid && string(s) != string(v) {
		t.Fatalf("%q is passed over as %q, %v, want %q, %v", b, s, skip.Whole(), v, valid)
	}
	if !valid {
		return
	}
	if flat(v, &want); got.String() != want.String() {
		t.Fatalf("%q is walked over as %q, want %q", b, got.String(), want.String())
	}
}

func TestCursor(t *testing.T) {
	for _, s := range seeds {
		checkCursor(t, []byte(s))
	}
}

func FuzzCursor(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(checkCursor)
}

// FuzzParts holds the parts of a value against its text, and usual spelling against
// that of encoding/json.
func FuzzParts(f *testing.F) {
	for _, s := range append(seeds, `{"a":"x","main":"y\n","b":{"c":["d",{"e":"\u0066"}]},"":"z"}`, `{"main":"","main":"x"}`, `{"a":"\u001b\u0008\/\u001B"}`) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, rest, strict, ok := First(b)
		if !ok || !strict || len(rest) > 0 || tooDeep(b) {
			return
		}
		for _, main := range []string{"main", "", "a"} {
			parts, ok := MainFirstParts(v, main)
			if !ok {
				continue
			}
			var texts []string
			for _, p := range parts {
				if usual := Usual(p.Text.Inside()); usual != isUsual(p.Text) {
					t.Errorf("%q is usual: %v", p.Text, usual)
				}
				text := p.Text.Text()
				if p.Key != "" {
					text = p.Key + ": " + text
				}
				texts = append(texts, text)
			}
			if got, want := strings.Join(texts, "\n"), MainFirst(v, main); got != want {
				t.Errorf("%q with %q first is %q in parts, want %q", b, main, got, want)
			}
		}
	})
}

// isUsual tells by encoding/json whether a string is written as it would be.
func isUsual(v Value) bool {
	if !utf8.Valid(v) {
		return false
	}
	b, err := json.Marshal(v.Text())
	if err != nil {
		return false
	}
	for raw, escaped := range map[string]string{"<": `\u003c`, ">": `\u003e`, "&": `\u0026`, "\u2028": `\u2028`, "\u2029": `\u2029`} {
		b = []byte(replaceEscape(string(b), escaped, raw))
	}
	return slices.Equal(b, v)
}

// replaceEscape puts a character for its escape, where that is one.
func replaceEscape(s, escape, char string) string {
	var out strings.Builder
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, escape):
			out.WriteString(char)
			s = s[len(escape):]
		case s[0] == '\\':
			out.WriteString(s[:2])
			s = s[2:]
		default:
			out.WriteByte(s[0])
			s = s[1:]
		}
	}
	return out.String()
}
