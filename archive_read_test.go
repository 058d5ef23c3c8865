package seshat

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// A log is kept to the end of its last line, and wholly when it was left alone for an
// hour.
func TestWholeLines(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		data    string
		age     time.Duration
		size    int64
		pending string
	}{
		{"", 0, 0, ""}, {"a\n", 0, 2, ""}, {"a\nb", 0, 2, pendingTail}, {"a\nb", 59 * time.Minute, 2, pendingTail}, {"a\nb", time.Hour, 3, ""},
		{"abc", 0, 0, pendingTail}, {"abc", 2 * time.Hour, 3, ""}, {"\n", 0, 1, ""}, {"a\n" + long, 0, 2, pendingTail}, {long + "\n", 0, 200_001, ""},
		{long, 0, 0, pendingTail}, {"a\n\n", 0, 3, ""}, {"a\r\nb\r", 0, 3, pendingTail},
	} {
		info := agent.Info{Size: int64(len(c.data)), MTime: now.Add(-c.age)}
		size, pending, err := wholeLines(strings.NewReader(c.data), info, now)
		if size != c.size || pending != c.pending || err != nil {
			t.Errorf("%.10q of %v: %d %q %v, want %d %q", c.data, c.age, size, pending, err, c.size, c.pending)
		}
	}
	if _, _, err := wholeLines(strings.NewReader("a\n"), agent.Info{Size: 9, MTime: now}, now); !errors.Is(err, errChangedMeanwhile) {
		t.Errorf("a file that became shorter gives %v", err)
	}
}

// What may have changed since without a sign is never found the same.
func TestNoted(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		info agent.Info
		log  bool
		same bool
	}{
		{agent.Info{MTime: now.Add(-time.Hour), CTime: now.Add(-time.Second)}, false, false},
		{agent.Info{MTime: now.Add(-time.Hour), CTime: now.Add(-3 * time.Second)}, false, true},
		{agent.Info{MTime: now.Add(-time.Hour), CTime: now}, true, true}, // a log changes its size
		{agent.Info{MTime: now.Add(-time.Second)}, false, false},         // a platform without change times
		{agent.Info{MTime: now.Add(-3 * time.Second)}, false, true},
	} {
		if got := noted(c.info, c.log, now); sameFile(got, c.info) != c.same || !got.MTime.Equal(c.info.MTime) {
			t.Errorf("%+v becomes %+v", c.info, got)
		}
	}
}

func TestNamesIn(t *testing.T) {
	for text, want := range map[string][]string{
		`":"calm-red-fox","x":1}`:             {"calm-red-fox", "x", "1"},
		"/a-b.md. Then":                       {"a-b.md.", "a-b.md", "Then"},
		`\\tool-outputs\\run_1.txt\n`:         {"tool-outputs", "run_1.txt", "n"},
		"":                                    nil,
		"…é":                                  nil,
		"...":                                 {"..."},
		"deep/legacy.md and so on, really???": {"deep", "legacy.md", "and", "so", "on", "really"},
	} {
		var got []string
		for _, n := range namesIn([]byte(text)) {
			got = append(got, string(n))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q holds %q, want %q", text, got, want)
		}
	}
}

