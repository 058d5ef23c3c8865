package secret

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func testKey() (*Key, error) { return &Key{}, nil }

// pieceOf gives the first twelve characters of a value that stand in a text, or nothing.
func pieceOf(value, text string) string {
	n := min(12, len(value))
	for i := 0; i+n <= len(value); i++ {
		if strings.Contains(text, value[i:i+n]) {
			return value[i : i+n]
		}
	}
	return ""
}

// Law 8 as a property: of a text with a credential no piece is left, of one without
// everything; and to redact twice is to redact once.
func TestRedactedTextHasNoPiece(t *testing.T) {
	red := NewRedactor(testKey)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 8))
		for _, c := range positives(r) {
			edits, values := red.Look(c.text)
			out := edits.Apply(c.text)
			if len(Find(c.text)) == 0 {
				continue // recall is another test's
			}
			for _, f := range Find(c.text) {
				value := c.text[f.From:f.To]
				if f.Rule == privateKey {
					value = strings.NewReplacer("\n", "", `\n`, "").Replace(value)
				}
				if p := pieceOf(value, out); p != "" {
					t.Fatalf("%s: %d characters of it are in %q", f.Rule.ID, len(p), out)
				}
				if !strings.Contains(out, "[secret:"+f.Rule.ID+":"+(&Key{}).Fingerprint(Canonical(c.text, f))+"]") {
					t.Errorf("no marker with the fingerprint of %s in %q", f.Rule.ID, out)
				}
			}
			if again, _ := red.Look(out); again.Apply(out) != out {
				t.Errorf("twice redacted %q is %q", out, again.Apply(out))
			}
			if len(values) == 0 {
				t.Errorf("nothing is known of %q", out)
			}
		}
		for _, c := range nearMisses(r) {
			if out := red.Line(c.text); out != c.text && len(Find(c.text)) == 0 && !strings.HasSuffix(c.text, ellipsis) {
				t.Errorf("a text without a credential is changed: %q to %q", c.text, out)
			}
		}
	}
}

// A text that was cut to be a title has no piece either, wherever it was cut.
func TestCutLinesHaveNoPiece(t *testing.T) {
	red := NewRedactor(testKey)
	r := rand.New(rand.NewPCG(3, 8))
	for _, c := range positives(r) {
		at := strings.Index(c.text, c.value)
		if c.value == "" || at < 0 || strings.ContainsAny(c.text[:at], "\n\x1b") || len(Find(c.text)) != 1 {
			continue
		}
		first := 12
		switch c.rule { // what stands before is no secret
		case "slack-webhook":
			first = len("hooks.slack" + ".com/services/T01")
		case "telegram-token":
			first = len("0123456789:A" + "Ab1")
		}
		for n := first; n <= len(c.value)+1 && at+n <= len(c.text); n++ {
			title := c.text[:at+n] + ellipsis
			if p := pieceOf(c.value, red.Line(title)); p != "" {
				t.Errorf("%s, %d of %d characters: %q shows %q", c.rule, n, len(c.value), title, p)
			}
		}
	}
}

func TestMarkerWithoutKey(t *testing.T) {
	token := "gh" + "p_" + draw(rand.New(rand.NewPCG(1, 1)), 36, alnums)
	broken := NewRedactor(func() (*Key, error) { return nil, errors.New("no key") })
	for _, got := range []string{Mask("a " + token), broken.Line("a " + token)} {
		if got != "a [secret:github-token]" {
			t.Errorf("%q", got)
		}
	}
}

