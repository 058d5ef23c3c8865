package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// Case O14: rewinds, checkpoints and injected context of Gemini CLI.
func TestO14GeminiSessions(t *testing.T) {
	h := New(t)
	one := h.Gemini("00000001", GM(S1),
		GU("c0", "<session_context>\nToday is a day. tree of 200 lines\n</session_context>"),
		GU("m1", "keep-me question"), GA("m2", "keep answer", `{"input":1}`),
		GU("m3", "abandoned question"), GA("m4", "abandoned answer", `{"input":1}`),
		`{"$rewindTo":"m3"}`, GU("m5", "second try"),
		`{"$set":{"lastUpdated":"2026-01-02T05:00:00Z","summary":"Nice title"}}`)
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Gemini("00000002", GM(S2), `{"$set":{"messages":[`+GU("a", "batched-needle")+`,`+GA("b", "r", "")+`]}}`, GU("c", "bare-needle"))
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Gemini("00000003", GM(S3), GU("x", "lost-needle"), GA("y", "lost answer", ""), `{"$rewindTo":"no-such-id"}`)

	recs, sum := h.records(t, "--scope", "conversation", "--agent", "gemini")
	var kept, dropped []string
	for _, r := range recs {
		if slices.Contains(r.Flags, "superseded") {
			dropped = append(dropped, r.Text)
		} else {
			kept = append(kept, r.Text)
		}
		if r.Agent != "gemini" || r.Origin.CWD != "/srv/app" {
			t.Errorf("record %+v", r)
		}
	}
	if want := []string{"keep-me question", "keep answer", "second try", "batched-needle", "r", "bare-needle"}; !slices.Equal(kept, want) {
		t.Errorf("records %q, want %q", kept, want)
	}
	if want := []string{"abandoned question", "abandoned answer", "lost-needle", "lost answer"}; !slices.Equal(dropped, want) {
		t.Errorf("superseded records %q, want %q", dropped, want)
	}
	if sum.DamagedLines != 0 || sum.Sources.Failed != 0 {
		t.Errorf("the summary: %+v", sum)
	}
	for needle, want := range map[string]int{"abandoned": 0, "batched-needle": 1, "bare-needle": 1, "lost-needle": 0, "session_context": 0, "tree of": 0} {
		if got := h.hits(needle); len(got) != want {
			t.Errorf("grep %s finds %q, want %d lines", needle, got, want)
		}
	}
	if got := h.hits("abandoned", "--superseded"); len(got) != 2 {
		t.Errorf("grep --superseded finds %q", got)
	}
	list, _ := h.sessions(t)
	if len(list) != 3 {
		t.Fatalf("%d sessions, want 3: %+v", len(list), list)
	}
	i := slices.IndexFunc(list, func(s session) bool { return s.ID == S1 })
	if i < 0 {
		t.Fatalf("S1 is not listed: %+v", list)
	}
	if s := list[i]; s.Title != "Nice title" || s.LastActive != "2026-01-02T05:00:00.000Z" || s.Project.Root != "/srv/app" || s.Agent != "gemini" || s.Counts.Prompts != 2 {
		t.Errorf("S1 is listed as %+v", s)
	}
	for _, handle := range []string{S1, "gemini:" + S1, one, h.Tilde(one)} {
		if got := h.shown(t, handle, "--kind", "prompt,reply"); !slices.Equal(got, []string{"keep-me question", "keep answer", "second try"}) {
			t.Errorf("show %s gives %q", handle, got)
		}
	}
	if r := h.Run("show", S3); r.Code != 0 && r.Code != 1 {
		t.Errorf("show of a session that was rewound to nothing: %d %q", r.Code, r.Stderr)
	}
	h.Run("grep", "nothing-like-it").exits(t, 1)
	h.Run("grep", "--agent", "claude", "bare-needle").exits(t, 1)
}

