package secret

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// holds checks what is promised of any text.
func holds(t *testing.T, text string) {
	t.Helper()
	found := Find(text)
	past := 0
	for _, f := range found {
		if f.From < past || f.To <= f.From || f.To > len(text) || f.Rule == nil {
			t.Fatalf("%s at %d to %d of %d, after %d", f.Rule.ID, f.From, f.To, len(text), past)
		}
		past = f.To
	}
	if len(found) == 0 {
		return
	}
	for _, raw := range spellings(t, text) {
		if (Candidates{}).Next(raw, 0) < 0 {
			t.Fatalf("%s in %q, which the byte test refuses: %s", found[0].Rule.ID, text, raw)
		}
	}
}

// spellings are ways to write a text as a line of JSON.
func spellings(t *testing.T, text string) [][]byte {
	t.Helper()
	if !strings.Contains(text, "\ufffd") && strings.ToValidUTF8(text, "") != text {
		return nil // a text that came out of JSON is valid
	}
	escaped, err := json.Marshal(map[string]string{"text": text}) // with <, > and & as escapes
	if err != nil {
		t.Fatal(err)
	}
	var plain strings.Builder
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]string{"text": text}); err != nil {
		t.Fatal(err)
	}
	return [][]byte{escaped, []byte(plain.String()), []byte(strings.ReplaceAll(plain.String(), "/", `\/`))}
}

// The byte test passes every line in which something is found.
func TestCandidatesMissNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, c := range positives(r) {
		holds(t, c.text)
		holds(t, "words before it\nand "+c.text+" behind\n\ttoo")
		n++
	}
	for _, c := range nearMisses(r) {
		holds(t, c.text)
	}
	if n < 500 {
		t.Errorf("only %d texts were tried", n)
	}
}

// A tool's input is an object of its own, which adapters write as lines of key: value.
func TestCandidatesOfKeysAndValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"password", "api_key", "apiKey", "Authorization", "client_secret"} {
		for range 20 {
			value := draw(r, 32, alnums)
			if len(Find(name+": "+value)) == 0 {
				continue
			}
			raw, _ := json.Marshal(map[string]any{"input": map[string]string{name: value}})
			list, _ := json.MarshalIndent(map[string]any{"input": map[string]any{name: []string{value}}}, "", "  ")
			for _, b := range [][]byte{raw, list} {
				if (Candidates{}).Next(b, 0) < 0 {
					t.Errorf("%s is found, but the byte test refuses %s", name, b)
				}
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for i, c := range append(positives(r), nearMisses(r)...) {
		if i%23 == 0 {
			f.Add(c.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		holds(t, text)
		edits, _ := (&Redactor{}).Look(text)
		masked := edits.Apply(text)
		if masked != text && len(Find(text)) == 0 {
			t.Errorf("nothing is found, but masked is %q", masked)
		}
		for _, f := range Find(text) {
			if v := text[f.From:f.To]; len(v) >= leastBare && strings.Contains(masked, v) {
				t.Errorf("%s is left in %q", f.Rule.ID, masked)
			}
		}
	})
}

// FuzzTime repeats a text: twice as much of it takes about twice as long.
func FuzzTime(f *testing.F) {
	for _, unit := range hardUnits() {
		f.Add(unit)
	}
	f.Fuzz(func(t *testing.T, unit string) { linear(t, unit) })
}

func TestTimeIsLinear(t *testing.T) {
	for _, unit := range hardUnits() {
		linear(t, unit)
	}
}

// hardUnits are texts that, repeated, make a careless search walk over the same
// characters again and again.
func hardUnits() []string {
	return []string{
		"token", "secret=", "token:\"", "password=a", "gh" + "p_", "sk-", "-sk-", "sk-" + "ant-", " sk-" + "ant-a1B2c3", "eyJ", ".eyJ", "eyJhbGciOi.", "://", "://a:b", "a:b@", "://a:b@c ", "-----BEGIN ",
		"-----BEGIN " + "PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----\nabcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ12", "Authorization: Bearer ", "authorization", "_key", "a.", "\\n",
		"xoxe.", "xoxe.xo" + "xb-a1B2", "&sig=", "8Q~", "0:AA", "SG.", "AccountKey=", "password: 'aB3$" + "xY9!", "api_key=a1B2c3D4e5F6g7H8i9 ", "token\\\\\\\\", "hooks.slack" + ".com/services/T",
	}
}

// linear compares the times of a text and of one that is eight times as long. That may
// take up to twenty-four times as long on a busy machine; a square would take sixty-four
// times.
func linear(t *testing.T, unit string) {
	t.Helper()
	if unit == "" || len(unit) > 1<<10 {
		return
	}
	const size, times = 16 << 10, 8
	short := strings.Repeat(unit, size/len(unit)+1)
	long := strings.Repeat(short, times)
	const quick = 100 * time.Millisecond // a square takes longer for so much
	for try := range 4 {
		b := once(long)
		if b < quick {
			return
		}
		if b = min(b, least(long)); b < quick || b < 3*times*least(short) {
			return
		}
		if try == 3 {
			t.Errorf("%q: %d bytes take %v, %d take %v", unit, len(short), least(short), len(long), b)
		}
	}
}

// least gives the shortest of some times for a text.
func least(text string) time.Duration {
	best := time.Hour
	for range 3 {
		best = min(best, once(text))
	}
	return best
}

func once(text string) time.Duration {
	start := time.Now()
	Find(text)
	return time.Since(start)
}

func TestNothingIsAllocatedWhereNothingIsFound(t *testing.T) {
	text := string(transcript(64<<10)) + "\ntoken := lexer.next()\npassword = os.Getenv(\"X\")\nsecret: my-secret-value-2\nhttps://user:password@example.com/x\n"
	if n := testing.AllocsPerRun(10, func() { Find(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	raw := []byte(text)
	if n := testing.AllocsPerRun(10, func() { Candidates{}.Next(raw, 0) }); n > 0 {
		t.Errorf("%v allocations in the byte test", n)
	}
}
