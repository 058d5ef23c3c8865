package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// bench is a drain with a clock of its own and an archive that counts.
type bench struct {
	Drain
	t      *testing.T
	now    time.Time
	runs   []time.Duration           // when the archive ran, since the start
	during func(run int) error       // the archive
	tick   func(since time.Duration) // called before each look at the clock after a sleep
	start  time.Time
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, start: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)}
	b.now = b.start
	b.Drain = Drain{
		Home: HomeIn(t.TempDir()), Now: func() time.Time { return b.now }, Trusted: func(path string) string { return path },
		Sleep: func(ctx context.Context, d time.Duration) error {
			b.now = b.now.Add(d)
			if b.tick != nil {
				b.tick(b.now.Sub(b.start))
			}
			return ctx.Err()
		},
		Archive: func(context.Context) error {
			b.runs = append(b.runs, b.now.Sub(b.start))
			if b.during != nil {
				return b.during(len(b.runs))
			}
			return nil
		},
	}
	return b
}

func (b *bench) put(transcript string) {
	b.t.Helper()
	if err := b.Home.Queue().Put(Entry{Time: b.now, Event: SessionEnd, Transcript: transcript}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) transcript(data string) string {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "one.jsonl")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bench) want(err, wantErr error, left int, runs ...time.Duration) {
	b.t.Helper()
	if !errors.Is(err, wantErr) || fmt.Sprint(b.runs) != fmt.Sprint(runs) || b.Home.Queue().Len() != left {
		b.t.Errorf("%v; ran at %v, want %v; %d entries left, want %d", err, b.runs, runs, b.Home.Queue().Len(), left)
	}
}

func TestDrainWaitsUntilItIsQuiet(t *testing.T) {
	b := newBench(t)
	path := b.transcript("a\n")
	b.put(path)
	b.tick = func(since time.Duration) {
		if since == 3*time.Second { // something comes late
			b.t.Helper()
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(f, "b")
			f.Close()
		}
	}
	b.want(b.Run(t.Context()), nil, 0, 8*time.Second)
}

