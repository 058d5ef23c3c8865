package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// anyCount stands for a number of damaged lines that the contract leaves open.
const anyCount = -1

// brokenLines are ways in which a line of a transcript breaks, each standing
// between two good ones.
var brokenLines = []struct {
	what    string
	line    string   // raw, without its end; stamps are put in
	want    []string // texts of the records on it
	damaged int
	lost    string // a word in it that cannot be searched
}{
	{"record in two halves", `{"parentUuid":null,"type":"user","message":{"role":"user","content":"half-lost te`, nil, 1, "half-lost"},
	{"no JSON", `fatal: out of memory`, nil, 1, "memory"},
	{"an array", `[1,2,3]`, nil, 1, ""},
	{"a string", `"just-words"`, nil, 1, "just-words"},
	{"a number", `42`, nil, 1, ""},
	{"null", `null`, nil, 1, ""},
	{"NUL bytes", strings.Repeat("\x00", 512), nil, 1, ""},
	{"NUL bytes before a record", strings.Repeat("\x00", 4096) + U("n1", "m1", "behind the hole"), []string{"behind the hole"}, 1, ""},
	{"two records", U("n1", "m1", "first of two") + U("n2", "n1", "second of two"), []string{"first of two", "second of two"}, 1, ""},
	{"two records apart", U("n1", "m1", "first of two") + " \t" + U("n2", "n1", "second of two"), []string{"first of two", "second of two"}, 1, ""},
	{"three records", U("n1", "m1", "one") + A("n2", "n1", "x", T("two"), "") + U("n3", "n1", "three"), []string{"one", "two", "three"}, 1, ""},
	{"cut record before a whole one", `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"cut-off te` +
		U("n1", "m1", "whole again"), []string{"whole again"}, 1, "cut-off"},
	{"cut record before two", `{"parentUuid":"m1","type":"assistant","message":{"content":[{"type":"text","te` +
		U("n1", "m1", "whole again") + U("n2", "m1", "and again"), []string{"whole again", "and again"}, 1, ""},
	{"cut behind an inner object", `{"parentUuid":"m1","type":"assistant","message":{"content":[{"type":"text","text":"inner block"}`, nil, 1, "inner block"},
	{"whole record before a cut one", U("n1", "m1", "whole first") + `{"parentUuid":null,"type":"user","mess`, []string{"whole first"}, 1, ""},
	{"whole record before NUL bytes", U("n1", "m1", "whole first") + "\x00\x00\x00", []string{"whole first"}, 1, ""},
	{"a comma too many", strings.Replace(U("n1", "m1", "comma"), `"userType"`, `,"userType"`, 1), nil, 1, "comma"},
	{"an escape that JSON has not", strings.Replace(U("n1", "m1", `say PLACE`), "PLACE", `\x41gain`, 1), []string{`say \x41gain`}, 1, ""},
	{"a bare tab in a string", strings.Replace(U("n1", "m1", "a PLACE"), "PLACE", "\tb", 1), []string{"a \tb"}, 1, ""},
	{"bytes that are no UTF-8", strings.Replace(U("n1", "m1", "bad PLACE byte"), "PLACE", "\xff\xc3", 1), []string{"bad \ufffd\ufffd byte"}, anyCount, ""},
	{"half a surrogate pair", strings.Replace(U("n1", "m1", "half PLACE pair"), "PLACE", `\ud83d`, 1), []string{"half \ufffd pair"}, 0, ""},
	{"two halves in the wrong order", strings.Replace(U("n1", "m1", "PLACE!"), "PLACE", `\ude00\ud83d`, 1), []string{"\ufffd\ufffd!"}, 0, ""},
	{"a whole pair", strings.Replace(U("n1", "m1", "PLACE!"), "PLACE", `\ud83d\ude00`, 1), []string{"😀!"}, 0, ""},
	{"a byte order mark", "\ufeff" + U("n1", "m1", "marked"), []string{"marked"}, anyCount, ""},
	{"CRLF", U("n1", "m1", "windows") + "\r", []string{"windows"}, 0, ""},
	{"a blank line of CRLF", "\r", nil, 0, ""},
	{"spaces", " \t ", nil, 0, ""},
	{"spaces around", "  " + U("n1", "m1", "indented") + "  ", []string{"indented"}, 0, ""},
	{"a line separator in a string", strings.Replace(U("n1", "m1", "one PLACE line"), "PLACE", "\u2028\u0085\v", 1), []string{"one \u2028\u0085\v line"}, anyCount, ""},
	{"an empty object", `{}`, nil, 0, ""},
	{"many keys in the message", Line("user", "n1", "m1", "", `{`+manyKeys(5000)+`"content":"spread out"}`), []string{"spread out"}, 0, ""},
	{"deep arrays", Line("user", "n1", "m1", "", `{"content":`+strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)+`}`), nil, anyCount, ""},
	{"deep arrays, cut", `{"type":"user","message":` + strings.Repeat("[", 200_000), nil, 1, ""},
	{"deep objects, cut", strings.Repeat(`{"type":`, 50_000), nil, 1, ""},
	{"many starts, cut", strings.Repeat(`{"type":"user",`, 20_000), nil, 1, ""},
	{"deep input of a tool", A("n1", "m1", "x", ToolUse("t1", "Bash", `{"command":"ls"`+strings.Repeat(`,"a":{"b":"deep"`, 5000)+strings.Repeat(`}`, 5000)+`}`), ""),
		[]string{"ls*"}, 0, ""},
}

func manyKeys(n int) string {
	return strings.Repeat(`"1234":1,`, n)
}

// same compares texts; a wanted one that ends with a star is a beginning.
func same(got, want []string) bool {
	return slices.EqualFunc(got, want, func(g, w string) bool {
		if start, ok := strings.CutSuffix(w, "*"); ok {
			return strings.HasPrefix(g, start)
		}
		return g == w
	})
}

