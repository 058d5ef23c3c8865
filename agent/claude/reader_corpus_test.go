package claude

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// corpora are collected homes: a part that is kept with the code, and the whole
// that may lie beside the repository.
func corpora(t *testing.T) []string {
	t.Helper()
	var homes []string
	for _, pattern := range []string{"testdata/corpus/home*", "../../../shared/corpus/claude/home*"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if kept := "testdata/corpus/" + filepath.Base(dir); dir != kept && !strings.HasSuffix(dir, "home03") {
				homes = slices.DeleteFunc(homes, func(h string) bool { return h == kept }) // a part of this one
			}
			homes = append(homes, dir)
		}
	}
	if len(homes) == 0 {
		t.Fatal("there is no corpus")
	}
	return homes
}

// collected gives the sources of a home and the transcripts that a plain walk of
// its files finds, by absolute path.
func collected(t *testing.T, home string) (sources map[string]*agent.Source, transcripts []string) {
	t.Helper()
	dir, err := filepath.Abs(home)
	if err != nil {
		t.Fatal(err)
	}
	sources = discovered(t, agent.Env{Home: "/nowhere", GOOS: "linux", Roots: []agent.Location{{Dir: dir, Named: "a test"}}, Replace: true, Open: rootfs.Live})
	err = filepath.WalkDir(filepath.Join(dir, "projects"), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") && d.Name() != "journal.jsonl" {
			transcripts = append(transcripts, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources, transcripts
}

// Every transcript gives what one pass with encoding/json counts in it.
func TestCorpus(t *testing.T) {
	for _, home := range corpora(t) {
		sources, transcripts := collected(t, home)
		t.Run(home, func(t *testing.T) {
			for _, path := range transcripts {
				src := sources[path]
				if src == nil || src.Store.Coverage != catalog.Search {
					t.Errorf("%s is no transcript", path)
					continue
				}
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				checkCounted(t, src, countTranscript(data, strings.HasPrefix(filepath.Base(path), "agent-")))
			}
			searched := 0
			for _, s := range sources {
				if s.Store.ID == storeSession || s.Store.ID == storeSubagent {
					searched++
				}
			}
			if searched != len(transcripts) {
				t.Errorf("%d transcripts are found, %d are there", searched, len(transcripts))
			}
		})
	}
}

func checkCounted(t *testing.T, src *agent.Source, want count) {
	t.Helper()
	f := readFrom(t, src, agent.Plan{})
	var damaged []int
	for _, d := range f.damage {
		damaged = append(damaged, d.Line)
	}
	if !slices.Equal(damaged, want.damaged) {
		t.Errorf("%s: lines %v are damaged, want %v", src.Path, damaged, want.damaged)
	}
	kinds := map[string]int{}
	superseded, failed := 0, 0
	ids := map[string]bool{}
	for _, r := range f.records {
		if ids[r.ID] {
			t.Errorf("%s: the id %s comes twice", src.Path, r.ID)
		}
		ids[r.ID] = true
		if slices.Contains(want.damaged, r.Line) {
			continue // salvaged: the count passes over the line
		}
		if r.Flags&record.Superseded != 0 {
			superseded++
			continue
		}
		kinds[string(r.Kind)]++
		if r.Kind == record.ToolResult && r.Flags&record.Error != 0 {
			failed++
		}
		if base, _, _ := strings.Cut(r.ID, "#"); r.Named() && !want.uuids[base] {
			t.Errorf("%s:%d: %s is no uuid of the file", src.Path, r.Line, r.ID)
		}
	}
	if fmt.Sprint(kinds) != fmt.Sprint(want.kinds) || superseded != want.superseded || failed != want.failed {
		t.Errorf("%s: %v, %d superseded, %d failed\nwant %v, %d, %d", src.Path, kinds, superseded, failed, want.kinds, want.superseded, want.failed)
	}
	unknown := map[string]bool{}
	for _, u := range f.unknown {
		if typ, ok := strings.CutPrefix(u.What, "record type "); ok {
			unknown[strings.Trim(typ, `"`)] = true
		}
	}
	if fmt.Sprint(unknown) != fmt.Sprint(want.unknown) {
		t.Errorf("%s: unknown types %v, want %v", src.Path, unknown, want.unknown)
	}
	checkSummed(t, src, want)
}

func checkSummed(t *testing.T, src *agent.Source, want count) {
	t.Helper()
	sum, err := adapter(t).Summarize(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	s := sum.Session
	for _, r := range readFrom(t, src, agent.Plan{Titles: true}).records {
		if r.Title != s.Title && (src.Subagent != "" || r.Subagent == nil) {
			t.Errorf("%s:%d: the record is titled %q, the session %q", src.Path, r.Line, r.Title, s.Title)
			break
		}
	}
	if len(want.damaged) == 0 && !slices.Equal(s.Models, want.models) {
		t.Errorf("%s: models %q, want %q", src.Path, s.Models, want.models)
	}
	title, from := want.custom, record.TitleCustom
	if title == "" {
		title, from = want.ai, record.TitleAI
	}
	if title != "" && (s.Title != title || s.TitleSource != from) && src.Subagent == "" {
		t.Errorf("%s: titled %q (%s), want %q", src.Path, s.Title, s.TitleSource, title)
	}
	if src.Subagent == "" && sum.Inline != want.roots {
		t.Errorf("%s: %d inline subagents, want %d", src.Path, sum.Inline, want.roots)
	}
	if id := strings.TrimSuffix(filepath.Base(src.Path), ".jsonl"); src.Subagent == "" && s.ID != id || src.Subagent != "" && "agent-"+src.Subagent != id {
		t.Errorf("%s is session %s, subagent %s", src.Path, s.ID, src.Subagent)
	}
}

// The fork pair of the corpus: what the two files share, by uuid, is the same to
// the reader, record by record.
func TestCorpusFork(t *testing.T) {
	const dir = "/projects/-Flost-fovipe--tridiy-driplaste-wobaba-rotac-womuh/"
	for _, home := range corpora(t) {
		if !strings.HasSuffix(home, "home03") {
			continue
		}
		sources, transcripts := collected(t, home)
		marks := map[string]map[agent.Mark]bool{}
		uuids := map[string]map[string]bool{}
		var pair []string
		for _, path := range transcripts {
			if !strings.Contains(path, dir) {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			pair = append(pair, path)
			uuids[path], marks[path] = countTranscript(data, false).uuids, map[agent.Mark]bool{}
			for _, r := range readFrom(t, sources[path], agent.Plan{}).records {
				if r.Flags&record.Superseded == 0 {
					marks[path][agent.MarkOf(r)] = true
				}
			}
		}
		sort.Strings(pair)
		if len(pair) != 2 {
			t.Fatalf("%s: the pair is %q", home, pair)
		}
		shared := 0
		for _, r := range readFrom(t, sources[pair[0]], agent.Plan{}).records {
			base, _, _ := strings.Cut(r.ID, "#")
			in := uuids[pair[1]][base]
			if in {
				shared++
			}
			if in != marks[pair[1]][agent.MarkOf(r)] {
				t.Errorf("%s:%d: %s is shared: %v", r.Path, r.Line, r.ID, in)
			}
		}
		if shared < 30 {
			t.Errorf("%s: only %d records are shared", home, shared)
		}
	}
}
