package blackbox

import (
	"slices"
	"strings"
	"testing"
)

// damaged is case O1: bad lines in the middle of a session and a last line that
// is still being written.
func damaged(t *testing.T) (h *Home, path, rest string) {
	h = New(t)
	path = h.Claude("/srv/app", S1,
		U("m1", "", "alpha start"),
		A("a1", "m1", "msg_1", T("beta"), ""),
		`{"type":"attachment","attachment":{"type":"queued_command","prompt":"gam`,
		``,
		`[1,2,3]`,
		U("m2", "a1", "delta needle-after-damage"),
	)
	last := `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"epsilon late"}]},` +
		`"uuid":"a2","sessionId":"` + S1 + `","cwd":"/srv/app","timestamp":"2026-01-02T03:04:07.000Z"}` + "\n"
	const written = `{"type":"assistant","message":{"role":"assi`
	h.Append(path, written)
	return h, path, strings.TrimPrefix(last, written)
}

func TestO1BadLinesHideNothing(t *testing.T) {
	h, path, rest := damaged(t)

	if got, want := h.hits("needle-after-damage"), []string{h.Tilde(path) + ":delta needle-after-damage"}; !slices.Equal(got, want) {
		t.Errorf("grep gives %q, want %q", got, want)
	}
	r := h.Run("grep", "-F", "needle-after-damage").exits(t, 0)
	for _, place := range []string{":3: ", ":5: ", ":7: "} {
		if !strings.Contains(r.Stderr, h.Tilde(path)+place) {
			t.Errorf("stderr does not name line%s%q", place, r.Stderr)
		}
	}

	recs, sum := h.records(t)
	if got, want := texts(recs), []string{"alpha start", "beta", "delta needle-after-damage"}; !slices.Equal(got, want) {
		t.Errorf("records %q, want %q", got, want)
	}
	if sum.DamagedLines != 2 || sum.Pending != 1 || len(sum.Warnings) != 3 || sum.Complete || sum.Sources.Read != 1 {
		t.Errorf("2 lines are damaged and 1 is pending, but: %+v", sum)
	}
	for _, line := range []int{3, 5, 7} {
		if !sum.warned(h.Tilde(path), line) {
			t.Errorf("no warning names line %d: %+v", line, sum.Warnings)
		}
	}

	shown := h.Run("show", S1).exits(t, 0).Stdout
	at := 0
	for _, text := range []string{"alpha start", "beta", "delta needle-after-damage"} {
		i := strings.Index(shown[at:], text)
		if i < 0 {
			t.Fatalf("show does not give %q where it should:\n%s", text, shown)
		}
		at += i
	}
	if got := strings.Count(shown, "── "); got != 3 {
		t.Errorf("show prints %d records, want 3:\n%s", got, shown)
	}

	list, sum := h.sessions(t)
	if len(list) != 1 || list[0].LastActive != "2026-01-02T03:04:06.000Z" {
		t.Errorf("the session was last active when delta was typed: %+v", list)
	}
	if sum.DamagedLines != 2 || sum.Pending != 1 {
		t.Errorf("the list says less about damage: %+v", sum)
	}

	// Exit 1 is certain: damaged bytes that hold the word could have been a match,
	// damaged bytes that do not hold it could not.
	h.Run("grep", "-F", "gam").exits(t, 2)
	h.Run("grep", "-F", "nowhere-at-all").exits(t, 1)

	h.Append(path, rest)
	recs, sum = h.records(t)
	if got, want := texts(recs), []string{"alpha start", "beta", "delta needle-after-damage", "epsilon late"}; !slices.Equal(got, want) {
		t.Errorf("after the last line was finished: records %q, want %q", got, want)
	}
	if sum.DamagedLines != 2 || sum.Pending != 0 || len(sum.Warnings) != 2 {
		t.Errorf("one warning should be gone: %+v", sum)
	}
	if got := h.hits("epsilon late"); len(got) != 1 {
		t.Errorf("the finished line is found %d times", len(got))
	}
	if got := strings.Count(h.Run("show", S1).exits(t, 0).Stdout, "── "); got != 4 {
		t.Errorf("show prints %d records, want 4", got)
	}
	if list, _ = h.sessions(t); len(list) != 1 || list[0].LastActive != "2026-01-02T03:04:07.000Z" {
		t.Errorf("the session went on: %+v", list)
	}
}
