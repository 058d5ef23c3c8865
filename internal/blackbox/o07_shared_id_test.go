package blackbox

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// twins is case O7: two sessions of two projects with one id.
func twins(t *testing.T) (h *Home, alpha, beta string) {
	h = New(t)
	alpha = h.Claude("/srv/alpha", S1, U("a1", "", "alpha pool sizing"), A("a2", "a1", "msg_a", T("alpha answer"), ""))
	h.Start = h.Start.AddDate(0, 0, 1)
	beta = h.Claude("/srv/beta", S1, U("b1", "", "beta cache eviction"))
	return h, alpha, beta
}

func TestO7OneIDTwoSessions(t *testing.T) {
	h, alpha, beta := twins(t)
	list, _ := h.sessions(t)
	if len(list) != 2 {
		t.Fatalf("%d rows, want 2", len(list))
	}
	b, a := list[0], list[1] // the newest first
	if a.Path != h.Tilde(alpha) || a.Project.Name != "alpha" || a.Project.Root != "/srv/alpha" || a.Title != "alpha pool sizing" {
		t.Errorf("alpha's row: %+v", a)
	}
	if b.Path != h.Tilde(beta) || b.Project.Name != "beta" || b.Project.Root != "/srv/beta" || b.Title != "beta cache eviction" {
		t.Errorf("beta's row: %+v", b)
	}
	shape := regexp.MustCompile(`^claude:` + S1 + `@[0-9a-f]{8}$`)
	if a.Handle == b.Handle || !shape.MatchString(a.Handle) || !shape.MatchString(b.Handle) {
		t.Errorf("the handles are %q and %q", a.Handle, b.Handle)
	}
	again, _ := h.sessions(t)
	if again[0].Handle != b.Handle || again[1].Handle != a.Handle {
		t.Error("the handles are not stable")
	}
	text := h.Run("sessions").exits(t, 0).Stdout
	if rows := lines(text); len(rows) != 2 || !strings.Contains(rows[0], "beta cache eviction") || !strings.Contains(rows[1], "alpha pool sizing") {
		t.Errorf("the list reads\n%s", text)
	}

	if got, want := h.hits("eviction"), []string{h.Tilde(beta) + ":beta cache eviction"}; !slices.Equal(got, want) {
		t.Errorf("grep gives %q, want %q", got, want)
	}

	r := h.Run("show", S1).exits(t, 2)
	for _, want := range []string{a.Handle, b.Handle, h.Tilde(alpha), h.Tilde(beta)} {
		if !strings.Contains(r.Stderr, want) {
			t.Errorf("the refusal does not name %s: %q", want, r.Stderr)
		}
	}
	if r.Stdout != "" {
		t.Errorf("show printed one of them: %q", r.Stdout)
	}

	for _, handle := range []string{
		a.Handle, strings.TrimPrefix(a.Handle, "claude:"), alpha, h.Tilde(alpha), "./" + strings.TrimPrefix(h.Tilde(alpha), "~/"),
	} {
		out := h.Run("show", handle).exits(t, 0).Stdout
		if !strings.Contains(out, "alpha pool sizing") || strings.Contains(out, "beta") {
			t.Errorf("show %s prints\n%s", handle, out)
		}
	}
	out := h.Run("show", beta).exits(t, 0).Stdout
	if !strings.Contains(out, "beta cache eviction") || strings.Contains(out, "alpha") {
		t.Errorf("show %s prints\n%s", beta, out)
	}
	out = h.Run("show", a.Handle+":2", "-C", "0").exits(t, 0).Stdout
	if !strings.Contains(out, "alpha answer") || strings.Contains(out, "── prompt") {
		t.Errorf("show of one line prints\n%s", out)
	}
}

// A handle is unique: two records that share an id, in different files, with
// different content, are two records.
func TestO7OneIDTwoRecords(t *testing.T) {
	h := New(t)
	h.Claude("/srv/alpha", S1, U("shared-uuid-1", "", "the first text"))
	h.Claude("/srv/beta", S2, U("shared-uuid-1", "", "quite another text"))
	recs, _ := h.records(t)
	if len(recs) != 2 {
		t.Fatalf("%d records, want 2", len(recs))
	}
	if recs[0].Handle == recs[1].Handle {
		t.Errorf("both records have the handle %s", recs[0].Handle)
	}
	for _, r := range recs {
		out := h.Run("show", r.Handle, "-C", "0").exits(t, 0).Stdout
		if !strings.Contains(out, r.Text) {
			t.Errorf("show %s does not print %q", r.Handle, r.Text)
		}
	}
}
