package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// spell writes a text as a JSON string, each character in one of the spellings
// that JSON has for it.
func spell(text string, rng *rand.Rand) []byte {
	out := []byte{'"'}
	for _, r := range text {
		short := strings.IndexRune("\"\\/\b\f\n\r\t", r)
		mustEscape := r == '"' || r == '\\' || r == '\n'
		switch n := rng.IntN(10); {
		case short >= 0 && (mustEscape && n < 8 || n < 4):
			out = append(out, '\\', `"\/bfnrt`[short])
		case mustEscape || n == 9:
			format := [...]string{`\u%04x`, `\u%04X`}[rng.IntN(2)]
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, format, unit)
			}
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// transcriptLine puts a text into a line of a Claude transcript. Texts with and
// without escapes like \uXXXX must both occur, or the test tests little.
func transcriptLine(text string, rng *rand.Rand) []byte {
	str := spell(text, rng)
	if rng.IntN(2) == 0 {
		// Only the escapes that JSON needs.
		str = str[:1]
		for _, r := range text {
			switch r {
			case '"', '\\':
				str = append(str, '\\', byte(r))
			case '\n':
				str = append(str, `\n`...)
			case '\t':
				str = append(str, `\t`...)
			default:
				str = utf8.AppendRune(str, r)
			}
		}
		str = append(str, '"')
	}
	line := []byte(`{"parentUuid":null,"type":"user","message":{"role":"user","content":`)
	line = append(line, str...)
	return append(line, `},"uuid":"7f8e2d34-0000-4000-8000-000000000001","timestamp":"2026-01-02T03:04:05.000Z"}`...)
}

// alphabet is what random texts are made of: letters that meet in ordinary text,
// and whatever can make two spellings of one text differ.
var alphabet = strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z A B E K S Z 0 1 2 9 _ - . " +
	"auth needle Token kiosk class über straße ß ẞ é É e\u0301 E\u0301 o\u0308 \u0301 \u0323 \u212a \u017f \u212b \u2126 \u03c3 \u03c2 \u03a3 я Я привет " +
	"漢 한 한 😀 \U0001f469\u200d\U0001f4bb \\ \" / \\u \\u0041 \\n C:\\Users a/b ; \u037e ` \u1fef = \u0338 ( ) [ * + ?")

func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(30) {
		switch rng.IntN(14) {
		case 0:
			b.WriteByte(' ')
		case 1:
			b.WriteByte('\n')
		case 2:
			b.WriteString([...]string{"\t", "\r", "\x1b", "\x00", "\u0085", "\ufeff", "\ufffd", "\u2028", "\u00a0"}[rng.IntN(9)])
		case 3, 4, 5, 6:
			b.WriteString([...]string{"deploy", "gateway", "retry_queue", "OAuth2", "Kubernetes", "session"}[rng.IntN(6)])
		default:
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
	}
	return b.String()
}

// otherCase changes characters for others that fold to the same.
func otherCase(s string, rng *rand.Rand) string {
	return strings.Map(func(r rune) rune {
		for range rng.IntN(3) {
			r = unicode.SimpleFold(r)
		}
		return r
	}, s)
}

// cut takes a pattern out of a text: some characters of one line of it, perhaps
// in another normal form or another case.
func cut(text string, f Flags, rng *rand.Rand) string {
	lines := strings.Split(text, "\n")
	line := []rune(lines[rng.IntN(len(lines))])
	if rng.IntN(2) == 0 {
		line = []rune(norm.NFC.String(string(line)))
	}
	from := rng.IntN(len(line) + 1)
	p := string(line[from : from+rng.IntN(min(len(line)-from, 24)+1)])
	switch rng.IntN(4) {
	case 0:
		p = norm.NFD.String(p)
	case 1:
		p = norm.NFC.String(p)
	}
	if f.IgnoreCase || f.SmartCase {
		p = otherCase(p, rng)
	}
	return p
}

// checkByteTest checks that a line of a transcript with a match passes the byte
// test. It reports whether there was a test to pass, and a match.
func checkByteTest(t *testing.T, text, pattern string, f Flags, line []byte) (tested bool) {
	t.Helper()
	p, err := Compile([]string{pattern}, f)
	if err != nil {
		return false
	}
	test := p.ByteTest()
	if test == nil {
		return false
	}
	matches := false
	for l := range strings.SplitSeq(text, "\n") {
		matches = matches || p.Match(l)
	}
	if matches && !p.MatchText(text) {
		t.Errorf("MatchText refuses %q for the pattern %q with %+v", text, pattern, f)
	}
	if matches && test.Next(line, 0) < 0 {
		t.Errorf("the byte test of the pattern %q with %+v refuses the line\n%s\nwhich holds the text %q", pattern, f, line, text)
	}
	return matches
}

