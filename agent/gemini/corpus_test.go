package gemini

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// homes lists the homes of the corpus: those copied here, and all of it where it
// lies beside the repository.
func homes(t *testing.T) []string {
	found, err := filepath.Glob("testdata/*/.gemini")
	if err != nil || len(found) == 0 {
		t.Fatalf("no home in testdata: %v", err)
	}
	more, err := filepath.Glob("../../../shared/corpus/gemini/*/.gemini")
	if err != nil {
		t.Fatal(err)
	}
	return append(found, more...)
}

// TestCorpus holds the reader against a plain fold and plain counts of every chat
// of the corpus.
func TestCorpus(t *testing.T) {
	chats := 0
	for _, dir := range homes(t) {
		for _, src := range discoverIn(t, dir) {
			if !isChat(src) {
				continue
			}
			chats++
			data, err := os.ReadFile(src.Path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := readSource(src, agent.Plan{})
			if err != nil || len(got.damage)+len(got.unknown) > 0 {
				t.Errorf("%s: %v %+v %+v", src.Path, err, got.damage, got.unknown)
			}
			compare(t, src.Path, foldNaively(data), got)
			summarized(t, src, got)
		}
	}
	if chats < 15 {
		t.Errorf("only %d chats", chats)
	}
}

func discoverIn(t *testing.T, dir string) []*agent.Source {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	inv, err := a.Discover(context.Background(), agent.Env{
		GOOS: "linux", Roots: []agent.Location{{Dir: abs, Named: "test"}}, Replace: true, Open: rootfs.Live,
	})
	if err != nil || len(inv.Problems) > 0 {
		t.Fatalf("%v %+v", err, inv.Problems)
	}
	return inv.Sources
}

// compare holds what the reader gave of the history against the plain fold: the
// same messages in the same order, and of each kind as many records.
func compare(t *testing.T, name string, f *naiveFold, got found) {
	t.Helper()
	want := map[record.Kind]int{}
	var wantOrder []string
	for _, id := range f.order {
		kinds := naiveKinds(f.byID[id], f)
		for _, k := range kinds {
			want[k]++
		}
		if len(kinds) > 0 {
			wantOrder = append(wantOrder, id)
		}
	}
	have := map[record.Kind]int{}
	var order []string
	for _, r := range got.records {
		if r.Flags&(record.Superseded|record.Replaced) != 0 {
			continue
		}
		k := r.Kind
		if k == record.Dispatch || k == record.Command || k == record.Summary {
			k = record.Prompt
		}
		have[k]++
		if base, _, _ := strings.Cut(r.ID, "#"); len(order) == 0 || order[len(order)-1] != base {
			order = append(order, base)
		}
	}
	if !slices.Equal(order, wantOrder) {
		t.Errorf("%s: messages\n%q\nwant\n%q", name, order, wantOrder)
	}
	for _, k := range record.Kinds() {
		if have[k] != want[k] {
			t.Errorf("%s: %d records of kind %s, want %d", name, have[k], k, want[k])
		}
	}
}

// naiveKinds lists the kinds of the records of a message; whatever a person or
// another agent said counts as a prompt.
func naiveKinds(m naiveMessage, f *naiveFold) []record.Kind {
	text, thought, responses := naiveContent(m["content"])
	var kinds []record.Kind
	switch m["type"] {
	case "user":
		if lead := strings.TrimSpace(text); strings.HasPrefix(lead, "<session_context>") {
			kinds = append(kinds, record.Notice)
		} else if lead != "" {
			kinds = append(kinds, record.Prompt)
		}
		for _, id := range responses {
			if !naiveAnswered(id, f) {
				kinds = append(kinds, record.ToolResult)
			}
		}
	case "gemini":
		thoughts, _ := m["thoughts"].([]any)
		if len(thoughts) > 0 || thought {
			kinds = append(kinds, record.Thinking)
		}
		if strings.TrimSpace(text) != "" {
			kinds = append(kinds, record.Reply)
		}
		calls, _ := m["toolCalls"].([]any)
		for _, c := range calls {
			kinds = append(kinds, record.ToolCall)
			if c := c.(map[string]any); c["result"] != nil || c["resultDisplay"] != nil {
				kinds = append(kinds, record.ToolResult)
			}
		}
	default:
		if strings.TrimSpace(text) != "" {
			kinds = append(kinds, record.Notice)
		}
	}
	return kinds
}

func naiveContent(content any) (text string, thought bool, responses []string) {
	list, ok := content.([]any)
	if !ok {
		list = []any{content}
	}
	for _, p := range list {
		switch p := p.(type) {
		case string:
			text += p
		case map[string]any:
			if r, ok := p["functionResponse"].(map[string]any); ok {
				responses = append(responses, r["id"].(string))
			}
			if p["inlineData"] != nil {
				text += "media"
			}
			s, _ := p["text"].(string)
			if p["thought"] == true {
				thought = true
			} else {
				text += s
			}
		}
	}
	return text, thought, responses
}

func naiveAnswered(id string, f *naiveFold) bool {
	for _, m := range f.written {
		calls, _ := m["toolCalls"].([]any)
		for _, c := range calls {
			if c := c.(map[string]any); c["id"] == id && (c["result"] != nil || c["resultDisplay"] != nil) {
				return true
			}
		}
	}
	return false
}

// summarized holds a summary against the records.
func summarized(t *testing.T, src *agent.Source, got found) {
	t.Helper()
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	sum, err := a.Summarize(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	var want record.Counts
	for _, r := range got.records {
		if r.Flags&record.Superseded == 0 {
			want.Add(r.Kind)
		}
	}
	s := sum.Session
	if s.Counts != want || s.ID != src.Session || len(sum.Records) != len(got.records) || s.Started.IsZero() || s.LastActive.Before(s.Started) {
		t.Errorf("%s: %+v, want %+v", src.Path, s, want)
	}
	if strings.Contains(s.Title, "<session_context>") {
		t.Errorf("%s: the title is %q", src.Path, s.Title)
	}
}

// Nothing of the corpus is left unread, whatever the store.
func TestCorpusIsReadWhole(t *testing.T) {
	for _, dir := range homes(t) {
		for _, src := range discoverIn(t, dir) {
			if !src.Store.Readable() {
				continue
			}
			got, err := readSource(src, agent.Plan{Titles: true})
			if err != nil || len(got.damage) > 0 {
				t.Errorf("%s: %v %+v", src.Path, err, got.damage)
			}
			ids := map[string]bool{}
			for _, r := range got.records {
				if ids[r.ID] {
					t.Errorf("%s: the id %s stands twice", src.Path, r.ID)
				}
				ids[r.ID] = true
				if !slices.Contains(src.Store.Records, r.Kind) {
					t.Errorf("%s: a %s, which the catalogue does not have there", src.Path, r.Kind)
				}
			}
		}
	}
}

// What the tests need is part of the repository and stays small.
func TestTestdataIsSmall(t *testing.T) {
	var size int64
	err := filepath.WalkDir("testdata", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		return err
	})
	if err != nil || size > 2<<20 {
		t.Errorf("testdata holds %d bytes: %v", size, err)
	}
}
