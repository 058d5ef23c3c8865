package query

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/record"
)

// compiled parses and compiles a query.
func compiled(t testing.TB, src string) *Plan {
	t.Helper()
	q, err := Parse(src, Options{})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	p, err := Compile(q.Expr, Options{})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return p
}

// holds reports whether a record of nothing but a text matches a query.
func holds(t testing.TB, src, text string) bool {
	t.Helper()
	s := &Subject{Known: KnowsAll}
	return compiled(t, src).Match(s.Of(&record.Record{Text: text}))
}

func TestTextMatches(t *testing.T) {
	for _, c := range []struct {
		src, text string
		want      bool
	}{
		// Substrings, whatever the case.
		{"auth", "OAuth2", true}, {"AUTH", "oauth", true}, {"auth", "au th", false},
		{"fix bug", "a bug to FIX", true}, {"fix bug", "fix only", false},
		{`"fix bug"`, "a bug to fix", false}, {`"fix bug"`, "Fix Bug", true}, {`"fix bug"`, "fix  bug", false},
		{"a|b", "x a|b y", true}, {"a|b", "a", false},
		{"*", "2 * 3", true}, {"*", "x", false}, {`"`, `a "b`, true},
		{`C:\Users\sam\x`, `open c:\users\SAM\x.txt`, true},
		{"--no-verify", "git commit --no-verify", true}, {"-5", "x-5", true}, {"/srv/app/", "ls /srv/app/x", true},

		// Case beyond ASCII.
		{"привет", "ПРИВЕТ мир", true}, {"ПРИВЕТ", "привет", true}, {"мИр", "привет МиР", true},
		{"σοφος", "ΣΟΦΟΣ", true}, {"ΣΟΦΟΣ", "σοφος", true}, {"σοφοσ", "σοφος", true},
		{"kelvin", "\u212aelvin", true}, {"\u212aelvin", "KELVIN", true},
		{"session", "ſeſſion", true}, {"ſ", "S", true}, {"s", "ſ", true}, {"ession", "ſession", true}, {"eſſion", "seSSion", true},
		{"größe", "GRÖẞE", true}, {"GRÖẞE", "größe", true}, {"straße", "strasse", false}, {"strasse", "straße", false},
		{"éa", "ÉA", true}, {"aé", "AÉ", true}, {"Å", "å", true}, {"\u212b", "å", true},

		// One word in two spellings is one word.
		{"café", "visite au cafe\u0301", true}, {"cafe\u0301", "visite au café", true}, {"Zürich", "Zu\u0308rich", true}, {"zu\u0308RICH", "Zürich", true},
		{"cafe", "cafe\u0301", false}, {"cafe", "café", false},
		{";", "a\u037eb", true}, // the Greek question mark is a semicolon
		{"각", "\u1100\u1161\u11a8", true}, {"\u1100\u1161\u11a8", "각", true},

		// Scripts without spaces between words, and without case.
		{"日本", "これは日本語です", true}, {"本語", "これは日本語です", true}, {"日語", "これは日本語です", false},
		{"국어", "한국어를", true}, {"ภาษา", "นี่คือภาษาไทย", true}, {"🎉", "done 🎉!", true}, {"🎉", "done 🎊!", false},

		// Full-width letters are letters of their own, in either case.
		{"api", "ＡＰＩ key", false}, {"ａｐｉ", "ＡＰＩ key", true}, {"ＡＰＩ", "api key", false},

		// Bytes that are no text.
		{"\xff", "a\ufffdb", true}, {"\xff", "a\xffb", false}, {"\xd0", "п", false}, {"a\ufffd", "A\xff", false}, {"a\ufffd", "A\ufffd", true}, {"a", "\xffA", true},

		// Regular expressions fold case, and know lines.
		{"/fail(ed|ure)/", "it FAILED", true}, {"/^b$/", "a\nB\nc", true}, {"/a.b/", "a\nb", false}, {"/(?-i:x)/", "X", false},
		{"/caf./", "cafe\u0301", true}, {"/^cafe.$/", "cafe\u0301", false}, {"/é/", "E\u0301", true}, {`/\QA./`, "xa.", true}, {"/x|b$/", "a\nB\nc", true},

		{"a OR b", "xbx", true}, {"a OR b", "x", false}, {"x -b", "x", true}, {"x -b", "xb", false}, {"NOT b", "x", true},
		{"x -(b OR c)", "xc", false}, {"x -(b c)", "xc", true},
	} {
		if got := holds(t, c.src, c.text); got != c.want {
			t.Errorf("%s in %q: %v", c.src, c.text, got)
		}
	}
}

// The ten messages of a bug report: each query finds its own and no other.
func TestPunctuationFindsItsOwn(t *testing.T) {
	messages := []string{"don't use agents here", "see Downloads/transcripts now", "open gateway/run.py", "mail user@host", "a,b,c", "why? because", "e=mc2", "#tag one", "[bracket] two", `say "quoted words" ok`}
	queries := []string{"don't use", "Downloads/transcripts", "gateway/run.py", "user@host", "a,b", "why?", "e=mc2", "#tag", "[bracket]", `"quoted words"`}
	for i, q := range queries {
		for j, m := range messages {
			if got := holds(t, q, m); got != (i == j) {
				t.Errorf("%s in %q: %v", q, m, got)
			}
		}
		if parsed, err := Parse(q, Options{}); err != nil || len(parsed.Hints) > 0 {
			t.Errorf("%s: %v, %v", q, parsed.Hints, err)
		}
	}
}