// The law of the byte test: it may pass too much, never too little.
func TestByteTestPassesEveryLineWithAMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	rounds := 20_000
	if testing.Short() {
		rounds = 5_000
	}
	tested, plain := 0, 0
	for range rounds {
		text := randomText(rng)
		line := transcriptLine(text, rng)
		decoded, _, _, ok := jsonscan.First(line)
		if got := decoded.Get("message").Get("content").Text(); !ok || got != text {
			t.Fatalf("the line %s holds %q, not %q", line, got, text)
		}
		f := Flags{Fixed: rng.IntN(2) == 0, IgnoreCase: rng.IntN(3) == 0, SmartCase: rng.IntN(4) == 0, Word: rng.IntN(6) == 0}
		if checkByteTest(t, text, cut(text, f, rng), f, line) {
			tested++
			if !bytes.Contains(line, []byte(`\u`)) {
				plain++
			}
		}
		if t.Failed() {
			return
		}
	}
	if tested < rounds/20 || plain < rounds/40 {
		t.Errorf("only %d lines with a match had a test to pass, %d of them without \\u", tested, plain)
	}
}

func FuzzByteTest(f *testing.F) {
	f.Add("the Kelvin sign \u212aelvin\nand a caf\u00e9", "kelvin", uint8(2), uint64(1))
	f.Add("deploy gateway \\u0041 C:\\Users\\sam", "gateway", uint8(1), uint64(2))
	f.Add("e\u0301clair na\u0308ive \U0001f600", "\u00e9clair", uint8(3), uint64(3))
	f.Add("tab\there", "b\there", uint8(0), uint64(4))
	f.Fuzz(func(t *testing.T, text, pattern string, flags uint8, seed uint64) {
		text = strings.ToValidUTF8(text, "\ufffd")
		rng := rand.New(rand.NewPCG(seed, 0))
		line := transcriptLine(text, rng)
		fl := Flags{Fixed: flags&1 != 0, IgnoreCase: flags&2 != 0, SmartCase: flags&4 != 0, Word: flags&8 != 0}
		checkByteTest(t, text, pattern, fl, line)
		checkByteTest(t, text, cut(text, fl, rng), fl, line)
	})
}

func TestByteTestRefusesWhatCannotMatch(t *testing.T) {
	line := []byte(`{"type":"user","message":{"content":"deploy the gateway"}}`)
	for _, c := range []struct {
		pattern string
		flags   Flags
		want    bool
	}{
		{"gateway", none, true},
		{"the gateway", none, true},
		{"Gateway", none, false},
		{"GATEWAY", fold, true},
		{"gatewax", fold, false},
		{"retry queue", none, false},
	} {
		test := compile(t, c.pattern, c.flags).ByteTest()
		if test == nil {
			t.Errorf("%q has no byte test", c.pattern)
		} else if got := test.Next(line, 0) >= 0; got != c.want {
			t.Errorf("%q with %+v: %v, want %v", c.pattern, c.flags, got, c.want)
		}
	}
}

// What hides a piece lets a line pass untested: an escaped letter, and media for a
// pattern that could match what an adapter writes in their place.
func TestByteTestPassesWhatItCannotJudge(t *testing.T) {
	for _, c := range []struct {
		pattern, line string
		want          bool
	}{
		{"deploy", `{"text":"d\u0065ploy"}`, true},
		{"imag", `{"type":"image","source":{}}`, true},
		{"docu", `{"type": "image"}`, true},
		{"OCUMENT", `{"type": "document"}`, true},
		{"deploy", `{"type":"image","source":{}}`, false},
		{"documentation", `{"type":"document"}`, false},
	} {
		if got := compile(t, c.pattern, fold).ByteTest().Next([]byte(c.line), 0) >= 0; got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.line, got)
		}
	}
}

func TestByteTestWithoutAPiece(t *testing.T) {
	for _, c := range []struct {
		pattern string
		flags   Flags
	}{
		{"a", none}, {"12", none}, {"sskk", fold}, {"--", fixed}, {"a.*b", none}, {"deploy|x", none}, {"(deploy)?", none},
	} {
		if compile(t, c.pattern, c.flags).ByteTest() != nil {
			t.Errorf("%q has a byte test", c.pattern)
		}
	}
}