// Law 6: damage costs only itself, whatever it is.
func TestBrokenLinesCostOnlyThemselves(t *testing.T) {
	for _, c := range brokenLines {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			h := New(t)
			path := h.Claude("/srv/app", S1, U("m1", "", "good before"), c.line, U("m2", "m1", "good after"))
			h.Start = h.Start.AddDate(0, 0, 1)
			h.Claude("/srv/other", S2, U("o1", "", "good elsewhere"))

			recs, sum := h.records(t)
			want := append(append([]string{"good before"}, c.want...), "good after", "good elsewhere")
			if got := texts(recs); !same(got, want) {
				t.Errorf("records %.300q, want %.300q", got, want)
			}
			if sum.Sources.Read != 2 || sum.Sources.Failed != 0 || sum.Pending != 0 {
				t.Errorf("the summary: %+v", sum)
			}
			if c.damaged != anyCount && sum.DamagedLines != c.damaged {
				t.Errorf("%d damaged lines, want %d", sum.DamagedLines, c.damaged)
			}
			if sum.DamagedLines > 0 && (!sum.warned(h.Tilde(path), 2) || len(sum.Warnings) != 1) {
				t.Errorf("the warnings do not name line 2: %+v", sum.Warnings)
			}
			list, sum := h.sessions(t)
			if len(list) != 2 || c.damaged != anyCount && sum.DamagedLines != c.damaged {
				t.Errorf("%d sessions, %+v", len(list), sum)
			}
			r := h.Run("grep", "-F", "good").exits(t, 0)
			if got := len(lines(r.Stdout)); got != 3 {
				t.Errorf("grep finds %d of 3 good lines:\n%s", got, tail(r.Stdout))
			}
			// Of a line that looks whole by its ends and holds no match, grep need not tell.
			apart := !strings.HasPrefix(c.line, "{") || !strings.HasSuffix(c.line, "}")
			if c.damaged == 1 && apart && !strings.Contains(r.Stderr, h.Tilde(path)+":2: ") {
				t.Errorf("grep does not say which line is damaged: %q", r.Stderr)
			}
			shown := h.Run("show", S1).exits(t, 0).Stdout
			if !strings.Contains(shown, "good before") || !strings.Contains(shown, "good after") {
				t.Errorf("show prints %.1000s", shown)
			}
			h.Run("stores", "claude.projects.session", "--summary").exits(t, 0)
			if c.lost != "" {
				h.Run("grep", "-F", c.lost).exits(t, 2)
				h.Run("grep", c.lost+"|nowhere").exits(t, 2)
			}
		})
	}
}

// How a file ends.
func TestBrokenEnds(t *testing.T) {
	for _, c := range []struct {
		what             string
		end              string
		want             []string
		damaged, pending int
	}{
		{"torn record", `{"parentUuid":"m1","type":"user","message":{"role":"user","content":"torn te`, nil, 0, 1},
		{"torn at the first byte", `{`, nil, 0, 1},
		{"whole, not ended", strings.TrimSuffix(U("m2", "m1", "not ended"), "\n"), []string{"not ended"}, 0, 0},
		{"whole, then torn", U("m2", "m1", "whole") + `{"type":"user","mess`, []string{"whole"}, anyCount, anyCount},
		{"NUL bytes", strings.Repeat("\x00", 4096), nil, anyCount, anyCount},
		{"blank lines", "\n\n\n", nil, 0, 0},
		{"CRLF", U("m2", "m1", "windows") + "\r\n", []string{"windows"}, 0, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			h := New(t)
			path := h.Claude("/srv/app", S1, U("m1", "", "good before"))
			h.Append(path, h.fill("/srv/app", S1, 2, c.end))
			recs, sum := h.records(t)
			if got, want := texts(recs), append([]string{"good before"}, c.want...); !slices.Equal(got, want) {
				t.Errorf("records %q, want %q", got, want)
			}
			switch {
			case c.damaged == anyCount:
				if sum.DamagedLines+sum.Pending != 1 || !sum.warned(h.Tilde(path), 2) {
					t.Errorf("one line should be damaged or pending: %+v", sum)
				}
			case sum.DamagedLines != c.damaged || sum.Pending != c.pending:
				t.Errorf("%d damaged and %d pending, want %d and %d", sum.DamagedLines, sum.Pending, c.damaged, c.pending)
			}
		})
	}
}

// Files without a line.
func TestEmptyFiles(t *testing.T) {
	for what, data := range map[string]string{"empty": "", "blank": "\n \r\n\n", "mark": "\ufeff"} {
		t.Run(what, func(t *testing.T) {
			h := New(t)
			h.Write(".claude/projects/-srv-app/"+S1+".jsonl", data, 0o600)
			h.Write(".claude/history.jsonl", data, 0o600)
			h.Claude("/srv/other", S2, U("o1", "", "good elsewhere"))
			if recs, sum := h.records(t); len(recs) != 1 || sum.Sources.Read != 3 || sum.Sources.Failed != 0 {
				t.Errorf("%d records, %+v", len(recs), sum)
			}
			h.Run("sessions").exits(t, 0)
			if r := h.Run("show", S1); r.Code != 1 && (what != "mark" || r.Code != 2) {
				t.Errorf("show of an empty session: exit code %d, stderr %q", r.Code, r.Stderr)
			}
			if list, _ := h.sources(t); len(list) != 3 {
				t.Errorf("find names %d files, want 3", len(list))
			}
		})
	}
	h := New(t)
	h.Write(".claude/projects/-srv-app/"+S1+".jsonl", "", 0o600)
	h.Run("grep", "x").exits(t, 1)
	h.Run("records").exits(t, 1)
}