func TestHighlights(t *testing.T) {
	for _, c := range []struct {
		src, text string
		want      []Range
	}{
		{"fix", "fix Fix prefix", []Range{{0, 3}, {4, 7}, {11, 14}}},
		{"abc bcd", "xabcdx", []Range{{1, 5}}}, // they overlap
		{"ab cd", "abcd", []Range{{0, 4}}},     // they touch
		{"aa", "aaaaa", []Range{{0, 4}}},
		{"a -b", "ab", []Range{{0, 1}}},
		{"a OR b", "b a", []Range{{0, 1}, {2, 3}}},
		{"text:a title:b", "ab", []Range{{0, 1}}},
		{"kind:reply", "reply", nil},
		{"/b+/", "abbb b", []Range{{1, 4}, {5, 6}}}, {"/x*/", "aaa", nil},
		{"café", "au cafe\u0301!", []Range{{3, 9}}},
		{"zürich", "Zu\u0308rich cafe\u0301 Zürich", []Range{{0, 8}, {16, 23}}},
		{"/caf.!/", "cafe\u0301!", []Range{{0, 7}}},
		{"x", "x\u0302y", []Range{{0, 3}}}, // there is no composed form, so the mark stays with its letter
		{"ПРИВЕТ", "о, привет", []Range{{4, 16}}},
		{"kelvin", "\u212aelvin", []Range{{0, 8}}},
		{"é", "e\u0301e\u0301", []Range{{0, 6}}},
		{"본", "일본어", []Range{{3, 6}}},
	} {
		got := compiled(t, c.src).Highlights(c.text)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s in %q: %v, want %v", c.src, c.text, got, c.want)
		}
	}
	if got := compiled(t, "a text:b title:c -d").TitleHighlights("abcd"); !slices.Equal(got, []Range{{0, 1}, {2, 3}}) {
		t.Errorf("in a title: %v", got)
	}
}

// What finding bytes in place of characters rests on: in composed form, only the
// long s folds to an ASCII letter, and no character has more than four forms.
func TestFoldingKnowsAllCharacters(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if norm.NFC.IsNormalString(string(r)) && foldRune(r) < utf8.RuneSelf && r != 'ſ' {
			t.Errorf("%U folds to ASCII", r)
		}
		if forms := formsOf(r); len(forms) > len([4]places{}) {
			t.Errorf("%U has %d forms", r, len(forms))
		}
	}
}

// A settled character is composed, and neither orders nor joins its neighbours.
func TestSettled(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || !settled(r) {
			continue
		}
		p := norm.NFC.PropertiesString(string(r))
		if p.CCC() != 0 || !p.BoundaryBefore() || !norm.NFC.IsNormalString(string(r)) {
			t.Errorf("%U is not settled", r)
		}
	}
}

func FuzzCompose(f *testing.F) {
	f.Add("cafe\u0301 \u1100\u1161 \uac00\u11a8 \u212b")
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := isComposed(s), norm.NFC.IsNormalString(s); got != want {
			t.Fatalf("%q: %v", s, got)
		}
	})
}

func TestIsASCII(t *testing.T) {
	for n := range 40 {
		s := strings.Repeat("x", n)
		if !isASCII(s) {
			t.Errorf("%d letters are not ASCII", n)
		}
		for i := range n {
			if isASCII(s[:i] + "\x80" + s[i+1:]) {
				t.Errorf("byte %d of %d is overlooked", i, n)
			}
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, value string
		want           bool
	}{
		{"a*", "abc", true}, {"a*", "ba", false}, {"*c", "abc", true}, {"*b*", "abc", true}, {"a*c", "abcd", false}, {"a?c", "aBc", true}, {"a?c", "ac", false},
		{"a?", "aé", true}, {"**", "", true}, {"*", "x", true}, {"", "", true}, {"", "x", false}, {"A*É", "axé", true}, {"a*b*c", "a1b2b3c", true},
		{"*ab", "aab", true}, {"*aab*", "aaab", true}, {"feature/*", "feature/x/y", true}, {"?", "\xff", true}, {"\ufffd", "\xff", false},
	} {
		if got := globMatch(c.pattern, c.value); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.value, got)
		}
	}
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"/srv/*", "/srv/a", true}, {"/srv/*", "/srv/a/b", false}, {"/srv/**", "/srv/a/b", true}, {"/srv/**", "/srv", true}, {"**/b", "/srv/a/b", true},
		{"**/a/**/c", "/a/x/y/c", true}, {"**/a/**/c", "/b/x/c", false}, {"/SRV/A?", "/srv/ab", true},
	} {
		if got := componentsMatch(strings.Split(c.pattern, "/"), strings.Split(c.path, "/"), globMatch); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.path, got)
		}
	}
}