// A name is found wherever it stands, across the pieces that a file is read in.
func TestLookFindsNamesEverywhere(t *testing.T) {
	k := &look{names: map[string]bool{}}
	k.add([]string{`"slug"`, "plans/"}, []string{"calm-red-fox", "old-one.md"}, false)
	k.words = needle.NewWords(k.after...)
	filler := strings.Repeat(`{"slug":"other","text":"plans/none.md"}`+"\n", 20_000)
	text := filler + `{"slug" : "calm-red-fox"}` + "\n" + filler + `{"text":"see ~/.claude/plans/old-one.md"}`
	var found []string
	if err := k.scanBytes(context.Background(), strings.NewReader(text), int64(len(text)), func(name string) { found = append(found, name) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, []string{"calm-red-fox", "old-one.md"}) {
		t.Errorf("found %q", found)
	}
}

// changing is a root whose files change while they are read.
type changing struct {
	agent.Root
	change func(name string)
}

func (c changing) Open(name string) (agent.File, error) {
	f, err := c.Root.Open(name)
	if err == nil {
		c.change(name)
	}
	return f, err
}

// library of one memory root, with an archive of its own.
func archiving(t *testing.T, open func(dir string) (agent.Root, error)) *Library {
	t.Helper()
	l, err := Open(Options{
		Home: "/home/sam", GOOS: "linux", WorkDir: "/home/sam", TempDir: "/tmp", Open: open,
		Vars: map[string]string{"XDG_CONFIG_HOME": t.TempDir(), "SESHAT_DATA_DIR": t.TempDir()},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func only(dir string, root agent.Root) func(string) (agent.Root, error) {
	return func(name string) (agent.Root, error) {
		if name != dir {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return root, nil
	}
}

func runArchive(t *testing.T, l *Library, q ArchiveQuery) (*ArchiveRun, []string) {
	t.Helper()
	run, _, err := l.Archive(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, it := range run.Items {
		text := it.Did + " " + path.Base(it.Path)
		if it.Pending != "" {
			text += ": " + it.Pending
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return run, out
}

// A file that is not the same before and after it is read waits for the next run; a log
// may grow.
func TestArchiveOfWhatChangesWhileItIsRead(t *testing.T) {
	m := &rootfs.Memory{Folder: "/home/sam/.claude"}
	old := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const memory, log = "projects/-srv-app/memory/MEMORY.md", "projects/-srv-app/11111111-1111-4111-8111-111111111111.jsonl"
	m.File(memory, "one", old)
	m.File(log, "{}\n", old)
	busy := true
	l := archiving(t, only(m.Folder, changing{m, func(name string) {
		switch {
		case busy && name == memory:
			m.File(memory, "two", old.Add(time.Second))
		case busy && name == log:
			m.Touch(log, old.Add(time.Second)) // as appending does
		}
	}}))
	_, got := runArchive(t, l, ArchiveQuery{})
	if want := []string{"kept " + path.Base(log), "pending MEMORY.md: " + pendingChanged}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	busy = false
	if _, got := runArchive(t, l, ArchiveQuery{}); !slices.Equal(got, []string{"kept MEMORY.md"}) {
		t.Errorf("when it is quiet: %q", got)
	}
	if _, got := runArchive(t, l, ArchiveQuery{}); len(got) > 0 {
		t.Errorf("and then: %q", got)
	}
}

// A disk that is nearly full stops a run with a sentence; what was kept stays.
func TestArchiveLeavesRoom(t *testing.T) {
	m := &rootfs.Memory{Folder: "/home/sam/.claude"}
	old := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m.File("projects/-srv-app/11111111-1111-4111-8111-111111111111.jsonl", "{}\n", old)
	m.File("projects/-srv-app/22222222-2222-4222-8222-222222222222.jsonl", strings.Repeat("{}\n", 1000), old.Add(time.Hour))
	l := archiving(t, only(m.Folder, m))
	tight := func(string) (int64, bool) { return spareRoom + 100, true } // the first fits, the second does not
	run, got := runArchive(t, l, ArchiveQuery{free: tight})
	if want := []string{"kept 11111111-1111-4111-8111-111111111111.jsonl"}; !slices.Equal(got, want) || !strings.Contains(run.Stopped, "512.0 MB stay free") {
		t.Errorf("got %q, stopped by %q", got, run.Stopped)
	}
	unknown := func(string) (int64, bool) { return 0, false }
	if run, got := runArchive(t, l, ArchiveQuery{free: unknown}); len(got) != 1 || run.Stopped != "" {
		t.Errorf("where nobody knows what is free: %q %q", got, run.Stopped)
	}
}