// Law 6 for Gemini CLI.
func TestGeminiDamage(t *testing.T) {
	for what, line := range map[string]string{
		"cut":            `{"id":"x","timestamp":"2026-01-02T03:04:09.000Z","type":"user","content":[{"te`,
		"no JSON":        `what is this`,
		"NUL bytes":      strings.Repeat("\x00", 100) + GU("x", "behind the hole"),
		"two records":    GU("x", "one of two") + GU("y", "two of two"),
		"array":          `[1]`,
		"wrong id":       `{"id":5,"type":"user","content":"odd"}`,
		"wrong type":     `{"id":"x","type":[],"content":"odd"}`,
		"wrong content":  `{"id":"x","type":"user","content":{"a":[1,null]}}`,
		"wrong parts":    `{"id":"x","type":"gemini","content":[null,5,[],{"text":7},{"functionCall":5},{"inlineData":[]}],"toolCalls":[5,{"args":[],"result":5}],"thoughts":{"a":1}}`,
		"wrong set":      `{"$set":[]}`,
		"wrong messages": `{"$set":{"summary":{},"lastUpdated":5,"messages":{}}}`,
		"odd messages":   `{"$set":{"directories":[5],"memoryScratchpad":"x"}}`,
		"wrong rewind":   `{"$rewindTo":{}}`,
		"wrong time":     `{"id":"x","timestamp":{},"type":"user","content":"odd"}`,
		"deep":           `{"id":"x","type":"user","content":` + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + `}`,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h := New(t)
			path := h.Gemini("00000001", GM(S1), GU("m1", "good before"), line, GU("m2", "good after"))
			h.Claude("/srv/other", S2, U("o1", "", "good elsewhere"))
			if got := h.hits("good"); len(got) != 3 {
				t.Errorf("grep finds %q", got)
			}
			recs, sum := h.records(t, "--scope", "conversation")
			got := texts(recs)
			for _, want := range []string{"good before", "good after", "good elsewhere"} {
				if !slices.Contains(got, want) {
					t.Errorf("%q is lost: %.500q", want, got)
				}
			}
			if sum.Sources.Read != 2 || sum.Sources.Failed != 0 {
				t.Errorf("the summary: %+v", sum)
			}
			if sum.DamagedLines > 0 && !sum.warned(h.Tilde(path), 3) {
				t.Errorf("the warnings do not name line 3: %+v", sum.Warnings)
			}
			if want := slices.Contains([]string{"cut", "no JSON", "NUL bytes", "two records", "array"}, what); (sum.DamagedLines == 1) != want {
				t.Errorf("%d damaged lines", sum.DamagedLines)
			}
			if list, _ := h.sessions(t); len(list) != 2 {
				t.Errorf("sessions: %+v", list)
			}
			h.Run("show", S1).exits(t, 0)
		})
	}
}

// What a person said to Gemini can be as hostile as anything.
func TestO18Gemini(t *testing.T) {
	h := New(t)
	h.Gemini("00000001", GM(S1), GU("m1", hostile), GA("m2", "reply "+hostile, ""),
		`{"id":"m3","timestamp":`+Time+`,"type":"gemini","content":"","toolCalls":[{"id":"t","name":`+Quote("tool"+hostile)+`,"args":{"a":`+
			Quote(hostile)+`},"displayName":`+Quote(hostile)+`,"description":`+Quote(hostile)+`}],"model":`+Quote("model"+hostile)+`}`,
		`{"$set":{"summary":`+Quote("title\n"+hostile)+`}}`)
	h.Write(".gemini/tmp/app/.project_root", "/srv/"+hostile, 0o600)
	for _, args := range [][]string{{"sessions"}, {"sessions", "--json"}, {"show", S1}, {"show", S1, "--json"}, {"grep", "reply"}, {"records"}, {"find"},
		{"search", "reply"}, {"search", "reply", "--ndjson"}, {"projects"}, {"expiring", "--within", "100y"}, {"expiring", "--within", "100y", "--json"}} {
		r := h.Run(args...)
		if bad := obeyed(r.Stdout) + obeyed(r.Stderr); bad != "" {
			t.Errorf("seshat %q prints %s", args, bad)
		}
	}
	if shown := h.Run("show", S1).Stdout; !strings.Contains(shown, "reply "+visible) {
		t.Errorf("show prints\n%s", shown)
	}
}
