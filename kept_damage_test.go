package seshat_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// long is a transcript of several frames: prompts, each with the word "said" and its
// number, in text that does not get smaller when it is packed.
func long(prompts int) string {
	rng := rand.New(rand.NewPCG(81, 82))
	var b strings.Builder
	for i := range prompts {
		noise := make([]byte, 8000)
		for j := range noise {
			noise[j] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[rng.IntN(64)]
		}
		b.WriteString(line(user(one, "/srv/app", fmt.Sprintf("u%d", i), 1, fmt.Sprintf("said %d\n%s", i, noise))))
	}
	return b.String()
}

// flip damages the pack of an archive at a place, or mends it.
func (a attic) flip(at func(size int) int) {
	a.t.Helper()
	packs, err := filepath.Glob(a.archive() + "/packs/*")
	if err != nil || len(packs) != 1 {
		a.t.Fatal(packs, err)
	}
	b, err := os.ReadFile(packs[0])
	if err != nil {
		a.t.Fatal(err)
	}
	b[at(len(b))] ^= 0xff
	if err := os.WriteFile(packs[0], b, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// Law 6: a damaged spot of the archive costs what one frame of one source holds. All
// before it and behind it is read, and the answer says that it lacks something.
func TestKeptAndDamaged(t *testing.T) {
	const prompts = 500
	files, a := plan(), newAttic(t)
	files[appDir+one+".jsonl"] = long(prompts)
	a.keep("", "claude", claudeDir, map[string]string{appDir + one + ".jsonl": files[appDir+one+".jsonl"]})
	whole := func(l *seshat.Library) {
		t.Helper()
		if lines, ans := grepLines(t, l, "said "); len(lines) != prompts || !ans.Complete {
			t.Fatalf("%d lines, %+v", len(lines), ans)
		}
	}
	w := without(claudeDir, files, func(name string) bool { return strings.Contains(name, one) })
	whole(a.library(w))
	middle := func(size int) int { return size / 2 }
	a.flip(middle)
	cache := t.TempDir()
	l := a.library(w, func(o *seshat.Options) { o.Build, o.Vars["SESHAT_CACHE_DIR"] = "a build", cache })
	lines, ans := grepLines(t, l, "said ")
	path := claudeDir + "/" + appDir + one + ".jsonl"
	// A frame holds about 1 MB of the 4 MB.
	if len(lines) < prompts/2 || len(lines) > prompts*9/10 || !strings.HasPrefix(lines[0], path+":1:said 0") || !strings.HasSuffix(lines[len(lines)-1], fmt.Sprintf(":said %d", prompts-1)) {
		t.Errorf("%d lines from %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
	if ans.Complete || ans.Sources.Failed != 1 || ans.Sources.Read != 1 {
		t.Errorf("the answer is %+v", ans)
	}
	if i := slices.IndexFunc(ans.Warnings, func(w record.Warning) bool { return strings.Contains(w.Reason, "damaged in the archive") }); i < 0 || ans.Warnings[i].Path != path {
		t.Errorf("the warnings are %+v", ans.Warnings)
	}
	if lines, ans := grepLines(t, l, "nowhere"); len(lines) != 0 || ans.Complete {
		t.Errorf("what may have stood in it is certainly nowhere: %+v", ans)
	}
	// Twice, since a first list is kept for the next.
	want := len(lines)
	for range 2 {
		list, ans := sessions(t, l, seshat.SessionQuery{})
		if !slices.Equal(stated(list), []string{"2 live", "1 archived"}) || list[1].Counts.Prompts != want || list[1].Title[:6] != "said 0" || ans.Complete || ans.Sources.Failed != 1 {
			t.Errorf("%q with %d prompts, want %d; %+v", stated(list), list[1].Counts.Prompts, want, ans)
		}
	}
	texts, shown, err := show(l, one)
	if err != nil || len(texts) != want || shown.Session.State != record.StateArchived {
		t.Errorf("%d records are shown, want %d; %v", len(texts), want, err)
	}
	a.flip(middle)
	mended := a.library(w, func(o *seshat.Options) { o.Build, o.Vars["SESHAT_CACHE_DIR"] = "a build", cache })
	whole(mended)
	list, ans := sessions(t, mended, seshat.SessionQuery{})
	if list[1].Counts.Prompts != prompts || !ans.Complete {
		t.Errorf("mended, it has %d prompts; %+v", list[1].Counts.Prompts, ans)
	}
}

// The pack is cut, or gone.
func TestKeptWithoutItsPack(t *testing.T) {
	for what, spoil := range map[string]func(pack string) error{
		"cut":  func(pack string) error { return os.Truncate(pack, 100) },
		"gone": os.Remove,
	} {
		files, a := plan(), newAttic(t)
		a.keep("", "claude", claudeDir, map[string]string{appDir + one + ".jsonl": files[appDir+one+".jsonl"]})
		packs, err := filepath.Glob(a.archive() + "/packs/*")
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		if err := spoil(packs[0]); err != nil {
			t.Fatal(err)
		}
		l := a.library(without(claudeDir, files, func(name string) bool { return strings.Contains(name, one) }))
		got, ans := records(t, l, seshat.Selection{})
		if !slices.Equal(got, []string{"prompt something else"}) || ans.Complete || ans.Sources.Failed != 1 {
			t.Errorf("%s: %q, %+v", what, got, ans)
		}
		list, ans := sessions(t, l, seshat.SessionQuery{})
		if len(list) != 2 || ans.Complete || ans.Sources.Failed != 1 {
			t.Errorf("%s: %+v, %+v", what, list, ans)
		}
	}
}
