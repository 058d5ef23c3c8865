package term

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain text\n\tindented": "plain text\n\tindented",
		"\x1b[2J\x1b[31mred":     `\x1b[2J\x1b[31mred`,
		"a\rb\b\x07\x00\x7f":     `a\rb\x08\x07\x00\x7f`,
		"\u202egnp.exe\u202c":    `\u202egnp.exe\u202c`,
		"\u009b31m":              `\u009b31m`,
		"\x9b31m":                `\x9b31m`, // the same control as one byte
		"a\u2028b\u2066c":        `a\u2028b\u2066c`,
		"naïve 漢字 👩‍💻":           "naïve 漢字 👩‍💻",
		"\ufffd":                 "\ufffd",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("a\nb\tc"); got != `a\nb\tc` {
		t.Errorf("a line keeps no break and no tab, got %q", got)
	}
}

func TestCutKeepsCharactersWhole(t *testing.T) {
	for in, want := range map[string]string{"abcdef": "abc…", "漢字漢字": "漢…", "e\u0301e\u0301e\u0301e\u0301e\u0301": "e\u0301e\u0301e\u0301…"} {
		if got := Cut(in, 4); got != want {
			t.Errorf("Cut(%q, 4) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"abc": "abc", "abcdef": "…def", "漢字漢字": "…字", "e\u0301e\u0301e\u0301e\u0301e\u0301": "…e\u0301e\u0301e\u0301"} {
		if got := CutStart(in, 4); got != want {
			t.Errorf("CutStart(%q, 4) = %q, want %q", in, got, want)
		}
	}
	if got := Pad("漢", 4); got != "漢  " {
		t.Errorf("Pad counts columns, got %q", got)
	}
}

// hostile reports whether a terminal could obey anything in s.
func hostile(s string) bool {
	if !utf8.ValidString(s) {
		return true
	}
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < 0x20 && r != '\n' && r != '\t' || r == 0x7f || formatting(r)
	})
}

func FuzzSafe(f *testing.F) {
	f.Add("\x1b]0;title\x07\u202e\x9b")
	f.Fuzz(func(t *testing.T, s string) {
		if hostile(Text(s)) || hostile(Line(s)) || strings.ContainsAny(Line(s), "\n\t") {
			t.Fatalf("%q is not safe: %q", s, Text(s))
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		out := JSON(b.Bytes())
		var back, plain string
		if json.Unmarshal(out, &back) != nil || json.Unmarshal(b.Bytes(), &plain) != nil || back != plain {
			t.Fatalf("JSON changed the text of %q", s)
		}
		if hostile(string(out)) {
			t.Fatalf("JSON of %q is not safe", s)
		}
	})
}
