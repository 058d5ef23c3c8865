package seshat_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// foundBy searches, and gives the snippets of each session.
func foundBy(t *testing.T, l *seshat.Library, q seshat.SearchQuery, words string) (snippets map[string][]string, ans *seshat.SearchAnswer) {
	t.Helper()
	var err error
	if q.Query, err = l.ParseQuery(words); err != nil {
		t.Fatal(err)
	}
	snippets = map[string][]string{}
	ans, err = l.Search(context.Background(), q, func(f *seshat.Found) error {
		for _, h := range f.Hits {
			snippets[f.Session.ID] = append(snippets[f.Session.ID], h.Snippet.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return snippets, ans
}

// What any record of an answer tells of a credential counts for all of it, also where the
// records were scored before they were read.
func TestScoredRecordsAreRedacted(t *testing.T) {
	password := "pa55" + "w0rdXYZ"
	l := library(t, newWorld(claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 1, "go on"),
			assistant(one, "/srv/app", "a1", 2, text("a needle and "+password)),
			assistant(one, "/srv/app", "a2", 3, text("needle at https://user:"+password+"@db.invalid/x"))),
		appDir + two + ".jsonl": lines(user(two, "/srv/app", "u2", 1, "go on"), assistant(two, "/srv/app", "a3", 2, text("needle "+password))),
	})), "", nil)
	got, _ := foundBy(t, l, seshat.SearchQuery{Limit: 10}, "needle")
	if len(got[one]) != 2 || len(got[two]) != 1 {
		t.Fatalf("found is %q", got)
	}
	for _, all := range got {
		for _, s := range all {
			if strings.Contains(s, password) || !strings.Contains(s, "needle") {
				t.Errorf("a snippet says %q", s)
			}
		}
	}
}

// rewritten is a root in which a file has another content from some opening on.
type rewritten struct {
	agent.Root
	name   string
	opened *atomic.Int32
	from   int32
	then   agent.Root
}

func (r rewritten) Open(name string) (agent.File, error) {
	if strings.HasSuffix(name, r.name) && r.opened.Add(1) >= r.from {
		return r.then.Open(name)
	}
	return r.Root.Open(name)
}

// A record that is not there any more when it is read again is left out, and the answer
// says so.
func TestScoredRecordsThatAreGone(t *testing.T) {
	world := func(word string) *rootfs.Memory {
		return claudeRoot(map[string]string{
			appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 1, "go on"), assistant(one, "/srv/app", "a1", 2, text("needle here")), assistant(one, "/srv/app", "a2", 3, text("a "+word))),
			appDir + two + ".jsonl": lines(user(two, "/srv/app", "u2", 1, "go on"), assistant(two, "/srv/app", "a3", 2, text("needle there"))),
		})
	}
	gone := false
	for from := int32(1); ; from++ {
		var opened atomic.Int32
		l := library(t, newWorld(world("needle")), "", func(o *seshat.Options) {
			o.Workers = 1
			open := o.Open
			o.Open = func(dir string) (agent.Root, error) {
				root, err := open(dir)
				if err != nil {
					return nil, err
				}
				return rewritten{root, one + ".jsonl", &opened, from, world("thread")}, nil
			}
		})
		got, ans := foundBy(t, l, seshat.SearchQuery{Limit: 10}, "needle")
		if opened.Load() < from {
			break
		}
		for _, s := range append(got[one], got[two]...) {
			if !strings.Contains(s, "needle") {
				t.Errorf("a snippet says %q", s)
			}
		}
		if shown := len(got[one]) + len(got[two]); shown < ans.Matches {
			gone = true
			if ans.Complete || len(ans.Warnings) != 1 || !strings.Contains(ans.Warnings[0].Reason, "changed while it was searched") {
				t.Errorf("%d of %d are shown, and the answer is %+v", shown, ans.Matches, ans.Answer)
			}
		}
	}
	if !gone {
		t.Error("no record was gone when it was read again")
	}
}

// A session whose title has the word comes before one that says it in a prompt, also where
// one is shown; so does one whose title is a prompt. A reply counts 1, a title 1.5, a prompt
// 1.3, and a title that is one 0.3 of 1.5.
func TestTheFirstOfScoredSessions(t *testing.T) {
	said := func(session, prompt, reply string) []object {
		id := session[:2]
		return []object{user(session, "/srv/app", id+"u", 1, prompt), assistant(session, "/srv/app", id+"a", 2, text(reply))}
	}
	asks := lines(append(said(two, "go on", "on"), user(two, "/srv/app", "ask", 2, "is there a needle"))...)
	for name, files := range map[string]map[string]string{
		"a line": {appDir + one + ".jsonl": lines(append(said(one, "go on", "a needle"), object{"type": "ai-title", "aiTitle": "The needle", "sessionId": one})...)},
		"a file": {appDir + one + ".jsonl": lines(said(one, "go on", "a needle")...), appDir + one + "/custom-title.json": `{"customTitle":"The needle"}`},
		"prompt": {appDir + one + ".jsonl": lines(said(one, "find the needle", "a needle")...)},
	} {
		files[appDir+two+".jsonl"] = asks
		got, ans := foundBy(t, library(t, newWorld(claudeRoot(files)), "", nil), seshat.SearchQuery{Limit: 1}, "needle")
		if len(got[one]) == 0 || ans.Sessions != 2 {
			t.Errorf("%s: of %d sessions there is first %q", name, ans.Sessions, got)
		}
	}
}

// Of a line that has several records one may be shown.
func TestOneOfTheScoredRecordsOfALine(t *testing.T) {
	result := func(id, text string) object { return object{"type": "tool_result", "tool_use_id": id, "content": text} }
	l := library(t, newWorld(claudeRoot(map[string]string{
		appDir + one + ".jsonl": lines(user(one, "/srv/app", "u1", 1, "go on"),
			env("user", one, "/srv/app", "u2", 2).with("message", object{"role": "user", "content": []any{result("t1", "needles"), result("t2", "a needle")}})),
	})), "", nil)
	got, _ := foundBy(t, l, seshat.SearchQuery{Limit: 1, Flat: true}, "needle")
	if len(got[one]) != 1 || got[one][0] != "a needle" {
		t.Errorf("there is %q", got)
	}
}
