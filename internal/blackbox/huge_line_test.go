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
	const size = 64 << 20
	text := "huge-start " + strings.Repeat("lorem ipsum dolor sit amet\n", size/27) + "huge-end"
	path := h.Claude("/srv/app", S1, U("m1", "", "good before"), U("m2", "m1", text), U("m3", "m2", "good after"))
	h.Claude("/srv/other", S2, U("o1", "", "good elsewhere"))

	for needle, want := range map[string]string{
		"good before": "1:good before", "good after": "3:good after",
		"huge-start": "2:huge-start lorem ipsum dolor sit amet", "huge-end": "2:huge-end",
	} {
		r := h.Run("grep", "-n", "-F", needle).exits(t, 0)
		if got := lines(r.Stdout); !slices.Equal(got, []string{h.Tilde(path) + ":" + want}) {
			t.Errorf("grep %s prints %.300q", needle, got)
		}
	}
	r := h.Run("grep", "-c", "-F", "dolor").exits(t, 0)
	if want := h.Tilde(path) + ":2485513\n"; r.Stdout != want { // 67108864 bytes in lines of 27
		t.Errorf("grep -c prints %q, want %q", r.Stdout, want)
	}
	if list, sum := h.sessions(t); len(list) != 2 || !sum.Complete {
		t.Errorf("sessions: %+v %+v", list, sum)
	}
	if shown := h.Run("show", S1+":3", "-C", "0").exits(t, 0).Stdout; !strings.HasSuffix(shown, "good after\n") {
		t.Errorf("show prints ...%s", tail(shown))
	}
}

// A line that is cut in the middle of 64 MB is one damaged line.
func TestHugeBrokenLine(t *testing.T) {
	t.Parallel()
	h := New(t)
	broken := `{"type":"user","message":{"content":"` + strings.Repeat(`{"type":"user","x":`, (64<<20)/19)
	path := h.Claude("/srv/app", S1, U("m1", "", "good before"), broken, U("m3", "m1", "good after"))
	recs, sum := h.records(t)
	if got := texts(recs); !slices.Equal(got, []string{"good before", "good after"}) {
		t.Errorf("records %.300q", got)
	}
	if sum.DamagedLines != 1 || !sum.warned(h.Tilde(path), 2) {
		t.Errorf("the summary: %+v", sum)
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
