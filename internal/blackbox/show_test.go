package blackbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func (h *Home) shown(t *testing.T, args ...string) []string {
	t.Helper()
	return texts(as[record](t, oneObject(t, h.Run(append([]string{"show", "--json"}, args...)...).exits(t, 0))))
}

func TestShowAround(t *testing.T) {
	h := New(t)
	var body []string
	for i := 1; i <= 9; i++ {
		body = append(body, U(fmt.Sprintf("record-%d", i), "", fmt.Sprint("text ", i)))
	}
	body[5] = `{"type":"progress","uuid":"p"}` // line 6 has no record
	h.Claude("/srv/app", S1, body...)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{S1 + ":3", "-C", "0"}, "3"},
		{[]string{S1 + ":3", "-C", "1"}, "2 3 4"},
		{[]string{S1 + ":3"}, "1 2 3 4 5"},
		{[]string{S1 + ":1", "-C", "2"}, "1 2 3"},
		{[]string{S1 + ":9", "-C", "2"}, "7 8 9"},
		{[]string{S1 + ":6", "-C", "0"}, "7"}, // the next line that has one
		{[]string{S1 + ":3", "-C", "100"}, "1 2 3 4 5 7 8 9"},
		{[]string{S1}, "1 2 3 4 5 7 8 9"},
		{[]string{S1, "-C", "0"}, "1 2 3 4 5 7 8 9"}, // nothing is named to be around of
		{[]string{"record-4", "-C", "0"}, "4"},
		{[]string{"claude:record-4", "-C", "1"}, "3 4 5"},
	} {
		var want []string
		for _, n := range strings.Fields(c.want) {
			want = append(want, "text "+n)
		}
		if got := h.shown(t, c.args...); !slices.Equal(got, want) {
			t.Errorf("show %q gives %q, want %q", c.args, got, want)
		}
	}
}

func TestShowHandles(t *testing.T) {
	h := New(t)
	h.Claude("/srv/app", "abcd1111-0000-4000-8000-000000000000", U("m1", "", "first"))
	h.Claude("/srv/app", "abcd2222-0000-4000-8000-000000000000", U("m2", "", "second"))
	h.Claude("/srv/app", "beef", U("m3", "", "third"))
	r := h.Run("show", "abcd").exits(t, 2)
	for _, id := range []string{"claude:abcd1111-0000-4000-8000-000000000000", "claude:abcd2222-0000-4000-8000-000000000000"} {
		if !strings.Contains(r.Stderr, id) {
			t.Errorf("the refusal does not name %s: %q", id, r.Stderr)
		}
	}
	for handle, want := range map[string]string{"abcd1": "first", "abcd2222": "second", "claude:abcd2": "second", "beef": "third"} {
		if got := h.shown(t, handle); !slices.Equal(got, []string{want}) {
			t.Errorf("show %s gives %q, want %q", handle, got, want)
		}
	}
	h.Run("show", "abc").exits(t, 2)
	h.Run("show", "abcd3").exits(t, 2)
}

// The handles that a list prints name what they stand for.
func TestListedHandlesWork(t *testing.T) {
	h := New(t)
	for i := range 20 {
		id := fmt.Sprintf("11111111-1111-4111-8111-11111111%04d", i*3)
		h.Claude("/srv/app", id, U(fmt.Sprint("m", i), "", fmt.Sprint("title ", i)))
	}
	h.Claude("/srv/beta", "11111111-1111-4111-8111-111111110003", U("mm", "", "title 20")) // shares its id
	rows := lines(h.Run("sessions").exits(t, 0).Stdout)
	if len(rows) != 21 {
		t.Fatalf("%d rows, want 21", len(rows))
	}
	for _, row := range rows {
		handle, title := strings.Fields(row)[0], row[strings.Index(row, "title"):]
		if got := h.shown(t, handle); !slices.Equal(got, []string{title}) {
			t.Errorf("show %s gives %q, want %q", handle, got, title)
		}
	}
	list, _ := h.sessions(t)
	for _, s := range list {
		if got := h.shown(t, s.Handle); !slices.Equal(got, []string{s.Title}) {
			t.Errorf("show %s gives %q, want %q", s.Handle, got, s.Title)
		}
	}
}

func TestShowCutsLongResults(t *testing.T) {
	h := New(t)
	var out []string
	for i := 1; i <= 40; i++ {
		out = append(out, fmt.Sprint("result line ", i))
	}
	h.Claude("/srv/app", S1, U("m1", "", "ask"), A("a1", "m1", "x", ToolUse("t1", "Bash", `{"command":"seq 40"}`), ""),
		UB("m2", "a1", ToolResult("t1", strings.Join(out, "\n"))))
	short := h.Run("show", S1).exits(t, 0).Stdout
	if strings.Contains(short, "result line 40") || !strings.Contains(short, "result line 1\n") || !strings.Contains(short, "--full") {
		t.Errorf("show prints\n%s", short)
	}
	if full := h.Run("show", S1, "--full").exits(t, 0).Stdout; !strings.Contains(full, strings.Join(out, "\n")+"\n") {
		t.Errorf("show --full prints\n%s", full)
	}
	if got := h.shown(t, S1, "--kind", "tool_result"); !slices.Equal(got, []string{strings.Join(out, "\n")}) {
		t.Errorf("JSON is cut: %q", got)
	}
}
