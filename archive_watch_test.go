package seshat_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
)

// A watch archives what changes and opens nothing while all is as it was.
func TestWatchArchive(t *testing.T) {
	m := threeChats()
	w := newWorld(m)
	l := library(t, w, "", func(o *seshat.Options) { o.Vars["SESHAT_DATA_DIR"] = t.TempDir() })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick, runs := make(chan time.Time), make(chan string, 1)
	done := make(chan error, 1)
	go func() {
		done <- l.WatchArchive(ctx, seshat.ArchiveQuery{}, tick, func(run *seshat.ArchiveRun, err error) {
			var did []string
			for _, it := range run.Items {
				did = append(did, it.Did+" "+it.Path[strings.LastIndex(it.Path, "/")+1:])
			}
			slices.Sort(did)
			runs <- strings.Join(did, " ")
		})
	}()
	if got, want := <-runs, "kept "+one+".jsonl kept "+two+".jsonl kept "+three+".jsonl"; got != want {
		t.Fatalf("the first run: %q, want %q", got, want)
	}
	w.mu.Lock()
	w.opened = nil
	w.mu.Unlock()
	tick <- time.Now()
	tick <- time.Now() // the first is done with
	w.mu.Lock()
	opened := slices.Clone(w.opened)
	w.mu.Unlock()
	if len(opened) > 0 || len(runs) > 0 {
		t.Errorf("while nothing changes it opens %q", opened)
	}
	name := "projects/-srv-app/" + one + ".jsonl"
	m.File(name, chat(one, "/srv/app", 10, "alpha question", "alpha answer")+line(user(one, "/srv/app", "10000000-0000-4000-8000-000000000003", 40, "more")), at(50))
	tick <- time.Now()
	if got, want := <-runs, "grown "+one+".jsonl"; got != want {
		t.Errorf("when a session grew: %q, want %q", got, want)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
