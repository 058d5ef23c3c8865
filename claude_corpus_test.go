package seshat_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// collectedHomes loads the homes of the corpus into memory, by name.
func collectedHomes(t *testing.T) map[string]*rootfs.Memory {
	t.Helper()
	homes := map[string]*rootfs.Memory{}
	for _, pattern := range []string{"agent/claude/testdata/corpus/home*", "../shared/corpus/claude/home*"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if kept := "agent/claude/testdata/corpus/" + filepath.Base(dir); dir != kept && !strings.HasSuffix(dir, "home03") {
				delete(homes, kept) // a part of this one
			}
			m := &rootfs.Memory{Folder: claudeDir}
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := os.ReadFile(path)
				name, _ := filepath.Rel(dir, path)
				m.File(filepath.ToSlash(name), string(data), at(59))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			homes[dir] = m
		}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(homes)), func(dir string) bool { return strings.HasSuffix(dir, "home03") }) {
		t.Fatal("the corpus is not there")
	}
	return homes
}

// uuidsOf gives, by uuid, what the lines of a transcript that can be records say.
func uuidsOf(t *testing.T, m *rootfs.Memory, name string) map[string]string {
	t.Helper()
	f, err := m.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, f.Info().Size)
	if _, err := f.ReadAt(data, 0); err != nil && len(data) > 0 {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for line := range strings.SplitSeq(string(data), "\n") {
		var o struct {
			Type, UUID          string
			Content, Attachment any
			Message             struct{ Content any }
		}
		if json.Unmarshal([]byte(line), &o) != nil || o.UUID == "" || o.Type == "progress" {
			continue
		}
		says, err := json.Marshal([]any{o.Type, o.Content, o.Attachment, o.Message.Content})
		if err != nil {
			t.Fatal(err)
		}
		ids[o.UUID] += string(says)
	}
	return ids
}

// Of every home: each transcript is a session, and a record is a copy exactly when
// an earlier file of the answer has a line of its uuid that says the same.
func TestClaudeCorpusCopies(t *testing.T) {
	for home, m := range collectedHomes(t) {
		uuids := map[string]map[string]string{} // by path
		wanted := 0
		var walk func(dir string)
		walk = func(dir string) {
			list, err := m.List(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				name := dir + "/" + e.Name
				switch {
				case e.Mode.IsDir():
					walk(name)
				case strings.HasSuffix(name, ".jsonl") && e.Name != "journal.jsonl":
					uuids[claudeDir+"/"+name] = uuidsOf(t, m, name)
					if !strings.HasPrefix(e.Name, "agent-") {
						wanted++
					}
				}
			}
		}
		walk("projects")
		l := library(t, newWorld(m), "", nil)
		var order []string
		copies := 0
		_, err := l.Records(context.Background(), seshat.Selection{Scope: record.ScopeAll, Copies: true, Superseded: true}, func(r *record.Record) error {
			if len(order) == 0 || order[len(order)-1] != r.Path {
				order = append(order, r.Path)
			}
			earlier := false
			base, _, _ := strings.Cut(r.ID, "#")
			for _, path := range order[:len(order)-1] {
				says := uuids[path][base]
				earlier = earlier || r.Named() && says != "" && says == uuids[r.Path][base]
			}
			if isCopy := r.Flags&record.Copy != 0; isCopy != earlier {
				t.Errorf("%s: %s of %s is a copy: %v, an earlier file has it: %v", home, r.ID, r.Path, isCopy, earlier)
			} else if isCopy && r.Flags&record.Superseded == 0 {
				copies++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if sorted := slices.Sorted(slices.Values(order)); len(slices.Compact(sorted)) != len(order) {
			t.Errorf("%s: a file comes twice in %q", home, order)
		}
		if copies > 0 {
			if _, ans := records(t, l, seshat.Selection{Scope: record.ScopeAll}); ans.Hidden.Copy != copies {
				t.Errorf("%s: %d copies are hidden, %d are shown when asked for", home, ans.Hidden.Copy, copies)
			}
		}
		list, _ := sessions(t, l, seshat.SessionQuery{All: true})
		own, copied := 0, 0
		for _, s := range list {
			if copied += s.Copied; s.Kind != record.KindSubagent {
				own++
			}
		}
		if own != wanted {
			t.Errorf("%s: %d sessions, want %d", home, own, wanted)
		}
		if strings.HasSuffix(home, "home03") && (copies < 30 || copied < 30) {
			t.Errorf("%s: %d copies and %d in the list of sessions; the fork shares more", home, copies, copied)
		}
	}
}

// The fork of the corpus: the background copy owns nothing that it inherited, in
// every answer.
func TestClaudeCorpusFork(t *testing.T) {
	const original, fork = "84be825e-0bd7-4651-9eb0-1c6888c2c786", "f3d53121-fdf7-40bf-a4df-e3b17ddbbbd1"
	for home, m := range collectedHomes(t) {
		if !strings.HasSuffix(home, "home03") {
			continue
		}
		l := library(t, newWorld(m), "", nil)
		list, _ := sessions(t, l, seshat.SessionQuery{All: true})
		for s, from := range map[string]string{original: "", fork: "claude:" + original} {
			_, shown, err := show(l, s)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(list, func(r record.Session) bool { return r.ID == s })
			if i < 0 || shown.Session.CopiedFrom != from || list[i].CopiedFrom != from || shown.Session.Copied != list[i].Copied || (list[i].Copied > 30) != (from != "") {
				t.Errorf("%s: %s is shown with %d copied from %q, listed as %+v", home, s, shown.Session.Copied, shown.Session.CopiedFrom, list[i])
			}
		}
	}
}
