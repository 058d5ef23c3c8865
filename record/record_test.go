package record

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestNamed(t *testing.T) {
	for id, want := range map[string]bool{"L1": false, "L12#3": false, "L": true, "": true, "Lx": true, "L1x": true, "u1": true, "u1#2": true, "l1": true} {
		if got := (&Record{ID: id}).Named(); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}

func TestScopes(t *testing.T) {
	count := func(s Scope) int {
		n := 0
		for _, k := range Kinds() {
			if s.Has(k) {
				n++
			}
		}
		return n
	}
	if count(ScopePrompts) != 2 || count(ScopeConversation) != 8 || count("") != 8 || count(ScopeAll) != 10 {
		t.Errorf("prompts %d, conversation %d, all %d", count(ScopePrompts), count(ScopeConversation), count(ScopeAll))
	}
}

func TestShorten(t *testing.T) {
	r := Record{Text: strings.Repeat("é", maxText/2+1)}
	r.Text = "x" + r.Text // so that the limit falls inside a character
	if r.Shorten(); len(r.Text) > maxText || len(r.Text) < maxText-4 || r.Flags&Cut == 0 || !utf8.ValidString(r.Text) {
		t.Errorf("%d bytes, flags %v", len(r.Text), r.Flags.Names())
	}
	r = Record{Text: strings.Repeat("x", maxText)}
	if r.Shorten(); len(r.Text) != maxText || r.Flags != 0 {
		t.Error("a text of the limit is cut")
	}
}

// All of a text need not be looked at for its first words.
func TestFirstWordsOfLongTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	parts := []string{" ", "\n\t", "a", "ä", "検索", "😀", "\xff", strings.Repeat("x", 150), strings.Repeat("😀", 190), strings.Repeat(" ", 900), "\u2003"}
	for range 20000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		want := []rune(strings.Join(strings.Fields(b.String()), " "))
		cut := string(want)
		if len(want) > MaxTitle {
			cut = string(want[:MaxTitle]) + "…"
		}
		if got := FirstWords(b.String()); string([]rune(got)) != cut {
			t.Fatalf("the first words of %q are %q, want %q", b.String(), got, cut)
		}
	}
}

func TestFirstWords(t *testing.T) {
	if got := FirstWords("  one\n two\tthree "); got != "one two three" {
		t.Errorf("%q", got)
	}
	if got := FirstWords(strings.Repeat("ä", 201)); got != strings.Repeat("ä", 200)+"…" {
		t.Errorf("%q", got)
	}
	if got := FirstWords(strings.Repeat("ä", 200)); got != strings.Repeat("ä", 200) {
		t.Errorf("%q", got)
	}
}

// keysOf lists the keys of a JSON object in the order in which they stand.
func keysOf(t *testing.T, v any) []string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	var keys []string
	depth := 0
	for key := false; ; {
		tok, err := d.Token()
		if err != nil {
			return keys
		}
		switch x := tok.(type) {
		case json.Delim:
			if x == '{' || x == '[' {
				depth++
			} else {
				depth--
			}
			key = depth == 1
		case string:
			if depth == 1 && key {
				keys = append(keys, x)
				key = false
				continue
			}
			key = depth == 1
		default:
			key = depth == 1
		}
	}
}

// The keys of each object stand in the contract's order, and those of unknown
// values are absent.
func TestJSONKeys(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.FixedZone("x", 3600))
	full := Record{
		Agent: "a", Store: "s", Handle: "h", Session: "x", ID: "i", Parent: "p", Kind: Prompt, Role: User, Time: at, Model: "m", Tool: "t", Title: "T",
		Origin: Origin{CWD: "/c", Repo: "/r", Worktree: "/w", Branch: "b", CWDHash: "h"}, Path: "/p", Line: 1, Key: "k",
		Subagent: &SubagentRef{ID: "s"}, Flags: Error, Also: []string{"o"}, Text: "text",
	}
	if got, want := keysOf(t, full.JSON(nil)), strings.Fields("schema agent store handle session id parent kind role time model tool title origin path line key subagent flags also text"); !slices.Equal(got, want) {
		t.Errorf("record keys %q, want %q", got, want)
	}
	bare := Record{Agent: "a", Store: "s", Handle: "h", ID: "i", Kind: Prompt, Role: User, Path: "/p"}
	if got, want := keysOf(t, bare.JSON(nil)), strings.Fields("schema agent store handle id kind role path text"); !slices.Equal(got, want) {
		t.Errorf("keys of a bare record %q, want %q", got, want)
	}
	s := Session{Agent: "a", Handle: "h", ID: "i", Kind: KindPrint, State: StateLive, Title: "t", TitleSource: TitleAI, Project: Project{Name: "n"},
		Origin: Origin{CWD: "/c"}, Models: []string{"m"}, Started: at, LastActive: at, Path: "/p", Expires: at, PRs: []string{"u"}, CopiedFrom: "c"}
	if got, want := keysOf(t, s.JSON(nil)), strings.Fields("schema agent handle id kind state title title_source project origin models started last_active counts subagents path bytes expires prs copied copied_from"); !slices.Equal(got, want) {
		t.Errorf("session keys %q, want %q", got, want)
	}
	a := Answer{}
	if got, want := keysOf(t, a.JSON(nil)), strings.Fields("schema matches sources damaged_lines pending hidden complete warnings"); !slices.Equal(got, want) {
		t.Errorf("summary keys %q, want %q", got, want)
	}
	b, _ := json.Marshal(Stamp(at))
	if string(b) != `"2026-01-02T02:04:05.006Z"` {
		t.Errorf("a time reads %s", b)
	}
}
