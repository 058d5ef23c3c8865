package blackbox

import (
	"strings"
	"testing"
)

// image is case O2: a pasted screenshot of 16,777,216 base64 characters, which
// stand for 12,582,912 bytes, or 12 MB.
func image(t *testing.T) (h *Home, path string) {
	h = New(t)
	path = h.Claude("/srv/app", S1,
		U("m1", "", "before-image"),
		UB("m2", "m1", Image("image/png", strings.Repeat("A", 16<<20)), T("caption-marker")),
		U("m3", "m2", "after-image"),
	)
	return h, path
}

func TestO2HugeImageIsPassedOver(t *testing.T) {
	t.Parallel()
	h, path := image(t)
	for _, word := range []string{"before-image", "caption-marker", "after-image"} {
		r := h.Run("grep", "-F", "-c", word).exits(t, 0)
		if want := h.Tilde(path) + ":1\n"; r.Stdout != want || r.Stderr != "" {
			t.Errorf("grep -c %s prints %q and %q, want %q", word, r.Stdout, r.Stderr, want)
		}
	}
	if r := h.Run("grep", "-F", strings.Repeat("A", 16)).exits(t, 1); r.Stdout != "" {
		t.Errorf("base64 is no text, but: %.200q", r.Stdout)
	}
	shown := h.Run("show", S1).exits(t, 0).Stdout
	if !strings.Contains(shown, "\n[image image/png 12 MB]\n\ncaption-marker\n") {
		t.Errorf("show prints no placeholder with type and size:\n%s", shown)
	}
	list, sum := h.sessions(t)
	if len(list) != 1 || list[0].Counts.Prompts != 3 || !sum.Complete {
		t.Errorf("the session has 3 prompts: %+v %+v", list, sum)
	}
}
