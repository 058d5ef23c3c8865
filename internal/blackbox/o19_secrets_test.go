package blackbox

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	letters  = "abcdefghijklmnopqrstuvwxyz" + capitals
)

// drawn gives n characters of an alphabet, the same in every run.
func drawn(r *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// leaky is case O19: a session with six credentials, made of pieces at run time, and
// two near misses.
func leaky(t *testing.T) (h *Home, path string, values []string) {
	h = New(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data")
	r := rand.New(rand.NewPCG(19, 1))
	pem := make([]string, 4)
	for i := range pem {
		pem[i] = drawn(r, 64, letters+"+/")
	}
	values = append([]string{
		"gh" + "p_" + drawn(r, 36, letters), drawn(r, 40, letters), "pa55" + "w0rdXYZ", "AK" + "IA" + drawn(r, 16, capitals), "sk-" + "ant-api03-" + drawn(r, 40, letters),
	}, pem...)
	command, _ := json.Marshal(map[string]string{"command": "curl -H 'Authorization: Bearer " + values[1] + "' https://user:" + values[2] + "@db.invalid/x"})
	path = h.Claude("/srv/app", S1,
		U("m1", "", "use "+values[0]+" please"),
		A("a1", "m1", "msg_1", ToolUse("t1", "Bash", string(command)), ""),
		UB("m2", "a1", ToolResult("t1", "id "+values[3]+"\nkey "+values[4]+"\n-----BEGIN "+"PRIVATE KEY-----\n"+strings.Join(pem, "\n")+"\n-----END "+"PRIVATE KEY-----\n"+
			"commit 3f786850e387550fdab836ed7e6dc881de23001b\nid 7c9e6679-7425-40de-944b-e07fc1f90ae7")),
	)
	return h, path, values
}

// hides fails the test when a run shows twelve characters of a value.
func (r Result) hides(t *testing.T, values []string) {
	t.Helper()
	for _, v := range values {
		for i := 0; i+min(12, len(v)) <= len(v); i++ {
			if piece := v[i : i+min(12, len(v))]; strings.Contains(r.Stdout+r.Stderr, piece) {
				t.Fatalf("%d characters of a credential are shown, from the %dth on", len(piece), i)
			}
		}
	}
}

// found is a seshat.secret/1 object.
type found struct {
	Schema, Rule, Provider, Fingerprint, First, Last string
	KeyID                                            string `json:"key_id"`
	Count                                            int
	Places                                           []struct {
		Agent, Store, Session, ID, Kind, Time, Tool, Path string
		Line                                              int
		Flags                                             []string
	}
}

// secrets asks for the credentials and fails when there are none.
func (h *Home) secrets(t *testing.T, args ...string) []found {
	t.Helper()
	return as[found](t, oneObject(t, h.Run(append([]string{"secrets", "--json"}, args...)...).exits(t, 3)))
}

func TestO19ScanFindsSix(t *testing.T) {
	h, path, values := leaky(t)
	text := h.Run("secrets").exits(t, 3)
	text.hides(t, values)
	one := h.Run("secrets", "--json").exits(t, 3)
	one.hides(t, values)
	h.Run("secrets", "--ndjson").exits(t, 3).hides(t, values)
	// By hand: the rule, the line and the kind of each.
	want := [][4]string{
		{"github-token", "1", "prompt", ""}, {"authorization-header", "2", "tool_call", "Bash"}, {"basic-auth-url", "2", "tool_call", "Bash"},
		{"aws-access-key", "3", "tool_result", "Bash"}, {"anthropic-key", "3", "tool_result", "Bash"}, {"private-key", "3", "tool_result", "Bash"},
	}
	a := oneObject(t, one)
	for _, item := range a.items {
		wellFormed(t, item, "seshat.secret/1")
		var o struct{ Places []json.RawMessage }
		decode(t, item, &o)
		for _, place := range o.Places {
			inOrder(t, place, "agent store session id kind time tool path line key flags", false)
		}
	}
	wellFormed(t, a.raw, "seshat.summary/1")
	list := as[found](t, a)
	if len(list) != len(want) || a.summary.Matches != len(want) {
		t.Fatalf("%d credentials, want %d: %+v", len(list), len(want), list)
	}
	for i, s := range list {
		p := s.Places[0]
		got := [4]string{s.Rule, string('0' + rune(p.Line)), p.Kind, p.Tool}
		if got != want[i] || len(s.Places) != 1 || s.Count != 1 || p.Session != S1 || p.Path != h.Tilde(path) || p.Time == "" || s.Schema != "seshat.secret/1" {
			t.Errorf("credential %d is %+v, want %q", i, s, want[i])
		}
		if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(s.Fingerprint) || !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(s.KeyID) {
			t.Errorf("fingerprint %q, key %q", s.Fingerprint, s.KeyID)
		}
		if line := h.Tilde(path) + ":" + want[i][1]; !strings.Contains(text.Stdout, s.Fingerprint+"  "+s.Rule) || !strings.Contains(text.Stdout, line) {
			t.Errorf("the text has no %s at %s:\n%s", s.Rule, line, text.Stdout)
		}
	}
}

func TestSecretsOfOneKeyAreOneRow(t *testing.T) {
	h, _, values := leaky(t)
	h.Claude("/srv/other", S2, U("n1", "", "again "+values[0]), U("n2", "n1", values[0]+" "+values[0]))
	h.Write(".claude/projects/-srv-app/memory/keys.md", "# Keys\n\nthe one: "+values[0]+"\n", 0o600)
	list := h.secrets(t)
	i := slices.IndexFunc(list, func(s found) bool { return s.Rule == "github-token" })
	if len(list) != 6 || i < 0 || len(list[i].Places) != 4 {
		t.Fatalf("%d rows, the token's is %d: %+v", len(list), i, list)
	}
	last := list[i].Places[3]
	if last.Kind != "document" || last.Line != 3 || !strings.HasSuffix(last.Path, "keys.md") {
		t.Errorf("the memory file is the last place, at line 3: %+v", last)
	}
	if list = h.secrets(t, "--project", "other"); len(list) != 1 || len(list[0].Places) != 2 {
		t.Errorf("of one project: %+v", list)
	}
	if list = h.secrets(t, "--since", "2026-01-02"); len(list) != 6 {
		t.Errorf("since the day of the session: %+v", list)
	}
	h.Run("secrets", "--project", "nowhere").exits(t, 1)
}

// Law 9: a resumed session repeats the lines of the old one, and what stands in them is
// counted where it stood first.
func TestSecretsInCopiesCountOnce(t *testing.T) {
	h, path, values := leaky(t)
	first := U("m1", "", "use "+values[0]+" please")
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude("/srv/app", S2, strings.ReplaceAll(first, Time, `"2026-01-02T03:04:01.000Z"`), U("m9", "m1", "more"))
	token := func(args ...string) found {
		list := h.secrets(t, args...)
		return list[slices.IndexFunc(list, func(s found) bool { return s.Rule == "github-token" })]
	}
	if s := token(); s.Count != 1 || len(s.Places) != 1 || s.Places[0].Path != h.Tilde(path) {
		t.Errorf("the token is counted %d times: %+v", s.Count, s)
	}
	if s := token("--copies"); s.Count != 2 || !slices.Contains(s.Places[1].Flags, "copy") {
		t.Errorf("with copies the token is counted %d times: %+v", s.Count, s)
	}
}

func TestSecretsExitCodes(t *testing.T) {
	h, _, values := leaky(t)
	h.Run("secrets", "--since", "2027").exits(t, 1).hides(t, values)
	for _, args := range [][]string{{values[0]}, {"--since", values[0]}, {"--baseline", values[0]}, {"--project", ""}} {
		h.Run(append([]string{"secrets"}, args...)...).exits(t, 2).hides(t, values)
	}
	clean := New(t)
	clean.Vars["SESHAT_DATA_DIR"] = filepath.Join(clean.base, "data")
	clean.Claude("/srv/app", S1, U("m1", "", "nothing of the kind"))
	clean.Run("secrets").exits(t, 1)
	if _, err := os.Stat(filepath.Join(clean.base, "data")); !os.IsNotExist(err) {
		t.Errorf("a key is made though nothing is found: %v", err)
	}
	clean.Write(app+S2+".jsonl", `{"type":"user","message":{"role":"user","content":"gh`+`p_`+values[0][4:20], 0o600)
	clean.Run("secrets").exits(t, 2)
}

func TestSecretsKey(t *testing.T) {
	h, _, values := leaky(t)
	before := h.secrets(t)
	key := filepath.Join(h.base, "data", "secrets.key")
	for path, mode := range map[string]os.FileMode{key: 0o600, filepath.Dir(key): 0o700 | os.ModeDir} {
		if fi, err := os.Stat(path); err != nil || filepath.Separator == '/' && fi.Mode() != mode {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
	if after := h.secrets(t); after[0].Fingerprint != before[0].Fingerprint || after[0].KeyID != before[0].KeyID {
		t.Error("two runs tell different fingerprints")
	}
	base := h.Write("known.json", h.Run("secrets", "--json").Stdout, 0o600)
	lines := h.Write("known.ndjson", h.Run("secrets", "--ndjson").Stdout, 0o600)
	h.Run("secrets", "--baseline", base).exits(t, 1)
	h.Run("secrets", "--baseline", lines).exits(t, 1)
	more := "gh" + "p_" + drawn(rand.New(rand.NewPCG(5, 5)), 36, letters)
	h.Claude("/srv/app", S2, U("x1", "", more))
	if list := h.secrets(t, "--baseline", base); len(list) != 1 || list[0].Places[0].Session != S2 {
		t.Errorf("beside the baseline: %+v", list)
	}
	// Another key makes other fingerprints, and an old baseline says nothing.
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if other := h.secrets(t); other[0].Fingerprint == before[0].Fingerprint {
		t.Error("another key gives the same fingerprint")
	}
	r := h.Run("secrets", "--baseline", base).exits(t, 2)
	if r.hides(t, values); !strings.Contains(r.Stderr, "another key") {
		t.Errorf("the message is %q", r.Stderr)
	}
	h.Run("secrets", "--baseline", h.Write("wrong.json", `{"a":1}`, 0o600)).exits(t, 2)
	// Nothing is written below an agent's folder.
	h.Vars["SESHAT_DATA_DIR"] = h.Path(".claude/seshat")
	h.Run("secrets").exits(t, 2).hides(t, values)
}

func TestSecretsGuide(t *testing.T) {
	h := New(t)
	out := h.Run("secrets", "--guide").exits(t, 0).Stdout
	for _, want := range []string{"https://github.com/settings/tokens", `"deny"`, "Read(**/.env)", "denyRead", `"ask": ["Bash(dangerouslyDisableSandbox:true)"]`, "aws-access-key"} {
		if !strings.Contains(out, want) {
			t.Errorf("the guide does not say %q", want)
		}
	}
}

// A name may hold a credential too.
func TestSecretsInNamesAreMasked(t *testing.T) {
	h, _, values := leaky(t)
	h.Claude("/srv/app", S2, A("b1", "", "msg_9", ToolUse("t9", "tool-"+values[0], `{"x":"`+values[0]+`"}`), ""), `{"type":"`+values[4]+`","uuid":"q1"}`, U(values[0], "", "see "+values[3]))
	h.Write(app+values[0]+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S1, U("s1", "", values[3])), 0o600)
	h.Run("secrets").exits(t, 3).hides(t, values)
	h.Run("secrets", "--ndjson").exits(t, 3).hides(t, values)
}
