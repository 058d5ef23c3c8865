package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// Law 6 and the fine print on huge lines: nothing is skipped unsearched.
func TestHugeLine(t *testing.T) {
	t.Parallel()
	h := New(t)
	megabyte := strings.Repeat(strings.Repeat("lorem ipsum dolor sit amet ", 38)+"\n", 1<<10)
	text := "huge-start " + strings.Repeat(megabyte+"a mark-needle\n", 64) + "huge-end"
	path := h.Claude("/srv/app", S1, U("m1", "", "good before"), U("m2", "m1", text), U("m3", "m2", "good after"))
	h.Claude("/srv/other", S2, U("o1", "", "good elsewhere"))

	r := h.Run("grep", "-n", "-F", "-e", "good before", "-e", "huge-start", "-e", "huge-end", "-e", "good after").exits(t, 0)
	want := []string{"1:good before", "2:huge-start " + strings.Repeat("lorem ipsum dolor sit amet ", 38), "2:huge-end", "3:good after"}
	for i, line := range want {
		want[i] = h.Tilde(path) + ":" + line
	}
	if got := lines(r.Stdout); !slices.Equal(got, want) {
		t.Errorf("grep prints %.500q", got)
	}
	r = h.Run("grep", "-c", "-F", "mark-needle").exits(t, 0)
	if want := h.Tilde(path) + ":64\n"; r.Stdout != want {
		t.Errorf("grep -c prints %q, want %q", r.Stdout, want)
	}
	if list, sum := h.sessions(t); len(list) != 2 || !sum.Complete {
		t.Errorf("sessions: %+v %+v", list, sum)
	}
}

// A line that is cut in the middle is one damaged line, however long, and
// however many records seem to begin in it.
func TestHugeBrokenLine(t *testing.T) {
	t.Parallel()
	for what, line := range map[string]string{
		"text":  `{"type":"user","message":{"content":"` + strings.Repeat("lorem ipsum dolor sit amet ", (64<<20)/27),
		"parts": `{"type":"user","message":{"content":"` + strings.Repeat(`{"type":"user","x":`, (4<<20)/19),
	} {
		h := New(t)
		path := h.Claude("/srv/app", S1, U("m1", "", "good before"), line, U("m3", "m1", "good after"))
		recs, sum := h.records(t)
		if got := texts(recs); !slices.Equal(got, []string{"good before", "good after"}) {
			t.Errorf("%s: records %.300q", what, got)
		}
		if sum.DamagedLines != 1 || !sum.warned(h.Tilde(path), 2) {
			t.Errorf("%s: the summary: %+v", what, sum)
		}
	}
}

// The fine print: text over 16 MB is printed cut, with the flag cut, and found
// all the same, also across the edge of a window.
func TestHugeTextIsPrintedCut(t *testing.T) {
	t.Parallel()
	h := New(t)
	const window = 16 << 20
	text := strings.Repeat("x", window-5) + "edge-needle" + strings.Repeat("y", 1<<20)
	h.Claude("/srv/app", S1, U("m1", "", text))
	if r := h.Run("grep", "-c", "-F", "edge-needle").exits(t, 0); !strings.HasSuffix(r.Stdout, ":1\n") {
		t.Errorf("grep -c prints %.200q", r.Stdout)
	}
	recs, _ := h.records(t)
	if len(recs) != 1 || !slices.Contains(recs[0].Flags, "cut") || len(recs[0].Text) > window {
		t.Errorf("a text of %d MB is printed with %d MB and the flags %q", len(text)>>20, len(recs[0].Text)>>20, recs[0].Flags)
	}
}