// A value that is told by what stands around it is masked where it stands alone.
func TestValueAloneIsMasked(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	password, bearer := "pa55"+"w0rd"+"XYZ", "k3"+draw(r, 38, alnums)
	text := "curl -H 'Authorization: Bearer " + bearer + "' https://sam:" + password + "@db.invalid/x\nlater " + bearer + " and " + password + "."
	if out := Mask(text); out != "curl -H 'Authorization: Bearer [secret:authorization-header]' https://sam:[secret:basic-auth-url]@db.invalid/x\nlater [secret:authorization-header] and [secret:basic-auth-url]." {
		t.Errorf("%q", out)
	}
	var k Known
	_, values := NewRedactor(nil).Look(text)
	k.Add(values)
	for in, want := range map[string]string{
		"try " + password:                 "try [secret:basic-auth-url]",
		"x" + password:                    "x" + password, // another word
		"x" + bearer + "y":                "x[secret:authorization-header]y",
		password + password[:3]:           password + password[:3],
		bearer[:39]:                       bearer[:39],
		"[secret:github-token] " + bearer: "[secret:github-token] [secret:authorization-header]",
		"nothing of the kind":             "nothing of the kind",
	} {
		if got := k.Look(in, Ends{}).Apply(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		bearer[10:] + " is it " + bearer[:15]: "[secret:authorization-header] is it [secret:authorization-header]",
		bearer[30:] + " is it " + bearer[:11]: bearer[30:] + " is it " + bearer[:11],
	} {
		if got := k.Look(in, Ends{true, true}).Apply(in); got != want {
			t.Errorf("cut %q gives %q, want %q", in, got, want)
		}
	}
}

// Also as a URL or a header spell it otherwise, and by the lines of a key.
func TestOtherSpellingsAreKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	key := pemOf(r, "", "\n", 3)
	line := strings.Split(key, "\n")[2]
	text := "postgres://app:Zx9%2FkQ7rdW2@db.invalid/x\n" + key + "\nthen Zx9/kQ7rdW2 and " + line
	if out := Mask(text); strings.Contains(out, "kQ7") || strings.Contains(out, line[:12]) {
		t.Errorf("%q", out)
	}
}

func TestFolderNames(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	body := draw(r, 36, alnums)
	path := "/home/sam/.claude/projects/-srv-" + "gh" + "p-" + body + "/x.jsonl"
	if got := Mask(path); got != "/home/sam/.claude/projects/-srv-[secret:github-token]/x.jsonl" || !Holds(path) {
		t.Errorf("%q", got)
	}
	if plain := "/home/sam/.claude/projects/-srv-gh" + "p-readme/x.jsonl"; Mask(plain) != plain || Holds(plain) {
		t.Errorf("%q", Mask(plain))
	}
}

// By hand: abcdefghij with cd changed to <M> and gh to <N!>.
func TestEdits(t *testing.T) {
	text := "abcdefghij"
	e := Edits{{2, 4, "<M>"}, {6, 8, "<N!>"}}
	if got := e.Apply(text); got != "ab<M>ef<N!>ij" {
		t.Errorf("%q", got)
	}
	for _, c := range []struct{ in, want [][]int }{
		{[][]int{{0, 2}}, [][]int{{0, 2}}},         // before it
		{[][]int{{2, 3}}, [][]int{{2, 5}}},         // a part is the whole
		{[][]int{{2, 3}, {3, 4}}, [][]int{{2, 5}}}, // and two parts are one
		{[][]int{{1, 3}}, [][]int{{1, 5}}},         // into it
		{[][]int{{3, 5}}, [][]int{{2, 6}}},         // out of it
		{[][]int{{4, 6}}, [][]int{{5, 7}}},         // between
		{[][]int{{1, 9}}, [][]int{{1, 12}}},        // over both
		{[][]int{{7, 8}, {9, 10}}, [][]int{{7, 11}, {12, 13}}},
		{[][]int{{3, 3}, {3, 3}, {4, 4}}, [][]int{{2, 2}, {5, 5}}}, // empty ones
		{nil, nil},
	} {
		if got := e.Ranges(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v gives %v, want %v", c.in, got, c.want)
		}
	}
	if got := e.Within(3, 7); !slices.Equal(got, Edits{{0, 1, "<M>"}, {3, 4, "<N!>"}}) {
		t.Errorf("%v", got)
	}
	if got := e.Within(4, 6); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := e.With(Edits{{3, 7, "<O>"}}).Apply(text); got != "ab<M>ij" {
		t.Errorf("%q", got)
	}
}
