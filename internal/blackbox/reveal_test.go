package blackbox

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// markerOf gives what stands in the place of the credential that a rule found.
func (h *Home) markerOf(t *testing.T, rule string) string {
	t.Helper()
	for _, s := range h.secrets(t) {
		if s.Rule == rule {
			return "[secret:" + rule + ":" + s.Fingerprint + "]"
		}
	}
	t.Fatalf("no %s is found", rule)
	return ""
}

// Matching is done on the true text, and what is printed is the redacted one: columns and
// offsets are bytes of that, and a match inside a value is the whole marker.
func TestGrepMasks(t *testing.T) {
	h, path, values := leaky(t)
	token, key := h.markerOf(t, "github-token"), h.markerOf(t, "private-key")
	piece := values[0][10:22]
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{piece}, h.Tilde(path) + ":use " + token + " please\n"},
		{[]string{"-n", "--column", piece}, h.Tilde(path) + ":1:5:use " + token + " please\n"},
		{[]string{"--vimgrep", piece}, path + ":1:5:use " + token + " please\n"},
		{[]string{"-o", piece}, h.Tilde(path) + ":" + token + "\n"},
		{[]string{"-o", "[A-Za-z0-9]{4} please"}, h.Tilde(path) + ":" + token + " please\n"},
		{[]string{"-o", "-F", "-e", values[0][4:9], "-e", values[0][20:25]}, h.Tilde(path) + ":" + token + "\n"}, // how many stand in it is not told
		{[]string{"-n", "--column", "please"}, fmt.Sprintf("%s:1:%d:use %s please\n", h.Tilde(path), 6+len(token), token)},
		{[]string{"-c", piece}, h.Tilde(path) + ":1\n"},
		{[]string{"--color", "always", piece}, "\x1b[35m" + h.Tilde(path) + "\x1b[0m:use \x1b[1;31m" + token + "\x1b[0m please\n"},
		// Every line of a key is one.
		{[]string{"-A", "2", "BEGIN PRIVATE"}, h.Tilde(path) + ":" + key + "\n" + h.Tilde(path) + "-" + key + "\n" + h.Tilde(path) + "-" + key + "\n"},
		{[]string{"-c", "[A-Za-z0-9+/]{64}"}, h.Tilde(path) + ":4\n"},
	} {
		args := append([]string{"grep"}, c.args...)
		r := h.Run(args...).exits(t, 0)
		if r.hides(t, values); r.Stdout != c.want {
			t.Errorf("%d flags print %q, want %q", len(args), r.Stdout, c.want)
		}
	}
	var event struct {
		Type string
		Data struct {
			Lines      struct{ Text string }
			Submatches []struct {
				Match      struct{ Text string }
				Start, End int
			}
		}
	}
	line := strings.Split(h.Run("grep", "--json", piece).Stdout, "\n")[1]
	if err := json.Unmarshal([]byte(line), &event); err != nil {
		t.Fatal(err)
	}
	if m := event.Data.Submatches; event.Data.Lines.Text != "use "+token+" please\n" || len(m) != 1 || m[0].Start != 4 || m[0].End != 4+len(token) || m[0].Match.Text != token {
		t.Errorf("the event is %+v", event)
	}
}

// What only stands near a name or a scheme is masked where it stands alone.
func TestValuesByContextAreMaskedThroughout(t *testing.T) {
	h, _, values := leaky(t)
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/app", S2, U("x1", "", "needle "+values[1]+" and needle "+values[2]), CustomTitle("with "+values[2]))
	for _, args := range [][]string{
		{"records"}, {"records", "--json"}, {"grep", "."}, {"grep", "--ndjson", "."}, {"grep", "--json", "."}, {"search", "curl OR needle"}, {"search", "--json", "curl OR needle"}, {"grep", "--query", "curl OR needle"},
	} {
		h.Run(args...).exits(t, 0).hides(t, values)
	}
}

// The near misses and everything else stay as they are.
func TestNothingElseIsMasked(t *testing.T) {
	h, _, _ := leaky(t)
	for _, args := range [][]string{{"records"}, {"grep", "."}, {"show", S1, "--full"}, {"search", "commit", "--json"}} {
		if r := h.Run(args...).exits(t, 0); !strings.Contains(r.Stdout, nearSHA) || !strings.Contains(r.Stdout, nearUUID) {
			t.Errorf("%v prints no near miss: %s", args, tail(r.Stdout))
		}
	}
	one := strings.ReplaceAll(h.Run("records", "--kind", "tool_call", "--json").Stdout, h.markerOf(t, "basic-auth-url"), "*")
	if one = strings.ReplaceAll(one, h.markerOf(t, "authorization-header"), "*"); !strings.Contains(one, `"curl -H 'Authorization: Bearer *' https://user:*@db.invalid/x"`) {
		t.Errorf("more than the values is changed: %s", one)
	}
}

