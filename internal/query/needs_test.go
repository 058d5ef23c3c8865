package query

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/record"
)

// showNeeds writes alternatives with | between literals; ~ marks those that fold.
func showNeeds(all []Alternatives) string {
	var out []string
	for _, c := range all {
		var parts []string
		for _, l := range c {
			fold := ""
			if l.Fold {
				fold = "~"
			}
			parts = append(parts, fold+l.Text)
		}
		out = append(out, "("+strings.Join(parts, "|")+")")
	}
	return strings.Join(out, " ")
}

func TestRequired(t *testing.T) {
	for _, c := range []struct{ src, unknown, lacks, has string }{
		// What is required where the title is unknown, lacks every word, is "auth".
		{"auth", "(~auth)", "(~auth)", "(~auth)"},
		{"auth bug", "(~auth|~bug)", "(~auth) (~bug)", "(~bug)"},
		{`"a phrase"`, "(~a phrase)", "(~a phrase)", "(~a phrase)"},
		{"auth OR bug", "(~auth|~bug)", "(~auth|~bug)", "(~auth|~bug)"},
		{"(m OR n) auth", "(~m|~n|~auth)", "(~m|~n) (~auth)", "(~m|~n)"},
		{"(m n) OR c", "(~m|~n|~c)", "(~m|~c) (~n|~c)", "(~m|~c) (~n|~c)"},
		{"auth text:x", "(~x)", "(~auth) (~x)", "(~x)"},
		{"text:x text:y", "(~x) (~y)", "(~x) (~y)", "(~x) (~y)"},
		{"NOT auth", "", "", ""}, {"x -auth", "(~x)", "(~x)", "(~x)"}, {"NOT (auth OR bug)", "", "", ""},
		{"kind:reply auth", "(~auth)", "(~auth)", "(~auth)"},
		{"kind:reply OR auth", "", "", ""}, {"kind:reply", "", "", ""}, {"", "", "", ""},
		{"(kind:reply OR x) y", "(~x|~y)", "(~y)", "(~y)"}, // y in a title would ask for x
		{"agent:claude x OR agent:gemini y", "(~x|~y)", "(~x|~y)", "(~x|~y)"},
		{"title:x", "", "()", "()"}, {"title:x y", "(~y)", "()", "()"}, {"title:auth y", "(~y)", "()", "(~y)"},
		{"text:*", "", "", ""},
		{"cafe\u0301", "(~café)", "(~café)", "(~café)"},
		{"/fail(ed|ure)/", "(~FAIL) (~ED|~URE)", "(~FAIL) (~ED|~URE)", "(~FAIL) (~ED|~URE)"},
		{"/(?-i:ab+)x?/", "(a) (b)", "(a) (b)", "(a) (b)"}, {"/x*/", "", "", ""}, {"/(ab){2}.|c/", "(~AB|~C)", "(~AB|~C)", "(~AB|~C)"},
	} {
		p := planFor(t, c.src)
		if got := showNeeds(p.Required(nil)); got != c.unknown {
			t.Errorf("%s: %s, want %s", c.src, got, c.unknown)
		}
		if got := showNeeds(p.Given(&Subject{Known: KnowsTitle}).Required(nil)); got != c.lacks {
			t.Errorf("%s, no title: %s, want %s", c.src, got, c.lacks)
		}
		if got := showNeeds(p.Given(&Subject{Known: KnowsTitle, Title: "auth"}).Required(nil)); got != c.has {
			t.Errorf("%s, auth in the title: %s, want %s", c.src, got, c.has)
		}
	}
}

func TestRequiredOfWhatIsGiven(t *testing.T) {
	claude := &Subject{Known: KnowsSource, Agent: "claude"}
	for src, want := range map[string]string{
		"(agent:claude x) OR (agent:gemini y)": "(~x)",
		"agent:gemini x":                       "()",
		"agent:gemini OR x":                    "(~x)",
		"agent:claude OR x":                    "",
		"agent:claude x":                       "(~x)",
		"NOT agent:claude":                     "()",
	} {
		p := planFor(t, src).Given(claude)
		if got := showNeeds(p.Required(nil)); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// However large a query is, what it requires stays small.
func TestRequiredStaysSmall(t *testing.T) {
	var parts []string
	for _, x := range strings.Fields("a b c d e f g h") {
		parts = append(parts, "(text:"+x+"1 text:"+x+"22 text:"+x+"333)")
	}
	got := planFor(t, strings.Join(parts, " OR ")).Required(nil)
	if len(got) == 0 || len(got) > maxClauses {
		t.Fatalf("%d alternatives", len(got))
	}
	s := (&Subject{Known: KnowsAll}).Of(&record.Record{Text: "c1 c22 c333"})
	if !meets(s.record.Text, got) {
		t.Errorf("a record that matches does not hold %s", showNeeds(got))
	}
	words := strings.Repeat("x", 1)
	for i := range 100 {
		words += " OR " + strings.Repeat("y", i+1)
	}
	if got := planFor(t, words).Required(nil); got != nil {
		t.Errorf("%d alternatives of a hundred words", len(got[0]))
	}
}

func TestRequiredAsksTheCaller(t *testing.T) {
	asked := ""
	got := planFor(t, "/a.b/ c").Given(&Subject{Known: KnowsTitle}).Required(func(re *syntax.Regexp) [][]Literal {
		asked = re.String()
		return [][]Literal{{{Text: "q"}, {Text: "r", Fold: true}}}
	})
	if showNeeds(got) != "(q|~r) (~c)" || asked == "" {
		t.Errorf("%s after asking for %q", showNeeds(got), asked)
	}
}

// meets reports whether a text holds what is required of it.
func meets(text string, required []Alternatives) bool {
	for _, c := range required {
		found := false
		for _, l := range c {
			if l.Fold {
				found = found || naiveIndex(text, l.Text) >= 0
			} else {
				found = found || strings.Contains(compose(text), l.Text)
			}
		}
		if !found {
			return false
		}
	}
	return true
}
