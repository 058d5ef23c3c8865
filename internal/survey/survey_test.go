package survey_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/survey"
)

const canary = "xyzzyCANARY"

// source gives a file with that content as a source.
func source(format catalog.Format, content string) *agent.Source {
	m := &rootfs.Memory{Folder: "/data"}
	m.File("file", content, time.Time{})
	info, err := m.Stat("file")
	if err != nil {
		panic(err)
	}
	return &agent.Source{Store: &catalog.Store{ID: "t.file", Format: format, Coverage: catalog.Catalogue}, Root: m, Name: "file", Path: "/data/file", Info: info}
}

func of(t *testing.T, format catalog.Format, content string) survey.File {
	t.Helper()
	f, err := survey.Of(context.Background(), source(format, content))
	if err != nil {
		t.Fatalf("%q: %v", content, err)
	}
	return f
}

// shape writes keys as "name×count type type".
func shape(f survey.File) []string {
	var out []string
	for _, k := range f.Keys.List() {
		out = append(out, fmt.Sprintf("%s×%d %s", k.Name, k.Count, strings.Join(k.Types, " ")))
	}
	return out
}

// everything writes all that a survey tells.
func everything(t *testing.T, f survey.File) string {
	t.Helper()
	keys, err := json.Marshal(f.Keys.List())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v %s", f, keys)
}

func TestValuesNeverAppear(t *testing.T) {
	object := `{"token":"` + canary + `","list":["` + canary + `"],"deep":{"` + canary + `":{"` + canary + `":"` + canary + `"}},"n":1}`
	for _, c := range []struct {
		format  catalog.Format
		content string
	}{
		{catalog.JSON, object},
		{catalog.JSON, `["` + canary + `",[{"` + canary + `":1}]]`},
		{catalog.JSON, `"` + canary + `"`},
		{catalog.JSONArray, "[" + object + "," + object + "]"},
		{catalog.JSONL, object + "\n" + object + "\n"},
		{catalog.JSONL, `{"a":"` + canary + "\n"},
		{catalog.JSONL, canary + "\n" + `"` + canary + `"` + "\n"},
		{catalog.JSONL, object[:40] + object},
		{catalog.Text, canary},
		{catalog.Markdown, "# " + canary},
		{catalog.Opaque, canary},
	} {
		f, err := survey.Of(context.Background(), source(c.format, c.content))
		if err != nil && strings.Contains(err.Error(), canary) {
			t.Errorf("the error tells a value: %v", err)
		}
		if told := everything(t, f); strings.Contains(told, canary) {
			t.Errorf("%s of %s tells %s", c.format, c.content, told)
		}
	}
}

// Keys that are data themselves are counted and not named.
func TestDataKeysAreNotNamed(t *testing.T) {
	keys := []string{
		"/home/sam/" + canary, "~/" + canary, "./" + canary, canary + "/file", `C:\\Users\\` + canary, `\\\\host\\` + canary,
		canary + " with a space", "https://example.com/" + canary, canary + ":8080",
		"7f8e2d34-5b6c-4a7d-8e9f-" + canary, canary + "20260102", "sk-ant-api03-" + strings.Repeat("a", 60) + canary,
		"é" + canary, canary + "\\n", canary + "\\u0000", canary + strings.Repeat("x", 40), "",
	}
	for _, key := range keys {
		f := of(t, catalog.JSON, `{"`+key+`":{"inner":1},"name":true}`)
		if told := everything(t, f); strings.Contains(told, canary) {
			t.Errorf("the key %q is named: %s", key, told)
		}
		if f.Keys.Others != 1 || !slices.Equal(shape(f), []string{"name×1 boolean"}) {
			t.Errorf("%q: %d others, keys %q", key, f.Keys.Others, shape(f))
		}
	}
}

// An address names a person, a name with dots can be a host, and a folder of
// Claude Code's projects is a path with dashes for slashes.
func TestPersonalKeysAreNotNamed(t *testing.T) {
	for _, key := range []string{"sam@example.com", "sam.lee@mail.example", "-home-sam-code-acme-merger", "C--Users-sam-acme-merger", "db.internal.acme.com"} {
		f := of(t, catalog.JSON, `{"`+key+`":1}`)
		if f.Keys.Others != 1 || len(f.Keys.List()) != 0 {
			t.Errorf("the key %q is named: %q", key, shape(f))
		}
	}
}

