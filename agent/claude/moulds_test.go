package claude

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// described writes what a usual line was found to be.
func described(u *usual) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d %q %q %v %v %v %q", u.typ, u.uuid, u.answer, u.compact, u.apiError, u.noModel, u.text)
	for _, b := range u.blocks {
		fmt.Fprintf(&out, "\n%d %q %q %q %q", b.is, b.text, b.name, b.id, u.texts[b.texts[0]:b.texts[1]])
	}
	return out.String()
}

// spelling of what a line says, as far as that was noted, is that of its texts.
func checkSpellings(t testing.TB, u *usual, line []byte) {
	t.Helper()
	check := func(text jsonscan.Value, how jsonscan.Spelling) {
		if inside := text.Inside(); jsonscan.UsualAs(inside, how) != jsonscan.Usual(inside) {
			t.Fatalf("%q is not written as %b, in %s", inside, how, line)
		}
	}
	check(u.text, u.how)
	for _, b := range u.blocks {
		if b.is != callBlock {
			check(b.text, b.how)
		}
	}
	for i, text := range u.texts {
		check(text, u.hows[i])
	}
}

// checkMould holds the reading of a line by a form that is known against that key by key.
// It reports whether its form was known.
func checkMould(t testing.TB, m *moulds, line []byte) (known bool) {
	t.Helper()
	var quick, slow usual
	known, usual := m.cast(&quick, line), slow.walk(line)
	switch {
	case known && !usual:
		t.Fatalf("a line that is not usual has a known form: %s", line)
	case known && described(&quick) != described(&slow):
		t.Fatalf("by its form %s is\n%s\nwant\n%s", line, described(&quick), described(&slow))
	case known:
		checkSpellings(t, &quick, line)
	case usual:
		checkSpellings(t, &slow, line)
		m.learn(&slow, line)
	}
	return known
}

// changed changes a line somewhere: what comes out may be JSON or not.
func changed(rng *rand.Rand, line []byte) []byte {
	at := rng.IntN(len(line) + 1)
	to := min(len(line), at+1+rng.IntN(8))
	with := []string{"", `"`, `\`, `\u0041`, "é", "\xff", "\x01", "{", "}", "[", "]", ",", ":", "0", "1", "-", ".", " ", "null", "true", `"x"`, `"answers"`, `"type"`, string(line[at:to])}[rng.IntN(24)]
	switch rng.IntN(3) {
	case 0: // in place of some bytes
		return bytes.Join([][]byte{line[:at], line[to:]}, []byte(with))
	case 1: // between two
		return bytes.Join([][]byte{line[:at], line[at:]}, []byte(with))
	}
	// in place of a value
	values := [][]byte{[]byte(`""`), []byte(`" "`), []byte(`"toolu_1"`), []byte(`"L1"`), []byte(`"\u0061"`), []byte(`"ä"`), []byte("5"), []byte("05"), []byte("null"), []byte("{}"), []byte("[]"),
		[]byte(`{"answers":{"a":"b"}}`), []byte(`{"x":"y"}`), []byte(`{"\u0061":1}`), []byte(`["x",{"type":"text","text":"y"}]`), []byte(`"` + strings.Repeat("long ", 40) + `\n"`)}
	colons := bytes.Count(line, []byte(`":`))
	if colons == 0 {
		return line
	}
	nth, from := rng.IntN(colons), 0
	for range nth + 1 {
		from += bytes.Index(line[from:], []byte(`":`)) + 2
	}
	_, rest, _, ok := jsonscan.First(line[from:])
	if !ok {
		return line
	}
	return bytes.Join([][]byte{line[:from], rest}, values[rng.IntN(len(values))])
}

// usualLines are lines in forms that usual lines have, and in some that they have not.
func usualLines(rng *rand.Rand) (out [][]byte) {
	say := func() string { return []string{"", " ", "o", "no\n", "\\no", "\"o\"", "só", phrase(rng)}[rng.IntN(8)] }
	for i := range 6 {
		id, answer := fmt.Sprint("u", i, rng.IntN(100)), fmt.Sprint("msg", rng.IntN(100))
		use := func() any {
			return []any{txt(say()), think(say()), use(fmt.Sprint("t", i), "Bash", obj{"command": say()}), res("t1", say()), res("t1", list(txt(say()), txt(say())))}[rng.IntN(5)]
		}
		for _, line := range []string{
			ans(answer, id, i, list(use())), ans(answer, id, i, list(use(), use())), ans(answer, id, i, say()), ast(id, i, list(use())),
			usr(id, i, list(res("t1", say())), "toolUseResult", obj{"stdout": say(), "n": i, "file": obj{"a": say()}}), usr(id, i, list(res("t1", list(txt(say())))), "toolUseResult", say()),
			usr(id, i, list(res("t1", say()), res("t2", list(txt(say()), txt("")))), "isCompactSummary", rng.IntN(2) == 0, "toolUseResult", list(say())),
			ans(answer, id, i, list(use()), "isApiErrorMessage", true, "supersedesUuids", []any{}), usr(id, i, say()),
		} {
			out = append(out, []byte(line))
		}
	}
	return out
}

// What the form of a line tells is what reading it key by key tells, whatever lines were
// read before and however a line was changed.
func TestLinesOfAKnownFormSayTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	real := realLines(t)
	known, lines := 0, 0
	for range 30 {
		m := &moulds{}
		all := usualLines(rng)
		for _, line := range real {
			all = append(all, []byte(line))
		}
		all = slices.DeleteFunc(all, func(line []byte) bool {
			var u usual
			return !u.walk(line) && rng.IntN(4) > 0
		})
		for i := range 3000 {
			if i%300 == 0 {
				m = &moulds{}
			}
			line := all[rng.IntN(len(all))]
			for range rng.IntN(3) {
				line = changed(rng, line)
			}
			if checkMould(t, m, line) {
				known++
			}
			lines++
		}
	}
	if t.Logf("of %d lines the form of %d was known", lines, known); 8*known < lines {
		t.Errorf("of %d lines the form of only %d was known", lines, known)
	}
}

func FuzzLinesOfAKnownForm(f *testing.F) {
	for _, line := range realLines(f) {
		f.Add([]byte(line), []byte(line))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		m := &moulds{}
		for _, line := range [][]byte{one, two, one} {
			checkMould(t, m, line)
		}
	})
}
