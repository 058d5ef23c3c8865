package seshat_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
)

// changing is a root whose files are no longer what they were when they were
// listed: one became shorter, one is gone.
type changing struct{ agent.Root }

func (c changing) Open(name string) (agent.File, error) {
	if strings.Contains(name, two) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := c.Root.Open(name)
	if err == nil && strings.Contains(name, one) {
		f = longer{f}
	}
	return f, err
}

// longer says that a file is longer than it is.
type longer struct{ agent.File }

func (l longer) Info() agent.Info {
	info := l.File.Info()
	info.Size += 4000
	return info
}

// A file that shrinks or vanishes while it is read costs what it lost and nothing
// else, and the answer says so.
func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	w := newWorld(claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl":   chat(one, "/srv/app", 1, "before it shrank", "1"),
		"projects/-srv-app/" + two + ".jsonl":   chat(two, "/srv/app", 10, "gone", "2"),
		"projects/-srv-app/" + three + ".jsonl": chat(three, "/srv/app", 20, "still here", "3"),
	}))
	l := library(t, w, "", func(o *seshat.Options) {
		open := o.Open
		o.Open = func(dir string) (agent.Root, error) {
			root, err := open(dir)
			if err != nil {
				return nil, err
			}
			return changing{root}, nil
		}
	})
	got, ans := records(t, l, seshat.Selection{})
	if !slices.Contains(got, "prompt still here") {
		t.Errorf("records %q", got)
	}
	if ans.Complete || ans.Sources.Failed != 2 || ans.Sources.Read != 1 {
		t.Errorf("the answer is %+v", ans)
	}
	var reasons []string
	for _, w := range ans.Warnings {
		reasons = append(reasons, w.Reason)
	}
	said := strings.Join(reasons, "; ")
	if !strings.Contains(said, "shorter") || !strings.Contains(said, "not there") {
		t.Errorf("the warnings say %q", said)
	}
}