// A regular expression has a byte test where something stands in every match; the
// test lets every line with a match pass, and few others.
func TestByteTestOfExpressions(t *testing.T) {
	for _, c := range []struct {
		pattern     string
		flags       Flags
		yes, no     string // a text that matches, one that the bytes alone refuse
		hasByteTest bool
	}{
		{`panic: .*nil pointer`, none, "panic: a nil pointer", "panic: all is well", true},
		{`(error|panic|fatal): `, none, "fatal: x", "warning: x", true},
		{`(?i)time\s?out.*retry`, none, "TIME OUT, then a ReTry", "time and again", true},
		{`func \w+\(ctx`, none, "func Do(ctx", "var ctx", true},
		{`(deploy)+`, none, "deploydeploy", "depl", true},
		{`(gateway){2,}`, none, "gatewaygateway", "gate", true},
		{`\bdeploy\b`, none, "to deploy it", "to depl it", true},
		{`[A-Z]{3}[0-9]{6}`, none, "ABC123456", "ABC12345", true},
		{`deploy?`, none, "deplo", "", true},
		{`x|`, none, "anything", "", false},
		{`ſession`, fold, "SESSION", "", true},
	} {
		p := compile(t, c.pattern, c.flags)
		if !p.Match(c.yes) {
			t.Fatalf("%s does not match %q", c.pattern, c.yes)
		}
		test := p.ByteTest()
		if (test != nil) != c.hasByteTest {
			t.Errorf("%s: a byte test %v", c.pattern, test != nil)
			continue
		}
		if test != nil && (test.Next([]byte(`"`+c.yes+`"`), 0) < 0 || c.no != "" && test.Next([]byte(`"`+c.no+`"`), 0) >= 0) {
			t.Errorf("%s: its byte test is wrong on %q or %q", c.pattern, c.yes, c.no)
		}
	}
}

// generalise makes an expression of a text that the text matches: some of its
// characters are classes, and some of them come again.
func generalise(text string, rng *rand.Rand) string {
	var b strings.Builder
	kept := 1 + rng.IntN(7) // one of so many characters is a class
	for _, r := range text {
		piece := regexp.QuoteMeta(string(r))
		switch {
		case rng.IntN(kept) > 0:
		case r < utf8.RuneSelf && unicode.IsUpper(r):
			piece = [...]string{"[A-Z]", `\w`, "[A-Z0-9_]", "[^a-z]", `\p{Lu}`}[rng.IntN(5)]
		case r < utf8.RuneSelf && unicode.IsLower(r):
			piece = [...]string{"[a-z]", `\w`, "[a-zA-Z]", "[^A-Z]", `\p{Ll}`}[rng.IntN(5)]
		case r < utf8.RuneSelf && unicode.IsDigit(r):
			piece = [...]string{"[0-9]", `\d`, `\w`, "[0-9a-f]"}[rng.IntN(4)]
		case unicode.IsSpace(r):
			piece = `\s`
		default:
			piece = [...]string{".", "[^x]", "[^a-zA-Z]", `\W?.`}[rng.IntN(4)]
		}
		b.WriteString(piece + [...]string{"", "", "", "", "+", "{1}", "{1,3}", "*", "?"}[rng.IntN(9)])
		if rng.IntN(12) == 0 {
			b.WriteString([...]string{"x?", "[0-9]*", "(?:)", `\d{0,2}`, "(?:xyz)?"}[rng.IntN(5)])
		}
	}
	return b.String()
}

// The law of the byte test for expressions, whose parts beside a literal count too.
func TestByteTestPassesWhatExpressionsMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	rounds := 1_500
	if testing.Short() {
		rounds = 500
	}
	tested := 0
	for range rounds {
		text := randomText(rng)
		f := Flags{IgnoreCase: rng.IntN(3) == 0, Word: rng.IntN(8) == 0}
		if checkByteTest(t, text, generalise(norm.NFC.String(cut(text, Flags{}, rng)), rng), f, transcriptLine(text, rng)) {
			tested++
		}
		if t.Failed() {
			return
		}
	}
	if tested < rounds/20 {
		t.Errorf("only %d lines with a match had a test to pass", tested)
	}
}
