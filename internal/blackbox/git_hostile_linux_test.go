package blackbox

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Whatever lies where git's files should, a run ends, says what it can, and opens
// nothing private.
func TestHostileGitFiles(t *testing.T) {
	h := New(t)
	main := h.Mkdir("srv/shop")
	h.Write("srv/shop/.git/HEAD", "ref: refs/heads/main\n", 0o600)
	private := h.Write(".claude/.credentials.json", "gitdir: /srv/stolen/.git/worktrees/x\n", 0o600)
	env := h.Mkdir(".claude/session-env")
	inside := h.Write(".claude/session-env/commondir", "/srv/stolen/.git\n", 0o600)
	h.Write(".claude/session-env/HEAD", "ref: refs/heads/main\n", 0o600)
	secret := h.Write(".claude/session-env/worktrees/x/gitdir", "/srv/stolen/.git\n", 0o600)
	makes := map[string]func(dir string){
		"fifo":  func(dir string) { must(t, syscall.Mkfifo(dir+"/.git", 0o600)) },
		"fifos": func(dir string) { h.Mkdir(dir + "/.git"); must(t, syscall.Mkfifo(dir+"/.git/HEAD", 0o600)) },
		"common": func(dir string) {
			h.Write(dir+"/.git", "gitdir: real\n", 0o600)
			h.Mkdir(dir + "/real")
			must(t, syscall.Mkfifo(dir+"/real/commondir", 0o600))
		},
		"self":    func(dir string) { h.Write(dir+"/.git", "gitdir: .git\n", 0o600) },
		"huge":    func(dir string) { h.Write(dir+"/.git", "gitdir: ", 0o600); must(t, os.Truncate(dir+"/.git", 1<<20)) },
		"binary":  func(dir string) { h.Write(dir+"/.git", "\x7fELF\x00\x01", 0o600) },
		"loop":    func(dir string) { h.Symlink(".git", dir+"/.git") },
		"linked":  func(dir string) { h.Symlink(private, dir+"/.git") },
		"private": func(dir string) { h.Write(dir+"/.git", "gitdir: "+env+"\n", 0o600) },
		"through": func(dir string) { h.Symlink(env, dir+"/door"); h.Write(dir+"/.git", "gitdir: door\n", 0o600) },
		"folder":  func(dir string) { h.Symlink(env, dir+"/.git") },
	}
	for name, build := range makes {
		dir := h.Mkdir("srv/shop/" + name)
		build(dir)
		h.Claude(dir, S1[:35]+string(rune('a'+len(name)%26))+name, U("m-"+name, "", "in "+name))
	}
	h.Claude("/srv/gone/for/good", S2, U("m1", "", "so that all lists are looked at"))
	h.Claude(main, S3, U("m2", "", "main"))
	for _, args := range [][]string{{"sessions", "--json"}, {"records"}, {"projects"}, {"grep", "in", "--project", "shop"}, {"sessions", "--here"}, {"expiring", "--here"},
		{"search", "in", "--here"}, {"search", "in", "--only-here", "--ndjson"}, {"secrets", "--here"}} {
		var opened []string
		h.Do(Run{Args: args, Dir: main, Around: func(run func()) { opened = opens(t, []string{private, inside, secret, env, main}, run) }})
		for _, path := range []string{private, inside, secret, env} {
			if slices.Contains(opened, path) {
				t.Errorf("law 2: seshat %q opened %s", args, path)
			}
		}
	}
	list, _ := h.sessions(t)
	if len(list) != len(makes)+2 {
		t.Errorf("%d sessions", len(list))
	}
	for _, s := range list {
		if strings.Contains(s.Project.Root, "stolen") || s.Project.Name == "" {
			t.Errorf("%+v", s.Project)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