// One that never ends is archived all the same, as far as it goes.
func TestDrainDoesNotWaitForEver(t *testing.T) {
	b := newBench(t)
	path := b.transcript("a\n")
	b.put(path)
	b.tick = func(since time.Duration) {
		if err := os.WriteFile(path, []byte(strings.Repeat("a", int(since/time.Second))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.want(b.Run(t.Context()), nil, 0, 10*time.Minute)
}

// A transcript that is gone, or that is no longer to be trusted, is not waited for.
func TestDrainOfOddEntries(t *testing.T) {
	b := newBench(t)
	b.put("")
	b.put(filepath.Join(t.TempDir(), "gone.jsonl"))
	write(t, filepath.Join(b.Home.Queue().Dir, "5.json"), "{not JSON", 0o600)
	b.want(b.Run(t.Context()), nil, 0, 5*time.Second)

	b = newBench(t)
	path := b.transcript("a\n")
	b.put(path)
	b.Trusted = func(string) string { return "" }
	b.tick = func(time.Duration) { _ = os.WriteFile(path, []byte(b.now.String()), 0o600) }
	b.want(b.Run(t.Context()), nil, 0, 5*time.Second)
}

// What comes while the archive runs is not lost: the run may have passed it by.
func TestDrainTakesWhatComesMeanwhile(t *testing.T) {
	b := newBench(t)
	b.put("")
	b.during = func(run int) error {
		if run == 1 {
			b.put("")
			if err := b.Run(t.Context()); !errors.Is(err, ErrBusy) {
				t.Errorf("a second drain: %v", err)
			}
		}
		return nil
	}
	b.want(b.Run(t.Context()), nil, 0, 5*time.Second, 10*time.Second)
}

// Nor is what comes when the queue was found empty and the lock is still held.
func TestDrainTakesWhatComesLast(t *testing.T) {
	b := newBench(t)
	b.put("")
	ends := 0
	b.ending = func() {
		if ends++; ends == 1 {
			b.put("")
		}
	}
	b.want(b.Run(t.Context()), nil, 0, 5*time.Second, 10*time.Second)
}

// An entry goes only when the archive has run, and comes again with the next drain.
func TestDrainKeepsWhatFails(t *testing.T) {
	b := newBench(t)
	b.put("")
	full := errors.New("the disk is full\nat " + strings.Repeat("x", 1000))
	b.during = func(int) error { return full }
	b.Mask = func(s string) string { return strings.ReplaceAll(s, "disk", "****") }
	b.want(b.Run(t.Context()), full, 1, 5*time.Second, 35*time.Second, 155*time.Second)
	if o, ok := b.Home.Last(); !ok || !o.Failed {
		t.Errorf("the last outcome: %+v", o)
	}
	f, ok := b.Home.LastFailure()
	if !ok || !f.Time.Equal(b.now) || !strings.HasPrefix(f.Message, "the **** is full at xxx") || len(f.Message) > maxMessage+4 {
		t.Errorf("the last failure: %+v", f)
	}
	b.during, b.runs = nil, nil
	b.want(b.Run(t.Context()), nil, 0, 160*time.Second)
	if o, ok := b.Home.Last(); !ok || o.Failed || o.Entries != 1 {
		t.Errorf("the last outcome: %+v", o)
	}
}

func TestDrainSurvivesACrash(t *testing.T) {
	b := newBench(t)
	b.put("")
	b.during = func(run int) error {
		if run == 1 {
			panic("the words of a prompt")
		}
		return nil
	}
	b.want(b.Run(t.Context()), nil, 0, 5*time.Second, 35*time.Second)
	if f, ok := b.Home.LastFailure(); !ok || strings.Contains(f.Message, "prompt") {
		t.Errorf("the last failure: %+v", f)
	}
}

// Whatever keeps a drain from its work is in the log.
func TestDrainLogsWhatStopsIt(t *testing.T) {
	b := newBench(t)
	b.put("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.want(b.Run(ctx), context.Canceled, 1)
	if f, ok := b.Home.LastFailure(); !ok || !strings.Contains(f.Message, "stopped while it waited") {
		t.Errorf("%+v", f)
	}
	if err := os.RemoveAll(filepath.Join(b.Home.Dir, lockName)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(b.Home.Dir, lockName), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context()); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("a folder in the place of the lock: %v", err)
	}
	if f, ok := b.Home.LastFailure(); !ok || !strings.Contains(f.Message, lockName) || b.Home.Queue().Len() != 1 {
		t.Errorf("%+v", f)
	}
}

// The log keeps its last lines and no more.
func TestLogIsBounded(t *testing.T) {
	h := HomeIn(t.TempDir())
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxLines {
		h.log(time.Unix(int64(i), 0), fmt.Sprintf("failure %d %s", i, strings.Repeat("\x1b[31m€", 200)))
	}
	b, err := os.ReadFile(filepath.Join(h.Dir, logName))
	if err != nil || strings.Count(string(b), "\n") != maxLines || len(b) > maxLines*400 || strings.Contains(string(b), "\x1b") {
		t.Errorf("%d bytes, %d lines, %v", len(b), strings.Count(string(b), "\n"), err)
	}
	if f, ok := h.LastFailure(); !ok || !strings.HasPrefix(f.Message, "failure 149 ") || f.Time.Unix() != 149 {
		t.Errorf("%+v", f)
	}
	if _, ok := HomeIn(t.TempDir()).LastFailure(); ok {
		t.Error("there is a failure of nothing")
	}
}

// Of many drains that start at once, with entries that come all the time, none loses
// one, and no two archive at once.
func TestDrainsAtOnce(t *testing.T) {
	home := HomeIn(t.TempDir())
	var mu sync.Mutex
	archived, running := map[string]bool{}, false
	drain := func() error {
		d := Drain{
			Home: home, Now: time.Now, Trusted: func(string) string { return "" },
			Sleep: func(context.Context, time.Duration) error { return nil },
			Archive: func(context.Context) error {
				mu.Lock()
				if running {
					t.Error("two archive at once")
				}
				running = true
				mu.Unlock()
				entries, err := home.Queue().List()
				mu.Lock()
				defer mu.Unlock()
				for _, e := range entries {
					archived[e.name] = true
				}
				running = false
				return err
			},
		}
		clock := time.Now()
		d.Now = func() time.Time { clock = clock.Add(10 * time.Second); return clock }
		return d.Run(t.Context())
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if err := home.Queue().Put(Entry{Time: time.Now(), Event: SessionEnd}); err != nil {
					t.Error(err)
				}
				if err := drain(); err != nil && !errors.Is(err, ErrBusy) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := home.Queue().Len(); n != 0 || len(archived) != 160 {
		t.Errorf("%d entries left, %d archived", n, len(archived))
	}
}

// A lock ends with the process that holds it, also when that is killed.
func TestLockEndsWithItsProcess(t *testing.T) {
	path := filepath.Join(os.Getenv("HOOK_LOCK"), "lock")
	if os.Getenv("HOOK_LOCK") != "" {
		_, err := lock(path)
		fmt.Println("locked", err)
		_, _ = io.ReadAll(os.Stdin)
		return
	}
	dir := t.TempDir()
	path = filepath.Join(dir, "lock")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run", "^TestLockEndsWithItsProcess$")
	cmd.Env = append(os.Environ(), "HOOK_LOCK="+dir)
	in, _ := cmd.StdinPipe()
	defer in.Close()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len("locked <nil>"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "locked <nil>" {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := lock(path); !errors.Is(err, ErrBusy) {
		t.Errorf("while another has it: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	unlock, err := lock(path)
	if err != nil {
		t.Fatalf("when the other is dead: %v", err)
	}
	unlock()
}

func TestHook(t *testing.T) {
	long := `{"hook_event_name":"SessionEnd","cwd":"` + strings.Repeat("x", 2*maxInput) + `","transcript_path":"/data/one.jsonl"}`
	for input, want := range map[string]Entry{
		`{"session_id":"s","transcript_path":"/data/one.jsonl","cwd":"/x","hook_event_name":"SessionEnd","reason":"other"}`: {Event: SessionEnd, Transcript: "/data/one.jsonl"},
		`{"transcript_path":"/data/one.jsonl","hook_event_name":"SessionStart","source":"startup"}`:                         {Event: SessionStart},
		`{"transcript_path":"/etc/passwd","hook_event_name":"SessionEnd"}`:                                                  {Event: SessionEnd},
		`{"transcript_path":7,"hook_event_name":"SessionEnd"}`:                                                              {Event: SessionEnd},
		"":                               {Event: SessionEnd},
		"[1":                             {Event: SessionEnd},
		"\xff\xfe{":                      {Event: SessionEnd},
		long:                             {Event: SessionEnd},
		`{"hook_event_name":"<script>"}`: {Event: SessionEnd},
	} {
		started := 0
		at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
		h := Hook{Home: HomeIn(t.TempDir()), Now: func() time.Time { return at }, Start: func() error { started++; return nil },
			Trusted: func(path string) string {
				if strings.HasPrefix(path, "/data/") {
					return path
				}
				return ""
			}}
		if err := h.Run(strings.NewReader(input)); err != nil {
			t.Errorf("%.80q: %v", input, err)
		}
		entries, err := h.Home.Queue().List()
		if err != nil || len(entries) != 1 || started != 1 {
			t.Fatalf("%.80q: %d entries, %v, %d drains", input, len(entries), err, started)
		}
		got := entries[0]
		fi, err := os.Stat(filepath.Join(h.Home.Queue().Dir, got.name))
		if err != nil || filepath.Separator == '/' && fi.Mode() != 0o600 {
			t.Errorf("%.80q: %v, %v", input, fi.Mode(), err)
		}
		want.Time, got.name = at, ""
		if !got.Time.Equal(want.Time) || got.Event != want.Event || got.Transcript != want.Transcript {
			t.Errorf("%.80q: %+v, want %+v", input, got, want)
		}
	}
}

// Input that never ends is not waited for, and neither is one that nobody closes.
func TestHookDoesNotWait(t *testing.T) {
	for what, feed := range map[string]func(w io.Writer){
		"nothing": func(io.Writer) {},
		"half":    func(w io.Writer) { fmt.Fprint(w, `{"hook_event_name":`) },
		"all":     func(w io.Writer) { fmt.Fprint(w, `{"transcript_path":"/x"}`) },
	} {
		r, w := io.Pipe()
		defer w.Close()
		go feed(w)
		h := Hook{Home: HomeIn(t.TempDir()), Now: time.Now, Trusted: func(p string) string { return p }, Start: func() error { return nil }}
		start := time.Now()
		err := h.Run(r)
		if took := time.Since(start); err != nil || took > time.Second {
			t.Errorf("%s: %v, %v", what, took, err)
		}
		entries, _ := h.Home.Queue().List()
		if len(entries) != 1 || (entries[0].Transcript == "/x") != (what == "all") {
			t.Errorf("%s: %+v", what, entries)
		}
	}
}

// A queue that nobody drains does not grow for ever.
func TestQueueIsBounded(t *testing.T) {
	q := Queue{t.TempDir()}
	for i := range full {
		b, _ := json.Marshal(Entry{})
		if err := os.WriteFile(filepath.Join(q.Dir, fmt.Sprintf("%d.json", i)), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Put(Entry{Time: time.Now()}); err != nil || q.Len() != full {
		t.Errorf("%v, %d entries", err, q.Len())
	}
}
