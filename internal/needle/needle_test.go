package needle_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
)

// spell writes a text as a JSON string in one of the many ways that JSON and
// Unicode allow.
func spell(rnd *rand.Rand, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for seg := range strings.SplitSeq(text, "\n") {
		if out.Len() > 1 {
			out.WriteString(pick(rnd, `\n`, `\u000a`, `\u000A`))
		}
		var it norm.Iter
		it.InitString(norm.NFC, seg)
		for !it.Done() {
			unit := string(it.Next())
			if rnd.IntN(3) == 0 {
				unit = norm.NFD.String(unit)
			}
			for _, r := range unit {
				spellRune(rnd, &out, r)
			}
		}
	}
	out.WriteByte('"')
	return out.String()
}

func pick(rnd *rand.Rand, of ...string) string { return of[rnd.IntN(len(of))] }

// escapesOften decides how often a character that needs no escape gets one.
const escapesOften = 12

func spellRune(rnd *rand.Rand, out *strings.Builder, r rune) {
	switch {
	case r == '"' || r == '\\':
		out.WriteString(`\` + string(r))
	case r == '\t':
		out.WriteString(pick(rnd, `\t`, `\u0009`))
	case r == 'K' && rnd.IntN(4) == 0:
		out.WriteString(pick(rnd, "\u212a", `\u212a`, `\u212A`)) // the Kelvin sign composes to K
	case r == '/' && rnd.IntN(2) == 0:
		out.WriteString(`\/`)
	case r < ' ' || rnd.IntN(escapesOften) == 0:
		for _, u := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(out, pick(rnd, `\u%04x`, `\u%04X`), u)
		}
	default:
		out.WriteRune(r)
	}
}

// foldAtRandom puts letters of a text into another case.
func foldAtRandom(rnd *rand.Rand, text string) string {
	return strings.Map(func(r rune) rune {
		for range rnd.IntN(4) {
			r = unicode.SimpleFold(r)
		}
		return r
	}, text)
}

var alphabet = []string{
	"a", "b", "k", "K", "s", "S", "x", "0", "7", "_", "-", " ", "\t", `"`, `\`, "/", "<", ">", ".", ":", "[", "]", "e", "parser", "error", "é", "É", "ñ", "ệ",
	"Å", "ß", "ſ", "я", "й", "Ж", "漢", "字", "豈", "か", "が", "가", "각", "क़", "ά", "😀", "𝒳", "\u0301", "\u0323", "ё", "İ", "ǆ", "Σ", "ς",
}

func randomText(rnd *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(alphabet[rnd.IntN(len(alphabet))])
	}
	return norm.NFC.String(b.String())
}

// around puts a text between others so that its composed form still holds it.
func around(rnd *rand.Rand, text string) string {
	whole := randomText(rnd, rnd.IntN(4)) + " " + text + " " + randomText(rnd, rnd.IntN(4))
	if rnd.IntN(2) == 0 {
		whole = strings.TrimPrefix(strings.TrimSuffix(whole, " "), " ")
	}
	return norm.NFC.String(whole)
}

// Whatever the spelling, a line that holds a literal passes.
func TestEverySpellingPasses(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	tested := 0
	for i := range 60000 {
		lit := needle.Literal{Text: randomText(rnd, 1+rnd.IntN(5)), Fold: rnd.IntN(2) == 0}
		set := needle.New([]needle.Literal{lit})
		if set == nil {
			continue
		}
		text := around(rnd, lit.Text)
		if !strings.Contains(text, lit.Text) {
			continue // what stands beside it composes with it
		}
		if lit.Fold {
			text = norm.NFC.String(strings.Replace(text, lit.Text, foldAtRandom(rnd, lit.Text), 1))
			if !containsFold(text, lit.Text) {
				continue
			}
		}
		tested++
		line := spell(rnd, text)
		if rnd.IntN(3) == 0 {
			line = strings.Repeat(".", rnd.IntN(100)) + line + strings.Repeat(".", rnd.IntN(100))
		}
		if set.Next([]byte(line), 0) < 0 {
			t.Fatalf("case %d: the literal %q (fold %v) stands in %q, spelt %s, which does not pass", i, lit.Text, lit.Fold, text, line)
		}
	}
	if tested < 6000 {
		t.Fatalf("only %d literals were tested", tested)
	}
}

// containsFold compares rune by rune under simple folding.
func containsFold(text, lit string) bool {
	canon := func(s string) string {
		return strings.Map(func(r rune) rune {
			least := r
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				least = min(least, f)
			}
			return least
		}, s)
	}
	return strings.Contains(canon(text), canon(lit))
}

