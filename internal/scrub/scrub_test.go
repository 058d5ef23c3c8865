package scrub

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/secret"
)

func openKey(t testing.TB, dir string) *secret.Key {
	t.Helper()
	k, err := secret.OpenKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// blotted gives a text without what marks stand for.
func blotted(t testing.TB, m *Marks, text string) string {
	t.Helper()
	r := strings.NewReader(text)
	places, err := m.Places(context.Background(), r, int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(io.NewSectionReader(Blotted{r, places}, 0, int64(len(text))))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const value = "correct/horse" // and 13 characters

// Each spelling of a value is blotted out, and nothing else.
func TestSpellings(t *testing.T) {
	m := NewMarks(openKey(t, t.TempDir()))
	m.Add("rule", value, false)
	m.Add("rule", "sh0rt!", false)
	m.Add("rule", "123456789012", false)
	m.Add("rule", "a\nb\"c\\d-long", false)
	m.Add("rule", "cut-short-123", true)
	for in, want := range map[string]string{
		`a correct/horse b`:                       `a xxxxxxxxxxxxx b`,
		`"xcorrect/horsey"`:                       `"xxxxxxxxxxxxxxy"`,
		`{"a":"correct\/horse"}`:                  `{"a":"xxxxxxxxxxxxxx"}`,
		`{"a":"\u0063orrect/horse\n"}`:            `{"a":"xxxxxxxxxxxxxxxxxx\n"}`,
		`{"a":"{\"b\":\"correct\\\/horse\\n\"}"}`: `{"a":"{\"b\":\"xxxxxxxxxxxxxxxx\\n\"}"}`,
		`"\"\\\"\\\\u0063orrect/horse\\\"\""`:     `"\"\\\"xxxxxxxxxxxxxxxxxxxxx\\\"\""`,
		`correct/hors`:                            `correct/hors`,
		`"sh0rt!" xsh0rt! sh0rt!x`:                `"xxxxxx" xsh0rt! sh0rt!x`,
		`[123456789012,0]`:                        `[111111111111,0]`,
		`"a\nb\"c\\d-long\n"`:                     `"xxxxxxxxxxxxxxx\n"`,
		`"cut-short-1234567 cut-short-12"`:        `"xxxxxxxxxxxxxxxxx cut-short-12"`,
		"näh correct/horse ü":                     "näh xxxxxxxxxxxxx ü",
		`"\ud83d\ude00correct/horse"`:             `"\ud83d\ude00xxxxxxxxxxxxx"`,
	} {
		got := blotted(t, m, in)
		if got != want {
			t.Errorf("%s\ngives %s\nwant  %s", in, got, want)
		}
		if json.Valid([]byte(in)) && !json.Valid([]byte(got)) {
			t.Errorf("%s is no JSON", got)
		}
	}
}

// A value is found where two windows meet, in whatever place it stands.
func TestWindows(t *testing.T) {
	m := NewMarks(openKey(t, t.TempDir()))
	m.Add("rule", value, false)
	for _, fill := range []string{"a", "a\n"} {
		for shift := -20; shift <= 20; shift++ {
			text := strings.Repeat(fill, target+20)[:target+shift] + value + strings.Repeat(fill, target)
			if got := blotted(t, m, text); strings.Contains(got, value) || len(got) != len(text) || strings.Count(got, "x") != len(value) {
				t.Fatalf("%d bytes from the end of a window it is not found", shift)
			}
		}
	}
	line := `{"k":"` + strings.Repeat("a", longest) + value + strings.Repeat("b", overlap) + `"}`
	if got := blotted(t, m, line); strings.Contains(got, value) || !json.Valid([]byte(got)) {
		t.Error("it is not found in a line that is longer than any window")
	}
}

// What is remembered has no value in it, is for nobody else to read, and finds the same.
func TestRemembered(t *testing.T) {
	dir := t.TempDir()
	key := openKey(t, dir)
	ask := func() (*secret.Key, error) { return key, nil }
	if m, err := Read(dir, ask); m.Len() != 0 || err != nil {
		t.Fatalf("where nothing is remembered: %v, %v", m, err)
	}
	m := NewMarks(key)
	m.Add("rule", value, false)
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName)
	b, err := os.ReadFile(path)
	if err != nil || bytes.Contains(b, []byte("correct")) || bytes.Contains(b, []byte("horse")) {
		t.Errorf("the file is %s, %v", b, err)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm()&0o077 != 0 {
		t.Errorf("its mode: %v, %v", fi, err)
	}
	again, err := Read(dir, ask)
	if err != nil || blotted(t, again, "a "+value) != "a xxxxxxxxxxxxx" {
		t.Errorf("read again: %v", err)
	}
	other := openKey(t, t.TempDir())
	if _, err := Read(dir, func() (*secret.Key, error) { return other, nil }); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("with another key: %v", err)
	}
	for _, damaged := range []string{"", "{", `{"schema":"x"}`, strings.Replace(string(b), `"length":13`, `"length":1`, 1)} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir, ask); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", damaged, err)
		}
	}
}

// Whatever stands around a value, JSON stays JSON, lengths stay, and nothing is left.
func FuzzPlaces(f *testing.F) {
	for _, s := range []string{"", `\`, `\\`, `\u00`, `{"a":"`, `\"`, `\ud800`, "é", "\n", `\/`, `"`} {
		f.Add(s, s)
	}
	m := NewMarks(openKey(f, f.TempDir()))
	m.Add("rule", value, false)
	f.Fuzz(func(t *testing.T, before, behind string) {
		for _, text := range []string{before + value + behind, before + strings.ReplaceAll(value, "/", `\/`) + behind} {
			inner, _ := json.Marshal(text)
			outer, _ := json.Marshal(string(inner))
			for _, in := range []string{text, string(inner), string(outer)} {
				got := blotted(t, m, in)
				if len(got) != len(in) || json.Valid([]byte(in)) && !json.Valid([]byte(got)) || strings.Contains(got, value) {
					t.Fatalf("%q gives %q", in, got)
				}
				if once := blotted(t, m, got); once != got {
					t.Fatalf("%q is changed twice", in)
				}
			}
		}
	})
}

func BenchmarkPlaces(b *testing.B) {
	m := NewMarks(openKey(b, b.TempDir()))
	m.Add("rule", value, false)
	m.Add("rule", "sh0rt!", false)
	line := `{"type":"user","message":{"role":"user","content":"a line\nwith \"quotes\" and some more words in it, as they stand in transcripts"},"uuid":"7c9e6679-7425-40de-944b-e07fc1f90ae7"}` + "\n"
	text := strings.Repeat(line, 8<<20/len(line))
	b.Run("places", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_, _ = m.Places(context.Background(), strings.NewReader(text), int64(len(text)))
		}
	})
	b.Run("search", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_ = Search(context.Background(), strings.NewReader(text), int64(len(text)), func(*Found) {})
		}
	})
}
