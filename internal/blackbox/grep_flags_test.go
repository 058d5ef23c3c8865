package blackbox

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// stanza is a session whose first record has five lines of text.
func stanza(t *testing.T) (h *Home, path string) {
	h = New(t)
	path = h.Claude("/srv/app", S1,
		U("m1", "", "alpha one\nbeta two\ngamma three\nbeta four\ndelta five"),
		A("a1", "m1", "x", T("beta reply\nlast line, naïve_word"), ""))
	return h, path
}

// Flags mean what they mean in ripgrep.
func TestGrepFlags(t *testing.T) {
	h, path := stanza(t)
	for _, c := range []struct {
		args []string
		want string // ~ stands for the path as people see it, @ for the absolute one
	}{
		{[]string{"-v", "beta"}, "~:alpha one\n~:gamma three\n~:delta five\n~:last line, naïve_word\n"},
		{[]string{"-v", "-c", "beta"}, "~:4\n"},
		{[]string{"-v", "-e", "beta", "-e", "a"}, ""},
		{[]string{"-o", `b\w+ `}, "~:beta \n~:beta \n~:beta \n"},
		{[]string{"-o", "-n", "[ae] "}, "~:1:a \n~:1:a \n~:1:a \n~:1:a \n~:1:a \n~:2:a \n"},
		{[]string{"-w", "bet"}, ""},
		{[]string{"-w", "na"}, ""},
		{[]string{"-w", "naïve"}, ""}, // the underscore belongs to the word
		{[]string{"-w", "line"}, "~:last line, naïve_word\n"},
		{[]string{`\bre`}, "~:beta reply\n"},
		{[]string{`\bve`}, ""}, // no boundary behind ï
		{[]string{"-A", "1", "gamma"}, "~:gamma three\n~-beta four\n"},
		{[]string{"-B", "1", "gamma"}, "~-beta two\n~:gamma three\n"},
		{[]string{"-C", "1", "alpha"}, "~:alpha one\n~-beta two\n"},
		{[]string{"-C", "1", "delta"}, "~-beta four\n~:delta five\n"}, // never into the next record
		{[]string{"-A", "1", "beta"}, "~:beta two\n~-gamma three\n~:beta four\n~-delta five\n--\n~:beta reply\n~-last line, naïve_word\n"},
		{[]string{"-C", "1", "one|five"}, "~:alpha one\n~-beta two\n--\n~-beta four\n~:delta five\n"},
		{[]string{"-c", "-C", "1", "beta"}, "~:3\n"},
		{[]string{"-m", "1", "-A", "1", "beta"}, "~:beta two\n~-gamma three\n"},
		{[]string{"--column", "two"}, "~:1:6:beta two\n"},
		{[]string{"--column", "word"}, "~:2:19:last line, naïve_word\n"}, // ï takes two bytes
		{[]string{"--vimgrep", "a"}, "@:1:1:alpha one\n@:1:5:alpha one\n@:1:4:beta two\n@:1:2:gamma three\n@:1:5:gamma three\n@:1:4:beta four\n" +
			"@:1:5:delta five\n@:2:4:beta reply\n@:2:2:last line, naïve_word\n@:2:13:last line, naïve_word\n"},
		{[]string{"-f", "patterns"}, "~:gamma three\n~:delta five\n"},
	} {
		if c.args[0] == "-f" {
			h.Write("patterns", "gamma\nfive\n", 0o600)
		}
		want := strings.NewReplacer("~", h.Tilde(path), "@", path).Replace(c.want)
		r := h.Run(append([]string{"grep"}, c.args...)...)
		if r.Stdout != want {
			t.Errorf("grep %q prints\n%s\nwant\n%s\nstderr %s", c.args, r.Stdout, want, r.Stderr)
		}
		if code := map[bool]int{true: 0, false: 1}[want != ""]; r.Code != code {
			t.Errorf("grep %q exits with %d", c.args, r.Code)
		}
	}
	r := h.Do(Run{Args: []string{"grep", "-f", "-"}, Each: func(cmd *exec.Cmd) { cmd.Stdin = strings.NewReader("gamma\nfive\n") }})
	if got := lines(r.Stdout); len(got) != 2 {
		t.Errorf("grep -f - finds %q (stderr %q)", got, r.Stderr)
	}
	if r := h.Run("grep", "-f", "no-such-file").exits(t, 2); r.Stdout != "" {
		t.Errorf("grep -f of nothing prints %q", r.Stdout)
	}
	r = h.Run("grep", "--stats", "beta").exits(t, 0)
	wanted := strings.Join([]string{h.Tilde(path) + ":beta two", h.Tilde(path) + ":beta four", h.Tilde(path) + ":beta reply"}, "\n") +
		"\n\n3 lines matched in 2 records\n1 file with a match, 1 file read\n"
	if !strings.HasPrefix(r.Stdout, wanted) || !regexp.MustCompile(`\n\d+ B read\n[\d.]+m?s\n$`).MatchString(r.Stdout) {
		t.Errorf("grep --stats prints %q", r.Stdout)
	}
}