func TestPasses(t *testing.T) {
	tests := []struct {
		literal, line string
		fold, want    bool
	}{
		{"parser", `{"text":"the parser is here"}`, false, true},
		{"parser", `{"text":"the parse is here"}`, false, false},
		{"parser", `{"text":"PARSER"}`, false, false},
		{"parser", `{"text":"a PaRſER b"}`, true, true},
		{"the parser", `{"text":"the\u0020parser"}`, false, true},
		{"the parser", `{"text":"a parser"}`, false, false},
		{"the parser", `{"text":"the\n  parser"}`, false, true}, // its copy may be folded
		{"the parser", `{"text":"the  parser"}`, false, true},
		{"the  parser", `{"text":"the  parser"}`, false, true},
		{"the parser", `{"text":"the","more":"parser"}`, false, true}, // an adapter may join them
		{"say \"hello seshat\" twice", `{"text":"say \"hello seshat\" twice"}`, false, true},
		{"say \"hello seshat\" twice", `{"text":"say \"hello there\" twice"}`, false, false},
		{"漢字", `{"text":"漢字"}`, false, true},
		{"漢字", `{"text":"漢方"}`, false, false},
		{"漢字", `{"text":"\u6f22\u5b57"}`, false, true},
		{"漢字", `{"text":"漢\u5B57"}`, false, true},
		{"é", "{\"text\":\"cafe\u0301\"}", false, true},
		{"é", `{"text":"cafe\u0301"}`, false, true},
		{"é", `{"text":"cafe"}`, false, false},
		{"Привет", `{"text":"ПРИВЕТ"}`, true, true},
		{"Привет", `{"text":"ПРАВДА"}`, true, false},
		{"kelvin", "{\"text\":\"\u212aelvin\"}", true, true},
		{"Kelvin", "{\"text\":\"\u212aelvin\"}", false, true},
		{"deadbeef", `{"text":"dead\u001b[0mbeef"}`, false, false},
		{"😀", `{"text":"\ud83d\ude00"}`, false, true},
	}
	for _, tt := range tests {
		set := needle.New([]needle.Literal{{Text: tt.literal, Fold: tt.fold}})
		if set == nil {
			t.Errorf("%q cannot be found by its bytes", tt.literal)
			continue
		}
		if got := set.Next([]byte(tt.line), 0) >= 0; got != tt.want {
			t.Errorf("%q (fold %v) in %s: passes %v, want %v", tt.literal, tt.fold, tt.line, got, tt.want)
		}
	}
}

// Words that adapters make up, and texts across lines, have no set.
func TestNothingToFind(t *testing.T) {
	for _, text := range []string{"", " ", ": ", "12", "a\nb", "\t"} {
		if needle.New([]needle.Literal{{Text: text}}) != nil {
			t.Errorf("%q has a set", text)
		}
	}
}

