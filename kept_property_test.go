package seshat_test

import (
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// Laws 3, 4 and 9 for what is archived: whatever of a home is gone from the disk, every
// answer is the one that the whole home gives, but for what says that it is gone.
func TestArchivedIsAsGoodAsLive(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	for round := range rounds(10) {
		files := randomWorld(rng)
		files[appDir+two+"/custom-title.json"] = line(object{"customTitle": "named " + dictionary[rng.IntN(len(dictionary))]})
		files["projects/-srv-app/memory/notes.md"] = "# Notes on the cave\n"
		files[appDir+one+"/tool-results/r.txt"] = "a needle that was spilled\n"
		a, cache := newAttic(t), t.TempDir()
		a.keep("", "claude", claudeDir, files)
		for step := range 4 {
			chance := []float64{0, 0.3, 0.7, 1}[(round+step)%4]
			gone := map[string]bool{}
			for name := range files {
				gone[name] = rng.Float64() < chance
			}
			whole := library(t, newWorld(claudeRoot(files)), "", nil)
			w := without(claudeDir, files, func(name string) bool { return gone[name] })
			part := a.library(w)
			sameAnswers(t, whole, part, files, gone)
			warm := a.library(w, func(o *seshat.Options) { o.Build, o.Vars["SESHAT_CACHE_DIR"] = "a build", cache })
			want := slowly(t, part)
			for range 2 {
				if got := sessionsOf(t, warm); got != want {
					t.Fatalf("with a cache:\n%s\nwant\n%s", got, want)
				}
			}
		}
	}
}

// sameAnswers holds a library of which some files are gone against one of the whole.
func sameAnswers(t *testing.T, whole, part *seshat.Library, files map[string]string, gone map[string]bool) {
	t.Helper()
	for _, q := range []seshat.Selection{{}, {Scope: record.ScopeAll, Superseded: true, Copies: true}, {Newest: true, Also: true}} {
		want, _, wantAns := recordsWithout(t, whole, q, record.Archived)
		got, flagged, ans := recordsWithout(t, part, q, record.Archived)
		equal(t, "records", append(got, jsonOf(t, ans.JSON(nil))), append(want, jsonOf(t, wantAns.JSON(nil))))
		for file, is := range flagged {
			if name := strings.TrimPrefix(file, claudeDir+"/"); is != gone[name] {
				t.Fatalf("the records of %s are archived: %v, and it is gone: %v", name, is, gone[name])
			}
		}
	}
	want, live := sessionsWithout(t, whole)
	got, states := sessionsWithout(t, part)
	equal(t, "sessions", got, want)
	for file, state := range live {
		name := strings.TrimPrefix(file, claudeDir+"/")
		if strings.HasPrefix(path.Base(name), "agent-") {
			continue
		}
		if state == record.StateLive && gone[name] {
			state = record.StateArchived
		}
		if states[file] != state {
			t.Fatalf("%s is %s, want %s", name, states[file], state)
		}
	}
	for _, s := range []string{one, two, three, four, "agent-x"} {
		if got, want := shownWithout(t, part, s), shownWithout(t, whole, s); got != want {
			t.Fatalf("shown of %s:\n%s\nwant\n%s", s, got, want)
		}
	}
	for _, word := range dictionary {
		wantLines, wantAns := grepLines(t, whole, word)
		lines, ans := grepLines(t, part, word)
		equal(t, "grep", append(lines, jsonOf(t, ans.JSON(nil))), append(wantLines, jsonOf(t, wantAns.JSON(nil))))
		for _, q := range []string{word, word + " kind:prompt", "title:" + word} {
			if got, want := foundWithout(t, part, q), foundWithout(t, whole, q); got != want {
				t.Fatalf("%s finds\n%s\nwant\n%s", q, got, want)
			}
		}
	}
}

// The same on real sessions, with the whole folder gone.
func TestArchivedCorpusIsAsGoodAsLive(t *testing.T) {
	for home, m := range collectedHomes(t) {
		files := map[string]string{}
		collect(t, m, "", files)
		a := newAttic(t)
		a.keep("", "claude", claudeDir, files)
		whole, part := library(t, newWorld(m), "", nil), a.library(newWorld())
		want, _, wantAns := recordsWithout(t, whole, seshat.Selection{Scope: record.ScopeAll, Copies: true, Superseded: true}, record.Archived)
		got, _, ans := recordsWithout(t, part, seshat.Selection{Scope: record.ScopeAll, Copies: true, Superseded: true}, record.Archived)
		equal(t, home, append(got, jsonOf(t, ans.JSON(nil))), append(want, jsonOf(t, wantAns.JSON(nil))))
		wantList, _ := sessionsWithout(t, whole)
		list, _ := sessionsWithout(t, part)
		equal(t, home, list, wantList)
	}
}

// collect reads all files of a folder in memory.
func collect(t *testing.T, m *rootfs.Memory, dir string, files map[string]string) {
	t.Helper()
	infos, err := m.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		name := strings.TrimPrefix(dir+"/"+i.Name, "/")
		if i.Mode.IsDir() {
			collect(t, m, name, files)
			continue
		}
		f, err := m.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, i.Size)
		if n, err := f.ReadAt(data, 0); n < len(data) {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
}

// And on sessions of Gemini CLI, whose files are folded whole and name each other.
func TestArchivedGeminiIsAsGoodAsLive(t *testing.T) {
	for _, name := range []string{"generated", "home01", "home03"} {
		home, err := filepath.Abs("agent/gemini/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(home, ".gemini")
		live, err := rootfs.Live(dir)
		if err != nil {
			t.Fatal(err)
		}
		a := newAttic(t)
		cat := catalogueOf(t, "gemini")
		a.write("", func(w *archive.Writer) {
			err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				rel, _ := filepath.Rel(dir, at)
				file := filepath.ToSlash(rel)
				store := cat.Match(catalog.Data, file)
				if store == nil || !store.Readable() && store.Family == catalog.FamilyNo && !strings.Contains(file, ".project_root") && file != "projects.json" {
					return nil
				}
				f, err := live.Open(file)
				if err != nil {
					return err
				}
				defer f.Close()
				_, err = w.Put(t.Context(), archive.Key{Agent: "gemini", Dir: dir, Name: file}, archive.Label{Store: store.ID}, f, f.Info().Size, f.Info())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		opts := seshat.Options{Home: home, GOOS: "linux", WorkDir: home, Agents: []string{"gemini"}, Open: rootfs.Live, Vars: map[string]string{"SESHAT_DATA_DIR": t.TempDir()}}
		whole, err := seshat.Open(opts)
		if err != nil {
			t.Fatal(err)
		}
		opts.Vars = map[string]string{"SESHAT_DATA_DIR": a.dir}
		opts.Open = func(at string) (agent.Root, error) {
			if at == dir {
				return nil, &fs.PathError{Op: "open", Path: at, Err: fs.ErrNotExist}
			}
			return rootfs.Live(at)
		}
		part, err := seshat.Open(opts)
		if err != nil {
			t.Fatal(err)
		}
		defer part.Close()
		for _, q := range []seshat.Selection{{}, {Scope: record.ScopeAll, Copies: true, Superseded: true}} {
			want, _, wantAns := recordsWithout(t, whole, q, record.Archived)
			got, _, ans := recordsWithout(t, part, q, record.Archived)
			equal(t, name, append(got, jsonOf(t, ans.JSON(nil))), append(want, jsonOf(t, wantAns.JSON(nil))))
		}
		want, _ := sessionsWithout(t, whole)
		got, states := sessionsWithout(t, part)
		equal(t, name, got, want)
		if len(states) == 0 {
			t.Errorf("%s holds no session", name)
		}
		for path, state := range states {
			if state != record.StateArchived && state != record.StatePromptsOnly {
				t.Errorf("%s is %s", path, state)
			}
		}
	}
}