// shown are command lines that, with --reveal, show the first prompt's credential.
var shown = [][]string{
	{"sessions"}, {"sessions", "--json"}, {"sessions", "--ndjson"}, {"search", "please"}, {"search", "please", "--json"}, {"search", "please", "--ndjson"}, {"grep", "please"}, {"grep", "--json", "please"},
	{"grep", "--ndjson", "please"}, {"grep", "--vimgrep", "please"}, {"records"}, {"records", "--json"}, {"show", S1}, {"show", S1, "--json"}, {"expiring", "--within", "100y"}, {"expiring", "--within", "100y", "--json"},
}

func TestReveal(t *testing.T) {
	h, _, values := leaky(t)
	refused := func(why string) {
		t.Helper()
		for _, args := range append(slices.Clone(shown), []string{"find"}, []string{"projects"}, []string{"stores"}) {
			r := h.Run(append(args, "--reveal")...).exits(t, 2)
			if r.hides(t, values); r.Stdout != "" || !strings.Contains(r.Stderr, "allow_reveal = true") || strings.Count(r.Stderr, "\n") != 1 {
				t.Errorf("%s: %v prints %q and says %q", why, args, r.Stdout, r.Stderr)
			}
		}
	}
	refused("no terminal")
	h.Vars["CLAUDECODE"] = "1"
	refused("an agent")
	h.Write(".config/seshat/config.toml", "allow_reveal = false\n", 0o600)
	refused("not allowed")
	h.Write(".config/seshat/config.toml", "allow_reveal = true\n", 0o600)
	for _, args := range shown {
		if r := h.Run(append(args, "--reveal")...).exits(t, 0); !strings.Contains(r.Stdout, values[0]) {
			t.Errorf("%v --reveal does not show what stands there: %s", args, tail(r.Stdout))
		}
		h.Run(args...).exits(t, 0).hides(t, values) // allowed is not asked for
	}
	h.Run("secrets", "--reveal").exits(t, 3).hides(t, values)
}

// Law 4: what is kept between runs has no credential in it, and changes no answer: not
// the titles, not what is found by them, not with --reveal.
func TestSecretTitlesAreTheSameFromTheCache(t *testing.T) {
	h, path, values := leaky(t)
	h.Claude("/srv/app", S2, U("y1", "", "nothing of the kind"), CustomTitle("plain title"))
	h.Write(".config/seshat/config.toml", "allow_reveal = true\n", 0o600)
	old := time.Now().Add(-time.Hour)
	h.Touch(path, old)
	time.Sleep(2100 * time.Millisecond) // so that the change times are settled
	lines := [][]string{{"sessions", "--json"}, {"sessions", "--json", "--reveal"}, {"sessions", values[0], "--json"}, {"sessions", "title:" + values[0][:20], "--json"}, {"search", "title:" + values[0], "--json"}, {"sessions", "--json"}}
	fresh := make([]string, len(lines))
	for i, args := range lines {
		_ = os.RemoveAll(h.Cache)
		fresh[i] = h.Run(args...).exits(t, 0).Stdout
	}
	for range 2 {
		for i, args := range lines {
			if got := h.Run(args...).exits(t, 0).Stdout; got != fresh[i] {
				t.Errorf("line %d prints another answer with a cache:\n%s\nwithout\n%s", i, got, fresh[i])
			}
		}
	}
	h.cached(t, values)
}

// Without a key a marker tells the rule alone, and nothing is shown all the same.
func TestMarkersWithoutKey(t *testing.T) {
	h, _, values := leaky(t)
	h.Vars["SESHAT_DATA_DIR"] = h.Path(".claude/seshat") // where nothing is written
	if r := h.Run("grep", "please").exits(t, 0); !strings.Contains(r.Stdout, ":use [secret:github-token] please\n") {
		t.Errorf("%q", r.Stdout)
	}
	h.Run("records").exits(t, 0).hides(t, values)
}