func TestKeysAndTypes(t *testing.T) {
	f := of(t, catalog.JSON, `{"s":"x","n":1.5,"b":false,"z":null,"a":[1],"o":{"s":"x"},"$ref":"x","kebab-case":1,"under_score":1,"sha256":"x"}`)
	want := []string{
		"$ref×1 string", "a×1 array", "b×1 boolean", "kebab-case×1 number", "n×1 number", "o×1 object",
		"s×1 string", "sha256×1 string", "under_score×1 number", "z×1 null",
	}
	if got := shape(f); !slices.Equal(got, want) {
		t.Errorf("keys\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if f.Objects != 1 || f.Keys.Others != 0 {
		t.Errorf("%+v", f)
	}
}

func TestJSONL(t *testing.T) {
	content := strings.Join([]string{
		`{"a":1,"b":"x"}`,
		``,
		`{"a":"one","c":{}}`,
		`   `,
		`{"a":null`,
		`[1,2]`,
		`{"a":1}{"b":2}`,
		`{"a":[]}`,
	}, "\n")
	f := of(t, catalog.JSONL, content)
	// Lines 5, 6 and 7 are not one object each; two objects of line 7 are salvaged.
	if f.Lines != 8 || f.Damaged != 3 || f.Objects != 5 {
		t.Errorf("%d lines, %d damaged, %d objects; want 8, 3, 5", f.Lines, f.Damaged, f.Objects)
	}
	want := []string{"a×4 number string array", "b×2 number string", "c×1 object"}
	if got := shape(f); !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
	if f := of(t, catalog.JSONL, ""); f.Lines != 0 || f.Objects != 0 || f.Damaged != 0 {
		t.Errorf("an empty file: %+v", f)
	}
	if f := of(t, catalog.JSONL, `{"a":1}`+"\n"); f.Lines != 1 || f.Objects != 1 {
		t.Errorf("one line: %+v", f)
	}
}

func TestJSONArrays(t *testing.T) {
	for _, format := range []catalog.Format{catalog.JSON, catalog.JSONArray} {
		f := of(t, format, "\ufeff [{\"id\":1},\n {\"id\":\"x\",\"done\":true}, 3, [{\"deep\":1}], null]\n")
		if want := []string{"id×2 number string", "done×1 boolean"}; !slices.Equal(shape(f), want) || f.Objects != 2 {
			t.Errorf("%s: %d objects, keys %q, want %q", format, f.Objects, shape(f), want)
		}
		if f := of(t, format, "[]"); f.Objects != 0 || len(f.Keys.List()) != 0 {
			t.Errorf("an empty array: %+v", f)
		}
		if f := of(t, format, `{"a":1}`); f.Objects != 1 || !slices.Equal(shape(f), []string{"a×1 number"}) {
			t.Errorf("an object: %+v", f)
		}
	}
}

func TestBrokenJSONIsAnError(t *testing.T) {
	for _, format := range []catalog.Format{catalog.JSON, catalog.JSONArray} {
		for _, content := range []string{"", "  \n", "{", `{"a":`, `{"a" 1}`, `[1,`, `{"a":1,}`, `nope`, `{"a":'x'}`} {
			if f, err := survey.Of(context.Background(), source(format, content)); err == nil || !strings.Contains(err.Error(), "not valid JSON") {
				t.Errorf("%s %q: %+v, %v", format, content, f, err)
			}
		}
	}
}

// A document is one JSON value and nothing behind it.
func TestTextBehindJSONIsAnError(t *testing.T) {
	for _, content := range []string{`{"a":1} x`, `{"a":1}{"b":2}`, `[]]`} {
		if f, err := survey.Of(context.Background(), source(catalog.JSON, content)); err == nil {
			t.Errorf("%q is taken for valid JSON: %q", content, shape(f))
		}
	}
}

func TestTextHasLines(t *testing.T) {
	for content, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n\n": 2} {
		for _, format := range []catalog.Format{catalog.Text, catalog.Markdown, catalog.MarkdownFrontmatter} {
			if f := of(t, format, content); f.Lines != want || f.Objects != 0 {
				t.Errorf("%s %q: %+v", format, content, f)
			}
		}
	}
}

// shut fails a test when anything is opened.
type shut struct {
	agent.Root
	t *testing.T
}

func (s shut) Open(name string) (agent.File, error) {
	s.t.Errorf("%s was opened", name)
	return nil, fs.ErrPermission
}

func TestNothingIsOpenedThatMayNotBe(t *testing.T) {
	for name, change := range map[string]func(*agent.Source){
		"private":   func(s *agent.Source) { s.Store.Coverage = catalog.Private },
		"a folder":  func(s *agent.Source) { s.Info.Mode = fs.ModeDir | 0o700 },
		"a FIFO":    func(s *agent.Source) { s.Info.Mode = fs.ModeNamedPipe | 0o600 },
		"a link":    func(s *agent.Source) { s.Info.Mode = fs.ModeSymlink | 0o777 },
		"SQLite":    func(s *agent.Source) { s.Store.Format = catalog.SQLite },
		"opaque":    func(s *agent.Source) { s.Store.Format = catalog.Opaque },
		"directory": func(s *agent.Source) { s.Store.Format = catalog.Directory },
	} {
		src := source(catalog.JSON, `{"a":1}`)
		src.Root = shut{src.Root, t}
		change(src)
		f, err := survey.Of(context.Background(), src)
		if err != nil || f.Lines != 0 || f.Objects != 0 || len(f.Keys.List()) != 0 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	src := source(catalog.JSON, `{"a":1}`)
	src.Root = shut{src.Root, t}
	src.Problem = "is a folder, not a file"
	if _, err := survey.Of(context.Background(), src); err == nil || err.Error() != src.Problem {
		t.Errorf("a source with a problem gives %v", err)
	}
}

func TestFaults(t *testing.T) {
	src := source(catalog.JSON, `{"a":1}`)
	src.Root.(*rootfs.Memory).Fail("file", fs.ErrPermission)
	if _, err := survey.Of(context.Background(), src); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that cannot be opened gives %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := survey.Of(ctx, source(catalog.JSONL, `{"a":1}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("one that is cancelled gives %v", err)
	}
}

func TestMerge(t *testing.T) {
	var all survey.Keys
	all.Merge(&survey.Keys{})
	if all.List() != nil || all.Others != 0 {
		t.Errorf("no keys give %v", all.List())
	}
	for _, content := range []string{`{"a":1,"/x":1}`, `{"a":"s","b":1}`, `{"b":1,"/y":1}`, `{"b":1}`} {
		f := of(t, catalog.JSON, content)
		all.Merge(&f.Keys)
	}
	want := []survey.Key{{Name: "b", Count: 3, Types: []string{"number"}}, {Name: "a", Count: 2, Types: []string{"number", "string"}}}
	got := all.List()
	if all.Others != 2 || len(got) != 2 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v and %d others, want %v and 2", got, all.Others, want)
	}
}