// --json speaks ripgrep's events; seshat's own summary is not among them.
func TestGrepEvents(t *testing.T) {
	h, path := stanza(t)
	type text struct{ Text string }
	type event struct {
		Type string
		Data struct {
			Path           text
			Lines          text
			LineNumber     int   `json:"line_number"`
			AbsoluteOffset int64 `json:"absolute_offset"`
			Submatches     []struct {
				Match      text
				Start, End int
			}
			Stats struct {
				Matches      int
				MatchedLines int `json:"matched_lines"`
				WithMatch    int `json:"searches_with_match"`
			}
		}
	}
	r := h.Run("grep", "--json", "a ").exits(t, 0)
	var types, matched []string
	for _, line := range lines(r.Stdout) {
		var e event
		decode(t, json.RawMessage(line), &e)
		types = append(types, e.Type)
		if e.Type != "summary" && e.Data.Path.Text != path {
			t.Errorf("the path is %q, want %q", e.Data.Path.Text, path)
		}
		if s := e.Data.Stats; (e.Type == "end" || e.Type == "summary") && (s.Matches != 6 || s.MatchedLines != 6 || s.WithMatch != 1) {
			t.Errorf("the figures of %s are %+v", e.Type, s)
		}
		if e.Type != "match" {
			continue
		}
		matched = append(matched, e.Data.Lines.Text)
		for _, m := range e.Data.Submatches {
			if got := e.Data.Lines.Text[m.Start:m.End]; got != m.Match.Text || got != "a " {
				t.Errorf("a match at %d-%d of %q is %q", m.Start, m.End, e.Data.Lines.Text, m.Match.Text)
			}
		}
		first := h.fill("/srv/app", S1, 1, U("m1", "", "alpha one\nbeta two\ngamma three\nbeta four\ndelta five")) + "\n"
		if want := map[int]int64{1: 0, 2: int64(len(first))}[e.Data.LineNumber]; e.Data.AbsoluteOffset != want || e.Data.LineNumber < 1 {
			t.Errorf("line %d stands at %d, want %d", e.Data.LineNumber, e.Data.AbsoluteOffset, want)
		}
	}
	if want := []string{"begin", "match", "match", "match", "match", "match", "match", "end", "summary"}; !slices.Equal(types, want) {
		t.Errorf("the events are %q, want %q", types, want)
	}
	if want := []string{"alpha one\n", "beta two\n", "gamma three\n", "beta four\n", "delta five\n", "beta reply\n"}; !slices.Equal(matched, want) {
		t.Errorf("the lines are %q, want %q", matched, want)
	}
	if !strings.Contains(r.Stderr, "seshat.summary/1") {
		t.Errorf("the summary does not go to stderr: %q", r.Stderr)
	}
	h.Run("grep", "--json", "nothing-like-it").exits(t, 1)
	types = nil
	for _, line := range lines(h.Run("grep", "--json", "-C", "1", "gamma").exits(t, 0).Stdout) {
		var e event
		decode(t, json.RawMessage(line), &e)
		types = append(types, e.Type+" "+strings.TrimSpace(e.Data.Lines.Text))
	}
	if want := []string{"begin ", "context beta two", "match gamma three", "context beta four", "end ", "summary "}; !slices.Equal(types, want) {
		t.Errorf("with context the events are %q, want %q", types, want)
	}
}
