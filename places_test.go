package seshat_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
)

// Lines that no prompt log can hold are found without a look at the places that
// sessions ran in: only folders of the agent are opened. Records tell their projects,
// so that there the way up from a working folder is looked at.
func TestGrepLooksAtNoProjects(t *testing.T) {
	var mu sync.Mutex
	var dirs []string
	w := newWorld(threeChats())
	l := library(t, w, "", func(o *seshat.Options) {
		o.Open = func(dir string) (agent.Root, error) {
			mu.Lock()
			defer mu.Unlock()
			dirs = append(dirs, dir)
			return w.open(dir)
		}
	})
	elsewhere := func() []string {
		return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return strings.HasPrefix(dir, "/home/sam") || strings.Contains(dir, "Claude") })
	}
	if got, _ := grep(t, l, seshat.GrepQuery{Pattern: pattern(t, "answer", seshat.PatternFlags{})}); len(got) != 3 {
		t.Errorf("grep finds %q", got)
	}
	if got := elsewhere(); len(got) > 0 || len(dirs) == 0 {
		t.Errorf("grep opens %q of %q", got, dirs)
	}
	records(t, l, seshat.Selection{})
	if got := elsewhere(); !slices.Contains(got, "/srv") && !slices.Contains(got, "/") {
		t.Errorf("records open %q: the test sees nothing", dirs)
	}
}
