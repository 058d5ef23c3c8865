package seshat_test

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// listed writes a list of sessions with its answer.
func listed(t *testing.T, list []record.Session, ans *record.Answer, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i := range list {
		b, err := json.Marshal(list[i].JSON(nil))
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(string(b) + "\n")
	}
	b, err := json.Marshal(ans.JSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	return out.String() + string(b) + "\n"
}

// cached is a library that keeps what it finds out in a folder.
func cached(t *testing.T, w *world, dir, config string) *seshat.Library {
	t.Helper()
	return library(t, w, config, func(o *seshat.Options) {
		o.Build, o.Vars = "a build", maps.Clone(o.Vars)
		o.Vars["SESHAT_CACHE_DIR"], o.Vars["XDG_CONFIG_HOME"] = dir, "/home/sam/.config" // the same for all
	})
}

func sessionsOf(t *testing.T, l *seshat.Library) string {
	t.Helper()
	list, ans, err := l.Sessions(context.Background(), seshat.SessionQuery{All: true})
	return listed(t, list, ans, err)
}

func slowly(t *testing.T, l *seshat.Library) string {
	t.Helper()
	list, ans, err := l.SlowSessions(context.Background(), seshat.SessionQuery{All: true})
	return listed(t, list, ans, err)
}

// spoil damages the files of a cache in some way.
func spoil(t *testing.T, rng *rand.Rand, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "sessions", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch rng.IntN(3) {
		case 0:
			b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
		case 1:
			b = b[:rng.IntN(len(b))]
		default:
			os.Remove(file)
			continue
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Law 4 for the list of sessions: whatever the world holds, however it changes and
// whatever became of the cache, the list is the one that decoding everything gives.
func TestSessionsEqualTheSlowOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range rounds(80) {
		dir := t.TempDir()
		files := randomWorld(rng)
		m := claudeRoot(files)
		for step := range 6 {
			w := newWorld(m)
			want := slowly(t, library(t, w, "", nil))
			if got := sessionsOf(t, library(t, w, "", nil)); got != want {
				t.Fatalf("step %d, without a cache:\n%s\nwant\n%s\nin %q", step, got, want, files)
			}
			if got := sessionsOf(t, cached(t, w, dir, "")); got != want {
				t.Fatalf("step %d:\n%s\nwant\n%s\nin %q", step, got, want, files)
			}
			switch rng.IntN(6) {
			case 0:
				spoil(t, rng, dir)
			case 1: // nothing changes
			default:
				for name, data := range randomWorld(rng) {
					if rng.IntN(3) == 0 {
						files[name] = data
						m.File(name, data, at(59)) // its inode tells
					}
				}
				if name := appDir + one + "/custom-title.json"; rng.IntN(3) == 0 {
					files[name] = line(object{"customTitle": dictionary[rng.IntN(len(dictionary))]})
					m.File(name, files[name], at(59))
				}
				if rng.IntN(4) == 0 {
					delete(files, appDir+two+".jsonl")
					m = &rootfs.Memory{Folder: claudeDir}
					for name, data := range files {
						m.File(name, data, at(50+step)) // an inode may be that of another file now
					}
				}
			}
		}
	}
}

// The same on real sessions, cold and warm.
func TestSessionsOfTheCorpusEqualTheSlowOnes(t *testing.T) {
	for home, m := range collectedHomes(t) {
		w, dir := newWorld(m), t.TempDir()
		want := slowly(t, library(t, w, "", nil))
		for _, how := range []string{"cold", "warm"} {
			if got := sessionsOf(t, cached(t, w, dir, "")); got != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", home, how, got, want)
			}
		}
	}
}

// A warm list opens no transcript, not even one of a fork; after a change, that one
// alone and those it shares records with.
func TestAWarmListOpensNothing(t *testing.T) {
	said := []object{user(one, "/srv/app", "u1", 5, "first"), user(one, "/srv/app", "u2", 6, "second")}
	m := threeChats()
	m.File(appDir+four+".jsonl", lines(forked(four, false, user(one, "/srv/app", "10000000-0000-4000-8000-000000000001", 10, "alpha question"))...), at(59))
	m.File(appDir+four+"/subagents/agent-x.jsonl", line(said[0].with("isSidechain", true)), at(59))
	lone := "projects/-srv-app/55555555-5555-4555-8555-555555555555/subagents/agent-y"
	m.File(lone+".jsonl", line(user(one, "/srv/app", "u3", 10, "begun with another").with("isSidechain", true)), at(59))
	m.File(lone+".meta.json", `{"description":"its task","agentType":"x"}`, at(59))
	w, dir := newWorld(m), t.TempDir()
	opened := func() []string {
		w.opened = nil
		got := sessionsOf(t, cached(t, w, dir, ""))
		if want := slowly(t, library(t, newWorld(m), "", nil)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		var names []string
		for _, path := range w.opened {
			if strings.HasSuffix(path, ".jsonl") {
				names = append(names, filepath.Base(path))
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	if got := opened(); len(got) != 6 {
		t.Errorf("a cold list opens %q", got)
	}
	if got := opened(); len(got) > 0 {
		t.Errorf("a warm list opens %q", got)
	}
	m.File(appDir+two+".jsonl", chat(two, "/srv/app", 7, "gamma", "delta"), at(59))
	if got := opened(); !slices.Equal(got, []string{two + ".jsonl"}) {
		t.Errorf("after a change it opens %q", got)
	}
	m.File(appDir+two+".jsonl", chat(three, "/srv/app", 7, "gamma", "delta"), at(59))
	if got := opened(); !slices.Equal(got, []string{two + ".jsonl", three + ".jsonl"}) {
		t.Errorf("after one that has the ids of another it opens %q", got)
	}
	if got := opened(); len(got) > 0 {
		t.Errorf("warm again it opens %q", got)
	}
}

// Other commands use what is known of heads and keep nothing.
func TestOtherCommandsKeepNothing(t *testing.T) {
	w, dir := newWorld(threeChats()), t.TempDir()
	records(t, cached(t, w, dir, ""), seshat.Selection{})
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("kept: %v", names)
	}
	want, _ := records(t, library(t, w, "", nil), seshat.Selection{})
	sessionsOf(t, cached(t, w, dir, ""))
	if got, _ := records(t, cached(t, w, dir, ""), seshat.Selection{}); !slices.Equal(got, want) {
		t.Errorf("with a cache the records are %q, not %q", got, want)
	}
}

// What the config excludes is not read beyond its head and not kept.
func TestExcludedSessionsAreNotKept(t *testing.T) {
	w, dir := newWorld(threeChats()), t.TempDir()
	config := "exclude = [\"/srv/other\"]\n"
	want := slowly(t, library(t, w, config, nil))
	for range 2 {
		if got := sessionsOf(t, cached(t, w, dir, config)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "sessions", "*"))
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(b), "gamma question") || !strings.Contains(string(b), "alpha question") {
			t.Errorf("%s holds what is excluded, or nothing: %v", file, err)
		}
	}
	if len(files) == 0 {
		t.Error("nothing was kept")
	}
	everything := func(what string) {
		t.Helper()
		if got, want := sessionsOf(t, cached(t, w, dir, "")), slowly(t, library(t, w, "", nil)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
		}
	}
	everything("without the exclusion")
	// A copy of what is excluded comes while it is.
	m := w.dirs[claudeDir].(*rootfs.Memory)
	m.File(appDir+four+".jsonl", lines(forked(four, false, user(three, "/srv/app", "30000000-0000-4000-8000-000000000001", 20, "gamma question"))...), at(59))
	sessionsOf(t, cached(t, w, dir, config))
	everything("with a copy")
}

// A source that breaks off is told of again each time.
func TestWhatFailsIsNotKept(t *testing.T) {
	m := threeChats()
	name := appDir + two + ".jsonl"
	info, err := m.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	w, dir := newWorld(m), t.TempDir()
	w.dirs[claudeDir] = failing{m, name, info.Size - 10, os.ErrPermission}
	want := sessionsOf(t, library(t, w, "", nil))
	for range 2 {
		if got := sessionsOf(t, cached(t, w, dir, "")); got != want || !strings.Contains(got, `"failed":1`) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