// Next gives the first place, for any number of literals, at any distance.
func TestNextGivesTheFirstPlace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	words := []string{"zebra", "quux", "vortex", "json", "xylem"}
	for range 3000 {
		k := 1 + rnd.IntN(len(words))
		var lits []needle.Literal
		for _, w := range words[:k] {
			lits = append(lits, needle.Literal{Text: w})
		}
		set := needle.New(lits)
		b := bytes.Repeat([]byte{'.'}, rnd.IntN(9000))
		for range rnd.IntN(6) {
			w := words[rnd.IntN(len(words))]
			if at := rnd.IntN(len(b) + 1); at+len(w) <= len(b) {
				copy(b[at:], w)
			}
		}
		for from := 0; ; {
			want := -1
			for _, w := range words[:k] {
				if i := bytes.Index(b[from:], []byte(w)); i >= 0 && (want < 0 || from+i < want) {
					want = from + i
				}
			}
			got := set.Next(b, from)
			if got != want {
				t.Fatalf("from %d of %d bytes: place %d, want %d", from, len(b), got, want)
			}
			if want < 0 {
				break
			}
			from = want + 1
		}
	}
}

func FuzzPasses(f *testing.F) {
	f.Add("parser", "the parser", uint64(1), false)
	f.Add("é", "café", uint64(2), true)
	f.Fuzz(func(t *testing.T, lit, text string, seed uint64, fold bool) {
		lit, text = norm.NFC.String(strings.ToValidUTF8(lit, "")), norm.NFC.String(strings.ToValidUTF8(text, ""))
		set := needle.New([]needle.Literal{{Text: lit, Fold: fold}})
		if set == nil || strings.Contains(text, "\r") {
			return
		}
		held := strings.Contains(text, lit) || fold && containsFold(text, lit)
		if held && set.Next([]byte(spell(rand.New(rand.NewPCG(seed, 1)), text)), 0) < 0 {
			t.Fatalf("%q (fold %v) in %q does not pass", lit, fold, text)
		}
	})
}

func BenchmarkNext(b *testing.B) {
	line := []byte(`{"type":"user","message":{"role":"user","content":"` + strings.Repeat(`func (p *Parser) next() error {\n\treturn p.err // the end\n}`, 20) + `\u001b[0m"}}` + "\n")
	data := bytes.Repeat(line, (1<<20)/len(line))
	for _, lit := range []string{"zanzibarquux", "parses", "漢字"} {
		for _, fold := range []bool{false, true} {
			set := needle.New([]needle.Literal{{Text: lit, Fold: fold}})
			b.Run(fmt.Sprintf("%s/%v", lit, fold), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if set.Next(data, 0) >= 0 {
						b.Fatal("found")
					}
				}
			})
		}
	}
}

// Of several lists, each must find something in the same line.
func TestAll(t *testing.T) {
	lits := func(texts ...string) (list []needle.Literal) {
		for _, s := range texts {
			list = append(list, needle.Literal{Text: s})
		}
		return list
	}
	test := needle.All([][]needle.Literal{lits("get"), lits("Account", "Ledger"), lits("V7")})
	for text, want := range map[string]int{
		"getOldAccountV7":                    6,
		"get\nAccountV7":                     -1,
		"Account\nget\ngetAccountV7":         15,
		"xx Ledger get V7\n":                 3,
		"getAccount\nV7Account\nget Account": -1,
	} {
		if got := test.Next([]byte(text), 0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if want < 0 && agent.Loose(test).Next([]byte(text), 0) < 0 {
			t.Errorf("%q: the loose test refuses it", text)
		}
	}
	if needle.All(nil) != nil || needle.All([][]needle.Literal{lits("a"), lits("long", "b")}) != nil {
		t.Error("a test of what cannot be found")
	}
}

// A word is found wherever it stands in its block.
func TestWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	words := []string{`"id"`, `Uuids"`, `x`}
	w := needle.NewWords(words...)
	for range 2000 {
		b := bytes.Repeat([]byte{' '}, rnd.IntN(300))
		for range rnd.IntN(3) {
			word := words[rnd.IntN(len(words))]
			if at := rnd.IntN(len(b) + 1); at+len(word) <= len(b) {
				copy(b[at:], word)
			}
		}
		want := slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(b, []byte(word)) })
		if got := w.Holds(b); got != want {
			t.Fatalf("%q: holds %v", b, got)
		}
	}
}
