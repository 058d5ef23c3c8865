package claude

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// matching gives what a search for a word sees of a transcript's records.
func matching(t *testing.T, a *Adapter, src *agent.Source, word string, plan agent.Plan) []string {
	t.Helper()
	var out []string
	for it, err := range a.Read(context.Background(), src, plan) {
		if err != nil {
			t.Fatal(err)
		}
		if r := it.Record; r != nil && strings.Contains(r.Text, word) {
			out = append(out, fmt.Sprintf("%d %s %v %q", r.Line, r.Kind, r.Flags&record.Superseded != 0, r.Text))
		}
	}
	return out
}

// Reading only the lines that pass the byte test finds what reading all finds.
func TestSparseReadingChangesNothing(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	homes, _ := filepath.Glob("testdata/corpus/*")
	if more, _ := filepath.Glob("../../../shared/corpus/claude/home*"); len(more) > 0 && !testing.Short() {
		homes = append(homes, more...)
	}
	words := regexp.MustCompile(`[A-Za-z]{5,9}`)
	files := 0
	for _, home := range homes {
		inv, err := a.Discover(context.Background(), agent.Env{
			Roots: []agent.Location{{Dir: home, Named: "test"}}, Replace: true, Open: rootfs.Live,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range inv.Sources {
			if src.Store.ID != storeSession && src.Store.ID != storeSubagent {
				continue
			}
			files++
			raw, err := os.ReadFile(src.Path)
			if err != nil {
				t.Fatal(err)
			}
			all := words.FindAllString(string(raw), -1)
			for i := 0; i < len(all); i += max(1, len(all)/6) {
				word := all[i]
				bare := agent.Plan{Bare: true, Candidate: agent.LineTest(func(b []byte) bool {
					return bytes.Contains(b, []byte(word)) || bytes.Contains(b, []byte(`\u`))
				})}
				want, got := matching(t, a, src, word, agent.Plan{}), matching(t, a, src, word, bare)
				if !slices.Equal(want, got) {
					t.Errorf("%s: %q finds\n\t%s\nwant\n\t%s", src.Path, word, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
				}
			}
		}
	}
	if files == 0 {
		t.Error("no transcript was read")
	}
}

// The same on small transcripts made of what makes sparse reading hard: texts
// that are written again, taken back, or queued.
func TestSparseReadingOfRewrites(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	body := func(id, uuid, text string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":%q,"timestamp":"2026-01-02T03:04:05.000Z","message":{"id":%q,"role":"assistant","content":[{"type":"text","text":%q}]}}`, uuid, id, text)
	}
	user := func(uuid, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"message":{"role":"user","content":%q}}`, uuid, text)
	}
	for name, lines := range map[string][]string{
		"grown":                     {body("m", "a", "needle one"), user("u", "between"), body("m", "b", "needle one and two")},
		"grown, other":              {body("m", "a", "first"), body("m", "b", "first needle"), body("m", "c", "first needle third")},
		"rewritten":                 {user("u", "needle"), user("v", "x"), user("u", "other")},
		"rewritten to":              {user("u", "other"), user("v", "x"), user("u", "needle")},
		"mentioned, then rewritten": {`{"type":"progress","uuid":"p","data":{"uuid":"u"}}`, user("u", "needle"), `{"type":"progress","uuid":"q","data":{"uuid":"u"}}`, user("u", "other")},
		"keys far from values":      {user("u", "needle"), `{"type":"user","uuid":` + strings.Repeat(" ", 100) + `"u","message":{"content":"other"}}`},
		"an empty list":             {`{"type":"assistant","uuid":"z","supersedesUuids":[],"message":{"id":"n","content":[{"type":"text","text":"needle"}]}}`},
		"a list far away":           {body("m", "a", "needle"), `{"type":"assistant","uuid":"z","supersedesUuids":` + strings.Repeat(" ", 100) + `["a"],"message":{"id":"n","content":[{"type":"text","text":"y"}]}}`},
		"an escape in an id":        {user("u", "needle"), `{"type":"user","uuid":"\u0075","message":{"content":"other"}}`},
		"taken back":                {body("m", "a", "needle"), `{"type":"assistant","uuid":"z","supersedesUuids":["a"],"message":{"id":"n","content":[{"type":"text","text":"y"}]}}`},
		"queued": {`{"type":"queue-operation","operation":"enqueue","content":"needle in a queue"}`, `{"type":"queue-operation","operation":"dequeue"}`,
			user("u", "needle in a queue")},
		"no times": {user("u", "a"), user("v", "needle"), body("m", "a", "b")},
		"torn":     {user("u", "a"), `{"type":"user","uuid":"v","message":{"content":"nee`, user("w", "needle"), `[1]`},
	} {
		m := &rootfs.Memory{Folder: "/data"}
		m.File("projects/p/s.jsonl", strings.Join(lines, "\n"), time.Unix(1_770_000_000, 0))
		inv, err := a.Discover(context.Background(), agent.Env{
			Roots: []agent.Location{{Dir: "/data", Named: "test"}}, Replace: true, Open: func(string) (agent.Root, error) { return m, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		bare := agent.Plan{Bare: true, Candidate: agent.LineTest(func(b []byte) bool { return bytes.Contains(b, []byte("needle")) })}
		want, got := matching(t, a, inv.Sources[0], "needle", agent.Plan{}), matching(t, a, inv.Sources[0], "needle", bare)
		if len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("%s: finds\n\t%s\nwant\n\t%s", name, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}
