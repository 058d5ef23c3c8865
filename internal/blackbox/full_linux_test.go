package blackbox

import (
	"os"
	"strings"
	"testing"
)

// An answer that could not be written is an error, whatever its exit code would have been.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	h, _, values := leaky(t)
	for _, args := range [][]string{
		{"sessions"}, {"sessions", "--json"}, {"sessions", "--json", "--since", "2027"}, {"search", "please"}, {"search", "nowhere", "--ndjson"},
		{"grep", "please"}, {"grep", "nowhere", "--json"}, {"grep", "nowhere", "--ndjson"}, {"records", "--kind", "command"}, {"find"}, {"find", "zzz", "--json"},
		{"projects"}, {"expiring", "--within", "1h", "--json"}, {"show", S1}, {"stores"}, {"secrets"}, {"secrets", "--json"}, {"secrets", "--guide"}, {"--help"},
	} {
		r := h.Do(Run{Args: args, Stdout: full})
		r.exits(t, 2).hides(t, values)
		if !strings.Contains(r.Stderr, "no space left on device") {
			t.Errorf("%q says %q", args, r.Stderr)
		}
	}
}
