package claude

import (
	"context"
	"slices"
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

// What is new is counted once in a file, with its first line, and only when it is
// asked for; it never fails and costs no record.
func TestDrift(t *testing.T) {
	m := disk(map[string]string{"projects/p/s.jsonl": text(
		usr("u1", 1, "one", "version", "2.1.293", "isMeta", false),
		usr("u2", 2, "two", "version", "2.2.0", "brandNew", 1),
		usr("u3", 3, "three", "version", "2.2.0", "brandNew", 2),
		ln("attachment", "x1", 4, "attachment", obj{"type": "hook_success"}),
		ln("attachment", "x2", 5, "attachment", obj{"type": "hologram"}),
		ln("hologram", "x3", 6),
	)})
	src := at(t, m, "projects/p/s.jsonl")
	for _, drift := range []bool{false, true} {
		var got []string
		records := 0
		for it, err := range adapter(t).Read(context.Background(), src, agent.Plan{Drift: drift}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case it.Unknown != nil:
				got = append(got, it.Unknown.What)
			case it.Record != nil:
				records++
			}
		}
		want := []string{`record type "hologram"`}
		if drift {
			want = []string{`version "2.2.0"`, `key "brandNew"`, `attachment type "hologram"`, `record type "hologram"`}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || records != 3 {
			t.Errorf("asked for %v: %d records and %q, want 3 and %q", drift, records, got, want)
		}
	}
}

func TestNewer(t *testing.T) {
	for version, want := range map[string]bool{"2.1.293": false, "2.1.294": true, "2.2.0": true, "3.0.0": true, "1.9.999": false, "2.0.50": false, "2.1": false, "2.1.300-beta": true, "x": true} {
		if got := newer(version); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}
