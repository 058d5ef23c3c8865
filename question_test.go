package seshat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/query"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

func asked(t *testing.T, text string) *question {
	t.Helper()
	o := query.Options{Now: time.Date(2026, 5, 22, 12, 0, 0, 0, time.UTC)}
	q, err := query.Parse(text, o)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newQuestion(q, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The byte test lets every line pass that may hold a part of what is asked for, and
// few others.
func TestByteTestOfQuestions(t *testing.T) {
	for q, c := range map[string]struct{ passes, refused string }{
		"gateway":                     {"the GateWay", "gate way"},
		"gateway deploy":              {"deploy it", "nothing"},
		"gateway OR deploy":           {"deploy it", "nothing"},
		"gateway -deploy":             {"gateway", "deploy"},
		`"the gateway"`:               {"at the gateway", "the other gate way"},
		"/fail(ed|ure)/":              {"it failed", "it fell"},
		"text:gateway kind:prompt":    {"gateway", "prompt"},
		"gateway deploy kind:prompt":  {"gateway", "prompt"},
		"(gateway OR deploy) timeout": {"a timeout", "nothing"},
	} {
		test := asked(t, q).byteTest()
		if test == nil {
			t.Errorf("%s has no byte test", q)
			continue
		}
		if test.Next([]byte(`{"text":"`+c.passes+`"}`), 0) < 0 || test.Next([]byte(`{"text":"`+c.refused+`"}`), 0) >= 0 {
			t.Errorf("%s: %q should pass and %q should not", q, c.passes, c.refused)
		}
	}
	for _, q := range []string{"kind:prompt", "since:3d", "/a*/", "gateway OR kind:prompt", "/x?/ gateway"} {
		if asked(t, q).byteTest() != nil {
			t.Errorf("%s asks for more than a byte test can see", q)
		}
	}
}

func TestPartsOfQuestions(t *testing.T) {
	for q, want := range map[string]struct {
		terms, parts int
		near         bool
	}{
		"gateway":                     {1, 0, false},
		"gateway deploy":              {2, 2, true},
		"gateway gateway":             {1, 0, false},
		"gateway deploy kind:prompt":  {2, 2, true},
		"(gateway OR proxy) deploy":   {3, 2, true},
		"gateway -deploy":             {1, 0, false},
		"gateway /dep.*/ text:server": {3, 3, false},
		"kind:prompt":                 {0, 0, false},
	} {
		x := asked(t, q)
		if len(x.terms) != want.terms || len(x.parts) != want.parts || (x.near != nil) != want.near {
			t.Errorf("%s: %d terms, %d parts, near %v", q, len(x.terms), len(x.parts), x.near != nil)
		}
	}
}

func TestWholeWords(t *testing.T) {
	for text, want := range map[string]bool{
		"[auth]": true, "o[auth]2": false, "[auth]or": false, "x_[auth]": false, "é[auth]": false, "a [auth].": true,
		"[--auth]x": false, "x[--auth]": true, "日[本]語": true, "[]": true,
	} {
		from := strings.IndexByte(text, '[')
		to := strings.IndexByte(text, ']') - 1
		plain := strings.NewReplacer("[", "", "]", "").Replace(text)
		if got := wholeWord(plain, from, to); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestFeatures(t *testing.T) {
	f, places := asked(t, "gateway deploy").features(&record.Record{Kind: record.Prompt, Text: "Gateway deploys: the gateway deploy", Flags: record.Subagent})
	if got := fmt.Sprint(f.Terms); got != "[{2 true} {2 true}]" || !f.Phrase || !f.Subagent || f.Kind != record.Prompt {
		t.Errorf("%+v", f)
	}
	if got := fmt.Sprint(places); got != "[{0 7} {8 14} {21 28} {29 35}]" {
		t.Errorf("places %s", got)
	}
}

// What is near is spelt with one edit in short words and two in long ones.
func TestNearSpellings(t *testing.T) {
	words, test := nearTest([]string{"gateway", "tests", "run", "a phrase", "x.y.z"})
	if len(words) != 2 || test == nil {
		t.Fatalf("%+v", words)
	}
	got := spelt("Gatway gateways GATEAWY gateway test text testing tosts pathway", words)
	var names []string
	for _, n := range got {
		names = append(names, n.Asked+"/"+n.Word)
	}
	if want := []string{"gateway/gatway", "gateway/gateawy", "tests/test", "tests/tosts", "gateway/pathway"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	seen := map[Near]int{{Asked: "tests", Word: "test"}: 2, {Asked: "tests", Word: "tosts"}: 5, {Asked: "gateway", Word: "gatway"}: 1}
	if got := fmt.Sprint(nearest(words, seen)); got != "[{gateway gatway 1} {tests tosts 5} {tests test 2}]" {
		t.Errorf("%s", got)
	}
}

// Short handles are as long as it takes to tell them apart, and eight characters.
func TestShortHandles(t *testing.T) {
	ids := idList{"11111111-1111", "11111111-2222", "22222222-1111", "abc", "abcdefgh-1", "abcdefgh-2", "abcdefgh-22", "same-same"}
	for _, c := range []struct{ id, hash, want string }{
		{"11111111-1111", "", "11111111-1"}, {"11111111-2222", "", "11111111-2"}, {"22222222-1111", "", "22222222"}, {"abc", "", "abc"},
		{"abcdefgh-1", "", "abcdefgh-1"}, {"abcdefgh-2", "", "abcdefgh-2"}, {"abcdefgh-22", "", "abcdefgh-22"},
		{"same-same", "@12345678", "claude:same-same@12345678"}, {"", "agent1", "claude:agent1"},
	} {
		if got := ids.handle(&record.Session{ID: c.id, Handle: "claude:" + c.id + c.hash}); got != c.want {
			t.Errorf("%s%s is called %s, want %s", c.id, c.hash, got, c.want)
		}
	}
}

// A query for what is not read otherwise reads it, and no more than that.
func TestWiden(t *testing.T) {
	l, err := Open(Options{Home: t.TempDir(), Vars: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	notice, doc, prompt := &record.Record{Kind: record.Notice}, &record.Record{Kind: record.Document, Store: "claude.plans"}, &record.Record{Kind: record.Prompt}
	for q, want := range map[string]string{
		"x": "false false true", "x kind:notice": "true false true", "x kind:document": "false true true", "x scope:all": "true true true",
		"x store:claude.plans": "false true true", "x -kind:notice": "false false true", "x scope:prompts": "false false true",
	} {
		sel := Selection{}
		wants := l.widen(&sel, asked(t, q).query)
		if got := fmt.Sprint(wants(notice), wants(doc), wants(prompt)); got != want {
			t.Errorf("%s: %s", q, got)
		}
		if wide := strings.HasPrefix(want, "true") || strings.Contains(want, "true true"); (sel.Scope == record.ScopeAll) != wide {
			t.Errorf("%s: the scope is %q", q, sel.Scope)
		}
	}
	sel := Selection{Scope: record.ScopePrompts}
	if wants := l.widen(&sel, asked(t, "x kind:notice").query); wants(notice) || sel.Scope != record.ScopePrompts {
		t.Error("a scope that was chosen is widened")
	}
}

var _ agent.ByteTest = noting{}
var _ search.Weighed = (*finding)(nil)
